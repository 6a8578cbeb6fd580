//! Field by field, with the JSON type of each, against answers that the real TripJack gave.

use std::collections::BTreeSet;

use serde_json::Value;

use super::harness::*;
use crate::harness::*;
use crate::recordings::{Recordings, visit};

/// Every path with the type of what it leads to; names that are ids of segments are left out.
fn typed_paths(values: &[Value]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut keep = |path: &str, value: &Value| {
        let kind = match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "list",
            Value::Object(_) => "object",
        };
        let name = |part: &'_ str| {
            let bare = part.trim_end_matches("[]");
            let is_id = !bare.is_empty() && bare.bytes().all(|byte| byte.is_ascii_digit());
            if is_id { part.replace(bare, "*") } else { part.to_owned() }
        };
        let path: Vec<String> = path.split('.').map(name).collect();
        found.insert(format!("{}: {kind}", path.join(".")));
    };
    values.iter().for_each(|value| visit(value, "", &mut keep));
    found
}

fn is_covered(recordings: &Recordings, name: &str, answers: &[Value]) {
    let ours = typed_paths(answers);
    let theirs = typed_paths(&[recordings.read("tripjack", name)]);
    assert!(theirs.len() > 60);
    let missing: Vec<_> = theirs.difference(&ours).collect();
    assert!(missing.is_empty(), "{name} has what the sandbox lacks: {missing:#?}");
}

#[tokio::test]
async fn every_field_that_tripjack_sent_is_sent_here() {
    let Some(recordings) = Recordings::open("tripjack") else { return };
    let stage = Stage::open().await;
    let search = async |routes: &[(&str, &str, &str)]| {
        let body = serde_json::json!({ "searchQuery": family(query(routes)) });
        stage.tripjack("/fms/v1/air-search-all", body).await.done()
    };
    let one_way = search(&[("DEL", "BOM", DAY)]).await;
    let with_stops = search(&[("DXB", "AMS", DAY)]).await;
    let connecting = search(&[("DEL", "LHR", DAY)]).await;
    is_covered(
        &recordings,
        "air-search-all__oneway_domestic.json",
        &[one_way.clone(), with_stops, connecting],
    );
    let halves = search(&[("DEL", "GOI", DAY), ("GOI", "DEL", BACK)]).await;
    is_covered(&recordings, "air-search-all__return_domestic.json", &[halves]);
    let mut whole = Vec::new();
    for to in ["SIN", "CDG", "KTM", "DAC"] {
        whole.push(search(&[("DEL", to, DAY), (to, "DEL", BACK)]).await);
    }
    is_covered(&recordings, "air-search-all__return_international.json", &whole);

    let mut reviews = Vec::new();
    for fare in fares(&one_way["searchResult"]["tripInfos"]["ONWARD"]) {
        stage.next_of("tripjack", "price", "price_changed:2").await;
        reviews.push(stage.review(&[&fare["id"]]).await.done());
    }
    for name in ["review__DEL-BLR_2025_farerules_PARTIAL.json", "review__DEL-BOM_2020_farealert_ssr.json"] {
        is_covered(&recordings, name, &reviews);
    }
}
