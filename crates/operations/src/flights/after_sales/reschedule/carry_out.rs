//! Rescheduling as it is carried out, and how it stands.

use std::sync::Arc;

use wayfare_boxed::boxed;
use wayfare_domain::{BookingRef, Contact, Gst, Money, Remarks};
use wayfare_store::booking::{refunds, steps};

use super::{
    chosen::{ChosenFlights, NewFlights},
    exchange::{self, ChangeProgress},
    replaced_parts::{self, ReplacedPart, are_cancelled, refunded},
    same_travellers::{SameTraveller, as_said, check_named, papers_of},
};
use crate::{
    Caller, Core, Error, Flights, RefundTerms, Result,
    access::idempotency::IdempotencyKey,
    agency::settings::{self, BookingSettings, TicketPasswordPassed},
    bookings::{load, load_after_steps, order_id},
    engine::{
        cancellation::CancelRequest,
        purchase::{CancelledOriginal, Original},
    },
    flights::{
        Booked,
        after_sales::order::people_of,
        book::{Hold, OrderTerms, buy},
    },
};

/// What is booked in the place of a booking.
#[derive(Clone, Debug)]
pub struct RescheduleOrder {
    /// What is flown, and instead of what.
    pub flights: NewFlights,
    /// Must be those who fly the journeys, all of them, where it says who.
    pub travellers: Vec<SameTraveller>,
    /// To whom the tax is invoiced; as before where it does not say.
    pub gst: Option<Gst>,
    /// How they are reached; as before where it does not say.
    pub contact: Option<Contact>,
    /// What is said beside it, for the audit log and for suppliers that read it.
    pub remarks: Option<Remarks>,
}

/// How a rescheduling stands when the call ends.
#[derive(Clone, Debug)]
pub struct Rescheduled {
    pub new: Booked,
    pub original: BookingRef,
    /// The places of its journeys that are given back, from 0; none where it has no other.
    pub journeys: Option<Vec<usize>>,
    pub cancellation: OriginalState,
}

impl Rescheduled {
    fn by_change(state: ChangeProgress) -> Self {
        let (booked, journeys, cancellation) = match state {
            ChangeProgress::Done { booked, journeys, refund } => {
                (booked, journeys, OriginalState::NotNeeded(refund))
            }
            ChangeProgress::Pending { booked, journeys } => (booked, journeys, OriginalState::ChangePending),
        };
        let has_several = booked.booking.product.journeys().nth(1).is_some();
        Self {
            original: booked.booking.reference.clone(),
            journeys: has_several.then_some(journeys),
            new: *booked,
            cancellation,
        }
    }
}

/// How the cancellation stands of what another booking has replaced.
#[derive(Clone, Debug)]
pub enum OriginalState {
    /// Given back: so much is in the wallet.
    Cancelled(RefundTerms),
    /// Its supplier, or the new booking's, has not said so yet; the worker finds out.
    Pending,
    /// It stands, or a part of it: its supplier did not take it back, and why.
    Refused(String),
    /// Nothing is given back: its supplier has changed it, and so much came back to the wallet.
    NotNeeded(Money),
    /// The same, which its supplier has not said yet.
    ChangePending,
}

/// A booking that is to be rescheduled, and what its agency has set.
///
/// # Errors
/// [`Error::NotFound`] for another's booking too.
#[boxed]
pub async fn original(
    core: &Core,
    caller: &Caller,
    reference: &BookingRef,
) -> Result<(Booked, BookingSettings)> {
    let original = load(core, caller, reference).await?;
    let settings = settings::of_bookings(&*core.database.connection().await?, caller).await?;
    Ok((original, settings))
}

/// Books the new itinerary, and gives the journeys back that it takes the place of when it stands.
///
/// # Errors
/// As booking and as cancelling, and [`Error::PartOfOrder`]; the original is untouched then, and nothing is held.
#[boxed]
pub async fn reschedule(
    flights: &Arc<Flights>,
    caller: &Caller,
    original: Booked,
    order: RescheduleOrder,
    _: TicketPasswordPassed,
    key: Option<&IdempotencyKey>,
) -> Result<Rescheduled> {
    if let Some(keys) = exchange::keys(&flights.core, caller, &order.flights.fare_keys)? {
        let chosen = exchange::choose(&flights.engine, &original, &keys, &order.flights.journeys).await?;
        check_named(&original, &chosen.travellers(&original)?, &order.travellers)?;
        let state =
            exchange::carry_out(&flights.engine, caller, original, chosen, order.remarks, key).await?;
        return Ok(Rescheduled::by_change(state));
    }
    let chosen = ChosenFlights::of(flights, caller, &original, &order.flights).await?;
    let replaced = &chosen.replaced;
    check_named(&original, &replaced.travellers, &order.travellers)?;
    let priced = chosen.price(flights, caller).await?;
    let terms = OrderTerms {
        travellers: as_said(&replaced.travellers, &order.travellers),
        ancillaries: Vec::new(),
        papers: papers_of(&original.booking.product.papers, &order.travellers, order.gst),
        contact: order
            .contact
            .map_or_else(|| people_of(&original).map(|people| people.contact.clone()), Ok)?,
        agreed: None,
        hold: Hold::No,
        auto_ticket: false,
        allow_duplicate: true,
        remarks: order.remarks,
    };
    let parts = replaced.parts(&original);
    let replaces = replaced_original(&original, &parts)?;
    let bought = buy(flights, caller, &priced.quote, terms, Some(replaces), key).await?;
    let outcome = bought.original.unwrap_or_default();
    let closed =
        outcome.closed.filter(|closed| are_cancelled(&original.booking.product, &closed.orders, &parts));
    let cancellation = match (closed, outcome.refused) {
        (Some(closed), _) => OriginalState::Cancelled(refunded(&closed.refunds, &original, &parts)?),
        (None, Some(refused)) => OriginalState::Refused(refused),
        (None, None) => OriginalState::Pending,
    };
    Ok(Rescheduled {
        new: bought.booked,
        journeys: told_journeys(&original, &parts),
        original: original.booking.reference,
        cancellation,
    })
}

/// What is given back when the new booking stands.
fn replaced_original(original: &Booked, parts: &[ReplacedPart]) -> Result<Original> {
    let cancelled = |one: &ReplacedPart| {
        let mut orders = original.orders.iter();
        let order = orders.find(|order| order.number == one.number);
        let order = order.ok_or(Error::BookingCancelled)?;
        Result::Ok(CancelledOriginal {
            number: order.number,
            supplier: order.supplier.clone(),
            parts: order.given_back.len(),
            request: CancelRequest::requoting(order_id(order)?).part(one.part.clone()),
        })
    };
    Ok(Original {
        booking: original.booking.id,
        cancels: parts.iter().map(cancelled).collect::<Result<_>>()?,
    })
}

/// Which journeys these parts are, where the booking has more than one.
fn told_journeys(original: &Booked, parts: &[ReplacedPart]) -> Option<Vec<usize>> {
    let product = &original.booking.product;
    let has_several = product.journeys().nth(1).is_some();
    has_several.then(|| replaced_parts::places_of_parts(product, parts))
}

/// How a rescheduling stands: for a request that is made again.
///
/// # Errors
/// [`Error::NotFound`] for another's booking too.
#[boxed]
pub async fn rescheduled(
    core: &Core,
    caller: &Caller,
    original: &BookingRef,
    new: &BookingRef,
) -> Result<Rescheduled> {
    if original == new {
        let state = exchange::state(core, caller, original).await?;
        return Ok(Rescheduled::by_change(state));
    }
    let new = load(core, caller, new).await?;
    let (original, under_way): (Booked, _) = load_after_steps(core, caller, original).await?;
    let mut connection = core.database.connection().await?;
    let (organization, id) = (original.booking.organization, original.booking.id);
    let replaced = steps::replaced_orders(&mut connection, organization, id).await?;
    let by_new = replaced.iter().filter(|order| order.by == new.booking.reference);
    let numbers: Vec<u16> = by_new.clone().map(|order| order.number).collect();
    let replaced: Vec<ReplacedPart> = by_new.cloned().map(ReplacedPart::from).collect();
    let refunds = refunds::of(&mut connection, organization, id).await?;
    let cancellation = if are_cancelled(&original.booking.product, &original.orders, &replaced) {
        OriginalState::Cancelled(refunded(&refunds, &original, &replaced)?)
    } else if under_way.iter().any(|step| numbers.contains(&step.number)) {
        OriginalState::Pending
    } else {
        OriginalState::Refused("the original booking was not cancelled".to_owned())
    };
    Ok(Rescheduled {
        new,
        journeys: told_journeys(&original, &replaced),
        original: original.booking.reference,
        cancellation,
    })
}
