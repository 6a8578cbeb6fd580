//! Names of guests as telephones type them, and as people type them again.

use serde_json::{Value, json};
use wayfare_tests::{FoundStay, MONEY, Person, Pick, World, WorldOptions, stay_at};

/// A booking of what was found, for one guest of this name, who booked it, too.
async fn order(agent: &Person, stay: &FoundStay, first: &str, last: &str) -> Value {
    let mut order = stay.order(&agent.price_stay(stay).await.ok());
    order["allow_duplicate"] = json!(false);
    for person in ["/rooms/0/guests/0", "/contact"] {
        let person = order.pointer_mut(person).unwrap();
        (person["first_name"], person["last_name"]) = (json!(first), json!(last));
    }
    order
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_is_booked_as_typed_and_the_same_again_is_found_out_in_other_letters() {
    for supplier in ["liteapi", "hotelbeds"] {
        let (world, _, agent) = World::with(WorldOptions::hotels().frozen()).await.and_agent(MONEY).await;
        let stay = agent.find_stay(&stay_at(supplier).rooms(&[(1, &[])]), Pick::Cheapest).await;
        let mut wanted = order(&agent, &stay, "Siobh\u{e1}n", "O\u{2019}Brien\u{2010}Smith").await;
        wanted["remarks"] = json!("Mrs O\u{2019}Brien comes at midnight");
        let booked = agent.post("/hotels/book", &wanted).await.succeeds(201);
        let reference = booked["booking_ref"].as_str().unwrap();
        let shown = agent.get(&format!("/hotels/bookings/{reference}")).await.ok();
        assert_eq!(shown["guests"][0]["last_name"], "O'Brien-Smith", "{supplier}");
        assert_eq!(shown["guests"][0]["first_name"], "Siobh\u{e1}n", "{supplier}");
        for (first, last) in
            [("SIOBHAN", "OBRIEN SMITH"), ("O`Brien-Smith", "Siobhan"), ("Siobh\u{e1}n  O'Brien", "Smith")]
        {
            let refused = agent.post("/hotels/book", &order(&agent, &stay, first, last).await).await;
            assert_eq!(refused.status, 409, "{supplier} {first} {last}: {}", refused.json());
            assert_eq!(refused.json()["data"]["booking_ref"], reference, "{supplier} {first} {last}");
        }
        for q in ["OBRIENSMITH/SIOBHAN", "O%E2%80%99Brien-Smith/Siobh%C3%A1n", "siobhan/o%27brien%20smith"] {
            let found = agent.get(&format!("/hotels/bookings?q={q}")).await.ok();
            assert_eq!(found["data"].as_array().or(found.as_array()).unwrap().len(), 1, "{supplier} {q}");
        }
        // Who has one name has it as both there.
        let booked = agent.post("/hotels/book", &order(&agent, &stay, "Mira", "").await).await.succeeds(201);
        let path = format!("/hotels/bookings/{}", booked["booking_ref"].as_str().unwrap());
        assert_eq!(agent.get(&path).await.ok()["guests"][0]["last_name"], "Mira", "{supplier}");
        for q in ["mira", "/Mira", "MIRA/", "mira/mira"] {
            let found = agent.get(&format!("/hotels/bookings?q={q}")).await.ok();
            let found = found["data"].as_array().or(found.as_array()).unwrap();
            let found: Vec<&Value> = found.iter().map(|one| &one["booking_ref"]).collect();
            assert_eq!(found, [&booked["booking_ref"]], "{supplier} {q}");
        }
        // Hotels write all letters.
        let other = order(&agent, &stay, "\u{5c0f}\u{660e}", "\u{738b}").await;
        agent.post("/hotels/book", &other).await.succeeds(201);
        assert_eq!(world.supplier_orders().await.len(), 3, "{supplier}");
        world.is_settled().await;
    }
}
