//! The flights that somebody chose of those that were told, and what is given back for them.

use std::{collections::HashMap, sync::Arc};

use wayfare_domain::{Faults, SearchId};

use super::replaced_journeys::{self, ReplacedJourneys, Route};
use crate::{
    Caller, Flights, Result,
    engine::booking_state::check_confirmed,
    flights::{
        Booked, passengers,
        price::{Priced, price_each},
        search::{offer_id::OfferId, session::SearchSession},
    },
};

/// Which flights are to be flown, and instead of which.
#[derive(Clone, Debug)]
pub struct NewFlights {
    /// Of itineraries that [`super::new_flights`] told, one for each journey.
    pub fare_keys: Vec<String>,
    /// The journeys of the booking that they take the place of, by their places from 0; where there are none, those between
    /// the same cities.
    pub journeys: Vec<usize>,
}

pub(super) struct ChosenFlights {
    searches: Vec<(Arc<SearchSession>, Vec<u32>)>,
    pub replaced: ReplacedJourneys,
}

impl ChosenFlights {
    /// Nobody is asked and nothing is held before it is known that it gives back only what was named.
    pub async fn of(flights: &Flights, caller: &Caller, original: &Booked, new: &NewFlights) -> Result<Self> {
        check_confirmed(&original.booking)?;
        let searches = searches_of(flights, caller, &new.fare_keys).await?;
        let mut routes = Vec::new();
        for (search, places) in &searches {
            routes.extend(routes_of(search, places)?);
        }
        let live = replaced_journeys::live_orders(&flights.engine, original);
        let replaced = ReplacedJourneys::of(&original.booking.product, &live, &new.journeys, &routes)?;
        for (search, _) in &searches {
            let mut faults = Faults::default();
            passengers::compare_party(search.query.party, &replaced.travellers, &mut faults);
            faults.or(())?;
        }
        Ok(Self { searches, replaced })
    }

    /// What the new flights cost now: no more than was shown.
    pub async fn price(&self, flights: &Flights, caller: &Caller) -> Result<Priced> {
        let priced = price_each(flights, caller, &self.searches).await?;
        match priced.is_dearer() {
            true => Err(priced.changed_fare().into()),
            false => Ok(priced),
        }
    }
}

/// The routes of these offers of a search; of several for the same journey, each for a part of the party, it is one.
fn routes_of(search: &SearchSession, places: &[u32]) -> Result<Vec<Route>> {
    let offers = places.iter().map(|place| search.offer(*place));
    let mut offers = offers.collect::<Result<Vec<_>>>()?;
    offers.sort_by_key(|selected| selected.offer.route_index);
    offers.dedup_by_key(|selected| selected.offer.route_index);
    let journeys = offers.iter().flat_map(|selected| &selected.offer.journeys);
    Ok(journeys.map(replaced_journeys::route_of).collect())
}

/// The kept searches of these fare keys, in order, with the places of their offers.
async fn searches_of(
    flights: &Flights,
    caller: &Caller,
    fare_keys: &[String],
) -> Result<Vec<(Arc<SearchSession>, Vec<u32>)>> {
    let mut order: Vec<SearchId> = Vec::new();
    let mut places: HashMap<SearchId, Vec<u32>> = HashMap::new();
    for key in fare_keys {
        let id = OfferId::read_fare_key(&flights.core, caller, key)?;
        let of_search = places.entry(id.search).or_default();
        if of_search.contains(&id.index) {
            return Err(Faults::of("fare_keys", "must each be named once").into());
        }
        of_search.push(id.index);
        if !order.contains(&id.search) {
            order.push(id.search);
        }
    }
    let mut searches = Vec::new();
    for id in order {
        let search = flights.sessions.find(caller, id).await?;
        searches.push((search, places.remove(&id).unwrap_or_default()));
    }
    Ok(searches)
}
