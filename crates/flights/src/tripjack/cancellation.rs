//! The calls that give an order back: a hold is let go, a ticketed order amended.
//!
//! TripJack has no id for a cancellation until it has taken it. A quote's id therefore says which of the two ways it is;
//! an amendment's own id comes with the answer to it, and while that is not known the order tells what became of it.

use serde_json::Value;
use wayfare_domain::{Money, MoneyError, OrderStatus, PassengerType};
use wayfare_supply::{
    AfterSales, Answer, CancellationQuote, JourneyToCancel, LossKind, OrderToCancel, PartToCancel, Refusal,
    RefusalEvidence, UnclearRefund, done_or_return, note_loss,
};

use super::booking::nothing_sent;
use super::errors::{Call, tells_failure};
use super::offers::{CURRENCY, price};
use super::order::{Details, State, details_of};
use super::order_wire;
use super::wire::Number;
use super::{TripJack, read};
use wayfare_supply::CancellationState::{Confirmed, Pending, Rejected};
use wayfare_supply::reading::{Unreadable, is_word, parse, parse_tree, read_tree};

/// The id of letting a hold go.
const RELEASE: &str = "release";
/// What is said of a cancellation where nobody says anything: TripJack wants a remark.
const REMARKS: &str = "Cancelled by the agency";
/// What is said of money in an amendment.
const REFUND: [&str; 4] = ["refundAmount", "refundableAmount", "totalFare", "amendmentStatus"];
/// The id of an amendment that was not taken yet, or whose own id is lost.
const AMENDMENT: &str = "amendment";

/// What giving the order back, or a part of it, would return. Only what we hold, and what never had a ticket, is let go in
/// full, and never in part.
pub(super) async fn quote_cancellation(
    tripjack: &TripJack,
    order: OrderToCancel<'_>,
) -> Answer<CancellationQuote> {
    let OrderToCancel { id, part, .. } = order;
    if part.is_some() && (order.status == OrderStatus::Held || !tripjack.config().parts) {
        return Answer::Refused(Refusal::new("no part of it is given back"));
    }
    // One that can't be read is asked for again, and in the end goes by the terms that were sold (D-582).
    let looked = tripjack.looked_up(id, |body| match details_of(id, body) {
        Err(reason) if !tells_failure(body) => Ok(Err(unclear_order(body, reason, &order))),
        details => details.map(Ok),
    });
    let details = match looked.await {
        Answer::Done(Some(Ok(details))) => details,
        Answer::Done(Some(Err(unclear))) => return Answer::Done(unclear),
        Answer::Done(None) => return Answer::Refused(Refusal::new("there is no such order")),
        failed => return nothing_sent(failed),
    };
    match (details.state, order.status) {
        // One that is gone already was never paid: nothing is left to be sent.
        (State::Held | State::Unconfirmed | State::Cancelled, OrderStatus::Held) => released(details),
        (State::Confirmed, OrderStatus::Confirmed) => {
            let trips = part.map(|part| trips(part, &details)).transpose();
            let trips = done_or_return!(Answer::or_refused(trips)).unwrap_or_default();
            let read = |body: &[u8]| charges(body, &details, part);
            tripjack
                .ask(
                    "/oms/v1/air/amendment/amendment-charges",
                    &cancellation(id, REMARKS, trips),
                    Call::Read,
                    read,
                )
                .await
        }
        (State::Pending | State::Cancelled | State::Failed, _) => {
            let text = format!("the order is {}", details.state.status().as_ref());
            Answer::Refused(Refusal::new(text))
        }
        (theirs, ours) => {
            Answer::Unknown(format!("the order is {} here and {theirs:?} at the supplier", ours.as_ref()))
        }
    }
}

/// Gives the order, or a part of it, back in the way that was quoted. A hold that is let go has no remarks.
pub(super) async fn cancel(
    tripjack: &TripJack,
    id: &str,
    cancellation_id: &str,
    remarks: Option<&str>,
    part: Option<&PartToCancel>,
) -> Answer<CancellationQuote> {
    match cancellation_id {
        RELEASE => tripjack.release(id).await,
        AMENDMENT => tripjack.amend(id, remarks.unwrap_or(REMARKS), part).await,
        _ => Answer::Refused(Refusal::new("there is no such cancellation")),
    }
}

/// The cancellation as it stands, by its own id where that is known, else by the order.
pub(super) async fn find_cancellation(
    tripjack: &TripJack,
    id: &str,
    cancellation_id: &str,
    part: Option<&PartToCancel>,
) -> Answer<CancellationQuote> {
    if !matches!(cancellation_id, RELEASE | AMENDMENT) {
        return tripjack.amendment(cancellation_id).await;
    }
    tripjack.details(id).await.and_then(|details| match details {
        None => Answer::Unknown("the order is not found".to_owned()),
        Some(details) if cancellation_id == RELEASE => released(details),
        Some(details) => {
            let is_done = match part {
                Some(part) => details.is_part_given_back(part),
                None => details.is_given_back(),
            };
            let state = if is_done { Confirmed } else { Pending };
            Answer::Done(CancellationQuote::of(AMENDMENT, None, state, details.raw))
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
        let body = order_wire::NewRelease { booking_id: id, pnrs: &pnrs };
        done_or_return!(self.ask("/oms/v1/air/unhold", &body, Call::Cancel, read::acknowledged).await);
        match self.details(id).await {
            Answer::Done(Some(details)) => released(details),
            // It was taken; when it is carried out is looked up.
            _ => Answer::Done(CancellationQuote::of(RELEASE, held.total, Pending, held.raw)),
        }
    }

    async fn amend(&self, id: &str, remarks: &str, part: Option<&PartToCancel>) -> Answer<CancellationQuote> {
        let path = "/oms/v1/air/amendment/submit-amendment";
        let trips = match part {
            None => Vec::new(),
            // They are told by the names that the order has for them.
            Some(part) => match self.details(id).await {
                Answer::Done(Some(details)) => done_or_return!(Answer::or_refused(trips(part, &details))),
                Answer::Done(None) => return Answer::Refused(Refusal::new("there is no such order")),
                failed => return nothing_sent(failed),
            },
        };
        let answer = self.ask(path, &cancellation(id, remarks, trips), Call::Cancel, submitted).await;
        let amendment_id = done_or_return!(answer);
        match self.amendment(&amendment_id).await {
            Answer::Done(amendment) => Answer::Done(amendment),
            // It was taken; what became of it is looked up.
            _ => Answer::Done(CancellationQuote::of(&amendment_id, None, Pending, Value::Null)),
        }
    }

    /// The amendment as it stands.
    async fn amendment(&self, amendment_id: &str) -> Answer<CancellationQuote> {
        let path = "/oms/v1/air/amendment/amendment-details";
        let body = order_wire::OfAmendment { amendment_id };
        let found = self.ask(path, &body, Call::Lookup, amendment).await;
        found.unless_refused()
    }
}

fn cancellation<'a>(
    id: &'a str,
    remarks: &'a str,
    trips: Vec<order_wire::NewAmendedTrip<'a>>,
) -> order_wire::NewAmendment<'a> {
    order_wire::NewAmendment { booking_id: id, kind: "CANCELLATION", remarks, trips }
}

/// What is given back, by the names that the order has for those who do not fly.
///
/// # Errors
/// When nobody can tell surely who one of them is.
fn trips<'a>(part: &'a PartToCancel, order: &Details) -> Result<Vec<order_wire::NewAmendedTrip<'a>>, String> {
    let names = order.names_in(part)?;
    let trip = |gone: &'a JourneyToCancel| order_wire::NewAmendedTrip {
        src: &gone.journey.origin,
        dest: &gone.journey.destination,
        departure_date: gone.journey.day,
        travellers: gone
            .travellers
            .iter()
            .filter_map(|who| names.get(&who.index).cloned())
            .map(|(first_name, last_name)| order_wire::NewAmendedTraveller { first_name, last_name })
            .collect(),
    };
    Ok(part.journeys.iter().map(trip).collect())
}

/// What there is of an order that can't be read. Nothing is needed of one that is amended whole; a hold is let go by the
/// locators, and a part is given back by the names, that it says.
fn unclear_order(body: &[u8], reason: Unreadable, order: &OrderToCancel<'_>) -> CancellationQuote {
    let id = match order.status {
        OrderStatus::Confirmed if order.part.is_none() => AMENDMENT,
        _ => "",
    };
    let unclear = match parse_tree(body) {
        Ok(raw) => {
            let order = raw.get("order").filter(|order| order.is_object());
            UnclearRefund::of(reason, order.unwrap_or(&raw), &["status", "amount"])
        }
        Err(_) => UnclearRefund::of_body(reason, body),
    };
    CancellationQuote { unclear: Some(unclear), ..CancellationQuote::of(id, None, Pending, Value::Null) }
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
    Answer::Done(CancellationQuote::of(RELEASE, details.total, state, details.raw))
}

fn submitted(body: &[u8]) -> Result<String, Unreadable> {
    Ok(parse::<order_wire::Submitted>(body)?.amendment_id)
}

/// An amendment as it stands.
pub fn amendment(body: &[u8]) -> Result<CancellationQuote, Unreadable> {
    let raw = parse_tree(body)?;
    let theirs: order_wire::AmendmentDetails = read_tree(&raw)?;
    let state = match theirs.amendment_status.trim().to_ascii_uppercase().as_str() {
        "SUCCESS" => Confirmed,
        "REQUESTED" | "PENDING" => Pending,
        "REJECTED" => Rejected,
        word => return Err(Unreadable::new(format!("amendmentStatus {word:?} is unknown"))),
    };
    let told = theirs.refund_amount.or(theirs.refundable_amount);
    let told = told.map(|amount| price("refundAmount", amount.read()?));
    let (refund, unclear) = match told.transpose() {
        Ok(refund) => (refund, None),
        Err(reason) => {
            note_loss(LossKind::LeftOut, "amendment.refundAmount", &reason);
            (None, Some(UnclearRefund::of(reason, &raw, &REFUND)))
        }
    };
    Ok(CancellationQuote { unclear, ..CancellationQuote::of(&theirs.amendment_id, refund, state, raw) })
}

/// The answer to a question for what a cancellation of this order, or of a part of it, would cost: whatever came, it may be
/// carried out.
///
/// # Errors
/// Where it says itself that it failed.
pub(super) fn charges(
    body: &[u8],
    order: &Details,
    part: Option<&PartToCancel>,
) -> Result<CancellationQuote, Unreadable> {
    if tells_failure(body) {
        return Err(Unreadable::new("the supplier says that it failed"));
    }
    let raw = match parse_tree(body) {
        Ok(raw) => raw,
        Err(error) => {
            return Ok(CancellationQuote {
                unclear: Some(UnclearRefund::of_body(error, body)),
                ..CancellationQuote::of(AMENDMENT, None, Pending, Value::Null)
            });
        }
    };
    Ok(told_charges(&raw, order, part).unwrap_or_else(|reason| CancellationQuote {
        unclear: Some(UnclearRefund::of(reason, &raw, &REFUND)),
        ..CancellationQuote::of(AMENDMENT, None, Pending, raw)
    }))
}

fn told_charges(
    raw: &Value,
    order: &Details,
    part: Option<&PartToCancel>,
) -> Result<CancellationQuote, Unreadable> {
    let theirs: order_wire::AmendmentCharges = read_tree(raw)?;
    let told = theirs.total_fare.map(|fare| price("totalFare", fare)).transpose();
    let told = told.map_err(Unreadable::new)?;
    let trips = theirs.trips.as_deref().unwrap_or_default();
    let by_type = match part {
        None => by_type(trips, order.total, |_, kind| order.count(kind)),
        Some(part) => by_type(trips, told, |trip, kind| count(part, trip, kind)),
    };
    let by_type = by_type.map_err(Unreadable::new)?;
    let refund = refund(theirs.refund_amount, theirs.refundable_amount)?;
    let part_total = part.and(told.or(by_type.map(|sums| sums.fare)));
    Ok(CancellationQuote {
        part_total,
        ..CancellationQuote::of(AMENDMENT, refund.or(by_type.map(|sums| sums.refund)), Pending, raw.clone())
    })
}

/// How many of this type do not fly this trip.
fn count(part: &PartToCancel, trip: &order_wire::AmendedTrip, kind: PassengerType) -> usize {
    let is_it = |gone: &&JourneyToCancel| {
        let says =
            |theirs: &Option<String>, ours: &str| theirs.as_ref().is_none_or(|theirs| is_word(theirs, ours));
        says(&trip.src, &gone.journey.origin) && says(&trip.dest, &gone.journey.destination)
    };
    let gone = part.journeys.iter().filter(is_it).flat_map(|gone| &gone.travellers);
    gone.filter(|who| who.kind == kind).count()
}

/// What comes back, by either of its two names.
fn refund(refund: Option<Number>, refundable: Option<Number>) -> Result<Option<Money>, Unreadable> {
    let amount = refund.or(refundable).map(|amount| price("refundAmount", amount));
    amount.transpose().map_err(Unreadable::new)
}

/// The sum of what is told for each trip and passenger type. Whether that is for one passenger or for all of the type
/// is not documented: their fares tell it, which add up to the total in one of the two ways, or are the same either way. None
/// when they don't, or when something is not told: then nobody knows what comes back.
fn by_type(
    trips: &[order_wire::AmendedTrip],
    total: Option<Money>,
    count: impl Fn(&order_wire::AmendedTrip, PassengerType) -> usize,
) -> Result<Option<Sums>, String> {
    let (mut once, mut by_count) = (Sums::new(), Sums::new());
    for trip in trips {
        for kind in [PassengerType::Adult, PassengerType::Child, PassengerType::Infant] {
            let Some(of_type) = trip.amendment_info.of(kind) else {
                if count(trip, kind) > 0 {
                    return Ok(None);
                }
                continue;
            };
            let refund = of_type.refund_amount.or(of_type.refundable_amount);
            let (Some(refund), Some(fare)) = (refund, of_type.total_fare) else { return Ok(None) };
            let (refund, fare) = (price("refundAmount", refund)?, price("totalFare", fare)?);
            let too_large = |error: MoneyError| format!("refundAmount {error}");
            once.add(refund, fare, 1).map_err(too_large)?;
            by_count.add(refund, fare, count(trip, kind)).map_err(too_large)?;
        }
    }
    Ok(match total {
        Some(total) => [by_count, once].into_iter().find(|sums| sums.fare == total),
        None => (once == by_count && once.fare.is_positive()).then_some(once),
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Sums {
    refund: Money,
    fare: Money,
}

impl Sums {
    fn new() -> Self {
        let nothing = Money::zero(CURRENCY);
        Self { refund: nothing, fare: nothing }
    }

    fn add(&mut self, refund: Money, fare: Money, count: usize) -> Result<(), MoneyError> {
        self.refund = self.refund.plus(refund.times(count.into())?)?;
        self.fare = self.fare.plus(fare.times(count.into())?)?;
        Ok(())
    }
}
