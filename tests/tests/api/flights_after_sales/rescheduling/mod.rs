//! Other flights instead of those that were booked: the new ones are booked and paid first, then the original is given
//! back; and the original stands wherever the new ones do not.

mod concurrency;
mod faults;
mod journeys;
mod requests;

use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_tests::{Agency, MONEY, Person, Reply, World, amount, money, one_way, sample};

/// A booking that gives money back, and whose travellers want to fly later.
struct Stage {
    world: World,
    agency: Agency,
    agent: Person,
    reference: String,
    fare: Decimal,
}

async fn stage() -> Stage {
    let (world, agency, agent) = World::frozen().await.and_agent(MONEY).await;
    let booked = agent.buy_dearest(&one_way("DEL", "BOM")).await;
    Stage { reference: booked.reference, fare: booked.fare, world, agency, agent }
}

/// The same, with the cheapest that they could fly instead: its key, what it costs, and what would come back of the original.
async fn priced() -> (Stage, Value, Decimal, Decimal) {
    let stage = stage().await;
    let (fare_key, cost) = stage.cheapest().await;
    let refund = stage.refund().await;
    (stage, fare_key, cost, refund)
}

impl Stage {
    async fn post(&self, what: &str, body: &Value) -> Reply {
        self.agent.post(&format!("/flights/bookings/{}/{what}", self.reference), body).await
    }

    /// What they could fly two weeks later, the cheapest first.
    async fn available(&self) -> Vec<Value> {
        let day = (self.world.now() + chrono::Duration::days(44)).date_naive();
        let body = json!({ "origin": "DEL", "destination": "BOM", "new_date": day });
        self.post("reschedule-avail", &body).await.ok().as_array().unwrap().clone()
    }

    /// The cheapest of it: its key, and what it costs.
    async fn cheapest(&self) -> (Value, Decimal) {
        let found = self.available().await;
        (found[0]["fare_key"].clone(), amount(&found[0]["pricing"]["provider_agent_fare"]))
    }

    async fn reschedule(&self, fare_key: &Value) -> Reply {
        self.post("reschedule", &json!({ "fare_keys": [fare_key] })).await
    }

    /// What would come back of the original.
    async fn refund(&self) -> Decimal {
        amount(&self.agent.penalty(&self.reference).await.ok()["refund_amount"])
    }

    async fn status_of(&self, reference: &str) -> String {
        self.world.line(&format!("select status from bookings where booking_ref = '{reference}'")).await
    }

    /// That the original is as it was and nothing else was paid.
    async fn is_untouched(&self) {
        assert_eq!(self.status_of(&self.reference).await, "confirmed");
        assert_eq!(self.agent.balance().await, money() - self.fare);
        assert!(self.world.held().await.is_zero());
        assert_eq!(self.world.line("select count(*) from refunds").await, "0");
        assert_eq!(self.at_the_supplier().await, ["confirmed"]);
        self.world.is_settled().await;
    }

    async fn at_the_supplier(&self) -> Vec<String> {
        let orders = self.world.supplier_orders().await;
        orders.iter().map(|order| order["status"].as_str().unwrap().to_owned()).collect()
    }

    /// That the new booking stands and is paid, and the original was given back.
    async fn is_done(&self, new: &str, cost: Decimal, refund: Decimal) {
        assert_eq!(self.status_of(new).await, "confirmed");
        assert_eq!(self.status_of(&self.reference).await, "cancelled");
        assert_eq!(self.agent.balance().await, money() - self.fare - cost + refund);
        assert_eq!(self.at_the_supplier().await, ["cancelled", "confirmed"]);
        self.world.is_settled().await;
    }
}

/// The reference of the booking that was made instead.
fn new_booking(rescheduled: &Value) -> String {
    rescheduled["new_booking"]["booking_ref"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_new_flights_are_booked_and_the_original_is_given_back() {
    let stage = stage().await;
    let found = stage.available().await;
    let found = json!(found);
    assert_answer!("available", sample(&found));
    for one in found.as_array().unwrap() {
        let pricing = &one["pricing"];
        assert_eq!(amount(&pricing["base"]) + amount(&pricing["taxes"]), amount(&pricing["total"]));
    }
    let costs = |one: &Value| amount(&one["pricing"]["provider_agent_fare"]);
    let costs: Vec<Decimal> = found.as_array().unwrap().iter().map(costs).collect();
    assert!(costs.is_sorted(), "{costs:?}");

    let (fare_key, cost) = (&found[0]["fare_key"], costs[0]);
    let refund = stage.refund().await;
    let body = json!({ "fare_key": fare_key, "itinerary_id": found[0]["itinerary_id"] });
    let penalty = stage.post("reschedule-penalty", &body).await.ok();
    assert_answer!("penalty", penalty);
    let told = |field: &str| amount(&penalty[field]);
    let fares = ["original_agent_fare", "new_agent_fare", "fare_difference_agent"].map(told);
    assert_eq!(fares, [stage.fare, cost, cost - stage.fare]);
    let charges = ["penalty", "refund_to_wallet", "total_reschedule_charge"].map(told);
    assert_eq!(charges, [stage.fare - refund, refund, cost - refund]);
    // Nothing was bought by asking.
    stage.is_untouched().await;

    let before = stage.agent.balance().await;
    let rescheduled = stage.reschedule(fare_key).await.says(200, "booking rescheduled");
    assert_answer!("rescheduled", rescheduled);
    let cancellation = &rescheduled["cancellation"];
    assert_eq!(cancellation["booking_ref"], stage.reference.as_str());
    assert_eq!(amount(&cancellation["refund_to_wallet"]), refund);
    assert_eq!(before - stage.agent.balance().await, told("total_reschedule_charge"));
    let new = new_booking(&rescheduled);
    let (old, detail) = (stage.agent.booking(&stage.reference).await, stage.agent.booking(&new).await);
    let mut travelled = old["passengers"].clone();
    assert_eq!(travelled[0]["status"], "cancelled");
    travelled[0]["status"] = json!("travelling");
    assert_has!(detail, { "passengers": travelled, "contact_details": (&old["contact_details"]) });
    let events = format!("select action from events where entity_id = '{}' order by action", stage.reference);
    let actions = ["booking.confirmed", "booking.requested", "booking.rescheduled", "refund.completed"];
    assert_eq!(stage.world.lines(&events).await, actions);
    let refunds = stage.agent.get("/flights/refunds").await.json();
    assert_has!(refunds, { "meta/total": 1, "data/0/booking_ref": stage.reference });
    stage.is_done(&new, cost, refund).await;
    stage.reschedule(fare_key).await.is(400, "booking is already cancelled");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_way_out_and_a_way_back_are_rescheduled_together() {
    let (world, _, agent) = World::frozen().await.and_agent(MONEY).await;
    let bought = agent.buy(wayfare_tests::round_trip("DEL", "BOM")).await;
    let path = |what: &str| format!("/flights/bookings/{}/{what}", bought.reference);
    let mut fare_keys = Vec::new();
    let mut cost = Decimal::ZERO;
    for (from, to, days) in [("DEL", "BOM", 44), ("BOM", "DEL", 51)] {
        let day = (world.now() + chrono::Duration::days(days)).date_naive();
        // Both ways to write a date.
        let day = day.format(if days == 44 { "%Y%m%d" } else { "%Y-%m-%d" }).to_string();
        let body = json!({ "origin": from, "destination": to, "new_date": day });
        let found = agent.post(&path("reschedule-avail"), &body).await.ok();
        fare_keys.push(found[0]["fare_key"].clone());
        cost += amount(&found[0]["pricing"]["provider_agent_fare"]);
    }
    let refund = amount(&agent.penalty(&bought.reference).await.ok()["refund_amount"]);
    let rescheduled = agent.post(&path("reschedule"), &json!({ "fare_keys": fare_keys })).await;
    let detail = agent.booking(&new_booking(&rescheduled.says(200, "booking rescheduled"))).await;
    assert_eq!(detail["itinerary"]["legs"].as_array().unwrap().len(), 2);
    assert_eq!(amount(&detail["pricing"]["total_payable"]), cost);
    assert_eq!(agent.balance().await, money() - bought.fare - cost + refund);
    world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_contact_is_the_new_bookings() {
    let stage = stage().await;
    let (fare_key, _) = stage.cheapest().await;
    let body = json!({
        "fare_keys": [fare_key], "contact_email": "new@sunrise.example", "contact_phone": "9812345679",
        "contact_country_code": "91", "remarks": "later", "pnr": "ABC123",
        "passengers": [{ "pax_index": 1, "title": "Mr", "first_name": "asha", "last_name": "SHARMA", "type": "ADT", "gender": "M" }],
    });
    assert_has!(stage.agent.booking(&new_booking(&stage.post("reschedule", &body).await.ok())).await, {
        "contact_details": { "country_code": "91", "phone": "9812345679", "email": "new@sunrise.example" },
    });
    stage.world.is_settled().await;
}
