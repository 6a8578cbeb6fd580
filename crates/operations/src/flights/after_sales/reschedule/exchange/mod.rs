//! Journeys of a booking that are changed at their supplier, instead of being booked anew and given back (D-386).

mod key;

use std::sync::Arc;

use chrono::{DateTime, Duration, NaiveDate, Utc};
use wayfare_domain::{
    BookingRef, ChangeState, Currency, EventKind, Faults, HoldId, Money, OrderStatus, Remarks, StepKind,
    Traveller,
};
use wayfare_flights::{
    Cabin, ChangeOffer, Itinerary, Journey, JourneyChange, Segment, SupplierOrder, kind_of_change,
};
use wayfare_pricing::{RateSource, SoldChange};
use wayfare_store::{
    JsonText,
    booking::{bookings::Order, order_changes},
};
use wayfare_supply::{Answer, ChangePrice, on_behalf_of};

use self::key::flight_names;
pub(crate) use self::key::{ChangeKey, keys};
use super::replaced_journeys::{NOT_LIVE, Route, city, named_among, numbered, on_order, places_of, route_of};
use crate::{
    Caller, Core, Engine, Error, Result,
    access::idempotency::IdempotencyKey,
    bookings::{load, load_after_steps, order_id},
    engine::{
        begin_step::{self, BeginSteps, StepRequest},
        booking_state::{check_confirmed, is_live},
        note::Note,
        patience::within_patience,
        saga,
        step::Service,
        steps::change::{ChangeRequest, ReplacedFlights},
    },
    flights::{
        Booked,
        after_sales::{
            order::{original_request, stored_request},
            schedule_changes::found,
        },
    },
    pricing::exchange_rates::StoredRates,
    reason::{ChangedFare, Moment},
    suppliers::answers::read_result,
};

/// What is told of an order's changes is good for so long where its supplier does not say.
const GOOD_FOR: Duration = Duration::minutes(15);

/// Where to and when the travellers of a booking want to go instead.
#[derive(Clone, Debug)]
pub struct NewJourney {
    /// Which journey of the booking it is instead of, by its place from 0, where that is said.
    pub journey: Option<usize>,
    /// IATA code of an airport or a city.
    pub origin: String,
    /// IATA code of an airport or a city.
    pub destination: String,
    pub date: NaiveDate,
    /// Whether changes at the supplier are told beside itineraries to be booked.
    pub include_changes: bool,
}

/// Other flights for a journey of a booking, by a change at its supplier.
#[derive(Clone, Debug)]
pub struct JourneyOffer {
    /// What it is priced and carried out by: `ck_…`.
    pub key: String,
    pub supplier: String,
    /// The airline that sells it, IATA code.
    pub carrier: String,
    pub journey: Journey,
    /// What it comes to, in the wallet's currency.
    pub cost: SoldChange,
}

/// A journey of a booking as its order has it.
struct OrderJourney {
    order: u16,
    /// Among all of the booking, from 0.
    place: usize,
    /// Among those of its order, from 0.
    within: usize,
    route: Route,
    cabin: Cabin,
}

/// A key, and the journey that it changes.
type Chosen<'k> = (&'k ChangeKey, OrderJourney);

fn journeys_of(itinerary: &Itinerary) -> Vec<OrderJourney> {
    let (mut last, mut within) = (0, 0);
    let journeys = numbered(itinerary).enumerate();
    journeys
        .map(|(place, (order, journey))| {
            within = if order == last { within + 1 } else { 0 };
            last = order;
            let cabin = journey.segments.iter().find_map(|flight| flight.cabin);
            OrderJourney {
                order,
                place,
                within,
                route: route_of(journey),
                cabin: cabin.unwrap_or(Cabin::Economy),
            }
        })
        .collect()
}

/// The order of a booking with this number, where it is paid and live.
fn changeable(booked: &Booked, number: u16) -> Option<&Order<SupplierOrder>> {
    let mut orders = booked.orders.iter();
    orders.find(|order| order.number == number && order.status == OrderStatus::Confirmed && is_live(*order))
}

/// Changes of a journey that its supplier offers, the cheapest first: of the one that is named, or of the only one between these
/// cities. A supplier that refuses, or does not answer, offers none.
///
/// # Errors
/// The error of a booking that does not stand, [`Error::NoRate`].
pub(super) async fn offers(
    engine: &Engine,
    caller: &Caller,
    reference: &BookingRef,
    wanted: NewJourney,
) -> Result<Vec<JourneyOffer>> {
    let booked: Booked = load(&engine.core, caller, reference).await?;
    check_confirmed(&booked.booking)?;
    let route = (city(&wanted.origin), city(&wanted.destination));
    let mut journeys = journeys_of(&booked.booking.product);
    journeys.retain(|one| {
        one.route == route
            && wanted.journey.is_none_or(|place| place == one.place)
            && changeable(&booked, one.order).is_some()
    });
    let [journey] = journeys.as_slice() else { return Ok(Vec::new()) };
    let Some(order) = changeable(&booked, journey.order) else { return Ok(Vec::new()) };
    if !engine.suppliers.flight_supplier(&order.supplier)?.changes_journeys() {
        return Ok(Vec::new());
    }
    let asked = [wanted_change(&wanted.origin, &wanted.destination, wanted.date, journey)];
    let found = match ask(engine, &booked, order, &asked).await? {
        Answer::Done(found) => found,
        other => {
            let reason = other.problem().unwrap_or_default();
            tracing::info!(order = %order.reference, reason, "a supplier offers no changes of an order");
            return Ok(Vec::new());
        }
    };
    let rates = StoredRates::present(&engine.core).await?;
    let currency = booked.booking.amount.currency();
    let now = engine.core.clock.now();
    let mut offers = Vec::new();
    for offer in found {
        let [flown] = offer.journeys.as_slice() else { continue };
        let key = ChangeKey {
            booking: booked.booking.id,
            journey: journey.place,
            origin: wanted.origin.clone(),
            destination: wanted.destination.clone(),
            date: wanted.date,
            flights: flight_names(flown),
            total: offer.price.total,
            expires: ends(&offer, now).timestamp(),
        };
        offers.push(JourneyOffer {
            key: key.print(&engine.core, caller)?,
            supplier: order.supplier.clone(),
            cost: cost(&offer.price, &rates, currency)?,
            journey: flown.clone(),
            carrier: offer.carrier,
        });
    }
    offers.sort_by_key(|offer| offer.cost.total().map(Money::amount).ok());
    Ok(offers)
}

fn ends(offer: &ChangeOffer, now: DateTime<Utc>) -> DateTime<Utc> {
    offer.expires_at.unwrap_or(now + GOOD_FOR)
}

fn wanted_change(origin: &str, destination: &str, date: NaiveDate, journey: &OrderJourney) -> JourneyChange {
    JourneyChange {
        journey: journey.within,
        origin: origin.to_owned(),
        destination: destination.to_owned(),
        date,
        cabin: journey.cabin,
    }
}

async fn ask(
    engine: &Engine,
    booked: &Booked,
    order: &Order<SupplierOrder>,
    wanted: &[JourneyChange],
) -> Result<Answer<Vec<ChangeOffer>>> {
    let request = original_request(&engine.core, booked, order).await?;
    let supplier = engine.suppliers.flight_supplier(&order.supplier)?;
    let asked = supplier.change_offers(order_id(order)?, &request, wanted);
    Ok(on_behalf_of(booked.booking.organization, asked).await)
}

/// What a change comes to: what is not given back as money is nothing, and was paid in vain.
fn cost(price: &ChangePrice, rates: &StoredRates, currency: Currency) -> Result<SoldChange> {
    let supplier_difference = price.total.minus(price.penalty)?;
    let rate = rates.rate(price.total.currency(), currency)?;
    let difference = supplier_difference.converted(rate, currency)?;
    let total = match price.total.is_negative() && !price.is_money {
        true => Money::zero(currency),
        false => price.total.converted(rate, currency)?,
    };
    Ok(SoldChange { supplier_difference, difference, penalty: total.minus(difference)? })
}

/// A change that was chosen, as its supplier offers it now.
pub(super) struct ChosenChange {
    pub order: u16,
    pub cost: SoldChange,
    /// The same as it was told, in the wallet's currency.
    shown: Money,
    offer: ChangeOffer,
    /// The places of the journeys among all of the booking, and what is flown there now.
    journeys: Vec<(usize, Vec<Segment>)>,
    /// How many changes of the booking are known.
    known: usize,
}

impl ChosenChange {
    /// The places of the journeys among all of the booking, from 0.
    pub(super) fn places(&self) -> Vec<usize> {
        self.journeys.iter().map(|(place, _)| *place).collect()
    }

    /// Who flies them.
    ///
    /// # Errors
    /// [`Error::NotSupported`] when they are erased.
    pub(super) fn travellers(&self, booked: &Booked) -> Result<Vec<Traveller>> {
        let itinerary = &booked.booking.product;
        named_among(itinerary, &on_order(itinerary, self.order))
    }

    fn replaced(&self) -> Result<Vec<ReplacedFlights>> {
        let replaced = self.journeys.iter().zip(&self.offer.journeys).enumerate();
        replaced
            .map(|(index, ((place, before), journey))| {
                let (kind, minutes) = kind_of_change(before, &journey.segments);
                Ok(ReplacedFlights {
                    journey: *place,
                    place: u16::try_from(self.known + index + 1).unwrap_or(u16::MAX),
                    kind,
                    minutes,
                    before: JsonText::of(before)?,
                    after: JsonText::of(&journey.segments)?,
                })
            })
            .collect()
    }
}

/// Has the supplier asked for the flights that these keys name, together. `named` are the places of the journeys, where the request
/// says them.
///
/// # Errors
/// The error of a booking that does not stand, [`Error::Invalid`] for keys that are not of one order, [`Error::OfferGone`],
/// [`Error::FareChanged`] when they cost more than was told, the supplier's refusal or outage.
pub(super) async fn choose(
    engine: &Engine,
    booked: &Booked,
    keys: &[ChangeKey],
    named: &[usize],
) -> Result<ChosenChange> {
    check_confirmed(&booked.booking)?;
    let (order, chosen) = of_one_order(booked, keys, named)?;
    let asked: Vec<JourneyChange> = chosen
        .iter()
        .map(|(key, journey)| wanted_change(&key.origin, &key.destination, key.date, journey))
        .collect();
    let answer = ask(engine, booked, order, &asked).await?;
    let found = read_result(&engine.suppliers, &order.supplier, Moment::AfterSale, answer)?;
    let names: Vec<_> = chosen.iter().map(|(key, _)| &key.flights).collect();
    let is_it = |offer: &ChangeOffer| {
        offer.journeys.len() == names.len()
            && offer.journeys.iter().zip(&names).all(|(journey, names)| flight_names(journey) == **names)
    };
    let mut fitting = found.into_iter().filter(is_it);
    let first = fitting.next().ok_or(Error::OfferGone)?;
    let offer =
        fitting.fold(first, |best, other| match other.price.total.amount() < best.price.total.amount() {
            true => other,
            false => best,
        });
    let rates = StoredRates::present(&engine.core).await?;
    let currency = booked.booking.amount.currency();
    let cost = cost(&offer.price, &rates, currency)?;
    let shown = shown(&chosen, &offer.price, &rates, currency)?;
    let now = cost.total()?;
    if now.amount() > shown.amount() {
        return Err(ChangedFare::between((shown, shown), Some((now, now))).into());
    }
    let (organization, id) = (booked.booking.organization, booked.booking.id);
    let connection = engine.core.database.connection().await?;
    let known = order_changes::of(&connection, organization, id).await?;
    drop(connection);
    let flown = found::flown(&booked.booking.product, &known)?;
    let present = |within: usize| {
        let flights = flown.of_order(order.number).iter();
        let flights = flights.filter(|flight| flight.journey == within && !flight.is_cancelled);
        flights.map(|flight| flight.segment.clone()).collect()
    };
    Ok(ChosenChange {
        order: order.number,
        cost,
        shown,
        journeys: chosen.iter().map(|(_, journey)| (journey.place, present(journey.within))).collect(),
        offer,
        known: known.len(),
    })
}

/// What the agency was told that these come to, each alone.
fn shown(
    chosen: &[Chosen<'_>],
    price: &ChangePrice,
    rates: &StoredRates,
    currency: Currency,
) -> Result<Money> {
    let mut sum = Money::zero(price.total.currency());
    for (key, _) in chosen {
        sum = sum.plus(key.total)?;
    }
    let as_shown = ChangePrice { total: sum, ..*price };
    cost(&as_shown, rates, currency)?.total().map_err(Error::from)
}

/// The order of all of these, with the journeys that they change, in its order.
fn of_one_order<'a, 'k>(
    booked: &'a Booked,
    keys: &'k [ChangeKey],
    named: &[usize],
) -> Result<(&'a Order<SupplierOrder>, Vec<Chosen<'k>>)> {
    let mut chosen: Vec<Chosen<'k>> = Vec::new();
    for key in keys {
        if key.booking != booked.booking.id {
            return Err(Error::NotFound);
        }
        let mut journeys = journeys_of(&booked.booking.product).into_iter();
        let journey = journeys.find(|journey| journey.place == key.journey);
        let journey = journey.ok_or_else(|| Faults::of("journeys", NOT_LIVE))?;
        if chosen.iter().any(|(_, other)| other.place == journey.place) {
            return Err(Faults::of("fare_keys", "must each be of another journey").into());
        }
        if chosen.iter().any(|(_, other)| other.order != journey.order) {
            let problem = "must be of one order of the booking: change one at a time";
            return Err(Faults::of("fare_keys", problem).into());
        }
        chosen.push((key, journey));
    }
    chosen.sort_by_key(|(_, journey)| journey.place);
    let places = chosen.iter().map(|(_, journey)| journey.place);
    let mut named = named.to_vec();
    named.sort_unstable();
    if !named.is_empty() && !places.eq(named) {
        return Err(Faults::of("journeys", "must be those of the changes").into());
    }
    let number = chosen.first().map(|(_, journey)| journey.order);
    let order = number.and_then(|number| changeable(booked, number));
    Ok((order.ok_or(Error::BookingCancelled)?, chosen))
}

/// How a change stands when the call ends.
#[derive(Clone, Debug)]
pub(super) enum ChangeProgress {
    /// It is made; the booking as it is now, the places of the journeys, and what came back to the wallet.
    Done { booked: Box<Booked>, journeys: Vec<usize>, refund: Money },
    /// The supplier has not said so yet; the worker finds out.
    Pending { booked: Box<Booked>, journeys: Vec<usize> },
}

/// Has the change made: the wallet that paid for the booking pays, or gets what comes back. `remarks` are for the audit log.
///
/// # Errors
/// The error of a booking that does not stand, [`Error::InsufficientFunds`], [`Error::FareChanged`], the supplier's refusal or
/// outage: all is as before then.
pub(super) async fn carry_out(
    engine: &Arc<Engine>,
    caller: &Caller,
    booked: Booked,
    chosen: ChosenChange,
    remarks: Option<Remarks>,
    key: Option<&IdempotencyKey>,
) -> Result<ChangeProgress> {
    let order = changeable(&booked, chosen.order).ok_or(Error::BookingCancelled)?;
    let total = chosen.cost.total()?;
    let service = total.is_positive().then(|| Service {
        hold: HoldId::new(&engine.core.clock),
        amount: total,
        sold: Vec::new(),
    });
    let asked = ChangeRequest {
        booked: JsonText::keeping(stored_request(&engine.core, &booked, order).await?)?,
        order_id: order_id(order)?.to_owned(),
        token: chosen.offer.token.clone(),
        price: chosen.offer.price,
        shown: (chosen.shown, chosen.shown),
        pending: None,
        confirmed_again_at: None,
        cost: chosen.cost,
        service: service.clone(),
        journeys: chosen.replaced()?,
    };
    let note = Note::scrubbed_of(remarks.map(Note::Remarks), &engine.core, &booked.booking).await?;
    let request = BeginSteps {
        booking: &booked.booking,
        kind: StepKind::Change,
        action: EventKind::BookingJourneyChangeRequested,
        note,
        requests: vec![StepRequest::on(order, asked)?],
        service: service.as_ref(),
        by_itself: false,
    };
    let steps = begin_step::open(engine, &caller.actor(), request, key.map(|key| (caller, key))).await?;
    let (reference, journeys) = (booked.booking.reference.clone(), chosen.places());
    let pending = ChangeProgress::Pending { booked: Box::new(booked), journeys };
    let carried_out = {
        let (engine, caller, pending) = (engine.clone(), caller.clone(), pending.clone());
        let reference = reference.clone();
        async move {
            let first = steps.first().ok_or(Error::NotFound)?;
            let progress = saga::run_saga(&engine, &caller.actor(), first, None).await?;
            match progress.error {
                Some(error) => Err(error),
                None if progress.open => Ok(pending),
                None => state(&engine.core, &caller, &reference).await,
            }
        }
    };
    within_patience(&engine.core, &reference, pending, carried_out).await
}

/// How the last change of a booking stands: also for a request that is made again.
///
/// # Errors
/// [`Error::NotFound`] for another's booking too.
pub(super) async fn state(core: &Core, caller: &Caller, reference: &BookingRef) -> Result<ChangeProgress> {
    let (booked, under_way): (Booked, _) = load_after_steps(core, caller, reference).await?;
    let itinerary = &booked.booking.product;
    if let Some(step) = under_way.iter().find(|step| step.kind == StepKind::Change) {
        let asked = step.request.parse::<ChangeRequest>()?.journeys;
        return Ok(ChangeProgress::Pending {
            journeys: asked.iter().map(|flights| flights.journey).collect(),
            booked: Box::new(booked),
        });
    }
    let connection = core.database.connection().await?;
    let (organization, id) = (booked.booking.organization, booked.booking.id);
    let known = order_changes::of(&connection, organization, id).await?;
    drop(connection);
    let is_chosen = |change: &&order_changes::OrderChange| change.state == ChangeState::Chosen;
    let last = known.iter().rfind(is_chosen).ok_or(Error::NotFound)?;
    let mine = known.iter().filter(is_chosen).filter(|change| change.step == last.step);
    let flown = found::flown(itinerary, &known)?;
    let mut journeys = Vec::new();
    for change in mine {
        let (_, after) = found::segments(change)?;
        let flights = flown.of_order(change.number).iter();
        let within = flights
            .filter(|flight| after.iter().any(|segment| flight.segment.departure == segment.departure))
            .map(|flight| flight.journey);
        let of_order = places_of(itinerary, &[change.number]);
        journeys.extend(within.filter_map(|within| of_order.get(within).copied()));
    }
    journeys.sort_unstable();
    journeys.dedup();
    let sale = booked.booking.sale(last.number);
    let cost = sale.and_then(|sale| sale.changes.last()).ok_or(Error::NotFound)?;
    let zero = Money::zero(booked.booking.amount.currency());
    Ok(ChangeProgress::Done {
        refund: cost.total()?.negated().at_least(zero)?,
        journeys,
        booked: Box::new(booked),
    })
}
