//! A cancellation to which no answer comes ends soon after the supplier's processing time, in the way that each supplier's
//! own evidence allows, or is the operator's by then; and one that was given up is polled for a week.

use std::time::Duration;

use rust_decimal::Decimal;
use serde_json::Value;
use wayfare_domain::IncidentOutcome;
use wayfare_operations::{Error, Resolution, access::operators::By, engine::resolution};
use wayfare_tests::{Agency, MONEY, Person, Seller, World, WorldOptions, amount, money, one_way};

/// Of Duffel and of TripJack: processing time and one more deadline.
const DUFFEL_OVER: i64 = 260;
const TRIPJACK_PROCESSED: i64 = 300;
const TRIPJACK_OVER: i64 = 430;
const QUOTE_EXPIRED: i64 = 3600;

struct Stage {
    world: World,
    agency: Agency,
    agent: Person,
    supplier: &'static str,
    reference: String,
    fare: Decimal,
    refund: Decimal,
}

async fn stage(seller: Seller, hold: bool) -> Stage {
    let supplier = seller.code;
    let processing_time = Duration::from_secs(if supplier == "tripjack" { 300 } else { 130 });
    stage_of(supplier, WorldOptions { processing_time, ..WorldOptions::of([seller]).frozen() }, hold).await
}

async fn stage_of(supplier: &'static str, options: WorldOptions, hold: bool) -> Stage {
    let (world, agency, agent) = World::with(options).await.and_agent(MONEY).await;
    let trip = one_way("DEL", "BOM").by("ZZ");
    let priced = agent.quote(&trip).await;
    let mut order = agent.order(&priced, &trip);
    order["hold"] = hold.into();
    let reference = agent.book(&order).await.ok()["booking_ref"].as_str().unwrap().to_owned();
    let fare = amount(&priced["price_summary"]["total_payable"]);
    let refund = amount(&agent.penalty(&reference).await.ok()["refund_amount"]);
    Stage { world, agency, agent, supplier, reference, fare, refund }
}

impl Stage {
    async fn cancel_is_pending(&self, fault: &str) {
        self.world.next_at(self.supplier, "cancel", fault).await;
        self.agent.cancel(&self.reference).await.says(202, "booking cancellation is pending");
    }

    async fn later(&mut self, seconds: i64) {
        self.world.recover_in(seconds).await;
        self.agent = self.agency.log_in("arjun").await;
    }

    async fn is_open(&self) {
        assert_eq!(self.refunds().await, ["processing"]);
        self.agent.cancel(&self.reference).await.is(409, "booking cancellation is pending");
        assert_eq!(self.agent.booking(&self.reference).await["status"], "confirmed");
    }

    async fn is_given_back(&self) {
        assert_eq!(self.agent.booking(&self.reference).await["status"], "cancelled");
        assert_eq!(self.agent.balance().await, money() - self.fare + self.refund);
        assert_eq!(self.incidents().await, Vec::<String>::new());
        self.world.is_settled().await;
    }

    async fn stands(&self) {
        assert_eq!(self.agent.booking(&self.reference).await["status"], "confirmed");
        assert_eq!(self.agent.balance().await, money() - self.fare);
        assert_eq!(self.refunds().await, ["failed"]);
        self.world.is_settled().await;
    }

    async fn refunds(&self) -> Vec<String> {
        self.world.lines("select status from refunds").await
    }

    /// The kinds of incidents that are open.
    async fn incidents(&self) -> Vec<String> {
        self.world.lines("select kind from exceptions where closed_at is null order by kind").await
    }

    /// The operator rules that the supplier has refused the cancellation of which it is not known.
    async fn rule_refused(&self, note: &str) -> Result<(), Error> {
        let id = self.world.line("select id::text from exceptions where closed_at is null").await;
        let ruling = Resolution { outcome: IncidentOutcome::Refused, order_id: None, note: note.to_owned() };
        let engine = &self.world.platform.engine;
        resolution::resolve(engine, By::command_line(), id.parse().unwrap(), &ruling).await.map(drop)
    }

    /// The order is polled again after so long.
    async fn recheck_after(&self, seconds: i64) {
        self.world.pass(seconds);
        self.world.recheck().await;
    }

    async fn rechecks(&self) -> Vec<String> {
        self.world.lines("select kind from effects where recheck_at is not null").await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn duffel_is_asked_once_more_to_carry_out_what_it_never_heard_of() {
    for fault in ["drop_before", "status:500", "broken_json"] {
        let mut stage = stage(Seller::duffel(), false).await;
        stage.cancel_is_pending(fault).await;
        stage.later(DUFFEL_OVER).await;
        stage.is_open().await;
        stage.later(1).await;
        stage.is_given_back().await;
    }
}

/// The second confirmation may fall silent as well as the first: what was carried out is seen, and nothing is asked for a
/// third time.
#[tokio::test(flavor = "multi_thread")]
async fn what_duffel_answers_to_the_second_confirmation_decides_nothing() {
    for (second, is_done) in [("drop_after", true), ("drop_before", false), ("status:422", false)] {
        let mut stage = stage(Seller::duffel(), false).await;
        stage.cancel_is_pending("drop_before").await;
        stage.world.next_times("cancel", second, 2).await;
        stage.later(DUFFEL_OVER + 1).await;
        assert_eq!(stage.world.strikes_left().await, 1, "{second}");
        if is_done {
            stage.is_given_back().await;
            continue;
        }
        stage.is_open().await;
        for _ in 0..3 {
            stage.later(1000).await;
            stage.is_open().await;
        }
        assert_eq!(stage.incidents().await, ["outcome_unknown"]);
        stage.later(QUOTE_EXPIRED - 3000 - DUFFEL_OVER).await;
        stage.stands().await;
        assert_eq!(stage.incidents().await, Vec::<String>::new());
        assert_eq!(stage.world.strikes_left().await, 1, "{second}");
        stage.world.all_is_well().await;
        stage.agent.cancels(&stage.reference).await;
        stage.world.is_settled().await;
    }
}

/// While Duffel may be at the second confirmation, what its desk says of the first is worth nothing.
#[tokio::test(flavor = "multi_thread")]
async fn the_operator_can_not_rule_it_refused_while_duffel_may_be_at_it() {
    let incident_after = Duration::from_secs(130);
    let options = WorldOptions { incident_after, ..WorldOptions::of([Seller::duffel()]).frozen() };
    let mut stage = stage_of("duffel", options, false).await;
    stage.cancel_is_pending("drop_before").await;
    stage.later(DUFFEL_OVER).await;
    stage.world.next("cancel", "drop_before").await;
    stage.later(1).await;
    let note = "the desk says that it stands";
    // It was asked once more, and has all of its time anew.
    stage.later(DUFFEL_OVER - 1).await;
    let error = stage.rule_refused(note).await.unwrap_err().to_string();
    assert!(error.starts_with("{outcome can't be refused before "), "{error}");
    stage.is_open().await;
    stage.later(1).await;
    stage.rule_refused(note).await.unwrap();
    stage.stands().await;
}

/// Duffel takes the second confirmation and carries it out after the quote has expired: what was taken is waited for.
#[tokio::test(flavor = "multi_thread")]
async fn a_second_confirmation_that_was_taken_is_never_given_up() {
    let mut stage = stage(Seller::duffel(), false).await;
    stage.cancel_is_pending("drop_before").await;
    stage.world.next("cancel", "refund_later:7200").await;
    stage.later(DUFFEL_OVER + 1).await;
    stage.later(QUOTE_EXPIRED).await;
    stage.is_open().await;
    stage.later(QUOTE_EXPIRED).await;
    stage.is_given_back().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_order_of_a_cancellation_that_was_given_up_is_looked_at_for_a_week() {
    let mut stage = stage(Seller::duffel(), false).await;
    stage.cancel_is_pending("drop_before").await;
    stage.world.next("cancel", "status:422").await;
    stage.later(DUFFEL_OVER + 1).await;
    stage.later(QUOTE_EXPIRED).await;
    stage.stands().await;
    assert_eq!(stage.rechecks().await, ["cancel"]);
    // It stands at 10 min, 1 h and 6 h.
    for after in [600, 3000, 18_000] {
        stage.recheck_after(after).await;
        assert_eq!(stage.incidents().await, Vec::<String>::new());
        assert_eq!(stage.rechecks().await, ["cancel"]);
    }
    let orders = stage.world.supplier_orders().await;
    stage.world.duffel_cancels(orders[0]["id"].as_str().unwrap()).await;
    stage.recheck_after(60_000).await;
    assert_eq!(stage.incidents().await, Vec::<String>::new(), "nobody looks before");
    stage.recheck_after(5000).await;
    assert_eq!(stage.incidents().await, ["cancelled_by_supplier"]);
    assert_eq!(stage.rechecks().await, Vec::<String>::new());
    let raised = stage.world.line("select details from exceptions where closed_at is null");
    assert_eq!(serde_json::from_str::<Value>(&raised.await).unwrap()["order_id"], orders[0]["id"]);
    assert_eq!(stage.world.line("select status from bookings").await, "confirmed");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_was_given_back_since_is_nothing_new() {
    let mut stage = stage(Seller::duffel(), false).await;
    stage.cancel_is_pending("drop_before").await;
    stage.world.next("cancel", "status:422").await;
    stage.later(DUFFEL_OVER + 1).await;
    stage.later(QUOTE_EXPIRED).await;
    stage.agent.cancels(&stage.reference).await;
    stage.recheck_after(600).await;
    assert_eq!(stage.incidents().await, Vec::<String>::new());
    assert_eq!(stage.rechecks().await, Vec::<String>::new());
}

/// The order that stands proves nothing of an amendment: only the operator learns of it, and knows at once.
#[tokio::test(flavor = "multi_thread")]
async fn an_amendment_that_tripjack_has_not_named_is_the_operators_at_the_processing_time() {
    for fault in ["drop_before", "status:500", "broken_json"] {
        let mut stage = stage(Seller::tripjack(), false).await;
        stage.cancel_is_pending(fault).await;
        stage.later(TRIPJACK_PROCESSED).await;
        assert_eq!(stage.incidents().await, Vec::<String>::new());
        stage.later(1).await;
        assert_eq!(stage.incidents().await, ["outcome_unknown"], "{fault}");
        for _ in 0..3 {
            stage.later(86_400).await;
            stage.is_open().await;
        }
        stage.rule_refused("the desk has no such amendment").await.unwrap();
        stage.stands().await;
        // The desk may be as wrong as silence.
        assert_eq!(stage.rechecks().await, ["cancel"]);
        stage.agent.cancels(&stage.reference).await;
        stage.world.is_settled().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_amendment_that_succeeds_an_hour_later_is_paid_back_whether_or_not_its_id_is_known() {
    for is_named in [true, false] {
        let mut stage = stage(Seller::tripjack(), false).await;
        stage.cancel_is_pending("refund_later:3600").await;
        if !is_named {
            // As if the answer that brought the id had been lost.
            let lost = r#"update effects set request = request || '{"cancellation_id": "amendment", "accepted": false}'
                where kind = 'cancel'"#;
            stage.world.sql(lost).await;
        }
        stage.later(TRIPJACK_OVER + 1).await;
        stage.is_open().await;
        let told: &[&str] = if is_named { &[] } else { &["outcome_unknown"] };
        assert_eq!(stage.incidents().await, told);
        stage.later(2000).await;
        stage.is_open().await;
        stage.later(1500).await;
        stage.is_given_back().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hold_that_stands_when_tripjack_has_had_its_time_was_not_let_go() {
    for fault in ["drop_before", "status:500", "broken_json"] {
        let mut stage = stage(Seller::tripjack(), true).await;
        stage.cancel_is_pending(fault).await;
        stage.later(TRIPJACK_OVER).await;
        stage.is_open().await;
        stage.later(1).await;
        stage.stands().await;
        assert_eq!(stage.rechecks().await, ["cancel"]);
        assert_eq!(stage.incidents().await, Vec::<String>::new());
        stage.agent.cancels(&stage.reference).await;
        stage.world.is_settled().await;
    }
}
