//! Who brings the tables up to date, and what servers of one database know of each other.

use serde_json::Value;

use crate::place::until;
use crate::shared::Shared;

fn said(output: &std::process::Output) -> (Option<i32>, Value) {
    let text = String::from_utf8_lossy(&output.stdout);
    let json = serde_json::from_str(&text);
    (output.status.code(), json.unwrap_or_else(|_| panic!("{output:?}")))
}

#[tokio::test]
async fn a_server_that_may_not_migrate_waits_for_the_operator() {
    let shared = Shared::with_sandbox("migrate_never").await;
    let never = ("WAYFARE_MIGRATE", "never");
    let (code, told) = shared.refused(never).await;
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("the tables lack migrations"), "{told}");
    assert!(told.contains("run `wayfarectl migrate`"), "{told}");

    let (code, pending) = said(&shared.operator(&["--json", "migrate", "--check"]));
    assert_eq!(code, Some(1));
    let pending = pending["pending"].as_array().unwrap();
    assert!(pending.len() > 40 && pending[0].as_str().unwrap().starts_with("0001"), "{pending:?}");

    assert!(shared.operator(&["migrate"]).status.success());
    let (code, pending) = said(&shared.operator(&["--json", "migrate", "--check"]));
    assert_eq!((code, pending["pending"].as_array().unwrap().len()), (Some(0), 0));
    shared.start(None, Some(never)).await;
}

#[tokio::test]
async fn servers_that_are_set_otherwise_are_named() {
    let shared = Shared::with_sandbox("unequal_servers").await;
    let _first = shared.first(None).await;
    let rates = shared.write("rates.toml", "[exchange_rates]\n\"GBP/INR\" = \"105.25\"\n");
    let second = shared.start(None, Some(("WAYFARE_CONFIG", rates.to_str().unwrap()))).await;
    let servers = until("two servers", async || {
        let (_, status) = said(&shared.operator(&["--json", "status"]));
        let servers = status["servers"].as_array().unwrap().clone();
        (servers.len() == 2).then_some(servers)
    })
    .await;
    let unequal: Vec<&Value> =
        servers.iter().flat_map(|server| server["unequal_settings"].as_array().unwrap()).collect();
    assert_eq!(unequal, ["exchange_rates", "suppliers.duffel", "suppliers.tripjack"], "{servers:?}");
    until("the warning", async || second.said().contains("is set otherwise").then_some(())).await;
}
