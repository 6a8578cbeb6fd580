//! What Duffel says of giving back, changing, holding and paying: in policies, in rules, and in what may be done.

use crate::duffel_bodies::*;
use crate::recorded::{self, data, list, searched, text};
use serde_json::{Value, json};
use wayfare_flights::duffel::read;
use wayfare_flights::{FareRules, FeeKind, FlightSupplier, PricedOrder, RefundPolicy};
use wayfare_stub_server::StubServer;
use wayfare_supply::Answer;

fn yes(fee: Option<&str>) -> Value {
    json!({"allowed": true, "penalty_amount": fee, "penalty_currency": fee.map(|_| "GBP")})
}

fn no() -> Value {
    json!({"allowed": false, "penalty_amount": null, "penalty_currency": null})
}

/// Out and back. Null is left unsaid.
fn priced(whole: &Value, slices: [&Value; 2]) -> PricedOrder {
    let mut offer = offer("off_1", &[flight("LHR", "EDI"), flight("EDI", "LHR")]);
    offer["conditions"] = json!({"refund_before_departure": null, "change_before_departure": whole});
    for (place, slice) in slices.into_iter().enumerate() {
        offer["slices"][place]["conditions"] = json!({"change_before_departure": slice});
    }
    read::offer(answer(&offer).as_bytes(), None, true).unwrap()
}

/// Whether it may be changed, and for what.
type Change = (Option<bool>, Option<String>);

fn change(priced: &PricedOrder) -> Change {
    let policy = &priced.offers[0].fare.refund;
    assert_eq!((policy.refundable, policy.cancel_fee), (None, None));
    (policy.changeable, policy.change_fee.map(|fee| fee.to_string()))
}

async fn rules(priced: &PricedOrder) -> FareRules {
    let duffel = duffel(&StubServer::nobody().await);
    match duffel.fare_rules(&priced.offers[0], Some(priced)).await {
        Answer::Done(rules) => rules,
        other => panic!("{other:?}"),
    }
}

fn lines(rules: &FareRules) -> Vec<String> {
    let line = |fee: &wayfare_flights::FareFee| {
        let amount = fee.amount.map_or("?".to_owned(), |amount| amount.to_string());
        format!(
            "{} {} {:?} {amount}{}",
            fee.kind.as_ref(),
            fee.route.as_deref().unwrap_or("all"),
            fee.allowed,
            fee.text
                .as_deref()
                .map(|text| format!(" ({text})"))
                .unwrap_or_default()
        )
    };
    rules.fees.iter().map(line).collect()
}

#[tokio::test]
async fn the_strictest_of_an_offer_and_its_slices_holds_for_all_of_it() {
    let (null, free, thirty, forty) = (
        json!(null),
        yes(Some("0.00")),
        yes(Some("30.00")),
        yes(Some("40.00")),
    );
    let unsaid_fee = yes(None);
    let dollars = json!({"allowed": true, "penalty_amount": "50.00", "penalty_currency": "USD"});
    let known = |fee: &str| (Some(true), Some(fee.to_owned()));
    let cases: [(&Value, [&Value; 2], Change, &[&str]); 14] = [
        (&null, [&null, &null], (None, None), &[]),
        (&thirty, [&null, &null], known("30.00"), &["all Some(true) 30.00"]),
        (
            &thirty,
            [&thirty, &thirty],
            known("30.00"),
            &["all Some(true) 30.00"],
        ),
        (
            &thirty,
            [&thirty, &forty],
            known("40.00"),
            &["all Some(true) 40.00", "LHR-EDI Some(true) 30.00"],
        ),
        (
            &forty,
            [&thirty, &null],
            known("40.00"),
            &["all Some(true) 40.00", "LHR-EDI Some(true) 30.00"],
        ),
        (
            &null,
            [&thirty, &forty],
            known("40.00"),
            &["all Some(true) 40.00", "LHR-EDI Some(true) 30.00"],
        ),
        (
            &null,
            [&thirty, &null],
            (None, None),
            &["LHR-EDI Some(true) 30.00"],
        ),
        (&null, [&no(), &null], (Some(false), None), &["all Some(false) ?"]),
        (
            &thirty,
            [&thirty, &no()],
            (Some(false), None),
            &["all Some(false) ?", "LHR-EDI Some(true) 30.00"],
        ),
        (
            &no(),
            [&thirty, &null],
            (Some(false), None),
            &["all Some(false) ?", "LHR-EDI Some(true) 30.00"],
        ),
        (
            &thirty,
            [&unsaid_fee, &null],
            known("30.00"),
            &["all Some(true) 30.00", "LHR-EDI Some(true) ?"],
        ),
        (
            &null,
            [&thirty, &unsaid_fee],
            (Some(true), None),
            &["all Some(true) ?", "LHR-EDI Some(true) 30.00"],
        ),
        (&free, [&null, &null], known("0.00"), &["all Some(true) 0.00"]),
        (
            &dollars,
            [&null, &null],
            (Some(true), None),
            &["all Some(true) ? (50.00 USD)"],
        ),
    ];
    for (whole, slices, expected, told) in cases {
        let priced = priced(whole, slices);
        assert_eq!(change(&priced), expected, "{whole} {slices:?}");
        let told: Vec<String> = told.iter().map(|line| format!("date_change {line}")).collect();
        assert_eq!(lines(&rules(&priced).await), told, "{whole} {slices:?}");
    }
}

#[tokio::test]
async fn rules_of_an_offer_that_was_not_priced_are_those_of_the_whole() {
    let duffel = duffel(&StubServer::nobody().await);
    let mut priced = priced(&yes(Some("30.00")), [&no(), &json!(null)]);
    let offer = &priced.offers[0].clone();
    let Answer::Done(rules) = duffel.fare_rules(offer, None).await else {
        panic!()
    };
    assert_eq!(lines(&rules), ["date_change all Some(false) ?"]);
    assert_eq!(rules.text, "");
    priced.ancillary_catalog = json!("spoiled");
    let answer = duffel.fare_rules(offer, Some(&priced)).await;
    assert!(matches!(answer, Answer::Unknown(_)));
}

#[tokio::test]
async fn what_a_fare_includes_and_for_whom_it_is_stands_in_the_rules_text() {
    let mut offer = offer("off_1", &[flight("LHR", "EDI"), flight("EDI", "LHR")]);
    offer["slices"][0]["conditions"] = json!({"advance_seat_selection": true, "priority_boarding": false});
    offer["slices"][1]["conditions"] = json!({"advance_seat_selection": "yes", "priority_check_in": null});
    offer["private_fares"] =
        json!([{"type": "corporate", "corporate_code": "FLX53", "tracking_reference": "ABN:2345678"}, {}]);
    let priced = read::offer(answer(&offer).as_bytes(), None, true).unwrap();
    assert_eq!(priced.offers[0].fare.fare_type.as_deref(), Some("corporate"));
    let text = rules(&priced).await.text;
    assert_eq!(
        text,
        "Private fare: corporate, corporate code FLX53, tracking reference ABN:2345678. Private fare. LHR-EDI: advance \
         seat selection included, priority boarding not included."
    );
}

#[test]
fn recorded_conditions_are_policies_and_private_fares_are_told() {
    if recorded::folder().is_none() {
        return;
    }
    let (mut unknown, mut known, mut private) = (0, 0, 0);
    for name in recorded::SEARCHES
        .into_iter()
        .chain(recorded::OFFER_LISTS)
        .chain(recorded::OFFERS)
    {
        for answer in list(data(name).unwrap()) {
            let offers = match answer.get("offers") {
                Some(offers) => offers.as_array().unwrap().clone(),
                None => vec![answer],
            };
            for (found, theirs) in searched(&offers).offers.iter().zip(&offers) {
                let policy = &found.fare.refund;
                let stated = |what: &str| {
                    let condition = &theirs["conditions"][what];
                    let allowed = condition["allowed"].as_bool();
                    let fee = text(condition, "/penalty_amount").to_owned();
                    (allowed, Some(fee).filter(|fee| !fee.is_empty()))
                };
                let told =
                    |allowed, fee: Option<wayfare_domain::Money>| (allowed, fee.map(|fee| fee.to_string()));
                // In none of the recordings does a slice differ from its offer.
                assert_eq!(
                    told(policy.refundable, policy.cancel_fee),
                    stated("refund_before_departure")
                );
                assert_eq!(
                    told(policy.changeable, policy.change_fee),
                    stated("change_before_departure")
                );
                if *policy == RefundPolicy::default() {
                    unknown += 1;
                } else {
                    known += 1;
                }
                let kind = text(theirs, "/private_fares/0/type");
                private += u32::from(!kind.is_empty());
                let expected = if kind.is_empty() { "published" } else { kind };
                assert_eq!(found.fare.fare_type.as_deref(), Some(expected), "{name}");
            }
        }
    }
    assert!(
        unknown > 100 && known >= 15 && private == 3,
        "{unknown} {known} {private}"
    );
}

#[test]
fn recorded_rules_have_a_line_for_each_condition() {
    if recorded::folder().is_none() {
        return;
    }
    for name in recorded::OFFERS {
        let recorded = data(name).unwrap();
        let priced = read::offer(answer(&recorded).as_bytes(), None, true).unwrap();
        let rules: FareRules = serde_json::from_value(priced.ancillary_catalog["rules"].clone()).unwrap();
        let stated: Vec<FeeKind> = [
            ("refund_before_departure", FeeKind::Cancellation),
            ("change_before_departure", FeeKind::DateChange),
        ]
        .into_iter()
        .filter(|(what, _)| !recorded["conditions"][what].is_null())
        .map(|(_, kind)| kind)
        .collect();
        let told: Vec<FeeKind> = rules.fees.iter().map(|fee| fee.kind).collect();
        assert_eq!(told, stated, "{name}");
        let perks = recorded["slices"][0]["conditions"]
            .get("priority_boarding")
            .is_some();
        assert_eq!(
            rules.text.contains("priority boarding not included"),
            perks,
            "{name}"
        );
    }
}

#[test]
fn what_may_be_bought_at_once_or_held_follows_from_what_the_payment_requires() {
    let date = "2026-03-02T12:00:00Z";
    for (requirements, holdable) in [
        (
            json!({"requires_instant_payment": true, "payment_required_by": null, "price_guarantee_expires_at": null}),
            false,
        ),
        (
            json!({"requires_instant_payment": false, "payment_required_by": date, "price_guarantee_expires_at": date}),
            true,
        ),
        (
            json!({"requires_instant_payment": false, "payment_required_by": date, "price_guarantee_expires_at": null}),
            true,
        ),
        (
            json!({"requires_instant_payment": false, "payment_required_by": null, "price_guarantee_expires_at": null}),
            true,
        ),
        (
            json!({"requires_instant_payment": true, "payment_required_by": date, "price_guarantee_expires_at": date}),
            false,
        ),
        (json!({"requires_instant_payment": null}), false),
        (json!(null), false),
    ] {
        for test_mode in [false, true] {
            let mut offer = offer("off_1", &[flight("LHR", "EDI")]);
            offer["payment_requirements"] = requirements.clone();
            let priced = read::offer(answer(&offer).as_bytes(), None, test_mode).unwrap();
            let found = &priced.offers[0];
            assert_eq!(
                (found.instant, found.holdable),
                (true, holdable),
                "{requirements}"
            );
            offer["slices"] = json!([{"segments": [flight("JFK", "EWR")]}]);
            let priced = read::offer(answer(&offer).as_bytes(), None, test_mode).unwrap();
            let found = &priced.offers[0];
            let instant = !(test_mode && holdable);
            assert_eq!(
                (found.instant, found.holdable),
                (instant, holdable),
                "{requirements}"
            );
        }
    }
}
