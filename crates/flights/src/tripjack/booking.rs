//! The calls that make an order, look it up and pay for it.
//!
//! An order has its id from its review on, so that whatever became of a call is looked up by it. That id is sent for
//! booking once.

use std::time::Duration;

use tokio::time::{sleep, timeout};
use wayfare_domain::{Money, OrderStatus};
use wayfare_supply::{Answer, Outage, OutageKind, Refusal, RefusalKind, done_or_return, reading::Unreadable};

use super::errors::Call;
use super::order::{self, Details, HeldFare, State};
use super::review::SupplierContext;
use super::{TripJack, order_wire, read, remembered, wire};
use crate::{Lookup, OrderRequest, SupplierOrder};

/// So often at most an order that TripJack is still at is looked at, all within the time that one look-up may take: it
/// says that it needs about five seconds.
const LOOKS: u32 = 4;

/// A payment leaves so soon after it was asked for, or never: who asked counts the supplier's longest processing time
/// from then on, and takes the order for unpaid when it is over.
const LATEST_PAYMENT: Duration = Duration::from_secs(2);

/// Whether a held order's fare still stands.
const FARE_CHECK: &str = "/oms/v1/air/fare-validate";
/// A poll of a held order waits so long at most for that.
const FARE_CHECK_WAIT: Duration = Duration::from_secs(3);

/// Makes the order. A refusal is not believed where the order stands all the same.
pub(super) async fn book(tripjack: &TripJack, order: &OrderRequest) -> Answer<SupplierOrder> {
    let supplier_context = done_or_return!(Answer::or_refused(remembered(&order.supplier_context)));
    if order.total != supplier_context.total {
        let text = "the price is not the one that was reviewed";
        return Answer::Refused(Refusal::of(RefusalKind::PriceChanged, text));
    }
    let due = done_or_return!(Answer::or_refused(order.due().map_err(|error| error.to_string())));
    let phone = order.contact.e164();
    let body = order::new_order(order, &supplier_context, due, &phone);
    let body = done_or_return!(Answer::or_refused(body));
    let answer = tripjack.ask("/oms/v1/air/book", &body, Call::Order, read::acknowledged).await;
    match says_no(answer) {
        Ok(()) => tripjack.made(order, due, &supplier_context).await,
        Err(NotDone::Refused(refused)) => match tripjack.details(&supplier_context.booking_id).await {
            Answer::Done(Some(details)) if may_stand(&details) => {
                let reason = refused.problem().unwrap_or_default();
                Answer::Unknown(format!("refused ({reason}), but the order is there"))
            }
            _ => refused,
        },
        Err(NotDone::Other(answer)) => answer,
    }
}

/// A step that was not carried out.
pub(super) enum NotDone<T> {
    /// TripJack said no, or that our account can't pay.
    Refused(Answer<T>),
    /// Nothing was sent, or nobody knows.
    Other(Answer<T>),
}

/// Whether TripJack took the step.
pub(super) fn says_no<T>(answer: Answer<()>) -> Result<(), NotDone<T>> {
    match answer {
        Answer::Done(()) => Ok(()),
        Answer::Refused(refusal) => Err(NotDone::Refused(Answer::Refused(refusal))),
        Answer::Unavailable(outage) if outage.kind == OutageKind::Deposit => {
            Err(NotDone::Refused(Answer::Unavailable(outage)))
        }
        Answer::Unavailable(outage) => Err(NotDone::Other(Answer::Unavailable(outage))),
        Answer::Unknown(reason) => Err(NotDone::Other(Answer::Unknown(reason))),
    }
}

/// The order by the id that its review, or that of its reissue, gave it; an operator may name no other than the first.
pub(super) async fn find(tripjack: &TripJack, lookup: Lookup<'_>) -> Answer<Option<SupplierOrder>> {
    let remembered = remembered(&lookup.request.supplier_context);
    let supplier_context = done_or_return!(Answer::or_unknown(remembered));
    // One that was reissued has another id since, which TripJack gave it.
    let id = lookup.order_id.unwrap_or(&supplier_context.booking_id);
    if lookup.is_named_by_operator && id != supplier_context.booking_id {
        return Answer::Unknown(format!("order {id} was made for another booking"));
    }
    let Some(details) = done_or_return!(tripjack.details(id).await) else { return Answer::Done(None) };
    let is_held = details.state == State::Held;
    let is_stale = is_held && tripjack.is_stale(id).await;
    Answer::Done(Some(SupplierOrder {
        // Since when is not told.
        price_guaranteed_until: is_stale.then(|| tripjack.now()),
        ..details.order_of(lookup.request)
    }))
}

/// Pays for a held order, once its fare is confirmed to be as it was. Where that takes too long, nothing is paid.
pub(super) async fn ticket(
    tripjack: &TripJack,
    id: &str,
    request: &OrderRequest,
    total: Money,
) -> Answer<SupplierOrder> {
    let Ok(payable) = timeout(LATEST_PAYMENT, tripjack.payable(id, total)).await else {
        return not_sent("the order could not be read in time");
    };
    if let Some(paid) = done_or_return!(payable) {
        return Answer::Done(paid.order_of(request));
    }
    let body = order_wire::NewConfirmation { booking_id: id, payments: [order::payment(total)] };
    let answer = tripjack.ask("/oms/v1/air/confirm-book", &body, Call::Payment, read::acknowledged).await;
    match says_no(answer) {
        Ok(()) => tripjack.paid(id, request).await,
        Err(NotDone::Refused(refused)) => match tripjack.details(id).await {
            Answer::Done(Some(details))
                if details.state.status() != OrderStatus::Held && may_stand(&details) =>
            {
                let reason = refused.problem().unwrap_or_default();
                Answer::Unknown(format!("refused ({reason}), but the order is no longer held"))
            }
            _ => refused,
        },
        Err(NotDone::Other(answer)) => answer,
    }
}

/// The order, if it is paid.
pub(super) async fn find_ticketed(
    tripjack: &TripJack,
    id: &str,
    request: &OrderRequest,
) -> Answer<Option<SupplierOrder>> {
    tripjack.details(id).await.and_then(|details| match details {
        None => Answer::Unknown("the order is not found".to_owned()),
        Some(details) => match details.state {
            State::Confirmed => Answer::Done(Some(details.order_of(request))),
            State::Pending => Answer::Unknown("supplier still processing".to_owned()),
            // Unconfirmed is what was held and is not any more.
            State::Held | State::Unconfirmed | State::Cancelled | State::Failed => Answer::Done(None),
        },
    })
}

impl TripJack {
    /// The order after it was taken: whatever stands in the way of reading it, it may have been made.
    async fn made(
        &self,
        order: &OrderRequest,
        due: Money,
        supplier_context: &SupplierContext,
    ) -> Answer<SupplierOrder> {
        match self.settled(&supplier_context.booking_id).await {
            Answer::Done(Some(details)) => {
                if details.total.is_some_and(|total| total != due) {
                    let id = &supplier_context.booking_id;
                    tracing::warn!(order = id, ours = ?due, theirs = ?details.total, "booked at another price");
                }
                Answer::Done(details.order_of(order))
            }
            Answer::Done(None) => Answer::Unknown("booked, but not found".to_owned()),
            failed => Answer::Unknown(format!("booked, but {}", failed.problem().unwrap_or_default())),
        }
    }

    /// None when the order is held and its fare is this total; the order when it is paid already.
    async fn payable(&self, id: &str, total: Money) -> Answer<Option<Details>> {
        let held = match self.details(id).await {
            Answer::Done(Some(details)) => details,
            Answer::Done(None) => return Answer::Refused(Refusal::new("there is no such order")),
            failed => return nothing_sent(failed),
        };
        match held.state {
            State::Held => {}
            State::Confirmed => return Answer::Done(Some(held)),
            State::Pending => return Answer::Unknown("supplier still processing".to_owned()),
            State::Unconfirmed | State::Cancelled | State::Failed => {
                return Answer::Refused(Refusal::new("the order is not held any more"));
            }
        }
        match held.total {
            Some(now) if now == total => {}
            Some(now) => return costs_another(now),
            None => return not_sent("what the order costs can't be read"),
        }
        let body = wire::OfBooking { booking_id: id };
        match self.ask(FARE_CHECK, &body, Call::Offer, order::held_fare).await {
            Answer::Done(HeldFare { moved: Some(moved), .. }) if moved != total => costs_another(moved),
            Answer::Done(_) => Answer::Done(None),
            Answer::Refused(refusal) => Answer::Refused(refusal),
            failed => nothing_sent(failed),
        }
    }

    /// Whether a held order's fare is guaranteed no more. Where that can't be asked, nothing is known of it, as before.
    async fn is_stale(&self, id: &str) -> bool {
        let body = wire::OfBooking { booking_id: id };
        let answer = self.ask(FARE_CHECK, &body, Call::HeldFare, order::held_fare);
        match timeout(FARE_CHECK_WAIT, answer).await {
            Ok(Answer::Done(fare)) => fare.is_stale,
            Ok(_) | Err(_) => false,
        }
    }

    /// The order after its payment was taken: whatever stands in the way of reading it, it may be paid.
    async fn paid(&self, id: &str, request: &OrderRequest) -> Answer<SupplierOrder> {
        let reason = match self.settled(id).await {
            Answer::Done(Some(details)) if details.state.status() == OrderStatus::Confirmed => {
                return Answer::Done(details.order_of(request));
            }
            Answer::Done(Some(details)) => format!("the order is {}", details.state.status().as_ref()),
            Answer::Done(None) => "the order is not found".to_owned(),
            failed => failed.problem().unwrap_or_default().to_owned(),
        };
        Answer::Unknown(format!("paid, but {reason}"))
    }

    /// The order when TripJack is no longer at it, or as it was seen last when that takes too long.
    pub(super) async fn settled(&self, id: &str) -> Answer<Option<Details>> {
        let patience = self.http.config().read_deadline;
        let mut seen = Answer::Unknown("the order could not be read in time".to_owned());
        let looks = async {
            for look in 0..LOOKS {
                if look > 0 {
                    sleep(patience / (LOOKS + 1)).await;
                }
                seen = self.details(id).await;
                let is_settled = match &seen {
                    Answer::Done(Some(details)) => details.state.status() != OrderStatus::Pending,
                    Answer::Done(None) => false,
                    _ => true,
                };
                if is_settled {
                    break;
                }
            }
        };
        // Whatever was seen by then counts.
        timeout(patience, looks).await.ok();
        seen
    }

    /// The order as it stands; none when TripJack knows of no such order.
    pub(super) async fn details(&self, id: &str) -> Answer<Option<Details>> {
        self.looked_up(id, |body| order::details_of(id, body)).await
    }

    /// What is read of the order of this id; none where there is none.
    pub(super) async fn looked_up<T>(
        &self,
        id: &str,
        read: impl FnOnce(&[u8]) -> Result<T, Unreadable>,
    ) -> Answer<Option<T>> {
        let body = wire::OfBooking { booking_id: id };
        let answer = self.ask("/oms/v1/booking-details", &body, Call::Lookup, read).await;
        match answer {
            Answer::Refused(Refusal { kind: RefusalKind::Gone, .. }) => Answer::Done(None),
            // That a look-up was refused says nothing about what was looked for.
            answer => answer.unless_refused().map(Some),
        }
    }
}

fn costs_another<T>(total: Money) -> Answer<T> {
    let text = format!("the order costs {total} now");
    Answer::Refused(Refusal::of(RefusalKind::PriceChanged, text))
}

pub(super) fn may_stand(details: &Details) -> bool {
    !matches!(details.state.status(), OrderStatus::Cancelled | OrderStatus::Failed)
}

/// What had to be known before an effect could not be asked: the effect was not sent.
pub(super) fn nothing_sent<Looked, T>(failed: Answer<Looked>) -> Answer<T> {
    match failed {
        Answer::Unavailable(outage) => Answer::Unavailable(outage),
        failed => not_sent(failed.problem().unwrap_or_default()),
    }
}

fn not_sent<T>(reason: &str) -> Answer<T> {
    Answer::Unavailable(Outage::new(reason))
}
