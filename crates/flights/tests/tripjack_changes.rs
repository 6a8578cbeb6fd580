//! TripJack's reissues over real sockets: searched, reviewed, made, and looked up; and that nothing is sent where they are off.

use crate::answers::ending;
use crate::lookups::by_id;
use crate::tripjack_acts::*;
use crate::tripjack_bodies::*;
use serde_json::{Value, json};
use wayfare_flights::tripjack::TripJack;
use wayfare_flights::{
    Cabin, ChangeOffer, FlightSupplier, JourneyChange, Lookup, OrderMode, OrderRequest, SupplierOrder,
};
use wayfare_stub_server::{Reply, StubServer, reply};
use wayfare_supply::{Answer, ChangePrice, PendingChange, SupplierHttp};

pub fn wanted(journey: usize) -> JourneyChange {
    JourneyChange {
        journey,
        origin: "DEL".to_owned(),
        destination: "BOM".to_owned(),
        date: "2026-04-10".parse().unwrap(),
        cabin: Cabin::PremiumEconomy,
    }
}

/// A reissue that is ready, at this price in rupees, 900 of it fees.
pub fn ready(total: &str) -> PendingChange {
    PendingChange {
        id: "TJS2".to_owned(),
        price: ChangePrice { total: inr(total), penalty: inr("900"), is_money: false },
        expires_at: "2026-03-01T12:14:00Z".parse().ok(),
        is_confirmed: false,
        supplier_context: json!({"travellers": [[1, "21"], [2, "22"], [3, "23"], [4, "24"]]}),
    }
}

fn request() -> OrderRequest {
    booking(OrderMode::Instant)
}

fn queries() -> Reply {
    ok(&json!({"searchIds": ["5-R-1"], "requestIds": [77], "status": {"success": true}}))
}

fn found_flights() -> Reply {
    reply(200, reissue_flights())
}

fn no(code: &str, text: &str) -> Reply {
    reply(400, error(400, code, text))
}

/// The adapter where reissues are off.
fn without(stub: &StubServer) -> TripJack {
    let config = config(&stub.base_url).with(|config| config.reissue = false);
    TripJack::new(SupplierHttp::new(config, clock()).unwrap())
}

async fn offers(stub: &StubServer, wanted: &[JourneyChange]) -> Answer<Vec<ChangeOffer>> {
    let tripjack = tripjack(&stub.base_url);
    tripjack.change_offers("TJS1", &request(), wanted).await
}

#[tokio::test]
async fn other_flights_are_asked_for_by_the_order_as_it_is() {
    let stub = StubServer::start([ok(&reissuable()), queries(), found_flights()]).await;
    let found = done(offers(&stub, &[wanted(0)]).await);
    let [offer] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((offer.token.as_str(), offer.carrier.as_str()), ("r1", "ZZ"));
    let price = ChangePrice { total: inr("3450"), penalty: inr("900"), is_money: false };
    assert_eq!(offer.price, price);
    assert_eq!(offer.expires_at, "2026-03-01T12:30:00Z".parse().ok());
    let flown = &offer.journeys[0].segments[0];
    assert_eq!((&*flown.origin, &*flown.flight_number), ("DEL", "042"));
    assert_eq!(flown.departure.to_string(), "2026-04-10 10:00:00");
    assert_eq!(stub.lines(), [DETAILS, REISSUES, REISSUE_FLIGHTS]);
    let [_, query, search] = stub.requests().try_into().unwrap();
    assert_eq!(
        query.body,
        json!({
            "oldBookingId": "TJS1", "pnr": "AIRPNR", "paxIds": ["14", "11", "12", "13"],
            "paxInfo": {"ADULT": 2, "CHILD": 1, "INFANT": 1},
            "routeInfos": [{
                "fromCityOrAirport": {"code": "DEL"}, "toCityOrAirport": {"code": "BOM"}, "travelDate": "2026-04-10",
            }],
        })
    );
    assert_eq!(search.body, json!({"requestId": "77"}));
}

#[tokio::test]
async fn an_airline_without_reissues_refuses_and_a_day_without_flights_offers_none() {
    let text = "No matching reissue configuration found for the given supplier";
    let stub = StubServer::start([ok(&reissuable()), no("1157", text)]).await;
    let refused = offers(&stub, &[wanted(0)]).await;
    assert_eq!(ending(&refused), "not changeable", "{refused:?}");
    let text = "No reissue results found for the given booking";
    let stub = StubServer::start([ok(&reissuable()), queries(), no("1148", text)]).await;
    assert_eq!(done(offers(&stub, &[wanted(0)]).await), []);
}

#[tokio::test]
async fn a_flight_that_can_t_be_read_costs_no_other() {
    let bad = trip(&[flight("200", "DEL", "BOM", 10, 0)], &[json!({"id": "r0", "fd": {}})]);
    let good = trip(&[flight("201", "DEL", "BOM", 10, 0)], &[reissue_fare("r1")]);
    let flights = found(&json!({"ONWARD": [bad, {"sI": 1}, good]}));
    let stub = StubServer::start([ok(&reissuable()), queries(), reply(200, flights)]).await;
    let found = done(offers(&stub, &[wanted(0)]).await);
    assert_eq!(found.len(), 1, "{found:?}");
}

/// One journey at a time, of a ticketed order of one journey, whose travellers TripJack names.
#[tokio::test]
async fn what_can_t_be_reissued_is_not_asked_for() {
    let trips = "/itemInfos/AIR/tripInfos";
    let there = trip(&[flight("100", "DEL", "BOM", 1, 0)], &[]);
    let home = trip(&[flight("101", "BOM", "DEL", 2, 0)], &[]);
    let both = trip(&[flight("100", "DEL", "BOM", 1, 0), back(flight("101", "BOM", "DEL", 2, 0))], &[]);
    let two = |all: Value| with(reissuable(), &[(trips, all)]);
    for (order, wanted) in [
        (with(reissuable(), &[("/order/status", json!("PENDING"))]), vec![wanted(0)]),
        (with(reissuable(), &[("/order/status", json!("CANCELLED"))]), vec![wanted(0)]),
        (two(json!([there, home])), vec![wanted(0)]),
        (two(json!([both])), vec![wanted(0)]),
        (reissuable(), vec![wanted(1)]),
        (reissuable(), vec![wanted(0), wanted(1)]),
    ] {
        let stub = StubServer::start([ok(&order)]).await;
        let refused = offers(&stub, &wanted).await;
        assert_eq!(ending(&refused), "not changeable", "{refused:?}");
        assert_eq!(stub.lines(), [DETAILS]);
    }
    let mut nameless = reissuable();
    nameless["itemInfos"]["AIR"]["travellerInfos"][2]["id"] = Value::Null;
    let stub = StubServer::start([ok(&nameless)]).await;
    is_unknown(offers(&stub, &[wanted(0)]).await, "");
    assert_eq!(stub.lines(), [DETAILS]);
}

#[tokio::test]
async fn where_reissues_are_off_and_for_an_order_that_was_reissued_nothing_is_sent() {
    let stub = StubServer::start([]).await;
    let request = request();
    let off = without(&stub);
    assert!(!off.changes_journeys());
    let on = tripjack(&stub.base_url);
    assert!(on.changes_journeys());
    for (tripjack, id) in [(off, "TJS1"), (on, "TJS2")] {
        let order = || by_id(id, &request);
        let offers = tripjack.change_offers(id, &request, &[wanted(0)]).await;
        assert_eq!(ending(&offers), "not changeable", "{offers:?}");
        let prepared = tripjack.prepare_change(order(), "r1").await;
        assert_eq!(ending(&prepared), "not changeable", "{prepared:?}");
        let confirmed = tripjack.confirm_change(order(), &ready("3450")).await;
        assert_eq!(ending(&confirmed), "not changeable", "{confirmed:?}");
    }
    assert!(stub.requests().is_empty());
}

async fn prepare(review: &Value) -> Answer<PendingChange> {
    let stub = StubServer::start([ok(review)]).await;
    let request = request();
    let tripjack = tripjack(&stub.base_url);
    let answer = tripjack.prepare_change(by_id("TJS1", &request), "r1").await;
    let asked = stub.only();
    assert_eq!(asked.line, REISSUE_REVIEW);
    let body = json!({"oldBookingId": "TJS1", "priceIds": ["r1"], "priceValidation": true});
    assert_eq!(asked.body, body);
    answer
}

#[tokio::test]
async fn a_review_opens_a_session_under_the_id_that_the_order_gets() {
    assert_eq!(done(prepare(&reissue_review()).await), ready("3450"));
    // Its fees may be told of one of each type alone.
    let mut by_type = reissue_review();
    let of_all = by_type["totalPriceInfo"]["totalFareDetail"]["fC"].as_object_mut().unwrap();
    of_all.remove("AFS");
    assert_eq!(done(prepare(&by_type).await), ready("3450"));
    let moved = with(reissue_review(), &[("/totalPriceInfo/totalFareDetail/fC/TF", json!(-120.5))]);
    assert_eq!(done(prepare(&moved).await).price.total, inr("-120.50"));
    let mut shy = reissue_review();
    (shy["travellers"], shy["conditions"]) = (Value::Null, Value::Null);
    let shy = done(prepare(&shy).await);
    assert_eq!(shy.supplier_context, json!({"travellers": []}));
    assert_eq!(shy.expires_at, "2026-03-01T12:15:00Z".parse().ok());
    for wrong in [
        with(reissue_review(), &[("/bookingId", json!("TJS1"))]),
        with(reissue_review(), &[("/totalPriceInfo/totalFareDetail/fC/TF", json!("soon"))]),
    ] {
        is_unknown(prepare(&wrong).await, "");
    }
}

async fn confirm(replies: Vec<Reply>, total: &str) -> (Answer<PendingChange>, StubServer) {
    let stub = StubServer::start(replies).await;
    let request = request();
    let tripjack = tripjack(&stub.base_url);
    let answer = tripjack.confirm_change(by_id("TJS1", &request), &ready(total)).await;
    (answer, stub)
}

#[tokio::test]
async fn a_reissue_is_paid_for_the_travellers_as_they_were_booked() {
    for (total, paid) in [("3450", json!(3450.00)), ("0", json!(0.00)), ("-120.50", json!(0.00))] {
        let (answer, stub) = confirm(vec![taken(), ok(&reissued("SUCCESS"))], total).await;
        let made = PendingChange { is_confirmed: true, ..ready(total) };
        assert_eq!(done(answer), made);
        assert_eq!(stub.lines(), [REISSUE, DETAILS]);
        let [asked, looked] = stub.requests().try_into().unwrap();
        let amount = &asked.body["paymentInfos"][0]["amount"];
        assert_eq!(amount.as_f64(), paid.as_f64(), "{total}");
        assert_eq!(asked.body["paymentInfos"][0]["bookingId"], "TJS2");
        assert_eq!((&asked.body["bookingId"], &asked.body["oldBookingId"]), (&json!("TJS2"), &json!("TJS1")));
        let travellers = asked.body["travellerInfo"].as_array().unwrap();
        let first =
            json!({"id": "21", "ti": "Mrs", "pt": "ADULT", "fN": "Anna", "lN": "Rao", "dob": "1990-01-02"});
        assert_eq!((travellers.len(), &travellers[0]), (4, &first));
        assert_eq!(asked.body["deliveryInfo"]["emails"], json!(["a@b.example"]));
        assert_eq!(looked.body, json!({"bookingId": "TJS2"}));
    }
}

#[tokio::test]
async fn only_the_new_order_tells_what_became_of_a_reissue() {
    let gone = || no("1057", "Booking not found");
    for (replies, end) in [
        (vec![taken(), ok(&reissued("PENDING")), ok(&reissued("SUCCESS"))], "done"),
        (vec![taken(), ok(&reissued("FAILED"))], "unknown"),
        (vec![taken(), Reply::Hang], "unknown"),
        (vec![no("9", "Refused"), gone()], "refused"),
        (vec![no("9", "Refused"), ok(&reissued("FAILED"))], "refused"),
        // It is there all the same.
        (vec![no("9", "Refused"), ok(&reissued("SUCCESS"))], "unknown"),
        (vec![no("9", "Booking is already reissued")], "unknown"),
        (vec![no("1157", "No matching reissue configuration"), gone()], "not changeable"),
        (vec![Reply::Hang], "unknown"),
        (vec![reply(500, "")], "unknown"),
    ] {
        let said = format!("{replies:?}");
        let (answer, stub) = confirm(replies, "3450").await;
        assert_eq!(ending(&answer), end, "{said}");
        let sent = stub.lines().into_iter().filter(|line| line == REISSUE);
        assert_eq!(sent.count(), 1, "{said}");
    }
}

#[tokio::test]
async fn a_reissue_is_looked_up_by_its_new_order() {
    for (act, end) in [
        (ok(&reissued("SUCCESS")), Some(true)),
        (ok(&reissued("FAILED")), Some(false)),
        (no("1057", "Booking not found"), Some(false)),
        (ok(&reissued("PENDING")), None),
        (ok(&reissued("CANCELLED")), None),
        (ok(&reissuable()), None),
        (no("9", "Who knows"), None),
        (Reply::Hang, None),
    ] {
        let stub = StubServer::start([act.clone()]).await;
        let answer = tripjack(&stub.base_url).find_pending_change("TJS2").await;
        let read = match answer {
            Answer::Done(change) => Some(change.is_confirmed),
            Answer::Unknown(_) => None,
            other => panic!("{act:?}: {other:?}"),
        };
        assert_eq!(read, end, "{act:?}");
        assert_eq!(stub.only().body, json!({"bookingId": "TJS2"}));
    }
}

async fn found_by(id: &str, is_named_by_operator: bool, order: &Value) -> Answer<Option<SupplierOrder>> {
    let stub = StubServer::start([ok(order)]).await;
    let request = request();
    let lookup = Lookup { is_named_by_operator, ..by_id(id, &request) };
    tripjack(&stub.base_url).find(lookup).await
}

/// An order has the id of its reissue since. Only the supplier's word makes it so.
#[tokio::test]
async fn a_reissued_order_is_found_by_its_new_id() {
    let order = done(found_by("TJS2", false, &reissued("SUCCESS")).await).unwrap();
    assert_eq!(order.id, "TJS2");
    let mut respelt = reissued("SUCCESS");
    respelt["itemInfos"]["AIR"]["travellerInfos"][0]["fN"] = json!("DORAMISS");
    assert_eq!(done(found_by("TJS2", false, &respelt).await).unwrap().tickets, order.tickets);
    for (is_named_by_operator, order) in [(true, reissued("SUCCESS")), (false, reissuable())] {
        is_unknown(found_by("TJS2", is_named_by_operator, &order).await, "");
    }
    let stub = StubServer::start([ok(&reissued("SUCCESS")), ok(&reissued("PENDING"))]).await;
    let (tripjack, request) = (tripjack(&stub.base_url), request());
    let changed = done(tripjack.find_changed(by_id("TJS1", &request), "TJS2").await).unwrap();
    assert_eq!(changed.id, "TJS2");
    is_unknown(tripjack.find_changed(by_id("TJS1", &request), "TJS2").await, "");
}
