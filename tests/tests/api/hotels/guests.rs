//! Who sleeps in which room: children by their ages, and what the hotel is to know of them.

use serde_json::{Value, json};
use wayfare_tests::{FoundStay, Person, Pick, Reply, World, WorldOptions, stay_at};

fn guest(kind: &str, first_name: &str, age: Option<u8>) -> Value {
    json!({ "type": kind, "first_name": first_name, "last_name": "Sharma", "age": age })
}

async fn quoted(agent: &Person, supplier: &'static str, rooms: &[(u8, &[u8])]) -> (FoundStay, Value) {
    let stay = agent.find_stay(&stay_at(supplier).rooms(rooms), Pick::Cheapest).await;
    let order = stay.order(&agent.price_stay(&stay).await.ok());
    (stay, order)
}

async fn book(agent: &Person, order: &Value) -> Reply {
    agent.post("/hotels/book", order).await
}

/// Names and ages of these guests, those without an age with nothing.
fn ages(guests: &Value) -> Vec<(String, Option<u64>)> {
    let guests = guests.as_array().unwrap().iter();
    guests.map(|guest| (guest["first_name"].as_str().unwrap().to_owned(), guest["age"].as_u64())).collect()
}

fn named(guests: &[(&str, Option<u64>)]) -> Vec<(String, Option<u64>)> {
    guests.iter().map(|(name, age)| ((*name).to_owned(), *age)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn children_have_the_ages_that_were_searched_wherever_they_are_told() {
    let world = World::with(WorldOptions::hotels()).await;
    let (world, _, admin, agent) = world.and_people("0", "5000000").await;
    for supplier in ["liteapi", "hotelbeds"] {
        let (stay, mut order) = quoted(&agent, supplier, &[(1, &[9, 4])]).await;
        assert_eq!(stay.rooms[0]["occupancy"]["children_ages"], json!([9, 4]));
        // The smaller one first: not as in the search.
        order["rooms"][0]["guests"] = json!([
            guest("adult", "Sita", None),
            guest("child", "Mira", Some(4)),
            guest("child", "Ravi", None),
        ]);
        let booked = book(&agent, &order).await.succeeds(201);
        let expected = named(&[("Sita", None), ("Mira", Some(4)), ("Ravi", Some(9))]);
        assert_eq!(ages(&booked["reservation"]["rooms"][0]["guests"]), expected);
        let reference = booked["booking_ref"].as_str().unwrap();
        assert_eq!(ages(&agent.stay(reference).await["guests"]), expected);
        let voucher = agent.get(&format!("/hotels/bookings/{reference}/voucher")).await.ok();
        assert_eq!(ages(&voucher["rooms"][0]["guests"]), expected);
        assert_eq!(ages(&agent.get("/hotels/bookings").await.json()["data"][0]["guests"]), expected);
        let kept = admin.get(&format!("/org/bookings/{reference}/people")).await.ok();
        assert_eq!(ages(&kept["people"]["rooms"][0]), expected);
    }
    // What is stored for everybody to read has no ages.
    let stored = world.lines("select product_content::text from bookings").await;
    assert!(stored.iter().all(|stored| !stored.contains("\"age\"")), "{stored:?}");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_age_that_was_not_searched_is_refused_where_it_stands() {
    let (world, _, agent) = World::with(WorldOptions::hotels()).await.and_agent("5000000").await;
    let (_, order) = quoted(&agent, "hotelbeds", &[(1, &[9, 4])]).await;
    for (of_adult, of_children, fault) in [
        (None, [Some(5), Some(9)], "{rooms[0].guests[1].age must be as in the search: 9, 4}"),
        (None, [Some(4), Some(4)], "{rooms[0].guests[2].age must be as in the search: 9, 4}"),
        (None, [Some(18), None], "{rooms[0].guests[1].age must be between 0 and 17}"),
        (Some(30), [None, None], "{rooms[0].guests[0].age must be between 0 and 17}"),
        (Some(9), [None, None], "{rooms[0].guests[0].age is only for a child}"),
    ] {
        let mut order = order.clone();
        order["rooms"][0]["guests"] = json!([
            guest("adult", "Sita", of_adult),
            guest("child", "Mira", of_children[0]),
            guest("child", "Ravi", of_children[1]),
        ]);
        book(&agent, &order).await.is_invalid(fault);
    }
    world.nothing_happened().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rooms_with_children_of_the_same_ages_are_of_one_kind() {
    let (world, _, agent) = World::with(WorldOptions::hotels()).await.and_agent("9000000").await;
    for supplier in ["liteapi", "hotelbeds"] {
        let (stay, mut order) = quoted(&agent, supplier, &[(1, &[9, 4]), (1, &[4, 9])]).await;
        assert_eq!(stay.rooms.len(), 1, "{:?}", stay.rooms);
        assert_eq!(stay.rooms[0]["pricing"]["quantity"], 2);
        for (room, lead) in [(0, "Sita"), (1, "Gita")] {
            order["rooms"][room]["guests"] = json!([
                guest("adult", lead, None),
                guest("child", "Mira", None),
                guest("child", "Ravi", None),
            ]);
        }
        let rooms = &book(&agent, &order).await.succeeds(201)["reservation"]["rooms"];
        // Each room's children in the order in which that room was searched.
        assert_eq!(ages(&rooms[0]["guests"]), named(&[("Sita", None), ("Mira", Some(9)), ("Ravi", Some(4))]));
        assert_eq!(ages(&rooms[1]["guests"]), named(&[("Gita", None), ("Mira", Some(4)), ("Ravi", Some(9))]));
    }
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_hotel_is_told_what_the_agency_says_and_nobody_else_reads_names_in_it() {
    let world = World::with(WorldOptions::hotels()).await;
    let (world, _, admin, agent) = world.and_people("0", "5000000").await;
    let remark = "Mrs Sita Sharma arrives at midnight, call sita@home.example or 9812345678";
    for supplier in ["liteapi", "hotelbeds"] {
        let (_, mut order) = quoted(&agent, supplier, &[(1, &[])]).await;
        order["rooms"][0]["guests"] = json!([guest("adult", "Sita", None)]);
        order["remarks"] = json!(remark);
        let booked = book(&agent, &order).await.succeeds(201);
        let reference = booked["booking_ref"].as_str().unwrap();
        let kept = admin.get(&format!("/org/bookings/{reference}/people")).await.ok();
        assert_eq!(kept["people"]["remarks"], remark);
        let supplier_says = kept["supplier_answers"].to_string();
        assert!(supplier_says.contains(remark), "{supplier_says}");
    }
    let journal = "select new_value->>'remarks' from events where action = 'booking.requested'";
    let scrubbed = "Mrs [removed] [removed] arrives at midnight, call [removed] or [removed]";
    assert_eq!(world.lines(journal).await, [scrubbed, scrubbed]);
    let stored = "select product_content::text || coalesce(failure, '') from bookings \
                  union all select request::text from effects union all select new_value::text from events";
    for stored in world.lines(stored).await {
        assert!(!stored.contains("Sita") && !stored.contains("home.example"), "{stored}");
    }
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancellation_says_that_nobody_told_the_guest_and_why_without_names() {
    let (world, _, agent) = World::with(WorldOptions::hotels()).await.and_agent("5000000").await;
    let bought = agent.buy_stay(&stay_at("liteapi"), Pick::Cheapest).await;
    let path = format!("/hotels/bookings/{}/cancel", bought.reference);
    let body = json!({ "reason": "Asha SHARMA fell ill", "notify_guest": true });
    assert_eq!(agent.post(&path, &body).await.ok()["guest_notified"], false);
    let journal = "select new_value->>'reason' from events where action = 'booking.cancel_requested'";
    assert_eq!(world.lines(journal).await, ["[removed] [removed] fell ill"]);
}
