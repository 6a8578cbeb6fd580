//! Parts of flight bookings that are given back: which journeys of which travellers a request names, and what that is of each
//! supplier order. What a supplier does not take back in part is refused before anything is sent (D-366).

use std::{collections::BTreeSet, sync::Arc};

use wayfare_boxed::boxed;
use wayfare_contract::WholeOrder;
use wayfare_domain::{BookingRef, CancelledPart, Faults, OrderPart, PartyMember, PassengerType, Product};
use wayfare_flights::{Flown, Itinerary, SupplierOrder};
use wayfare_store::booking::{bookings::Order, order_changes};

use super::{order::abilities::taken_of, reschedule::replaced_journeys::NOT_LIVE, schedule_changes::found};
use crate::{
    Caller, Engine, Error, Result,
    access::idempotency::IdempotencyKey,
    bookings::{
        cancel::{self, Cancelled, GivenBack, Penalty},
        load_without_names,
    },
    engine::{
        booking_state::{check_confirmed, is_live},
        note::Note,
    },
    flights::Booked,
};

/// Which part of a booking is meant; all that stands where nothing is said. What is said and empty names nothing, which is
/// not all of it (D-610).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedPart {
    /// The places of its journeys among all of the booking, from 0.
    pub journeys: Option<Vec<usize>>,
    /// The numbers of its flights, which must be all of their journeys.
    pub segments: Option<Vec<usize>>,
    pub travellers: Option<Vec<u32>>,
}

impl NamedPart {
    fn is_all(&self) -> bool {
        self.journeys.is_none() && self.segments.is_none() && self.travellers.is_none()
    }

    /// That whatever is said names something.
    fn check(&self) -> Faults {
        let mut faults = Faults::default();
        for (field, is_empty) in [
            ("journeys", self.journeys.as_ref().is_some_and(Vec::is_empty)),
            ("segments", self.segments.as_ref().is_some_and(Vec::is_empty)),
            ("passengers", self.travellers.as_ref().is_some_and(Vec::is_empty)),
        ] {
            if is_empty {
                faults.add(field, "must have at least 1 item");
            }
        }
        faults
    }
}

/// What giving a part of a booking back would cost.
///
/// # Errors
/// As [`cancel::penalty`]; [`Error::Invalid`] for what is no part of it, [`Error::PartOfOrder`] for what its supplier does not
/// take back so.
#[boxed]
pub async fn part_penalty(
    engine: &Engine,
    caller: &Caller,
    reference: &BookingRef,
    named: &NamedPart,
) -> Result<Penalty<Itinerary>> {
    let booked: Booked = load_without_names(&engine.core, caller, reference).await?;
    let given_back = given_back(engine, &booked, named).await?;
    cancel::penalty_of(engine, booked, &given_back).await
}

/// Gives a part of a booking back.
///
/// # Errors
/// As [`cancel::cancel`] and [`part_penalty`].
#[boxed]
pub async fn cancel_part(
    engine: &Arc<Engine>,
    caller: &Caller,
    reference: &BookingRef,
    named: &NamedPart,
    note: Option<Note>,
    key: Option<&IdempotencyKey>,
) -> Result<Cancelled> {
    let booked: Booked = load_without_names(&engine.core, caller, reference).await?;
    let given_back = given_back(engine, &booked, named).await?;
    let note = Note::scrubbed_of(note, &engine.core, &booked.booking).await?;
    cancel::cancel_orders(engine, caller, booked, given_back, note, key).await
}

/// What is given back of each order.
async fn given_back(engine: &Engine, booked: &Booked, named: &NamedPart) -> Result<GivenBack> {
    check_confirmed(&booked.booking)?;
    if named.is_all() {
        return Ok(GivenBack::default());
    }
    named.check().or(())?;
    let mut named = named.clone();
    if let Some(segments) = &named.segments {
        let (organization, id) = (booked.booking.organization, booked.booking.id);
        let connection = engine.core.database.connection().await?;
        let changes = order_changes::of(&connection, organization, id).await?;
        let flown = found::flown(&booked.booking.product, &changes)?;
        // What is named in both ways is the same.
        named.journeys = Some(journeys_of(&flown, segments, named.journeys.as_deref())?);
    }
    let chosen = chosen(booked, &named)?;
    let uncut = chosen.iter().filter(|one| !is_taken(engine, booked, one));
    let uncut: Vec<WholeOrder> =
        uncut.map(|one| WholeOrder { order: one.order.number, journeys: one.remaining.journeys() }).collect();
    if !uncut.is_empty() {
        return Err(Error::PartOfOrder(uncut));
    }
    let live = booked.orders.iter().filter(|order| is_live(order)).count();
    if chosen.len() == live && chosen.iter().all(Chosen::is_all) {
        return Ok(GivenBack::default());
    }
    let orders = chosen.into_iter().map(|one| (one.order.number, Some(one.cancelled())));
    Ok(GivenBack { orders: Some(orders.collect()), refused_change: None })
}

/// The journeys of these flights, which must be all of theirs that are flown.
fn journeys_of(flown: &Flown, segments: &[usize], named: Option<&[usize]>) -> Result<Vec<usize>> {
    let mut journeys = Vec::new();
    let mut known = BTreeSet::new();
    let mut place = 0;
    for flights in flown.orders() {
        for journey in flights.chunk_by(|one, next| one.journey == next.journey) {
            let numbers = || journey.iter().filter(|flight| !flight.is_cancelled).map(|flight| flight.number);
            known.extend(numbers());
            let chosen = numbers().filter(|number| segments.contains(number)).count();
            match chosen {
                0 => {}
                all if all == numbers().count() => journeys.push(place),
                _ => return Err(Faults::of("segments", "must cover whole journeys").into()),
            }
            place += 1;
        }
    }
    let mut faults = Faults::default();
    for (index, number) in segments.iter().enumerate() {
        if !known.contains(number) {
            faults.add(format!("segments[{index}]"), "is no flight of the booking");
        }
    }
    if named.is_some_and(|named| named != journeys) {
        faults.add("segments", "must be those of the journeys");
    }
    Ok(faults.or(journeys)?)
}

struct Chosen<'a> {
    order: &'a Order<SupplierOrder>,
    remaining: OrderPart,
    part: OrderPart,
}

impl Chosen<'_> {
    fn is_all(&self) -> bool {
        self.remaining.without(std::iter::once(&self.part)).is_empty()
    }

    /// As it is written. All of an order, or all that is left of it, is named too: its event tells which journeys these are.
    fn cancelled(self) -> CancelledPart {
        let is_last = self.is_all();
        CancelledPart { is_whole: is_last && self.order.given_back.is_empty(), part: self.part, is_last }
    }
}

/// Whether the supplier takes back what is chosen, and no more.
fn is_taken(engine: &Engine, booked: &Booked, chosen: &Chosen<'_>) -> bool {
    if chosen.is_all() {
        return true;
    }
    let taken = taken_of(engine, booked, chosen.order);
    let rest = chosen.remaining.without(std::iter::once(&chosen.part));
    let journeys = chosen.part.journeys();
    let splits_a_journey = rest.journeys().iter().any(|place| journeys.contains(place));
    let leaves_a_journey = rest.journeys().iter().any(|place| !journeys.contains(place));
    (taken.travellers || !splits_a_journey) && (taken.journeys || !leaves_a_journey)
}

fn chosen<'a>(booked: &'a Booked, named: &NamedPart) -> Result<Vec<Chosen<'a>>> {
    let product = &booked.booking.product;
    let is_named = |place: usize, traveller: u32| {
        let in_journey = named.journeys.as_ref().is_none_or(|named| named.contains(&place));
        let of_traveller = named.travellers.as_ref().is_none_or(|named| named.contains(&traveller));
        in_journey && of_traveller
    };
    let live = booked.orders.iter().filter(|order| is_live(order));
    let all: Vec<Chosen<'_>> = live
        .map(|order| {
            let remaining = order.remaining(&product.whole_order(order.number));
            Chosen { order, part: remaining.only(is_named), remaining }
        })
        .collect();
    check_named(&all, named, &product.party)?;
    let chosen = all.into_iter().filter(|one| !one.part.is_empty());
    let chosen: Vec<Chosen<'_>> = chosen.collect();
    for one in &chosen {
        check_company(one, &product.party)?;
    }
    Ok(chosen)
}

/// That each journey that is named stands, and that each traveller who is named flies one of them.
fn check_named(all: &[Chosen<'_>], named: &NamedPart, party: &[PartyMember]) -> Result<()> {
    let mut faults = Faults::default();
    let mut seen = BTreeSet::new();
    for (index, place) in named.journeys.iter().flatten().enumerate() {
        let field = format!("journeys[{index}]");
        if !seen.insert(*place) {
            faults.add(field, "must be named once");
        } else if !all.iter().any(|one| one.remaining.journeys().contains(place)) {
            faults.add(field, NOT_LIVE);
        } else if !all.iter().any(|one| one.part.journeys().contains(place)) {
            faults.add(field, "is flown by none of the passengers named");
        }
    }
    let mut seen = BTreeSet::new();
    for (index, traveller) in named.travellers.iter().flatten().enumerate() {
        let field = format!("passengers[{index}]");
        if !seen.insert(*traveller) {
            faults.add(field, "must be named once");
        } else if !party.iter().any(|who| who.index == *traveller) {
            faults.add(field, "is nobody of the booking");
        } else if !all.iter().any(|one| one.part.travellers().contains(traveller)) {
            faults.add(field, "does not fly that any more");
        }
    }
    Ok(faults.or(())?)
}

/// That of those who stay behind and of those who go nobody is alone who may not be (D-367).
fn check_company(chosen: &Chosen<'_>, party: &[PartyMember]) -> Result<()> {
    let rest = chosen.remaining.without(std::iter::once(&chosen.part));
    for place in chosen.part.journeys() {
        let on = |part: &OrderPart| -> Vec<&PartyMember> {
            party.iter().filter(|who| part.has(place, who.index)).collect()
        };
        let (gone, stay) = (on(&chosen.part), on(&rest));
        let is_held_by = |group: &[&PartyMember], infant: &PartyMember| {
            group.iter().any(|who| match infant.held_by {
                Some(holder) => who.index == holder,
                None => who.kind == PassengerType::Adult,
            })
        };
        let alone = |group: &[&PartyMember]| {
            let mut infants = group.iter().filter(|who| who.kind == PassengerType::Infant);
            infants.any(|infant| !is_held_by(group, infant))
        };
        if alone(&gone) || alone(&stay) {
            return Err(Faults::of("passengers", "infant needs an adult").into());
        }
        if !stay.is_empty() && !stay.iter().any(|who| who.kind == PassengerType::Adult) {
            return Err(Faults::of("passengers", "child needs an adult").into());
        }
    }
    Ok(())
}
