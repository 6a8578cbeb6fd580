//! The audit log: who changed what, when and from where, with what it was before and after.

use actix_web::web::{self, ServiceConfig};
use askama::Template;
use wayfare_client::{AuditEntry, AuditFilter};

use super::{Choice, ROWS, day, people::People, query, refused, says_something};
use crate::{
    audit_rows::{self, Row},
    form::{Fields, Wrongs},
    page::{self, Answer, Pager, Shell},
    session::Signed,
    side::Area,
};

const ADDRESS: &str = "/console/agency/audit";
const FILTERS: [&str; 6] = ["actor_id", "entity_type", "action", "entity_id", "from", "to"];

pub fn mount(config: &mut ServiceConfig) {
    config.service(web::resource("/agency/audit").get(show));
}

#[derive(Template)]
#[template(path = "agency/audit.html")]
struct AuditPage {
    shell: Shell,
    log: &'static str,
    typed: Fields,
    people: Vec<Choice>,
    kinds: Vec<Choice>,
    is_filtered: bool,
    rows: Vec<Row>,
    pager: Option<Pager>,
    wrongs: Wrongs,
}

fn row(entry: &AuditEntry, people: &People) -> Row {
    let who = match entry.actor_type.as_str() {
        "operator" => "The operator",
        "system" => "The service",
        _ => people.name(&entry.actor_id).unwrap_or("Somebody who is gone"),
    };
    audit_rows::row(entry, who, ADDRESS)
}

/// `GET /console/agency/audit`.
async fn show(signed: Signed, typed: Fields) -> Answer {
    let mut wrongs = Wrongs::default();
    let filter = AuditFilter {
        actor_id: typed.number("actor_id"),
        entity_type: typed.given("entity_type"),
        entity_id: typed.given("entity_id"),
        action: typed.given("action"),
        from: day(&typed, "from", &mut wrongs),
        to: day(&typed, "to", &mut wrongs),
    };
    let (shell, people) =
        futures_util::try_join!(signed.shell("Audit log", Area::Audit), People::of(&signed))?;
    let mut found = None;
    if wrongs.is_empty() {
        let list = signed.session.organization().audit_logs(&filter).per_page(ROWS);
        match list.page(typed.number("page").unwrap_or(1)).await {
            Ok(page) => found = Some(page),
            Err(error) => wrongs = refused(&error, "action", str::to_owned).ok_or(error)?,
        }
    }
    let address = format!("{ADDRESS}?{}", query(&typed, &FILTERS));
    let entries = found.iter().flat_map(|page| &page.items);
    let shown = AuditPage {
        shell,
        log: ADDRESS,
        kinds: audit_rows::kinds(typed.get("entity_type")),
        is_filtered: says_something(&typed, &FILTERS),
        rows: entries.map(|entry| row(entry, &people)).collect(),
        people: people.choices(typed.get("actor_id")),
        pager: found.as_ref().map(|page| Pager::of(page, &address)),
        typed,
        wrongs,
    };
    page::html_with(shown.wrongs.status(), &shown)
}
