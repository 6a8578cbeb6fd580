//! Rescheduling: a search, a booking and a cancellation, for every supplier (P-110). The new itinerary is
//! booked first; only when it stands is the original given back, and when it does not the original is untouched.

use std::{collections::HashMap, sync::Arc};

use chrono::NaiveDate;
use wayfare_domain::{
    BookingRef, BookingStatus, Contact, Faults, Money, Party, PassengerType, RefundStatus, SearchId,
};
use wayfare_flights::{Airline, Cabin, Offer, Query, Slice, TripType};
use wayfare_pricing::Totals;
use wayfare_store::booking::refunds::{self, Refund};

use crate::{
    Caller, Error, Platform, RefundTerms, Result,
    access::idempotency::IdempotencyKey,
    bookings::{cancel, load, order_id},
    engine::{
        booking_state::{check_confirmed, is_live},
        purchase::Original,
    },
    flights::{
        Booked,
        book::{OrderTerms, buy},
        price::{Priced, price_each},
        search::{Search, SearchRequest, offer_id::OfferId, priced::DisplayedPrice, session::SearchSession},
    },
};

/// So many itineraries are told at most, the cheapest.
const MOST_ITINERARIES: usize = 50;

/// Where to and when the travellers of a booking want to go instead.
#[derive(Clone, Debug)]
pub struct NewJourney {
    /// IATA code.
    pub origin: String,
    /// IATA code.
    pub destination: String,
    /// Local at the origin.
    pub date: NaiveDate,
}

/// An itinerary that the travellers of a booking could fly instead.
#[derive(Clone, Debug)]
pub struct NewItinerary {
    /// What is priced and booked by [`reschedule`]: `fk_…`.
    pub fare_key: String,
    /// The supplier's code.
    pub supplier: String,
    /// The airline that sells it, IATA code: the validating carrier where the supplier tells it.
    pub carrier: String,
    /// That airline, where the supplier tells of it.
    pub airline: Option<Airline>,
    /// The offer.
    pub offer: Offer,
    /// The caller's price of it.
    pub price: DisplayedPrice,
}

/// What the travellers of a booking could fly instead, the cheapest first: a search for the same party in the same cabin.
///
/// # Errors
/// The error of a booking that does not stand, [`Error::Invalid`] for a journey that can't be searched for,
/// [`Error::SupplierUnavailable`] when no supplier answers.
pub async fn itineraries(
    platform: &Arc<Platform>,
    caller: &Caller,
    reference: &BookingRef,
    journey: NewJourney,
) -> Result<Vec<NewItinerary>> {
    let booked = load(platform, caller, reference).await?;
    check_confirmed(&booked.booking)?;
    let query = Query {
        trip_type: TripType::OneWay,
        party: party(&booked),
        cabin: cabin(&booked),
        slices: vec![Slice {
            origin: journey.origin,
            destination: journey.destination,
            date: journey.date,
        }],
        direct_only: false,
        airline: None,
    };
    let request = SearchRequest {
        query,
        preferred_currency: Some(booked.booking.amount.currency()),
        max_results: None,
    };
    let mut search = Search::begin(platform, caller, request)
        .await
        .map_err(in_words_of_the_request)?;
    let (mut found, mut any_answer) = (Vec::new(), false);
    while let Some(arrival) = search.next().await {
        any_answer |= arrival.cached.is_some();
        for (offer, price) in arrival.offers() {
            let flown = offer.segments().next().map(|segment| segment.airline.clone());
            let carrier = offer.owner.clone().or(flown).unwrap_or_default();
            let airlines = arrival.cached.as_ref().map(|cached| &cached.found.airlines);
            found.push(NewItinerary {
                airline: airlines.and_then(|airlines| airlines.get(&carrier).cloned()),
                carrier,
                fare_key: fare_key(platform, caller, price)?,
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

/// The search names its own fields.
fn in_words_of_the_request(error: Error) -> Error {
    let Error::Invalid(faults) = error else {
        return error;
    };
    Error::Invalid(faults.renamed(|field| match field {
        "slices[0].departure_date" => "new_date".to_owned(),
        field => field.trim_start_matches("slices[0].").to_owned(),
    }))
}

fn fare_key(platform: &Platform, caller: &Caller, price: &DisplayedPrice) -> Result<String> {
    let id = OfferId::read(platform, caller, &price.id)?;
    Ok(id.fare_key(&platform.secrets, caller.organization(), caller.user()))
}

fn party(booked: &Booked) -> Party {
    let count = |kind| {
        let travellers = booked.booking.product.travellers.iter();
        let count = travellers.filter(|traveller| traveller.kind == kind).count();
        u8::try_from(count).unwrap_or(u8::MAX)
    };
    Party {
        adults: count(PassengerType::Adult),
        children: count(PassengerType::Child),
        infants: count(PassengerType::Infant),
    }
}

/// The one they fly in now.
fn cabin(booked: &Booked) -> Cabin {
    let mut flights = booked.booking.product.journeys().flat_map(|leg| &leg.segments);
    flights
        .find_map(|segment| segment.cabin)
        .unwrap_or(Cabin::Economy)
}

/// What rescheduling comes to, in the wallet's currency.
#[derive(Clone, Debug)]
pub struct ReschedulePenalty {
    /// The booking that would be given back.
    pub original: Booked,
    /// What would come back of it.
    pub terms: RefundTerms,
    /// What the original costs.
    pub original_totals: Totals,
    /// What the new itinerary costs.
    pub new_totals: Totals,
}

impl ReschedulePenalty {
    /// What the wallet loses: the new agent fare less what comes back (P-62).
    ///
    /// # Errors
    /// When amounts exceed what a decimal holds.
    pub fn total_charge(&self) -> Result<Money> {
        Ok(self.new_totals.payable()?.minus(self.terms.refund_to_wallet)?)
    }
}

/// What rescheduling a booking to the itinerary of this fare key would come to: both suppliers are asked.
///
/// # Errors
/// As [`cancel::penalty`] and as pricing an offer.
pub async fn reschedule_penalty(
    platform: &Arc<Platform>,
    caller: &Caller,
    reference: &BookingRef,
    fare_key: &str,
) -> Result<ReschedulePenalty> {
    let original = load(platform, caller, reference).await?;
    let searches = searches_of(platform, caller, &[fare_key.to_owned()]).await?;
    let terms = cancel::refund_of(platform, &original).await?;
    let priced = price_each(platform, caller, &searches).await?;
    let currency = original.booking.amount.currency();
    Ok(ReschedulePenalty {
        original_totals: Totals::of(&original.booking.sales, currency)?,
        original,
        terms,
        new_totals: priced.totals,
    })
}

/// The kept searches of these fare keys, in order, with the places of their offers.
async fn searches_of(
    platform: &Platform,
    caller: &Caller,
    fare_keys: &[String],
) -> Result<Vec<(Arc<SearchSession>, Vec<u32>)>> {
    let mut order: Vec<SearchId> = Vec::new();
    let mut places: HashMap<SearchId, Vec<u32>> = HashMap::new();
    for key in fare_keys {
        let id = OfferId::read_fare_key(platform, caller, key)?;
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
        let search = platform.flight_sessions.find(caller, id).await?;
        searches.push((search, places.remove(&id).unwrap_or_default()));
    }
    Ok(searches)
}

/// Who of the booking travels, as the request says it again.
#[derive(Clone, Debug)]
pub struct SameTraveller {
    /// Where the request names them.
    pub field: String,
    /// Their index in the booking.
    pub index: u32,
    /// Family and given name, if said.
    pub names: Option<(String, String)>,
    /// The age group, if said.
    pub kind: Option<PassengerType>,
}

/// What is booked in the place of a booking.
#[derive(Clone, Debug)]
pub struct RescheduleOrder {
    /// Of itineraries that [`itineraries`] told, one for each journey.
    pub fare_keys: Vec<String>,
    /// Must be those of the booking, all of them, where it says who.
    pub travellers: Vec<SameTraveller>,
    /// How they are reached; as before where it does not say.
    pub contact: Option<Contact>,
}

/// How a rescheduling stands when the call ends.
#[derive(Clone, Debug)]
pub struct Rescheduled {
    /// The new booking.
    pub new: Booked,
    /// The original's reference.
    pub original: BookingRef,
    /// How its cancellation stands.
    pub cancellation: OriginalState,
}

/// How the cancellation of a booking stands that another has replaced.
#[derive(Clone, Debug)]
pub enum OriginalState {
    /// Given back: so much is in the wallet.
    Cancelled(RefundTerms),
    /// Its supplier, or the new booking's, has not said so yet; the worker finds out.
    Pending,
    /// It stands, or a part of it: its supplier did not take it back, and why.
    Refused(String),
}

/// Books the new itinerary, and gives the original back when it stands.
///
/// # Errors
/// As booking and as cancelling; the original is untouched then, and nothing is held.
pub async fn reschedule(
    platform: &Arc<Platform>,
    caller: &Caller,
    reference: &BookingRef,
    order: RescheduleOrder,
    key: Option<&IdempotencyKey>,
) -> Result<Rescheduled> {
    let original = load(platform, caller, reference).await?;
    check_confirmed(&original.booking)?;
    check_travellers(&original, &order.travellers)?;
    let searches = searches_of(platform, caller, &order.fare_keys).await?;
    let priced: Priced = price_each(platform, caller, &searches).await?;
    if priced.totals.agent_fare.amount() > priced.shown_agent_fare.amount() {
        return Err(Error::FareChanged);
    }
    let terms = OrderTerms {
        travellers: original.booking.product.travellers.clone(),
        ancillaries: Vec::new(),
        contact: order
            .contact
            .unwrap_or_else(|| original.booking.product.contact.clone()),
        agreed: None,
        hold: false,
        allow_duplicate: true,
    };
    let cancels = original.orders.iter().filter(|order| is_live(order));
    let replaces = Original {
        booking: original.booking.id,
        cancels: cancels
            .map(|order| Ok((order.number, order.supplier.clone(), order_id(order)?.to_owned())))
            .collect::<Result<_>>()?,
    };
    let bought = buy(platform, caller, &priced.quote, terms, Some(replaces), key).await?;
    let replaced = bought.original.unwrap_or_default();
    let closed = replaced.closed.as_ref();
    let cancellation = match (closed, replaced.refused) {
        (Some(closed), _) if closed.booking.status == BookingStatus::Cancelled => {
            OriginalState::Cancelled(refunded(&closed.refunds, &original)?)
        }
        (_, Some(refused)) => OriginalState::Refused(refused),
        (_, None) => OriginalState::Pending,
    };
    Ok(Rescheduled {
        new: bought.booked,
        original: original.booking.reference,
        cancellation,
    })
}

fn refunded(refunds: &[Refund], original: &Booked) -> Result<RefundTerms> {
    let done = refunds
        .iter()
        .filter(|refund| refund.status == RefundStatus::Refunded);
    RefundTerms::together(done.map(RefundTerms::from), original.booking.amount.currency())
}

/// How a rescheduling stands: for a request that is made again.
///
/// # Errors
/// [`Error::NotFound`] for another's booking too.
pub async fn rescheduled(
    platform: &Platform,
    caller: &Caller,
    original: &BookingRef,
    new: &BookingRef,
) -> Result<Rescheduled> {
    let new = load(platform, caller, new).await?;
    let original = load(platform, caller, original).await?;
    let mut connection = platform.database.connection().await?;
    let (organization, id) = (original.booking.organization, original.booking.id);
    let refunds = refunds::of(&mut connection, organization, id).await?;
    let under_way = wayfare_store::booking::steps::under_way_on(&mut connection, organization, id).await?;
    let cancellation = match original.booking.status {
        BookingStatus::Cancelled => OriginalState::Cancelled(refunded(&refunds, &original)?),
        _ if under_way.is_empty() => {
            OriginalState::Refused("the original booking was not cancelled".to_owned())
        }
        _ => OriginalState::Pending,
    };
    Ok(Rescheduled {
        new,
        original: original.booking.reference,
        cancellation,
    })
}

/// Rescheduling changes no names: who is named must be on the booking as they are.
fn check_travellers(original: &Booked, named: &[SameTraveller]) -> Result<()> {
    let mut faults = Faults::default();
    let travellers = &original.booking.product.travellers;
    for one in named {
        let Some(known) = travellers.iter().find(|known| known.index == one.index) else {
            faults.add(format!("{}.pax_index", one.field), "is nobody of the booking");
            continue;
        };
        let same = |ours: &str, theirs: &str| ours.trim().to_lowercase() == theirs.trim().to_lowercase();
        if let Some((last, first)) = &one.names
            && !(same(&known.last_name, last) && same(&known.first_name, first))
        {
            faults.add(&one.field, "must have the name that is on the booking");
        }
        if one.kind.is_some_and(|kind| kind != known.kind) {
            faults.add(format!("{}.type", one.field), "must be as on the booking");
        }
    }
    if !named.is_empty() && named.len() != travellers.len() {
        let reason = format!("must be all {} of the booking", travellers.len());
        faults.add("passengers", reason);
    }
    Ok(faults.or(())?)
}
