//! Theirs to ours: orders and cancellations, and who on an order is which of our travellers.

use std::collections::BTreeMap;
use wayfare_supply::amounts::Number;
use wayfare_supply::reading::{self, is_word, parse_if, read_tree};
use wayfare_supply::{
    CancellationQuote, CancellationState, LossKind, UnclearRefund, is_id, lenient::read_leniently, note_loss,
};

use chrono::{DateTime, Utc};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, value::RawValue};
use wayfare_domain::{Contact, Gender, Money, OrderStatus, PassengerType, TicketStatus, Title, Traveller};

use super::airline_changes::{airline_changes, flights};
use super::money::{money, price};
use super::names::SPELLING;
use super::papers::{self, Taken};
use super::parts::{GIVEN_BACK, ORDERED};
use super::wire::{self, Text};
use crate::{AncillaryKind, FareRules, OrderMode, OrderRequest, SupplierOrder, Ticket};

/// What is remembered of a priced offer until it is booked or looked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SupplierContext {
    /// In the offer's order.
    pub passengers: Vec<Remembered>,
    /// No order of it can be older.
    pub offer_created_at: Option<DateTime<Utc>>,
    /// What of the travellers is sent beside their names.
    #[serde(default, skip_serializing_if = "Taken::is_nothing")]
    pub taken: Taken,
}

/// What is kept of a priced offer with its quote alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct AncillaryCatalog {
    /// What was sold beside the fare.
    pub services: Vec<Services>,
    /// What was said of giving it back and changing it.
    pub rules: FareRules,
}

/// Alike [`crate::Ancillary`]s as Duffel takes orders for them: for each traveller each is a service of its own. Many seats
/// differ in nothing but their code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Services {
    pub kind: AncillaryKind,
    /// By their places among all of the order.
    pub segments: Vec<u16>,
    pub most: u32,
    /// Of one.
    pub price: Money,
    /// The service's id by code and by the passenger's place. Passengers with the same id share one purchase, which is
    /// paid once.
    pub ids: BTreeMap<String, BTreeMap<u16, String>>,
}

/// One of the offer's passengers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Remembered {
    pub id: String,
    pub kind: PassengerType,
}

/// The offer's passengers in our words.
pub(super) fn remembered(passengers: &[wire::OfferPassenger<Text>]) -> Result<Vec<Remembered>, String> {
    let read = |(index, theirs): (usize, &wire::OfferPassenger<Text>)| {
        let kind = passenger_type(theirs).ok_or_else(|| format!("passengers[{index}].type is unknown"))?;
        let id = theirs.id.to_string();
        Ok(Remembered { id, kind })
    };
    passengers.iter().enumerate().map(read).collect()
}

/// Who was asked for by age alone has no type.
fn passenger_type(theirs: &wire::OfferPassenger<Text>) -> Option<PassengerType> {
    let kind = theirs.kind.as_ref().map(|word| word.trim().to_ascii_lowercase());
    match (kind.as_deref(), theirs.age) {
        (Some("adult"), _) => Some(PassengerType::Adult),
        (Some("child"), _) => Some(PassengerType::Child),
        (Some("infant_without_seat"), _) => Some(PassengerType::Infant),
        (None, Some(age)) => Some(match age {
            0..=1 => PassengerType::Infant,
            2..=11 => PassengerType::Child,
            _ => PassengerType::Adult,
        }),
        _ => None,
    }
}

pub(super) fn passenger_word(kind: PassengerType) -> &'static str {
    match kind {
        PassengerType::Adult => "adult",
        PassengerType::Child => "child",
        PassengerType::Infant => "infant_without_seat",
    }
}

impl SupplierContext {
    /// What was kept of an offer.
    ///
    /// # Errors
    /// When it was not kept by us.
    pub fn read(supplier_context: &Value) -> Result<Self, String> {
        read_tree(supplier_context).map_err(|error| format!("the offer's memory is unreadable: {error}"))
    }

    /// Where among the offer's passengers this one is.
    pub fn place(&self, passenger_id: &str) -> Option<u16> {
        let place = self.passengers.iter().position(|passenger| passenger.id == passenger_id);
        place.and_then(|place| place.try_into().ok())
    }

    /// Each traveller with the offer's passenger of that type whose turn it is.
    pub fn seat<'a>(&'a self, travellers: &'a [Traveller]) -> Result<Vec<(&'a str, &'a Traveller)>, String> {
        if travellers.len() != self.passengers.len() {
            return Err(format!("the offer is for {} and not {}", self.passengers.len(), travellers.len()));
        }
        let mut free: Vec<&Remembered> = self.passengers.iter().collect();
        let seat = |traveller: &'a Traveller| {
            let place = free.iter().position(|passenger| passenger.kind == traveller.kind);
            let place = place.ok_or_else(|| {
                format!(
                    "the offer has no place for traveller {} ({})",
                    traveller.index,
                    traveller.kind.as_ref()
                )
            })?;
            Ok((free.remove(place).id.as_str(), traveller))
        };
        travellers.iter().map(seat).collect()
    }
}

/// Whose passenger id is whose, by the travellers' indices.
pub(super) fn indices<'a>(seated: &[(&'a str, &Traveller)]) -> Vec<(&'a str, u32)> {
    seated.iter().map(|&(id, traveller)| (id, traveller.index)).collect()
}

/// The booking in their words, paid with this amount where it is paid at once.
pub(super) fn new_order<'a>(
    request: &'a OrderRequest,
    taken: &Taken,
    seated: &[(&'a str, &'a Traveller)],
    services: Vec<wire::NewService<'a>>,
    phone: &'a str,
    due: Money,
) -> Result<wire::NewOrder<'a>, String> {
    let infants = infants(seated);
    let passenger = |&(id, traveller): &(&'a str, &'a Traveller)| {
        let infant = infants.iter().find(|(adult, _)| *adult == traveller.index).map(|&(_, infant)| infant);
        Ok(wire::NewTraveller {
            infant_passenger_id: infant,
            identity_documents: taken.identity_documents(request.papers.of(traveller.index)),
            loyalty_programme_accounts: taken.loyalty_accounts(traveller),
            ..new_traveller(id, traveller, &request.contact, phone)?
        })
    };
    Ok(wire::NewOrder {
        kind: match request.mode {
            OrderMode::Instant => "instant",
            OrderMode::Hold => "hold",
        },
        selected_offers: [&request.offer_token],
        passengers: seated.iter().map(passenger).collect::<Result<_, String>>()?,
        services,
        payments: (request.mode == OrderMode::Instant).then(|| [wire::NewPayment::from_balance(due)]),
        metadata: wire::NewMetadata { reference: request.reference.as_ref() },
    })
}

/// The index of each adult who holds an infant, and the infant's id. An infant that nobody is named for goes to
/// the first adult who holds none: Duffel wants each to be held.
fn infants<'a>(seated: &[(&'a str, &'a Traveller)]) -> Vec<(u32, &'a str)> {
    let of = |kind| seated.iter().filter(move |(_, traveller)| traveller.kind == kind);
    let named = of(PassengerType::Infant).filter_map(|(id, infant)| Some((infant.held_by?, *id)));
    let mut held: Vec<(u32, &str)> = named.collect();
    for (id, _) in of(PassengerType::Infant).filter(|(_, infant)| infant.held_by.is_none()) {
        let free =
            of(PassengerType::Adult).find(|(_, adult)| held.iter().all(|(index, _)| *index != adult.index));
        held.extend(free.map(|(_, adult)| (adult.index, *id)));
    }
    held
}

fn new_traveller<'a>(
    id: &'a str,
    traveller: &'a Traveller,
    contact: &'a Contact,
    phone: &'a str,
) -> Result<wire::NewTraveller<'a>, String> {
    Ok(wire::NewTraveller {
        id,
        title: match traveller.title {
            // Duffel knows no title for boys.
            Title::Mr | Title::Mstr => "mr",
            Title::Mrs => "mrs",
            Title::Ms => "ms",
            Title::Miss => "miss",
            Title::Dr => "dr",
        },
        given_name: SPELLING.spelled(&traveller.first_name),
        family_name: SPELLING.spelled(traveller.family_name()),
        gender: match traveller.gender {
            Gender::Male => "m",
            Gender::Female => "f",
        },
        born_on: traveller.born_on.ok_or("the birth date of a traveller is not known")?,
        email: &contact.email,
        phone_number: phone,
        infant_passenger_id: None,
        identity_documents: Vec::new(),
        loyalty_programme_accounts: Vec::new(),
    })
}

/// The order in our words; `seated` tells whose passenger ids are whose, and `due` what it was sold for. An amount that can't be
/// read hides no order that was sold: it costs what is due then.
pub(super) fn order(
    raw: Box<RawValue>,
    seated: &[(&str, u32)],
    due: Option<Money>,
    now: DateTime<Utc>,
) -> Result<SupplierOrder, String> {
    let raw = papers::forget(raw).map_err(|error| error.to_string())?;
    let theirs: wire::Order = told(&raw)?;
    let shown: wire::ShownFlights = told(&raw)?;
    let status = status(&theirs, now);
    note_missing(&theirs, &shown, status);
    let total = total(&theirs).or_else(|reason| due.ok_or(reason))?;
    let tickets = tickets(&theirs, seated);
    let unclear_travellers = match tickets.iter().any(|ticket| ticket.traveller.is_none()) {
        true => without_ticket(&tickets, seated),
        false => Vec::new(),
    };
    let pnr = theirs.booking_reference.unwrap_or_default();
    // Where no carrier has a name of its own for it, the order's is the airline's.
    let carriers = theirs.booking_references.unwrap_or_default();
    let airline_pnr =
        carriers.into_iter().find_map(|carrier| carrier.booking_reference.filter(|name| !name.is_empty()));
    Ok(SupplierOrder {
        id: theirs.id,
        status,
        airline_pnr: airline_pnr.unwrap_or_else(|| pnr.clone()),
        pnr,
        locators: Vec::new(),
        tickets,
        unclear_travellers,
        total,
        payment_required_by: theirs.payment_status.payment_required_by,
        price_guaranteed_until: theirs.payment_status.price_guarantee_expires_at,
        created_at: theirs.created_at,
        airline_changes: airline_changes(&shown),
        flights: flights(&shown),
        raw: raw.into(),
    })
}

fn total(theirs: &wire::Order) -> Result<Money, String> {
    let amount = theirs.total_amount.ok_or("total_amount can't be read")?;
    let currency = theirs.total_currency.ok_or("total_currency can't be read")?;
    money("total_amount", amount, currency.0)
}

/// What every order has that is confirmed, and every document.
fn note_missing(theirs: &wire::Order, shown: &wire::ShownFlights, status: OrderStatus) {
    let documents = theirs.documents.as_deref();
    let of_document =
        |is_missing: fn(&wire::Document) -> bool| documents.is_some_and(|all| all.iter().any(is_missing));
    let parts = [
        ("order.booking_reference", theirs.booking_reference.is_none()),
        ("order.documents", documents.is_none()),
        ("order.documents[].type", of_document(|one| one.kind.is_none())),
        ("order.documents[].passenger_ids", of_document(|one| one.passenger_ids.is_none())),
        ("order.total_amount", theirs.total_amount.is_none()),
        ("order.total_currency", theirs.total_currency.is_none()),
        ("order.slices", shown.slices.is_none()),
    ];
    let missing = parts.into_iter().filter(|(_, is_missing)| *is_missing);
    for (field, _) in missing.filter(|_| status == OrderStatus::Confirmed) {
        note_loss(LossKind::Missing, field, "");
    }
}

/// What is told of an order. One that tells something twice, or can't be read, is read once more as a tree, which takes what
/// was told last and knows what can't be read.
fn told<T: DeserializeOwned>(order: &RawValue) -> Result<T, String> {
    if let Some(told) = parse_if(order.get().as_bytes()) {
        return Ok(told);
    }
    let tree: Value = serde_json::from_str(order.get()).map_err(|error| error.to_string())?;
    read_leniently(&tree, "order", &ORDERED).map_err(|error| error.to_string())
}

/// Duffel says `awaiting_payment: false` of a paid order and also of a hold that nobody paid in time. The second
/// has neither been paid nor ticketed, and its deadline is past; its space is gone.
fn status(theirs: &wire::Order, now: DateTime<Utc>) -> OrderStatus {
    let payment = &theirs.payment_status;
    let lapsed = payment.payment_required_by.is_some_and(|deadline| deadline <= now)
        && payment.paid_at.is_none()
        && !theirs.documents.iter().flatten().any(is_ticket);
    match (theirs.cancelled_at, payment.awaiting_payment) {
        (Some(_), _) => OrderStatus::Cancelled,
        (None, true) => OrderStatus::Held,
        (None, false) if lapsed => OrderStatus::Cancelled,
        (None, false) => OrderStatus::Confirmed,
    }
}

fn is_ticket(document: &wire::Document) -> bool {
    document.kind.as_deref().is_some_and(|word| is_word(word, "electronic_ticket"))
}

fn tickets(theirs: &wire::Order, seated: &[(&str, u32)]) -> Vec<Ticket> {
    let status = match (theirs.cancelled_at, theirs.void_window_ends_at) {
        (None, _) => TicketStatus::Issued,
        (Some(cancelled), Some(end)) if cancelled <= end => TicketStatus::Voided,
        (Some(_), _) => TicketStatus::Refunded,
    };
    let mut tickets: Vec<Ticket> = Vec::new();
    for document in theirs.documents.iter().flatten().filter(|document| is_ticket(document)) {
        for traveller in owners(document, seated) {
            let ticket =
                Ticket { number: document.unique_identifier.clone(), traveller, status, routes: Vec::new() };
            // One ticket of two journeys may be listed once for each.
            if !tickets.contains(&ticket) {
                tickets.push(ticket);
            }
        }
    }
    tickets.sort_by_key(Ticket::place);
    tickets
}

/// Those of whom no ticket is known, while one is nobody's.
fn without_ticket(tickets: &[Ticket], seated: &[(&str, u32)]) -> Vec<u32> {
    let has_none = |index: &u32| tickets.iter().all(|ticket| ticket.traveller != Some(*index));
    seated.iter().map(|(_, index)| *index).filter(has_none).collect()
}

/// A document without passengers is the only traveller's; of several it can't be told whose.
fn owners(document: &wire::Document, seated: &[(&str, u32)]) -> Vec<Option<u32>> {
    let owners = known_owners(document, seated);
    match owners.is_empty() {
        true => vec![None],
        false => owners.into_iter().map(Some).collect(),
    }
}

fn known_owners(document: &wire::Document, seated: &[(&str, u32)]) -> Vec<u32> {
    match (&document.passenger_ids, seated) {
        (None, [(_, only)]) => vec![*only],
        (None, _) => Vec::new(),
        (Some(ids), _) => {
            let owner = |id: &String| seated.iter().find(|(known, _)| known == id).map(|&(_, index)| index);
            ids.iter().filter_map(owner).collect()
        }
    }
}

/// What is said of money in a cancellation.
const REFUND: [&str; 3] = ["refund_amount", "refund_currency", "refund_to"];

/// The cancellation in our words. One whose refund can't be read is a cancellation all the same.
pub(super) fn cancellation(raw: Value) -> Result<CancellationQuote, String> {
    let theirs: wire::Cancellation =
        read_leniently(&raw, "cancellation", &GIVEN_BACK).map_err(|error| error.to_string())?;
    let (refund, unclear) = match refund(&raw, theirs.refund_to.as_deref()) {
        Ok(refund) => (refund, None),
        Err(reason) => {
            note_loss(LossKind::LeftOut, "cancellation.refund_amount", &reason);
            (None, Some(UnclearRefund::of(reason, &raw, &REFUND)))
        }
    };
    let state = match theirs.confirmed_at {
        Some(_) => CancellationState::Confirmed,
        None => CancellationState::Pending,
    };
    let expires_at = theirs.expires_at;
    Ok(CancellationQuote { unclear, expires_at, ..CancellationQuote::of(theirs.id, refund, state, raw) })
}

/// One that can't be read at all; what is asked for by its id needs no more than that.
pub(super) fn unclear_cancellation(raw: Value, reason: String) -> CancellationQuote {
    let id = raw.get("id").and_then(Value::as_str).filter(|id| is_id(id));
    let id = id.unwrap_or_default().to_owned();
    CancellationQuote {
        unclear: Some(UnclearRefund::of(reason, &raw, &REFUND)),
        ..CancellationQuote::of(id, None, CancellationState::Pending, raw)
    }
}

/// What comes back to us; none where that is not said yet.
fn refund(raw: &Value, refund_to: Option<&str>) -> Result<Option<Money>, String> {
    let Some(amount) = raw.get("refund_amount").filter(|amount| !amount.is_null()) else { return Ok(None) };
    let amount = Number::deserialize(amount).map_err(|error| format!("refund_amount: {error}"))?;
    let currency = raw.get("refund_currency").and_then(Value::as_str);
    let currency = currency.and_then(reading::currency).ok_or("refund_currency is missing or no currency")?;
    let stated = price("refund_amount", amount, currency)?;
    Ok(Some(match is_money(refund_to) {
        true => stated,
        false => Money::zero(currency),
    }))
}

/// Credits and vouchers are the passenger's with the airline; of them nothing comes back to us.
fn is_money(refund_to: Option<&str>) -> bool {
    let is = |word| refund_to.is_some_and(|to| is_word(to, word));
    !is("voucher") && !is("airline_credits")
}
