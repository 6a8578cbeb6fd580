//! One ruling of a batch: what can fail comes before what changes anything.

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde_json::json;
use wayfare_domain::{
    Actor, BookingStatus, EventKind, FareKind, Faults, FeesRuling, IncidentId, IncidentKind, Money, RulingId,
    RulingKind, RulingState, TransferId,
};
use wayfare_ledger::{Account, Leg, Reason, Transfer, Wallet};
use wayfare_pricing::Sale;
use wayfare_store::{
    JsonText,
    batch::writes::Writes,
    booking::{bookings::Order, incidents::Incident, refunds::Refund, rulings::Ruling},
    money::wallets::Owner,
};

use super::{NewRuling, Rule, RulingMade, Settled, What};
use crate::{
    Core, Error, Result,
    engine::{
        batch_state::BatchState,
        booking_state::{BookingState, check_confirmed},
        fare_rows::{self, Fares},
        incidents,
    },
    money::low_balance::ChangedWallet,
    tools::audit_event::{self, Change},
};

/// Debit notes and write-offs never charge more than so many times what its order cost.
const MOST_TIMES_THE_COST: Decimal = Decimal::ONE_HUNDRED;

/// Carries a ruling out, or tells what came of it when it was made under this key before.
pub(crate) fn decide(
    core: &Core,
    rule: &Rule,
    state: &mut BatchState,
    batch: &mut Writes,
    settled: &mut Vec<Settled>,
) -> Result<RulingMade> {
    let ruled = state.ruled.get(&rule.booking).ok_or(Error::NotFound)?;
    let made = ruled.rulings.iter().find(|made| made.key == rule.key());
    let new = match asked(rule, made)? {
        Asked::Ruled(repeated) => return Ok(repeated),
        Asked::New(new) => new,
    };
    let after = state.bookings.get(&rule.booking).ok_or(Error::NotFound)?.clone();
    if after.booking.status != BookingStatus::Cancelled {
        check_confirmed(&after.booking)?;
    }
    heed_incidents(core, rule, &new, &ruled.incidents)?;
    let owner = match rule.payer {
        Owner::User(organization, user) if state.money.deleted.contains(&(organization, user)) => {
            Owner::Organization(organization)
        }
        payer => payer,
    };
    let mut deciding = Deciding {
        core,
        new: &new,
        now: core.clock.now(),
        actor: rule.by.clone(),
        wallet: state.money.wallet_of(owner)?,
        rulings: &ruled.rulings,
        incidents: &ruled.incidents,
        under_way: &ruled.under_way,
        after,
        id: made.map_or_else(|| RulingId::new(&core.clock), |due| due.id),
        writes: Writes::default(),
        refund: None,
    };
    let ruling = deciding.rule(rule, made)?;
    let Deciding { wallet, actor, mut writes, refund, after, .. } = deciding;
    let before = state.money.wallet_of(owner)?;
    if before != wallet {
        let low = state.money.low_balances.get(&wallet.id).copied();
        ChangedWallet::new(core, &actor, owner, low, [&before, &wallet])?.write(&mut writes);
    }
    batch.append(writes);
    state.money.wallets.insert(wallet.id, wallet);
    state.bookings.insert(rule.booking, after);
    if let Some(ruled) = state.ruled.get_mut(&rule.booking) {
        ruled.note(&ruling);
    }
    settled.push(Settled {
        ruling: ruling.clone(),
        actor: rule.by.clone(),
        is_new: matches!(rule.what, What::New(_)),
        refund,
    });
    Ok(RulingMade { ruling, repeated: false })
}

/// That the incident that the ruling names is one that it can settle, and that no other operator works on one of its order.
fn heed_incidents(core: &Core, rule: &Rule, new: &NewRuling, open: &[Incident]) -> Result<()> {
    let can_settle = |id: &IncidentId| {
        // What became of a step only its supplier or its desk tells.
        open.iter().any(|incident| incident.id == *id && incident.kind != IncidentKind::OutcomeUnknown)
    };
    if new.incident.is_some_and(|id| !can_settle(&id)) {
        let problem = "is no open incident of this booking that a ruling can settle";
        return Err(Faults::of("exception", problem).into());
    }
    for incident in open {
        let is_named = Some(incident.id) == new.incident;
        let is_beside = !new.passes_claims && incident.is_about(new.number);
        // Who asked has checked before, and another may have claimed it since.
        if is_named || is_beside {
            incidents::not_claimed(core, incident, rule.by.operator)?;
        }
    }
    Ok(())
}

/// What is asked for: something new, or what was ruled already.
enum Asked {
    New(NewRuling),
    Ruled(RulingMade),
}

fn asked(rule: &Rule, made: Option<&Ruling>) -> Result<Asked> {
    Ok(match (&rule.what, made) {
        (What::New(new), Some(made)) => Asked::Ruled(repeated(made, rule, new)?),
        (What::New(new), None) => Asked::New(new.clone()),
        (What::Collect(due), Some(made)) if made.id == due.id => match made.state {
            RulingState::Due => Asked::New(of_due(made)),
            // What another process has collected meanwhile is not collected twice.
            // Nor is what was withdrawn.
            RulingState::Done | RulingState::Withdrawn => {
                Asked::Ruled(RulingMade { ruling: made.clone(), repeated: true })
            }
        },
        (What::Collect(_), _) => return Err(Error::NotFound),
    })
}

fn repeated(made: &Ruling, rule: &Rule, new: &NewRuling) -> Result<RulingMade> {
    let same = made.booking == rule.booking
        && (made.number, made.kind, made.amount) == (new.number, new.kind, new.amount)
        && made.from_loss == new.from_loss
        && made.fees.is_none_or(|fees| fees == new.fees);
    match same {
        true => Ok(RulingMade { ruling: made.clone(), repeated: true }),
        false => Err(Error::KeyMismatch),
    }
}

fn of_due(due: &Ruling) -> NewRuling {
    NewRuling {
        number: due.number,
        kind: due.kind,
        amount: due.amount,
        fees: due.fees.unwrap_or(FeesRuling::Return),
        from_loss: due.from_loss,
        // What is due was bounded when it was ruled.
        beyond_cost: true,
        note: due.note.clone(),
        incident: None,
        passes_claims: true,
        key: due.key.clone(),
    }
}

/// A ruling as it is decided: what it makes of the booking and the wallet, and what is to be written.
pub(super) struct Deciding<'a> {
    pub(super) core: &'a Core,
    pub(super) new: &'a NewRuling,
    pub(super) now: DateTime<Utc>,
    pub(super) actor: Actor,
    pub(super) wallet: Wallet,
    pub(super) rulings: &'a [Ruling],
    pub(super) incidents: &'a [Incident],
    pub(super) under_way: &'a [wayfare_store::booking::steps::Step],
    pub(super) after: BookingState,
    pub(super) id: RulingId,
    pub(super) writes: Writes,
    pub(super) refund: Option<Refund>,
}

impl Deciding<'_> {
    fn rule(&mut self, rule: &Rule, due: Option<&Ruling>) -> Result<Ruling> {
        let zero = self.zero();
        let (state, moved, transfer) = match self.new.kind {
            RulingKind::SupplierCancelled => {
                let (moved, transfer) = self.supplier_cancelled()?;
                (RulingState::Done, moved, transfer)
            }
            RulingKind::Refund => {
                let transfer = self.adjust()?;
                (RulingState::Done, self.new.amount, Some(transfer))
            }
            RulingKind::DebitNote => match self.debit(due.is_some())? {
                Some(transfer) => (RulingState::Done, self.new.amount.negated(), Some(transfer)),
                None => (RulingState::Due, zero, None),
            },
            RulingKind::WriteOff => (RulingState::Done, zero, Some(self.write_off()?)),
        };
        let collected_at = due.filter(|_| state == RulingState::Done).map(|_| self.now);
        Ok(Ruling {
            id: self.id,
            organization: rule.organization,
            booking: rule.booking,
            number: self.new.number,
            incident: due.map_or(self.new.incident, |due| due.incident),
            kind: self.new.kind,
            state,
            amount: self.new.amount,
            moved,
            fees: (self.new.kind == RulingKind::SupplierCancelled).then_some(self.new.fees),
            from_loss: self.new.from_loss,
            note: self.new.note.clone(),
            key: self.new.key.clone(),
            transfer,
            by: due.map_or(rule.by.kind, |due| due.by),
            at: due.map_or(self.now, |due| due.at),
            collected_at,
        })
    }

    /// More comes back, of the supplier or at the operator's expense.
    fn adjust(&mut self) -> Result<TransferId> {
        let amount = self.in_wallets_currency()?;
        self.not_more_than_is_left(amount)?;
        let supplier = self.order()?.supplier.clone();
        let from = match self.new.from_loss {
            true => Account::Loss,
            false => Account::Supplier(supplier),
        };
        let legs = vec![Leg::debit(from, amount), Leg::credit(Account::Wallet(self.wallet.id), amount)];
        let transfer = self.transfer(Reason::Refund, self.refund_text(), legs)?;
        let entry = self.wallet.give_back(&transfer, &self.core.secrets.chain)?;
        let organization = self.after.booking.organization;
        self.writes.transfer(organization, &transfer, &[entry])?;
        let supplier_amount = match self.new.from_loss {
            true => self.zero(),
            false => amount.negated(),
        };
        let fares = self.fares(amount.negated(), supplier_amount, &transfer);
        self.fare(FareKind::Adjustment, fares)?;
        self.tell(EventKind::RefundAdjusted);
        Ok(transfer.id)
    }

    /// The wallet pays what the supplier charged after the sale; none where it does not cover all of it (D-383).
    fn debit(&mut self, is_due: bool) -> Result<Option<TransferId>> {
        let amount = self.in_wallets_currency()?;
        if !is_due {
            self.not_beyond_cost(amount)?;
        }
        if self.wallet.covers(amount).is_err() {
            if !is_due {
                self.tell(EventKind::BookingDebitDue);
            }
            return Ok(None);
        }
        let supplier = self.order()?.supplier.clone();
        let legs = vec![
            Leg::debit(Account::Wallet(self.wallet.id), amount),
            Leg::credit(Account::Supplier(supplier), amount),
        ];
        let text = format!("debit note for {}: {}", self.after.booking.reference, self.new.note);
        let transfer = self.transfer(Reason::Deduction, text, legs)?;
        self.wallet.hold(amount)?;
        let entry = self.wallet.post(amount, &transfer, &self.core.secrets.chain)?;
        let organization = self.after.booking.organization;
        self.writes.transfer(organization, &transfer, &[entry])?;
        let fares = self.fares(amount, amount, &transfer);
        self.fare(FareKind::DebitNote, fares)?;
        self.tell(EventKind::BookingDebitNote);
        Ok(Some(transfer.id))
    }

    /// The operator bears what the supplier charged: no wallet knows of it.
    fn write_off(&mut self) -> Result<TransferId> {
        let amount = self.in_wallets_currency()?;
        self.not_beyond_cost(amount)?;
        let supplier = self.order()?.supplier.clone();
        let legs = vec![Leg::debit(Account::Loss, amount), Leg::credit(Account::Supplier(supplier), amount)];
        let text = format!("written off for {}", self.after.booking.reference);
        let transfer = self.transfer(Reason::Deduction, text, legs)?;
        let organization = self.after.booking.organization;
        self.writes.transfer(organization, &transfer, &[])?;
        let fares = self.fares(self.zero(), amount, &transfer);
        self.fare(FareKind::WriteOff, fares)?;
        let change = Change {
            new_value: Some(json!({
                "booking_ref": self.after.booking.reference,
                "amount": amount.number(),
                "currency": amount.currency(),
                "note": self.new.note,
            })),
            ..Change::of(organization, &self.actor, EventKind::BookingWrittenOff, self.id)
        };
        self.writes.event(&audit_event::event(self.core, change));
        Ok(transfer.id)
    }

    pub(super) fn zero(&self) -> Money {
        Money::zero(self.after.booking.amount.currency())
    }

    pub(super) fn order(&self) -> Result<&Order<JsonText>> {
        let mut orders = self.after.orders.iter();
        let order = orders.find(|order| order.number == self.new.number);
        order.ok_or_else(|| Faults::of("order", "is no order of this booking").into())
    }

    pub(super) fn sale(&self) -> Result<&Sale> {
        let sale = self.after.booking.sale(self.new.number);
        sale.ok_or_else(|| Faults::of("order", "is no order of this booking").into())
    }

    fn in_wallets_currency(&self) -> Result<Money> {
        let (amount, currency) = (self.new.amount, self.zero().currency());
        match amount.currency() == currency {
            true => Ok(amount),
            false => Err(Faults::of("amount", format!("must be in {}", currency.code())).into()),
        }
    }

    /// What the wallet has paid for the order, less what came back of it.
    fn left(&self) -> Result<Money> {
        let number = self.new.number;
        let mut left = self.sale()?.payable()?;
        for refund in &self.after.refunds {
            if refund.number == number && refund.status == wayfare_domain::RefundStatus::Refunded {
                left = left.minus(refund.refund_to_wallet)?;
            }
        }
        let booking = self.after.booking.id;
        for ruling in self.rulings {
            // What came back of an order that its supplier cancelled is a refund of it.
            let counts = matches!(ruling.kind, RulingKind::Refund | RulingKind::DebitNote);
            if counts && (ruling.booking, ruling.number) == (booking, number) {
                left = left.minus(ruling.moved)?;
            }
        }
        Ok(left)
    }

    /// Never more comes back than was paid less what came back already.
    pub(super) fn not_more_than_is_left(&self, back: Money) -> Result<()> {
        let left = self.left()?;
        match left.minus(back)?.is_negative() {
            false => Ok(()),
            true => {
                let problem = format!("would give {back} back, and {left} of what was paid are left");
                Err(Faults::of("amount", problem).into())
            }
        }
    }

    /// That what debit notes and write-offs charge of an order, this one too, is no more than the order cost, unless the amount
    /// was said twice; and in no case so much that it can only be a slip (D-613).
    fn not_beyond_cost(&self, amount: Money) -> Result<()> {
        let cost = self.sale()?.payable()?;
        let of_order = (self.after.booking.id, self.new.number);
        let mut charged = amount;
        for ruling in self.rulings {
            let is_charge = matches!(ruling.kind, RulingKind::DebitNote | RulingKind::WriteOff);
            let counts = is_charge && ruling.state != RulingState::Withdrawn;
            if counts && (ruling.booking, ruling.number) == of_order {
                charged = charged.plus(ruling.amount)?;
            }
        }
        let (most, problem) = match self.new.beyond_cost {
            false => (
                cost.amount(),
                format!("comes to {charged}, and the order cost {cost}: say the amount twice to charge more"),
            ),
            true => (
                cost.amount().saturating_mul(MOST_TIMES_THE_COST),
                format!(
                    "comes to {charged}, more than {MOST_TIMES_THE_COST} times what the order cost: {cost}"
                ),
            ),
        };
        match charged.amount() > most {
            true => Err(Faults::of("amount", problem).into()),
            false => Ok(()),
        }
    }

    pub(super) fn refund_text(&self) -> String {
        let booking = &self.after.booking;
        match self.wallet.id == booking.wallet {
            true => format!("refund for {}", booking.reference),
            false => format!("refund for {} of {}", booking.reference, booking.user_name),
        }
    }

    pub(super) fn transfer(&self, reason: Reason, text: String, legs: Vec<Leg>) -> Result<Transfer> {
        Ok(Transfer::new(
            TransferId::new(&self.core.clock),
            format!("ruling:{}", self.id),
            reason,
            Some(self.after.booking.reference.to_string()),
            text,
            None,
            legs,
            self.now,
        )?)
    }

    fn fares(&self, agent_fare: Money, supplier_amount: Money, transfer: &Transfer) -> Fares {
        let zero = self.zero();
        Fares {
            public_fare: zero,
            agent_fare,
            ancillary: zero,
            agent_commission: zero,
            markup: zero,
            supplier_amount,
            transfer: Some(transfer.id),
        }
    }

    pub(super) fn fare(&mut self, kind: FareKind, fares: Fares) -> Result<()> {
        #[cfg(feature = "failpoints")]
        if crate::tools::failpoints::seeded_bug("bug:ruling-without-fare") {
            return Ok(());
        }
        let row = fare_rows::row(self.core, &self.after.booking, self.order()?, kind, fares, self.now)?;
        self.writes.fare(&row);
        Ok(())
    }

    fn tell(&mut self, action: EventKind) {
        let booking = &self.after.booking;
        let change = Change {
            new_value: Some(json!({
                "product": booking.kind,
                "ruling_id": self.id,
                "amount": self.new.amount.number(),
                "currency": self.new.amount.currency(),
                "user_id": booking.user,
                "note": self.new.note,
            })),
            ..Change::of(booking.organization, &self.actor, action, &booking.reference)
        };
        self.writes.event(&audit_event::event(self.core, change));
    }
}
