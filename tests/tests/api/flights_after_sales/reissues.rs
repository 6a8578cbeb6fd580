//! Tickets that TripJack reissues for other flights, behind its setting: moved and charged once, or neither.

use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_tests::{
    Agency, Bought, MONEY, Person, Reply, Seller, Supplier, World, WorldOptions, amount, money, one_way,
    round_trip,
};

use super::journey_changes::total;

/// Tickets of two from Delhi to Bombay at TripJack.
struct Stage {
    world: World,
    agency: Agency,
    agent: Person,
    reference: String,
    /// TripJack's id of the order when it was made.
    order: String,
    fare: Decimal,
}

fn options() -> WorldOptions {
    WorldOptions::of([Seller::tripjack()]).frozen()
}

impl Stage {
    async fn start() -> Self {
        Self::of(options(), "ZZ").await
    }

    /// A ticket of this airline.
    async fn of(options: WorldOptions, airline: &'static str) -> Self {
        let (world, agency, agent) = World::with(options).await.and_agent(MONEY).await;
        let trip = one_way("DEL", "BOM").by(airline).party(2, 0, 0);
        let Bought { reference, fare, .. } = agent.buy_dearest(&trip).await;
        let order = agent.booking(&reference).await["provider_ref"].as_str().unwrap().to_owned();
        Self { world, agency, agent, reference, order, fare }
    }

    async fn post(&self, what: &str, body: &Value) -> Reply {
        self.agent.post(&format!("/flights/bookings/{}/{what}", self.reference), body).await
    }

    /// The changes of the ticket so many days after today, the cheapest first.
    async fn changes(&self, days: i64) -> Vec<Value> {
        let day = (self.world.now() + chrono::Duration::days(days)).date_naive();
        let body = json!({ "origin": "DEL", "destination": "BOM", "new_date": day, "include_changes": true });
        let found = self.post("reschedule-avail", &body).await.ok();
        let mut found = found.as_array().unwrap().clone();
        found.retain(|one| one["way"] == "change");
        found
    }

    /// A change of the first day that has one that fits.
    async fn change(&self, fits: impl Fn(Decimal) -> bool) -> Value {
        for days in 31..55 {
            let mut found = self.changes(days).await.into_iter();
            if let Some(change) = found.find(|change| fits(total(change))) {
                return change;
            }
        }
        panic!("no day has such a change");
    }

    /// One for which more is to be paid.
    async fn dearer(&self) -> Value {
        self.change(|total| total > Decimal::ZERO).await
    }

    async fn reschedule(&self, change: &Value) -> Reply {
        self.post("reschedule", &json!({ "fare_keys": [change["fare_key"]] })).await
    }

    /// That it is as it was, and nothing is held.
    async fn is_untouched(&self) {
        assert_eq!(self.agent.balance().await, money() - self.fare);
        assert!(self.world.held().await.is_zero());
        let detail = self.agent.booking(&self.reference).await;
        assert_has!(detail, { "changes": [], "pending": [], "itinerary_sold": null, "provider_ref": self.order });
        self.world.is_settled().await;
    }

    /// That it was moved once, for so much, and has another id since.
    async fn is_changed(&self, total: Decimal) {
        assert_eq!(self.agent.balance().await, money() - self.fare - total);
        assert!(self.world.held().await.is_zero());
        let rows = "select agent_fare = supplier_amount and public_fare = agent_fare and ancillary = 0 and number = 1
            from fare_transactions where kind = 'change'";
        assert_eq!(self.world.lines(rows).await, ["true"]);
        let renamed = "select o.supplier_order_id = c.supplier_change_id and c.state = 'chosen'
            from supplier_orders o join order_changes c on (c.org_id, c.booking_id) = (o.org_id, o.booking_id)";
        assert_eq!(self.world.lines(renamed).await, ["true"]);
        let detail = self.agent.booking(&self.reference).await;
        assert_ne!(detail["provider_ref"], self.order.as_str());
        assert_eq!(amount(&detail["pricing"]["changes"]), total);
        assert_eq!(amount(&detail["pricing"]["total_payable"]), self.fare + total);
        self.world.is_settled().await;
    }

    async fn next(&self, call: &str, fault: &str) {
        self.world.next_at("tripjack", call, fault).await;
    }

    async fn later(&mut self, seconds: i64) {
        self.world.recover_in(seconds).await;
        self.agent = self.agency.log_in("arjun").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ticket_is_reissued_once_and_its_money_adds_up() {
    let stage = Stage::start().await;
    let before = stage.agent.booking(&stage.reference).await;
    let can = |detail: &Value| detail["pnr_details"][0]["can"].clone();
    assert_has!(can(&before), { "change_journeys": null, "cancel_passengers": true });
    let (change, other) = (stage.dearer().await, stage.changes(45).await);
    let total = total(&change);
    let penalty = stage.post("reschedule-penalty", &json!({ "fare_keys": [change["fare_key"]] })).await.ok();
    assert_eq!(amount(&penalty["total_reschedule_charge"]), total);
    assert_eq!(amount(&penalty["penalty"]) + amount(&penalty["fare_difference_agent"]), total, "{penalty}");
    assert_has!(stage.reschedule(&change).await.ok(), {
        "new_booking/booking_ref": stage.reference, "new_booking/status": "CONFIRMED",
        "cancellation/booking_ref": stage.reference, "cancellation/status": "not_needed",
    });
    stage.is_changed(total).await;
    let after = stage.agent.booking(&stage.reference).await;
    assert_ne!(after["tickets"], before["tickets"]);
    assert_eq!(can(&after)["cancel_passengers"], false);
    let [old, new] = [&before, &after].map(|booking| &booking["itinerary"]["segments"][0]["departure"]);
    assert_ne!(old, new);
    // The watch finds it under its new id, and takes what is flown since for known.
    stage.agent.get(&format!("/flights/bookings/{}/retrieve", stage.reference)).await.ok();
    assert_eq!(stage.agent.booking(&stage.reference).await["changes"], after["changes"]);
    // A second time it is refused, by what was offered before as well.
    assert_eq!(stage.changes(33).await, Vec::<Value>::new());
    let again = stage.reschedule(other.last().unwrap()).await;
    assert_eq!(again.status, 409, "{}", again.text);
    assert_has!(again.json()["data"]["reason"], { "code": "not_changeable", "retry": "call_us" });
    stage.is_changed(total).await;
    // What comes back of it then is what is flown now, and the penalty is lost.
    let back = amount(&stage.agent.cancels(&stage.reference).await["refund_to_wallet"]);
    assert!(back > Decimal::ZERO && back <= stage.fare + amount(&penalty["fare_difference_agent"]));
    assert_eq!(stage.agent.balance().await, money() - stage.fare - total + back);
    stage.world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_offered_where_reissues_are_off() {
    let stage = Stage::of(WorldOptions { reissue: false, ..options() }, "ZZ").await;
    let detail = stage.agent.booking(&stage.reference).await;
    assert_eq!(detail["pnr_details"][0]["can"]["change_journeys"], false);
    // Nothing is asked of its reissues: what goes wrong with them waits.
    stage.next("price", "status:500").await;
    assert_eq!(stage.changes(33).await, Vec::<Value>::new());
    assert_eq!(Supplier::at(stage.world.sandbox_url().to_owned()).waiting().await.len(), 1);
    stage.is_untouched().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_airline_without_reissues_offers_none() {
    let stage = Stage::of(options(), "QP").await;
    let detail = stage.agent.booking(&stage.reference).await;
    assert_eq!(detail["itinerary"]["segments"][0]["airline"], "QP", "{detail}");
    for days in 31..36 {
        assert_eq!(stage.changes(days).await, Vec::<Value>::new());
    }
    stage.is_untouched().await;
}

/// In which order the other journey would be nobody knows.
#[tokio::test(flavor = "multi_thread")]
async fn a_journey_of_an_order_of_several_is_not_reissued() {
    let (world, _, agent) = World::with(options()).await.and_agent(MONEY).await;
    let booked = agent.buy_dearest(&round_trip("DEL", "LHR")).await;
    let path = format!("/flights/bookings/{}/reschedule-avail", booked.reference);
    let day = (world.now() + chrono::Duration::days(33)).date_naive();
    let body = json!({
        "origin": "DEL", "destination": "LHR", "new_date": day, "journey": 0, "include_changes": true,
    });
    let found = agent.post(&path, &body).await.ok();
    let found = found.as_array().unwrap();
    assert!(found.iter().all(|one| one["way"] == "rebook"), "{found:?}");
    world.is_settled().await;
}

/// Nobody says that anything is paid back: the fares' difference is lost with it.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_cheaper_flight_would_give_back_is_nothing() {
    let stage = Stage::start().await;
    let change = stage.change(|total| total.is_zero()).await;
    let price = &change["pricing"]["change"];
    assert!(amount(&price["difference"]) < Decimal::ZERO, "{price}");
    assert!(amount(&stage.reschedule(&change).await.ok()["cancellation"]["refund_to_wallet"]).is_zero());
    stage.is_changed(Decimal::ZERO).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_price_that_moves_is_told_and_nothing_is_reissued() {
    let stage = Stage::start().await;
    let change = stage.dearer().await;
    stage.next("change", "price_changed:20").await;
    stage.reschedule(&change).await.is(400, "fare has changed, please price again");
    stage.world.has_struck().await;
    stage.is_untouched().await;
    // It may be asked for again.
    stage.reschedule(&change).await.ok();
    stage.is_changed(total(&change)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_review_without_an_answer_reissues_nothing() {
    for fault in ["drop_before", "drop_after", "status:500", "broken_json"] {
        let stage = Stage::start().await;
        let change = stage.dearer().await;
        stage.next("change", fault).await;
        stage.reschedule(&change).await.is(503, "supplier is temporarily unavailable, please try again");
        stage.is_untouched().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reissue_without_an_answer_is_looked_up_and_never_sent_again() {
    for (fault, is_made) in [
        ("drop_after", true),
        ("pending:30", true),
        ("broken_json", false),
        ("drop_before", false),
        ("status:500", false),
    ] {
        let mut stage = Stage::start().await;
        let change = stage.dearer().await;
        stage.next("ticket", fault).await;
        let pending = stage.reschedule(&change).await;
        assert_eq!(pending.status, 202, "{fault}: {}", pending.text);
        assert_eq!(stage.world.held().await, total(&change), "{fault}");
        assert_eq!(stage.agent.booking(&stage.reference).await["pending"][0]["what"], "change");
        let twice = stage.reschedule(&change).await;
        assert_eq!(twice.status, 409, "{}", twice.text);
        // Its name is that of the review, written before it was sent.
        let named = "select request -> 'pending' ->> 'id' like 'TJS1%' from effects where kind = 'change'";
        assert_eq!(stage.world.line(named).await, "true");
        stage.later(60).await;
        if is_made {
            stage.is_changed(total(&change)).await;
            continue;
        }
        // Until its session is over it may still be made.
        stage.later(600).await;
        assert_eq!(stage.world.held().await, total(&change), "{fault}");
        stage.later(900).await;
        stage.later(600).await;
        stage.is_untouched().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_reissue_is_believed_where_there_is_no_new_order() {
    let stage = Stage::start().await;
    let change = stage.dearer().await;
    stage.next("ticket", "status:422").await;
    let refused = stage.reschedule(&change).await;
    assert_eq!(refused.status, 409, "{}", refused.text);
    stage.is_untouched().await;
}
