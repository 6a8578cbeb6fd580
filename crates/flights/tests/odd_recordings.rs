//! Every recorded answer of suppliers of flights, and some of our own where none is recorded, is read with oddities as it is
//! without: the same offers, amounts, states and tickets.

use serde_json::{Value, json};
use wayfare_flights::tripjack::read_after_sale;
use wayfare_flights::{ChangeOffer, OrderMode, duffel, tripjack};
use wayfare_oddities::Wire::{Duffel, Tripjack};
use wayfare_stub_server::odd_world::{Case, Keys, Legitimate, NotYet, Reading, file_name, holds};
use wayfare_stub_server::recordings;

use crate::answers::{results, told};
use crate::recorded::{bytes, list, now, text};
use crate::{duffel_bodies, tripjack_bodies};

/// What an oddity changes by right.
const LEGITIMATE: &[Legitimate] = &[
    Legitimate {
        oddity: "flight_numbers_with_zeros",
        members: &["flight_number"],
        reason: "shown as the airline writes it; what compares them goes by their meaning",
    },
    Legitimate {
        oddity: "members_reversed",
        members: &["group", "combinable_with", "goes_with", "combination"],
        reason: "the groups of halves are named after the first of each in the answer",
    },
    Legitimate {
        oddity: "lists_reordered",
        members: &["group", "combinable_with", "goes_with", "combination"],
        reason: "the groups of halves are named after the first of each in the answer",
    },
    Legitimate {
        oddity: "optional_",
        members: &[
            "aircraft",
            "airline_pnr",
            "airlines",
            "arrival_terminal",
            "baggage",
            "booking_class",
            "departure_terminal",
            "duration_minutes",
            "fare_basis",
            "fare_class",
            "fare_family",
            "fare_name",
            "locators",
            "name",
            "operating_carrier",
            "pnr",
            "stops",
            "text",
        ],
        reason: "shown as far as it is told: locators of airlines beside the record's, names, terminals, aircraft, stops, bags",
    },
    Legitimate {
        oddity: "optional_",
        members: &["combination", "owner"],
        reason: "which halves go together and who sells them is told by members that TripJack leaves out of most fares",
    },
    Legitimate {
        oddity: "optional_",
        members: &["fare_type"],
        reason: "Duffel says that a fare is a corporate one in `private_fares` alone; without it it is a published one",
    },
    Legitimate {
        oddity: "texts_with_entities",
        members: &["text"],
        reason: "blanks and line ends side by side are one in HTML",
    },
];

/// What does not hold yet.
const NOT_YET: &[NotYet] = &[];

fn case<'a>(
    call: &'static str,
    name: &str,
    body: Vec<u8>,
    read: impl Fn(&[u8], Keys) -> Reading + 'a,
) -> Case<'a> {
    let wire = if name.starts_with("tripjack") || call.starts_with("tripjack") { Tripjack } else { Duffel };
    let call = call.split_once(' ').map_or(call, |(_, call)| call);
    Case { wire, call, name: name.to_owned(), body, read: Box::new(read) }
}

/// The ids of an order's passengers, in the order in which they were seated.
fn seated(order: &Value) -> Vec<String> {
    let people = order["passengers"].as_array().into_iter().flatten();
    people.map(|who| text(who, "/id").to_owned()).collect()
}

fn duffel_order(call: &'static str, name: &str, order: &Value, people: Vec<String>) -> Case<'static> {
    case(call, name, bytes(&json!({ "data": order })), move |body, keys| {
        let ids: Vec<String> = people.iter().map(|id| keys.of(id)).collect();
        let seated: Vec<(&str, u32)> = ids.iter().map(String::as_str).zip(1..).collect();
        told(duffel::read::order(body, &seated, now()))
    })
}

/// What each answer of Duffel's is: a search, an offer, an order or a cancellation, one or many.
fn duffel_cases() -> Option<Vec<Case<'static>>> {
    let mut cases = Vec::new();
    for (path, _, answer) in recordings::of("duffel")? {
        let name = file_name(&path);
        let data = answer.get("data").unwrap_or(&answer).clone();
        let found = match data["offers"].as_array() {
            Some(offers) => offers.clone(),
            None => list(data.clone()),
        };
        let has_id = |thing: &Value, start: &str| text(thing, "/id").starts_with(start);
        let found: Vec<Value> = found.into_iter().filter(|offer| has_id(offer, "off_")).collect();
        if !found.is_empty() {
            let search = bytes(&json!({ "data": { "offers": found } }));
            cases.push(case("search", &name, search, |body, _| results(duffel::read::search(body, true))));
            for offer in found {
                let offer = bytes(&json!({ "data": offer }));
                cases
                    .push(case("price", &name, offer, |body, _| told(duffel::read::offer(body, None, true))));
            }
        }
        for thing in list(data) {
            if has_id(&thing, "ord_") && thing["total_amount"].is_string() {
                let people = seated(&thing);
                cases.push(duffel_order("lookup", &name, &thing, people));
            } else if has_id(&thing, "ore_") && thing["refund_amount"].is_string() {
                let thing = bytes(&json!({ "data": thing }));
                cases.push(case("cancel", &name, thing, |body, _| told(duffel::read::cancellation(body))));
            }
        }
    }
    let people = ["pas_1", "pas_2", "pas_3", "pas_4"].map(str::to_owned).to_vec();
    cases.push(duffel_order("lookup", "our own", &duffel_bodies::order(), people));
    Some(cases)
}

/// The price ids of a review's trips, in order.
fn price_ids(review: &Value) -> Vec<String> {
    let trips = review["tripInfos"].as_array().into_iter().flatten();
    trips.map(|trip| text(trip, "/totalPriceList/0/id").to_owned()).collect()
}

fn tripjack_review(name: &str, body: Vec<u8>, ids: Vec<String>) -> Case<'static> {
    case("tripjack price", name, body, move |body, keys| {
        let ids: Vec<String> = ids.iter().map(|id| keys.of(id)).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let reviewed = tripjack::read::review(body, &ids, now()).map_err(|reason| reason.to_string())?;
        let reviewed = reviewed.ok_or("no price")?;
        told::<_>(Ok::<_, String>(json!({
            "offers": reviewed.offers,
            "party": format!("{:?}", reviewed.party),
            "expires_at": reviewed.expires_at,
            "ancillaries": reviewed.ancillaries,
            "has_seats": reviewed.has_seats,
        })))
    })
}

fn tripjack_cases() -> Option<Vec<Case<'static>>> {
    let mut cases = Vec::new();
    for (path, body, answer) in recordings::of("tripjack")? {
        let name = file_name(&path);
        if answer["searchResult"]["tripInfos"].is_object() {
            cases.push(case("tripjack search", &name, body, |body, _| {
                results(tripjack::read::search(body, tripjack_bodies::PARTY, now()))
            }));
        } else if answer["tripInfos"].is_array() {
            let ids = price_ids(&answer);
            cases.push(tripjack_review(&name, body, ids));
        }
    }
    cases.extend(own_tripjack_cases());
    Some(cases)
}

/// Orders and amendments are recorded nowhere.
fn own_tripjack_cases() -> Vec<Case<'static>> {
    use tripjack_bodies::{held, order, reissue_flights, reissue_review, review, rules, seat, seats};
    type ReadBody = Box<dyn Fn(&[u8]) -> Reading>;
    let request = tripjack_bodies::booking(OrderMode::Hold);
    let own = |call: &'static str, body: String, read: ReadBody| {
        case(call, "our own", body.into_bytes(), move |body, _| read(body))
    };
    let of_order = |order: Value| {
        let travellers = request.travellers.clone();
        let read = move |body: &[u8]| told(tripjack::read::order(body, &travellers));
        own("tripjack lookup", order.to_string(), Box::new(read))
    };
    let details = order("SUCCESS").to_string();
    let status = json!({ "success": true, "httpStatus": 200 });
    let charges = json!({
        "bookingId": "TJS1", "amendmentCharges": 300, "refundAmount": 2700.5, "totalFare": 3000.5, "status": status,
    });
    let amendment = json!({
        "bookingId": "TJS1", "amendmentId": "A1", "amendmentStatus": "SUCCESS", "refundableAmount": 2700.5, "status": status,
    });
    let (of_flights, of_review) = (request.clone(), request.clone());
    vec![
        of_order(order("SUCCESS")),
        of_order(held()),
        tripjack_review(
            "our own",
            review(&["p1", "p2"]).to_string().into_bytes(),
            vec!["p1".into(), "p2".into()],
        ),
        case(
            "tripjack services",
            "our own",
            seats(json!({ "tripSeat": { "100": { "sInfo": [seat("1A", json!(999.0), false)] } } }))
                .into_bytes(),
            |body, keys| {
                let reviewed = keys.body(review(&["p1"]).to_string().as_bytes(), Tripjack);
                let reviewed = tripjack::read::review(&reviewed, &[&keys.of("p1")], now());
                let mut reviewed = reviewed.unwrap().unwrap();
                tripjack::read::seats(body, &mut reviewed).map_err(|reason| reason.to_string())?;
                told(Ok::<_, String>(reviewed.ancillaries))
            },
        ),
        own("tripjack rules", rules().to_string(), Box::new(|body| told(tripjack::read::fare_rules(body)))),
        own(
            "tripjack cancel_quote",
            charges.to_string(),
            Box::new(move |body| told(read_after_sale::amendment_charges(body, details.as_bytes(), None))),
        ),
        own(
            "tripjack cancel",
            amendment.to_string(),
            Box::new(|body| told(read_after_sale::amendment(body))),
        ),
        own(
            "tripjack change",
            reissue_flights(),
            Box::new(move |body| {
                let offers = read_after_sale::reissue_offers(body, &of_flights, now());
                let told_of = |offer: ChangeOffer| {
                    json!({
                        "token": offer.token, "carrier": offer.carrier, "journeys": offer.journeys,
                        "price": offer.price, "expires_at": offer.expires_at,
                    })
                };
                told(offers.map(|offers| offers.into_iter().map(told_of).collect::<Vec<_>>()))
            }),
        ),
        own(
            "tripjack change",
            reissue_review().to_string(),
            Box::new(move |body| {
                let change = read_after_sale::reissue_review(body, &of_review, now());
                told(change)
            }),
        ),
    ]
}

#[test]
fn recordings_of_duffel_are_read_with_oddities_as_without() {
    if let Some(cases) = duffel_cases() {
        holds("Duffel's recordings", &cases, LEGITIMATE, NOT_YET);
    }
}

#[test]
fn recordings_of_tripjack_are_read_with_oddities_as_without() {
    if let Some(cases) = tripjack_cases() {
        holds("TripJack's recordings", &cases, LEGITIMATE, NOT_YET);
    }
}
