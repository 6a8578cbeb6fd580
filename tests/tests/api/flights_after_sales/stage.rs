//! A held booking at either supplier, and the time that passes over it.

use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_tests::{Agency, MONEY, Person, Reply, Seller, World, WorldOptions, amount, one_way};

/// A held booking and until when it must be paid, in seconds.
pub struct Stage {
    pub world: World,
    pub agency: Agency,
    pub agent: Person,
    pub reference: String,
    pub fare: Decimal,
    pub seconds: i64,
    pub booked: Value,
}

impl Stage {
    /// At Duffel, on the route that can only be held.
    pub async fn at_duffel() -> Self {
        Self::at_duffel_with(&json!({})).await
    }

    /// The same with these fields of the request.
    pub async fn at_duffel_with(fields: &Value) -> Self {
        let (world, agency, agent) = World::frozen().await.and_agent(MONEY).await;
        let mut order = agent.order_for(&one_way("JFK", "EWR")).await;
        set(&mut order, fields);
        Self::booked(world, agency, agent, &order, 72 * 3600).await
    }

    /// At TripJack, with a deadline of its own.
    pub async fn at_tripjack(seconds: i64) -> Self {
        Self::at_tripjack_with(seconds, &json!({})).await
    }

    /// The same with these fields of the request.
    pub async fn at_tripjack_with(seconds: i64, fields: &Value) -> Self {
        Self::at_tripjack_under(&format!("lapses:{seconds}"), seconds, fields).await
    }

    /// At TripJack, where its booking suffers this.
    pub async fn at_tripjack_under(fault: &str, seconds: i64, fields: &Value) -> Self {
        let options = WorldOptions::of([Seller::tripjack()]);
        let (world, agency, agent) = World::with(options.frozen()).await.and_agent(MONEY).await;
        let trip = one_way("DEL", "BOM");
        world.next_at("tripjack", "book", fault).await;
        for offer in agent.search(&trip).await["offers"].as_array().unwrap() {
            let mut order = agent.order(&agent.price(offer["offer_id"].as_str().unwrap()).await.ok(), &trip);
            order["hold"] = json!(true);
            set(&mut order, fields);
            // Not every fare can be held, and an offer does not say so.
            order["passengers"][0]["ancillaries"] =
                json!([{ "type": "OTHER", "code": "nothing", "segment_id": "s1" }]);
            if agent.book(&order).await.text.contains("is not sold with this fare") {
                order["passengers"][0]["ancillaries"] = json!([]);
                return Self::booked(world, agency, agent, &order, seconds).await;
            }
        }
        panic!("nothing can be held");
    }

    async fn booked(world: World, agency: Agency, agent: Person, order: &Value, seconds: i64) -> Self {
        let booked = agent.book(order).await.ok();
        assert_eq!(world.supplier_orders().await[0]["status"], "held");
        let reference = booked["booking_ref"].as_str().unwrap().to_owned();
        let fare = amount(&booked["total_amount"]);
        Self { world, agency, agent, reference, fare, booked, seconds }
    }

    /// Lets so much time pass; who is logged in logs in again.
    pub async fn pass(&mut self, seconds: i64) {
        self.world.pass(seconds);
        self.agent = self.agency.log_in("arjun").await;
    }

    /// Issues its tickets, as its agent does.
    pub async fn pay(&self) -> Reply {
        let body: Value = serde_json::from_str(&format!(r#"{{"amount": {}}}"#, self.fare)).unwrap();
        self.agent.post(&format!("/flights/bookings/{}/issue-ticket", self.reference), &body).await
    }
}

fn set(order: &mut Value, fields: &Value) {
    for (field, value) in fields.as_object().unwrap() {
        order[field] = value.clone();
    }
}
