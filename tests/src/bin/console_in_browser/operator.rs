//! The operator's desk, and A9: what a silent supplier leaves behind is seen, ruled on and released, under a name.

use std::{env, fs, process};

use rust_decimal::Decimal;
use secrecy::ExposeSecret;
use wayfare_domain::OperatorRole;
use wayfare_tests::{
    Person, World, WorldOptions,
    browser::{Browser, Looked, Page},
    one_way,
};

use crate::stage::Stage;

const OPERATOR: &str = "olga";

/// A world whose supplier fell silent after a booking, and an operator with all rights.
pub struct Desk {
    /// Server, database and suppliers. Its time stands still.
    world: World,
    /// Where the operator's screens are.
    url: String,
    password: String,
    agent: Person,
    /// The booking whose outcome nobody knows.
    reference: String,
    agency: String,
}

impl Desk {
    pub async fn set() -> Self {
        let options = WorldOptions::default().frozen();
        let (mut world, agency, agent) = World::with(options).await.and_agent("500000").await;
        let trip = one_way("DEL", "BOM");
        let priced = agent.quote(&trip).await;
        world.next("book", "drop_before").await;
        let booked = agent.book(&agent.order(&priced, &trip)).await.succeeds(202);
        world.next_times("lookup", "status:500", 99).await;
        for _ in 0..6 {
            world.recover_in(301).await;
        }
        world.pass(11);
        let door = world.operator_api();
        let operator = door.operator(OPERATOR, OperatorRole::Admin).await;
        Self {
            url: door.base_url,
            password: operator.password.expose_secret().to_owned(),
            reference: booked["booking_ref"].as_str().unwrap().to_owned(),
            agency: agency.code.as_ref().to_owned(),
            agent,
            world,
        }
    }

    /// An address of the operator's screens, where `{ref}` is the booking and `{agency}` its agency.
    pub fn url(&self, path: &str) -> String {
        let path = path.replace("{ref}", &self.reference).replace("{agency}", &self.agency);
        format!("{}{path}", self.url)
    }

    /// A page of the operator, who has logged in.
    pub fn page(&self, browser: &Browser) -> Looked<Page> {
        let page = browser.page();
        page.resize(1280, 800)?;
        page.open(&self.url("/operator"))?;
        page.fill("#username", OPERATOR)?;
        page.fill("#password", &self.password)?;
        page.click("button.primary")?;
        page.wait("the overview", "location.pathname === '/operator' && document.readyState === 'complete'")?;
        Ok(page)
    }

    /// Opens the case of the booking.
    pub fn case(&self, page: &Page) -> Looked {
        page.open(&self.url("/operator/incidents?all=yes"))?;
        page.click("tbody a[href^='/operator/incidents/']")?;
        page.is_at("/operator/incidents/")
    }

    /// Chooses the central bank's file and sees what it changes.
    pub fn rates_of_a_file(&self, page: &Page) -> Looked {
        let file = env::temp_dir().join(format!("wayfare-rates-{}.csv", process::id()));
        let day = self.world.now().date_naive();
        fs::write(&file, format!("Date, INR, GBP, \n{day}, 98.25, 0.84, \n")).unwrap();
        page.open(&self.url("/operator/rates/import"))?;
        page.choose_file("#chosen", &file)?;
        page.wait("the file's text", "document.querySelector('#file').value.includes('98.25')")?;
        fs::remove_file(&file).unwrap();
        page.click("form button.primary")?;
        page.wait(
            "what it changes",
            "document.querySelector('#difference') && document.body.innerText.includes('98.25')",
        )
        .map(drop)
    }
}

pub fn check(stage: &Stage) -> Looked<String> {
    let desk = &stage.desk;
    let page = desk.page(&stage.browser)?;
    let balance = stage.wait(desk.agent.balance());
    page.click("main a[href^='/operator/incidents?kind=']")?;
    page.is_at("/operator/incidents?kind=")?;
    page.click("tbody a[href^='/operator/incidents/']")?;
    page.is_at("/operator/incidents/")?;
    let button = page.text("document.querySelector('button[value=refused]').innerText")?;
    page.fill("#note", "their desk knows nothing of it")?;
    page.click("button[value=refused]")?;
    page.wait("a ruling", "document.body.innerText.includes('The ruling is carried out.')")?;
    let held = stage.wait(desk.world.held());
    if held != Decimal::ZERO || stage.wait(desk.agent.balance()) != balance {
        return Err(format!("{held} are still held"));
    }
    let by = stage.wait(desk.world.line(
        "select o.username from events e join operators o on o.id = e.actor_id \
         where e.action = 'exception.resolved' and e.actor_type = 'operator'",
    ));
    match by == OPERATOR {
        true => Ok(format!("{}, by {by}: {button}", desk.reference)),
        false => Err(format!("the audit log says that {by} did it")),
    }
}
