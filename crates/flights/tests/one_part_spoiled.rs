//! One part of an answer that can't be read costs that part: never another offer, and never an order that was sold. What decides
//! about money is never read better than it is.

use std::collections::BTreeSet;

use crate::duffel_bodies::sold::{bag_on, order_with};
use crate::recorded::tripjack::{self as recorded, value};
use crate::recorded::{ORDERS, SEARCHES, bytes, data, list, now};
use crate::tripjack_bodies::{PARTY, flight as trip_flight, order as tripjack_order};
use crate::{duffel_bodies as duffel, tripjack_bodies};
use serde_json::{Value, json};
use wayfare_domain::{Currency, Money, OrderStatus, Party};
use wayfare_flights::{Offer, Offers, OrderMode, duffel::read, tripjack::read as tripjack_read};
use wayfare_stub_server::spoiling::{parts_of, strange_parts, strange_parts_of, with_part};
use wayfare_supply::{LossKind, losses_in};

/// Answers are cut down to so many offers: each part of the first one is spoiled in each way.
const OFFERS: usize = 3;

/// The offer as it is read with a spoiled part promises nothing that it does not promise as it is.
fn assert_no_better(spoiled: &Offer, well: &Offer, told: &str) {
    assert_eq!(spoiled.charge.total, well.charge.total, "{told}");
    let (refund, before) = (&spoiled.fare.refund, &well.fare.refund);
    for (now, fee, as_it_is, its_fee) in [
        (refund.refundable, refund.cancel_fee, before.refundable, before.cancel_fee),
        (refund.changeable, refund.change_fee, before.changeable, before.change_fee),
    ] {
        assert!(now != Some(true) || as_it_is == Some(true), "{told}");
        // That nobody says what it costs is null; what it costs is never said otherwise.
        assert!(fee.is_none() || fee == its_fee, "{told}");
    }
    assert!(spoiled.can_hold != Some(true) || well.can_hold == Some(true), "{told}");
    assert_eq!(spoiled.journeys.len(), well.journeys.len(), "{told}");
    // A code that is read as it came may be none that anybody knows.
    let is_it = |flown: &str, as_it_is: &str| flown == as_it_is || flown == "?";
    for (flown, as_it_is) in spoiled.segments().zip(well.segments()) {
        assert!(is_it(&flown.flight_number, &as_it_is.flight_number), "{told}");
        assert!(is_it(&flown.origin, &as_it_is.origin), "{told}");
        assert_eq!((flown.departure, flown.arrival), (as_it_is.departure, as_it_is.arrival), "{told}");
    }
}

/// Spoils each part of what stands at `spoiled`, of an answer whose other offers must not change.
fn assert_costs_itself(
    body: &Value,
    spoiled_at: &str,
    own: &BTreeSet<String>,
    search: impl Fn(&Value) -> Offers,
) -> usize {
    let well = search(body);
    let others = |found: &Offers| {
        let offers = found.offers.iter().filter(|offer| !own.contains(&offer.token));
        offers.cloned().collect::<Vec<_>>()
    };
    let mut read = 0;
    for place in parts_of(body.pointer(spoiled_at).unwrap()) {
        let place = format!("{spoiled_at}{place}");
        for strange in strange_parts_of(body.pointer(&place).unwrap()) {
            let told = format!("{place} is {strange}");
            let (found, losses) = losses_in(|| search(&with_part(body, &place, &strange)));
            let foreign = |offer: &Offer| !well.offers.iter().any(|known| known.token == offer.token);
            // One whose own id is another is another offer.
            let mut known = found.clone();
            known.offers.retain(|offer| !foreign(offer));
            assert_eq!(others(&known), others(&well), "{told}");
            for offer in known.offers.iter().filter(|offer| own.contains(&offer.token)) {
                let as_it_is = well.offers.iter().find(|known| known.token == offer.token).unwrap();
                // Null is said by the supplier itself: that it does not know.
                if !strange.is_null() {
                    assert_no_better(offer, as_it_is, &told);
                }
                read += 1;
            }
            if known.offers.len() < well.offers.len() && found.offers.len() == known.offers.len() {
                assert!(!losses.is_empty(), "{told} is counted by nobody");
            }
        }
    }
    read
}

#[test]
fn a_part_of_an_offer_of_duffel_costs_no_other_offer() {
    let search = |body: &Value| read::search(&bytes(body), false).unwrap();
    let condition = json!({"allowed": true, "penalty_amount": "20.00", "penalty_currency": "GBP"});
    let own: Vec<Value> = (0..OFFERS)
        .map(|number| {
            let mut offer = duffel::offer(&format!("off_{number}"), &[duffel::flight("LHR", "EDI")]);
            offer["conditions"] =
                json!({"refund_before_departure": condition, "change_before_departure": condition});
            offer
        })
        .collect();
    let recorded = SEARCHES.iter().filter_map(|name| data(name)).filter_map(|mut data| {
        let mut offers = list(data.get_mut("offers")?.take());
        offers.truncate(OFFERS);
        Some(offers)
    });
    let (mut read, mut bodies) = (0, 0);
    for offers in std::iter::once(own).chain(recorded) {
        let body = json!({"data": {"offers": offers}});
        if bytes(&body).len() > 60_000 || search(&body).offers.is_empty() {
            continue;
        }
        let own = BTreeSet::from([offers[0]["id"].as_str().unwrap().to_owned()]);
        read += assert_costs_itself(&body, "/data/offers/0", &own, search);
        bodies += 1;
    }
    assert!(bodies > 0 && read > 500, "{bodies} {read}");
}

#[test]
fn a_part_of_a_fare_of_tripjack_costs_no_other_fare_and_of_a_flight_no_other_trip() {
    let party = Party { adults: 1, children: 0, infants: 0 };
    let mut searches = Vec::new();
    for name in recorded::SEARCHES {
        let Some(mut body) = value(name) else { continue };
        let lists = body.pointer_mut("/searchResult/tripInfos").and_then(Value::as_object_mut).unwrap();
        for trips in lists.values_mut().filter_map(Value::as_array_mut) {
            trips.truncate(2);
        }
        searches.push((body, party));
    }
    let fare = |id: &str| tripjack_bodies::fare(id);
    let trip = |id: &str, fares: &[&str]| {
        json!({
            "sI": [trip_flight(id, "DEL", "BOM", 1, 0)],
            "totalPriceList": fares.iter().map(|id| fare(id)).collect::<Vec<_>>(),
        })
    };
    let own = json!({
        "searchResult": {"tripInfos": {"ONWARD": [trip("1", &["a", "b"]), trip("2", &["c"])]}},
        "status": {"success": true, "httpStatus": 200},
    });
    searches.push((own, PARTY));
    let mut read = 0;
    for (body, party) in searches {
        let search = |body: &Value| tripjack_read::search(&bytes(body), party, now()).unwrap();
        let lists = body.pointer("/searchResult/tripInfos").and_then(Value::as_object).unwrap();
        let Some((key, trips)) = lists.iter().find(|(_, trips)| !trips.as_array().unwrap().is_empty()) else {
            continue;
        };
        let id = |fare: &Value| fare["id"].as_str().unwrap().to_owned();
        let fares = trips[0]["totalPriceList"].as_array().unwrap();
        let trip = format!("/searchResult/tripInfos/{key}/0");
        let one = BTreeSet::from([id(&fares[0])]);
        read += assert_costs_itself(&body, &format!("{trip}/totalPriceList/0"), &one, search);
        let all: BTreeSet<String> = fares.iter().map(id).collect();
        read += assert_costs_itself(&body, &format!("{trip}/sI"), &all, search);
    }
    assert!(read > 200, "{read}");
}

/// What tells which order it is, whether it stands and whether it is paid.
const OF_AN_ORDER: [&str; 7] =
    ["id", "cancelled_at", "payment_status", "awaiting_payment", "paid_at", "payment_required_by", "data"];

#[test]
fn no_part_hides_an_order_of_duffel_that_was_sold() {
    let due = Money::exact("130.30".parse().unwrap(), Currency::GBP).unwrap();
    let own = order_with(&[bag_on("ser_1", "pas_1", "seg_1", 1)], "130.30");
    let orders = std::iter::once(own).chain(ORDERS.iter().filter_map(|name| data(name)));
    let mut read = 0;
    for order in orders {
        let body = json!({ "data": order });
        let as_it_is = read::order(&bytes(&body), &[("pas_1", 1)], now()).unwrap();
        for place in parts_of(&body) {
            let name = place.rsplit('/').next().unwrap();
            // Lists and what is in them have the name of the list.
            let is_vital = OF_AN_ORDER.contains(&name) && place.matches('/').count() <= 3;
            for strange in strange_parts() {
                let spoiled = bytes(&with_part(&body, &place, &strange));
                let order = read::sold_order(&spoiled, &[("pas_1", 1)], Some(due), now());
                if is_vital {
                    continue;
                }
                let order = order.unwrap_or_else(|error| panic!("{place} is {strange}: {error}"));
                assert_eq!(
                    (order.id, order.status),
                    (as_it_is.id.clone(), as_it_is.status),
                    "{place} is {strange}"
                );
                assert!([as_it_is.total, due].contains(&order.total) || place.contains("total_"), "{place}");
                read += 1;
            }
        }
    }
    assert!(read > 300, "{read}");
}

#[test]
fn no_part_hides_an_order_of_tripjack_that_was_sold() {
    let request = tripjack_bodies::booking(OrderMode::Instant);
    let body = tripjack_order("SUCCESS");
    let as_it_is = tripjack_read::order(&bytes(&body), &request.travellers).unwrap();
    assert_eq!(as_it_is.status, OrderStatus::Confirmed);
    for place in parts_of(&body) {
        let is_vital = ["/order", "/order/bookingId", "/order/status", "/status", "/status/success"]
            .contains(&place.as_str());
        if is_vital || place == "/order/amount" {
            continue;
        }
        for strange in strange_parts() {
            let spoiled = bytes(&with_part(&body, &place, &strange));
            let order = tripjack_read::order(&spoiled, &request.travellers);
            let order = order.unwrap_or_else(|error| panic!("{place} is {strange}: {error}"));
            assert_eq!(
                (&order.id, order.status, order.total),
                (&as_it_is.id, as_it_is.status, as_it_is.total)
            );
        }
    }
}

#[test]
fn what_confirmed_orders_always_have_is_counted_where_it_is_missing() {
    let missing = |read: &dyn Fn()| {
        let ((), losses) = losses_in(read);
        let missing = losses.into_iter().filter(|loss| loss.kind == LossKind::Missing);
        missing.map(|loss| loss.field).collect::<Vec<_>>()
    };
    let duffel = |changed: &dyn Fn(&mut serde_json::Map<String, Value>)| {
        let mut order = order_with(&[], "130.30");
        changed(order.as_object_mut().unwrap());
        let body = bytes(&json!({ "data": order }));
        missing(&|| drop(read::order(&body, &[("pas_1", 1)], now()).unwrap()))
    };
    assert_eq!(duffel(&|_| ()), Vec::<String>::new());
    let renamed = |order: &mut serde_json::Map<String, Value>| {
        let locator = order.remove("booking_reference").unwrap();
        order.insert("locator".to_owned(), locator);
        order.remove("documents");
    };
    assert_eq!(duffel(&renamed), ["order.booking_reference", "order.documents"]);
    for name in ["total_amount", "total_currency", "slices"] {
        let mut order = order_with(&[], "130.30");
        order.as_object_mut().unwrap().remove(name);
        let body = bytes(&json!({ "data": order }));
        // What was due tells the sum, too.
        let due = Money::exact("130.30".parse().unwrap(), Currency::GBP).ok();
        let read = || drop(read::sold_order(&body, &[("pas_1", 1)], due, now()).unwrap());
        assert_eq!(missing(&read), [format!("order.{name}")]);
    }

    let request = tripjack_bodies::booking(OrderMode::Instant);
    let renamed = |order: &Value, from: &str, to: &str| {
        let body = order.to_string().replace(&format!("\"{from}\""), &format!("\"{to}\""));
        missing(&|| drop(tripjack_read::order(body.as_bytes(), &request.travellers)))
    };
    let tripjack = |from: &str, to: &str| renamed(&tripjack_bodies::reissuable(), from, to);
    assert_eq!(tripjack("none", "none"), Vec::<String>::new());
    let of_travellers = |name: &str| format!("itemInfos.AIR.travellerInfos[].{name}");
    assert_eq!(tripjack("pnrDetails", "pnrs"), [of_travellers("pnrDetails")]);
    assert_eq!(tripjack("ticketNumberDetails", "ticketNumbers"), [of_travellers("ticketNumberDetails")]);
    assert_eq!(tripjack("travellerInfos", "travelers").first().unwrap(), "itemInfos.AIR.travellerInfos");
    assert_eq!(tripjack("amount", "sum"), ["order.amount"]);
    assert_eq!(tripjack("tripInfos", "trips"), ["itemInfos.AIR.tripInfos[].sI"]);
    assert_eq!(tripjack("sI", "segments"), ["itemInfos.AIR.tripInfos[].sI"]);
    let hold = |from: &str, to: &str| renamed(&tripjack_bodies::held(), from, to);
    assert_eq!(hold("none", "none"), Vec::<String>::new());
    assert_eq!(hold("pnrDetails", "pnrs"), [of_travellers("pnrDetails")]);
    assert_eq!(hold("amount", "sum"), ["order.amount"]);
    let pending = tripjack_order("PENDING");
    assert_eq!(renamed(&pending, "pnrDetails", "pnrs"), Vec::<String>::new());
}

#[test]
fn times_are_read_in_whatever_form_and_one_that_is_none_costs_its_offer_alone() {
    let forms = |time: &str| {
        let blank = time.replace('T', " ");
        [
            blank.clone(),
            format!(" {blank} "),
            format!("{blank}:00"),
            format!("{time}:00.000"),
            format!("{time}:00+05:30"),
            format!("{time}:00+0530"),
        ]
    };
    let search = |body: &Value| tripjack_read::search(&bytes(body), PARTY, now()).unwrap();
    let trip = |id: &str| json!({"sI": [trip_flight(id, "DEL", "BOM", 1, 0)], "totalPriceList": [tripjack_bodies::fare(id)]});
    let body = json!({
        "searchResult": {"tripInfos": {"ONWARD": [trip("1"), trip("2")]}}, "status": {"success": true},
    });
    let well = search(&body);
    assert_eq!(well.offers.len(), 2);
    let at = "/searchResult/tripInfos/ONWARD/0/sI/0/dt";
    for form in forms(body.pointer(at).unwrap().as_str().unwrap()) {
        let found = search(&with_part(&body, at, &json!(form)));
        assert_eq!(found.offers, well.offers, "{form}");
    }
    let (found, losses) = losses_in(|| search(&with_part(&body, at, &json!("soon"))));
    assert_eq!(found.offers, well.offers[1..]);
    assert_eq!(losses[0].field, "tripInfos.*[].sI[].dt");

    let body = json!({"data": {"offers": [duffel::offer("a", &[duffel::flight("LHR", "EDI")]), duffel::offer("b", &[duffel::flight("LHR", "EDI")])]}});
    let search = |body: &Value| read::search(&bytes(body), false).unwrap();
    let well = search(&body);
    let at = "/data/offers/0/slices/0/segments/0/departing_at";
    let time = body.pointer(at).unwrap().as_str().unwrap().get(..16).unwrap().to_owned();
    for form in forms(&time) {
        assert_eq!(search(&with_part(&body, at, &json!(form))).offers, well.offers, "{form}");
    }
    let at = "/data/offers/0/expires_at";
    let time = body.pointer(at).unwrap().as_str().unwrap().trim_end_matches('Z').to_owned();
    for form in [
        format!("{} Z", time.replace('T', " ")),
        format!("{time}+0000"),
        format!("{time}+00:00"),
        time.clone(),
    ] {
        assert_eq!(search(&with_part(&body, at, &json!(form))).offers, well.offers, "{form}");
    }
}

#[test]
fn names_are_what_one_reads_and_keys_are_as_they_came() {
    let mut offer = duffel::offer("off_&amp; <b>", &[duffel::flight("LHR", "EDI")]);
    let name = json!("Fly &amp; Go&#x202E; <i>Air</i>");
    offer["slices"][0]["segments"][0]["marketing_carrier"]["name"] = name;
    offer["slices"][0]["fare_brand_name"] = json!("Caf&eacute; &#61;Flex");
    offer["slices"][0]["segments"][0]["aircraft"] =
        json!({"name": "Airbus &quot;A320&quot;", "iata_code": "320"});
    let found = read::search(&bytes(&json!({"data": {"offers": [offer]}})), false).unwrap();
    assert_eq!(found.offers[0].token, "off_&amp; <b>");
    let names: Vec<&str> = found.airlines.values().map(|airline| airline.name.as_str()).collect();
    assert!(names.contains(&"Fly & Go Air"), "{names:?}");
    assert_eq!(found.offers[0].fare.fare_name.as_deref(), Some("Café =Flex"));
    let aircraft = &found.offers[0].segments().next().unwrap().aircraft;
    assert_eq!(aircraft.as_deref(), Some("Airbus \"A320\""));
}

#[test]
fn a_place_that_our_tables_do_not_know_is_what_its_supplier_says() {
    let mut flight = duffel::flight("LHR", "QKL");
    flight["destination"] = json!({
        "iata_code": "QKL", "name": "Cologne &amp; Bonn Railway Station", "city_name": "Cologne", "iata_country_code": "DE",
        "time_zone": "Europe/Berlin", "type": "airport",
    });
    let found =
        read::search(&bytes(&json!({"data": {"offers": [duffel::offer("a", &[flight])]}})), false).unwrap();
    let (code, place) = found.places.iter().next().unwrap();
    assert_eq!(found.places.len(), 1, "what our tables know is not repeated");
    assert_eq!(code, "QKL");
    assert_eq!(place.name.as_deref(), Some("Cologne & Bonn Railway Station"));
    assert_eq!((place.city.as_deref(), place.country_code.as_deref()), (Some("Cologne"), Some("DE")));
    let mut trip = trip_flight("1", "DEL", "QQZ", 1, 0);
    trip["aa"] = json!({"code": "QQZ", "name": "Somewhere", "city": "Elsewhere", "countryCode": "IN"});
    let found = tripjack_bodies::offers(
        &json!({"ONWARD": [{"sI": [trip], "totalPriceList": [tripjack_bodies::fare("p")]}]}),
    );
    assert_eq!(found.places["QQZ"].city.as_deref(), Some("Elsewhere"));
}
