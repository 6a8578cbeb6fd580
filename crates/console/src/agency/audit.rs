//! The audit log: who changed what, when and from where, with what it was before and after.

use wayfare_client::AuditEntry;

use super::people::People;
use crate::{
    audit_log::{self, Log, Row},
    prelude::*,
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
    people: People,
    log: Log,
}

fn row(entry: &AuditEntry, people: &People, log: &str) -> Row {
    let who = match entry.actor_type.as_str() {
        "operator" => "The operator",
        "system" => "The service",
        _ => people.name(&entry.actor_id).unwrap_or("Somebody who is gone"),
    };
    audit_log::row(entry, who, log)
}

/// `GET /console/agency/audit`.
async fn show(signed: Signed, typed: Fields) -> Answer {
    let mut wrongs = Wrongs::default();
    let list = signed.session.organization().audit_logs(&audit_log::filter(&typed, &mut wrongs));
    let (shell, people) =
        futures_util::try_join!(signed.shell("Audit log", Area::Audit), People::of(&signed))?;
    let row = |entry: &AuditEntry, log: &str| row(entry, &people, log);
    let log = Log::read(ADDRESS.to_owned(), typed, wrongs, &FILTERS, list, row).await?;
    page::html_with(log.wrongs.status(), &AuditPage { shell, people, log })
}
