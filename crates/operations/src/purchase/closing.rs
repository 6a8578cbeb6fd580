//! The closing of effects: what their outcomes mean for bookings and money, for many in one transaction.
//!
//! Whoever closes an effect first wins: a second close of the same effect changes nothing.

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_domain::{
    Actor, BookingStatus, ExceptionKind, FareTransactionId, Money, OrderStatus, RefundStatus, TransferId,
};
use wayfare_ledger::{Reason, Transfer, Wallet};
use wayfare_pricing::Totals;
use wayfare_store::{
    bookings::{Booking, Order},
    effects::{Effect, Outcome},
    fare_ledger::FareTransaction,
    ledger::HoldOutcome,
    refunds::Refund,
    writes::Writes,
};

use crate::{
    Error, Platform, RefundTerms, Result, exceptions::Raise, journal, settlement, testing::planted,
    writers::Known,
};

/// A planted bug: the debit is posted in a transaction of its own.
const POST_BEFORE_STORE: &str = "bug:post-before-store";

/// How an effect ended.
pub(crate) enum Ending {
    /// The supplier has the order.
    Booked(Made),
    /// No order was made, and why.
    NotBooked(String),
    /// The supplier carried the cancellation out; with this the order's content is marked as given back.
    Cancelled(fn(Value) -> Result<Value>),
    /// It did not, and why.
    NotCancelled(String),
    /// The held order is paid: the order as it is now.
    Ticketed(Made),
    /// It is not, and why.
    NotTicketed(String),
}

impl Ending {
    /// Whether a refund is at stake.
    pub(crate) fn is_of_cancellation(&self) -> bool {
        matches!(self, Self::Cancelled(_) | Self::NotCancelled(_))
    }
}

/// What every booking needs to know of the order that was made.
pub(crate) struct Made {
    pub id: String,
    pub status: OrderStatus,
    pub locator: String,
    /// What the supplier charges, in its currency.
    pub total: Money,
    pub content: Value,
}

/// An effect that is to be closed.
pub(crate) struct Closing {
    pub effect: Effect,
    pub actor: Actor,
    pub ending: Ending,
}

/// The booking after it, with its orders and its refund.
#[derive(Clone)]
pub(crate) struct Closed {
    pub booking: Booking<()>,
    pub orders: Vec<Order<Value>>,
    pub refund: Option<Refund>,
}

/// The planted bug: what confirmed bookings cost is paid in a transaction of its own, before they are confirmed.
#[cfg(feature = "failpoints")]
pub(crate) async fn planted_post_before_store(platform: &Platform, closings: &[&Closing]) -> Result<()> {
    use diesel_async::AsyncConnection;
    use wayfare_store::{bookings, wallets};

    if !planted(POST_BEFORE_STORE) || closings.is_empty() {
        return Ok(());
    }
    let mut connection = platform.database.connection().await?;
    let posted = connection.transaction(async |connection| {
        for closing in closings {
            let effect = &closing.effect;
            let wallets = wallets::lock_for(connection, &[], &[effect]).await?;
            for (locked, mut wallet) in bookings::lock_for(connection, &[effect])
                .await?
                .into_iter()
                .zip(wallets.into_values())
            {
                let mut step = Step {
                    platform,
                    closing,
                    now: platform.clock.now(),
                    after: Closed {
                        booking: locked.booking,
                        orders: Vec::new(),
                        refund: None,
                    },
                    writes: Writes::default(),
                    raised: Vec::new(),
                };
                if locked.open && matches!(closing.ending, Ending::Booked(_)) {
                    step.pay(&mut wallet)?;
                }
                step.writes.send(connection).await?;
            }
        }
        Ok::<_, Error>(())
    });
    posted.await?;
    crate::testing::moment("close:posted");
    Ok(())
}

/// One effect; what can fail comes before what changes anything.
pub(crate) fn close<'a>(
    platform: &'a Platform,
    closing: &'a Closing,
    known: &mut Known,
    batch: &mut Writes,
    raised: &mut Vec<Raise<'a>>,
) -> Result<Closed> {
    let effect = &closing.effect;
    let stands = known.bookings.get(&effect.booking).ok_or(Error::NotFound)?;
    let now = platform.clock.now();
    let mut step = Step {
        platform,
        closing,
        now,
        after: stands.clone(),
        writes: Writes::default(),
        raised: Vec::new(),
    };
    if !known.open.contains(&effect.id) {
        step.came_late();
        raised.append(&mut step.raised);
        return Ok(step.after);
    }
    let payer = step.after.booking.wallet;
    let heir = match closing.ending {
        Ending::Cancelled(_) => known.heirs.get(&payer),
        _ => None,
    };
    let wallet = known.wallets.get(heir.unwrap_or(&payer));
    let mut wallet = wallet
        .cloned()
        .ok_or_else(|| Error::Internal(format!("{} has no wallet", step.after.booking.reference)))?;
    step.take(&mut wallet)?;
    batch.append(step.writes);
    raised.append(&mut step.raised);
    known.open.remove(&effect.id);
    known.wallets.insert(wallet.id, wallet);
    known.bookings.insert(effect.booking, step.after.clone());
    Ok(step.after)
}

/// The closing of one effect: what it makes of the booking, and what is to be written.
struct Step<'a> {
    platform: &'a Platform,
    closing: &'a Closing,
    now: DateTime<Utc>,
    after: Closed,
    writes: Writes,
    raised: Vec<Raise<'a>>,
}

impl Step<'_> {
    fn take(&mut self, wallet: &mut Wallet) -> Result<()> {
        let effect = &self.closing.effect;
        let (outcome, problem) = match &self.closing.ending {
            Ending::Booked(_) | Ending::Cancelled(_) | Ending::Ticketed(_) => (Outcome::Done, None),
            Ending::NotBooked(reason) | Ending::NotCancelled(reason) | Ending::NotTicketed(reason) => {
                (Outcome::Refused, Some(reason.as_str()))
            }
        };
        self.writes.close_effect(effect, outcome, problem, self.now);
        match &self.closing.ending {
            Ending::Booked(made) => self.booked(made, wallet),
            Ending::NotBooked(reason) => self.not_booked(reason, wallet),
            Ending::Cancelled(give_back) => self.cancelled(*give_back, wallet),
            Ending::NotCancelled(_) => {
                self.not_cancelled();
                Ok(())
            }
            Ending::Ticketed(made) => self.ticketed(made),
            Ending::NotTicketed(_) => {
                self.free_key();
                self.changed("ticket.refused", None);
                Ok(())
            }
        }
    }

    /// Somebody else has closed it. An order that was made after its booking had been given up stands at the
    /// supplier and nobody pays for it.
    fn came_late(&mut self) {
        if let Ending::Booked(made) = &self.closing.ending
            && self.after.booking.status == BookingStatus::Failed
        {
            let details = json!({ "order_id": made.id, "locator": made.locator, "total": made.total });
            let problem = "an order was made although its booking had failed";
            self.raise(ExceptionKind::OrderWithoutBooking, problem, details);
        }
    }

    fn booked(&mut self, made: &Made, wallet: &mut Wallet) -> Result<()> {
        self.still_pending()?;
        let number = self.closing.effect.number;
        self.raise_other_total(made.total);
        self.put(made)?;
        let booking = &mut self.after.booking;
        if booking.summary.pnr.is_empty() {
            made.locator.clone_into(&mut booking.summary.pnr);
        }
        let stand = |order: &Order<Value>| matches!(order.status, OrderStatus::Held | OrderStatus::Confirmed);
        if self.after.orders.iter().all(stand) {
            return self.confirm(wallet);
        }
        tracing::debug!(booking = %self.after.booking.reference, number, "one of several orders stands");
        self.writes.booking(&self.after.booking);
        Ok(())
    }

    fn confirm(&mut self, wallet: &mut Wallet) -> Result<()> {
        if !planted(POST_BEFORE_STORE) {
            self.pay(wallet)?;
        }
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
        });
        self.changed("booking.confirmed", Some(BookingStatus::Pending));
        Ok(())
    }

    /// Spends what was held for the booking.
    fn pay(&mut self, wallet: &mut Wallet) -> Result<()> {
        let booking = &self.after.booking;
        let organization = booking.organization;
        let legs = settlement::booking_legs(wallet.id, &booking.sales, booking.amount.currency())?;
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
        }
        self.writes.wallet(organization, wallet);
        self.writes
            .close_hold(organization, booking.hold, HoldOutcome::Posted, self.now);
        Ok(())
    }

    fn not_booked(&mut self, reason: &str, wallet: &mut Wallet) -> Result<()> {
        self.still_pending()?;
        self.order(|order| {
            order.status = OrderStatus::Failed;
            Ok(())
        })?;
        let booking = &mut self.after.booking;
        let organization = booking.organization;
        wallet.void(booking.amount)?;
        self.writes.wallet(organization, wallet);
        self.writes
            .close_hold(organization, booking.hold, HoldOutcome::Voided, self.now);
        booking.status = BookingStatus::Failed;
        booking.failure = Some(reason.to_owned());
        self.writes.booking(booking);
        // A quote is spent by the booking that stands, not by one that failed (decisions, detail 87).
        self.writes.quote(organization, booking.quote, None);
        self.free_key();
        self.changed("booking.failed", Some(BookingStatus::Pending));
        Ok(())
    }

    fn cancelled(&mut self, give_back: fn(Value) -> Result<Value>, wallet: &mut Wallet) -> Result<()> {
        let reference = self.after.booking.reference.clone();
        let refund = self.after.refund.take();
        let mut refund = refund.ok_or_else(|| Error::Internal(format!("{reference} has no refund")))?;
        self.order(|order| {
            order.status = OrderStatus::Cancelled;
            order.content = order.content.take().map(give_back).transpose()?;
            Ok(())
        })?;
        self.pay_back(&refund, wallet)?;
        refund.status = RefundStatus::Refunded;
        refund.refunded_at = Some(self.now);
        self.writes.refund(&refund);
        let booking = &mut self.after.booking;
        booking.status = BookingStatus::Cancelled;
        booking.cancelled_at = Some(self.now);
        self.writes.booking(booking);
        let fares = taken_back(booking, &refund)?;
        self.fare(fares);
        self.after.refund = Some(refund);
        self.changed("booking.cancelled", Some(BookingStatus::Confirmed));
        Ok(())
    }

    fn pay_back(&mut self, refund: &Refund, wallet: &mut Wallet) -> Result<()> {
        let booking = &self.after.booking;
        let terms = RefundTerms {
            cancellation_charge: refund.cancellation_charge,
            provider_refund_amount: refund.provider_refund_amount,
            platform_charges: refund.platform_charges,
            refund_to_wallet: refund.refund_to_wallet,
        };
        let legs = settlement::refund_legs(wallet.id, &booking.sales, &terms, booking.amount.currency())?;
        if legs.is_empty() {
            return Ok(());
        }
        let mut description = format!("refund of booking {}", booking.reference);
        if wallet.id != booking.wallet {
            description += &format!(" of {}", booking.user_name);
        }
        let transfer = Transfer::new(
            TransferId::new(&self.platform.clock),
            format!("refund:{}", refund.id),
            Reason::Refund,
            Some(booking.reference.to_string()),
            description,
            self.closing.effect.requested_by,
            legs,
            self.now,
        )?;
        let entry = wallet.apply(&transfer, &self.platform.secrets.chain)?;
        self.writes.wallet(booking.organization, wallet);
        Ok(self.writes.transfer(booking.organization, &transfer, &[entry])?)
    }

    fn not_cancelled(&mut self) {
        self.free_key();
        if let Some(refund) = self.after.refund.take() {
            let status = RefundStatus::Failed;
            self.writes.refund(&Refund { status, ..refund });
        }
        self.changed("booking.cancel_refused", None);
    }

    /// The wallet has paid when it was booked (decisions, detail 12): no money moves.
    fn ticketed(&mut self, made: &Made) -> Result<()> {
        self.raise_other_total(made.total);
        self.put(made)?;
        self.changed("ticket.issued", None);
        Ok(())
    }

    /// The order is what its supplier says.
    fn put(&mut self, made: &Made) -> Result<()> {
        self.order(|order| {
            order.status = made.status;
            order.supplier_order_id = Some(made.id.clone());
            order.content = Some(made.content.clone());
            Ok(())
        })
    }

    /// The request may be made again under its key.
    fn free_key(&mut self) {
        let effect = &self.closing.effect;
        self.writes.free_key(effect.organization, effect.id);
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

    /// Changes the order that the effect acts on.
    fn order(&mut self, change: impl FnOnce(&mut Order<Value>) -> Result<()>) -> Result<()> {
        let number = self.closing.effect.number;
        let booking = &self.after.booking;
        let missing = || Error::Internal(format!("{} has no order {number}", booking.reference));
        let mut orders = self.after.orders.iter_mut();
        let order = orders.find(|order| order.number == number).ok_or_else(missing)?;
        change(order)?;
        Ok(self.writes.order(booking, order, self.now)?)
    }

    /// The agency pays what it was quoted; a supplier that charges otherwise is for the operator to see.
    fn raise_other_total(&mut self, charged: Money) {
        let place = usize::from(self.closing.effect.number).saturating_sub(1);
        let sale = self.after.booking.sales.get(place);
        let quoted = sale.map(|sale| sale.supplier_total);
        if quoted != Some(charged) {
            let details = json!({ "quoted": quoted, "charged": charged });
            let problem = "the supplier charges another total than it had quoted";
            self.raise(ExceptionKind::OtherTotal, problem, details);
        }
    }

    fn raise(&mut self, kind: ExceptionKind, problem: &'static str, details: Value) {
        self.raised.push(Raise {
            actor: &self.closing.actor,
            effect: &self.closing.effect,
            kind,
            problem,
            details,
        });
    }

    fn fare(&mut self, fares: Fares) {
        let booking = &self.after.booking;
        self.writes.fare(&FareTransaction {
            id: FareTransactionId::new(&self.platform.clock),
            organization: booking.organization,
            booking: booking.id,
            reference: booking.reference.clone(),
            product: booking.kind,
            pnr: booking.summary.pnr.clone(),
            provider: booking.summary.provider.clone(),
            user: booking.user,
            user_name: booking.user_name.clone(),
            public_fare: fares.public_fare,
            agent_fare: fares.agent_fare,
            agent_commission: fares.agent_commission,
            markup: fares.markup,
            issued_at: self.now,
        });
    }

    fn changed(&mut self, action: &'static str, before: Option<BookingStatus>) {
        let (actor, booking) = (&self.closing.actor, &self.after.booking);
        let event = journal::of_booking(self.platform, actor, booking, action, before);
        self.writes.event(&event);
    }
}

/// The amounts of a fare-ledger row.
struct Fares {
    public_fare: Money,
    agent_fare: Money,
    agent_commission: Money,
    markup: Money,
}

/// The fare ledger's negative row: commission and public fare go back in the share that the supplier gives
/// back of T (decisions, details 24 and 84).
fn taken_back<P>(booking: &Booking<P>, refund: &Refund) -> Result<Fares> {
    let currency = booking.amount.currency();
    let totals = Totals::of(&booking.sales, currency)?;
    let share = |part: Money| -> Result<Money> {
        let returned = refund.provider_refund_amount;
        if totals.total.is_zero() || returned == totals.total {
            return Ok(part.negated());
        }
        let ratio = returned
            .amount()
            .checked_div(totals.total.amount())
            .unwrap_or(Decimal::ZERO);
        Ok(part.times(ratio)?.negated())
    };
    Ok(Fares {
        public_fare: share(totals.public_fare)?,
        agent_fare: refund.refund_to_wallet.negated(),
        agent_commission: share(totals.agent_commission.unwrap_or(Money::zero(currency)))?,
        markup: share(totals.markup)?,
    })
}
