//! Bookings as their suppliers show them: retrieve and track.

use serde_json::{Value, json};
use wayfare_tests::{Bought, Person, Seller, World, WorldOptions, one_way};

const UNAVAILABLE: &str = "supplier is temporarily unavailable, please try again";

struct Stage {
    supplier: &'static str,
    world: World,
    agent: Person,
    bought: Bought,
}

async fn stage(seller: Seller) -> Stage {
    let supplier = seller.code;
    let (world, _, agent) = World::with(WorldOptions::of([seller]).frozen()).await.and_agent("1000000").await;
    let bought = agent.buy(one_way("DEL", "BOM").party(2, 0, 0)).await;
    Stage { supplier, world, agent, bought }
}

async fn stages() -> [Stage; 2] {
    [stage(Seller::duffel()).await, stage(Seller::tripjack()).await]
}

impl Stage {
    fn path(&self, what: &str) -> String {
        format!("/flights/bookings/{}/{what}", self.bought.reference)
    }

    async fn retrieve(&self) -> Value {
        self.agent.get(&self.path("retrieve")).await.ok()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_stands_beside_what_its_supplier_shows() {
    for stage in stages().await {
        let retrieved = stage.retrieve().await;
        assert_answer!(format!("{}_retrieved", stage.supplier), retrieved);
        let provider = &retrieved["provider"];
        let detail = stage.agent.booking(&stage.bought.reference).await;
        assert_eq!([&retrieved["local"]["pnr"], &provider["pnr"]], [&detail["pnr"]; 2]);
        assert_eq!(provider["booking_ref"], detail["booking_ref"]);
        let ids = [&provider["order_ref"], &provider["provider_booking_id"]];
        assert_eq!(ids, [&stage.bought.booked["legs"][0]["booking_track_id"], &detail["provider_ref"]]);
        assert_eq!(retrieved["orders"], json!([provider]));
        stage.agent.cancels(&stage.bought.reference).await;
        assert_has!(stage.retrieve().await, { "local/status": "cancelled", "provider/status": "cancelled" });
        stage.world.is_settled().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_supplier_that_is_down_is_null_beside_what_we_hold() {
    for stage in stages().await {
        for fault in ["status:500", "status:403", "drop_before", "broken_json", "rate_limited"] {
            stage.world.next_at(stage.supplier, "lookup", fault).await;
            let retrieved = stage.retrieve().await;
            let told = json!([retrieved["provider"], retrieved["orders"], retrieved["local"]["status"]]);
            assert_eq!(told, json!([null, [null], "confirmed"]), "{fault} at {}", stage.supplier);
            // A supplier that is rate limiting is left alone for a second.
            stage.world.pass(1);
        }
        assert_ne!(stage.retrieve().await["provider"], json!(null));
        stage.world.end_supplier().await;
        assert_eq!(stage.retrieve().await["provider"], json!(null));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_order_is_tracked_by_is_its_suppliers_own_words_without_secrets() {
    for stage in stages().await {
        let tracked = stage.agent.get(&stage.path("track")).await;
        let data = tracked.ok();
        let order = json!({
            "booking_track_id": format!("{}-1", stage.bought.reference), "provider": stage.supplier,
            "order": data["order"], "omitted": data["orders"][0]["omitted"],
        });
        assert_has!(data, { "provider": stage.supplier, "orders": [order] });
        let id = stage.agent.booking(&stage.bought.reference).await["provider_ref"].clone();
        let theirs = match stage.supplier {
            "duffel" => &data["order"]["id"],
            _ => &data["order"]["order"]["bookingId"],
        };
        assert_eq!(*theirs, id, "{data}");
        // Passengers at least, with all that is said of them.
        assert!(data["orders"][0]["omitted"].as_u64().unwrap() > 0, "{data}");
        for secret in ["client_key", "apikey", "_test_sandbox"] {
            assert!(!tracked.text.contains(secret), "{secret}: {}", tracked.text);
        }
        let people = stage.world.books().people(&stage.bought.reference).await;
        let (who, contact) = (&people["people"]["travellers"][0], &people["people"]["contact"]);
        for said in
            [&who["first_name"], &who["last_name"], &who["born_on"], &contact["email"], &contact["phone"]]
        {
            assert!(!tracked.text.contains(said.as_str().unwrap()), "{said}: {}", tracked.text);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tracking_says_why_it_cannot() {
    for stage in stages().await {
        for fault in ["status:500", "drop_before", "broken_json", "rate_limited"] {
            stage.world.next_at(stage.supplier, "lookup", fault).await;
            let down = stage.agent.get(&stage.path("track")).await;
            down.is(503, UNAVAILABLE);
            assert_ne!(down.header("retry-after"), "");
            stage.world.pass(1);
        }
        // A booking whose outcome is not known, and one that failed.
        let trip = one_way("DEL", "BLR");
        let order = stage.agent.order(&stage.agent.quote(&trip).await, &trip);
        stage.world.next_at(stage.supplier, "book", "drop_before").await;
        let pending = stage.agent.book(&order).await.succeeds(202);
        let path = format!("/flights/bookings/{}/track", pending["booking_ref"].as_str().unwrap());
        stage.agent.get(&path).await.is(409, "booking is still pending");
        stage.world.recover_in(400).await;
        stage.agent.get(&path).await.is(400, "booking has failed");
        stage.world.is_settled().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_anothers_is_not_there() {
    let stage = stage(Seller::duffel()).await;
    let stranger = stage.world.agent("0").await;
    for what in ["retrieve", "track", "ssr"] {
        stranger.get(&stage.path(what)).await.is_missing();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tickets_that_come_later_are_looked_for_and_shown() {
    let stage = stage(Seller::tripjack()).await;
    let trip = one_way("DEL", "BLR");
    let order = stage.agent.order(&stage.agent.quote(&trip).await, &trip);
    // Made and paid, and the airline takes its time.
    stage.world.next_at("tripjack", "book", "pending:40").await;
    let pending = stage.agent.book(&order).await.succeeds(202);
    let reference = pending["booking_ref"].as_str().unwrap();
    let path = format!("/flights/bookings/{reference}/retrieve");
    assert_eq!(stage.agent.get(&path).await.ok()["local"]["status"], "pending");
    stage.world.pass(41);
    let retrieved = stage.agent.get(&path).await.ok();
    assert_has!(retrieved, { "local/status": "confirmed", "provider/ticket_status": "ISSUED" });
    assert_eq!(stage.agent.booking(reference).await["tickets"].as_array().unwrap().len(), 1);
    stage.world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn flights_that_their_airline_puts_off_are_told() {
    let stage = stage(Seller::duffel()).await;
    let before = stage.agent.booking(&stage.bought.reference).await;
    stage.world.airline_puts_off(before["provider_ref"].as_str().unwrap(), 90).await;
    let change = &stage.retrieve().await["provider"]["airline_changes"][0];
    assert_answer!("airline_change", change);
    let departs = |flights: &str| -> chrono::NaiveDateTime {
        change[flights][0]["departure"].as_str().unwrap().parse().unwrap()
    };
    assert_eq!(departs("added") - departs("removed"), chrono::Duration::minutes(90));
    assert_has!(change["removed"][0], { "departure": before["itinerary"]["segments"][0]["departure"] });
    // Once, however often it is looked at.
    stage.retrieve().await;
    let told = "select count(*) from events where action = 'booking.airline_changed'";
    assert_eq!(stage.world.line(told).await, "1");
    stage.world.is_settled().await;
}
