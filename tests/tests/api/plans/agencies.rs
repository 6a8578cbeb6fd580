//! What a statement that writes or locks an agency's rows says of the agency: spread by agencies, PostgreSQL could send it to
//! one place (docs/SCALING.md).

use serde_json::json;
use wayfare_tests::{MONEY, Receiver};

use super::{everything, explained::Log, explained_world};

/// Statements over several agencies, by a text that they have, and why. This list may only shrink.
const OF_SEVERAL: [(&str, &str); 3] = [
    ("select written_whole(", "a group commit writes for several agencies"),
    ("unnest($1", "it locks what its commands are about, too"),
    ("insert into day_bounds", "days are of time zones, not of agencies"),
];

#[tokio::test(flavor = "multi_thread")]
async fn what_writes_or_locks_names_one_agency() {
    let (world, agency, admin) = explained_world().await.and_admin(MONEY).await;
    let agent = agency.agent("arjun", MONEY).await;
    let receiver = Receiver::start().await;
    admin.post("/org/webhooks", &json!({ "url": receiver.url })).await.succeeds(201);
    let mut log = Log::of(&world).await;
    log.since_the_last_time().await;
    everything(&world, &admin, &agent).await;
    let seen = log.since_the_last_time().await;

    let texts = seen.iter().map(|(text, _)| text.to_lowercase());
    let writing: Vec<String> = texts.filter(|text| writes_or_locks(text)).collect();
    assert!(writing.len() > 10, "{writing:#?}");
    let of_several: Vec<&String> = writing.iter().filter(|text| !names_one(text)).collect();
    let is_known = |text: &str| OF_SEVERAL.iter().any(|(part, _)| text.contains(part));
    let unknown: Vec<_> = of_several.iter().filter(|text| !is_known(text)).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
    for (part, why) in OF_SEVERAL {
        assert!(of_several.iter().any(|text| text.contains(part)), "no longer needed: {part} ({why})");
    }
}

fn writes_or_locks(text: &str) -> bool {
    let words = ["insert into ", "update ", "delete from ", "for update", "for no key update", "for share"];
    words.iter().any(|word| text.contains(word))
}

/// Whether a condition compares the agency with one that is given, or a row is inserted with its agency.
fn names_one(text: &str) -> bool {
    let inserts = text.trim_start().starts_with("insert into") && text.contains("org_id");
    let compares = text.match_indices("org_id").any(|(at, _)| {
        let rest = text.get(at..).unwrap_or_default().chars().take(40);
        let rest: String = rest.filter(|letter| !"\" ()".contains(*letter)).collect();
        rest.starts_with("org_id=$")
    });
    inserts || compares
}
