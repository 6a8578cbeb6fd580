//! Names as telephones type them, as airlines spell them back, and as people type them again.

use serde_json::{Value, json};
use wayfare_tests::{MONEY, Person, Seller, Trip, World, WorldOptions, amount, money, one_way};

async fn world_of(seller: Seller) -> (World, Person) {
    let (world, _, agent) = World::with(WorldOptions::of([seller]).frozen()).await.and_agent(MONEY).await;
    (world, agent)
}

/// A booking of these people, given and family name and type.
async fn order(agent: &Person, trip: &Trip, names: &[(&str, &str)]) -> Value {
    let mut order = agent.order(&agent.quote(trip).await, trip);
    order["allow_duplicate"] = json!(false);
    for (passenger, (first, last)) in order["passengers"].as_array_mut().unwrap().iter_mut().zip(names) {
        passenger["first_name"] = json!(first);
        passenger["last_name"] = json!(last);
    }
    order
}

/// The references of the bookings that this text finds.
async fn found(agent: &Person, q: &str) -> Vec<String> {
    let q = q.replace(' ', "%20").replace('\'', "%27");
    let found = agent.get(&format!("/flights/bookings?q={q}")).await.ok();
    let items = found["data"].as_array().or(found.as_array()).unwrap();
    items.iter().map(|item| item["booking_ref"].as_str().unwrap().to_owned()).collect()
}

/// Whose the tickets are.
fn owners(booking: &Value) -> Vec<&Value> {
    booking["tickets"].as_array().unwrap().iter().map(|ticket| &ticket["pax_id"]).collect()
}

/// The kinds of the incidents that are open.
async fn incidents(world: &World) -> String {
    world.lines("select kind from exceptions where closed_at is null order by kind").await.join(",")
}

#[tokio::test(flavor = "multi_thread")]
async fn an_airline_that_spells_names_otherwise_has_sold_them_all_the_same() {
    let (world, agent) = world_of(Seller::tripjack()).await;
    let names = [
        ("Siobh\u{e1}n", "O\u{2019}Brien\u{2011}Smith"),
        ("Jos\u{e9}", "D\u{2bc}Arcy"),
        ("Anne  Marie", "M\u{fc}ller"),
    ];
    for (how, airline) in [("airline", "6E"), ("joined", "AI"), ("exchanged", "6E"), ("cut", "AI")] {
        let trip = one_way("DEL", "BOM").party(2, 1, 0).by(airline);
        world.next_times_at("tripjack", "lookup", &format!("respells:{how}"), 50).await;
        let mut wanted = order(&agent, &trip, &names).await;
        wanted["allow_duplicate"] = json!(true);
        let before = agent.balance().await;
        let booked = agent.book(&wanted).await.ok();
        assert_eq!(booked["status"], "CONFIRMED", "{how}");
        assert_eq!(agent.balance().await, before - amount(&booked["total_amount"]), "{how}");
        assert!(world.held().await.is_zero(), "{how}");
        let reference = booked["booking_ref"].as_str().unwrap();
        let booking = agent.booking(reference).await;
        assert_eq!(owners(&booking), ["1", "2", "3"], "{how}");
        assert_has!(booking["passengers"], { "0/last_name": "O'Brien-Smith", "2/first_name": "Anne Marie" });
        // What is looked at after the sale is seen, too.
        let retrieved = agent.get(&format!("/flights/bookings/{reference}/retrieve")).await.ok();
        assert_eq!(retrieved["provider"]["status"], "confirmed", "{how}: {retrieved}");
        world.all_is_well().await;
        assert_eq!(incidents(&world).await, "", "{how}");
    }
    for q in [
        "O'Brien-Smith/Siobhan",
        "o%E2%80%99brien%20smith/siobh%C3%A1n",
        "OBRIENSMITH/SIOBHAN MRS",
        "Siobhan/O'Brien-Smith",
        "MUELLER/ANNEMARIE",
    ] {
        assert_eq!(found(&agent, q).await.len(), 4, "{q}");
    }
    world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whom_nobody_can_tell_gets_no_ticket_by_guess_and_the_operator_is_told() {
    let (world, agent) = world_of(Seller::tripjack()).await;
    world.next_times_at("tripjack", "lookup", "respells:initials", 50).await;
    let names = ["Anil", "Amit", "Ravi"].map(|first| (first, "Sharma"));
    let mut wanted = order(&agent, &one_way("DEL", "BOM").party(3, 0, 0), &names).await;
    for passenger in wanted["passengers"].as_array_mut().unwrap() {
        passenger["title"] = json!("Mr");
        passenger["gender"] = json!("M");
    }
    let booked = agent.book(&wanted).await.ok();
    assert_eq!(booked["status"], "CONFIRMED");
    assert_eq!(agent.balance().await, money() - amount(&booked["total_amount"]));
    let reference = booked["booking_ref"].as_str().unwrap();
    let booking = agent.booking(reference).await;
    assert_eq!(owners(&booking), ["3", "", ""]);
    assert!(booking["tickets"].as_array().unwrap().iter().all(|ticket| ticket["tkt_number"] != ""));
    assert_eq!(incidents(&world).await, "travellers_unclear");
    let order_id = &booking["pnr_details"][0]["supplier_ref"];
    let details: Value = world.line("select details::text from exceptions").await.parse().unwrap();
    assert_eq!(details, json!({ "order_id": order_id, "travellers": [1, 2] }));
    // Once it is told who is who, they have their tickets, and nothing is raised again.
    world.all_is_well().await;
    agent.get(&format!("/flights/bookings/{reference}/retrieve")).await.ok();
    assert_eq!(owners(&agent.booking(reference).await), ["1", "2", "3"]);
    assert_eq!(world.line("select count(*)::text from exceptions").await, "1");
    world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_people_in_other_letters_are_a_duplicate() {
    let (world, agent) = world_of(Seller::duffel()).await;
    let trip = one_way("DEL", "BOM");
    let booked = agent.book(&order(&agent, &trip, &[("Ana Mar\u{ed}a", "O'Neil-Smith")]).await).await.ok();
    for (given, family) in [
        ("Ana  Maria", "O'Neil-Smith"),
        ("Ana Mar\u{ed}a", "ONeil Smith"),
        ("ANAMARIA", "O\u{2019}Neil Smith"),
        ("O'Neil-Smith", "Ana Maria"),
        ("Ana", "Maria O'Neil-Smith"),
        ("Ana Mari\u{301}a", "O'Neil\u{2010}Smith"),
    ] {
        let refused = agent.book(&order(&agent, &trip, &[(given, family)]).await).await;
        assert_eq!(refused.status, 409, "{given} {family}: {}", refused.json());
        assert_eq!(refused.json()["data"]["booking_ref"], booked["booking_ref"], "{given} {family}");
    }
    agent.book(&order(&agent, &trip, &[("Anna Mar\u{ed}a", "O'Neil-Smith")]).await).await.ok();
    assert_eq!(world.supplier_orders().await.len(), 2);
    world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_one_name_is_found_however_it_is_typed() {
    let (world, agent) = world_of(Seller::duffel()).await;
    let trip = one_way("DEL", "BOM");
    let booked = agent.book(&order(&agent, &trip, &[("Mira", "")]).await).await.ok();
    let reference = booked["booking_ref"].as_str().unwrap();
    agent.book(&order(&agent, &trip, &[("Mira", "Rao")]).await).await.ok();
    for q in ["MIRA", "/MIRA", "MIRA/", "MIRA/MIRA", "mira", "Mira/ FNU", "m%C3%ACra"] {
        assert_eq!(found(&agent, q).await, [reference], "{q}");
    }
    for q in ["MIRAB", "/RAO", "RAO/", "MIR"] {
        assert!(found(&agent, q).await.is_empty(), "{q}");
    }
    world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn letters_that_a_supplier_cannot_write_are_asked_for_before_anything_is_held() {
    for (seller, orders) in [(Seller::tripjack(), 1), (Seller::duffel(), 1)] {
        let (world, agent) = world_of(seller).await;
        let trip = one_way("DEL", "BOM");
        for name in [
            "\u{738b}\u{5c0f}\u{660e}",
            "\u{41c}\u{430}\u{440}\u{438}\u{44f}",
            "\u{645}\u{62d}\u{645}\u{62f}",
            "\u{930}\u{93e}\u{92e}",
        ] {
            let mut wanted = order(&agent, &trip, &[(name, "Wang")]).await;
            let text = "must be in Latin letters for this supplier, as the passport spells it";
            agent.book(&wanted).await.is_invalid(&format!("{{passengers[0].first_name {text}}}"));
            wanted = order(&agent, &trip, &[("Wang", name)]).await;
            agent.book(&wanted).await.is_invalid(&format!("{{passengers[0].last_name {text}}}"));
        }
        assert_eq!(world.line("select count(*)::text from bookings").await, "0");
        // What can be written otherwise is.
        agent.book(&order(&agent, &trip, &[("J. \u{1ec5}n \u{c6}sa", "St. John")]).await).await.ok();
        assert_eq!(world.supplier_orders().await.len(), orders);
        world.is_settled().await;
    }
}
