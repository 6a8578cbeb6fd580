//! The alerts, the dashboard and the runbook beside what the server prints.

use std::{collections::BTreeSet, fs, path::Path};

use serde_json::Value;
use wayfare_operations::operator::metrics::gather;
use wayfare_tests::one_way;

use super::world;

fn file(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)).unwrap()
}

/// The names of our metrics in a text.
fn names(text: &str) -> BTreeSet<String> {
    text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'))
        .filter(|word| ["wayfare_", "http_server_", "db_client_"].iter().any(|start| word.starts_with(start)))
        .map(str::to_owned)
        .collect()
}

/// A metric's own name, as the line of its type has it.
fn base(name: &str) -> &str {
    ["_bucket", "_count", "_sum", "_total"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name)
}

/// What the rules ask, without what they say.
fn asked(rules: &str) -> String {
    let asked = rules.lines().filter(|line| {
        let line = line.trim_start();
        !["summary:", "runbook:", "#", "labels:"].iter().any(|start| line.starts_with(start))
    });
    asked.collect::<Vec<_>>().join("\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn rules_and_dashboard_ask_for_metrics_that_are_printed() {
    let (world, url) = world().await;
    world.agent("1000000").await.search(&one_way("DEL", "BOM")).await;
    gather(&world.platform).await;
    let text = reqwest::get(url).await.unwrap().text().await.unwrap();
    let types = text.lines().filter_map(|line| line.strip_prefix("# TYPE "));
    let printed: BTreeSet<&str> = types.filter_map(|line| line.split(' ').next()).collect();

    let rules = asked(&file("deploy/prometheus/rules.yml"));
    let dashboard: Value = serde_json::from_str(&file("deploy/grafana/wayfare.json")).unwrap();
    let panels = dashboard["panels"].as_array().unwrap().iter();
    let queries: Vec<&str> = panels
        .flat_map(|panel| panel["targets"].as_array().unwrap())
        .map(|target| target["expr"].as_str().unwrap())
        .collect();
    let wanted: BTreeSet<String> = names(&rules).into_iter().chain(names(&queries.join("\n"))).collect();
    assert!(wanted.len() > 15, "{wanted:?}");
    let is_printed = |name: &&String| printed.contains(name.as_str()) || printed.contains(base(name));
    let missing: Vec<&String> = wanted.iter().filter(|name| !is_printed(name)).collect();
    assert!(missing.is_empty(), "{missing:?} are not among {printed:?}");

    let listed = file("docs/OPERATIONS.md");
    let is_listed = |name: &&&str| listed.contains(&format!("`{name}"));
    let unlisted: Vec<&&str> = printed.iter().filter(|name| !is_listed(name)).collect();
    assert!(unlisted.is_empty(), "OPERATIONS does not list {unlisted:?}");
}

#[test]
fn each_alert_has_its_entry_in_the_runbook_and_a_test() {
    let rules = file("deploy/prometheus/rules.yml");
    let of = |text: &str, start: &str| -> Vec<String> {
        let found = text.lines().filter_map(|line| line.trim_start().strip_prefix(start));
        found.map(|name| name.trim().to_owned()).collect()
    };
    let alerts = of(&rules, "- alert: ");
    assert!(alerts.len() > 5, "{alerts:?}");
    assert_eq!(alerts, of(&file("docs/RUNBOOK.md"), "## "));
    let anchors: Vec<String> = of(&rules, "runbook: docs/RUNBOOK.md#");
    let expected: Vec<String> = alerts.iter().map(|alert| alert.to_lowercase()).collect();
    assert_eq!(anchors, expected);
    let tests = file("deploy/prometheus/tests.yml");
    for alert in &alerts {
        let raised = tests.split(&format!("alertname: {alert}\n")).nth(1);
        assert!(
            raised.is_some_and(|rest| rest.trim_start().starts_with("exp_alerts:\n")),
            "{alert} is never raised in a test"
        );
    }
}
