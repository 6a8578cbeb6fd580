//! The console: the service in a browser. Each page is made on the server, out of calls of the public API as any agency's
//! own programs make them, so that nothing is shown that the API does not tell.
//!
//! The browser holds one opaque session token in a cookie that no script can read. The console keeps nothing that a restart
//! or another server would lose: what is kept of searches and prices is asked for again where it is gone.

mod agency;
mod asset_files;
mod assets;
mod audit_log;
mod booked;
mod booking_list;
mod day;
mod facets;
mod failed;
mod failure;
mod filters;
mod flights;
mod form;
mod hotels;
mod login;
mod me;
mod memory;
mod money;
mod notifications;
mod operator;
mod page;
mod payment;
mod policy;
mod prelude;
mod refunds;
mod sale;
mod same_origin;
mod session;
mod side;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice, reason = "a test may panic")]
mod static_checks;
mod sums;
mod taken;
mod timeline;
mod today;
mod trace;
mod vocabulary;
mod wallet;

use std::{sync::Arc, time::Duration};

use actix_web::{
    HttpResponse,
    http::header,
    middleware::from_fn,
    web::{self, Data, ServiceConfig},
};
use url::Url;
use wayfare_client::{Client, Error, Retries};

use crate::{failure::Failure, memory::Memory, page::Answer, side::Side};

/// The header by which the console proves to its own server that what it says of a browser's address is true.
pub const PROOF: &str = "wayfare-console";

/// Where the console of agencies is found, below the server's address.
const BASE: &str = Side::Agency.base();

#[derive(Clone)]
pub struct Options {
    /// Where the API answers, without `/api/v1`.
    pub api: String,
    /// Where browsers find the console, if that is said: `https://portal.example.com`.
    pub public_url: Option<Url>,
    /// Whether only this machine can reach the server.
    pub is_loopback: bool,
    /// What goes with each call in the header [`PROOF`].
    pub proof: String,
    /// Whether nothing that is sold is real.
    pub is_sandbox: bool,
}

/// The console of one server. Cheap to clone.
#[derive(Clone)]
pub struct Console {
    shared: Arc<Shared>,
    side: Side,
}

struct Shared {
    client: Client,
    memory: Memory,
    hotel_memory: Memory,
    options: Options,
}

impl Console {
    /// A console with these options.
    ///
    /// # Errors
    /// When the API's address is none.
    pub fn new(options: Options) -> Result<Self, Error> {
        // Somebody waits in front of a screen: two tries, and the second one soon.
        let retries = Retries::default().attempts(2).patience(Duration::from_secs(5));
        let client = Client::builder(options.api.as_str())
            .retries(retries)
            .user_agent(concat!("wayfare-console/", env!("CARGO_PKG_VERSION")))
            .uncompressed()
            .build()?
            .with_header(PROOF, &options.proof)?;
        Ok(Self {
            shared: Arc::new(Shared { client, memory: Memory::new(), hotel_memory: Memory::new(), options }),
            side: Side::Agency,
        })
    }

    /// Whether browsers come by TLS: their cookies say so.
    fn is_secure(&self) -> bool {
        let public = self.shared.options.public_url.as_ref();
        public.is_some_and(|url| url.scheme() == "https")
    }

    /// Whether a password may be typed here: by TLS, or where it does not leave the machine.
    fn takes_passwords(&self) -> bool {
        self.is_secure() || self.shared.options.is_loopback
    }

    /// Mounts all pages of the operator, where the operator's API is.
    pub fn mount_operator(&self, config: &mut ServiceConfig) {
        Self { side: Side::Operator, ..self.clone() }.mount_pages(config, operator::mount);
    }

    /// Mounts all pages of agencies.
    pub fn mount(&self, config: &mut ServiceConfig) {
        self.clone().mount_pages(config, |config| {
            config
                .configure(today::mount)
                .configure(wallet::mount)
                .configure(me::mount)
                .configure(notifications::mount)
                .configure(flights::mount)
                .configure(agency::mount)
                .configure(hotels::mount)
                .configure(refunds::mount);
        });
    }

    /// Mounts these pages of a side, and what both sides have.
    fn mount_pages(self, config: &mut ServiceConfig, pages: impl FnOnce(&mut ServiceConfig)) {
        config.service(
            web::scope(self.side.base())
                .app_data(Data::new(self))
                .wrap(from_fn(operator::ask_for_password))
                .wrap(from_fn(same_origin::check))
                // Round the other ones: what they refuse is a page with the same headers.
                .wrap(from_fn(policy::apply))
                .configure(login::mount)
                .configure(pages)
                .service(web::resource("/assets/{name}").get(asset_files::get))
                .default_service(web::to(no_page)),
        );
    }
}

async fn no_page() -> Answer {
    Err(Failure::NoPage)
}

/// On to another page, after a form was taken.
fn see_other(path: &str) -> HttpResponse {
    HttpResponse::SeeOther().insert_header((header::LOCATION, path)).finish()
}

/// Whether this is a reference of a booking.
fn is_booking(reference: &str) -> bool {
    let code = reference.strip_prefix("FA-").or_else(|| reference.strip_prefix("HTL-"));
    code.is_some_and(|code| code.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// Where a booking is found: hotels' references tell themselves apart.
fn booking_address(reference: &str) -> String {
    match reference.starts_with("HTL-") {
        true => format!("{BASE}/hotels/bookings/{reference}"),
        false => format!("{BASE}/bookings/{reference}"),
    }
}
