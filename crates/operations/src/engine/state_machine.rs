//! Holds the completion of steps to the table of the state machine.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test can only fail")]

use std::sync::Arc;

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde_json::json;
use wayfare_domain::{
    Actor, Awaited, BookingStatus, ChangeId, Currency, HoldId, OrderStatus, ProductKind, RefundId,
    RefundStatus, StepId, StepKind, WalletId,
};
use wayfare_ledger::Wallet;
use wayfare_store::{
    Database, JsonText,
    batch::writes::{Outline, Writes},
    booking::{
        bookings::{Booking, Order},
        refunds,
        steps::Step,
    },
};

use super::{
    TABLE,
    batch_state::BatchState,
    booking_state::BookingState,
    cancellation::CancelRequest,
    commit::model,
    complete::{CompleteStep, complete},
    open_booking::sample,
    step::{CarriedOut, NewStep, OrderMade, Service, StepOutcome, form_saga},
    steps::cancel,
};
use crate::Platform;

/// Booking, step, outcome, whether the step is the last of its saga; then the booking after it, money, events, the rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row(
    pub BookingStatus,
    pub StepKind,
    pub Outcome,
    pub bool,
    pub BookingStatus,
    pub Money,
    pub &'static [&'static str],
    pub Rest,
);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Done,
    Refused,
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Money {
    Nothing,
    /// The booking's hold becomes a debit.
    HoldPosted,
    /// The booking's hold is given back.
    HoldVoided,
    Refund,
    /// The hold of added services becomes a debit.
    ServicePosted,
    ServiceVoided,
    /// The hold of a change becomes a debit.
    ChangePosted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    Begins,
    Ends,
    IsRefused,
    /// Orders that were made are given back.
    Compensates,
    /// The step stays open, and what is planned stays planned.
    Waits,
}

fn rupees(amount: i64) -> wayfare_domain::Money {
    wayfare_domain::Money::exact(Decimal::from(amount), Currency::INR).unwrap()
}

/// A booking of two orders before the step of a row is completed.
struct Scene {
    platform: Arc<Platform>,
    now: DateTime<Utc>,
    state: BatchState,
    step: Step,
    hold: HoldId,
    service: Service,
}

/// What a step of any kind was asked to do.
fn request(platform: &Platform, service: &Service) -> JsonText {
    let request = json!({
        "service": service,
        "booked": {},
        "added": {},
        "order_id": "ord_1",
        "change": ChangeId::new(&platform.core.clock),
        "supplier_id": "aic_1",
        "token": "oco_1",
        "price": { "total": rupees(50), "penalty": rupees(20), "is_money": true },
        "shown": [rupees(50), rupees(50)],
        "cost": {
            "supplier_difference": rupees(30),
            "difference": rupees(30),
            "penalty": rupees(20),
        },
        "journeys": [],
    });
    JsonText::of(&request).unwrap()
}

impl Scene {
    fn of(platform: &Arc<Platform>, row: &Row) -> Self {
        let Row(status, kind, _, is_last, ..) = *row;
        let (clock, now) = (&platform.core.clock, platform.core.clock.now());
        let mut wallet = Wallet::open(WalletId::new(clock), Currency::INR);
        wallet.balance = rupees(10_000);
        let service = Service { hold: HoldId::new(clock), amount: rupees(50), sold: Vec::new() };
        let booking =
            sample(&platform.core, status, &wallet, vec![model::sold(10_000), model::sold(10_000)]).unwrap();
        wallet.held = match kind {
            StepKind::Book => booking.amount,
            StepKind::AddService | StepKind::Change => service.amount,
            StepKind::Cancel | StepKind::Ticket | StepKind::Compensate | StepKind::AcceptChange => rupees(0),
        };
        let number = if is_last { 2 } else { 1 };
        let orders = [1, 2].map(|number| order(&booking, kind, number, is_last));
        let mut steps: Vec<Step> = (number..=2)
            .map(|number| {
                let new = NewStep {
                    organization: booking.organization,
                    booking: booking.id,
                    number,
                    supplier: "duffel",
                    kind,
                    request: request(platform, &service),
                    requested_by: None,
                };
                new.at(&platform.engine, now)
            })
            .collect();
        form_saga(&mut steps);
        let step = steps.remove(0);
        let mut state = BatchState::default();
        state.open.insert(step.id);
        state.planned.insert(step.saga, steps);
        state.money.wallets.insert(wallet.id, wallet);
        let hold = booking.hold;
        let refunds = [1, 2].map(|number| refund(platform, &booking, number)).to_vec();
        let before = BookingState {
            orders: orders.to_vec(),
            refunds: if kind == StepKind::Cancel { refunds } else { Vec::new() },
            begun: Vec::new(),
            booking,
        };
        state.bookings.insert(step.booking, before);
        Self { platform: platform.clone(), now, state, step, hold, service }
    }

    fn outcome(&self, outcome: Outcome) -> StepOutcome {
        match (outcome, self.step.kind) {
            (Outcome::Unknown, _) => StepOutcome::Unknown("silence".to_owned()),
            (Outcome::Refused, _) => StepOutcome::Refused("sold out".to_owned(), None),
            (Outcome::Done, StepKind::Cancel | StepKind::Compensate) => {
                cancel::done(ProductKind::Flight, &CancelRequest::of("ord_1"), CarriedOut::default())
            }
            (Outcome::Done, StepKind::AcceptChange) => StepOutcome::ChangeAccepted,
            (Outcome::Done, StepKind::Book | StepKind::Ticket | StepKind::AddService | StepKind::Change) => {
                let total = match self.step.kind {
                    StepKind::Change => 13_000,
                    _ => 10_000,
                };
                let made = model::made("ord_9", total).unwrap();
                StepOutcome::OrderMade(OrderMade {
                    locator: "PNR123".to_owned(),
                    awaited: Awaited::Nothing,
                    ..made
                })
            }
        }
    }

    fn money(&self, outline: &Outline) -> Money {
        let holds: Vec<(&str, &str)> =
            outline.closed_holds.iter().map(|(id, outcome)| (id.as_str(), outcome.as_str())).collect();
        let (own, service) = (self.hold.to_string(), self.service.hold.to_string());
        let transfers: Vec<&str> = outline.transfers.iter().map(String::as_str).collect();
        match (&*holds, &*transfers) {
            ([], []) => Money::Nothing,
            ([], ["refund"]) => Money::Refund,
            ([(id, "posted")], ["booking"]) if *id == own => Money::HoldPosted,
            ([(id, "voided")], []) if *id == own => Money::HoldVoided,
            ([(id, "posted")], ["booking"]) if *id == service && self.step.kind == StepKind::Change => {
                Money::ChangePosted
            }
            ([(id, "posted")], ["booking"]) if *id == service => Money::ServicePosted,
            ([(id, "voided")], []) if *id == service => Money::ServiceVoided,
            other => panic!("no row knows this of money: {other:?}"),
        }
    }

    fn rest(&self, planned: usize, begun: &[Step], outline: &Outline) -> Rest {
        let kinds: Vec<StepKind> = begun.iter().map(|step| step.kind).collect();
        let waiting = self.state.planned.get(&self.step.saga).map_or(0, Vec::len);
        let still_open = self.state.open.contains(&self.step.id);
        match (&*kinds, outline.completed_steps.len()) {
            ([], 0) if still_open && waiting == planned => Rest::Waits,
            ([StepKind::Compensate], 1) => Rest::Compensates,
            ([next], 1) if *next == self.step.kind && waiting + 1 == planned => Rest::Begins,
            ([], 2) if waiting == 0 => Rest::IsRefused,
            ([], 1) if planned == 0 => Rest::Ends,
            other => panic!("no row knows this of the saga: {other:?}"),
        }
    }
}

/// The first order when the step acts on the second has been through its own step.
fn order(booking: &Booking<()>, kind: StepKind, number: u16, is_last: bool) -> Order<JsonText> {
    let is_before = is_last && number == 1;
    let status = match kind {
        StepKind::Book if !is_before => OrderStatus::Pending,
        StepKind::Cancel | StepKind::Compensate if is_before => OrderStatus::Cancelled,
        StepKind::Ticket if !is_before => OrderStatus::Held,
        _ => OrderStatus::Confirmed,
    };
    Order {
        number,
        reference: booking.reference.order(number),
        supplier: "duffel".to_owned(),
        status,
        supplier_order_id: (status != OrderStatus::Pending).then(|| format!("ord_{number}")),
        content: None,
        next_poll_at: None,
        hold: None,
        travel_at: None,
        travel_ends: None,
        given_back: Vec::new(),
    }
}

fn refund(platform: &Platform, booking: &Booking<()>, number: u16) -> refunds::Refund {
    refunds::Refund {
        id: RefundId::new(&platform.core.clock),
        organization: booking.organization,
        booking: booking.id,
        number,
        wallet: booking.wallet,
        status: RefundStatus::Processing,
        cancellation_charge: rupees(20),
        provider_refund_amount: rupees(80),
        platform_charges: rupees(0),
        refund_to_wallet: rupees(80),
        provider_refund_id: None,
        requested_at: platform.core.clock.now(),
        refunded_at: None,
        part: None,
    }
}

/// Nothing is asked of the database: a decision is made of what was loaded.
#[tokio::test]
async fn each_row_of_the_table_is_what_completing_a_step_does() {
    let database = Database::connect("postgres://nobody@127.0.0.1:1/none", 1).unwrap();
    let platform = model::platform(database);
    for row in TABLE {
        let mut scene = Scene::of(&platform, row);
        let Row(_, _, outcome, _, status, money, events, rest) = *row;
        let planned = scene.state.planned.values().map(Vec::len).sum();
        let command = CompleteStep {
            step: scene.step.clone(),
            actor: Actor::system(),
            outcome: scene.outcome(outcome),
        };
        let (mut writes, mut raised) = (Writes::default(), Vec::new());
        let state = &mut scene.state;
        let after = complete(&scene.platform.engine, &command, state, &mut writes, &mut raised).unwrap();
        let outline = writes.outline().unwrap();
        assert_eq!(after.booking.status, status, "{row:?}");
        assert_eq!(outline.events, events, "{row:?}");
        assert_eq!(scene.money(&outline), money, "{row:?}");
        assert_eq!(scene.rest(planned, &after.begun, &outline), rest, "{row:?}");
        assert!(after.begun.iter().all(|step| step.sent_at >= scene.now), "{row:?}");
    }
}

/// A step is never completed twice: whoever comes second changes nothing.
#[tokio::test]
async fn a_second_completion_writes_nothing() {
    let database = Database::connect("postgres://nobody@127.0.0.1:1/none", 1).unwrap();
    let platform = model::platform(database);
    for row in TABLE {
        let mut scene = Scene::of(&platform, row);
        let closed: StepId = scene.step.id;
        scene.state.open.remove(&closed);
        let command =
            CompleteStep { step: scene.step.clone(), actor: Actor::system(), outcome: scene.outcome(row.2) };
        let (mut writes, mut raised) = (Writes::default(), Vec::new());
        let state = &mut scene.state;
        complete(&scene.platform.engine, &command, state, &mut writes, &mut raised).unwrap();
        assert_eq!(writes.outline().unwrap(), Outline::default(), "{row:?}");
    }
}

#[test]
fn every_kind_of_step_has_a_row_for_each_outcome() {
    use Outcome::{Done, Refused, Unknown};
    use StepKind::{AcceptChange, AddService, Book, Cancel, Change, Compensate, Ticket};
    for kind in [Book, Cancel, Ticket, Compensate, AddService, AcceptChange, Change] {
        for outcome in [Done, Refused, Unknown] {
            for is_last in [false, true] {
                // These are always a saga of one step.
                if !is_last && matches!(kind, Compensate | AddService | AcceptChange | Change) {
                    continue;
                }
                let rows = TABLE.iter().filter(|row| (row.1, row.2, row.3) == (kind, outcome, is_last));
                assert_eq!(rows.count(), 1, "{kind:?} {outcome:?} {is_last}");
            }
        }
    }
}
