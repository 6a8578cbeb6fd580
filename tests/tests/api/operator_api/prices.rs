//! Terms and contracts at the operator's API: tried before they are set, refused field by field, and with a name in the audit
//! log.

use rust_decimal::dec;
use serde_json::{Value, json};
use wayfare_client::{
    enums::{Cabin, MarkupType, ProductKind},
    operator::{ContractDraft, ContractOf, OperatorClient, PriceDraft, SupplierAsks, TermsChange},
};
use wayfare_domain::{
    BookingRef,
    OperatorRole::{Finance, Viewer},
};
use wayfare_operations::operator;
use wayfare_pricing::Sale;
use wayfare_tests::{Person, World, WorldOptions, amount, round_trip};

/// Buys the offer that is the dearest by what its supplier asks: which one that is, no terms change. What it was sold for, and
/// its airline.
async fn sold(world: &World, agent: &Person) -> (Sale, String) {
    let trip = round_trip("DEL", "LHR");
    let found = agent.search(&trip).await;
    let offers = found["offers"].as_array().unwrap().iter();
    let dearest = offers.max_by_key(|offer| amount(&offer["price"]["total"])).unwrap();
    let priced = agent.price(dearest["offer_id"].as_str().unwrap()).await.ok();
    let booked = agent.book(&agent.order(&priced, &trip)).await.ok();
    let reference = BookingRef::from(booked["booking_ref"].as_str().unwrap().to_owned());
    let booking = operator::booking(&world.platform, &reference).await.unwrap();
    let airline = priced["itinerary_snapshot"]["segments"][0]["airline"].as_str().unwrap().to_owned();
    (booking.sales.into_iter().next().unwrap(), airline)
}

/// What the supplier asked for a part, in its own currency.
fn asked(sale: &Sale, part: &str) -> Value {
    let step = sale.trace.as_ref().unwrap().steps.iter().find(|step| step.symbol == part).unwrap();
    assert_eq!(step.inputs[0].name, "GBP");
    json!(step.inputs[0].value)
}

/// That a preview is what a sale came to, in each part and each line of how.
#[track_caller]
fn is_what_was_sold(preview: &Value, sale: &Sale) {
    let price = &sale.price;
    for (part, sold) in [
        ("base_fare", price.base()),
        ("taxes", price.taxes()),
        ("total", price.total()),
        ("commission", price.commission()),
        ("markup", price.markup()),
        ("public_fare", price.public_fare()),
        ("agent_commission", price.agent_commission().unwrap()),
        ("service_fee", price.service_fee()),
        ("gst_on_service_fee", price.gst()),
        ("platform_charge", price.platform_charge()),
        ("agent_fare", price.agent_fare()),
    ] {
        assert_eq!(amount(&preview["price"][part]), sold.amount(), "{part}");
    }
    let sold = sale.trace.as_ref().unwrap().steps.iter().map(|step| {
        let inputs = step.inputs.iter().map(|input| json!({ "name": input.name, "value": input.value }));
        json!({
            "part": step.symbol, "rule": step.rule, "inputs": inputs.collect::<Vec<_>>(), "exact": step.exact,
            "result": step.result,
        })
    });
    assert_eq!(preview["trace"], Value::Array(sold.collect()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_writes_nothing_and_is_what_a_sale_then_costs() {
    let mut world = World::with(WorldOptions { supplier_currency: "GBP", ..WorldOptions::default() }).await;
    let door = world.operator_api();
    let finance = door.operator("farah", Finance).await;
    let viewer = door.operator("vera", Viewer).await;
    let agency = world.agency().await;
    let admin = agency.admin("5000000").await;
    let agent = agency.agent("arjun", "5000000").await;
    let package = json!({ "name": "Five", "markup_type": "percent", "markup_value": 5 });
    let id = admin.post("/org/packages", &package).await.succeeds(201)["id"].clone();
    admin.post("/org/packages/assign", &json!({ "package_id": id })).await.ok();
    finance.put("/rates/GBP/INR", &json!({ "rate": 105.2537 })).await.ok();
    let (before, airline) = sold(&world, &agent).await;

    let terms = json!({
        "service_fee_type": "percent", "service_fee": 2.5, "gst_percent": 18, "platform_charge": 25.50,
        "min_commission": 10, "max_commission": 0,
    });
    let contract = json!({ "supplier": "duffel", "airline": airline, "kind": "percent", "value": 3.3 });
    let example = json!({
        "base": asked(&before, "B"), "taxes": asked(&before, "X"), "supplier": "duffel", "airline": airline,
        "currency": "GBP",
    });
    let path = |what: &str| format!("/agencies/{}/{what}", agency.code);
    let written = "select concat_ws(' ', (select count(*) from terms), (select count(*) from contracts), \
         (select count(*) from events), (select count(*) from operator_events))";
    let rows = world.line(written).await;
    let draft = json!({ "terms": terms, "contract": contract, "example": example });
    let preview = viewer.post(&path("preview"), &draft).await.ok();
    // What stands is priced as it was sold.
    let as_it_is = json!({ "example": example });
    is_what_was_sold(&viewer.post(&path("preview"), &as_it_is).await.ok(), &before);
    assert_eq!(world.line(written).await, rows);

    finance.put(&path("terms"), &terms).await.ok();
    finance.put(&path("contracts"), &contract).await.ok();
    let (after, _) = sold(&world, &agent).await;
    assert_ne!(after.price, before.price);
    is_what_was_sold(&preview, &after);
    assert_eq!(viewer.post(&path("preview"), &as_it_is).await.ok(), preview);
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn terms_and_contracts_are_set_with_a_name_and_what_cant_be_changes_nothing() {
    let (world, finance) = World::frozen().await.and_operator("farah", Finance).await;
    let agency = world.agency().await;
    let path = |what: &str| format!("/agencies/{}/{what}", agency.code);
    let terms = json!({
        "service_fee_type": "flat", "service_fee": 100, "gst_percent": 18, "platform_charge": 25.5, "min_commission": 50,
    });
    let set = finance.put(&path("terms"), &terms).await.ok();
    assert_eq!(set["platform_charge"].to_string(), "25.50");
    assert_eq!(set["currency"], "INR");
    // The same again is no change, and what is left out stays.
    assert_eq!(
        finance.put(&path("terms"), &json!({ "gst_percent": 18.0 })).await.ok()["service_fee"],
        set["service_fee"]
    );
    let contract =
        json!({ "supplier": "duffel", "airline": "ba", "cabin": "business", "kind": "flat", "value": 250 });
    let agreed = finance.put(&path("contracts"), &contract).await.ok();
    assert_eq!((&agreed["airline"], &agreed["cabin"]), (&json!("BA"), &json!("BUSINESS")));

    for (body, faults) in [
        (
            json!({ "service_fee_type": "flat", "service_fee": -1, "gst_percent": 100.01, "platform_charge": 0.005 }),
            "{service_fee must be 0 or greater} {gst_percent must be between 0 and 100} \
             {platform_charge must have at most 2 decimals}",
        ),
        (
            json!({ "service_fee_type": "percent", "service_fee": 101 }),
            "{service_fee must be between 0 and 100}",
        ),
        (json!({ "service_fee": 5 }), "{service_fee_type this field is required}"),
        (json!({ "service_fee_type": "percent" }), "{service_fee this field is required}"),
        (
            json!({ "max_commission": 49.99, "gst_percent": 5 }),
            "{max_commission must be 0, for no bound, or at least the min_commission of 50.00}",
        ),
        (json!({ "gst_percent": "18" }), "{gst_percent must be a number}"),
    ] {
        finance.put(&path("terms"), &body).await.is_invalid(faults);
    }
    for (body, faults) in [
        (json!({ "supplier": "dufel", "kind": "percent", "value": 3 }), "{supplier must be one of duffel}"),
        (
            json!({ "supplier": "duffel", "airline": "B", "cabin": "LOFT", "kind": "percent", "value": 101 }),
            "{airline must be an airline's code of 2 letters, like BA} \
             {cabin must be one of ECONOMY, PREMIUM_ECONOMY, BUSINESS, FIRST} {value must be between 0 and 100}",
        ),
        (
            json!({ "supplier": "duffel", "kind": "flat", "value": 0.005 }),
            "{value must have at most 2 decimals}",
        ),
        (json!({ "supplier": "duffel", "kind": "half", "value": 1 }), "{kind must be one of flat, percent}"),
        (
            json!({}),
            "{supplier this field is required} {kind this field is required} {value this field is required}",
        ),
    ] {
        finance.put(&path("contracts"), &body).await.is_invalid(faults);
    }
    let wrong = json!({ "supplier": "duffel", "kind": "percent", "value": 101 });
    for (body, faults) in [
        (
            json!({
                "terms": { "service_fee_type": "flat", "service_fee": -1 }, "contract": wrong,
                "example": { "base": 1, "currency": "USD" },
            }),
            "{terms.service_fee must be 0 or greater} {contract.value must be between 0 and 100} \
             {example.currency has no exchange rate to INR}",
        ),
        (
            json!({ "example": { "base": 1.001, "taxes": 0.001 } }),
            "{example.base must have at most 2 decimals} {example.taxes must have at most 2 decimals}",
        ),
        (json!({ "example": { "base": -1 } }), "{example.base must be 0 or greater}"),
        (json!({}), "{example this field is required}"),
    ] {
        finance.post(&path("preview"), &body).await.is_invalid(faults);
    }
    assert_eq!(finance.get(&path("terms")).await.ok(), set);
    let listed = finance.get(&format!("/contracts?agency={}", agency.code)).await.ok();
    assert_eq!(listed.as_array().unwrap().len(), 1);
    assert_eq!(listed[0]["value"].to_string(), "250.00");
    finance.get("/contracts?agency=WFNOBODY").await.is_missing();

    let exactly = path("contracts?supplier=duffel&airline=BA&cabin=BUSINESS");
    // One that is for something else is not this one.
    finance.delete(&path("contracts?supplier=duffel&airline=BA")).await.is_missing();
    assert_eq!(finance.delete(&exactly).await.ok()["value"].to_string(), "250.00");
    finance.delete(&exactly).await.is_missing();
    finance.delete(&path("contracts")).await.is_invalid("{supplier this field is required}");
    assert_eq!(finance.get("/contracts").await.ok(), json!([]));
    let done = super::done_by(&world, &finance, "and ip_address = '' and user_agent = ''").await;
    assert_eq!(done, "contract.removed contract.set terms.updated");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_client_tries_sets_and_ends() {
    let (world, door) = World::frozen().await.and_operators();
    let finance = door.operator("farah", Finance).await;
    let code = world.agency().await.code.to_string();
    let client = OperatorClient::new(&door.base_url).unwrap();
    let session = client.with_token(finance.token.clone().unwrap());
    let terms = TermsChange::default().service_fee_type(MarkupType::Percent);
    let terms = terms.service_fee(dec!(2.5).into());
    let contract = ContractDraft::of("duffel", MarkupType::Flat, dec!(150)).cabin("ECONOMY");
    let asked = SupplierAsks::default().base(dec!(9000).into()).taxes(dec!(1000).into());
    let asked = asked.supplier("duffel").cabin(Cabin::Economy);
    let draft = PriceDraft::of(terms.clone(), asked).contract(contract).product(ProductKind::Hotel);
    let preview = session.preview_price(&code, &draft).await.unwrap();
    assert_eq!(preview.price.service_fee.to_string(), "250.00");
    assert_eq!(preview.price.commission.to_string(), "150.00");
    assert_eq!(session.terms(&code).await.unwrap().service_fee_type, MarkupType::Flat);
    assert_eq!(session.set_terms(&code, &terms).await.unwrap().service_fee.to_string(), "2.5");
    let contract = draft.contract.unwrap();
    session.set_contract(&code, &contract).await.unwrap();
    assert_eq!(session.contracts(None).await.unwrap()[0].currency, "INR");
    let of = ContractOf { supplier: "duffel".to_owned(), airline: None, cabin: contract.cabin.clone() };
    let ended = session.remove_contract(&code, &of).await.unwrap();
    assert_eq!((ended.supplier, ended.cabin), ("duffel".to_owned(), contract.cabin));
    assert!(session.remove_contract(&code, &of).await.unwrap_err().is_not_found());
    let viewer = client.with_token(door.operator("vera", Viewer).await.token.unwrap());
    assert_eq!(viewer.set_terms(&code, &terms).await.unwrap_err().status(), Some(403));
}
