//! Rescheduling: a search, a booking and a cancellation, for every supplier (P-110). The new itinerary is
//! booked first; only when it stands are the journeys given back that it takes the place of, and when it does not the
//! original is untouched.

use std::{collections::HashMap, sync::Arc};

use futures_util::future::join;
use wayfare_boxed::boxed;
use wayfare_domain::{
    BookingRef, Contact, Faults, Gst, Money, Party, PartyMember, PassengerType, Remarks, SearchId,
};
use wayfare_flights::{Airline, Offer, Query, Slice, TripType};
use wayfare_pricing::{SoldChange, Totals};
use wayfare_store::booking::{refunds, steps};

use super::{
    journey_changes::{self, ChangeProgress, JourneyOffer, NewJourney},
    people_of,
    replaced_journeys::{self, ReplacedJourneys, Route},
    replaced_parts::{self, ReplacedPart, are_cancelled, refunded},
    same_travellers::{SameTraveller, as_said, check_named, papers_of},
};
use crate::{
    Caller, Core, Engine, Error, Flights, RefundTerms, Result,
    access::idempotency::IdempotencyKey,
    agency::settings::{self, BookingSettings, TicketPasswordPassed},
    bookings::{cancel, load, load_after_steps, order_id},
    engine::{
        booking_state::check_confirmed,
        cancellation::CancelRequest,
        purchase::{CancelledOriginal, Original},
    },
    flights::{
        Booked,
        book::{self, Hold, OrderTerms, buy},
        passengers,
        price::{Priced, price_each},
        search::{Search, SearchRequest, offer_id::OfferId, priced::DisplayedPrice, session::SearchSession},
    },
};

/// So many itineraries are told at most, the cheapest.
const MOST_ITINERARIES: usize = 50;

/// An itinerary that the travellers of a booking could fly instead.
#[derive(Clone, Debug)]
pub struct NewItinerary {
    /// What is priced and booked by [`reschedule`]: `fk_…`.
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
    let changes = journey_changes::offers(&flights.engine, caller, reference, journey.clone());
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
    let Error::Invalid(faults) = error else {
        return error;
    };
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

/// What rescheduling comes to, in the wallet's currency.
#[derive(Clone, Debug)]
pub struct ReschedulePenalty {
    /// The booking that would be given back, or a part of it.
    pub original: Booked,
    /// The places of the journeys that would be, among all of the booking, from 0.
    pub journeys: Vec<usize>,
    pub terms: RefundTerms,
    /// What they cost.
    pub original_totals: Totals,
    /// What the new itinerary costs.
    pub new_totals: Totals,
    /// What it comes to where nothing is given back, and journeys are changed at their supplier.
    pub change: Option<SoldChange>,
}

impl ReschedulePenalty {
    /// What the wallet loses: the new agent fare less what comes back (P-62).
    ///
    /// # Errors
    /// When amounts exceed what a decimal holds.
    pub fn total_charge(&self) -> Result<Money> {
        if let Some(change) = self.change {
            return Ok(change.total()?);
        }
        Ok(self.new_totals.payable()?.minus(self.terms.refund_to_wallet)?)
    }
}

/// Which flights are to be flown, and instead of which.
#[derive(Clone, Debug)]
pub struct NewFlights {
    /// Of itineraries that [`new_flights`] told, one for each journey.
    pub fare_keys: Vec<String>,
    /// The journeys of the booking that they take the place of, by their places from 0; where there are none, those between
    /// the same cities.
    pub journeys: Vec<usize>,
}

/// What rescheduling a booking to these flights would come to: both suppliers are asked. What [`reschedule`] would refuse
/// is refused.
///
/// # Errors
/// As [`cancel::penalty`] and as pricing an offer; [`Error::PartOfOrder`].
#[boxed]
pub async fn reschedule_penalty(
    flights: &Flights,
    caller: &Caller,
    reference: &BookingRef,
    new: &NewFlights,
) -> Result<ReschedulePenalty> {
    let original = load(&flights.core, caller, reference).await?;
    if let Some(keys) = journey_changes::keys(&flights.core, caller, &new.fare_keys)? {
        return penalty_of_change(&flights.engine, original, &keys, &new.journeys).await;
    }
    let change = Change::of(flights, caller, &original, new).await?;
    let given_back = replaced_parts::given_back(&change.replaced.parts(&original));
    let returned = cancel::returned_of_orders(&flights.engine, &original, &given_back).await?;
    let priced = change.price(flights, caller).await?;
    book::check_sellable(&flights.engine, caller, &priced.quote.content, change.replaced.travellers.clone())?;
    Ok(ReschedulePenalty {
        original_totals: change.replaced.totals(&original, &returned.paid)?,
        journeys: change.replaced.places,
        original,
        terms: returned.terms,
        new_totals: priced.totals,
        change: None,
    })
}

/// What a change at the supplier comes to: the fare is that of the order, before and after it.
async fn penalty_of_change(
    engine: &Engine,
    original: Booked,
    keys: &[journey_changes::ChangeKey],
    journeys: &[usize],
) -> Result<ReschedulePenalty> {
    let chosen = journey_changes::choose(engine, &original, keys, journeys).await?;
    let (booking, cost) = (&original.booking, chosen.cost);
    let sale = booking.sale(chosen.order).cloned().ok_or(Error::NotFound)?;
    let old = Totals::of(&[sale], booking.amount.currency())?;
    let zero = Money::zero(booking.amount.currency());
    Ok(ReschedulePenalty {
        journeys: chosen.places(),
        terms: RefundTerms {
            cancellation_charge: cost.penalty,
            provider_refund_amount: zero,
            platform_charges: zero,
            refund_to_wallet: cost.total()?.negated().at_least(zero)?,
            surplus: zero,
        },
        new_totals: Totals {
            public_fare: old.public_fare.plus(cost.difference)?,
            agent_fare: old.agent_fare.plus(cost.difference)?,
            ..old
        },
        original_totals: old,
        change: Some(cost),
        original,
    })
}

/// New new, and the journeys that are given back for them.
struct Change {
    searches: Vec<(Arc<SearchSession>, Vec<u32>)>,
    replaced: ReplacedJourneys,
}

impl Change {
    /// Nobody is asked and nothing is held before it is known that it gives back only what was named.
    async fn of(flights: &Flights, caller: &Caller, original: &Booked, new: &NewFlights) -> Result<Self> {
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
    async fn price(&self, flights: &Flights, caller: &Caller) -> Result<Priced> {
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
pub async fn reschedule(
    flights: &Arc<Flights>,
    caller: &Caller,
    original: Booked,
    order: RescheduleOrder,
    _: TicketPasswordPassed,
    key: Option<&IdempotencyKey>,
) -> Result<Rescheduled> {
    if let Some(keys) = journey_changes::keys(&flights.core, caller, &order.flights.fare_keys)? {
        let chosen =
            journey_changes::choose(&flights.engine, &original, &keys, &order.flights.journeys).await?;
        check_named(&original, &chosen.travellers(&original)?, &order.travellers)?;
        let state =
            journey_changes::carry_out(&flights.engine, caller, original, chosen, order.remarks, key).await?;
        return Ok(Rescheduled::by_change(state));
    }
    let change = Change::of(flights, caller, &original, &order.flights).await?;
    let replaced = &change.replaced;
    check_named(&original, &replaced.travellers, &order.travellers)?;
    let priced = change.price(flights, caller).await?;
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
        let state = journey_changes::state(core, caller, original).await?;
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
