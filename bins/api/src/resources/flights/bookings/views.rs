//! Flight bookings as the list and the detail show them, and tickets.

use chrono::{DateTime, NaiveDate, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use wayfare_domain::{
    Amount, BookingId, BookingRef, BookingStatus, Contact, Currency, Document, Gender, Money, OrderStatus,
    PartyMember, Product as _, TicketStatus, Title, Traveller,
};
use wayfare_flights::{Flown, Itinerary, ItineraryOrder, PassengerShare, SupplierOrder, Ticket};
use wayfare_operations::{
    Booking, Order,
    bookings::{BookingCost, Pending},
    flights::{Booked, BookingHold, ShownBooking},
};
use wayfare_pricing::{Sale, SoldChange, Totals};

use super::{
    change_views::{ChangeView, PendingStepView},
    hold::HoldView,
    itinerary::{Allowance, ItineraryView},
    locators::{PnrDetail, TicketView, pnr_details, sold, tickets},
};
use crate::resources::{bookings::CostView, common::CurrencyCode, flights::papers::DocumentType};

/// An item of the list.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FlightBookingRow")]
pub struct ListItem {
    id: BookingId,
    booking_ref: BookingRef,
    pnr: String,
    provider: String,
    origin: String,
    destination: String,
    passenger_count: i32,
    base_fare: Amount,
    public_fare: Amount,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    status: BookingStatus,
    total_payable: Amount,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<CostView>,
    booked_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    people_erased_at: Option<DateTime<Utc>>,
    hold: Option<HoldView>,
    has_open_change: bool,
    pending: Vec<PendingStepView>,
    passengers: Vec<ListedPassenger>,
}

#[derive(Serialize, JsonSchema)]
struct ListedPassenger {
    title: Option<Title>,
    first_name: String,
    last_name: String,
    #[serde(rename = "type")]
    kind: wayfare_domain::PassengerType,
}

impl ListItem {
    /// The booking, with what became of its hold if it was ever held, whether a change of an airline's is to be decided on,
    /// what is under way, and what it has cost.
    pub fn of(
        booking: Booking<Itinerary>,
        hold: Option<BookingHold>,
        has_open_change: bool,
        pending: Vec<Pending>,
        cost: Option<BookingCost>,
    ) -> Self {
        Self {
            total_payable: booking.amount.number(),
            cost: cost.map(CostView::from),
            has_open_change,
            pending: pending.into_iter().map(PendingStepView::from).collect(),
            id: booking.id,
            booking_ref: booking.reference,
            pnr: booking.summary.pnr,
            provider: booking.summary.provider,
            origin: booking.summary.origin,
            destination: booking.summary.destination,
            passenger_count: booking.summary.passenger_count,
            base_fare: booking.base_fare.number(),
            public_fare: booking.public_fare.number(),
            currency: booking.amount.currency(),
            status: booking.status,
            booked_at: booking.booked_at,
            people_erased_at: booking.people_erased_at,
            hold: hold.map(HoldView::from),
            passengers: listed(booking.product),
        }
    }
}

/// Whom it is for; names are empty when they are erased.
fn listed(itinerary: Itinerary) -> Vec<ListedPassenger> {
    let Some(people) = itinerary.people else {
        let erased = |member: PartyMember| ListedPassenger {
            title: None,
            first_name: String::new(),
            last_name: String::new(),
            kind: member.kind,
        };
        return itinerary.party.into_iter().map(erased).collect();
    };
    let named = |traveller: Traveller| ListedPassenger {
        title: Some(traveller.title),
        first_name: traveller.first_name,
        last_name: traveller.last_name,
        kind: traveller.kind,
    };
    people.travellers.into_iter().map(named).collect()
}

/// A booking in full.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FlightBooking")]
pub struct DetailView {
    booking_id: BookingId,
    booking_ref: BookingRef,
    provider: String,
    provider_ref: String,
    pnr: String,
    status: BookingStatus,
    created_at: DateTime<Utc>,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    pnr_details: Vec<PnrDetail>,
    passengers: Vec<Passenger>,
    itinerary: ItineraryView,
    #[serde(skip_serializing_if = "Option::is_none")]
    itinerary_sold: Option<ItineraryView>,
    changes: Vec<ChangeView>,
    pending: Vec<PendingStepView>,
    pricing: Pricing,
    cost: CostView,
    tickets: Vec<TicketView>,
    baggage_allowance: Vec<Allowance>,
    contact_details: ContactDetails,
    can_issue_ticket: bool,
    hold: Option<HoldView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    people_erased_at: Option<DateTime<Utc>>,
}

#[derive(Serialize, JsonSchema)]
struct Passenger {
    pax_id: String,
    #[serde(rename = "type")]
    kind: wayfare_domain::PassengerType,
    title: Option<Title>,
    first_name: String,
    last_name: String,
    dob: Option<NaiveDate>,
    gender: Option<Gender>,
    #[serde(skip_serializing_if = "Option::is_none")]
    document: Option<ShownDocument>,
    seat_onward: String,
    seat_return: String,
    status: PassengerStatus,
}

/// Whether somebody travels.
#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum PassengerStatus {
    /// On something of the booking that stands, or is still to be confirmed.
    Travelling,
    /// On nothing of it any more.
    Cancelled,
}

impl PassengerStatus {
    fn of(booking: &Booking<Itinerary>, orders: &[Order<SupplierOrder>], index: u32) -> Self {
        let flies = |order: &Order<SupplierOrder>| {
            let stands =
                matches!(order.status, OrderStatus::Pending | OrderStatus::Held | OrderStatus::Confirmed);
            let remaining = order.remaining(&booking.product.whole_order(order.number));
            stands && remaining.travellers().contains(&index)
        };
        match orders.iter().any(flies) {
            true => Self::Travelling,
            false => Self::Cancelled,
        }
    }
}

/// A passport as answers show it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "BookedDocument")]
struct ShownDocument {
    #[serde(rename = "type")]
    kind: DocumentType,
    /// Its last four characters, as in `****4567`.
    number: String,
    issuing_country: String,
    nationality: String,
    issued_on: Option<NaiveDate>,
    expires_on: NaiveDate,
}

impl From<&Document> for ShownDocument {
    fn from(document: &Document) -> Self {
        Self {
            kind: DocumentType::Passport,
            number: document.number.masked(),
            issuing_country: document.issuing_country.clone(),
            nationality: document.nationality.clone(),
            issued_on: document.issued_on,
            expires_on: document.expires_on,
        }
    }
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FlightBookingPricing")]
struct Pricing {
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    total_payable: Amount,
    #[schemars(with = "Option<CurrencyCode>")]
    supplier_currency: Option<Currency>,
    supplier_total: Option<Amount>,
    exchange_rate: Option<Amount>,
    base_fare_total: Amount,
    tax_total: Amount,
    public_markup: Amount,
    public_fare: Amount,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_commission: Option<Amount>,
    platform_charges: Amount,
    agent_fare: Amount,
    ancillary: Amount,
    /// What changes of its flights at suppliers came to, where there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<Amount>,
    #[serde(skip_serializing_if = "Option::is_none")]
    change_penalties: Option<Amount>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_details: Option<AgentDetails>,
    pax_breakdown: Vec<PaxShare>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "BookingAgentDetails")]
struct AgentDetails {
    agent_fare: Amount,
    service_fee: Amount,
    gst_on_service_fee: Amount,
    platform_charge: Amount,
    markup_amount: Amount,
}

#[derive(Serialize, JsonSchema)]
struct PaxShare {
    pax_id: String,
    #[serde(rename = "type")]
    kind: wayfare_domain::PassengerType,
    base: Amount,
    tax: Amount,
    total: Amount,
}

#[derive(Default, Serialize, JsonSchema)]
struct ContactDetails {
    country_code: String,
    phone: String,
    email: String,
}

impl From<Contact> for ContactDetails {
    fn from(contact: Contact) -> Self {
        Self { country_code: contact.country_code, phone: contact.phone, email: contact.email }
    }
}

impl DetailView {
    /// The booking as it stands at `now`.
    ///
    /// # Errors
    /// When its stored amounts don't add up.
    pub fn of(shown: ShownBooking, now: DateTime<Utc>) -> Result<Self, wayfare_domain::MoneyError> {
        let ShownBooking { booked: Booked { booking, orders }, hold, changes, flown, pending, can, cost } =
            shown;
        let product = &booking.product;
        let itinerary = ItineraryView::of(product, &flown, &orders);
        let sold = || ItineraryView::of(product, &Flown::sold(product), &orders);
        let people = booking.product.people.as_ref();
        let contact = people.map(|people| people.contact.clone());
        Ok(Self {
            provider_ref: orders
                .first()
                .and_then(|order| order.supplier_order_id.clone())
                .unwrap_or_default(),
            pnr_details: orders
                .iter()
                .filter_map(|order| Some((order, *can.get(&order.number)?)))
                .flat_map(|(order, can)| pnr_details(&booking, &flown, order, can))
                .collect(),
            passengers: passengers(&booking, &flown, &orders),
            itinerary_sold: flown.is_changed().then(sold),
            changes: changes.into_iter().map(ChangeView::from).collect(),
            pending: pending.into_iter().map(PendingStepView::from).collect(),
            pricing: pricing(&booking)?,
            cost: CostView::from(cost),
            tickets: orders.iter().flat_map(|order| tickets(&flown, order)).collect(),
            baggage_allowance: itinerary.allowances(),
            contact_details: contact.map(ContactDetails::from).unwrap_or_default(),
            people_erased_at: booking.people_erased_at,
            can_issue_ticket: booking.status == BookingStatus::Confirmed
                && orders.iter().any(|order| can_issue(order, now)),
            hold: hold.map(HoldView::from),
            itinerary,
            booking_id: booking.id,
            booking_ref: booking.reference,
            provider: booking.summary.provider,
            pnr: booking.summary.pnr,
            status: booking.status,
            created_at: booking.created_at,
            currency: booking.amount.currency(),
        })
    }
}

fn can_issue(order: &Order<SupplierOrder>, now: DateTime<Utc>) -> bool {
    let deadline = order.content.as_ref().and_then(|content| content.payment_required_by);
    order.status == OrderStatus::Held && deadline.is_none_or(|deadline| now < deadline)
}

/// The traveller's seats on the flights of one journey as they stand, by its place from 0; empty when there is none.
fn seats(booking: &Booking<Itinerary>, flown: &Flown, traveller: u32, journey: usize) -> String {
    let (mut seats, mut leg_index) = (Vec::new(), 0);
    for (number, flights) in (1..).zip(flown.orders()) {
        for leg in flights.chunk_by(|one, next| one.journey == next.journey) {
            let places = leg.iter().flat_map(|flight| &flight.sold_places);
            for place in places.filter(|_| leg_index == journey) {
                let here = sold(booking, number).iter().filter(|sold| {
                    sold.traveller == traveller && sold.kind == "SEAT" && sold.segments.contains(place)
                });
                seats.extend(here.map(|sold| sold.code.clone()));
            }
            leg_index += 1;
        }
    }
    seats.join(", ")
}

fn passengers(
    booking: &Booking<Itinerary>,
    flown: &Flown,
    orders: &[Order<SupplierOrder>],
) -> Vec<Passenger> {
    let people = booking.product.people.iter();
    let travellers: Vec<&Traveller> = people.flat_map(|people| &people.travellers).collect();
    let passenger = |member: &PartyMember| {
        let who = travellers.iter().find(|traveller| traveller.index == member.index);
        let papers = booking.product.papers.of(member.index);
        Passenger {
            pax_id: member.index.to_string(),
            kind: member.kind,
            title: who.map(|who| who.title),
            first_name: who.map(|who| who.first_name.clone()).unwrap_or_default(),
            last_name: who.map(|who| who.last_name.clone()).unwrap_or_default(),
            dob: who.and_then(|who| who.born_on),
            gender: who.map(|who| who.gender),
            document: papers.and_then(|papers| papers.document.as_ref()).map(ShownDocument::from),
            seat_onward: seats(booking, flown, member.index, 0),
            seat_return: seats(booking, flown, member.index, 1),
            status: PassengerStatus::of(booking, orders, member.index),
        }
    };
    booking.product.party.iter().map(passenger).collect()
}

fn pricing(booking: &Booking<Itinerary>) -> Result<Pricing, wayfare_domain::MoneyError> {
    let currency = booking.amount.currency();
    let totals = Totals::of(&booking.sales, currency)?;
    let first = booking.sales.first();
    // What several suppliers charge in several currencies has no sum.
    let unit = |sale: &Sale| (sale.supplier_total.currency(), sale.exchange_rate);
    let first = first.filter(|first| booking.sales.iter().all(|sale| unit(sale) == unit(first)));
    let supplier_currency = first.map(|sale| sale.supplier_total.currency());
    let supplier_total = supplier_currency
        .map(|unit| Money::sum(unit, booking.sales.iter().map(|sale| sale.supplier_total)))
        .transpose()?;
    let packaged = totals.agent_commission.is_some();
    Ok(Pricing {
        currency,
        total_payable: booking.amount.number(),
        supplier_currency,
        supplier_total: supplier_total.map(Money::number),
        exchange_rate: first.map(|sale| Amount(sale.exchange_rate)),
        base_fare_total: totals.base.number(),
        tax_total: totals.taxes.number(),
        public_markup: totals.public_markup()?.number(),
        public_fare: totals.public_fare.number(),
        agent_commission: totals.agent_commission.map(Money::number),
        platform_charges: totals.platform_charges()?.number(),
        agent_fare: totals.agent_fare.number(),
        ancillary: totals.ancillary.number(),
        changes: changes(booking, SoldChange::total)?,
        change_penalties: changes(booking, |change| Ok(change.penalty))?,
        agent_details: packaged.then(|| AgentDetails {
            agent_fare: totals.agent_fare.number(),
            service_fee: totals.service_fee.number(),
            gst_on_service_fee: totals.gst.number(),
            platform_charge: totals.platform_charge.number(),
            markup_amount: totals.markup.number(),
        }),
        pax_breakdown: pax_breakdown(&booking.product)?,
    })
}

/// What changes of its flights at suppliers came to, or a part of that; none where there are none.
fn changes(
    booking: &Booking<Itinerary>,
    part: fn(&SoldChange) -> Result<Money, wayfare_domain::MoneyError>,
) -> Result<Option<Amount>, wayfare_domain::MoneyError> {
    let made: Vec<_> = booking.sales.iter().flat_map(|sale| &sale.changes).collect();
    if made.is_empty() {
        return Ok(None);
    }
    let zero = Money::zero(booking.amount.currency());
    let total = made.iter().try_fold(zero, |sum, change| sum.plus(part(change)?))?;
    Ok(Some(total.number()))
}

/// Each traveller's share of T: of each order they travel by, the rows of their type handed out in order.
fn pax_breakdown(itinerary: &Itinerary) -> Result<Vec<PaxShare>, wayfare_domain::MoneyError> {
    let mut orders: Vec<(&ItineraryOrder, Vec<PassengerShare>)> =
        itinerary.orders.iter().map(|order| (order, order.shares.clone())).collect();
    let mut shares = Vec::new();
    for traveller in &itinerary.party {
        let mut sum: Option<(Money, Money)> = None;
        for (order, rows) in &mut orders {
            let travels = order.travellers.is_empty() || order.travellers.contains(&traveller.index);
            let row = rows.iter_mut().find(|row| travels && row.kind == traveller.kind && row.count > 0);
            if let Some(row) = row {
                row.count -= 1;
                sum = Some(match sum {
                    None => (row.base, row.taxes),
                    Some((base, taxes)) => (base.plus(row.base)?, taxes.plus(row.taxes)?),
                });
            }
        }
        if let Some((base, taxes)) = sum {
            shares.push(PaxShare {
                pax_id: traveller.index.to_string(),
                kind: traveller.kind,
                base: base.number(),
                tax: taxes.number(),
                total: base.plus(taxes)?.number(),
            });
        }
    }
    Ok(shares)
}

/// What is told of something whose outcome is not known yet.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FlightPending")]
pub struct PendingView {
    booking_ref: BookingRef,
    #[schemars(extend("enum" = ["PENDING"]))]
    status: &'static str,
}

impl PendingView {
    /// Of this booking.
    pub fn of(booking_ref: &BookingRef) -> Self {
        Self { booking_ref: booking_ref.clone(), status: "PENDING" }
    }
}

/// Tickets as they were issued.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Issued")]
pub struct IssuedView {
    ticket_numbers: Vec<String>,
    status: TicketStatus,
    already_issued: bool,
}

impl IssuedView {
    /// These tickets; a paid order whose numbers the supplier tells later has none yet.
    pub fn of(tickets: Vec<Ticket>, already_issued: bool) -> Self {
        let ticket_numbers: Vec<String> = tickets.into_iter().map(|ticket| ticket.number).collect();
        let status = match ticket_numbers.is_empty() {
            true => TicketStatus::Pending,
            false => TicketStatus::Issued,
        };
        Self { ticket_numbers, status, already_issued }
    }

    /// Before the supplier has said anything.
    pub fn pending() -> Self {
        Self { ticket_numbers: Vec::new(), status: TicketStatus::Pending, already_issued: false }
    }
}
