//! Bookings of several supplier orders: one booking, one price, one wallet entry, and all of the orders or none.

mod cancellation;
mod expired_holds;
mod faults;
mod rescheduling;
mod split_parties;
mod ticketing;

use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_launch::SupplierKind;
use wayfare_tests::{MONEY, Person, Reply, Seller, World, WorldOptions, amount, money, round_trip, sum};

/// A world in which two suppliers sell halves of domestic trips, with time that stands still.
async fn world() -> World {
    World::with(options()).await
}

fn options() -> WorldOptions {
    WorldOptions::of(["first", "second"].map(|code| Seller::of(code, SupplierKind::TripJack))).frozen()
}

/// The halves of one journey that a supplier sells alone, the dearest first: those give money back.
fn halves(found: &Value, route_index: u64, supplier: &str) -> Vec<Value> {
    let wanted = |offer: &&Value| {
        offer["route_index"] == route_index && offer["type"] == "one_way" && offer["supplier"] == supplier
    };
    found["offers"].as_array().unwrap().iter().rev().filter(wanted).cloned().collect()
}

/// A half by the first supplier and one by the second, priced together: what is paid, and the body of book.
async fn quoted(agent: &Person, party: (u8, u8, u8)) -> (Decimal, Value) {
    let trip = round_trip("DEL", "BOM").party(party.0, party.1, party.2);
    let found = agent.search(&trip).await;
    let (out, back) = (&halves(&found, 0, "first")[0], &halves(&found, 1, "second")[0]);
    let ids = json!({ "offer_ids": [out["offer_id"], back["offer_id"]] });
    let priced = agent.post("/flights/price", &ids).await.ok();
    (amount(&priced["price_summary"]["total_payable"]), agent.order(&priced, &trip))
}

/// The same, of halves that can be held, and held.
async fn quoted_to_hold(agent: &Person) -> (Decimal, Value) {
    let trip = round_trip("DEL", "BOM");
    let found = agent.search(&trip).await;
    let (outs, backs) = (halves(&found, 0, "first"), halves(&found, 1, "second"));
    let (out, back) = (holdable(agent, &outs).await, holdable(agent, &backs).await);
    let ids = json!({ "offer_ids": [out["offer_id"], back["offer_id"]] });
    let priced = agent.post("/flights/price", &ids).await.ok();
    let mut order = agent.order(&priced, &trip);
    order["hold"] = json!(true);
    (amount(&priced["price_summary"]["total_payable"]), order)
}

/// The first of these that can be held. An offer does not say so; that it can't be is found before what is not sold.
async fn holdable<'a>(agent: &Person, halves: &'a [Value]) -> &'a Value {
    for half in halves {
        let priced = agent.price(half["offer_id"].as_str().unwrap()).await.ok();
        let mut order = agent.order(&priced, &round_trip("DEL", "BOM"));
        order["hold"] = json!(true);
        order["passengers"][0]["ancillaries"] =
            json!([{ "type": "OTHER", "code": "nothing", "segment_id": "s1" }]);
        if agent.book(&order).await.text.contains("is not sold with this fare") {
            return half;
        }
    }
    panic!("nothing can be held");
}

/// A world, its agent, a fare of two halves and the booking of them.
async fn bought() -> (World, Person, Decimal, String) {
    let (world, _, agent) = world().await.and_agent(MONEY).await;
    let (fare, order) = quoted(&agent, (1, 0, 0)).await;
    let reference = booked(&agent, &order).await;
    (world, agent, fare, reference)
}

async fn booked(agent: &Person, order: &Value) -> String {
    agent.book(order).await.ok()["booking_ref"].as_str().unwrap().to_owned()
}

/// The states of the suppliers' orders, oldest first.
async fn at_the_suppliers(world: &World) -> Vec<String> {
    world.supplier_orders().await.iter().map(|order| order["status"].as_str().unwrap().to_owned()).collect()
}

async fn exceptions(world: &World) -> Vec<String> {
    world.lines("select kind from exceptions where closed_at is null order by raised_at, id").await
}

/// Lets the second of the next two calls of this kind suffer.
async fn second_suffers(world: &World, call: &str, fault: &str) {
    world.next_at("tripjack", call, "slow:0").await;
    world.next_at("tripjack", call, fault).await;
}

async fn refund_state(agent: &Person, reference: &str) -> Reply {
    agent.post(&format!("/flights/bookings/{reference}/refund-status"), &json!({})).await
}

#[tokio::test(flavor = "multi_thread")]
async fn halves_of_two_suppliers_are_one_booking_of_two_orders() {
    let (world, _, agent) = world().await.and_agent(MONEY).await;
    let (fare, order) = quoted(&agent, (2, 1, 1)).await;
    let booked = agent.book(&order).await.ok();
    assert_answer!("booked", booked);
    assert_eq!(amount(&booked["total_amount"]), fare);
    assert_eq!(sum(&booked["legs"], "gross_amount"), fare);
    let legs = &booked["legs"];
    assert_ne!(legs[0]["provider_pnr"], legs[1]["provider_pnr"]);

    let detail = agent.booking(booked["booking_ref"].as_str().unwrap()).await;
    assert_answer!("detail", detail);
    each_order_has_its_own(&detail);
    let pricing = &detail["pricing"];
    assert_eq!(amount(&pricing["total_payable"]), fare);
    assert_eq!(amount(&pricing["supplier_total"]), fare);
    assert_eq!(sum(&pricing["pax_breakdown"], "total"), fare);

    let listed = agent.get("/flights/bookings").await.json();
    assert_has!(listed, { "meta/total": 1, "data/0/pnr": detail["pnr_details"][0]["pnr"] });
    let ledger = agent.get("/wallet/transactions").await.json();
    assert_eq!(ledger["meta"]["total"], 2, "topped up and booked: {ledger}");
    assert_eq!(agent.balance().await, money() - fare);
    assert_eq!(at_the_suppliers(&world).await, ["confirmed", "confirmed"]);
    let events = "select action from events where entity_type = 'booking' order by action";
    assert_eq!(world.lines(events).await, ["booking.confirmed", "booking.requested"]);
    world.is_settled().await;
}

/// Each flight belongs to one order and to one journey, and everybody has a ticket of each order.
fn each_order_has_its_own(detail: &Value) {
    let refs = |rows: &Value| -> Vec<Value> {
        let of = |row: &Value| row["segment_refs"].as_array().unwrap().clone();
        rows.as_array().unwrap().iter().flat_map(of).collect()
    };
    let segments = detail["itinerary"]["segments"].as_array().unwrap().iter();
    let segments: Vec<Value> = segments.map(|segment| segment["segment_id"].clone()).collect();
    assert_eq!(refs(&detail["pnr_details"]), segments);
    assert_eq!(refs(&detail["itinerary"]["legs"]), segments);
    let (pnrs, tickets) = (&detail["pnr_details"], detail["tickets"].as_array().unwrap());
    for (pnr, pax) in (0..2).flat_map(|pnr| (1..=4).map(move |pax| (pnr, pax.to_string()))) {
        let is_theirs = |ticket: &&Value| ticket["pax_id"] == pax && ticket["pnr_ref"] == pnrs[pnr]["pnr"];
        let theirs: Vec<_> = tickets.iter().filter(is_theirs).collect();
        assert_eq!(theirs.len(), 1, "{pax} of {tickets:?}");
        assert_eq!(theirs[0]["segment_refs"], pnrs[pnr]["segment_refs"]);
    }
}
