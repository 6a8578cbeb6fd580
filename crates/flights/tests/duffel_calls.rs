//! Duffel's calls over real sockets: what is sent, and what each way a call can end means for us.

use std::time::Duration;

use crate::duffel_bodies::*;
use crate::{answers, brief};
use serde_json::{Value, json};
use wayfare_domain::{OrderStatus, Party, TicketStatus};
use wayfare_flights::duffel::Duffel;
use wayfare_flights::{FlightSupplier, OrderMode};
use wayfare_stub_server::{Reply, reply};
use wayfare_supply::{Answer, Refusal, RefusalKind, SupplierHttp};

#[tokio::test]
async fn an_offer_is_priced_with_what_must_be_remembered() {
    let stub = duffel_stub([reply(200, answer(&offer("off_1", &[flight("LHR", "EDI")])))]).await;
    let priced = done(duffel(&stub).price(&["off_1"], PARTY).await);
    assert_eq!(priced.offers[0].token, "off_1");
    assert_eq!(priced.expires_at, "2026-03-01T12:20:00Z".parse().ok());
    assert_eq!(priced.supplier_context, booking(OrderMode::Instant).supplier_context);
    assert_eq!(priced.ancillary_catalog["rules"]["fees"][0]["kind"], "cancellation");
    assert_eq!(stub.only().line, "GET /air/offers/off_1?return_available_services=true");
    let [seat_maps] = &stub.side_requests()[..] else { panic!() };
    assert_eq!(seat_maps.line, "GET /air/seat_maps?offer_id=off_1");
}

#[tokio::test]
async fn an_offer_that_cannot_be_bought_is_refused_with_its_kind() {
    use RefusalKind::{Expired, Gone};
    let one = offer("off_1", &[flight("LHR", "EDI")]);
    let ended = with(one.clone(), &[("/expires_at", json!("2026-03-01T12:00:00Z"))]);
    let stub = duffel_stub([reply(200, answer(&ended))]).await;
    let refused = Answer::Refused(Refusal::of(Expired, "the offer has expired"));
    assert_eq!(duffel(&stub).price(&["off_1"], PARTY).await, refused);
    let stub = duffel_stub([reply(200, answer(&one))]).await;
    let others = Party { adults: 3, children: 1, infants: 0 };
    let refused = Answer::Refused(Refusal::new("the offer is for other passengers"));
    assert_eq!(duffel(&stub).price(&["off_1"], others).await, refused);
    let refused = Answer::Refused(Refusal::of(Gone, "there is no such offer"));
    assert_eq!(duffel(&stub).price(&["../orders"], PARTY).await, refused);
    assert_eq!(stub.requests().len(), 1, "a token that is none is not sent");
}

#[tokio::test]
async fn an_instant_order_is_paid_from_the_balance_and_carries_our_reference() {
    let stub = duffel_stub([reply(201, answer(&order()))]).await;
    let made = done(duffel(&stub).book(&booking(OrderMode::Instant)).await);

    let asked = stub.only();
    assert_eq!(asked.line, "POST /air/orders");
    let passenger = |id: &str, index: u32, title: &str, gender: &str, born: &str| {
        json!({
            "id": id, "title": title, "given_name": format!("Name{index}"), "family_name": "Rao", "gender": gender,
            "born_on": born, "email": "a@b.example", "phone_number": "+919812345678",
        })
    };
    let mut holder = passenger("pas_2", 2, "dr", "f", "1991-01-02");
    holder["infant_passenger_id"] = json!("pas_4");
    let expected = json!({"data": {
        "type": "instant",
        "selected_offers": ["off_1"],
        "payments": [{"type": "balance", "amount": "130.30", "currency": "GBP"}],
        "metadata": {"reference": "FA-7K2M9Q4X-1"},
        "passengers": [
            passenger("pas_1", 1, "mr", "m", "1990-01-02"),
            holder,
            passenger("pas_3", 3, "mr", "m", "2018-01-02"),
            passenger("pas_4", 4, "miss", "f", "2025-06-02"),
        ],
    }});
    assert_eq!(asked.body, expected);

    assert_eq!(*made.raw.tree(), order());
    insta::assert_snapshot!("duffel_order", brief::order(&made));
}

#[tokio::test]
async fn a_hold_is_made_without_payment_and_tells_its_deadlines() {
    let held = with(
        order(),
        &[
            ("/documents", json!([])),
            ("/booking_references", json!([])),
            (
                "/payment_status",
                json!({
                    "awaiting_payment": true,
                    "payment_required_by": "2026-03-04T12:00:00Z",
                    "price_guarantee_expires_at": "2026-03-02T12:00:00Z",
                }),
            ),
        ],
    );
    let stub = duffel_stub([reply(201, answer(&held))]).await;
    let made = done(duffel(&stub).book(&booking(OrderMode::Hold)).await);
    let body = &stub.only().body["data"];
    assert_eq!((&body["type"], body.get("payments")), (&json!("hold"), None));
    // Without another name the order's own is the airline's.
    insta::assert_snapshot!("duffel_hold", brief::order(&made));
}

#[tokio::test]
async fn the_state_of_an_order_is_told_by_its_payment_and_its_documents() {
    let payment = |awaits: bool, by: Option<&str>, paid: Option<&str>| json!({"awaiting_payment": awaits, "payment_required_by": by, "paid_at": paid});
    let (past, future) = (Some("2026-03-01T11:00:00Z"), Some("2026-03-02T11:00:00Z"));
    let none = json!([]);
    for (payment, documents, expected) in [
        (payment(false, None, None), &none, OrderStatus::Confirmed),
        (payment(true, past, None), &none, OrderStatus::Held),
        (payment(true, future, None), &none, OrderStatus::Held),
        // Nobody paid in time, and Duffel says no more than that no payment is awaited.
        (payment(false, past, None), &none, OrderStatus::Cancelled),
        (payment(false, future, None), &none, OrderStatus::Confirmed),
        (payment(false, past, past), &none, OrderStatus::Confirmed),
        (payment(false, past, None), &order()["documents"], OrderStatus::Confirmed),
    ] {
        let changed =
            with(order(), &[("/payment_status", payment.clone()), ("/documents", documents.clone())]);
        let stub = duffel_stub([reply(201, answer(&changed))]).await;
        assert_eq!(done(duffel(&stub).book(&booking(OrderMode::Hold)).await).status, expected, "{payment}");
    }
    for (cancelled_at, status) in
        [("2026-03-01T12:30:00Z", TicketStatus::Voided), ("2026-03-01T13:30:00Z", TicketStatus::Refunded)]
    {
        let mut changed = with(order(), &[("/cancelled_at", json!(cancelled_at))]);
        changed["void_window_ends_at"] = json!("2026-03-01T13:00:00Z");
        let stub = duffel_stub([reply(201, answer(&changed))]).await;
        let made = done(duffel(&stub).book(&booking(OrderMode::Instant)).await);
        assert_eq!(made.status, OrderStatus::Cancelled);
        assert!(made.tickets.iter().all(|ticket| ticket.status == status));
    }
}

#[tokio::test]
async fn a_price_that_fell_is_paid_as_it_is_now_and_one_that_rose_is_not() {
    let now = |amount: &str| {
        let offer = offer("off_1", &[flight("LHR", "EDI")]);
        reply(200, answer(&with(offer, &[("/total_amount", json!(amount))])))
    };
    let moved = || reply(422, error("airline_error", "price_changed", "Other."));
    let stub = duffel_stub([moved(), now("120.10"), reply(201, answer(&order()))]).await;
    let made = done(duffel(&stub).book(&booking(OrderMode::Instant)).await);
    assert_eq!(made.id, "ord_1");
    let asked = stub.requests();
    assert_eq!(asked[2].body["data"]["payments"][0]["amount"], "120.10");
    assert_eq!(asked[2].body["data"]["metadata"], asked[0].body["data"]["metadata"]);

    // Dearer, in another currency, not told, and moved once more.
    let silent = || reply(503, error("api_error", "unavailable", "Later."));
    let pounds = offer("off_1", &[flight("LHR", "EDI")]);
    let euros = with(pounds, &[("/total_amount", json!("1.00")), ("/total_currency", json!("EUR"))]);
    for (then, count) in [
        (vec![now("140.50")], 2),
        (vec![reply(200, answer(&euros))], 2),
        (vec![silent()], 2),
        (vec![now("120.10"), moved()], 3),
    ] {
        let stub = duffel_stub(std::iter::once(moved()).chain(then)).await;
        let refused = answers::refused(RefusalKind::PriceChanged, "price_changed", "Other.");
        assert_eq!(duffel(&stub).book(&booking(OrderMode::Instant)).await, refused);
        assert_eq!(stub.requests().len(), count);
    }
    // The second order may stand although nobody answered: that is no refusal.
    let cut = reply(200, "{".to_owned());
    let stub = duffel_stub([moved(), now("120.10"), cut]).await;
    is_unknown(duffel(&stub).book(&booking(OrderMode::Instant)).await, "");
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    for status in [301, 302, 303, 307, 308] {
        let act = || Reply::WithHeader(status, "location: /elsewhere".to_owned(), String::new());
        let stub = duffel_stub([act()]).await;
        assert!(matches!(duffel(&stub).price(&["off_1"], PARTY).await, Answer::Unknown(_)), "{status}");
        assert_eq!(stub.requests().len(), 1, "{status}");
        let stub = duffel_stub([act()]).await;
        is_unknown(duffel(&stub).book(&booking(OrderMode::Instant)).await, status);
        assert_eq!(stub.requests().len(), 1, "{status}");
    }
}

#[tokio::test]
async fn an_answer_without_end_is_not_kept() {
    let stub = duffel_stub([reply(200, " ".repeat(65 * 1024 * 1024))]).await;
    let config = config(&stub, TOKEN).with(|config| config.read_deadline = Duration::from_secs(60));
    let duffel = Duffel::new(SupplierHttp::new(config, clock()).unwrap());
    let Answer::Unknown(reason) = duffel.price(&["off_1"], PARTY).await else { panic!() };
    assert_eq!(reason, "the answer is too large");
}

#[tokio::test]
async fn an_unreadable_order_names_the_field() {
    let mut nameless = order();
    nameless.as_object_mut().unwrap().remove("total_amount");
    let stub = duffel_stub([reply(201, answer(&nameless))]).await;
    // What it was sold for hides no order.
    let made = done(duffel(&stub).book(&booking(OrderMode::Instant)).await);
    assert_eq!(made.total, booking(OrderMode::Instant).due().unwrap());
    let awaits = with(order(), &[("/payment_status/awaiting_payment", json!("no"))]);
    let stub = duffel_stub([reply(201, answer(&awaits))]).await;
    let Answer::Unknown(reason) = duffel(&stub).book(&booking(OrderMode::Instant)).await else { panic!() };
    assert!(reason.contains("payment_status.awaiting_payment"), "{reason}");
}

#[tokio::test]
async fn travellers_that_do_not_fit_the_offer_are_refused_before_anything_is_sent() {
    let stub = duffel_stub([]).await;
    let mut request = booking(OrderMode::Instant);
    request.travellers.remove(2);
    let refused = |text: &str| Answer::Refused(Refusal::new(text));
    assert_eq!(duffel(&stub).book(&request).await, refused("the offer is for 4 and not 3"));
    let mut request = booking(OrderMode::Instant);
    request.travellers[2].kind = wayfare_domain::PassengerType::Adult;
    let text = "the offer has no place for traveller 3 (ADT)";
    assert_eq!(duffel(&stub).book(&request).await, refused(text));
    request.supplier_context = Value::Null;
    assert!(matches!(duffel(&stub).book(&request).await, Answer::Refused(_)));
    assert!(stub.requests().is_empty());
}

#[tokio::test]
async fn an_infant_that_nobody_is_named_for_goes_to_the_first_adult() {
    let stub = duffel_stub([reply(201, answer(&order()))]).await;
    let mut request = booking(OrderMode::Instant);
    request.travellers[3].held_by = None;
    done(duffel(&stub).book(&request).await);
    assert_eq!(stub.only().body["data"]["passengers"][0]["infant_passenger_id"], "pas_4");
}
