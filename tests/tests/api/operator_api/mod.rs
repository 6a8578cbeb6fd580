//! The operator's API: who may do what there, how sessions end, and that what is done has a name.

mod agencies;
mod audit_logs;
mod confirmed;
mod desk;
mod document;
mod hostile_input;
mod ledger;
mod matrix;
mod million;
mod money;
mod overview;
mod prices;
mod rates;
mod rulings;
mod sessions;
mod suppliers;

use wayfare_tests::{OperatorPerson, World};

/// What this operator did of agencies, by those of their events of which this is so, too.
async fn done_by(world: &World, operator: &OperatorPerson, also: &str) -> String {
    let theirs = format!("actor_type = 'operator' and actor_id = '{}' {also}", operator.id);
    world.line(&format!("select string_agg(action, ' ' order by action) from events where {theirs}")).await
}

/// The path with names of what is not there.
fn of_nothing(path: &str) -> String {
    path.replace("{id}", "01900000-0000-7000-8000-000000000000")
        .replace("{ref}", "FA-00000000")
        .replace("{code}", "WF000000")
        .replace("{username}", "nobody")
        .replace("{from}", "GBP")
        .replace("{to}", "INR")
}
