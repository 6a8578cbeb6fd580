//! What Duffel says of giving back, changing, holding and paying: in policies, in rules, and in what may be done.

use crate::duffel_bodies::*;
use serde_json::{Value, json};
use wayfare_flights::duffel::read;
use wayfare_flights::{FareRules, FeeKind, FlightSupplier, PricedOrder};
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

async fn rules(priced: &PricedOrder) -> FareRules {
    let duffel = duffel(&StubServer::nobody().await);
    done(duffel.fare_rules(&priced.offers[0], Some(priced)).await)
}

fn lines(rules: &FareRules) -> Vec<String> {
    let line = |fee: &wayfare_flights::FareFee| {
        let amount = fee.amount.map_or("?".to_owned(), |amount| amount.to_string());
        format!(
            "{} {} {:?} {amount}{}",
            fee.kind.as_ref(),
            fee.route.as_deref().unwrap_or("all"),
            fee.allowed,
            fee.text.as_deref().map(|text| format!(" ({text})")).unwrap_or_default()
        )
    };
    rules.fees.iter().map(line).collect()
}

/// What is said of changes of a whole offer and of its two slices (`-` is nothing, a fee without a currency is in pounds),
/// whether it may be changed and for what, and the lines of its rules.
const CHANGES: &str = "\
-         | -     | -     | None        -     |
30.00     | -     | -     | Some(true)  30.00 | all Some(true) 30.00
30.00     | 30.00 | 30.00 | Some(true)  30.00 | all Some(true) 30.00
30.00     | 30.00 | 40.00 | Some(true)  40.00 | all Some(true) 40.00, LHR-EDI Some(true) 30.00
40.00     | 30.00 | -     | Some(true)  40.00 | all Some(true) 40.00, LHR-EDI Some(true) 30.00
-         | 30.00 | 40.00 | Some(true)  40.00 | all Some(true) 40.00, LHR-EDI Some(true) 30.00
-         | 30.00 | -     | None        -     | LHR-EDI Some(true) 30.00
-         | no    | -     | Some(false) -     | all Some(false) ?
30.00     | 30.00 | no    | Some(false) -     | all Some(false) ?, LHR-EDI Some(true) 30.00
no        | 30.00 | -     | Some(false) -     | all Some(false) ?, LHR-EDI Some(true) 30.00
30.00     | yes   | -     | Some(true)  30.00 | all Some(true) 30.00, LHR-EDI Some(true) ?
-         | 30.00 | yes   | Some(true)  -     | all Some(true) ?, LHR-EDI Some(true) 30.00
yes       | 30.00 | 40.00 | Some(true)  40.00 | all Some(true) 40.00, LHR-EDI Some(true) 30.00
yes       | 30.00 | -     | Some(true)  -     | all Some(true) ?, LHR-EDI Some(true) 30.00
yes       | 0.00  | 0.00  | Some(true)  -     | all Some(true) ?, LHR-EDI Some(true) 0.00, EDI-LHR Some(true) 0.00
0.00      | -     | -     | Some(true)  0.00  | all Some(true) 0.00
-         | 0.00  | 50.00 USD | Some(true)  50.00 | all Some(true) 50.00, LHR-EDI Some(true) 0.00
50.00 USD | -     | -     | Some(true)  50.00 | all Some(true) 50.00";

fn condition(text: &str) -> Value {
    match text {
        "-" => Value::Null,
        "no" => no(),
        "yes" => yes(None),
        "50.00 USD" => json!({"allowed": true, "penalty_amount": "50.00", "penalty_currency": "USD"}),
        fee => yes(Some(fee)),
    }
}

#[tokio::test]
async fn the_strictest_of_an_offer_and_its_slices_holds_for_all_of_it() {
    for line in CHANGES.lines() {
        let cells = line.split('|').map(str::trim).collect::<Vec<_>>();
        let [whole, there, back, expected, rows] = cells.try_into().unwrap();
        let priced = priced(&condition(whole), [&condition(there), &condition(back)]);
        let policy = &priced.offers[0].fare.refund;
        assert_eq!((policy.refundable, policy.cancel_fee), (None, None));
        let fee = policy.change_fee.map_or("-".to_owned(), |fee| fee.to_string());
        assert_eq!(format!("{:<11} {fee}", format!("{:?}", policy.changeable)), expected, "{line}");
        let rows = rows.split(", ").filter(|row| !row.is_empty());
        let rows: Vec<String> = rows.map(|row| format!("date_change {row}")).collect();
        assert_eq!(lines(&rules(&priced).await), rows, "{line}");
    }
}

/// Nobody can tell which of two currencies is dearer: each is told.
#[tokio::test]
async fn fees_in_several_currencies_are_told_in_each_of_them() {
    for (whole, there, back, expected) in [
        ("-", "30.00", "50.00 USD", &["30.00 GBP", "50.00 USD"][..]),
        ("40.00", "30.00", "50.00 USD", &["40.00 GBP", "50.00 USD"]),
        ("yes", "50.00 USD", "30.00", &["30.00 GBP", "50.00 USD"]),
        ("-", "30.00", "yes", &[]),
        ("no", "30.00", "50.00 USD", &[]),
    ] {
        let is_in_several = !expected.is_empty();
        let priced = priced(&condition(whole), [&condition(there), &condition(back)]);
        let offer = &priced.offers[0];
        let policy = &offer.fare.refund;
        assert_eq!(policy.change_fee, None, "{whole} {there} {back}");
        let mut told: Vec<String> = policy
            .incomparable_fees
            .iter()
            .map(|(kind, fee)| {
                assert_eq!(*kind, FeeKind::DateChange);
                format!("{fee} {}", fee.currency().code())
            })
            .collect();
        told.sort();
        assert_eq!(told, expected, "{whole} {there} {back}");
        // Nor are they lost where only the search knows the offer.
        let duffel = duffel(&StubServer::nobody().await);
        let Answer::Done(rules) = duffel.fare_rules(offer, None).await else { panic!() };
        let amounts = rules.fees.iter().filter(|fee| fee.amount.is_some());
        assert_eq!(amounts.count(), expected.len(), "{whole} {there} {back}");
        // No line without an amount beside them says that it is free.
        let bare = rules.fees.iter().any(|fee| fee.amount.is_none());
        assert_eq!(bare, !is_in_several, "{whole} {there} {back}");
    }
}

#[tokio::test]
async fn rules_of_an_offer_that_was_not_priced_are_those_of_the_whole() {
    let duffel = duffel(&StubServer::nobody().await);
    let mut priced = priced(&yes(Some("30.00")), [&no(), &json!(null)]);
    let offer = &priced.offers[0].clone();
    let Answer::Done(rules) = duffel.fare_rules(offer, None).await else { panic!() };
    assert_eq!(lines(&rules), ["date_change all Some(false) ?"]);
    assert_eq!(rules.text, "");
    priced.ancillary_catalog = json!("spoiled");
    is_unknown(duffel.fare_rules(offer, Some(&priced)).await, "");
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
fn what_may_be_bought_at_once_or_held_follows_from_what_the_payment_requires() {
    let date = json!("2026-03-02T12:00:00Z");
    let fields = |instant: &Value, due: &Value, price: &Value| json!({"requires_instant_payment": instant, "payment_required_by": due, "price_guarantee_expires_at": price});
    let null = Value::Null;
    let strange = json!("in two days");
    let dates = [(&null, &null), (&date, &null), (&date, &date), (&strange, &date)];
    let all = [(json!(true), false), (json!(false), true), (Value::Null, false)];
    for ((instant, holdable), (due, price)) in all.iter().flat_map(|one| dates.map(|dates| (one, dates))) {
        let requirements = fields(instant, due, price);
        for (test_mode, ends, held) in [
            (false, ("LHR", "EDI"), false),
            (true, ("LHR", "EDI"), false),
            (false, ("JFK", "EWR"), false),
            (true, ("JFK", "EWR"), *holdable),
        ] {
            let mut offer = offer("off_1", &[flight(ends.0, ends.1)]);
            offer["payment_requirements"] = requirements.clone();
            let priced = read::offer(answer(&offer).as_bytes(), None, test_mode).unwrap();
            let found = &priced.offers[0];
            assert_eq!((found.instant, found.can_hold), (!held, Some(*holdable)), "{requirements} {ends:?}");
            // A deadline of what can't be held means nothing.
            let told = |theirs: &Value| match holdable {
                true => theirs.as_str().and_then(|text| text.parse().ok()),
                false => None,
            };
            assert_eq!(found.pay_by, told(due), "{requirements}");
            assert_eq!(found.price_guaranteed_until, told(price), "{requirements}");
        }
    }
}
