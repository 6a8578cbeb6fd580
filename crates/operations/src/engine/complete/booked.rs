//! Orders that are made, or not, and what the wallet pays for them.

use serde_json::Value;
use wayfare_domain::{Awaited, BookingStatus, EventKind, Money, OrderStatus, StepId, StepKind, TransferId};
use wayfare_ledger::{Reason, Transfer, Wallet};
use wayfare_pricing::Totals;
use wayfare_store::{
    booking::{bookings::Order, steps::Step},
    money::entries::HoldOutcome,
};

#[cfg(feature = "failpoints")]
use super::{BookingState, CompleteStep, Completion, Ending, Fares, due, stands};
#[cfg(feature = "failpoints")]
use crate::{
    Error, Platform, Result, engine::steps::cancel::CancelRequest, money::posting_rules,
    tools::failpoints::seeded_bug,
};

/// A planted bug: the debit is posted in a transaction of its own.
const POST_BEFORE_STORE: &str = "bug:post-before-store";

/// What every booking needs to know of the order that was made.
pub(crate) struct OrderMade {
    pub id: String,
    pub status: OrderStatus,
    pub locator: String,
    /// What the supplier charges, in its currency.
    pub total: Money,
    pub awaited: Awaited,
    pub content: Value,
}

/// The planted bug: what confirmed bookings cost is paid in a transaction of its own, before they are confirmed.
#[cfg(feature = "failpoints")]
pub(crate) async fn planted_post_before_store(platform: &Platform, closings: &[&CompleteStep]) -> Result<()> {
    use diesel_async::AsyncConnection;
    use wayfare_store::{booking::bookings, money::wallets};

    if !seeded_bug(POST_BEFORE_STORE) || closings.is_empty() {
        return Ok(());
    }
    let mut connection = platform.database.connection().await?;
    let posted = connection.transaction(async |connection| {
        for closing in closings {
            let step = &closing.step;
            let wallets = wallets::lock_for(connection, &[], &[step]).await?;
            for (locked, paid) in bookings::lock_for(connection, &[step])
                .await?
                .into_iter()
                .zip(wallets.into_values())
            {
                let mut wallet = paid.wallet;
                let mut completion = Completion {
                    platform,
                    closing,
                    now: platform.clock.now(),
                    after: BookingState {
                        booking: locked.booking,
                        orders: Vec::new(),
                        refunds: Vec::new(),
                        begun: Vec::new(),
                    },
                    planned: Vec::new(),
                    writes: wayfare_store::batch::writes::Writes::default(),
                    raised: Vec::new(),
                };
                if locked.open && matches!(closing.ending, Ending::Booked(_)) {
                    completion.pay(&mut wallet)?;
                }
                completion.writes.send(connection).await?;
            }
        }
        Ok::<_, Error>(())
    });
    posted.await?;
    crate::tools::failpoints::moment("close:posted");
    Ok(())
}

impl Completion<'_> {
    pub(super) fn booked(&mut self, made: &OrderMade, wallet: &mut Wallet) -> Result<()> {
        self.still_pending()?;
        self.raise_other_total(made.total)?;
        self.put(made)?;
        let booking = &mut self.after.booking;
        if booking.summary.pnr.is_empty() {
            made.locator.clone_into(&mut booking.summary.pnr);
        }
        if self.after.orders.iter().all(stands) {
            return self.confirm(wallet);
        }
        self.writes.booking(&self.after.booking);
        Ok(())
    }

    fn confirm(&mut self, wallet: &mut Wallet) -> Result<()> {
        let transfer = match seeded_bug(POST_BEFORE_STORE) {
            true => None,
            false => self.pay(wallet)?,
        };
        let booking = &mut self.after.booking;
        booking.status = BookingStatus::Confirmed;
        booking.booked_at = Some(self.now);
        self.writes.booking(booking);
        let currency = booking.amount.currency();
        let totals = Totals::of(&booking.sales, currency)?;
        self.fare(Fares {
            public_fare: totals.public_fare,
            agent_fare: totals.agent_fare,
            agent_commission: totals.agent_commission.unwrap_or(Money::zero(currency)),
            markup: totals.markup,
            transfer,
        });
        self.changed(EventKind::BookingConfirmed, Some(BookingStatus::Pending));
        Ok(())
    }

    /// Spends what was held for the booking, where that is anything.
    fn pay(&mut self, wallet: &mut Wallet) -> Result<Option<TransferId>> {
        let booking = &self.after.booking;
        let organization = booking.organization;
        let legs = posting_rules::booking_legs(wallet.id, &booking.sales, booking.amount.currency())?;
        let mut paid = None;
        if legs.is_empty() {
            wallet.void(booking.amount)?;
        } else {
            let transfer = Transfer::new(
                TransferId::new(&self.platform.clock),
                format!("booking:{}", booking.id),
                Reason::Booking,
                Some(booking.reference.to_string()),
                format!("booking {}", booking.reference),
                Some(booking.user),
                legs,
                self.now,
            )?;
            let entry = wallet.post(booking.amount, &transfer, &self.platform.secrets.chain)?;
            self.writes.transfer(organization, &transfer, &[entry])?;
            paid = Some(transfer.id);
        }
        self.writes.wallet(organization, wallet);
        self.writes
            .close_hold(organization, booking.hold, HoldOutcome::Posted, self.now);
        Ok(paid)
    }

    /// The whole booking fails: what was made of it already is given back to its suppliers.
    pub(super) fn not_booked(&mut self, reason: &str, wallet: &mut Wallet) -> Result<()> {
        self.still_pending()?;
        self.undo_what_stands()?;
        for order in &mut self.after.orders {
            if order.status == OrderStatus::Pending {
                order.status = OrderStatus::Failed;
                self.writes.order(&self.after.booking, order, self.now)?;
            }
        }
        let booking = &mut self.after.booking;
        let organization = booking.organization;
        wallet.void(booking.amount)?;
        self.writes.wallet(organization, wallet);
        self.writes
            .close_hold(organization, booking.hold, HoldOutcome::Voided, self.now);
        booking.status = BookingStatus::Failed;
        booking.failure = Some(reason.to_owned());
        self.writes.booking(booking);
        // A quote is spent by the booking that stands, not by one that failed (P-87). Where an order was
        // made of it, though, its supplier could take the next one for that one, which may not be given back yet.
        if self.after.begun.is_empty() {
            self.writes.quote(organization, booking.quote, None);
        }
        self.changed(EventKind::BookingFailed, Some(BookingStatus::Pending));
        Ok(())
    }

    fn undo_what_stands(&mut self) -> Result<()> {
        for order in &self.after.orders {
            if let Some(order_id) = undoable(order) {
                let id = StepId::new(&self.platform.clock);
                let step = Step {
                    id,
                    number: order.number,
                    saga: id,
                    position: 1,
                    saga_length: 1,
                    planned: false,
                    kind: StepKind::Compensate,
                    supplier: order.supplier.clone(),
                    request: serde_json::to_value(CancelRequest::requoting(order_id))?,
                    sent_at: self.now,
                    due_at: due(self.now, self.platform.step_deadline(&order.supplier)),
                    attempts: 0,
                    problem: None,
                    ..self.closing.step.clone()
                };
                self.writes.new_step(&step);
                self.after.begun.push(step);
            }
        }
        Ok(())
    }

    fn still_pending(&self) -> Result<()> {
        let booking = &self.after.booking;
        match booking.status {
            BookingStatus::Pending => Ok(()),
            _ => Err(Error::Internal(format!(
                "{} is settled already",
                booking.reference
            ))),
        }
    }
}

fn undoable(order: &Order<Value>) -> Option<&str> {
    order.supplier_order_id.as_deref().filter(|_| stands(order))
}
