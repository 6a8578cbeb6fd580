//! Other flights in the place of what an airline changed: found for the change's journey, and flown by a reschedule.

use std::sync::Arc;

use chrono::NaiveDate;
use wayfare_boxed::boxed;
use wayfare_domain::{BookingRef, ChangeId, ChangeState};
use wayfare_flights::{FlownFlight, Journey, Segment, share_a_flight};
use wayfare_store::booking::order_changes::{self, OrderChange};

use super::{
    options::new_flights,
    replaced_journeys::{NOT_LIVE, numbered},
};
use crate::{
    Caller, Error, Flights, Result,
    bookings::load_without_names,
    engine::booking_state::check_confirmed,
    flights::{
        Booked, JourneyOffer, NewItinerary, NewJourney,
        after_sales::schedule_changes::{decide::DECIDED, found},
    },
};

/// What can be flown instead of what an airline changed.
#[derive(Clone, Debug)]
pub struct Rebooking {
    /// The change, which stays as it is until its journey is rescheduled.
    pub change: OrderChange,
    /// Its journey, by its place among all of the booking, from 0: what a reschedule is to name.
    pub journey: usize,
    pub changes: Vec<JourneyOffer>,
    /// What can be booked instead, the cheapest first.
    pub itineraries: Vec<NewItinerary>,
}

/// Finds what can be flown instead of what an airline changed: on this day, local at the origin, or on that of the change's
/// flights. Nothing is decided by it.
///
/// # Errors
/// [`Error::NotFound`] for another's booking too, the error of a booking that does not stand, [`Error::NotSupported`] for a change
/// that is decided, [`Error::NewerChange`], [`Error::Invalid`] for a day that can't be searched for or where nothing of the
/// journey stands, [`Error::SupplierUnavailable`] when no supplier answers and no change is offered.
#[boxed]
pub async fn rebook(
    flights: &Arc<Flights>,
    caller: &Caller,
    reference: &BookingRef,
    id: ChangeId,
    date: Option<NaiveDate>,
) -> Result<Rebooking> {
    let booked: Booked = load_without_names(&flights.core, caller, reference).await?;
    let (organization, booking) = (booked.booking.organization, booked.booking.id);
    let connection = flights.core.database.connection().await?;
    let changes = order_changes::of(&connection, organization, booking).await?;
    drop(connection);
    let change = changes.iter().find(|change| change.id == id);
    let change = change.cloned().ok_or(Error::NotFound)?;
    match change.state {
        // What nobody is asked about can be flown otherwise, too.
        ChangeState::Open | ChangeState::Informed => {}
        ChangeState::Superseded => return Err(Error::NewerChange),
        ChangeState::Accepted | ChangeState::Chosen | ChangeState::Refused | ChangeState::Ended => {
            return Err(Error::NotSupported(DECIDED));
        }
    }
    check_confirmed(&booked.booking)?;
    let changed = changed_journey(&booked, &changes, &change)?;
    let (origin, destination) = ends_of(changed.journey)?;
    let wanted = NewJourney {
        journey: Some(changed.place),
        origin,
        destination,
        date: date.or(changed.day).ok_or(Error::NotSupported(NOT_LIVE))?,
        include_changes: true,
    };
    let (offers, itineraries) = new_flights(flights, caller, reference, wanted).await?;
    Ok(Rebooking { change, journey: changed.place, changes: offers, itineraries })
}

/// The journey of a booking that an airline changed.
struct ChangedJourney<'a> {
    /// Its place among all of the booking, from 0.
    place: usize,
    journey: &'a Journey,
    /// The day on which it leaves now, local at the origin; on which it left where nothing of it is flown.
    day: Option<NaiveDate>,
}

fn changed_journey<'a>(
    booked: &'a Booked,
    changes: &[OrderChange],
    change: &OrderChange,
) -> Result<ChangedJourney<'a>> {
    let product = &booked.booking.product;
    let (before, after) = found::segments(change)?;
    let flown = found::flown(product, changes)?;
    let order = flown.orders().nth(usize::from(change.number).saturating_sub(1));
    let flights = order.unwrap_or_default();
    let is_of = |flight: &&FlownFlight, theirs: &[Segment]| {
        share_a_flight(std::slice::from_ref(&flight.segment), theirs)
    };
    // Later changes may have moved them on: then where they were sold to fly.
    let known = flights.iter().find(|flight| is_of(flight, &after));
    let known = known.or_else(|| flights.iter().find(|flight| is_of(flight, &before)));
    let mut journeys = numbered(product).enumerate();
    let own = journeys.by_ref().filter(|(_, (number, _))| *number == change.number);
    let own: Vec<(usize, &Journey)> = own.map(|(place, (_, journey))| (place, journey)).collect();
    let within = known.map(|flight| flight.journey);
    let sold = || own.iter().position(|(_, journey)| share_a_flight(&journey.segments, &before));
    let within = within.or_else(sold).ok_or(Error::NotFound)?;
    let (place, journey) = own.get(within).copied().ok_or(Error::NotFound)?;
    let mut present = flights.iter().filter(|flight| flight.journey == within && !flight.is_cancelled);
    let first = present.next().map(|flight| &flight.segment).or(journey.segments.first());
    Ok(ChangedJourney { place, journey, day: first.map(|flight| flight.departure.date()) })
}

/// From where to where a journey goes, by its airports' codes.
fn ends_of(journey: &Journey) -> Result<(String, String)> {
    let (first, last) = (journey.segments.first(), journey.segments.last());
    match (first, last) {
        (Some(first), Some(last)) => Ok((first.origin.to_string(), last.destination.to_string())),
        _ => Err(Error::NotFound),
    }
}
