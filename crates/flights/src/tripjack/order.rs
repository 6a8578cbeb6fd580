//! Ours to theirs and back: orders, and who on an order is which of our travellers.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde_json::Value;
use wayfare_domain::{
    Gender, Money, OrderStatus, PassengerType, SaidTraveller, TicketStatus, Title, Traveller, whose,
};
use wayfare_supply::{JourneyToCancel, PartToCancel, TravellerToCancel};

use super::ancillaries;
use super::journey::flown;
use super::names::SPELLING;
use super::offers::{indian_time, price};
use super::order_wire;
use super::papers::{self, Taken};
use super::parts::{OFFERED, ORDERED};
use super::review::SupplierContext;
use super::wire::{self, Entries, Number, Text, passenger_word};
use crate::{Locator, OrderMode, OrderRequest, Segment, SupplierOrder, Ticket, shared_parts::SharedParts};
use wayfare_supply::lenient::{parse_leniently, read_leniently};
use wayfare_supply::reading::{Unreadable, filled, is_word, parse, parse_tree};
use wayfare_supply::{LossKind, note_loss};

/// The booking in their words, paid at once with what is due or held.
///
/// # Errors
/// When the words of what is bought with the fare are not ours.
pub(super) fn new_order<'a>(
    request: &'a OrderRequest,
    supplier_context: &'a SupplierContext,
    due: Money,
    phone: &'a str,
) -> Result<order_wire::NewOrder<'a>, String> {
    // Nobody else is known for emergencies than who booked.
    let first = request.travellers.first();
    let name = first.map(|traveller| {
        let (first, last) = names(traveller);
        format!("{first} {last}")
    });
    Ok(order_wire::NewOrder {
        booking_id: &supplier_context.booking_id,
        payments: (request.mode == OrderMode::Instant).then(|| [payment(due)]),
        travellers: request
            .travellers
            .iter()
            .map(|traveller| new_traveller(traveller, request, &supplier_context.taken))
            .collect::<Result<_, _>>()?,
        delivery: contact(request, phone, None),
        emergency: supplier_context.emergency_contact.then(|| contact(request, phone, name)),
        gst: supplier_context.taken.gst(request.papers.gst.as_ref()),
    })
}

/// How the party is reached.
pub(super) fn contact<'a>(
    request: &'a OrderRequest,
    phone: &'a str,
    name: Option<String>,
) -> order_wire::NewContact<'a> {
    order_wire::NewContact { emails: [&request.contact.email], contacts: [phone], name }
}

/// So much from our balance with TripJack.
pub(super) fn payment(total: Money) -> order_wire::NewPayment {
    order_wire::NewPayment { amount: total.number() }
}

fn new_traveller<'a>(
    traveller: &'a Traveller,
    request: &'a OrderRequest,
    taken: &Taken,
) -> Result<order_wire::NewTraveller<'a>, String> {
    let is_adult = traveller.kind == PassengerType::Adult;
    let (first_name, last_name) = names(traveller);
    Ok(order_wire::NewTraveller {
        title: match (traveller.title, traveller.gender) {
            (Title::Mrs, _) if is_adult => "Mrs",
            (_, Gender::Male) if is_adult => "Mr",
            (_, Gender::Male) => "Master",
            (_, Gender::Female) => "Ms",
        },
        kind: passenger_word(traveller.kind),
        first_name,
        last_name,
        born_on: traveller.born_on,
        papers: taken.papers(traveller, request.papers.of(traveller.index)),
        services: ancillaries::ordered(&request.ancillaries, traveller.index)?,
    })
}

/// Given and family name in the letters that TripJack takes.
fn names(traveller: &Traveller) -> (String, String) {
    (SPELLING.spelled(&traveller.first_name), SPELLING.spelled(traveller.family_name()))
}

/// Somebody whose ticket is reissued, as he was booked: what was bought with the fare is not bought again.
pub(super) fn reissued_traveller<'a>(
    traveller: &'a Traveller,
    request: &'a OrderRequest,
    taken: &Taken,
) -> Result<order_wire::NewTraveller<'a>, String> {
    Ok(order_wire::NewTraveller { services: BTreeMap::new(), ..new_traveller(traveller, request, taken)? })
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
    /// Of one in an unknown word nobody knows how it ends.
    fn of(word: &str) -> Self {
        match word.trim().to_ascii_uppercase().as_str() {
            "SUCCESS" => Self::Confirmed,
            "ON_HOLD" => Self::Held,
            "PENDING" => Self::Pending,
            "UNCONFIRMED" => Self::Unconfirmed,
            "CANCELLED" => Self::Cancelled,
            "FAILED" | "ABORTED" => Self::Failed,
            _ => {
                note_loss(LossKind::UnknownWord, "order.status", word);
                Self::Pending
            }
        }
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
    /// None where it can't be read: the order stands all the same.
    pub total: Option<Money>,
    pub raw: Value,
    pub id: String,
    /// Until when a hold must be paid.
    time_limit: Option<DateTime<Utc>>,
    travellers: Vec<order_wire::BookedTraveller>,
    flights: Vec<Segment>,
}

/// The answer to a question for an order. What is lost of it is noted here: nobody counts it once the answer is read.
pub(super) fn details(body: &[u8]) -> Result<Details, Unreadable> {
    let mut raw = parse_tree(body)?;
    papers::forget(&mut raw);
    let theirs: order_wire::BookingDetails = read_leniently(&raw, "", &ORDERED)?;
    let state = State::of(&theirs.order.status);
    let (travellers, time_limit) = theirs
        .items
        .and_then(|items| items.air)
        .map_or((None, None), |air| (air.traveller_infos, air.time_limit));
    let details = Details {
        state,
        total: total(theirs.order.amount),
        id: theirs.order.booking_id,
        time_limit: time_limit.and_then(|limit| deadline(&limit)),
        travellers: travellers.unwrap_or_default(),
        flights: flights(&raw),
        raw,
    };
    details.note_missing();
    Ok(details)
}

/// The answer to a question for the order of this id.
pub(super) fn details_of(id: &str, body: &[u8]) -> Result<Details, Unreadable> {
    let details = details(body)?;
    match details.id == id {
        true => Ok(details),
        false => Err(Unreadable::new(format!("the supplier told of order {}", details.id))),
    }
}

/// What it costs. An amount that can't be read hides no order that was sold.
fn total(theirs: Option<Number>) -> Option<Money> {
    let total = price("order.amount", theirs?);
    total.inspect_err(|reason| note_loss(LossKind::LeftOut, "order.amount", reason)).ok()
}

/// None with a warning where it can't be read: the order stands all the same.
fn deadline(time_limit: &Value) -> Option<DateTime<Utc>> {
    let deadline = time_limit.as_str().and_then(indian_time);
    if deadline.is_none() && !time_limit.is_null() {
        note_loss(LossKind::LeftOut, "itemInfos.AIR.timeLimit", "");
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
    let theirs = parse::<order_wire::Validated>(body)?;
    let moved = theirs.alerts.iter().flatten().find_map(|alert| alert.new_fare);
    let moved = moved.map(|fare| price("newFare", fare)).transpose();
    Ok(HeldFare { moved: moved.map_err(Unreadable::new)?, is_stale: theirs.is_stale == Some(true) })
}

impl Details {
    /// In our words, for whoever it was requested. It is ours by its id, which the review of our request gave it: an airline spells
    /// names as it likes (D-570).
    pub fn order_of(self, request: &OrderRequest) -> SupplierOrder {
        let total = self.total.or(request.due().ok()).unwrap_or(request.total);
        let status = match request.mode == OrderMode::Hold && self.was_held() {
            true => OrderStatus::Cancelled,
            false => self.state.status(),
        };
        SupplierOrder { status, ..self.order(&request.travellers, total) }
    }

    /// Whether an airline held it once and does no more, unpaid: it was let go, or nobody paid in time.
    fn was_held(&self) -> bool {
        self.state == State::Unconfirmed && !self.airline_pnrs().is_empty() && !self.has_tickets()
    }

    /// In our words, for these travellers, at this total.
    pub fn order(self, travellers: &[Traveller], total: Money) -> SupplierOrder {
        let airline_pnrs = self.by_route(|theirs| &theirs.pnr_details);
        let first = |by_route: &[(&str, &str)]| by_route.first().map(|(_, pnr)| (*pnr).to_owned());
        let airline_pnr = first(&airline_pnrs).unwrap_or_default();
        let pnr = first(&self.by_route(|theirs| &theirs.gds_pnrs)).unwrap_or_else(|| airline_pnr.clone());
        let owners = self.owners(travellers);
        let unclear = |place: &usize| !owners.contains(&Some(*place));
        let unclear_travellers = (0..travellers.len())
            .filter(|place| !self.travellers.is_empty() && unclear(place))
            .filter_map(|place| Some(travellers.get(place)?.index));
        let is_one = airline_pnrs.iter().all(|(_, pnr)| *pnr == airline_pnr);
        let locators = airline_pnrs
            .iter()
            .filter(|_| !is_one)
            .map(|(route, pnr)| Locator { route: (*route).to_owned(), pnr: (*pnr).to_owned() });
        SupplierOrder {
            status: self.state.status(),
            tickets: self.tickets(&owners, travellers),
            unclear_travellers: unclear_travellers.collect(),
            locators: locators.collect(),
            payment_required_by: self.time_limit.filter(|_| self.state == State::Held),
            id: self.id,
            pnr,
            airline_pnr,
            total,
            price_guaranteed_until: None,
            created_at: None,
            airline_changes: Vec::new(),
            flights: self.flights,
            raw: self.raw.into(),
        }
    }

    /// What every order has that is confirmed. A hold is paid by its amount and let go by its locators.
    fn note_missing(&self) {
        let has = |of: fn(&order_wire::BookedTraveller) -> &ByRoute| {
            self.travellers.iter().any(|theirs| of(theirs).is_some())
        };
        let is_named =
            |theirs: &order_wire::BookedTraveller| theirs.first_name.is_some() && theirs.last_name.is_some();
        let has_names = self.travellers.iter().all(is_named);
        // One that is there and can't be read is noted as such.
        let has_amount = self.raw.pointer("/order/amount").is_some_and(|amount| !amount.is_null());
        let [confirmed, held] = [State::Confirmed, State::Held].map(|state| self.state == state);
        let parts = [
            ("itemInfos.AIR.travellerInfos", confirmed, !self.travellers.is_empty()),
            ("itemInfos.AIR.travellerInfos[].fN", confirmed, has_names),
            (
                "itemInfos.AIR.travellerInfos[].pnrDetails",
                confirmed || held,
                has(|theirs| &theirs.pnr_details),
            ),
            (
                "itemInfos.AIR.travellerInfos[].ticketNumberDetails",
                confirmed,
                has(|theirs| &theirs.ticket_number_details),
            ),
            ("itemInfos.AIR.tripInfos[].sI", confirmed, self.journeys() > 0),
            ("order.amount", confirmed || held, has_amount),
        ];
        for (field, ..) in parts.into_iter().filter(|(_, is_expected, is_there)| *is_expected && !is_there) {
            note_loss(LossKind::Missing, field, "");
        }
    }

    /// Every name under which an airline knows it, each once.
    pub fn airline_pnrs(&self) -> Vec<String> {
        let mut pnrs: Vec<String> = Vec::new();
        for pnr in self.travellers.iter().flat_map(|theirs| values(&theirs.pnr_details)) {
            if pnrs.iter().all(|known| known != pnr) {
                pnrs.push(pnr.to_owned());
            }
        }
        pnrs
    }

    /// What its travellers have of this by route, each once and in order of travel: their maps have none.
    fn by_route(&self, of: fn(&order_wire::BookedTraveller) -> &ByRoute) -> Vec<(&str, &str)> {
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
        let trips = self.raw.pointer("/itemInfos/AIR/tripInfos").and_then(Value::as_array);
        let flights = trips.into_iter().flatten().filter_map(|trip| trip.get("sI")?.as_array());
        flights.flatten().filter_map(|flight| flight.pointer("/aa/code")?.as_str()).collect()
    }

    /// Whether anybody has a ticket by it.
    pub fn has_tickets(&self) -> bool {
        let mut numbers = self.travellers.iter().flat_map(|theirs| values(&theirs.ticket_number_details));
        numbers.next().is_some()
    }

    /// Whether it was given back: as a whole, or by each of its travellers on each route.
    pub fn is_given_back(&self) -> bool {
        let each_route = |theirs: &order_wire::BookedTraveller| {
            let mut states = values(&theirs.status_map).peekable();
            states.peek().is_some() && states.all(is_cancelled)
        };
        self.state == State::Cancelled
            || (!self.travellers.is_empty() && self.travellers.iter().all(each_route))
    }

    /// Whether this part of it was given back: each of its travellers is told to be cancelled on each of its journeys, by its
    /// route or by each of its flights. One that can't be told apart is not.
    pub fn is_part_given_back(&self, part: &PartToCancel) -> bool {
        let owners = self.owners(&part.party);
        let gone = |one: &JourneyToCancel, who: &TravellerToCancel| {
            let Some(theirs) = self.of_index(who.index, &owners, &part.party) else { return false };
            let mut told =
                filled_entries(&theirs.status_map).filter(|(route, _)| one.journey.flies(route)).peekable();
            told.peek().is_some() && told.all(|(_, state)| is_cancelled(state))
        };
        let mut journeys = part.journeys.iter();
        self.state == State::Cancelled || journeys.all(|one| one.travellers.iter().all(|who| gone(one, who)))
    }

    /// Which of these each of its travellers is, by their place; none of whom nobody can tell surely.
    fn owners(&self, travellers: &[Traveller]) -> Vec<Option<usize>> {
        let theirs: Vec<SaidTraveller> = self.travellers.iter().map(said).collect();
        let ours: Vec<SaidTraveller> = travellers.iter().map(SaidTraveller::from).collect();
        whose(&theirs, &ours)
    }

    fn of_index(
        &self,
        index: u32,
        owners: &[Option<usize>],
        travellers: &[Traveller],
    ) -> Option<&order_wire::BookedTraveller> {
        let place = travellers.iter().position(|ours| ours.index == index)?;
        let theirs = owners.iter().position(|owner| *owner == Some(place))?;
        self.travellers.get(theirs)
    }

    /// Given and family name, as it has them, of each traveller of this part, by our indices: by these TripJack knows them.
    ///
    /// # Errors
    /// When nobody can tell surely who one of them is.
    pub fn names_in(&self, part: &PartToCancel) -> Result<BTreeMap<u32, (String, String)>, String> {
        let owners = self.owners(&part.party);
        let gone = part.journeys.iter().flat_map(|journey| &journey.travellers);
        gone.map(|who| {
            let theirs = self.of_index(who.index, &owners, &part.party);
            let theirs = theirs.ok_or_else(|| {
                format!(
                    "nobody can tell who of order {} is traveller {}: the supplier's names fit several or nobody",
                    self.id, who.index
                )
            })?;
            let name = |name: &Option<String>| name.clone().unwrap_or_default();
            Ok((who.index, (name(&theirs.first_name), name(&theirs.last_name))))
        })
        .collect()
    }

    /// TripJack's ids of all who travel by it; none where it does not name them all.
    pub fn traveller_ids(&self) -> Option<Vec<String>> {
        let id = |theirs: &order_wire::BookedTraveller| match theirs.id.as_ref()? {
            Value::String(text) => Some(text.clone()).filter(|text| !text.is_empty()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        let ids: Option<Vec<String>> = self.travellers.iter().map(id).collect();
        ids.filter(|ids| !ids.is_empty())
    }

    /// Of how many journeys it is, as its flights show it.
    pub fn journeys(&self) -> usize {
        let trips = self.raw.pointer("/itemInfos/AIR/tripInfos").and_then(Value::as_array);
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
        let is_it = |kind: &str| is_word(kind, word);
        let of_kind = |theirs: &&order_wire::BookedTraveller| theirs.kind.as_deref().is_some_and(is_it);
        self.travellers.iter().filter(of_kind).count()
    }

    fn tickets(&self, owners: &[Option<usize>], travellers: &[Traveller]) -> Vec<Ticket> {
        let is_given_back = self.is_given_back();
        let mut tickets: Vec<Ticket> = Vec::new();
        for (theirs, owner) in self.travellers.iter().zip(owners) {
            let owner = owner.and_then(|place| travellers.get(place)).map(|owner| owner.index);
            for (route, number) in filled_entries(&theirs.ticket_number_details) {
                let is_same = |known: &&mut Ticket| known.number == number && known.traveller == owner;
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
                        traveller: owner,
                        status,
                        routes: vec![route.to_owned()],
                    }),
                }
            }
        }
        tickets.sort_by_key(Ticket::place);
        tickets
    }
}

/// The flights of an order as it shows them; none where they can't be read, with a warning: they must not cost the order.
fn flights(raw: &Value) -> Vec<Segment> {
    let trips = raw.pointer("/itemInfos/AIR/tripInfos").and_then(Value::as_array);
    let (mut shown, mut parts) = (Vec::new(), SharedParts::default());
    for flights in trips.into_iter().flatten().filter_map(|trip| trip.get("sI")) {
        let text = flights.to_string();
        let at = "itemInfos.AIR.tripInfos[].sI";
        match parse_leniently::<Vec<wire::Segment<Text>>>(text.as_bytes(), at, &OFFERED) {
            Ok(flights) => shown.extend(flights.iter().map(|flight| flown(flight, &mut parts))),
            Err(error) => {
                note_loss(LossKind::LeftOut, at, "");
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
    is_word(state, "CANCELLED")
}

fn said(theirs: &order_wire::BookedTraveller) -> SaidTraveller {
    let name = |name: &Option<String>| name.clone().unwrap_or_default();
    said_traveller(
        theirs.kind.as_deref(),
        theirs.title.as_deref(),
        &name(&theirs.first_name),
        &name(&theirs.last_name),
    )
}

/// Somebody as TripJack names them. A type in a word that nobody knows is not said.
pub(super) fn said_traveller(
    kind: Option<&str>,
    title: Option<&str>,
    first_name: &str,
    last_name: &str,
) -> SaidTraveller {
    let mut kinds = [PassengerType::Adult, PassengerType::Child, PassengerType::Infant].into_iter();
    let is_kind =
        |of: &PassengerType| kind.is_some_and(|word| word.trim().eq_ignore_ascii_case(passenger_word(*of)));
    SaidTraveller::of_supplier(kinds.find(is_kind), title, first_name, last_name)
}
