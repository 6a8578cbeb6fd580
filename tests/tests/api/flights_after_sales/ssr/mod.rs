//! Services that are bought for a booking that stands: charged once when the supplier has them, and not at all otherwise.

mod faults;

use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_tests::{
    MONEY, Person, Reply, Seller, Trip, World, WorldOptions, amount, faulty_bodies, money, one_way,
    round_trip, sample,
};

const REQUIRED: &str = "this field is required";

/// A booking there and back of an adult, a child and an infant, by an airline that sells bags later.
struct Stage {
    world: World,
    agent: Person,
    reference: String,
    fare: Decimal,
}

fn trip() -> Trip {
    round_trip("DEL", "BOM").party(1, 1, 1).by("6E")
}

async fn stage() -> Stage {
    let (world, _, agent) = World::frozen().await.and_agent(MONEY).await;
    let booked = agent.buy_dearest(&trip()).await;
    Stage { reference: booked.reference, fare: booked.fare, world, agent }
}

impl Stage {
    fn path(&self) -> String {
        format!("/flights/bookings/{}/ssr", self.reference)
    }

    async fn sold(&self) -> Vec<Value> {
        self.agent.get(&self.path()).await.ok()["SsrDetails"]["Segments"].as_array().unwrap().clone()
    }

    /// A bag for the adult on the way there, and what it costs.
    async fn bag(&self) -> (Value, Decimal) {
        let sold = self.sold().await;
        let bag = &sold[0]["Baggage"][0];
        let wish = json!({
            "type": "BAGGAGE", "code": bag["Code"], "pax_ref": 1, "segment_id": sold[0]["SegmentId"], "name": bag["Description"],
        });
        (wish, amount(&bag["Price"]))
    }

    async fn add(&self, wishes: &[&Value]) -> Reply {
        self.agent.post(&self.path(), &json!({ "ssr": wishes, "remarks": "for the trophy" })).await
    }

    /// That nothing was added or paid, and nothing is set aside.
    async fn is_as_before(&self) {
        let detail = self.agent.booking(&self.reference).await;
        assert_eq!(detail["status"], "confirmed");
        assert_eq!(amount(&detail["pricing"]["total_payable"]), self.fare);
        assert_eq!(detail["pnr_details"][0]["ancillaries"], json!([]));
        assert_eq!(self.agent.balance().await, money() - self.fare);
        assert!(self.world.held().await.is_zero());
        assert_eq!(amount(&self.world.supplier_orders().await[0]["amount"]), self.fare);
        self.world.is_settled().await;
    }

    /// That so many services are on the booking, for so much.
    async fn has(&self, count: usize, cost: Decimal) {
        let detail = self.agent.booking(&self.reference).await;
        let paid = ["ancillary", "total_payable", "agent_fare"].map(|name| amount(&detail["pricing"][name]));
        assert_eq!(paid, [cost, self.fare + cost, self.fare]);
        let bought = detail["pnr_details"][0]["ancillaries"].as_array().unwrap();
        assert_eq!(bought.len(), count, "{bought:?}");
        assert_eq!(self.agent.balance().await, money() - self.fare - cost);
        assert_eq!(amount(&self.world.supplier_orders().await[0]["amount"]), self.fare + cost);
        self.world.is_settled().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_sold_is_told_by_flight_and_what_is_bought_is_charged_once() {
    let stage = stage().await;
    let sold = stage.sold().await;
    assert_answer!("sold", sample(&sold[0]));
    let detail = stage.agent.booking(&stage.reference).await;
    let flights = detail["itinerary"]["segments"].as_array().unwrap();
    assert_eq!(sold.len(), flights.len());
    for (number, (segment, flight)) in (1..).zip(sold.iter().zip(flights)) {
        assert_has!(segment, {
            "SegmentNo": number, "SegmentId": flight["segment_id"], "Origin": flight["origin"],
        });
    }
    let (bag, price) = stage.bag().await;
    let mut theirs = bag.clone();
    theirs["pax_ref"] = json!(2);
    assert_eq!(stage.add(&[&bag]).await.says(200, "SSR added"), stage.agent.booking(&stage.reference).await);
    stage.has(1, price).await;
    let newest = &stage.agent.get("/wallet/transactions").await.json()["data"][0];
    assert_eq!((&newest["type"], amount(&newest["amount"])), (&json!("debit"), price));

    // One more each, and that was all for the adult.
    stage.add(&[&bag, &theirs]).await.says(200, "SSR added");
    stage.has(3, price * Decimal::from(3)).await;
    stage.add(&[&bag]).await.is_invalid("{ssr[0] is not for this traveller}");
    let penalty = stage.agent.penalty(&stage.reference).await.ok();
    let (kept, back) = (amount(&penalty["penalty"]), amount(&penalty["refund_amount"]));
    assert_eq!(kept + back, stage.fare + price * Decimal::from(3));
    stage.agent.cancels(&stage.reference).await;
    assert_eq!(stage.agent.balance().await, money() - kept);
    stage.world.is_settled().await;
    for reply in [stage.agent.get(&stage.path()).await, stage.add(&[&bag]).await] {
        reply.is(400, "booking is already cancelled");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_had_is_named_and_nothing_is_charged() {
    let stage = stage().await;
    let (bag, _) = stage.bag().await;
    let table = format!(
        r#"
        /ssr               []                   {{ssr must have between 1 and 50 items}}
        /ssr               null                 {{ssr {REQUIRED}}}
        /ssr/0  {{}}  {{ssr[0].type {REQUIRED}}} {{ssr[0].code {REQUIRED}}} {{ssr[0].pax_ref {REQUIRED}}} {{ssr[0].segment_id {REQUIRED}}}
        /ssr/0/type        "DOG"                {{ssr[0].type must be one of MEAL, BAGGAGE, SEAT, OTHER}}
        /ssr/0/pax_ref     0                    {{ssr[0].pax_ref must be between 1 and 27}}
        /ssr/0/pax_ref     9                    {{ssr[0] is for nobody on the order}}
        /ssr/0/pax_ref     3                    {{ssr[0] is not for infants}}
        /ssr/0/code        "gold"               {{ssr[0].code is not sold with this fare}}
        /ssr/0/segment_id  "s9"                 {{ssr[0].segment_id must be a segment of the booking that is still booked}}
        /ssr               [{bag}, {bag}, {bag}]  {{ssr[2] can be had 2 times at most}}
        "#
    );
    for (body, faults) in faulty_bodies(&json!({ "ssr": [bag] }), &table) {
        stage.agent.post(&stage.path(), &body).await.is_invalid(&faults);
    }
    stage.is_as_before().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_orders_of_the_airlines_locator_are_told() {
    let stage = stage().await;
    let detail = stage.agent.booking(&stage.reference).await;
    let pnr = detail["pnr_details"][0]["airline_pnr"].as_str().unwrap();
    let path = stage.path();
    let all = stage.agent.get(&path).await.ok();
    assert_eq!(all, stage.agent.get(&format!("{path}?airline_pnr={pnr}")).await.ok());
    stage.agent.get(&format!("{path}?airline_pnr=NOBODY")).await.is_missing();
}

#[tokio::test(flavor = "multi_thread")]
async fn services_for_a_hold_are_paid_by_the_wallet_at_once() {
    let (world, _, agent) = World::frozen().await.and_agent(MONEY).await;
    let trip = one_way("DEL", "BOM").by("AI");
    let found = agent.search(&trip).await;
    let mut offers = found["offers"].as_array().unwrap().iter();
    let booked = loop {
        let priced = agent.price(offers.next().unwrap()["offer_id"].as_str().unwrap()).await.ok();
        let mut order = agent.order(&priced, &trip);
        order["hold"] = json!(true);
        let reply = agent.book(&order).await;
        if reply.status == 200 {
            break reply.ok();
        }
    };
    let reference = booked["booking_ref"].as_str().unwrap().to_owned();
    let stage = Stage { fare: amount(&booked["total_amount"]), reference, world, agent };
    assert_eq!(stage.world.supplier_orders().await[0]["status"], "held");
    let (bag, price) = stage.bag().await;
    stage.add(&[&bag]).await.says(200, "SSR added");
    stage.has(1, price).await;
    // The ticket is for all of it.
    let path = format!("/flights/bookings/{}/issue-ticket", stage.reference);
    let paying = |amount: Decimal| -> Value {
        serde_json::from_str(&format!(r#"{{"amount": {amount}, "agent_fare": {}}}"#, stage.fare)).unwrap()
    };
    stage.agent.post(&path, &paying(stage.fare)).await.is(400, "fare has changed, please price again");
    stage.agent.post(&path, &paying(stage.fare + price)).await.says(200, "ticket issued");
    stage.has(1, price).await;
    assert_eq!(stage.world.supplier_orders().await[0]["status"], "confirmed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_supplier_that_sells_nothing_later_is_told_of_in_the_contracts_words() {
    let (world, _, agent) = World::with(WorldOptions::of([Seller::tripjack()])).await.and_agent(MONEY).await;
    let bought = agent.buy(one_way("DEL", "BOM")).await;
    let path = format!("/flights/bookings/{}/ssr", bought.reference);
    agent.get(&path).await.is(400, "provider does not support SSR");
    let wish = json!({ "type": "MEAL", "code": "VGML", "pax_ref": 1, "segment_id": "s1" });
    agent.post(&path, &json!({ "ssr": [wish] })).await.is(400, "provider does not support adding SSR");
    assert_eq!(agent.balance().await, money() - bought.fare);
    world.is_settled().await;
}
