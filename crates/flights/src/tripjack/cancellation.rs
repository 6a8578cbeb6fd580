//! The calls that give an order back: a hold is let go, a ticketed order amended.
//!
//! TripJack has no id for a cancellation until it has taken it. A quote's id therefore says which of the two ways it is;
//! an amendment's own id comes with the answer to it, and while that is not known the order tells what became of it.

use serde_json::Value;
use wayfare_domain::{Amount, Money, MoneyError, OrderStatus, PassengerType};
use wayfare_supply::{Answer, CancellationQuote, CancellationState, Refusal, RefusalEvidence};

use super::booking::nothing_sent;
use super::errors::Call;
use super::offers::{CURRENCY, price};
use super::order::{Details, State};
use super::order_wire as wire;
use super::{TripJack, read};
use wayfare_supply::CancellationState::{Confirmed, Pending, Rejected};
use wayfare_supply::reading::{Unreadable, parse};

/// The id of letting a hold go.
const RELEASE: &str = "release";
/// What is said of a cancellation where nobody says anything: TripJack wants a remark.
const REMARKS: &str = "Cancelled by the agency";
/// The id of an amendment that was not taken yet, or whose own id is lost.
const AMENDMENT: &str = "amendment";

/// What giving the order back would return, which we know to be in this status. Only what we hold, and what never had
/// a ticket, is let go in full.
pub(super) async fn quote_cancellation(
    tripjack: &TripJack,
    id: &str,
    ours: OrderStatus,
) -> Answer<CancellationQuote> {
    let details = match tripjack.details(id).await {
        Answer::Done(Some(details)) => details,
        Answer::Done(None) => return Answer::Refused(Refusal::new("there is no such order")),
        failed => return nothing_sent(failed),
    };
    match (details.state, ours) {
        // One that is gone already was never paid: nothing is left to be sent.
        (State::Held | State::Unconfirmed | State::Cancelled, OrderStatus::Held) => released(details),
        (State::Confirmed, OrderStatus::Confirmed) => {
            let read = |body: &[u8]| charges(body, &details);
            tripjack
                .ask(
                    "/oms/v1/air/amendment/amendment-charges",
                    &cancellation(id, REMARKS),
                    Call::Read,
                    read,
                )
                .await
        }
        (State::Pending | State::Cancelled | State::Failed, _) => {
            let text = format!("the order is {}", details.state.status().as_ref());
            Answer::Refused(Refusal::new(text))
        }
        (theirs, ours) => Answer::Unknown(format!(
            "the order is {} here and {theirs:?} at the supplier",
            ours.as_ref()
        )),
    }
}

/// Gives the order back in the way that was quoted. A hold that is let go has no remarks.
pub(super) async fn cancel(
    tripjack: &TripJack,
    id: &str,
    cancellation_id: &str,
    remarks: Option<&str>,
) -> Answer<CancellationQuote> {
    match cancellation_id {
        RELEASE => tripjack.release(id).await,
        AMENDMENT => tripjack.amend(id, remarks.unwrap_or(REMARKS)).await,
        _ => Answer::Refused(Refusal::new("there is no such cancellation")),
    }
}

/// The cancellation as it stands, by its own id where that is known, else by the order.
pub(super) async fn find_cancellation(
    tripjack: &TripJack,
    id: &str,
    cancellation_id: &str,
) -> Answer<CancellationQuote> {
    if !matches!(cancellation_id, RELEASE | AMENDMENT) {
        return tripjack.amendment(cancellation_id).await;
    }
    tripjack.details(id).await.and_then(|details| match details {
        None => Answer::Unknown("the order is not found".to_owned()),
        Some(details) if cancellation_id == RELEASE => released(details),
        Some(details) => {
            let state = if details.is_given_back() {
                Confirmed
            } else {
                Pending
            };
            Answer::Done(quote(AMENDMENT, None, state, details.raw))
        }
    })
}

/// A hold is let go in the call, and the order tells it. An amendment is decided upon by a person, whenever that is: the
/// order that still stands proves nothing of it.
pub(super) fn refusal_evidence(cancellation_id: &str) -> RefusalEvidence {
    match cancellation_id {
        RELEASE => RefusalEvidence::OrderStands,
        _ => RefusalEvidence::Nothing,
    }
}

impl TripJack {
    async fn release(&self, id: &str) -> Answer<CancellationQuote> {
        let held = match self.details(id).await {
            Answer::Done(Some(details)) => details,
            Answer::Done(None) => return Answer::Refused(Refusal::new("there is no such order")),
            failed => return nothing_sent(failed),
        };
        match held.state {
            State::Held => {}
            State::Cancelled | State::Unconfirmed => return released(held),
            state => {
                let text = format!("the order is {}", state.status().as_ref());
                return Answer::Refused(Refusal::new(text));
            }
        }
        let pnrs = held.airline_pnrs();
        let body = wire::NewRelease {
            booking_id: id,
            pnrs: &pnrs,
        };
        let answer = self
            .ask("/oms/v1/air/unhold", &body, Call::Cancel, read::acknowledged)
            .await;
        match answer {
            Answer::Done(()) => match self.details(id).await {
                Answer::Done(Some(details)) => released(details),
                // It was taken; when it is carried out is looked up.
                _ => Answer::Done(quote(RELEASE, Some(held.total), Pending, held.raw)),
            },
            Answer::Refused(refusal) => Answer::Refused(refusal),
            Answer::Unavailable(outage) => Answer::Unavailable(outage),
            Answer::Unknown(reason) => Answer::Unknown(reason),
        }
    }

    async fn amend(&self, id: &str, remarks: &str) -> Answer<CancellationQuote> {
        let path = "/oms/v1/air/amendment/submit-amendment";
        let answer = self
            .ask(path, &cancellation(id, remarks), Call::Cancel, submitted)
            .await;
        let amendment_id = match answer {
            Answer::Done(amendment_id) => amendment_id,
            Answer::Refused(refusal) => return Answer::Refused(refusal),
            Answer::Unavailable(outage) => return Answer::Unavailable(outage),
            Answer::Unknown(reason) => return Answer::Unknown(reason),
        };
        match self.amendment(&amendment_id).await {
            Answer::Done(amendment) => Answer::Done(amendment),
            // It was taken; what became of it is looked up.
            _ => Answer::Done(quote(&amendment_id, None, Pending, Value::Null)),
        }
    }

    /// The amendment as it stands.
    async fn amendment(&self, amendment_id: &str) -> Answer<CancellationQuote> {
        let path = "/oms/v1/air/amendment/amendment-details";
        let body = wire::OfAmendment { amendment_id };
        match self.ask(path, &body, Call::Lookup, amendment).await {
            Answer::Done(amendment) => Answer::Done(amendment),
            Answer::Refused(refusal) => Answer::Unknown(format!("the look-up was refused: {}", refusal.text)),
            Answer::Unavailable(outage) => Answer::Unavailable(outage),
            Answer::Unknown(reason) => Answer::Unknown(reason),
        }
    }
}

fn cancellation<'a>(id: &'a str, remarks: &'a str) -> wire::NewAmendment<'a> {
    wire::NewAmendment {
        booking_id: id,
        kind: "CANCELLATION",
        remarks,
    }
}

fn quote(id: &str, refund: Option<Money>, state: CancellationState, raw: Value) -> CancellationQuote {
    CancellationQuote {
        id: id.to_owned(),
        refund,
        expires_at: None,
        state,
        raw,
    }
}

/// A hold that was to be let go, as the order tells it. What has a ticket was paid and is none.
fn released(details: Details) -> Answer<CancellationQuote> {
    if details.has_tickets() {
        return Answer::Unknown("the order was held, and has tickets".to_owned());
    }
    let state = match details.state {
        State::Cancelled | State::Unconfirmed => Confirmed,
        _ => Pending,
    };
    Answer::Done(quote(RELEASE, Some(details.total), state, details.raw))
}

fn submitted(body: &[u8]) -> Result<String, Unreadable> {
    Ok(parse::<wire::Submitted>(body)?.amendment_id)
}

fn amendment(body: &[u8]) -> Result<CancellationQuote, Unreadable> {
    let raw = parse::<Value>(body)?;
    let theirs: wire::AmendmentDetails = serde_path_to_error::deserialize(&raw).map_err(Unreadable::new)?;
    let state = match theirs.amendment_status.as_str() {
        "SUCCESS" => Confirmed,
        "REQUESTED" | "PENDING" => Pending,
        "REJECTED" => Rejected,
        word => return Err(Unreadable::new(format!("amendmentStatus {word:?} is unknown"))),
    };
    let refund = refund(theirs.refund_amount, theirs.refundable_amount)?;
    Ok(quote(&theirs.amendment_id, refund, state, raw))
}

/// The answer to a question for what a cancellation of this order would cost.
fn charges(body: &[u8], order: &Details) -> Result<CancellationQuote, Unreadable> {
    let raw = parse::<Value>(body)?;
    let theirs: wire::AmendmentCharges = serde_path_to_error::deserialize(&raw).map_err(Unreadable::new)?;
    let refund = match refund(theirs.refund_amount, theirs.refundable_amount)? {
        None => refund_by_type(theirs.trips.as_deref().unwrap_or_default(), order)
            .map_err(|error| Unreadable::new(format!("refund {error}")))?,
        whole => whole,
    };
    Ok(quote(AMENDMENT, refund, Pending, raw))
}

/// What comes back, by either of its two names.
fn refund(refund: Option<Amount>, refundable: Option<Amount>) -> Result<Option<Money>, Unreadable> {
    let amount = refund.or(refundable).map(|Amount(amount)| price(amount));
    let amount = amount.transpose();
    amount.map_err(|error| Unreadable::new(format!("refund {error}")))
}

/// The sum of what is told for each trip and passenger type. Whether that is for one passenger or for all of the type
/// is not documented: their fares tell it, which add up to the order's total in one of the two ways. None when they
/// don't, or when something is not told: then nobody knows what comes back.
fn refund_by_type(trips: &[wire::AmendedTrip], order: &Details) -> Result<Option<Money>, MoneyError> {
    let (mut once, mut by_count) = (Sums::new(), Sums::new());
    for trip in trips {
        for kind in [PassengerType::Adult, PassengerType::Child, PassengerType::Infant] {
            let Some(of_type) = trip.amendment_info.of(kind) else {
                if order.count(kind) > 0 {
                    return Ok(None);
                }
                continue;
            };
            let refund = of_type.refund_amount.or(of_type.refundable_amount);
            let (Some(Amount(refund)), Some(Amount(fare))) = (refund, of_type.total_fare) else {
                return Ok(None);
            };
            let (refund, fare) = (price(refund)?, price(fare)?);
            once.add(refund, fare, 1)?;
            by_count.add(refund, fare, order.count(kind))?;
        }
    }
    let fitting = [by_count, once].into_iter().find(|sums| sums.fare == order.total);
    Ok(fitting.map(|sums| sums.refund))
}

struct Sums {
    refund: Money,
    fare: Money,
}

impl Sums {
    fn new() -> Self {
        let nothing = Money::zero(CURRENCY);
        Self {
            refund: nothing,
            fare: nothing,
        }
    }

    fn add(&mut self, refund: Money, fare: Money, count: usize) -> Result<(), MoneyError> {
        self.refund = self.refund.plus(refund.times(count.into())?)?;
        self.fare = self.fare.plus(fare.times(count.into())?)?;
        Ok(())
    }
}
