//! Why a booking cost what it did, told by the program beside a running server.

use rust_decimal::dec;
use serde_json::{Value, json};
use wayfare_tests::{World, WorldOptions, amount, one_way};

use crate::installation::{Installation, one_line, refused, succeeded, text};

#[tokio::test(flavor = "multi_thread")]
async fn a_price_is_explained_as_it_was_quoted() {
    let pounds = WorldOptions { supplier_currency: "GBP", ..WorldOptions::default() };
    let world = World::with(pounds).await;
    let agency = world.agency().await;
    let (admin, agent) = (agency.admin("0").await, agency.agent("arjun", "1000000").await);
    let here = Installation::new();
    let ctl = |arguments: &[&str]| here.beside(&world, arguments);
    let say = |arguments: &[&str]| succeeded(&ctl(arguments).output().unwrap());
    let code = agency.code.as_ref();
    say(&["fx", "set", "GBP", "INR", "105.25"]);
    say(&["contract", "set", code, "duffel", "--percent", "3"]);
    say(&["terms", "set", code, "--service-fee", "100", "--gst", "18"]);
    let monsoon = json!({ "name": "Monsoon", "markup_type": "percent", "markup_value": 5 });
    let package = admin.post("/org/packages", &monsoon).await.succeeds(201);
    let assigned = json!({ "package_id": package["id"] });
    admin.post("/org/packages/assign", &assigned).await.ok();
    let bought = agent.buy(one_way("DEL", "BOM")).await;

    // What counts now is not what counted then.
    say(&["fx", "set", "GBP", "INR", "999"]);
    say(&["terms", "set", code, "--service-fee", "0"]);
    let path = format!("/org/packages/{}", text(&package["id"]));
    admin.delete(&path).await.ok();

    let explain = ["price", "explain", &bought.reference];
    let answer = succeeded(&ctl(&explain).arg("--json").output().unwrap());
    let told: Value = serde_json::from_str(&one_line(&answer)).unwrap();
    assert_eq!(amount(&told["total_payable"]), bought.fare);
    let order = &told["orders"][0];
    assert_eq!(amount(&order["exchange_rate"]), dec!(105.25));
    assert_eq!(order["supplier_currency"], "GBP");
    let steps = order["trace"]["steps"].as_array().unwrap();
    let step = |symbol: &str| {
        let found = steps.iter().rfind(|step| step["symbol"] == symbol).unwrap();
        (amount(&found["result"]), text(&found["rule"]))
    };
    let ((base, _), (taxes, _), (total, _)) = (step("B"), step("X"), step("T"));
    assert_eq!(base + taxes, total);
    let summary = &bought.priced["price_summary"];
    assert_eq!(base, amount(&summary["base_fare_total"]));
    let exact = |part: rust_decimal::Decimal| {
        part.round_dp_with_strategy(2, rust_decimal::RoundingStrategy::MidpointAwayFromZero)
    };
    assert_eq!(step("K"), (exact(base * dec!(0.03)), "contract with duffel: 3 % of B".to_owned()));
    let (markup, rule) = step("M");
    assert_eq!(markup, exact(base * dec!(0.05)));
    assert!(rule.contains("Monsoon") && rule.contains("5 % of B"), "{rule}");
    assert_eq!((step("S").0, step("G").0), (dec!(100), dec!(18)));
    assert_eq!(step("agent fare").0, bought.fare);

    let shown = say(&explain);
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines[0].starts_with("order") && lines[0].contains("exact"), "{shown}");
    assert_eq!(lines.len(), steps.len() + 2, "{shown}");
    let first = format!("{}-1 duffel  B base fare ", bought.reference);
    assert!(lines[1].starts_with(&first), "{shown}");
    for name in [
        "X taxes",
        "T total",
        "K supplier's commission",
        "M markup",
        "S service fee",
        "G GST",
        "P platform charge",
    ] {
        assert!(shown.contains(&format!("  {name} ")), "{name}: {shown}");
    }
    let letter = |line: &&str| line.split_whitespace().nth(2).is_some_and(|part| part.len() == 1);
    let bare = |line: &&str| line.split("  ").nth(1).is_some_and(|part| part.trim().len() == 1);
    assert!(lines.iter().any(letter) && !lines.iter().any(bare), "{shown}");
    assert!(lines[lines.len() - 1].ends_with(&format!("for INR {}", bought.fare)), "{shown}");
    let unknown = refused(&mut ctl(&["price", "explain", "FA-00000000"]), 1);
    assert_eq!(unknown, "wayfarectl: there is no booking \"FA-00000000\"\n");
}
