//! Stays of Hotelbeds over real sockets: rates are checked, booked and looked for.

use crate::answers::{ending, finding, refused};
use crate::brief;
use crate::hotelbeds_bodies::*;
use serde_json::{Value, json};
use wayfare_domain::OrderStatus;
use wayfare_hotels::{HotelSupplier, PricedStay, StayRequest};
use wayfare_stub_server::{Reply, StubServer, reply};
use wayfare_supply::{Answer, RefusalKind};

async fn priced(replies: impl IntoIterator<Item = Reply>) -> (Answer<PricedStay>, StubServer) {
    let mut couples = only_rate(with(
        couples("key-couples", json!("300.10")),
        &[(
            "taxes",
            json!({"taxes": [
                {"included": false, "amount": "6.60", "currency": "EUR", "type": "TAX"},
                {"included": true, "amount": "27.00", "currency": "EUR", "type": "TAX"}
            ]}),
        )],
    ));
    couples.bed_type = Some("2 × Single bed".to_owned());
    let stub = StubServer::start(replies).await;
    let answer = hotelbeds(&stub).price(&query(hotels(&["74400"])), "74400", &[&couples]).await;
    (answer, stub)
}

#[tokio::test]
async fn a_price_is_fresh_and_keeps_what_a_check_is_silent_about() {
    let mut fresh = couples("new-key", json!(310.00));
    fresh["rateComments"] = json!(" Check-in hour 15:00. ");
    fresh["rateBreakDown"] =
        json!({"rateDiscounts": [{"code": "PQ", "name": "Opaque Package", "amount": "-99.91"}]});
    let (answer, stub) = priced([ok(&checked(&fresh))]).await;
    let priced = done(answer);
    assert_eq!(stub.only().line, "POST /hotel-api/1.0/checkrates");
    assert_eq!(
        stub.only().body,
        json!({"rooms": [{"rateKey": "key-couples"}], "upselling": false, "language": "ENG"})
    );
    let [rate] = priced.rates.try_into().unwrap();
    assert_eq!(rate.token, "new-key");
    insta::assert_snapshot!("hotelbeds_priced", brief::rate(&rate));
    assert_eq!(priced.expires_at, Some("2026-03-01T12:30:00Z".parse().unwrap()));
    assert_eq!(priced.supplier_context, supplier_context(json!([["new-key", 2]]), "0.00"));
}

#[tokio::test]
async fn each_rate_is_checked_by_itself_and_dictated_prices_leave_a_margin() {
    let query = query(hotels(&["74400"]));
    let (couples, family) =
        (only_rate(couples("key-couples", json!("300.10"))), only_rate(family("key-family", json!("99.90"))));
    let dictated =
        |rate: Value| with(rate, &[("hotelMandatory", json!(true)), ("sellingRate", json!("320.10"))]);
    // Either may arrive first, so that both are answered alike: by what fits one of them.
    let act = ok(&checked(&dictated(super_couples())));
    let stub = StubServer::start([act.clone(), act]).await;
    assert_eq!(ending(&hotelbeds(&stub).price(&query, "74400", &[&couples, &family]).await), "unknown");
    let mut keys: Vec<String> = stub
        .requests()
        .iter()
        .map(|asked| {
            assert_eq!(asked.body["rooms"].as_array().unwrap().len(), 1);
            asked.body["rooms"][0]["rateKey"].as_str().unwrap().to_owned()
        })
        .collect();
    keys.sort();
    assert_eq!(keys, ["key-couples", "key-family"]);

    let stub = StubServer::start([ok(&checked(&dictated(super_couples())))]).await;
    let priced = done(hotelbeds(&stub).price(&query, "74400", &[&couples]).await);
    assert_eq!(priced.rates[0].parts.total().unwrap(), money("320.10"));
    assert_eq!(priced.supplier_context["margin"]["amount"].to_string(), "20.00");
}

#[tokio::test]
async fn a_check_without_ages_is_of_the_rooms_that_the_search_told_of() {
    let mut asked = query(hotels(&["74400"]));
    asked.rooms = vec![guests(1, &[3]), guests(1, &[7])];
    let body = found(&[hotel(74400, &[family("key-family", json!("99.90"))])]);
    let searched =
        wayfare_hotels::hotelbeds::read::search(body.to_string().as_bytes(), &asked, now()).unwrap();
    let rate = &searched.hotels[0].rates[0];
    assert_eq!(rate.kind, 1);
    let mut silent = family("key-family", json!("99.90"));
    silent.as_object_mut().unwrap().remove("childrenAges");
    let stub = StubServer::start([ok(&checked(&silent))]).await;
    let priced = done(hotelbeds(&stub).price(&asked, "74400", &[rate]).await);
    assert_eq!(priced.rates[0].kind, 1);
}

fn super_couples() -> Value {
    couples("key-couples", json!("300.10"))
}

#[tokio::test]
async fn each_fault_of_a_price_has_its_end() {
    let good = checked(&super_couples());
    let of_hotel = |field: &str, value: Value| {
        let mut body = good.clone();
        body["hotel"][field] = value;
        ok(&body)
    };
    let room = &good["hotel"]["rooms"][0];
    for (act, expected) in [
        (ok(&good), "done"),
        (ok(&json!({"hotel": {}})), "gone"),
        (of_hotel("code", json!(1)), "unknown"),
        (of_hotel("rooms", json!([room, room])), "unknown"),
        (of_hotel("paymentDataRequired", json!(true)), "refused"),
        (ok(&checked(&family("key", json!("300.10")))), "unknown"),
        (ok(&checked(&couples("key", json!("0")))), "unknown"),
        (error(EXPIRED), "expired"),
        (error("500 PRODUCT_ERROR Insufficient allotment"), "gone"),
        (error("500 PRODUCT_ERROR Price has increased"), "price changed"),
        (error("500 SYSTEM_ERROR Internal server error"), "unknown"),
        (reply(403, r#"{"error":"Developer Over Rate"}"#), "unavailable"),
        (reply(429, ""), "unavailable"),
        (reply(200, "{"), "unknown"),
        (Reply::Hang, "unknown"),
        (Reply::Silence, "unknown"),
    ] {
        let (answer, stub) = priced([act.clone()]).await;
        assert_eq!(ending(&answer), expected, "{act:?}");
        assert_eq!(stub.requests().len(), 1, "{act:?}");
    }
    let nothing =
        hotelbeds(&StubServer::nobody().await).price(&query(hotels(&["74400"])), "74400", &[]).await;
    assert_eq!(ending(&nothing), "refused");
}

#[tokio::test]
async fn rooms_of_one_rate_are_booked_as_one_and_the_lead_guest_holds_the_booking() {
    let stub = StubServer::start([ok(&booking())]).await;
    let stay = done(hotelbeds(&stub).book(&request()).await);
    let asked = stub.only();
    assert_eq!(asked.line, format!("POST {BOOKINGS}"));
    assert!(asked.headers.contains(SIGNATURE));
    let adult = |room: u16, name: &str| json!({"roomId": room, "type": "AD", "name": name, "surname": "Lee"});
    assert_eq!(
        asked.body,
        json!({
            "holder": {"name": "Ann", "surname": "Lee"},
            "clientReference": REFERENCE,
            "remark": "late arrival",
            "rooms": [
                {"rateKey": "key-couples", "paxes": [adult(1, "Ann"), adult(1, "Bob"), adult(2, "Eve"), adult(2, "Finn")]},
                {"rateKey": "key-family", "paxes": [
                    adult(1, "Cleo"),
                    {"roomId": 1, "type": "CH", "age": 7, "name": "Dan", "surname": "Lee"}
                ]}
            ]
        })
    );
    insta::assert_snapshot!("hotelbeds_booked", brief::stay(&stay));
    assert_eq!(
        stay.voucher_texts[0],
        "Payable through HOTELBEDS PRODUCT,S.L.U., acting as agent for the service operating company, details of which \
         can be provided upon request. VAT: ESB38877676 Reference: 207-12306403"
    );
    // Our key is in their answers.
    assert!(!stay.raw.text().contains("hb_key"), "{}", stay.raw.text());
    assert_eq!(stay.raw.tree()["holder"]["surname"], "LEE");
}

#[tokio::test]
async fn an_order_at_another_price_is_told_as_it_stands() {
    let dictated = StayRequest {
        supplier_context: supplier_context(json!([["key-couples", 2], ["key-family", 1]]), "20.00"),
        total: money("420.00"),
        ..request()
    };
    for (charged, total) in [
        (json!(400), "420.00"),
        (json!("405.5"), "425.50"),
        (json!(380.00), "400.00"),
        (serde_json::from_str("4e2").unwrap(), "420.00"),
        // What nobody can read does not hide it: it costs what it was sold for.
        (Value::Null, "420.00"),
        (json!("four hundred"), "420.00"),
        (json!("-400.00"), "420.00"),
    ] {
        let body = booking_with(&[("totalNet", charged.clone())], &[("totalNet", charged.clone())]);
        let stub = StubServer::start([ok(&body)]).await;
        let stay = done(hotelbeds(&stub).book(&dictated).await);
        assert_eq!(stay.total, money(total), "{charged}");
    }
    let dollars = || vec![("currency", json!("USD"))];
    for (of_booking, of_hotel) in
        [(vec![("totalNet", json!(400.01))], vec![]), (dollars(), vec![]), (dollars(), dollars())]
    {
        let stub = StubServer::start([ok(&booking_with(&of_booking, &of_hotel))]).await;
        // It is sold all the same, at what it was sold for.
        let stay = done(hotelbeds(&stub).book(&dictated).await);
        assert_eq!(stay.total, money("420.00"), "{of_booking:?} {of_hotel:?}");
    }
}

#[tokio::test]
async fn each_fault_of_a_booking_has_its_end_and_is_sent_once() {
    for (act, expected) in [
        (error(EXPIRED), "expired"),
        (error("500 PRODUCT_ERROR Insufficient allotment"), "gone"),
        (error("500 PRODUCT_ERROR Price has changed: Unable to book"), "price changed"),
        (error("500 PRODUCT_ERROR Booking confirmation error 207-12306403"), "unknown"),
        (error("500 SYSTEM_ERROR Internal server error"), "unknown"),
        (error("503 PRODUCT_ERROR Insufficient allotment"), "unknown"),
        (error("500 CONFIGURATION_ERROR This apikey is not associated"), "unavailable"),
        (reply(401, r#"{"error":"Request signature verification failed"}"#), "unavailable"),
        (reply(403, r#"{"error":"Access to this API has been disallowed"}"#), "unavailable"),
        (reply(429, ""), "unavailable"),
        (reply(500, "<h1>no</h1>"), "unknown"),
        (reply(504, ""), "unknown"),
        (reply(404, ""), "unknown"),
        (reply(200, ""), "unknown"),
        (reply(200, r#"{"booking":{}}"#), "unknown"),
        (Reply::Cut(200, booking().to_string()), "unknown"),
        (Reply::Hang, "unknown"),
        (Reply::Silence, "unknown"),
    ] {
        let stub = StubServer::start([act.clone()]).await;
        let answer = hotelbeds(&stub).book(&request()).await;
        assert_eq!(ending(&answer), expected, "{act:?}");
        assert_eq!(stub.requests().len(), 1, "{act:?}");
        assert!(!format!("{answer:?}").contains("hb_"), "{answer:?}");
    }
    assert_eq!(ending(&hotelbeds(&StubServer::nobody().await).book(&request()).await), "unavailable");
}

#[tokio::test]
async fn what_was_not_priced_so_is_not_sent() {
    let mut fewer = request();
    fewer.rooms.pop();
    let mut other = request();
    other.rooms[1].token = "key-couples".to_owned();
    let mut ageless = request();
    ageless.rooms[1].guests[1].age = None;
    let forgotten = StayRequest { supplier_context: json!({}), ..request() };
    for request in [fewer, other, ageless, forgotten] {
        let stub = StubServer::start([]).await;
        assert_eq!(ending(&hotelbeds(&stub).book(&request).await), "refused");
        assert_eq!(stub.requests().len(), 0);
    }
}

#[test]
fn names_are_no_longer_than_they_take_them() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let hotelbeds = runtime.block_on(async { hotelbeds(&StubServer::nobody().await) });
    let mut rooms = request().rooms;
    rooms[0].guests[1].first_name = "é".repeat(50);
    assert!(hotelbeds.check_rooms(&rooms).is_empty());
    rooms[0].guests[1].first_name = "é".repeat(51);
    rooms[2].guests[0].last_name = "x".repeat(51);
    assert_eq!(
        hotelbeds.check_rooms(&rooms).to_string(),
        "{rooms[0].guests[1].first_name must have at most 50 characters} \
         {rooms[2].guests[0].last_name must have at most 50 characters}"
    );
}

fn listing(listed: &[(&str, &str)], total: u32) -> Reply {
    let listed: Vec<Value> = listed
        .iter()
        .map(|(reference, ours)| json!({"reference": reference, "clientReference": ours, "status": "CONFIRMED"}))
        .collect();
    ok(&json!({"bookings": {"bookings": listed, "from": 1, "to": 25, "total": total}}))
}

#[tokio::test]
async fn a_booking_is_found_by_our_reference_among_those_of_its_day() {
    let stub = StubServer::start([
        listing(&[("1-1", "HTL-7K2M9Q4X-2"), ("207-12306403", &REFERENCE.to_lowercase())], 2),
        ok(&booking()),
    ])
    .await;
    let stay = done(find(&hotelbeds(&stub), None, &request()).await).unwrap();
    assert_eq!((stay.id.as_str(), stay.total), ("207-12306403", money("400.00")));
    assert_eq!(
        stub.lines(),
        [
            format!(
                "GET {BOOKINGS}?clientReference={REFERENCE}&filterType=CHECKIN&status=ALL&start=2026-04-30&end=2026-05-02&from=1&to=25"
            ),
            format!("GET {BOOKINGS}/207-12306403"),
        ]
    );
    let other = ("1-1", "HTL-AAAAAAAA-1");
    for (act, expected) in [
        (listing(&[], 0), "none"),
        (listing(&[other], 1), "none"),
        (ok(&json!({"bookings": {"total": 0}})), "none"),
        (ok(&json!({"bookings": {}})), "unknown"),
        (ok(&json!({"auditData": {}})), "unknown"),
        (listing(&[other], 26), "unknown"),
        (listing(&[("1-1", REFERENCE), ("1-2", REFERENCE)], 2), "unknown"),
        (error("500 SYSTEM_ERROR Internal"), "unknown"),
        (error("400 INVALID_DATA start"), "unknown"),
        (reply(429, ""), "unavailable"),
        (Reply::Hang, "unknown"),
    ] {
        let stub = StubServer::start([act.clone()]).await;
        assert_eq!(finding(&find(&hotelbeds(&stub), None, &request()).await), expected, "{act:?}");
    }
}

#[tokio::test]
async fn a_booking_is_found_by_its_own_reference_if_it_is_ours() {
    let theirs = booking_with(&[("clientReference", json!("HTL-AAAAAAAA-1"))], &[]);
    let swapped = booking_with(&[("reference", json!("1-1"))], &[]);
    for (act, expected) in [
        (ok(&booking()), "found"),
        (ok(&booking_with(&[("clientReference", json!(null))], &[])), "found"),
        (ok(&theirs), "unknown"),
        (ok(&swapped), "unknown"),
        (error(ABSENT), "none"),
        (error("404 INVALID_DATA No such page"), "unknown"),
        (reply(404, ""), "unknown"),
        (Reply::Silence, "unknown"),
    ] {
        let stub = StubServer::start([act.clone()]).await;
        let answer = find(&hotelbeds(&stub), Some("207-12306403"), &request()).await;
        assert_eq!(finding(&answer), expected, "{act:?}");
        assert_eq!(stub.only().line, format!("GET {BOOKINGS}/207-12306403"));
    }
    let stub = StubServer::start([]).await;
    assert_eq!(ending(&find(&hotelbeds(&stub), Some("207-1?x"), &request()).await), "unknown");
    assert_eq!(stub.requests().len(), 0);
}

#[tokio::test]
async fn a_cancelled_booking_is_told_at_the_price_that_was_agreed() {
    let stub = StubServer::start([ok(&cancelled(&json!(0)))]).await;
    let stay = done(find(&hotelbeds(&stub), Some("207-12306403"), &request()).await).unwrap();
    assert_eq!((stay.status, stay.total), (OrderStatus::Cancelled, money("400.00")));
    let unheard_of = booking_with(&[("status", json!("ON_REQUEST"))], &[]);
    let stub = StubServer::start([ok(&unheard_of)]).await;
    let stay = done(find(&hotelbeds(&stub), Some("207-12306403"), &request()).await).unwrap();
    assert_eq!(stay.status, OrderStatus::Pending);
}

#[tokio::test]
async fn the_number_of_a_hotels_own_supplier_is_the_confirmation() {
    let mut body = booking();
    body["booking"]["hotel"]["rooms"][0]["supplierReference"] = json!("16923904M-MJ");
    body["booking"]["hotel"]["rooms"][1]["supplierReference"] = json!("16923904M-MJ");
    let stub = StubServer::start([ok(&body)]).await;
    let stay = done(hotelbeds(&stub).book(&request()).await);
    assert_eq!(stay.confirmation, "16923904M-MJ");
}

#[tokio::test]
async fn a_refusal_has_their_words() {
    let stub = StubServer::start([error("500 PRODUCT_ERROR Insufficient allotment")]).await;
    assert_eq!(
        hotelbeds(&stub).book(&request()).await,
        refused(RefusalKind::Gone, "PRODUCT_ERROR", "Insufficient allotment")
    );
}
