//! One search session of hotels: pages, filters and orders are cut from it, and no supplier is asked again.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
    sync::Arc,
};

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use strum::{AsRefStr, EnumString, VariantNames};
use wayfare_domain::{Money, OrganizationId, Page, PageRequest, UserId};
use wayfare_hotels::{HotelResult, MealPlan, PaymentPlace, RoomRate};
use wayfare_pricing::Price;
use wayfare_supply::HeldBytes;

use crate::{
    SupplierReport,
    hotels::{Criteria, HotelId, Location},
    suppliers::report::SupplierState,
    tools::search_memory::{KeptSession, fair_store::KeptFor},
};

/// A search's merged answer, with the caller's prices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchSession {
    /// Its name, which is the client's where it gave one.
    pub id: String,
    pub organization: OrganizationId,
    pub user: UserId,
    pub criteria: Criteria,
    pub created_at: DateTime<Utc>,
    /// When all of it ends, UTC.
    pub expires_at: DateTime<Utc>,
    /// How it went at each supplier, in order of their codes.
    pub reports: Vec<SupplierReport>,
    /// Grouped by supplier (P-75).
    pub hotels: Vec<SessionHotel>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionHotel {
    pub supplier: String,
    /// What the supplier answered, which other sessions share; each is charged for all of it.
    pub hotel: Arc<HotelResult>,
    /// The caller's price of each of its rates, in their order.
    pub prices: Vec<RatePrice>,
}

/// What a rate costs this caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RatePrice {
    /// One room of it, in the currency that is shown.
    pub room: Price,
    /// T of all its rooms, in the wallet's currency.
    pub total: Money,
    /// What the wallet pays for all of them; none where a server of before has kept the search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_fare: Option<Money>,
}

impl SessionHotel {
    pub fn id(&self) -> HotelId {
        HotelId { supplier: self.supplier.clone(), hotel: self.hotel.id.clone() }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Filters {
    /// Only hotels of so many stars; halves count as the whole below, half a star as one. 0: those whose stars are not told.
    pub star_rating: Vec<u8>,
    /// Only rates of at least so much for a room, in the currency that is shown.
    pub price_min: Option<Decimal>,
    /// Only rates of at most so much for a room.
    pub price_max: Option<Decimal>,
    /// Only hotels that have all of these, in any spelling of capitals; parts of words count.
    pub amenities: Vec<String>,
    /// Only hotels of one of these kinds.
    pub property_type: Vec<String>,
    /// Only rates that may be given back.
    pub refundable_only: bool,
    pub meal_plan: Vec<MealPlan>,
    pub payment_type: Option<PaymentPlace>,
    /// Also rates that are paid at the hotel, where it is not said what is wanted: no wallet can pay for them.
    pub include_pay_at_hotel: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, AsRefStr, EnumString, VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum SortField {
    Price,
    StarRating,
    Name,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, AsRefStr, EnumString, VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum SortOrder {
    /// The smallest first.
    Asc,
    /// The largest first.
    Desc,
}

/// A hotel of a page, and those of its rates that are shown.
pub type ListedHotel<'a> = (&'a SessionHotel, Vec<(&'a RoomRate, &'a RatePrice)>);

impl SearchSession {
    /// A session of this name before any supplier has answered.
    pub fn new(
        id: String,
        (organization, user): (OrganizationId, UserId),
        criteria: Criteria,
        (created_at, expires_at): (DateTime<Utc>, DateTime<Utc>),
    ) -> Self {
        Self {
            id,
            organization,
            user,
            criteria,
            created_at,
            expires_at,
            reports: Vec::new(),
            hotels: Vec::new(),
        }
    }

    /// Whether every supplier that was asked has answered.
    pub fn is_complete(&self) -> bool {
        let failed = |report: &SupplierReport| report.state == SupplierState::Error;
        !self.reports.iter().any(failed)
    }

    /// A page of what passes the filters, in the order that is asked for, else in the search's own.
    pub fn page(
        &self,
        filters: &Filters,
        sort: Option<(SortField, SortOrder)>,
        request: PageRequest,
    ) -> Page<ListedHotel<'_>> {
        let amenities: Vec<String> = filters.amenities.iter().map(|name| name.to_lowercase()).collect();
        let kinds = self.criteria.kinds().len();
        let mut passed: Vec<&SessionHotel> = self.hotels.iter().collect();
        passed.retain(|kept| filters.pass(kept, &amenities) && filters.rates(kept, kinds).next().is_some());
        match sort {
            None => {}
            Some((SortField::Price, order)) => {
                arrange(&mut passed, order, |kept| filters.cheapest(kept, kinds))
            }
            // A hotel whose stars are unknown counts as one without.
            Some((SortField::StarRating, order)) => arrange(&mut passed, order, |kept| kept.hotel.stars),
            Some((SortField::Name, order)) => {
                arrange(&mut passed, order, |kept| kept.hotel.name.to_lowercase());
            }
        }
        let skipped = usize::try_from(request.offset()).unwrap_or(usize::MAX);
        let size = usize::try_from(request.per_page).unwrap_or(usize::MAX);
        let items = passed.iter().skip(skipped).take(size);
        Page {
            items: items.map(|kept| (*kept, filters.rates(kept, kinds).collect())).collect(),
            request,
            total: i64::try_from(passed.len()).unwrap_or(i64::MAX),
        }
    }

    pub(crate) fn hotel(&self, id: &HotelId) -> Option<&SessionHotel> {
        let mut hotels = self.hotels.iter();
        hotels.find(|kept| kept.supplier == id.supplier && kept.hotel.id == id.hotel)
    }
}

impl KeptSession for SearchSession {
    type Beside = ();

    fn owner(&self) -> KeptFor {
        KeptFor { organization: self.organization, user: self.user }
    }

    /// Hotels that were asked for by name are kept, too, though none was found.
    fn bytes(&self) -> usize {
        let named = match &self.criteria.location {
            Location::Hotels(ids) => ids.iter().map(|id| id.supplier.len() + id.hotel.len() + 64).sum(),
            Location::Place(..) => 0,
        };
        let errors = self.reports.iter().map(|report| report.errors.held_bytes());
        let hotels = self.hotels.iter().map(|kept| {
            let prices = kept.prices.capacity() * size_of::<RatePrice>();
            size_of::<SessionHotel>() + kept.supplier.held_bytes() + prices + kept.hotel.held_bytes()
        });
        size_of::<Self>() + named + errors.sum::<usize>() + hotels.sum::<usize>()
    }

    fn beside(&self) -> Self::Beside {}

    fn restore(&mut self, (): Self::Beside) {}
}

/// By a key, which is worked out once for each; those that are alike stay in their order.
fn arrange<K: Ord>(hotels: &mut [&SessionHotel], order: SortOrder, key: impl Fn(&SessionHotel) -> K) {
    match order {
        SortOrder::Asc => hotels.sort_by_cached_key(|kept| key(kept)),
        SortOrder::Desc => hotels.sort_by_cached_key(|kept| Reverse(key(kept))),
    }
}

impl Filters {
    /// Whether the hotel itself passes; `amenities` are those that are wanted, in small letters.
    fn pass(&self, kept: &SessionHotel, amenities: &[String]) -> bool {
        let hotel = &kept.hotel;
        let has = |wanted: &String| {
            let mut amenities = hotel.amenities.iter();
            amenities.any(|amenity| amenity.to_lowercase().contains(wanted.as_str()))
        };
        let kind = |wanted: &String| {
            hotel.property_type.as_ref().is_some_and(|kind| kind.eq_ignore_ascii_case(wanted))
        };
        self.wants_stars(hotel.stars)
            && (self.property_type.is_empty() || self.property_type.iter().any(kind))
            && amenities.iter().all(has)
    }

    /// Those of its rates that pass, and with which all rooms can be bought: of what is sold together nothing is left
    /// where one of so many kinds of rooms has no rate any more.
    fn rates<'a>(
        &self,
        kept: &'a SessionHotel,
        kinds: usize,
    ) -> impl Iterator<Item = (&'a RoomRate, &'a RatePrice)> {
        let passing = || {
            let rates = kept.hotel.rates.iter().zip(&kept.prices);
            rates.filter(|(rate, price)| self.pass_rate(rate, price))
        };
        let mut covered: HashMap<&Option<String>, HashSet<usize>> = HashMap::new();
        if kinds > 1 {
            for (rate, _) in passing() {
                covered.entry(&rate.bundle).or_default().insert(rate.kind);
            }
        }
        passing().filter(move |(rate, _)| {
            kinds == 1 || covered.get(&rate.bundle).is_some_and(|covered| covered.len() == kinds)
        })
    }

    /// Half a star counts as one; 0 is a hotel that has none.
    fn wants_stars(&self, stars: Option<Decimal>) -> bool {
        let whole = stars.map_or(Decimal::ZERO, |stars| stars.floor().max(Decimal::ONE));
        let mut wanted = self.star_rating.iter();
        self.star_rating.is_empty() || wanted.any(|wanted| Decimal::from(*wanted) == whole)
    }

    fn cheapest(&self, kept: &SessionHotel, kinds: usize) -> Option<Decimal> {
        self.rates(kept, kinds).map(|(_, price)| price.room.total().amount()).min()
    }

    fn pass_rate(&self, rate: &RoomRate, price: &RatePrice) -> bool {
        let amount = price.room.total().amount();
        self.price_min.is_none_or(|least| amount >= least)
            && self.price_max.is_none_or(|most| amount <= most)
            && (!self.refundable_only || rate.policy.refundable == Some(true))
            && (self.meal_plan.is_empty() || self.meal_plan.contains(&rate.meal_plan))
            && self.is_paid_where_wanted(rate.payment)
    }

    fn is_paid_where_wanted(&self, place: PaymentPlace) -> bool {
        match self.payment_type {
            Some(wanted) => place == wanted,
            None => self.include_pay_at_hotel || place == PaymentPlace::Prepaid,
        }
    }
}

#[cfg(test)]
mod tests {
    use rust_decimal::dec;

    use super::*;

    #[test]
    fn hotels_without_stars_are_found_by_zero_and_half_a_star_by_one() {
        let (none, half, fine) = (None, Some(dec!(0.5)), Some(dec!(4.5)));
        for (wanted, found) in [
            (vec![], [true, true, true]),
            (vec![0], [true, false, false]),
            (vec![1], [false, true, false]),
            (vec![0, 4], [true, false, true]),
            (vec![5], [false, false, false]),
        ] {
            let filters = Filters { star_rating: wanted, ..Filters::default() };
            let shown = [none, half, fine].map(|stars| filters.wants_stars(stars));
            assert_eq!(shown, found, "{:?}", filters.star_rating);
        }
    }

    #[test]
    fn what_is_paid_at_the_hotel_is_shown_to_who_asks_for_it() {
        use PaymentPlace::{PayAtHotel, Prepaid};
        for (payment_type, include_pay_at_hotel, shown) in [
            (None, false, [true, false]),
            (None, true, [true, true]),
            (Some(Prepaid), true, [true, false]),
            (Some(PayAtHotel), false, [false, true]),
        ] {
            let filters = Filters { payment_type, include_pay_at_hotel, ..Filters::default() };
            let found = [Prepaid, PayAtHotel].map(|place| filters.is_paid_where_wanted(place));
            assert_eq!(found, shown, "{payment_type:?}, {include_pay_at_hotel}");
        }
    }
}
