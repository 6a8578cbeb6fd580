//! Ours to theirs and back: orders, and who on an order is which of our travellers.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde_json::Value;
use wayfare_domain::{Amount, Gender, Money, OrderStatus, PassengerType, TicketStatus, Title, Traveller};
use wayfare_supply::{Answer, JourneyToCancel, PartToCancel, TravellerToCancel};

use super::ancillaries;
use super::journey::flown;
use super::offers::{indian_time, price};
use super::order_wire as wire;
use super::papers::{self, Taken};
use super::review::SupplierContext;
use super::wire::{self as flight_wire, Entries, Text, passenger_word};
use crate::{Locator, OrderMode, OrderRequest, Segment, SupplierOrder, Ticket, shared_parts::SharedParts};
use wayfare_supply::reading::{Unreadable, filled, parse};

/// The booking in their words, paid at once with what is due or held.
///
/// # Errors
/// When the words of what is bought with the fare are not ours.
pub(super) fn new_order<'a>(
    request: &'a OrderRequest,
    supplier_context: &'a SupplierContext,
    due: Money,
    phone: &'a str,
) -> Result<wire::NewOrder<'a>, String> {
    // Nobody else is known for emergencies than who booked.
    let first = request.travellers.first();
    let name = first.map(|traveller| format!("{} {}", traveller.first_name, traveller.family_name()));
    Ok(wire::NewOrder {
        booking_id: &supplier_context.booking_id,
        payments: (request.mode == OrderMode::Instant).then(|| [payment(due)]),
        travellers: request
            .travellers
            .iter()
            .map(|traveller| new_traveller(traveller, request, &supplier_context.taken))
            .collect::<Result<_, _>>()?,
        delivery: contact(request, phone, None),
        emergency: supplier_context
            .emergency_contact
            .then(|| contact(request, phone, name)),
        gst: supplier_context.taken.gst(request.papers.gst.as_ref()),
    })
}

/// How the party is reached.
pub(super) fn contact<'a>(
    request: &'a OrderRequest,
    phone: &'a str,
    name: Option<String>,
) -> wire::NewContact<'a> {
    wire::NewContact {
        emails: [&request.contact.email],
        contacts: [phone],
        name,
    }
}

/// So much from our balance with TripJack.
pub(super) fn payment(total: Money) -> wire::NewPayment {
    wire::NewPayment {
        amount: total.number(),
    }
}

fn new_traveller<'a>(
    traveller: &'a Traveller,
    request: &'a OrderRequest,
    taken: &Taken,
) -> Result<wire::NewTraveller<'a>, String> {
    let is_adult = traveller.kind == PassengerType::Adult;
    Ok(wire::NewTraveller {
        title: match (traveller.title, traveller.gender) {
            (Title::Mrs, _) if is_adult => "Mrs",
            (_, Gender::Male) if is_adult => "Mr",
            (_, Gender::Male) => "Master",
            (_, Gender::Female) => "Ms",
        },
        kind: passenger_word(traveller.kind),
        first_name: &traveller.first_name,
        last_name: traveller.family_name(),
        born_on: traveller.born_on,
        papers: taken.papers(traveller, request.papers.of(traveller.index)),
        services: ancillaries::ordered(&request.ancillaries, traveller.index)?,
    })
}

/// Somebody whose ticket is reissued, as he was booked: what was bought with the fare is not bought again.
pub(super) fn reissued_traveller<'a>(
    traveller: &'a Traveller,
    request: &'a OrderRequest,
    taken: &Taken,
) -> Result<wire::NewTraveller<'a>, String> {
    Ok(wire::NewTraveller {
        services: BTreeMap::new(),
        ..new_traveller(traveller, request, taken)?
    })
}

/// Where an order stands, in their words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Confirmed,
    Held,
    Pending,
    /// Said of a hold that was let go; of what else is not known.
    Unconfirmed,
    Cancelled,
    Failed,
}

impl State {
    fn of(word: &str) -> Option<Self> {
        Some(match word {
            "SUCCESS" => Self::Confirmed,
            "ON_HOLD" => Self::Held,
            "PENDING" => Self::Pending,
            "UNCONFIRMED" => Self::Unconfirmed,
            "CANCELLED" => Self::Cancelled,
            "FAILED" | "ABORTED" => Self::Failed,
            _ => return None,
        })
    }

    /// In our words. What is not known for sure may still become anything.
    pub fn status(self) -> OrderStatus {
        match self {
            Self::Confirmed => OrderStatus::Confirmed,
            Self::Held => OrderStatus::Held,
            Self::Pending | Self::Unconfirmed => OrderStatus::Pending,
            Self::Cancelled => OrderStatus::Cancelled,
            Self::Failed => OrderStatus::Failed,
        }
    }
}

/// An order as it stands at TripJack.
#[derive(Debug)]
pub(super) struct Details {
    pub state: State,
    pub total: Money,
    pub raw: Value,
    pub id: String,
    /// Until when a hold must be paid.
    time_limit: Option<DateTime<Utc>>,
    travellers: Vec<wire::BookedTraveller>,
}

/// The answer to a question for an order.
pub(super) fn details(body: &[u8]) -> Result<Details, Unreadable> {
    let mut raw = parse::<Value>(body)?;
    papers::forget(&mut raw);
    let theirs: wire::BookingDetails = serde_path_to_error::deserialize(&raw).map_err(Unreadable::new)?;
    let word = &theirs.order.status;
    let state = State::of(word);
    let Amount(amount) = theirs.order.amount;
    let (travellers, time_limit) = theirs
        .items
        .and_then(|items| items.air)
        .map_or((None, None), |air| (air.traveller_infos, air.time_limit));
    Ok(Details {
        state: state.ok_or_else(|| Unreadable::new(format!("order.status {word:?} is unknown")))?,
        total: price(amount).map_err(|error| Unreadable::new(format!("order.amount {error}")))?,
        id: theirs.order.booking_id,
        time_limit: time_limit.and_then(|limit| deadline(&limit)),
        travellers: travellers.unwrap_or_default(),
        raw,
    })
}

/// None with a warning where it can't be read: the order stands all the same.
fn deadline(time_limit: &Value) -> Option<DateTime<Utc>> {
    let deadline = time_limit.as_str().and_then(indian_time);
    if deadline.is_none() && !time_limit.is_null() {
        tracing::warn!(%time_limit, "a hold's time limit can't be read");
    }
    deadline
}

/// How the fare of a held order stands.
#[derive(Debug)]
pub(super) struct HeldFare {
    /// What it costs now, where it has moved.
    pub moved: Option<Money>,
    /// Whether it is guaranteed no more.
    pub is_stale: bool,
}

/// The answer to a question whether a held order's fare stands.
pub(super) fn held_fare(body: &[u8]) -> Result<HeldFare, Unreadable> {
    let theirs = parse::<wire::Validated>(body)?;
    let moved = theirs.alerts.iter().flatten().find_map(|alert| alert.new_fare);
    let moved = moved.map(|Amount(amount)| price(amount)).transpose();
    Ok(HeldFare {
        moved: moved.map_err(|error| Unreadable::new(format!("newFare {error}")))?,
        is_stale: theirs.is_stale == Some(true),
    })
}

impl Details {
    /// In our words, if it is of the travellers of this request; else nobody knows whose it is. One that names nobody is
    /// known by its id alone.
    pub fn order_of(self, request: &OrderRequest) -> Answer<SupplierOrder> {
        let mut free: Vec<&Traveller> = request.travellers.iter().collect();
        let are_ours = self
            .travellers
            .iter()
            .all(|theirs| taken(&mut free, theirs).is_some());
        let is_ours = self.travellers.is_empty() || (are_ours && free.is_empty());
        if !is_ours {
            return Answer::Unknown(format!("order {} is of other travellers", self.id));
        }
        let status = match request.mode == OrderMode::Hold && self.was_held() {
            true => OrderStatus::Cancelled,
            false => self.state.status(),
        };
        Answer::Done(SupplierOrder {
            status,
            ..self.order(&request.travellers)
        })
    }

    /// Whether an airline held it once and does no more, unpaid: it was let go, or nobody paid in time.
    fn was_held(&self) -> bool {
        self.state == State::Unconfirmed && !self.airline_pnrs().is_empty() && !self.has_tickets()
    }

    /// In our words, for these travellers.
    pub fn order(self, travellers: &[Traveller]) -> SupplierOrder {
        let airline_pnrs = self.by_route(|theirs| &theirs.pnr_details);
        let first = |by_route: &[(&str, &str)]| by_route.first().map(|(_, pnr)| (*pnr).to_owned());
        let airline_pnr = first(&airline_pnrs).unwrap_or_default();
        let pnr = first(&self.by_route(|theirs| &theirs.gds_pnrs)).unwrap_or_else(|| airline_pnr.clone());
        let is_one = airline_pnrs.iter().all(|(_, pnr)| *pnr == airline_pnr);
        let locators = airline_pnrs
            .iter()
            .filter(|_| !is_one)
            .map(|(route, pnr)| Locator {
                route: (*route).to_owned(),
                pnr: (*pnr).to_owned(),
            });
        SupplierOrder {
            status: self.state.status(),
            tickets: self.tickets(travellers),
            locators: locators.collect(),
            payment_required_by: self.time_limit.filter(|_| self.state == State::Held),
            id: self.id,
            pnr,
            airline_pnr,
            total: self.total,
            price_guaranteed_until: None,
            created_at: None,
            airline_changes: Vec::new(),
            flights: flights(&self.raw),
            raw: self.raw.into(),
        }
    }

    /// Every name under which an airline knows it, each once.
    pub fn airline_pnrs(&self) -> Vec<String> {
        let mut pnrs: Vec<String> = Vec::new();
        for pnr in self
            .travellers
            .iter()
            .flat_map(|theirs| values(&theirs.pnr_details))
        {
            if pnrs.iter().all(|known| known != pnr) {
                pnrs.push(pnr.to_owned());
            }
        }
        pnrs
    }

    /// What its travellers have of this by route, each once and in order of travel: their maps have none.
    fn by_route(&self, of: fn(&wire::BookedTraveller) -> &ByRoute) -> Vec<(&str, &str)> {
        let mut found: Vec<(&str, &str)> = Vec::new();
        let entries = self.travellers.iter().flat_map(of).flat_map(|map| &map.0);
        for (route, value) in entries {
            if let Some(value) = filled(value)
                && !found.contains(&(route, value))
            {
                found.push((route, value));
            }
        }
        let arrivals = self.arrivals();
        let place = |route: &str| arrivals.iter().position(|airport| route.ends_with(airport));
        found.sort_by_key(|(route, _)| place(route).unwrap_or(usize::MAX));
        found
    }

    /// Where its flights arrive, as far as it tells.
    fn arrivals(&self) -> Vec<&str> {
        let trips = self
            .raw
            .pointer("/itemInfos/AIR/tripInfos")
            .and_then(Value::as_array);
        let flights = trips
            .into_iter()
            .flatten()
            .filter_map(|trip| trip.get("sI")?.as_array());
        flights
            .flatten()
            .filter_map(|flight| flight.pointer("/aa/code")?.as_str())
            .collect()
    }

    /// Whether anybody has a ticket by it.
    pub fn has_tickets(&self) -> bool {
        let mut numbers = self
            .travellers
            .iter()
            .flat_map(|theirs| values(&theirs.ticket_number_details));
        numbers.next().is_some()
    }

    /// Whether it was given back: as a whole, or by each of its travellers on each route.
    pub fn is_given_back(&self) -> bool {
        let each_route = |theirs: &wire::BookedTraveller| {
            let mut states = values(&theirs.status_map).peekable();
            states.peek().is_some() && states.all(is_cancelled)
        };
        self.state == State::Cancelled
            || (!self.travellers.is_empty() && self.travellers.iter().all(each_route))
    }

    /// Whether this part of it was given back: each of its travellers is told to be cancelled on each of its journeys, by its
    /// route or by each of its flights. One that can't be told apart is not.
    pub fn is_part_given_back(&self, part: &PartToCancel) -> bool {
        let gone = |one: &JourneyToCancel, who: &TravellerToCancel| {
            let mut theirs = self.travellers.iter().filter(|theirs| is_named(theirs, who));
            let (Some(theirs), None) = (theirs.next(), theirs.next()) else {
                return false;
            };
            let mut told = filled_entries(&theirs.status_map)
                .filter(|(route, _)| one.journey.flies(route))
                .peekable();
            told.peek().is_some() && told.all(|(_, state)| is_cancelled(state))
        };
        let mut journeys = part.journeys.iter();
        self.state == State::Cancelled || journeys.all(|one| one.travellers.iter().all(|who| gone(one, who)))
    }

    /// TripJack's ids of all who travel by it; none where it does not name them all.
    pub fn traveller_ids(&self) -> Option<Vec<String>> {
        let id = |theirs: &wire::BookedTraveller| match theirs.id.as_ref()? {
            Value::String(text) => Some(text.clone()).filter(|text| !text.is_empty()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        let ids: Option<Vec<String>> = self.travellers.iter().map(id).collect();
        ids.filter(|ids| !ids.is_empty())
    }

    /// Of how many journeys it is, as its flights show it.
    pub fn journeys(&self) -> usize {
        let trips = self
            .raw
            .pointer("/itemInfos/AIR/tripInfos")
            .and_then(Value::as_array);
        let of_trip = |trip: &Value| {
            let flights = trip.get("sI").and_then(Value::as_array);
            let flights = flights.map(Vec::as_slice).unwrap_or_default();
            let is_back = |flight: &Value| flight.get("isRs") == Some(&Value::Bool(true));
            let begins = |pair: &[Value]| match pair {
                [before, flight] => {
                    flight.get("sN").and_then(Value::as_u64) == Some(0)
                        || (is_back(flight) && !is_back(before))
                }
                _ => false,
            };
            usize::from(!flights.is_empty()) + flights.windows(2).filter(|pair| begins(pair)).count()
        };
        trips.into_iter().flatten().map(of_trip).sum()
    }

    /// How many of its travellers are of this type.
    pub fn count(&self, kind: PassengerType) -> usize {
        let word = passenger_word(kind);
        let of_kind = |theirs: &&wire::BookedTraveller| theirs.kind.as_deref() == Some(word);
        self.travellers.iter().filter(of_kind).count()
    }

    fn tickets(&self, travellers: &[Traveller]) -> Vec<Ticket> {
        let is_given_back = self.is_given_back();
        let mut free: Vec<&Traveller> = travellers.iter().collect();
        let mut tickets: Vec<Ticket> = Vec::new();
        for theirs in &self.travellers {
            let owner = taken(&mut free, theirs);
            for (route, number) in filled_entries(&theirs.ticket_number_details) {
                let Some(owner) = owner else {
                    tracing::warn!(order = self.id, "a ticket of nobody we know is left out");
                    continue;
                };
                let is_same = |known: &&mut Ticket| known.number == number && known.traveller == owner.index;
                let mut told = filled_entries(&theirs.status_map);
                let is_gone = told.any(|(of, state)| of == route && is_cancelled(state));
                let status = match is_given_back || is_gone {
                    true => TicketStatus::Refunded,
                    false => TicketStatus::Issued,
                };
                // One ticket of two journeys is told once for each.
                match tickets.iter_mut().find(is_same) {
                    Some(known) => {
                        known.routes.push(route.to_owned());
                        if status == TicketStatus::Issued {
                            known.status = status;
                        }
                    }
                    None => tickets.push(Ticket {
                        number: number.to_owned(),
                        traveller: owner.index,
                        status,
                        routes: vec![route.to_owned()],
                    }),
                }
            }
        }
        tickets.sort_by_key(|ticket| ticket.traveller);
        tickets
    }
}

/// The flights of an order as it shows them; none where they can't be read, with a warning: they must not cost the order.
fn flights(raw: &Value) -> Vec<Segment> {
    let trips = raw.pointer("/itemInfos/AIR/tripInfos").and_then(Value::as_array);
    let (mut shown, mut parts) = (Vec::new(), SharedParts::default());
    for flights in trips.into_iter().flatten().filter_map(|trip| trip.get("sI")) {
        match serde_path_to_error::deserialize::<_, Vec<flight_wire::Segment<Text>>>(flights) {
            Ok(flights) => shown.extend(flights.iter().map(|flight| flown(flight, &mut parts))),
            Err(error) => {
                tracing::warn!(%error, "the flights of an order are left out");
                return Vec::new();
            }
        }
    }
    shown
}

type ByRoute = Option<Entries<String, Option<String>>>;

fn values(by_route: &ByRoute) -> impl Iterator<Item = &str> {
    filled_entries(by_route).map(|(_, value)| value)
}

fn filled_entries(by_route: &ByRoute) -> impl Iterator<Item = (&str, &str)> {
    let entries = by_route.iter().flat_map(|entries| &entries.0);
    entries.filter_map(|(route, value)| Some((route.as_str(), filled(value)?)))
}

fn is_cancelled(state: &str) -> bool {
    state.eq_ignore_ascii_case("CANCELLED")
}

/// Which of these it is, who is free no more then.
fn taken<'a>(free: &mut Vec<&'a Traveller>, theirs: &wire::BookedTraveller) -> Option<&'a Traveller> {
    let place = free.iter().position(|ours| is_same(theirs, ours))?;
    Some(free.remove(place))
}

fn is_same(theirs: &wire::BookedTraveller, ours: &Traveller) -> bool {
    is_called(theirs, (ours.kind, &ours.first_name, ours.family_name()))
}

fn is_named(theirs: &wire::BookedTraveller, who: &TravellerToCancel) -> bool {
    is_called(theirs, (who.kind, &who.first_name, &who.last_name))
}

fn is_called(theirs: &wire::BookedTraveller, ours: (PassengerType, &str, &str)) -> bool {
    let names = theirs.first_name.as_deref().zip(theirs.last_name.as_deref());
    names.is_some_and(|(first, last)| has_name((theirs.kind.as_deref(), first, last), ours))
}

/// Whether somebody whom they name so is who we name so. Names may come back in capitals; without a type any is meant.
pub(super) fn has_name(
    (kind, first, last): (Option<&str>, &str, &str),
    (ours, our_first, our_last): (PassengerType, &str, &str),
) -> bool {
    let same = |theirs: &str, ours: &str| theirs.trim().to_lowercase() == ours.trim().to_lowercase();
    kind.is_none_or(|word| word == passenger_word(ours)) && same(first, our_first) && same(last, our_last)
}
