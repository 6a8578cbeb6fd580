//! Exchanges that are carried out at their supplier, or not, and what the wallet pays or gets for them.

use serde_json::json;
use wayfare_domain::{ChangeId, ChangeState, EventKind, FareKind, Money, TransferId};
use wayfare_ledger::{Reason, Transfer, Wallet};
use wayfare_store::{booking::order_changes::OrderChange, money::entries::HoldOutcome};

use super::Completion;
use crate::{
    Result,
    engine::{
        fare_rows,
        step::OrderMade,
        steps::change::{ChangeRequest, ReplacedFlights},
    },
    money::posting_rules,
    tools::audit_event,
};

impl Completion<'_> {
    /// Other flights are flown, and the booking costs so much more or less.
    pub(super) fn flights_changed(&mut self, made: &OrderMade, wallet: &mut Wallet) -> Result<()> {
        let request: &ChangeRequest = &self.command.step.request.parse()?;
        let total = request.cost.total()?;
        let booking = &mut self.after.booking;
        booking.amount = booking.amount.plus(total)?;
        self.sale_mut()?.changes.push(request.cost);
        self.raise_other_total(made.total)?;
        // When it is flown, and when it is polled, follows from what the supplier shows of it then.
        let now = self.engine.core.shared_time.now();
        self.put_with(made, |order| order.next_poll_at = Some(now))?;
        self.writes.repriced(&self.after.booking)?;
        let transfer = self.settle_change(request, total, wallet)?;
        self.fare(FareKind::Change, fare_rows::changed(&request.cost, transfer)?)?;
        // Who sent the step read its request before the change had a name.
        let name = made.change.as_deref().unwrap_or(&request.token);
        for (index, flights) in request.journeys.iter().enumerate() {
            self.flown_otherwise(name, index, flights)?;
        }
        let (actor, booking) = (&self.command.actor, &self.after.booking);
        let mut event =
            audit_event::of_booking(&self.engine.core, actor, booking, EventKind::BookingChanged, None);
        event.add("moved", json!(total.number()));
        self.writes.event(&event);
        Ok(())
    }

    pub(super) fn flights_not_changed(&mut self, wallet: &mut Wallet) -> Result<()> {
        let request: &ChangeRequest = &self.command.step.request.parse()?;
        if let Some(service) = &request.service {
            self.void_service(service, wallet)?;
        }
        self.changed(EventKind::BookingJourneyChangeRefused, None);
        Ok(())
    }

    /// What was held is paid, or what comes back is credited; none where nothing moves.
    fn settle_change(
        &mut self,
        request: &ChangeRequest,
        total: Money,
        wallet: &mut Wallet,
    ) -> Result<Option<TransferId>> {
        let (booking, step) = (&self.after.booking, &self.command.step);
        let legs = posting_rules::change_legs(wallet.id, &step.supplier, total)?;
        if legs.is_empty() {
            return Ok(None);
        }
        let mut description = format!("change of booking {}", booking.reference);
        if wallet.id != booking.wallet {
            description += &format!(" of {}", booking.user_name);
        }
        let transfer = Transfer::new(
            TransferId::new(&self.engine.core.clock),
            format!("change:{}", step.id),
            match total.is_negative() {
                true => Reason::Refund,
                false => Reason::Booking,
            },
            Some(booking.reference.to_string()),
            description,
            step.requested_by,
            legs,
            self.now,
        )?;
        let entry = match &request.service {
            Some(service) => wallet.post(service.amount, &transfer, &self.engine.core.secrets.chain)?,
            None => wallet.give_back(&transfer, &self.engine.core.secrets.chain)?,
        };
        self.writes.transfer(booking.organization, &transfer, &[entry])?;
        self.writes.wallet(booking.organization, wallet);
        if let Some(service) = &request.service {
            self.writes.close_hold(booking.organization, service.hold, HoldOutcome::Posted, self.now);
        }
        Ok(Some(transfer.id))
    }

    /// What is flown since, as schedule changes are: the watch takes it for known, and what was sold stays sold.
    fn flown_otherwise(&mut self, name: &str, index: usize, flights: &ReplacedFlights) -> Result<()> {
        let step = &self.command.step;
        self.writes.new_change(&OrderChange {
            id: ChangeId::new(&self.engine.core.clock),
            organization: step.organization,
            booking: step.booking,
            user: self.after.booking.user,
            number: step.number,
            supplier_id: match index {
                0 => name.to_owned(),
                more => format!("{name}#{}", more + 1),
            },
            place: flights.place,
            kind: flights.kind,
            minutes: flights.minutes,
            before: flights.before.clone(),
            after: flights.after.clone(),
            state: ChangeState::Chosen,
            actions: Vec::new(),
            decide_by: None,
            due_at: None,
            found_at: self.now,
            decided_at: Some(self.now),
            decided_by: step.requested_by,
            step: Some(step.id),
        });
        Ok(())
    }
}
