//! What a package would make of a price: computed as prices are, explained without the operator's figures, and not stored.

use rust_decimal::dec;
use serde_json::{Value, json};
use wayfare_operations::{
    access::operators::By,
    operator::{self, Covered},
};
use wayfare_pricing::MarkupKind;
use wayfare_tests::{World, amount};

fn draft(markup: &Value, example: &Value) -> Value {
    let mut body = json!({ "name": "Corporate", "example": example });
    for (name, value) in markup.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

#[tokio::test(flavor = "multi_thread")]
async fn an_example_is_priced_and_explained_and_nothing_is_stored() {
    let (world, _, admin) = World::start().await.and_admin("0").await;
    let percent = json!({ "markup_type": "percent", "markup_value": 10 });
    let example = json!({ "base": 4500, "taxes": 900.50, "commission": 225 });
    let path = "/org/packages/preview";
    let preview = admin.post(path, &draft(&percent, &example)).await.ok();
    let price = &preview["price"];
    for (part, expected) in [
        ("base_fare", dec!(4500)),
        ("taxes", dec!(900.50)),
        ("total", dec!(5400.50)),
        ("commission", dec!(225)),
        ("markup", dec!(450)),
        ("public_fare", dec!(5850.50)),
    ] {
        assert_eq!(amount(&price[part]), expected, "{part}");
    }
    let parts: Vec<&str> =
        preview["trace"].as_array().unwrap().iter().map(|step| step["part"].as_str().unwrap()).collect();
    assert_eq!((parts[0], *parts.last().unwrap()), ("B", "agent fare"));
    assert_eq!(amount(&preview["trace"][parts.len() - 1]["result"]), amount(&price["agent_fare"]));
    assert!(!preview.to_string().contains("00000000-0000"));
    // One that does not count is none.
    let mut off = draft(&percent, &example);
    off["is_active"] = json!(false);
    let none = admin.post(path, &off).await.ok();
    assert_eq!(amount(&none["price"]["public_fare"]), dec!(5400.50));
    assert_eq!(none["price"]["agent_commission"], Value::Null);
    // A stay's band is the one that holds the total.
    let banded = json!({ "markup_type": "percent", "markup_value": 1, "price_ranges": [
        { "min_amount": 0, "max_amount": 5000, "markup_type": "flat", "markup_value": 11 },
        { "min_amount": 5000, "markup_type": "flat", "markup_value": 77 } ] });
    let stays = "/org/hotel-packages/preview";
    for (base, expected) in [(4999.99, dec!(11)), (5000.0, dec!(77))] {
        let preview = admin.post(stays, &draft(&banded, &json!({ "base": base }))).await.ok();
        assert_eq!(amount(&preview["price"]["markup"]), expected, "{base}");
    }
    for (markup, example, reason) in [
        (&percent, json!({}), "example.base"),
        (&percent, Value::Null, "example"),
        (&percent, json!({ "base": -1 }), "example.base must be 0 or greater"),
        (&percent, json!({ "base": 1.001 }), "example.base must have at most 2 decimals"),
        (
            &percent,
            json!({ "base": 99_999_999_999_999_u64, "taxes": 99_999_999_999_999_u64 }),
            "example.base",
        ),
        (
            &json!({ "markup_type": "percent", "markup_value": 101 }),
            json!({ "base": 1 }),
            "markup_value must be between 0 and 100",
        ),
    ] {
        let refused = admin.post(path, &draft(markup, &example)).await;
        assert_eq!(refused.status, 422, "{reason}: {}", refused.text);
        assert!(refused.text.contains(reason), "{reason}: {}", refused.text);
    }
    assert_eq!(admin.get("/org/packages").await.ok(), json!([]));
    assert_eq!(world.line("select count(*) from events where action like '%package%'").await, "0");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_contract_counts_and_keeps_its_figures_to_itself() {
    let (world, agency, admin) = World::start().await.and_admin("0").await;
    let covered = Covered { supplier: "duffel".to_owned(), airline: None, cabin: None };
    let (platform, kind) = (&world.platform, MarkupKind::Percent);
    let set = operator::set_contract(platform, By::command_line(), &agency.code, covered, kind, dec!(7.3));
    set.await.unwrap();
    let flat = json!({ "markup_type": "flat", "markup_value": 0 });
    for (supplier, commission) in [("duffel", dec!(328.50)), ("another", dec!(0))] {
        let example = json!({ "base": 4500, "supplier": supplier });
        let preview = admin.post("/org/packages/preview", &draft(&flat, &example)).await.ok();
        assert_eq!(amount(&preview["price"]["commission"]), commission, "{supplier}");
        let text = preview["trace"].to_string();
        assert!(!text.contains("7.3") && !text.contains("contract with duffel"), "{text}");
    }
}
