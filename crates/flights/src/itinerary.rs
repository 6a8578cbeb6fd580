//! The product of a flight booking: who flies what, under which orders.

use std::mem;

use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use serde::{Deserialize, Serialize};
use wayfare_domain::{
    Awaited, BookingPapers, Contact, Money, OrderFacts, OrderPart, OrderReference, OrderStatus,
    PartOfJourney, PartyMember, Product, ProductKind, ProductParts, RawAnswer, TicketStatus, Travel,
    Traveller,
};
use wayfare_reference::airport;

use crate::{FareDetails, ItineraryPeople, Journey, PassengerShare, Segment, StoredOrder, SupplierOrder};

/// What one supplier order covers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItineraryOrder {
    /// The supplier's code.
    pub supplier: String,
    /// The journeys, in order.
    #[serde(rename = "legs")]
    pub journeys: Vec<Journey>,
    /// The kind of fare.
    pub fare: FareDetails,
    /// What each passenger's share was, in the wallet's currency.
    pub shares: Vec<PassengerShare>,
    /// The indices of those who travel by it; everybody where it does not say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub travellers: Vec<u32>,
}

/// What was bought, and for whom.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "OldItinerary")]
pub struct Itinerary {
    /// One for each supplier order, in order of their numbers.
    pub orders: Vec<ItineraryOrder>,
    /// Of what age groups those are who travel, in order of their index.
    pub party: Vec<PartyMember>,
    /// Who they are; none when that is erased.
    pub people: Option<ItineraryPeople>,
    /// Their papers; empty when they gave none, or these are erased.
    pub papers: BookingPapers,
}

/// What is stored of an itinerary with its booking: nothing of people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredItinerary {
    /// One for each supplier order, in the order in which they are made.
    pub orders: Vec<ItineraryOrder>,
    /// As [`Itinerary::party`].
    #[serde(rename = "travellers")]
    pub party: Vec<PartyMember>,
}

/// An itinerary as it was stored before people were sealed.
#[derive(Deserialize)]
struct OldItinerary {
    orders: Vec<ItineraryOrder>,
    travellers: Vec<Traveller>,
    contact: Contact,
}

impl From<OldItinerary> for Itinerary {
    fn from(old: OldItinerary) -> Self {
        let people = ItineraryPeople { travellers: old.travellers, contact: old.contact };
        Self::new(old.orders, people, BookingPapers::default())
    }
}

impl Product for Itinerary {
    const KIND: ProductKind = ProductKind::Flight;
    type Order = SupplierOrder;
    type Stored = StoredItinerary;
    type People = ItineraryPeople;
    type Request = StoredOrder;

    fn set_reference(request: &mut StoredOrder, reference: OrderReference) {
        request.reference = reference;
    }

    fn parts(self) -> ProductParts<StoredItinerary, ItineraryPeople> {
        ProductParts {
            stored: StoredItinerary { orders: self.orders, party: self.party },
            people: self.people,
            papers: self.papers,
        }
    }

    fn of_parts(parts: ProductParts<StoredItinerary, ItineraryPeople>) -> Self {
        Self {
            orders: parts.stored.orders,
            party: parts.stored.party,
            people: parts.people,
            papers: parts.papers,
        }
    }

    fn ends_on(&self) -> NaiveDate {
        let segments = self.journeys().flat_map(|journey| &journey.segments);
        segments.map(|segment| segment.arrival.date()).max().unwrap_or_default()
    }

    fn names(people: &ItineraryPeople) -> Vec<(&str, &str)> {
        let named = people.travellers.iter();
        named.map(|traveller| (traveller.last_name.as_str(), traveller.first_name.as_str())).collect()
    }

    fn email(people: &ItineraryPeople) -> &str {
        &people.contact.email
    }

    fn take_raw(order: &mut SupplierOrder) -> RawAnswer {
        order.flights.clear();
        mem::take(&mut order.raw)
    }

    fn facts(order: &SupplierOrder) -> OrderFacts<'_> {
        OrderFacts {
            id: &order.id,
            status: order.status,
            locator: &order.pnr,
            total: order.total,
            awaited: match order.status {
                OrderStatus::Held => Awaited::Payment(order.payment_required_by),
                OrderStatus::Confirmed if order.tickets.is_empty() => Awaited::Documents,
                _ => Awaited::Nothing,
            },
            price_guaranteed_until: order.price_guaranteed_until,
            unclear_travellers: &order.unclear_travellers,
        }
    }

    fn give_back(order: &mut SupplierOrder) {
        order.status = OrderStatus::Cancelled;
        for ticket in &mut order.tickets {
            ticket.status = TicketStatus::Refunded;
        }
    }

    fn whole_order(&self, number: u16) -> OrderPart {
        let place = usize::from(number).saturating_sub(1);
        let before = self.orders.iter().take(place).map(|order| order.journeys.len());
        let first: usize = before.sum();
        let Some(order) = self.orders.get(place) else { return OrderPart::default() };
        let travellers: Vec<u32> = match order.travellers.is_empty() {
            true => self.party.iter().map(|who| who.index).collect(),
            false => order.travellers.clone(),
        };
        let journeys = (first..).zip(&order.journeys).filter_map(|(place, journey)| {
            let (from, to) = (journey.segments.first()?, journey.segments.last()?);
            let flights = journey.segments.iter();
            Some(PartOfJourney {
                journey: place,
                origin: from.origin.to_string(),
                destination: to.destination.to_string(),
                day: from.departure.date(),
                routes: flights.map(|flight| format!("{}-{}", flight.origin, flight.destination)).collect(),
                travellers: travellers.clone(),
            })
        });
        OrderPart(journeys.collect())
    }

    fn is_free_to_cancel(&self, number: u16, now: DateTime<Utc>) -> bool {
        let place = usize::from(number).checked_sub(1);
        let Some(order) = place.and_then(|place| self.orders.get(place)) else { return false };
        let terms = &order.fare.refund;
        let is_free = terms.refundable == Some(true) && terms.cancel_fee.is_some_and(Money::is_zero);
        let travel = self.travel(number, None);
        let begins = travel.and_then(|travel| travel.starts.first().copied());
        is_free && begins.is_some_and(|begins| now < begins)
    }

    fn give_back_part(order: &mut SupplierOrder, part: &OrderPart) {
        for ticket in &mut order.tickets {
            let own = part
                .0
                .iter()
                .filter(|one| ticket.traveller.is_some_and(|index| one.travellers.contains(&index)));
            let mut routes = ticket.routes.iter();
            let is_of_part = routes.all(|route| own.clone().any(|one| one.flies(route)));
            if is_of_part && !ticket.routes.is_empty() {
                ticket.status = TicketStatus::Refunded;
            }
        }
    }

    /// What airlines put in the place of flights counts beside what was sold: it is watched for too much rather than too
    /// little.
    fn travel(&self, number: u16, order: Option<&SupplierOrder>) -> Option<Travel> {
        let sold = self.orders.get(usize::from(number).checked_sub(1)?)?;
        let sold = sold.journeys.iter().map(|journey| journey.segments.as_slice());
        let changes = order.map(|order| order.airline_changes.as_slice()).unwrap_or_default();
        let added = changes.iter().map(|change| change.added.as_slice());
        let flown: Vec<&[Segment]> = sold.chain(added).filter(|flights| !flights.is_empty()).collect();
        let mut starts: Vec<DateTime<Utc>> = flown
            .iter()
            .filter_map(|flights| flights.first())
            .map(|first| instant(&first.origin, first.departure))
            .collect();
        starts.sort_unstable();
        let last = flown.iter().filter_map(|flights| flights.last());
        let ends = last.map(|last| instant(&last.destination, last.arrival)).max()?;
        Some(Travel { starts, ends })
    }
}

/// When the clocks at this airport show that; UTC's where nobody knows the airport.
fn instant(code: &str, local: NaiveDateTime) -> DateTime<Utc> {
    airport(code).map_or_else(|| local.and_utc(), |airport| airport.instant_of(local))
}

impl Itinerary {
    /// One for these people.
    pub fn new(orders: Vec<ItineraryOrder>, people: ItineraryPeople, papers: BookingPapers) -> Self {
        Self {
            orders,
            party: people.travellers.iter().map(Traveller::member).collect(),
            people: Some(people),
            papers,
        }
    }

    /// Every journey in order.
    pub fn journeys(&self) -> impl Iterator<Item = &Journey> {
        self.orders.iter().flat_map(|order| &order.journeys)
    }
}
