//! What Duffel sells: the offers that answer a search, and one offer again by its id.

use rust_decimal::{Decimal, dec};

use super::World;
use super::errors::ApiError;
use super::offer_ids::OfferRef;
use crate::expiring_map::OfferChanges;
use crate::fares::{self, Deadlines, Fare};
use crate::fault_injection::InjectedFault;
use crate::inventory::Inventory;
use crate::itinerary::Bundle;
use crate::search_ids::StampedSearch;
use crate::tariff::Tariff;
use crate::test_routes::{self, Situation};

#[derive(Debug, Clone)]
pub(super) struct Offered {
    pub(super) id: String,
    pub(super) stamped: StampedSearch,
    pub(super) bundle: Bundle,
    pub(super) fare: Fare,
    pub(super) state: OfferState,
}

impl Offered {
    /// Until when to pay, where the offer can be held.
    pub(super) fn deadlines(&self) -> Option<Deadlines> {
        let departure = self.bundle.departure()?;
        self.fare.hold?.deadlines(self.stamped.at, departure)
    }

    pub(super) fn situation(&self) -> Option<Situation> {
        test_routes::situation(&self.stamped.search.slices)
    }

    pub(super) fn gone(&self) -> ApiError {
        ApiError::offer_no_longer_available(self.bundle.airline.name)
    }
}

/// What has happened to one offer since it was made. Lost with the process, as prices are.
#[derive(Debug, Clone, Default)]
pub(super) struct OfferState {
    pub(super) changes: OfferChanges,
    /// Each time it was found dearer by 10.00.
    rises: u32,
    /// The latest reading of its extras and of its seats: ids of earlier readings are void.
    pub(super) bags_reading: Option<u32>,
    pub(super) seats_reading: Option<u32>,
}

impl OfferState {
    fn applied_to(&self, fare: Fare, tariff: &Tariff) -> Fare {
        let percents = self.changes.percents.iter();
        let moved = percents.fold(fare, |fare, percent| fare.moved(tariff, *percent));
        let risen = tariff.rounded(dec!(10) * Decimal::from(self.rises));
        Fare { base: moved.base + risen, ..moved }
    }
}

pub(super) fn answering(world: &World, stamped: &StampedSearch) -> Vec<Offered> {
    let bundles = world.inventory.bundles(&stamped.search).into_iter().enumerate();
    bundles
        .filter(|(_, bundle)| Inventory::is_sold_at(bundle, stamped.at))
        .filter_map(|(place, bundle)| {
            let id = stamped.offer_id(world.seed, u16::try_from(place).ok()?);
            let state = world.state.offers.get(&id).unwrap_or_default();
            let fare = fares::fare(world.seed, &world.tariff, &bundle, &stamped.search);
            Some(Offered {
                id,
                stamped: stamped.clone(),
                bundle,
                fare: state.applied_to(fare, &world.tariff),
                state,
            })
        })
        .collect()
}

/// An offer by its id, after something has happened to it.
pub(super) fn find(world: &World, id: &str, change: impl FnOnce(&mut OfferState)) -> Option<Offered> {
    let offer = OfferRef::of_id(world.seed, id)?;
    let bundles = world.inventory.bundles(&offer.stamped.search);
    let bundle = bundles.into_iter().nth(usize::from(offer.place))?;
    let (expires_at, now) = (offer.stamped.expires_at(), world.clock.now());
    let state = world.state.offers.change(id.to_owned(), expires_at, now, change);
    let fare = fares::fare(world.seed, &world.tariff, &bundle, &offer.stamped.search);
    let fare = state.applied_to(fare, &world.tariff);
    Some(Offered { id: id.to_owned(), stamped: offer.stamped, bundle, fare, state })
}

/// An offer by its id, read as the airline sees it now.
pub(super) fn read(world: &World, id: &str, injected: InjectedFault) -> Result<Offered, ApiError> {
    let offered = find(world, id, |state| state.changes.add(injected));
    let mut offered = offered.ok_or_else(ApiError::not_found)?;
    let expired = offered.stamped.expires_at() <= world.clock.now();
    if expired || offered.state.changes.sold_out || offered.situation() == Some(Situation::OfferGone) {
        return Err(offered.gone());
    }
    if offered.situation() == Some(Situation::PriceRises) {
        offered = find(world, id, |state| state.rises += 1).ok_or_else(ApiError::not_found)?;
    }
    Ok(offered)
}
