//! What agencies say beside what they want: it goes to the audit log and to suppliers that read it, without names.

use serde_json::{Value, json};
use wayfare_tests::{Person, Seller, World, WorldOptions, one_way};

/// What is said, and what is left of it.
const SAID: &str = "flight moved; tell RAO at rao@home.example or 9812345678";
const SCRUBBED: &str = "flight moved; tell [removed] at [removed] or [removed]";

/// A booking at TripJack of somebody of this name.
async fn bought(agent: &Person) -> String {
    let trip = one_way("DEL", "BOM");
    let mut order = agent.order(&agent.quote_dearest(&trip).await, &trip);
    order["passengers"][0]["last_name"] = json!("Rao");
    agent.book(&order).await.ok()["booking_ref"].as_str().unwrap().to_owned()
}

async fn world() -> (World, Person) {
    let world = World::with(WorldOptions::of([Seller::tripjack()]).frozen()).await;
    let agent = world.agent("5000000").await;
    (world, agent)
}

/// What goes with the cancellations of orders.
async fn sent(world: &World) -> Vec<String> {
    let query = "select coalesce(request->>'remarks', '-') from effects where kind = 'cancel' order by 1";
    world.lines(query).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_remark_of_a_cancellation_goes_with_the_amendment() {
    let (world, agent) = world().await;
    for body in [json!({ "remarks": SAID }), json!({})] {
        let reference = bought(&agent).await;
        let path = format!("/flights/bookings/{reference}/cancel");
        agent.post(&path, &body).await.says(200, "booking cancelled");
    }
    assert_eq!(sent(&world).await, ["-", SCRUBBED]);
    let journal = "select coalesce(new_value->>'remarks', '-') from events \
                   where action = 'booking.cancel_requested' order by 1";
    assert_eq!(world.lines(journal).await, ["-", SCRUBBED]);
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_remark_of_a_rescheduling_goes_to_the_log_and_with_the_amendment_of_the_original() {
    let (world, agent) = world().await;
    let reference = bought(&agent).await;
    let path = |what: &str| format!("/flights/bookings/{reference}/{what}");
    let day = (world.now() + chrono::Duration::days(44)).date_naive();
    let journey = json!({ "origin": "del", "destination": "Bom", "new_date": day, "remarks": SAID });
    let found = agent.post(&path("reschedule-avail"), &journey).await.ok();
    let body = json!({ "fare_keys": [found[0]["fare_key"]], "remarks": SAID });
    agent.post(&path("reschedule"), &body).await.says(200, "booking rescheduled");
    assert_eq!(sent(&world).await, [SCRUBBED]);
    let journal = "select new_value->>'remarks' from events \
                   where action = 'booking.requested' and new_value ? 'remarks'";
    assert_eq!(world.lines(journal).await, [SCRUBBED]);
    world.books_agree().await;
}

/// Each field in which something is said in people's own words, with a body that has it.
fn bodies() -> Vec<(&'static str, Value, &'static str)> {
    let card = "4111 1111 1111 1111";
    let seat = json!({ "type": "SEAT", "code": "1A", "pax_ref": 1, "segment_id": "s1", "name": card });
    let guest = json!({ "type": "adult", "first_name": "Sita", "last_name": "Rao" });
    let stay = json!({
        "price_id": "x", "hotel_id": "liteapi:lp1", "check_in": "2027-02-10", "check_out": "2027-02-11",
        "rooms": [{ "room_id": "a", "rate_id": "b", "guests": [guest] }],
        "contact": { "first_name": "S", "last_name": "R", "email": "a@b.example", "phone": "98123456" },
        "remarks": card,
    });
    let package = json!({ "name": "A", "markup_type": "flat", "markup_value": 1, "description": card });
    let label = json!({ "name": card, "markup_type": "flat", "markup_value": 1 });
    vec![
        ("/flights/bookings/FA-00000000/cancel", json!({ "remarks": card }), "remarks"),
        ("/flights/bookings/FA-00000000/ssr", json!({ "ssr": [seat] }), "ssr[0].name"),
        (
            "/flights/bookings/FA-00000000/reschedule",
            json!({ "fare_keys": ["x"], "remarks": card }),
            "remarks",
        ),
        (
            "/flights/bookings/FA-00000000/reschedule-avail",
            json!({ "origin": "DEL", "destination": "BOM", "new_date": "2027-02-10", "remarks": card }),
            "remarks",
        ),
        ("/hotels/book", stay, "remarks"),
        ("/hotels/bookings/HTL-00000000/cancel", json!({ "reason": card }), "reason"),
        ("/org/packages", package.clone(), "description"),
        ("/org/hotel-packages", package, "description"),
        ("/org/packages", label, "name"),
        (
            "/org/wallet/topup/00000000-0000-7000-8000-000000000000",
            json!({ "amount": 1, "description": card }),
            "description",
        ),
        ("/org/webhooks", json!({ "url": "https://a.example/hook", "description": card }), "description"),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_number_is_refused_in_each_field_of_free_text() {
    let (world, _, admin) = World::start().await.and_admin("0").await;
    for (path, body, field) in bodies() {
        let refused = admin.post(path, &body).await;
        refused.is_invalid(&format!("{{{field} must not contain a card number}}"));
        assert!(!refused.text.contains("4111"), "{}", refused.text);
        let harmless = body.to_string().replace("4111 1111 1111 1111", "4111 1111 1111 1112");
        let taken = admin.post(path, &serde_json::from_str(&harmless).unwrap()).await;
        assert!(!taken.text.contains("card number"), "{path}: {}", taken.text);
    }
    world.books_agree().await;
}
