//! What airlines have changed of orders, as steps decide it.

use wayfare_domain::{ChangeId, ChangeState, EventKind, ProductKind};
use wayfare_store::booking::order_changes::Decision;

use super::Completion;
use crate::{Result, engine::steps::accept_change::AcceptRequest, tools::audit_event};

impl Completion<'_> {
    pub(super) fn change_accepted(&mut self) -> Result<()> {
        let request: AcceptRequest = self.command.step.request.parse()?;
        self.decide(Some(&request.supplier_id), ChangeState::Accepted);
        // What the supplier shows of it then is read by the next poll.
        let now = self.engine.core.shared_time.now();
        self.order(|order| {
            order.next_poll_at = Some(now);
            Ok(())
        })?;
        self.changed_flights(EventKind::BookingChangeAccepted, request.change, ChangeState::Accepted);
        Ok(())
    }

    pub(super) fn change_superseded(&mut self) -> Result<()> {
        let request: AcceptRequest = self.command.step.request.parse()?;
        self.decide(Some(&request.supplier_id), ChangeState::Superseded);
        self.changed_flights(EventKind::BookingChangeAcceptRefused, request.change, ChangeState::Superseded);
        Ok(())
    }

    pub(super) fn change_not_accepted(&mut self) -> Result<()> {
        let request: AcceptRequest = self.command.step.request.parse()?;
        self.changed_flights(EventKind::BookingChangeAcceptRefused, request.change, ChangeState::Open);
        Ok(())
    }

    /// Nothing of an order that was given back is left to be decided: it was given back because this was refused, or for
    /// another reason.
    pub(super) fn end_changes(&mut self, refused: Option<ChangeId>) {
        if self.after.booking.kind != ProductKind::Flight {
            return;
        }
        match refused {
            Some(change) => {
                self.decide(None, ChangeState::Refused);
                self.changed_flights(EventKind::BookingChangeRefused, change, ChangeState::Refused);
            }
            None => self.decide(None, ChangeState::Ended),
        }
    }

    fn decide(&mut self, supplier_id: Option<&str>, state: ChangeState) {
        let step = &self.command.step;
        self.writes.decide(&Decision {
            organization: step.organization,
            booking: step.booking,
            number: step.number,
            supplier_id,
            state,
            due_at: None,
            decided_at: Some(self.now),
            decided_by: step.requested_by,
            step: Some(step.id),
        });
    }

    fn changed_flights(&mut self, action: EventKind, change: ChangeId, state: ChangeState) {
        let (actor, booking) = (&self.command.actor, &self.after.booking);
        let mut event = audit_event::of_booking(&self.engine.core, actor, booking, action, None);
        event.add("change_id", change.to_string());
        event.add("state", state.as_ref());
        self.writes.event(&event);
    }
}
