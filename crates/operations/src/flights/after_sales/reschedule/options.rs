//! What the travellers of a booking could fly instead.

use std::sync::Arc;

use futures_util::future::join;
use wayfare_boxed::boxed;
use wayfare_domain::{BookingRef, Party, PartyMember, PassengerType};
use wayfare_flights::{Airline, Offer, Query, Slice, TripType};

use super::{
    exchange::{self, JourneyOffer, NewJourney},
    replaced_journeys,
};
use crate::{
    Caller, Core, Error, Flights, Result,
    bookings::load,
    engine::booking_state::check_confirmed,
    flights::search::{Search, SearchRequest, offer_id::OfferId, priced::DisplayedPrice},
};

/// So many itineraries are told at most, the cheapest.
const MOST_ITINERARIES: usize = 50;

/// An itinerary that the travellers of a booking could fly instead.
#[derive(Clone, Debug)]
pub struct NewItinerary {
    /// What is priced and booked by [`super::reschedule`]: `fk_…`.
    pub fare_key: String,
    pub supplier: String,
    /// The airline that sells it, IATA code: the validating carrier where the supplier tells it.
    pub carrier: String,
    /// That airline, where the supplier tells of it.
    pub airline: Option<Airline>,
    pub offer: Offer,
    pub price: DisplayedPrice,
}

/// What the travellers of a booking could fly instead: changes at the supplier, where these are asked for, and itineraries to be
/// booked.
///
/// # Errors
/// The error of a booking that does not stand, [`Error::Invalid`] for a journey that can't be searched for or is not the
/// booking's, [`Error::SupplierUnavailable`] when no supplier answers and no change is offered.
#[boxed]
pub async fn new_flights(
    flights: &Arc<Flights>,
    caller: &Caller,
    reference: &BookingRef,
    journey: NewJourney,
) -> Result<(Vec<JourneyOffer>, Vec<NewItinerary>)> {
    if !journey.include_changes {
        return Ok((Vec::new(), itineraries(flights, caller, reference, journey).await?));
    }
    let changes = exchange::offers(&flights.engine, caller, reference, journey.clone());
    let (changes, found) = join(changes, itineraries(flights, caller, reference, journey)).await;
    match (changes?, found) {
        (changes, Ok(found)) => Ok((changes, found)),
        (changes, Err(error))
            if !changes.is_empty() && matches!(error.plain(), Error::SupplierUnavailable(_)) =>
        {
            Ok((changes, Vec::new()))
        }
        (_, Err(error)) => Err(error),
    }
}

/// What the travellers of a booking could fly instead, the cheapest first: a search for those who fly the journey now, in
/// its cabin.
///
/// # Errors
/// The error of a booking that does not stand, [`Error::Invalid`] for a journey that can't be searched for or is not the
/// booking's, [`Error::SupplierUnavailable`] when no supplier answers.
async fn itineraries(
    flights: &Arc<Flights>,
    caller: &Caller,
    reference: &BookingRef,
    journey: NewJourney,
) -> Result<Vec<NewItinerary>> {
    let booked = load(&flights.core, caller, reference).await?;
    check_confirmed(&booked.booking)?;
    let cities = [&journey.origin, &journey.destination].map(|code| replaced_journeys::city(code));
    let live = replaced_journeys::live_orders(&flights.engine, &booked);
    let flown = replaced_journeys::flown(&booked.booking.product, &live, journey.journey, &cities.into())?;
    let query = Query {
        trip_type: TripType::OneWay,
        party: party(&flown.party),
        cabin: flown.cabin,
        slices: vec![Slice::between((&journey.origin, None), (&journey.destination, None), journey.date)],
        direct_only: false,
        airline: None,
    };
    let request = SearchRequest {
        query,
        preferred_currency: Some(booked.booking.amount.currency()),
        max_results: None,
    };
    let mut search = Search::begin(flights, caller, request).await.map_err(in_words_of_the_request)?;
    let (mut found, mut any_answer) = (Vec::new(), false);
    while let Some(arrival) = search.next().await {
        any_answer |= arrival.cached.is_some();
        for (offer, price) in arrival.offers() {
            let flown = offer.segments().next().map(|segment| segment.airline.clone());
            let carrier = offer.owner.clone().or(flown).unwrap_or_default();
            let airlines = arrival.cached.as_ref().map(|cached| &cached.found.airlines);
            found.push(NewItinerary {
                airline: airlines.and_then(|airlines| airlines.get(&*carrier).cloned()),
                carrier: carrier.into(),
                fare_key: fare_key(&flights.core, caller, price)?,
                supplier: arrival.report.code.clone(),
                offer: offer.clone(),
                price: price.clone(),
            });
        }
    }
    if !any_answer {
        return Err(Error::SupplierUnavailable(None));
    }
    found.sort_by_key(|one| one.price.sale.price.agent_fare().amount());
    found.truncate(MOST_ITINERARIES);
    Ok(found)
}

fn in_words_of_the_request(error: Error) -> Error {
    let Error::Invalid(faults) = error else { return error };
    Error::Invalid(faults.renamed(|field| match field {
        "slices[0].departure_date" => "new_date".to_owned(),
        field => field.trim_start_matches("slices[0].").to_owned(),
    }))
}

fn fare_key(core: &Core, caller: &Caller, price: &DisplayedPrice) -> Result<String> {
    let id = OfferId::read(core, caller, &price.id)?;
    Ok(id.fare_key(&core.secrets, caller.organization(), caller.user()))
}

fn party(travellers: &[PartyMember]) -> Party {
    let count = |kind| {
        let count = travellers.iter().filter(|traveller| traveller.kind == kind).count();
        u8::try_from(count).unwrap_or(u8::MAX)
    };
    Party {
        adults: count(PassengerType::Adult),
        children: count(PassengerType::Child),
        infants: count(PassengerType::Infant),
    }
}
