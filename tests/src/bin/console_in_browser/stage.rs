//! Where everything happens: a world with an agency whose people have money, and a browser.

use serde_json::json;
use tokio::runtime::Runtime;
use wayfare_launch::SupplierKind;
use wayfare_tests::{
    Agency, Person, Seller, World, WorldOptions,
    browser::{Browser, Looked, Page},
};

use crate::{Options, operator::Desk};

pub const AGENT: &str = "arjun";
pub const ADMIN: &str = "asha";

/// Gives the agency markups, so that what customers pay is not what it pays.
async fn earn(admin: &Person) {
    for packages in ["/org/packages", "/org/hotel-packages"] {
        let package = json!({
            "name": "All", "markup_type": "percent", "markup_value": 8, "markup_apply_on": "total",
        });
        let made = admin.post(packages, &package).await.succeeds(201);
        let assign = json!({ "package_id": made["id"] });
        admin.post(&format!("{packages}/assign"), &assign).await.ok();
    }
}

pub struct Stage {
    pub options: Options,
    pub browser: Browser,
    pub world: World,
    pub agency: Agency,
    /// Where the operator works, in a world of its own.
    pub desk: Desk,
    // Last, so that servers and databases can end on it.
    runtime: Runtime,
}

impl Stage {
    /// Sets it: every supplier of the sandbox, and a third that sells flights.
    pub fn set(options: Options) -> Self {
        let runtime = Runtime::new().unwrap();
        let mut world = WorldOptions::of(Seller::all());
        world.sellers.push(Seller::of("second", SupplierKind::TripJack));
        let (world, agency) = runtime.block_on(async {
            let (world, agency, admin, _) = World::with(world).await.and_people("500000", "500000").await;
            earn(&admin).await;
            (world, agency)
        });
        let desk = runtime.block_on(Desk::set());
        Self { browser: Browser::start(), options, world, agency, desk, runtime }
    }

    /// What comes of something that takes its time.
    pub fn wait<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }

    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.world.base_url)
    }

    /// A page of somebody who has logged in.
    pub fn page_of(&self, username: &str) -> Looked<Page> {
        let page = self.browser.page();
        page.resize(1280, 800)?;
        page.open(&self.url("/console"))?;
        crate::journey::log_in(&page, self.agency.code.as_ref(), username, wayfare_tests::PASSWORD)?;
        Ok(page)
    }
}
