//! LiteAPI's prices, bookings, look-ups, cancellations and descriptions over real sockets.

use crate::answers::{order_to_cancel, refused as coded};
use crate::brief;
use crate::liteapi_stage::*;
use serde_json::{Value, json};
use wayfare_domain::{Faults, OrderStatus};
use wayfare_hotels::liteapi::LiteApi;
use wayfare_hotels::{HotelSupplier, Lookup, PricedStay, RoomRate, SupplierStay};
use wayfare_stub_server::{Reply, StubServer, reply};
use wayfare_supply::{AfterSales, Answer, OutageKind, Refusal, RefusalKind};

fn refused<T>(kind: RefusalKind, text: &str) -> Answer<T> {
    Answer::Refused(Refusal::of(kind, text))
}

/// The rates of an offer for two kinds of rooms, as a search tells them.
async fn searched() -> Vec<RoomRate> {
    let offer = offer("OFFER", &[rate(1, 2, 0, 100.0), rate(2, 1, 1, 50.0)]);
    let body = stream(&[json!({"rates": [hotel_offers("lp1897", &[offer])]})]);
    let stub = StubServer::with_side([reply(200, body)], [("GET /api/data/", reply(404, ""))]).await;
    let mut found = done(liteapi(&stub).search(&two_kinds()).await);
    found.hotels.remove(0).rates
}

async fn price(supplier: &LiteApi) -> Answer<PricedStay> {
    let rates = searched().await;
    let asked: Vec<&RoomRate> = rates.iter().collect();
    supplier.price(&two_kinds(), "lp1897", &asked).await
}

async fn priced(act: Reply) -> Answer<PricedStay> {
    price(&liteapi(&StubServer::start([act]).await)).await
}

/// What the list of bookings tells where ours is the only one.
fn listed() -> Reply {
    let booking = json!({"bookingId": "hSq2gVDrf", "clientReference": REFERENCE});
    reply(200, json!({"data": [booking]}).to_string())
}

#[tokio::test]
async fn an_offer_is_read_again_under_the_keys_it_was_found_with() {
    let mut dearer = rate(1, 2, 0, 110.0);
    dearer["boardType"] = json!("RO");
    let stub =
        StubServer::start([reply(200, prebook(&[dearer, rate(2, 1, 1, 50.0)], 160.0).to_string())]).await;
    let priced = done(price(&liteapi(&stub)).await);
    let sent = stub.only();
    assert_eq!(sent.line, "POST /book/rates/prebook?timeout=119");
    let body = json!({"offerId": "OFFER", "usePaymentSdk": false, "includeCreditBalance": true});
    assert_eq!(sent.body, body);
    assert!(sent.headers.to_ascii_lowercase().contains("x-api-key: key_secret"));
    assert_eq!(priced.supplier_context, json!({"prebook_id": "len80MPr_"}));
    assert_eq!(priced.expires_at, None);
    let shown: Vec<_> = priced
        .rates
        .iter()
        .map(|rate| (rate.token.as_str(), rate.room_id.as_str(), rate.parts.total().unwrap()))
        .collect();
    assert_eq!(
        shown,
        [("OFFER#1", "RT", dollars("50.00")), ("OFFER#0", "RT", dollars("110.00"))],
        "in the order in which they were asked for"
    );
}

#[tokio::test]
async fn rates_that_are_not_all_of_one_offer_are_not_sent() {
    let rates = searched().await;
    let other =
        RoomRate { token: "OTHER#0".to_owned(), bundle: Some("OTHER".to_owned()), ..rates[1].clone() };
    let text = "rooms of this supplier are booked as they were offered together";
    let stub = StubServer::nobody().await;
    for asked in [vec![&rates[0]], vec![&rates[0], &rates[0]], vec![&rates[0], &other], vec![]] {
        let answer = liteapi(&stub).price(&two_kinds(), "lp1897", &asked).await;
        assert_eq!(answer, refused(RefusalKind::Other, text));
    }
}

#[tokio::test]
async fn a_price_that_is_not_what_was_asked_for_is_no_answer() {
    let rates = [rate(1, 2, 0, 100.0), rate(2, 1, 1, 50.0)];
    let good = prebook(&rates, 150.0);
    done(priced(reply(200, good.to_string())).await);
    let with = |field: &str, value: Value| {
        let mut body = good.clone();
        body["data"][field] = value;
        body
    };
    for (body, reason) in [
        (with("price", json!(150.01)), "the offer costs 150.01 USD, but its rooms 150.00 USD"),
        (with("currency", json!("EUR")), "the offer costs 150.00 EUR"),
        (with("checkin", json!("2026-05-02")), "the offer is from 2026-05-02 to 2026-05-04"),
        (with("hotelId", json!("lp2")), "the offer is of hotel lp2"),
        (with("roomTypes", json!([{"rates": [rates[0]]}])), "the offer has 1 rates for 2 rooms"),
        (with("prebookId", json!(null)), "data.prebookId"),
    ] {
        let answer = priced(reply(200, body.to_string())).await;
        let Answer::Unknown(said) = answer else { panic!("{answer:?}") };
        assert!(said.contains(reason), "{said}");
    }
}

#[tokio::test]
async fn every_way_a_price_can_fail() {
    use RefusalKind::{Expired, Gone, Other};
    for (code, description, kind) in [
        (4040, "outdated offerId", Expired),
        (4002, "invalid offerId", Gone),
        (2001, "no availability found", Gone),
        (4002, "usePaymentSdk is missing", Other),
    ] {
        let answer = priced(reply(400, error(code, description))).await;
        assert_eq!(answer, coded(kind, &code.to_string(), &format!("no: {description}")));
    }
    for act in [reply(408, error(4016, "prebook timeout exceeded")), reply(429, ""), reply(401, "")] {
        is_unavailable(priced(act).await, "");
    }
    for act in silences() {
        is_unknown(priced(act.clone()).await, &act);
    }
}

#[tokio::test]
async fn a_stay_is_booked_on_credit_under_our_reference_with_one_guest_for_each_room() {
    let stub = StubServer::start([reply(200, booking("CONFIRMED", REFERENCE).to_string())]).await;
    let stay = done(liteapi(&stub).book(&request()).await);
    let sent = stub.only();
    assert_eq!(sent.line, "POST /book/rates/book");
    let person = |first: &str, last: &str| json!({"firstName": first, "lastName": last, "email": "p@agency.example", "phone": "+919812345678"});
    let guest = |number: u16, first: &str| {
        let mut guest = person(first, "Rao");
        guest["occupancyNumber"] = json!(number);
        guest
    };
    let mut first = guest(1, "Asha");
    first["remarks"] = json!("late arrival");
    assert_eq!(
        sent.body,
        json!({
            "prebookId": "len80MPr_", "clientReference": REFERENCE, "holder": person("Priya", "Nair"),
            "guests": [first, guest(2, "Meera")], "payment": {"method": "CREDIT"},
        })
    );
    insta::assert_snapshot!("liteapi_booked", brief::stay(&stay));
    assert_eq!(stay.raw.tree()["clientReference"], REFERENCE);
}

#[tokio::test]
async fn a_booking_that_may_stand_is_unknown_and_sent_once() {
    let others = [
        reply(200, booking("CONFIRMED", "HA-OTHER-01").to_string()),
        reply(400, error(2014, "booking data was not updated")),
        reply(400, error(2013, "provider booking response is invalid")),
        reply(200, error(5000, "booking initial save failed")),
        reply(408, error(4016, "timeout")),
        reply(204, ""),
    ];
    for act in silences().into_iter().chain(others) {
        let stub = StubServer::start([act.clone()]).await;
        is_unknown(liteapi(&stub).book(&request()).await, &act);
        assert_eq!(stub.requests().len(), 1);
    }
}

#[tokio::test]
async fn a_booking_is_ours_however_our_reference_comes_back_and_pending_in_an_unknown_word() {
    for (status, reference, expected) in [
        ("DREAMING", REFERENCE.to_owned(), OrderStatus::Pending),
        ("CONFIRMED", format!(" {}", REFERENCE.to_lowercase()), OrderStatus::Confirmed),
    ] {
        let stub = StubServer::start([reply(200, booking(status, &reference).to_string())]).await;
        assert_eq!(done(liteapi(&stub).book(&request()).await).status, expected, "{reference}");
    }
}

#[tokio::test]
async fn a_booking_that_was_surely_not_made_is_refused_or_an_outage() {
    use RefusalKind::{Expired, Gone, Other};
    for (code, description, kind) in [
        (2010, "booking not confirmed", Other),
        (2013, "booking not confirmed", Other),
        (2001, "no availability found", Gone),
        (4002, "invalid prebookId, rate not found", Expired),
        (4002, "empty request body", Other),
    ] {
        let stub = StubServer::start([reply(400, error(code, description))]).await;
        let answer = liteapi(&stub).book(&request()).await;
        assert_eq!(answer, coded(kind, &code.to_string(), &format!("no: {description}")));
    }
    for act in [reply(429, ""), reply(401, error(401, "key_secret"))] {
        let stub = StubServer::start([act]).await;
        is_unavailable(liteapi(&stub).book(&request()).await, "");
    }
    let stub = StubServer::nobody().await;
    is_unavailable(liteapi(&stub).book(&request()).await, "");
    let mut forgotten = request();
    forgotten.supplier_context = json!({});
    assert!(matches!(liteapi(&stub).book(&forgotten).await, Answer::Refused(_)));
    let mut empty = request();
    empty.rooms[1].guests.clear();
    assert!(matches!(liteapi(&stub).book(&empty).await, Answer::Refused(_)));
}

#[tokio::test]
async fn a_reference_that_was_booked_with_before_is_looked_up_and_never_refused() {
    let duplicate = || reply(400, error(4005, "duplicate booking attempt"));
    let stands = reply(200, booking("CONFIRMED", REFERENCE).to_string());
    let stub = StubServer::start([duplicate(), listed(), stands]).await;
    let stay = done(liteapi(&stub).book(&request()).await);
    assert_eq!(stay.id, "hSq2gVDrf");
    let look_up = format!("GET /book/bookings?clientReference={REFERENCE}");
    assert_eq!(stub.lines(), ["POST /book/rates/book", &look_up, "GET /book/bookings/hSq2gVDrf"]);

    for replies in [
        vec![duplicate(), reply(200, r#"{"data":[]}"#)],
        vec![duplicate(), reply(400, error(4000, "no"))],
        vec![duplicate(), Reply::Hang],
        vec![duplicate(), listed(), reply(204, "")],
        vec![duplicate(), listed(), Reply::Hang],
    ] {
        let stub = StubServer::start(replies.clone()).await;
        is_unknown(liteapi(&stub).book(&request()).await, &replies);
    }
}

#[tokio::test]
async fn an_account_is_only_empty_where_no_booking_stands_all_the_same() {
    let unpaid = || reply(400, error(4000, "missing or not supported payment method"));
    for none in [reply(204, ""), reply(200, r#"{"data":[]}"#)] {
        let stub = StubServer::start([unpaid(), none]).await;
        let answer = liteapi(&stub).book(&request()).await;
        let Answer::Unavailable(outage) = answer else { panic!("{answer:?}") };
        assert_eq!(outage.kind, OutageKind::Deposit);
        let look_up = format!("GET /book/bookings?clientReference={REFERENCE}");
        assert_eq!(stub.lines(), ["POST /book/rates/book", &look_up]);
    }
    let stands = reply(200, booking("CONFIRMED", REFERENCE).to_string());
    let stub = StubServer::start([unpaid(), listed(), stands]).await;
    assert_eq!(done(liteapi(&stub).book(&request()).await).id, "hSq2gVDrf");
    // Nobody knows whether it stands; and what says 5000 may have been booked.
    let failed = "payment failed please check your provided payment information";
    for replies in [
        vec![unpaid(), Reply::Hang],
        vec![unpaid(), reply(400, error(4000, "no"))],
        vec![reply(500, error(5000, failed))],
    ] {
        let stub = StubServer::start(replies.clone()).await;
        is_unknown(liteapi(&stub).book(&request()).await, &replies);
    }
}

#[tokio::test]
async fn a_price_tells_of_the_credit_line_once() {
    let mut body = prebook(&[rate(1, 2, 0, 100.0), rate(2, 1, 1, 50.0)], 150.0);
    body["data"]["creditLine"] = json!({"remainingCredit": 1000.5, "currency": "USD"});
    let stub = StubServer::start([reply(200, body.to_string())]).await;
    let supplier = liteapi(&stub);
    assert_eq!(done(supplier.balance().await), None);
    done(price(&supplier).await);
    assert_eq!(stub.requests()[0].body["includeCreditBalance"], true);
    let seen = done(supplier.balance().await).unwrap();
    assert_eq!((seen.balance, seen.currency), (None, wayfare_domain::Currency::USD));
    assert_eq!(seen.credit.unwrap().to_string(), "1000.5");
    assert_eq!(done(supplier.balance().await), None);
}

async fn looked_up(
    order_id: Option<&str>,
    replies: Vec<Reply>,
) -> (Answer<Option<SupplierStay>>, Vec<String>) {
    let stub = StubServer::start(replies).await;
    let request = request();
    let lookup = Lookup { order_id, request: &request };
    let answer = liteapi(&stub).find(lookup).await;
    (answer, stub.lines())
}

#[tokio::test]
async fn a_booking_is_found_by_its_id_else_by_our_reference() {
    let body = || reply(200, booking("CANCELLED_WITH_CHARGES", REFERENCE).to_string());
    let (answer, lines) = looked_up(Some("hSq2gVDrf"), vec![body()]).await;
    assert_eq!(done(answer).unwrap().status, OrderStatus::Cancelled);
    assert_eq!(lines, ["GET /book/bookings/hSq2gVDrf"]);
    let list =
        reply(200, r#"{"count":1,"data":[{"booking_Id":"hSq2gVDrf","client_reference":"HA-7K2M9Q4X-01"}]}"#);
    let (answer, lines) = looked_up(None, vec![list, body()]).await;
    assert_eq!(done(answer).unwrap().id, "hSq2gVDrf");
    assert_eq!(lines.len(), 2);

    for (order_id, act) in [
        (Some("hSq2gVDrf"), reply(204, "")),
        (Some("hSq2gVDrf"), reply(200, error(204, "Booking Id not found"))),
        (None, reply(200, r#"{"data":[]}"#)),
        (None, reply(200, r#"{"count":0,"data":null}"#)),
    ] {
        assert_eq!(looked_up(order_id, vec![act.clone()]).await.0, Answer::Done(None), "{act:?}");
    }
}

#[tokio::test]
async fn a_look_up_that_says_nothing_is_not_taken_for_absence() {
    let one = |reference: &str| json!({"bookingId": "hSq2gVDrf", "clientReference": reference});
    let list = |bookings: &[Value]| reply(200, json!({"data": bookings}).to_string());
    let mut unheard = vec![
        (None, list(&[one("")])),
        (None, list(&[one("HA-OTHER-01")])),
        (None, list(&[one(REFERENCE), one(REFERENCE)])),
        (None, reply(400, error(4000, "clientReference is missing"))),
        (None, reply(429, "")),
        (Some("hSq2gVDrf"), reply(200, booking("CONFIRMED", "HA-OTHER-01").to_string())),
        (Some("hSq2gVDrf"), reply(404, error(404, "no route"))),
        (Some("hSq2gVDrf"), reply(401, "")),
    ];
    unheard.extend(silences().into_iter().flat_map(|act| [(None, act.clone()), (Some("hSq2gVDrf"), act)]));
    for (order_id, act) in unheard {
        let (answer, _) = looked_up(order_id, vec![act.clone()]).await;
        assert!(
            matches!(answer, Answer::Unknown(_) | Answer::Unavailable(_)),
            "{order_id:?} {act:?}: {answer:?}"
        );
    }
    let (answer, lines) = looked_up(Some("../users"), vec![]).await;
    assert!(matches!(answer, Answer::Unknown(_)) && lines.is_empty(), "{answer:?}");
}

#[tokio::test]
async fn ids_that_are_none_are_never_sent() {
    let supplier = liteapi(&StubServer::nobody().await);
    let none = refused(RefusalKind::Other, "there is no such booking");
    for id in ["", "../users", "a/b", "a?b", "ä"] {
        assert_eq!(supplier.quote_cancellation(order_to_cancel(id, OrderStatus::Confirmed)).await, none);
        assert_eq!(supplier.cancel(id, "cancel", None, None).await, none);
        assert_eq!(supplier.find_cancellation(id, "cancel", None).await, none);
        assert_eq!(done(supplier.details(&[id], "en").await), []);
    }
}

#[tokio::test]
async fn hotels_are_described_in_the_order_asked_for_without_those_that_are_unknown() {
    let hotel = |id: &str| {
        reply(200, json!({"data": {"id": id, "name": format!("Hotel {id}"), "country": "us"}}).to_string())
    };
    let stub = StubServer::with_side(
        [],
        [
            ("GET /api/data/hotel?hotelId=lp1&", hotel("lp1")),
            ("GET /api/data/hotel?hotelId=lp2&", reply(400, error(4002, "hotelId is missing or invalid"))),
            ("GET /api/data/hotel?hotelId=lp3&", hotel("lp3")),
        ],
    )
    .await;
    let told = done(liteapi(&stub).details(&["lp3", "lp2", "../x", "lp1"], "de").await);
    let ids: Vec<&str> = told.iter().map(|hotel| hotel.id.as_str()).collect();
    assert_eq!(ids, ["lp3", "lp1"]);
    assert!(stub.side_requests().iter().all(|asked| asked.line.ends_with("language=de")));

    let stub = StubServer::start([reply(500, "")]).await;
    is_unknown(liteapi(&stub).details(&["lp1"], "en").await, "");
}

#[tokio::test]
async fn the_first_guest_of_a_room_needs_names() {
    let supplier = liteapi(&StubServer::nobody().await);
    let mut rooms = request().rooms;
    assert_eq!(supplier.check_rooms(&rooms), Faults::default());
    rooms[0].guests[1].first_name.clear();
    assert_eq!(supplier.check_rooms(&rooms), Faults::default(), "only the first one is sent");
    rooms[1].guests[0].last_name = " ".to_owned();
    assert_eq!(supplier.check_rooms(&rooms), Faults::of("rooms[1].guests[0].last_name", "must not be empty"));
}
