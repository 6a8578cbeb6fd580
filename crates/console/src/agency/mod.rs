//! The agency's own pages, for its admins: people, money, packages, reports, webhooks, the audit log and the profile.

mod allocations;
mod audit;
mod fares;
mod package;
mod packages;
mod people;
mod preview;
mod profile;
mod reports;
mod transactions;
mod users;
mod webhooks;

use actix_web::{
    HttpResponse,
    web::{self, ServiceConfig},
};
use askama::Template;
use uuid::Uuid;
use wayfare_client::Error;

use crate::{
    BASE,
    failure::{Failure, sentence},
    form::{Choice, Wrongs, amount, choices, day, query, says_something},
    page::Shell,
    see_other,
};

const ROWS: u32 = 25;

/// What is said where an agency has no portal.
#[derive(Template)]
#[template(path = "agency/no_portal.html")]
pub struct NoPortal {
    pub shell: Shell,
}

pub fn mount(config: &mut ServiceConfig) {
    config
        .service(web::resource("/agency").get(start))
        .configure(users::mount)
        .configure(allocations::mount)
        .configure(transactions::mount)
        .configure(fares::mount)
        .configure(packages::mount)
        .configure(reports::mount)
        .configure(webhooks::mount)
        .configure(audit::mount)
        .configure(profile::mount);
}

/// `GET /console/agency`.
async fn start() -> HttpResponse {
    see_other(&format!("{BASE}/agency/users"))
}

/// What is wrong with a form that the API has refused for what stands in it. What no field is named for stands at this one.
/// None of what is wrong otherwise.
fn refused(error: &Error, field: &str, rename: impl Fn(&str) -> String) -> Option<Wrongs> {
    let Error::Refused { status, text, .. } = error else {
        return None;
    };
    if !matches!(status, 400 | 409 | 422) {
        return None;
    }
    let named = Wrongs::of(error, rename);
    if !named.is_empty() {
        return Some(named);
    }
    let mut wrongs = Wrongs::default();
    wrongs.add(field, sentence(text));
    Some(wrongs)
}

fn id(text: &str) -> Result<Uuid, Failure> {
    text.parse().map_err(|_| Failure::NoPage)
}

fn new_key() -> String {
    Uuid::new_v4().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::Fields;

    fn error(status: u16, text: &str) -> Error {
        Error::Refused { status, text: text.to_owned(), data: None, request_id: None, retry_after: None }
    }

    #[test]
    fn what_is_refused_stands_at_its_field() {
        let rename = |field: &str| format!("{field}-1");
        let wrongs = refused(&error(422, "code=422, message=[{amount must be there}]"), "x", rename);
        assert_eq!(wrongs.unwrap().of_field("amount-1"), "Must be there");
        let wrongs = refused(&error(400, "too little"), "x", rename);
        assert_eq!(wrongs.unwrap().of_field("x"), "Too little");
        for status in [403, 404, 429, 503] {
            assert!(refused(&error(status, "no"), "x", rename).is_none(), "{status}");
        }
    }

    #[test]
    fn what_is_typed_is_read_or_told() {
        let field = |value: &str| Fields(vec![("a".to_owned(), value.to_owned())]);
        let mut wrongs = Wrongs::default();
        assert_eq!(amount(&field("1,250.50"), "a", &mut wrongs), "1250.50".parse().ok());
        assert_eq!(amount(&field(""), "a", &mut wrongs), None);
        assert!(wrongs.is_empty());
        assert_eq!(amount(&field("many"), "a", &mut wrongs), None);
        assert_eq!(wrongs.iter().count(), 1);
    }
}
