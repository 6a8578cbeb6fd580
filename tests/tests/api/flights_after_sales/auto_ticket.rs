//! Holds that are ticketed by themselves, before they lapse or lose their price.

use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_tests::{MONEY, World, money, one_way};

use super::stage::Stage;

fn automatic() -> Value {
    json!({ "hold": true, "auto_ticket": true })
}

/// Both suppliers, each with the seconds after which its hold is ticketed: at Duffel the price ends first.
async fn both() -> [(Stage, i64); 2] {
    [
        (Stage::at_duffel_with(&automatic()).await, 48 * 3600 - 1800),
        (Stage::at_tripjack_with(7200, &automatic()).await, 7200 - 1800),
    ]
}

impl Stage {
    async fn supplier(&self) -> String {
        self.world.supplier_orders().await[0]["supplier"].as_str().unwrap().to_owned()
    }

    async fn hold(&self) -> Value {
        self.agent.booking(&self.reference).await["hold"].clone()
    }

    /// How often its tickets were asked for.
    async fn asked(&self) -> String {
        self.world.line("select count(*) from effects where kind = 'ticket'").await
    }

    async fn is_ticketed_once(&self) {
        let detail = self.agent.booking(&self.reference).await;
        assert_has!(detail, { "status": "confirmed", "hold/state": "paid", "tickets/0/status": "ISSUED" });
        assert_eq!(self.agent.balance().await, money() - self.fare);
        let orders = self.world.supplier_orders().await;
        assert_eq!((orders.len(), &orders[0]["status"]), (1, &json!("confirmed")));
        self.world.is_settled().await;
    }

    /// That it is held as before, and who was told.
    async fn is_given_up(&self) {
        self.is_told().await;
        self.world.is_settled().await;
    }

    async fn is_told(&self) {
        assert_has!(self.hold().await, { "state": "held", "auto_ticket": false });
        assert_eq!(self.world.supplier_orders().await[0]["status"], "held");
        let events = "select count(*) from events where action = 'ticket.auto_refused'";
        assert_eq!(self.world.line(events).await, "1");
        for person in [&self.agent, &self.agency.log_in("asha").await] {
            let told = person.get("/notifications").await.ok();
            let mut told = told.as_array().unwrap().iter();
            assert!(told.any(|one| one["kind"] == "ticket.auto_refused"));
        }
    }

    async fn set(&self, enabled: bool) -> wayfare_tests::Reply {
        let path = format!("/flights/bookings/{}/auto-ticket", self.reference);
        self.agent.put(&path, &json!({ "enabled": enabled })).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hold_is_ticketed_half_an_hour_before_its_first_limit() {
    for (mut stage, seconds) in both().await {
        assert_has!(stage.booked["hold"], { "state": "held", "auto_ticket": true });
        stage.pass(seconds - 1).await;
        stage.world.tend_holds().await;
        assert_eq!(stage.asked().await, "0");
        stage.pass(1).await;
        for _ in 0..2 {
            stage.world.tend_holds().await;
        }
        stage.is_ticketed_once().await;
        assert_eq!(stage.asked().await, "1");
        let actors = "select distinct actor_type from events where action like 'ticket.%'";
        assert_eq!(stage.world.lines(actors).await, ["system"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn it_may_be_set_and_withdrawn_later() {
    let mut stage = Stage::at_duffel().await;
    for (enabled, times) in [(true, "1"), (true, "1"), (false, "2"), (true, "3")] {
        let set = stage.set(enabled).await.ok();
        assert_has!(set, { "booking_ref": (&stage.reference), "hold/auto_ticket": enabled, "hold/state": "held" });
        let events = "select count(*) from events where action = 'booking.auto_ticket_set'";
        assert_eq!(stage.world.line(events).await, times);
    }
    stage.set(false).await.ok();
    stage.pass(48 * 3600 - 1800).await;
    stage.world.tend_holds().await;
    assert_eq!(stage.asked().await, "0");
    // What is set when its time is past is done at once.
    stage.set(true).await.ok();
    stage.world.tend_holds().await;
    stage.is_ticketed_once().await;
    stage.set(true).await.is(400, "nothing of the booking is held");
}

#[tokio::test(flavor = "multi_thread")]
async fn it_can_t_be_set_while_its_tickets_are_asked_for() {
    let stage = Stage::at_duffel().await;
    stage.world.next("ticket", "drop_before").await;
    assert_eq!(stage.pay().await.status, 202);
    stage.set(true).await.is(409, "ticket issue is pending");
    let path = format!("/flights/bookings/{}/auto-ticket", stage.reference);
    stage.agent.put(&path, &json!({})).await.is_invalid("{enabled this field is required}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_that_is_cancelled_is_not_ticketed() {
    for (mut stage, seconds) in both().await {
        stage.agent.cancels(&stage.reference).await;
        stage.set(true).await.is(400, "booking is already cancelled");
        stage.pass(seconds).await;
        stage.world.tend_holds().await;
        assert_eq!(stage.asked().await, "0");
        assert_eq!(stage.hold().await["state"], "released");
        stage.world.is_settled().await;
    }
}

/// What the supplier refuses is not asked for again; who is to pay by hand is told.
#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_is_told_and_not_tried_again() {
    for (mut stage, seconds) in both().await {
        stage.world.next_at(&stage.supplier().await, "ticket", "status:422").await;
        stage.pass(seconds).await;
        for _ in 0..3 {
            stage.world.tend_holds().await;
            stage.pass(61).await;
        }
        assert_eq!(stage.asked().await, "1");
        stage.is_given_up().await;
        stage.pay().await.says(200, "ticket issued");
        stage.is_ticketed_once().await;
    }
}

/// A price that has moved at TripJack is not paid.
#[tokio::test(flavor = "multi_thread")]
async fn another_price_is_told_and_not_paid() {
    let mut stage = Stage::at_tripjack_with(7200, &automatic()).await;
    stage.world.next_at("tripjack", "price", "price_changed:10").await;
    stage.pass(5400).await;
    stage.world.tend_holds().await;
    assert_eq!(stage.asked().await, "1");
    stage.is_told().await;
    assert_eq!(stage.agent.balance().await, money() - stage.fare);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_supplier_that_is_down_is_asked_again_until_it_is_up() {
    for (mut stage, seconds) in both().await {
        let supplier = stage.supplier().await;
        stage.pass(seconds).await;
        for _ in 0..3 {
            stage.world.next_at(&supplier, "ticket", "rate_limited").await;
            stage.world.tend_holds().await;
            assert_eq!(stage.hold().await["auto_ticket"], true);
            stage.pass(61).await;
        }
        stage.world.tend_holds().await;
        stage.is_ticketed_once().await;
        assert_eq!(stage.asked().await, "4");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_supplier_that_stays_down_is_given_up_shortly_before_the_limit() {
    for (mut stage, seconds) in both().await {
        let supplier = stage.supplier().await;
        stage.pass(seconds + 1500).await;
        stage.world.next_at(&supplier, "ticket", "rate_limited").await;
        stage.world.tend_holds().await;
        stage.pass(61).await;
        stage.world.tend_holds().await;
        assert_eq!(stage.asked().await, "1");
        stage.is_given_up().await;
    }
}

/// Nobody knows whether it was paid: that is found out first.
#[tokio::test(flavor = "multi_thread")]
async fn a_payment_without_an_answer_is_found_out_before_it_is_made_again() {
    for (fault, asked) in
        [("drop_after", "1"), ("drop_before", "2"), ("status:500", "2"), ("broken_json", "2")]
    {
        for (mut stage, seconds) in both().await {
            let supplier = stage.supplier().await;
            stage.world.next_at(&supplier, "ticket", fault).await;
            stage.pass(seconds).await;
            stage.world.tend_holds().await;
            assert_eq!(stage.asked().await, "1");
            for _ in 0..3 {
                stage.pass(100).await;
                stage.world.recover().await;
                stage.world.tend_holds().await;
            }
            stage.is_ticketed_once().await;
            assert_eq!(stage.asked().await, asked, "{fault} at {supplier}");
        }
    }
}

/// No limit is told: it is ticketed when one is, and given up after an hour.
#[tokio::test(flavor = "multi_thread")]
async fn a_hold_without_a_limit_is_ticketed_when_it_has_one() {
    for (later, is_ticketed) in [(1200, true), (7200, false)] {
        let mut stage = Stage::at_tripjack_under(&format!("limit_later:{later}"), 0, &automatic()).await;
        assert_has!(stage.booked["hold"], { "pay_by": null, "auto_ticket": true, "next_reminder_at": null });
        for _ in 0..7 {
            stage.pass(601).await;
            stage.world.watch().await;
            stage.world.tend_holds().await;
        }
        match is_ticketed {
            true => stage.is_ticketed_once().await,
            false => stage.is_given_up().await,
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_asked_for_with_a_hold_alone() {
    let (world, agency, agent) = World::start().await.and_agent(MONEY).await;
    let trip = one_way("JFK", "EWR");
    let priced = agent.quote(&trip).await;
    let order = |hold: Value| {
        let mut order = agent.order(&priced, &trip);
        order["auto_ticket"] = true.into();
        order["allow_duplicate"] = true.into();
        match hold.is_null() {
            true => {}
            false => order["hold"] = hold,
        }
        order
    };
    let refused = "{auto_ticket must not be true without hold}";
    for hold in [Value::Null, json!(false)] {
        agent.book(&order(hold)).await.is_invalid(refused);
    }
    world.nothing_happened().await;
    let admin = agency.log_in("asha").await;
    let set = json!({ "key": "book_mode", "value": "hold" });
    admin.put("/org/settings", &set).await.says(200, "setting updated");
    agent.book(&order(json!(false))).await.is_invalid(refused);
    assert_has!(agent.book(&order(Value::Null)).await.ok()["hold"], { "state": "held", "auto_ticket": true });
    assert!(agent.balance().await < MONEY.parse::<Decimal>().unwrap());
    world.books_agree().await;
}
