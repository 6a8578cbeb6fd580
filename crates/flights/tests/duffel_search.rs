//! A search at Duffel: what is asked, and what becomes of the offers.

use crate::brief;
use crate::duffel_bodies::*;
use serde_json::{Value, json};
use wayfare_flights::{Airline, Baggage, FlightSupplier, OfferKind, Offers, Query, RefundPolicy};
use wayfare_stub_server::Reply;
use wayfare_supply::Answer;

async fn search_as(token: &str, query: &Query, offers: &[Value]) -> Offers {
    let stub = duffel_stub([Reply::Whole(201, found(offers))]).await;
    done(duffel_with(&stub, token).search(query).await)
}

async fn search(query: &Query, offers: &[Value]) -> Offers {
    search_as(TOKEN, query, offers).await
}

#[tokio::test]
async fn a_search_is_asked_in_duffels_words() {
    let stub = duffel_stub([Reply::Whole(201, found(&[])), Reply::Whole(201, found(&[]))]).await;
    let duffel = duffel(&stub);
    let mut query = query(&[("LHR", "EDI"), ("EDI", "LHR")]);
    assert_eq!(duffel.search(&query).await, Answer::Done(Offers::default()));
    query.direct_only = true;
    assert_eq!(duffel.search(&query).await, Answer::Done(Offers::default()));

    let [first, direct] = stub.requests().try_into().unwrap();
    assert_eq!(first.line, "POST /air/offer_requests?return_offers=true&supplier_timeout=60000");
    for header in ["duffel-version: v2", "accept: application/json", "content-type: application/json"] {
        assert!(first.headers.contains(header), "{}", first.headers);
    }
    assert!(first.headers.contains(&format!("authorization: Bearer {TOKEN}")), "{}", first.headers);
    let mut expected = json!({"data": {
        "slices": [
            {"origin": "LHR", "destination": "EDI", "departure_date": "2026-04-01"},
            {"origin": "EDI", "destination": "LHR", "departure_date": "2026-04-02"},
        ],
        "passengers": [{"type": "adult"}, {"type": "adult"}, {"type": "child"}, {"type": "infant_without_seat"}],
        "cabin_class": "premium_economy",
    }});
    assert_eq!(first.body, expected);
    expected["data"]["max_connections"] = json!(0);
    assert_eq!(direct.body, expected);
    assert!(!format!("{duffel:?}").contains(TOKEN), "the token is in no log");
}

#[tokio::test]
async fn an_offer_is_told_in_our_words() {
    let mut stopping = flight("LHR", "EDI");
    stopping["stops"] = json!([{"airport": {"iata_code": "MAN"}, "duration": "PT30M"}]);
    let found = search(&query(&[("LHR", "EDI")]), &[offer("off_1", &[stopping])]).await;
    let [offer] = &found.offers[..] else { panic!("{found:?}") };
    assert_eq!(offer.token, "off_1");
    assert_eq!((offer.journeys[0].stops(), offer.journeys[0].stop_airports()), (1, vec!["MAN"]));
    insta::assert_snapshot!("duffel_offer", brief::offer(offer));
    let airline =
        |code: &str| Airline { name: format!("Airline {code}"), logo_url: Some(format!("https://l/{code}")) };
    let named = ["YY", "ZZ"].map(|code| (code.to_owned(), airline(code)));
    assert!(found.airlines.into_iter().eq(named));
}

#[tokio::test]
async fn several_slices_are_one_bundle() {
    let both = offer("off_1", &[flight("LHR", "EDI"), flight("EDI", "LHR")]);
    let both = with(
        both,
        &[("/slices/1/fare_brand_name", json!("Light")), ("/private_fares", json!([{"type": "corporate"}]))],
    );
    let found = search(&query(&[("LHR", "EDI"), ("EDI", "LHR")]), &[both]).await;
    let [offer] = &found.offers[..] else { panic!("{found:?}") };
    assert_eq!((offer.kind, offer.route_index, offer.journeys.len()), (OfferKind::Bundled, 0, 2));
    assert_eq!(offer.fare.fare_name.as_deref(), Some("Flex / Light"));
    assert_eq!(offer.fare.fare_type.as_deref(), Some("corporate"));
}

#[tokio::test]
async fn the_total_wins_over_its_parts() {
    for (changes, base, taxes) in [
        (&[("/tax_amount", json!(null))][..], "100.00", "30.30"),
        (&[("/tax_amount", json!("11.11"))], "100.00", "30.30"),
        (&[("/tax_amount", json!("lots"))], "100.00", "30.30"),
        (&[("/tax_currency", json!("EUR"))], "100.00", "30.30"),
        (&[("/base_amount", json!("140.00"))], "140.00", "-9.70"),
        (&[("/base_currency", json!("EUR"))], "130.30", "0.00"),
    ] {
        let changed = with(offer("off_1", &[flight("LHR", "EDI")]), changes);
        let found = search(&query(&[("LHR", "EDI")]), &[changed]).await;
        let charge = found.offers[0].charge;
        assert_eq!(
            [charge.base, charge.taxes, charge.total],
            [gbp(base), gbp(taxes), gbp("130.30")],
            "{changes:?}"
        );
    }
}

#[tokio::test]
async fn an_offer_costs_the_same_however_its_amounts_are_written() {
    let plain = search(&query(&[("LHR", "EDI")]), &[offer("off_1", &[flight("LHR", "EDI")])]).await;
    for written in ["130.3", "130.300", "1.303e2", "130.30000000000001", "130.29999999999998"] {
        for total in [json!(written), serde_json::from_str::<Value>(written).unwrap()] {
            let odd = with(offer("off_1", &[flight("LHR", "EDI")]), &[("/total_amount", total)]);
            let found = search(&query(&[("LHR", "EDI")]), &[odd]).await;
            assert_eq!(found.unusable, [""; 0]);
            assert_eq!(found.offers[0].charge, plain.offers[0].charge, "{written}");
        }
    }
}

#[tokio::test]
async fn an_offer_that_cannot_be_used_is_named_and_costs_no_other() {
    let good = || offer("off_good", &[flight("LHR", "EDI")]);
    let bad =
        |pointer: &str, value: Value| with(offer("off_bad", &[flight("LHR", "EDI")]), &[(pointer, value)]);
    let in_flight = |field: &str| format!("/slices/0/segments/0/{field}");
    for (pointer, value, path) in [
        ("/total_amount".to_owned(), json!("1,130.30"), "total_amount"),
        ("/total_amount".to_owned(), json!("130.30 GBP"), "total_amount"),
        ("/total_amount".to_owned(), json!("-1.00"), "total_amount"),
        ("/total_amount".to_owned(), json!("123456789012345.00"), "total_amount"),
        ("/total_currency".to_owned(), json!("XAU"), "total_currency"),
        ("/base_amount".to_owned(), json!(null), "base_amount"),
        ("/slices".to_owned(), json!([]), "slices"),
        ("/slices/0/segments".to_owned(), json!([]), "slices[0].segments"),
        (in_flight("departing_at"), json!("soon"), "slices[0].segments[0].departing_at"),
        (in_flight("departing_at"), json!("9999-01-01T00:00:00"), "slices[0].segments[0].departing_at"),
        (in_flight("origin/iata_code"), json!(null), "slices[0].segments[0].origin.iata_code"),
        (
            in_flight("marketing_carrier/iata_code"),
            json!(null),
            "slices[0].segments[0].marketing_carrier.iata_code",
        ),
    ] {
        let found = search(&query(&[("LHR", "EDI")]), &[good(), bad(&pointer, value), good()]).await;
        assert_eq!(found.offers.len(), 2, "{path}");
        let [line] = &found.unusable[..] else { panic!("{path}: {found:?}") };
        assert!(line.starts_with(&format!("off_bad: {path}")), "{path}: {line}");
    }
    let nameless = bad("/id", json!(null));
    let found = search(&query(&[("LHR", "EDI")]), &[good(), nameless]).await;
    assert!(found.unusable[0].starts_with("offers[1]: id"), "{:?}", found.unusable);
}

#[tokio::test]
async fn what_can_be_done_without_costs_no_offer() {
    let bare = json!({
        "id": "off_1", "total_amount": "130.30", "total_currency": "GBP", "base_amount": "100.00", "base_currency": "GBP",
        "slices": [{"segments": [{
            "origin": {"iata_code": "DEL"}, "destination": {"iata_code": "LHR"},
            "departing_at": "2026-04-01T02:00:00", "arriving_at": "2026-04-01T07:00:00", "duration": "long",
            "marketing_carrier": {"iata_code": "ZZ"}, "marketing_carrier_flight_number": "7",
        }]}],
    });
    let found = search(&query(&[("DEL", "LHR")]), &[bare]).await;
    let [offer] = &found.offers[..] else { panic!("{found:?}") };
    assert_eq!(offer.journeys[0].duration_minutes, Some(570), "four and a half hours between the clocks");
    assert_eq!(offer.fare.baggage, Baggage::default());
    assert_eq!(offer.fare.refund, RefundPolicy::default());
    assert_eq!((offer.instant, offer.can_hold == Some(true), offer.expires_at), (true, false, None));
}

#[tokio::test]
async fn of_one_airline_is_what_it_sells_and_what_it_flies() {
    let by = |id: &str, owner: &str, marketing: &str| {
        let changes = [
            ("/owner", carrier(owner)),
            ("/slices/0/segments/0/marketing_carrier", carrier(marketing)),
            ("/slices/0/segments/0/operating_carrier", json!(null)),
        ];
        with(offer(id, &[flight("LHR", "EDI")]), &changes)
    };
    let mut query = query(&[("LHR", "EDI")]);
    query.airline = Some("AA".into());
    let offers = [by("sold", "AA", "BB"), by("flown", "BB", "AA"), by("neither", "BB", "BB")];
    let found = search(&query, &offers).await;
    let wanted = found.offers.iter().filter(|offer| query.wants(offer));
    let tokens: Vec<_> = wanted.map(|offer| offer.token.as_str()).collect();
    assert_eq!((tokens, found.unusable.len()), (vec!["sold", "flown"], 0));
}

#[tokio::test]
async fn an_offer_may_be_held_where_it_says_so_and_only_held_on_the_test_modes_route() {
    let may = |flights: &[Value]| {
        with(offer("off_1", flights), &[("/payment_requirements/requires_instant_payment", json!(false))])
    };
    let (there, back) = (flight("JFK", "EWR"), flight("EWR", "JFK"));
    for (token, offer, expected) in [
        (TOKEN, may(&[flight("LHR", "EDI")]), (true, true)),
        (TOKEN, may(std::slice::from_ref(&there)), (false, true)),
        (TOKEN, may(&[there.clone(), back]), (true, true)),
        (TOKEN, offer("off_1", std::slice::from_ref(&there)), (true, false)),
        ("duffel_live_x", may(std::slice::from_ref(&there)), (true, true)),
        (TOKEN, with(may(&[there]), &[("/payment_requirements", json!(null))]), (true, false)),
    ] {
        let found = search_as(token, &query(&[("JFK", "EWR")]), &[offer]).await;
        assert_eq!((found.offers[0].instant, found.offers[0].can_hold == Some(true)), expected);
    }
}
