//! The booking engine: a booking and its supplier steps, from the quote to the last refund. It knows neither flights nor
//! hotels; what a supplier is asked stands behind `order_supplier::OrderSupplier`.
//!
//! # How it works
//!
//! A **booking** is bought with a **saga**: one **step** for each supplier order. A step is one call to a supplier that
//! changes something there. It is written, with the money that is set aside for it, before the supplier is asked
//! (`purchase` opens a booking, `begin_step` begins steps on one that stands), so that a crash leaves a trace of all
//! that may have been sent. At most one step of a saga is in flight; the others are planned.
//!
//! `saga` sends a step (`steps`) and completes it with its outcome (`complete`): in one transaction the outcome is
//! written, the money moves and the next step begins. What is refused refuses the rest of its saga; orders that were made
//! already are given back by **compensations**, steps of their own. An outcome that is unknown completes nothing: the step
//! stays open, and `recover` looks it up until it is known, or an operator resolves its **incident** (`resolution`).
//!
//! Who completes a step first wins, whoever sent it, recovered it or resolved it: a second completion changes nothing. All
//! writes of money go through the `commit`, which carries many commands in one transaction.
//!
//! # The state machine
//!
//! `TABLE` below is all of it, and a test holds the code to it: booking, step, outcome, whether the step is the last of
//! its saga → the booking after it, the money that moves, the events, what happens to the rest of the saga.

pub mod allocation;
pub(crate) mod batch_state;
pub(crate) mod begin_step;
pub(crate) mod booking_state;
pub(crate) mod cancellation;
pub(crate) mod commit;
pub(crate) mod complete;
pub(crate) mod fare_rows;
pub mod incidents;
pub(crate) mod note;
pub(crate) mod open_booking;
pub(crate) mod order_holds;
pub(crate) mod order_polling;
pub(crate) mod order_supplier;
pub(crate) mod order_watch;
pub(crate) mod patience;
pub(crate) mod postpone;
pub(crate) mod purchase;
pub(crate) mod quotes;
pub(crate) mod recheck;
pub(crate) mod recover;
pub(crate) mod refund_quote;
pub mod resolution;
pub mod ruling;
pub(crate) mod saga;
#[cfg(test)]
mod state_machine;
pub(crate) mod step;
pub(crate) mod step_lease;
pub(crate) mod steps;
pub(crate) mod supplier_cancellation;
pub mod supplier_hooks;
pub(crate) mod unclear;
pub(crate) mod unsettled;

use std::{
    collections::BTreeMap,
    sync::{Arc, Weak},
};

use crate::{
    Core, Error, Result,
    money::wallet_transfer::{Moved, WalletTransfer},
    suppliers::Suppliers,
    tools::commit_metrics::CommitMetrics,
};
use commit::GroupCommit;
use order_supplier::{AfterSaleSteps, OrderSupplier};
use quotes::StoredQuotes;
use step_lease::StepLeases;
use unsettled::FailingOrders;

/// What bookings and their steps need.
pub struct Engine {
    pub(crate) core: Arc<Core>,
    pub(crate) suppliers: Arc<Suppliers>,
    /// The same suppliers, by their codes.
    order_suppliers: OrderSuppliers,
    pub(crate) group_commit: GroupCommit,
    pub(crate) commit_metrics: CommitMetrics,
    stored_quotes: StoredQuotes,
    failing_orders: FailingOrders,
    step_leases: StepLeases,
}

pub(crate) type OrderSuppliers = BTreeMap<String, Box<dyn OrderSupplier>>;

impl Engine {
    pub(crate) fn start(suppliers: Arc<Suppliers>, order_suppliers: OrderSuppliers) -> Arc<Self> {
        let core = suppliers.core.clone();
        Arc::new_cyclic(|engine: &Weak<Self>| Self {
            group_commit: GroupCommit::start(engine, &core.runtime),
            commit_metrics: CommitMetrics::default(),
            stored_quotes: quotes::stored_quotes(&core.database, &core.runtime),
            failing_orders: FailingOrders::default(),
            step_leases: StepLeases::default(),
            core,
            suppliers,
            order_suppliers,
        })
    }

    /// Moves money, or tells what came of it when it was moved under this key before.
    ///
    /// # Errors
    /// [`Error::InsufficientFunds`]; [`Error::NotFound`] when an owner has no wallet, or a deleted user is to get money;
    /// [`Error::KeyMismatch`] when another wallet transfer was made under the key; [`Error::KeyRunning`] when another process has
    /// carried the request out meanwhile.
    pub async fn transfer(&self, transfer: WalletTransfer) -> Result<Moved> {
        self.group_commit.carry_out(transfer).await
    }

    /// How many commands of the group commit are not answered yet.
    pub fn commands_under_way(&self) -> usize {
        self.group_commit.unanswered()
    }

    /// The supplier of this code, as steps ask it.
    ///
    /// # Errors
    /// [`Error::SupplierUnavailable`] when it is no longer configured.
    fn order_supplier(&self, code: &str) -> Result<&dyn OrderSupplier> {
        let supplier = self.order_suppliers.get(code).ok_or(Error::SupplierUnavailable(None))?;
        Ok(&**supplier)
    }

    /// The same as steps ask it of what is sold.
    ///
    /// # Errors
    /// [`Error::SupplierUnavailable`] when it is no longer configured; [`Error::Internal`] where its product has no such steps.
    fn after_sale(&self, code: &str) -> Result<&dyn AfterSaleSteps> {
        let no_such = || Error::Internal("a step of this kind is not for this product".to_owned());
        self.order_supplier(code)?.after_sale().ok_or_else(no_such)
    }
}

#[cfg(test)]
use state_machine::{Money::*, Outcome::*, Rest::*, Row};
#[cfg(test)]
use wayfare_domain::{BookingStatus::*, StepKind::*};

#[cfg(test)]
#[rustfmt::skip]
const TABLE: &[Row] = &[
    // booking, step, outcome, last of its saga   =>  booking, money, events, the rest of the saga
    // An order is made. The hold is posted when all orders of the booking are made.
    Row(Pending,   Book,       Done,    false,        Pending,   Nothing,       &[],                                                Begins),
    Row(Pending,   Book,       Done,    true,         Confirmed, HoldPosted,    &["booking.confirmed"],                             Ends),
    // One refused order fails the booking: what is planned is refused too, what was made is given back.
    Row(Pending,   Book,       Refused, false,        Failed,    HoldVoided,    &["booking.failed"],                                IsRefused),
    Row(Pending,   Book,       Refused, true,         Failed,    HoldVoided,    &["booking.failed"],                                Compensates),
    Row(Pending,   Book,       Unknown, false,        Pending,   Nothing,       &[],                                                Waits),
    Row(Pending,   Book,       Unknown, true,         Pending,   Nothing,       &[],                                                Waits),
    // An order is given back. Each brings its own refund; the last cancels the booking ("booking.rescheduled" where
    // another booking has taken its place). No "refund.completed" where nothing comes back.
    Row(Confirmed, Cancel,     Done,    false,        Confirmed, Refund,        &["refund.completed", "booking.partly_cancelled"],  Begins),
    Row(Confirmed, Cancel,     Done,    true,         Cancelled, Refund,        &["refund.completed", "booking.cancelled"],         Ends),
    Row(Confirmed, Cancel,     Refused, false,        Confirmed, Nothing,       &["booking.cancel_refused"],                        IsRefused),
    Row(Confirmed, Cancel,     Refused, true,         Confirmed, Nothing,       &["booking.cancel_refused"],                        Ends),
    Row(Confirmed, Cancel,     Unknown, false,        Confirmed, Nothing,       &[],                                                Waits),
    Row(Confirmed, Cancel,     Unknown, true,         Confirmed, Nothing,       &[],                                                Waits),
    // A held order is paid at its supplier. The wallet paid when it was booked.
    Row(Confirmed, Ticket,     Done,    false,        Confirmed, Nothing,       &["ticket.issued"],                                 Begins),
    Row(Confirmed, Ticket,     Done,    true,         Confirmed, Nothing,       &["ticket.issued", "booking.hold_paid"],            Ends),
    Row(Confirmed, Ticket,     Refused, false,        Confirmed, Nothing,       &["ticket.refused"],                                IsRefused),
    Row(Confirmed, Ticket,     Refused, true,         Confirmed, Nothing,       &["ticket.refused"],                                Ends),
    Row(Confirmed, Ticket,     Unknown, false,        Confirmed, Nothing,       &[],                                                Waits),
    Row(Confirmed, Ticket,     Unknown, true,         Confirmed, Nothing,       &[],                                                Waits),
    // Services are added to an order, with a hold of their own. They are always one step.
    Row(Confirmed, AddService, Done,    true,         Confirmed, ServicePosted, &["booking.service_added"],                         Ends),
    Row(Confirmed, AddService, Refused, true,         Confirmed, ServiceVoided, &["booking.service_refused"],                       Ends),
    Row(Confirmed, AddService, Unknown, true,         Confirmed, Nothing,       &[],                                                Waits),
    // What an airline changed is accepted. That is always one step, and costs nothing.
    Row(Confirmed, AcceptChange, Done,  true,         Confirmed, Nothing,       &["booking.change_accepted"],                       Ends),
    Row(Confirmed, AcceptChange, Refused, true,       Confirmed, Nothing,       &["booking.change_accept_refused"],                 Ends),
    Row(Confirmed, AcceptChange, Unknown, true,       Confirmed, Nothing,       &[],                                                Waits),
    // Journeys of an order are changed at its supplier, with a hold of their own where that costs anything. That is always one
    // step.
    Row(Confirmed, Change,     Done,    true,         Confirmed, ChangePosted,  &["booking.changed"],                               Ends),
    Row(Confirmed, Change,     Refused, true,         Confirmed, ServiceVoided, &["booking.journey_change_refused"],                Ends),
    Row(Confirmed, Change,     Unknown, true,         Confirmed, Nothing,       &[],                                                Waits),
    // An order of a failed booking is given back. Nobody paid for it: what its supplier keeps is the operator's loss, and
    // a refusal raises an incident. Each compensation is a saga of its own.
    Row(Failed,    Compensate, Done,    true,         Failed,    Nothing,       &["booking.order_undone"],                          Ends),
    Row(Failed,    Compensate, Refused, true,         Failed,    Nothing,       &["booking.undo_refused"],                          Ends),
    Row(Failed,    Compensate, Unknown, true,         Failed,    Nothing,       &[],                                                Waits),
];
