//! Which offers of a search can be bought together, and as which orders at their suppliers.

use std::{collections::HashSet, sync::Arc};

use chrono::NaiveDateTime;
use futures_util::future::try_join_all;
use rust_decimal::Decimal;
use wayfare_domain::{AnswerId, Faults, MoneyError, Party};
use wayfare_flights::{FareDetails, Offer, OfferKind, Query, Segment, TripType};
use wayfare_reference::{PlaceKind, airport};
use wayfare_supply::on_behalf_of;

use super::search::{
    offer_id::OfferId,
    session::{DisplayedAmounts, SearchSession, SessionOffer},
};
use crate::{
    Caller, Engine, Error, Flights, Result, pricing::tariff::Tariff, suppliers::answers::price_result,
    tools::search_memory::answer_cache::SupplierSearch,
};

const FIELD: &str = "offer_ids";

/// One order that the chosen offers become.
#[derive(Debug)]
pub(crate) struct SelectedOrder {
    pub supplier: String,
    /// Its names of the offers, in order of their journeys.
    pub tokens: Vec<String>,
    /// Who of the search's party it is for.
    pub party: Party,
    /// The amounts that the caller was shown for it, all offers together.
    pub displayed: DisplayedAmounts,
    /// The answer of which it is the only order that can be made; none where others can, or the answer is its own.
    pub answer: Option<AnswerId>,
}

/// The search that these ids are of, and its offers.
///
/// # Errors
/// [`Error::Invalid`] when they are of several searches or one is named twice; [`Error::NotFound`],
/// [`Error::OfferExpired`].
pub(crate) async fn search_of(
    flights: &Flights,
    caller: &Caller,
    texts: &[String],
) -> Result<(Arc<SearchSession>, Vec<u32>)> {
    let ids =
        texts.iter().map(|text| OfferId::read(&flights.core, caller, text)).collect::<Result<Vec<_>>>()?;
    let first = ids.first().ok_or_else(|| Faults::of(FIELD, "this field is required"))?;
    if ids.iter().any(|id| id.search != first.search) {
        return Err(Faults::of(FIELD, "must be of one search").into());
    }
    let places: Vec<u32> = ids.iter().map(|id| id.index).collect();
    if places.iter().collect::<HashSet<_>>().len() < places.len() {
        return Err(Faults::of(FIELD, "must each be named once").into());
    }
    Ok((flights.sessions.find(caller, first.search).await?, places))
}

/// The orders that these offers of the search become (P-85, D-56): a whole trip is
/// one; a half for each journey, where halves of one supplier are one order; and several combinable offers for each
/// journey, to each of which a part of the party is given.
///
/// # Errors
/// [`Error::Invalid`] for offers that can't be bought together, [`Error::OfferGone`] when a part of the party finds no
/// such offer any more, [`Error::SupplierUnavailable`] when its supplier can't be asked.
pub(crate) async fn orders(
    flights: &Flights,
    caller: &Caller,
    tariff: &Tariff,
    search: &SearchSession,
    places: &[u32],
) -> Result<Vec<SelectedOrder>> {
    let mut offers = places.iter().map(|place| search.offer(*place)).collect::<Result<Vec<_>>>()?;
    offers.sort_by_key(|selected| selected.offer.route_index);
    let trips = trips(&search.query, &offers).map_err(|reason| Faults::of(FIELD, reason))?;
    let [trip] = trips.as_slice() else {
        let parties = split_party(search.query.party, trips.len());
        let orders = trips.iter().zip(parties).map(|(trip, party)| {
            let query = Query { party, ..Query::clone(&search.query) };
            requery(&flights.engine, caller, tariff, search.query.party, query, trip)
        });
        return try_join_all(orders).await;
    };
    // Halves of one supplier are one order when they are all of the trip.
    let of_one_supplier = trip.windows(2).all(|pair| match pair {
        [one, other] => one.supplier() == other.supplier(),
        _ => true,
    });
    let in_each = if of_one_supplier { trip.len().max(1) } else { 1 };
    let orders = trip.chunks(in_each).map(|offers| one_order(flights, caller, tariff, search, offers));
    try_join_all(orders).await
}

/// The order of these offers of one supplier for the whole party, as they were shown. The supplier is asked again for what
/// is bought when that is not the whole trip that was searched, when they may be of several searches, or when its offers are single-use and another search has
/// reserved them, or an order was made of them.
async fn one_order(
    flights: &Flights,
    caller: &Caller,
    tariff: &Tariff,
    search: &SearchSession,
    offers: &[SessionOffer<'_>],
) -> Result<SelectedOrder> {
    let mut order = SelectedOrder {
        supplier: offers.first().map(SessionOffer::supplier).unwrap_or_default().to_owned(),
        tokens: Vec::new(),
        party: search.query.party,
        displayed: DisplayedAmounts::default(),
        answer: None,
    };
    for selected in offers {
        order.tokens.push(selected.offer.token.clone());
        order.displayed = order.displayed.plus(selected.displayed)?;
    }
    let seller = flights.engine.suppliers.flight_seller(caller, &order.supplier)?;
    let journeys: usize = offers.iter().map(|selected| selected.offer.journeys.len()).sum();
    // Halves of a spread city may be of different searches, which the supplier does not sell together.
    let may_be_apart = offers.len() > 1 && seller.searches(&search.query).len() > 1;
    if journeys < search.query.slices.len() {
        let query = requery_alone(&search.query, offers);
        order.tokens = substitute(&flights.engine, caller, tariff, search, query, offers).await?;
    } else if may_be_apart {
        let query = Query::clone(&search.query);
        order.tokens = substitute(&flights.engine, caller, tariff, search, query, offers).await?;
    } else if seller.offers_are_single_use() {
        // From now on other searches get another answer.
        flights.engine.suppliers.forget_answer(&order.supplier, &*search.query);
        let mut is_ours = true;
        for selected in offers {
            is_ours &= flights.sessions.reserve_for(selected.cached, search.id).await;
        }
        if is_ours {
            order.answer = offers.first().map(|selected| selected.cached.id);
        } else {
            let query = Query::clone(&search.query);
            order.tokens = substitute(&flights.engine, caller, tariff, search, query, offers).await?;
        }
    }
    Ok(order)
}

/// The supplier's names of the same offers in a new answer to this query, for the whole party.
async fn substitute(
    engine: &Engine,
    caller: &Caller,
    tariff: &Tariff,
    search: &SearchSession,
    query: Query,
    offers: &[SessionOffer<'_>],
) -> Result<Vec<String>> {
    let again = requery(engine, caller, tariff, search.query.party, query, offers).await;
    let is_gone = matches!(&again, Err(error) if matches!(error.plain(), Error::OfferGone));
    if let Some(gone) = offers.first().filter(|_| is_gone) {
        // The next search must not show it again.
        engine.suppliers.forget_answer(gone.supplier(), &*search.query);
    }
    Ok(again?.tokens)
}

/// The query for one half round trip by itself.
fn requery_alone(query: &Query, offers: &[SessionOffer<'_>]) -> Query {
    let half = offers.first().map_or(0, |selected| usize::from(selected.offer.route_index));
    Query {
        trip_type: TripType::OneWay,
        slices: query.slices.get(half).into_iter().cloned().collect(),
        ..query.clone()
    }
}

/// The trips that the offers make, each one offer for each journey; or why they make none. Several trips are for a
/// part of the party each.
fn trips<'a>(query: &Query, offers: &[SessionOffer<'a>]) -> Result<Vec<Vec<SessionOffer<'a>>>, &'static str> {
    let cannot_combine = "these offers can't be booked together";
    let mut journeys: Vec<Vec<SessionOffer<'a>>> = Vec::new();
    for selected in offers {
        match journeys.last_mut() {
            Some(same) if same.iter().any(|other| other.offer.route_index == selected.offer.route_index) => {
                same.push(*selected);
            }
            _ => journeys.push(vec![*selected]),
        }
    }
    let (first, others) = journeys.split_first_mut().ok_or("this field is required")?;
    let halves = |selected: &SessionOffer<'_>| {
        matches!(selected.offer.kind, OfferKind::Combinable | OfferKind::OneWay)
    };
    if offers.len() > 1 && !offers.iter().all(halves) {
        return Err(cannot_combine);
    }
    // A half may be bought alone, unless it is only sold with another one.
    if others.is_empty() && first.iter().any(|selected| selected.offer.needs_partner()) {
        return Err("must have an offer for each journey: this one is only sold with another");
    }
    if offers.len() > 1 && !others.is_empty() && others.len() + 1 != query.slices.len() {
        return Err("must have an offer for each journey, or one alone");
    }
    let several = first.len();
    if several > 1 && !offers.iter().all(|selected| selected.offer.kind == OfferKind::Combinable) {
        return Err("must have one offer for each journey: only combinable ones share the passengers out");
    }
    if others.iter().any(|journey| journey.len() != several) {
        return Err("must have as many offers for each journey");
    }
    if several > usize::from(query.party.adults) {
        return Err("must not be more than there are adults for each journey");
    }
    let mut trips: Vec<Vec<SessionOffer<'a>>> = first.iter().map(|selected| vec![*selected]).collect();
    for journey in others {
        for trip in &mut trips {
            let place =
                journey.iter().position(|selected| trip.iter().all(|other| goes_with(other, selected)));
            trip.push(journey.remove(place.ok_or(cannot_combine)?));
        }
    }
    if trips.iter().any(|trip| !in_order(trip)) {
        return Err("must not leave before the journey before it has ended");
    }
    Ok(trips)
}

/// Whether two halves may be one trip: both are free, or their supplier sells them together.
fn goes_with(one: &SessionOffer<'_>, other: &SessionOffer<'_>) -> bool {
    let is_free = one.offer.combination.is_none();
    (is_free || one.supplier() == other.supplier()) && are_a_pair(one.offer, other.offer)
}

/// Whether two halves of one supplier may be one trip: both are free, or each names the other's group.
fn are_a_pair(one: &Offer, other: &Offer) -> bool {
    match (&one.combination, &other.combination) {
        (None, None) => true,
        (Some(a), Some(b)) => a.with.contains(&b.group) && b.with.contains(&a.group),
        _ => false,
    }
}

/// Whether each journey begins after the one before it has ended, where their airports are known.
fn in_order(trip: &[SessionOffer<'_>]) -> bool {
    trip.windows(2).all(|pair| {
        let [before, after] = pair else { return true };
        let end = before
            .offer
            .segments()
            .last()
            .and_then(|segment| Some(airport(&segment.destination)?.instant_of(segment.arrival)));
        let begin = after
            .offer
            .segments()
            .next()
            .and_then(|segment| Some(airport(&segment.origin)?.instant_of(segment.departure)));
        end.zip(begin).is_none_or(|(end, begin)| end <= begin)
    })
}

/// Searches again at the supplier, for this query alone, and takes the same flights at the same fares: an offer is valid only
/// for the passengers and the trip that it was searched for.
async fn requery(
    engine: &Engine,
    caller: &Caller,
    tariff: &Tariff,
    search_party: Party,
    query: Query,
    offers: &[SessionOffer<'_>],
) -> Result<SelectedOrder> {
    let supplier = offers.first().map(SessionOffer::supplier).unwrap_or_default();
    let seller = engine.suppliers.flight_seller(caller, supplier)?;
    let query = at_airports_of(query, offers);
    engine.suppliers.look_to_book.count(caller.organization(), supplier, SupplierSearch::Asked, 1);
    let found = on_behalf_of(caller.organization(), seller.search(&query)).await;
    let found = price_result(&engine.suppliers, supplier, found)?;
    let mut order = SelectedOrder {
        supplier: supplier.to_owned(),
        tokens: Vec::new(),
        party: query.party,
        displayed: DisplayedAmounts::default(),
        answer: None,
    };
    let heads = (Decimal::from(search_party.size()), Decimal::from(query.party.size()));
    for same in same_offers(&found.offers, offers, heads, &[]).ok_or(Error::OfferGone)? {
        let price = tariff.sale(supplier, same)?.price;
        order.tokens.push(same.token.clone());
        order.displayed = order.displayed.plus(DisplayedAmounts {
            total: price.total().amount(),
            agent_fare: price.agent_fare().amount(),
        })?;
    }
    Ok(order)
}

/// The query with the airports of these offers where it names cities: it is about their flights alone.
fn at_airports_of(mut query: Query, offers: &[SessionOffer<'_>]) -> Query {
    let journeys: Vec<_> = offers.iter().flat_map(|selected| &selected.offer.journeys).collect();
    if journeys.len() != query.slices.len() {
        return query;
    }
    for (slice, journey) in query.slices.iter_mut().zip(journeys) {
        let Some([from, to]) = journey.ends() else { continue };
        if slice.origin_kind == PlaceKind::City {
            (slice.origin, slice.origin_kind) = (from.to_owned(), PlaceKind::Airport);
        }
        if slice.destination_kind == PlaceKind::City {
            (slice.destination, slice.destination_kind) = (to.to_owned(), PlaceKind::Airport);
        }
    }
    query
}

/// The party split into so many parts, each with an adult: the first ones have one more where it doesn't come out even.
/// Infants are with the adults of their part.
fn split_party(party: Party, parts: usize) -> Vec<Party> {
    let mut shared = vec![Party { adults: 0, children: 0, infants: 0 }; parts];
    let deal = |count: u8| (0..usize::from(count)).map(move |turn| turn % parts.max(1));
    for place in deal(party.adults) {
        shared.get_mut(place).into_iter().for_each(|part| part.adults += 1);
    }
    for place in deal(party.children) {
        shared.get_mut(place).into_iter().for_each(|part| part.children += 1);
    }
    for place in deal(party.infants) {
        shared.get_mut(place).into_iter().for_each(|part| part.infants += 1);
    }
    shared
}

/// For each of the wanted offers the same one among those found: the same flights under the same rules, in halves that
/// go together, nearest in price for each head. `heads` is for how many the wanted ones and the found ones are.
fn same_offers<'a>(
    found: &'a [Offer],
    wanted: &[SessionOffer<'_>],
    heads: (Decimal, Decimal),
    chosen: &[&'a Offer],
) -> Option<Vec<&'a Offer>> {
    let Some((next, rest)) = wanted.split_first() else { return Some(chosen.to_vec()) };
    let fits = |offer: &&Offer| {
        is_same_fare(offer, next.offer) && chosen.iter().all(|other| are_a_pair(other, offer))
    };
    let mut same: Vec<&Offer> = found.iter().filter(fits).collect();
    same.sort_by_key(|offer| {
        let (before, now) = (next.offer.charge.total.amount(), offer.charge.total.amount());
        (before.saturating_mul(heads.1) - now.saturating_mul(heads.0)).abs()
    });
    same.into_iter().find_map(|offer| same_offers(found, rest, heads, &[chosen, &[offer]].concat()))
}

/// The same flights under the same rules.
fn is_same_fare(one: &Offer, other: &Offer) -> bool {
    let (fare, others) = (&one.fare, &other.fare);
    let rules = |fare: &FareDetails| (fare.refund.refundable, fare.refund.changeable);
    one.kind == other.kind
        && (&fare.fare_name, &fare.fare_type, &fare.baggage)
            == (&others.fare_name, &others.fare_type, &others.baggage)
        && rules(fare) == rules(others)
        && one.segments().map(flight).eq(other.segments().map(flight))
}

type Flight<'a> = (&'a str, &'a str, &'a str, NaiveDateTime, Option<&'a str>, Option<&'a str>);

fn flight(segment: &Segment) -> Flight<'_> {
    (
        &segment.airline,
        &segment.flight_number,
        &segment.origin,
        segment.departure,
        segment.booking_class.as_deref(),
        segment.fare_basis.as_deref(),
    )
}

impl DisplayedAmounts {
    fn plus(self, other: Self) -> Result<Self> {
        let sum = |one: Decimal, other| one.checked_add(other).ok_or(MoneyError::TooLarge);
        Ok(Self { total: sum(self.total, other.total)?, agent_fare: sum(self.agent_fare, other.agent_fare)? })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use uuid::Uuid;
    use wayfare_domain::{AnswerId, Currency, Money};
    use wayfare_flights::{Charge, Combination, Journey, Offers};

    use super::*;
    use crate::flights::search::offer_cache::CachedOffers;

    #[test]
    fn a_party_is_shared_out_so_that_nobody_travels_without_an_adult() {
        let party = |(adults, children, infants)| Party { adults, children, infants };
        for (whole, parts) in [
            ((1, 0, 0), vec![(1, 0, 0)]),
            ((2, 1, 1), vec![(1, 1, 1), (1, 0, 0)]),
            ((3, 2, 3), vec![(2, 1, 2), (1, 1, 1)]),
            ((9, 9, 9), vec![(3, 3, 3); 3]),
            ((5, 0, 1), vec![(2, 0, 1), (2, 0, 0), (1, 0, 0)]),
        ] {
            let expected: Vec<Party> = parts.iter().copied().map(party).collect();
            assert_eq!(split_party(party(whole), parts.len()), expected, "{whole:?}");
        }
    }

    /// A journey of one flight, such as `DEL-BOM`.
    pub(in crate::flights) fn journey(route: &str) -> Journey {
        let (origin, destination) = route.split_once('-').unwrap();
        let flight = Segment::new("AI", "1", [origin, destination], Default::default());
        Journey { segments: vec![flight], duration_minutes: None }
    }

    /// A half at this price, in this group, which goes with that one.
    fn half(route_index: u8, rupees: i64, group: &str, with: &str) -> Offer {
        let charge = Charge {
            base: Money::rounded(Decimal::from(rupees), Currency::INR),
            taxes: Money::zero(Currency::INR),
            total: Money::rounded(Decimal::from(rupees), Currency::INR),
            commission: None,
        };
        let journey = journey(if route_index == 0 { "DEL-BOM" } else { "BOM-DEL" });
        Offer {
            kind: OfferKind::Combinable,
            route_index,
            combination: Some(Combination { group: group.into(), with: vec![with.into()] }),
            ..Offer::new(format!("{group} {rupees}"), vec![journey], charge)
        }
    }

    #[test]
    fn fares_that_only_their_pairs_tell_apart_are_found_again_in_pairs() {
        let of = |heads: i64| -> Vec<Offer> {
            vec![
                half(1, 9_000 * heads, "c", "a"),
                half(1, 14_000 * heads, "d", "b"),
                half(0, 10_000 * heads, "a", "c"),
                half(0, 10_100 * heads, "b", "d"),
            ]
        };
        let shown = of(2);
        let cached = CachedOffers::new(AnswerId::from_uuid(Uuid::nil()), "x".to_owned(), Offers::default());
        let selected =
            |offer| SessionOffer { cached: &cached, offer, displayed: DisplayedAmounts::default() };
        let found = of(1);
        let heads = (Decimal::TWO, Decimal::ONE);
        for (out, back) in [(2, 0), (3, 1)] {
            let wanted = [selected(&shown[out]), selected(&shown[back])];
            let same = same_offers(&found, &wanted, heads, &[]).unwrap();
            assert_eq!(same, [&found[out], &found[back]]);
        }
        // The nearest in price has no partner any more: the one that has is taken.
        let wanted = [selected(&shown[2]), selected(&shown[0])];
        let same = same_offers(&found[1..], &wanted, heads, &[]).unwrap();
        assert_eq!(same, [&found[3], &found[1]]);
        assert!(same_offers(&found[2..], &wanted, heads, &[]).is_none());
    }
}
