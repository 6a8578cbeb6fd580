//! Flight bookings as the list and the detail show them, and tickets.

use chrono::{DateTime, Utc};
use wayfare_contract::{
    Amount,
    flights::{
        BookedDocument, BookedPassenger, BookingAgentDetails, BookingPricing, ContactDetails, FlightBooking,
        FlightBookingRow, FlightPending, ListedPassenger, PassengerPrice, TicketsIssued,
    },
    vocabulary::{self, DocumentType, PassengerStatus},
};
use wayfare_domain::{
    BookingRef, BookingStatus, Contact, Document, Money, OrderStatus, PartyMember, Product as _, Traveller,
};
use wayfare_flights::{Flown, Itinerary, ItineraryOrder, PassengerShare, SupplierOrder, Ticket};
use wayfare_operations::{
    Booking, Order,
    bookings::{BookingCost, Pending},
    flights::{Booked, BookingHold, ShownBooking},
};
use wayfare_pricing::{Sale, SoldChange, Totals};

use super::{
    change_views::change,
    hold,
    itinerary::{allowances, itinerary},
    locators::{pnr_details, sold, tickets},
};
use crate::resources::{
    bookings::{cost, facts, pending},
    common::{amount, code},
};

/// An item of the list: the booking, with what became of its hold if it was ever held, whether a change of an airline's is to be
/// decided on, what is under way, and what it has cost.
pub fn row(
    booking: Booking<Itinerary>,
    held: Option<BookingHold>,
    has_open_change: bool,
    under_way: Vec<Pending>,
    paid: Option<BookingCost>,
) -> FlightBookingRow {
    FlightBookingRow {
        facts: facts(&booking),
        id: booking.id.uuid(),
        booking_ref: booking.reference.to_string(),
        pnr: booking.summary.pnr,
        provider: booking.summary.provider,
        origin: booking.summary.origin,
        destination: booking.summary.destination,
        passenger_count: booking.summary.passenger_count,
        base_fare: amount(booking.base_fare),
        public_fare: amount(booking.public_fare),
        currency: code(booking.amount.currency()),
        status: booking.status.as_ref().into(),
        total_payable: amount(booking.amount),
        cost: paid.map(cost),
        booked_at: booking.booked_at,
        hold: held.map(hold::shown),
        has_open_change,
        pending: pending(under_way),
        passengers: listed(booking.product),
    }
}

/// Whom it is for; names are empty when they are erased.
fn listed(itinerary: Itinerary) -> Vec<ListedPassenger> {
    let Some(people) = itinerary.people else {
        let erased = |member: PartyMember| ListedPassenger {
            title: None,
            first_name: String::new(),
            last_name: String::new(),
            kind: member.kind.as_ref().into(),
        };
        return itinerary.party.into_iter().map(erased).collect();
    };
    let named = |traveller: Traveller| ListedPassenger {
        title: Some(traveller.title.as_ref().into()),
        first_name: traveller.first_name,
        last_name: traveller.last_name,
        kind: traveller.kind.as_ref().into(),
    };
    people.travellers.into_iter().map(named).collect()
}

/// Whether somebody travels on something of the booking that stands, or is still to be confirmed.
fn status_of(booking: &Booking<Itinerary>, orders: &[Order<SupplierOrder>], index: u32) -> PassengerStatus {
    let flies = |order: &Order<SupplierOrder>| {
        let stands =
            matches!(order.status, OrderStatus::Pending | OrderStatus::Held | OrderStatus::Confirmed);
        let remaining = order.remaining(&booking.product.whole_order(order.number));
        stands && remaining.travellers().contains(&index)
    };
    match orders.iter().any(flies) {
        true => PassengerStatus::Travelling,
        false => PassengerStatus::Cancelled,
    }
}

fn shown_document(document: &Document) -> BookedDocument {
    BookedDocument {
        kind: DocumentType::Passport,
        number: document.number.masked(),
        issuing_country: document.issuing_country.clone(),
        nationality: document.nationality.clone(),
        issued_on: document.issued_on,
        expires_on: document.expires_on,
    }
}

fn contact_details(contact: &Contact) -> ContactDetails {
    ContactDetails {
        country_code: contact.country_code.clone(),
        phone: contact.phone.clone(),
        email: contact.email.clone(),
    }
}

/// A booking in full as it stands at `now`.
///
/// # Errors
/// When its stored amounts don't add up.
pub fn detail(shown: ShownBooking, now: DateTime<Utc>) -> Result<FlightBooking, wayfare_domain::MoneyError> {
    let ShownBooking { booked: Booked { booking, orders }, changes, flown, can, .. } = shown;
    let product = &booking.product;
    let stands = itinerary(product, &flown, &orders);
    let sold = || itinerary(product, &Flown::sold(product), &orders);
    let people = product.people.as_ref();
    Ok(FlightBooking {
        booking_id: booking.id.uuid(),
        booking_ref: booking.reference.to_string(),
        provider: booking.summary.provider.clone(),
        provider_ref: orders.first().and_then(|order| order.supplier_order_id.clone()).unwrap_or_default(),
        pnr: booking.summary.pnr.clone(),
        status: booking.status.as_ref().into(),
        created_at: booking.created_at,
        currency: code(booking.amount.currency()),
        pnr_details: orders
            .iter()
            .filter_map(|order| Some((order, *can.get(&order.number)?)))
            .flat_map(|(order, can)| pnr_details(&booking, &flown, order, can))
            .collect(),
        passengers: passengers(&booking, &flown, &orders),
        itinerary_sold: flown.is_changed().then(sold),
        changes: changes.into_iter().map(change).collect(),
        pending: pending(shown.pending),
        pricing: pricing(&booking)?,
        cost: cost(shown.cost),
        tickets: orders.iter().flat_map(|order| tickets(&flown, order)).collect(),
        baggage_allowance: allowances(&stands),
        itinerary: stands,
        contact_details: people.map(|people| contact_details(&people.contact)).unwrap_or_default(),
        can_issue_ticket: booking.status == BookingStatus::Confirmed
            && orders.iter().any(|order| can_issue(order, now)),
        hold: shown.hold.map(hold::shown),
        facts: facts(&booking),
    })
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
) -> Vec<BookedPassenger> {
    let people = booking.product.people.iter();
    let travellers: Vec<&Traveller> = people.flat_map(|people| &people.travellers).collect();
    let passenger = |member: &PartyMember| {
        let who = travellers.iter().find(|traveller| traveller.index == member.index);
        let papers = booking.product.papers.of(member.index);
        BookedPassenger {
            pax_id: member.index.to_string(),
            kind: member.kind.as_ref().into(),
            title: who.map(|who| who.title.as_ref().into()),
            first_name: who.map(|who| who.first_name.clone()).unwrap_or_default(),
            last_name: who.map(|who| who.last_name.clone()).unwrap_or_default(),
            dob: who.and_then(|who| who.born_on),
            gender: who.map(|who| who.gender.as_ref().into()),
            document: papers.document.as_ref().map(shown_document),
            seat_onward: seats(booking, flown, member.index, 0),
            seat_return: seats(booking, flown, member.index, 1),
            status: status_of(booking, orders, member.index),
        }
    };
    booking.product.party.iter().map(passenger).collect()
}

fn pricing(booking: &Booking<Itinerary>) -> Result<BookingPricing, wayfare_domain::MoneyError> {
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
    Ok(BookingPricing {
        currency: code(currency),
        total_payable: amount(booking.amount),
        supplier_currency: supplier_currency.map(code),
        supplier_total: supplier_total.map(amount),
        exchange_rate: first.map(|sale| Amount(sale.exchange_rate)),
        base_fare_total: amount(totals.base),
        tax_total: amount(totals.taxes),
        public_markup: amount(totals.public_markup()?),
        public_fare: amount(totals.public_fare),
        agent_commission: totals.agent_commission.map(amount),
        platform_charges: amount(totals.platform_charges()?),
        agent_fare: amount(totals.agent_fare),
        ancillary: amount(totals.ancillary),
        changes: changes(booking, SoldChange::total)?,
        change_penalties: changes(booking, |change| Ok(change.penalty))?,
        agent_details: packaged.then(|| BookingAgentDetails {
            agent_fare: amount(totals.agent_fare),
            service_fee: amount(totals.service_fee),
            gst_on_service_fee: amount(totals.gst),
            platform_charge: amount(totals.platform_charge),
            markup_amount: amount(totals.markup),
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
    Ok(Some(amount(total)))
}

/// Each traveller's share of T: of each order they travel by, the rows of their type handed out in order.
fn pax_breakdown(itinerary: &Itinerary) -> Result<Vec<PassengerPrice>, wayfare_domain::MoneyError> {
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
            shares.push(PassengerPrice {
                pax_id: traveller.index.to_string(),
                kind: traveller.kind.as_ref().into(),
                base: amount(base),
                tax: amount(taxes),
                total: amount(base.plus(taxes)?),
            });
        }
    }
    Ok(shares)
}

/// What is told of something whose outcome is not known yet.
pub fn outcome_pending(booking_ref: &BookingRef) -> FlightPending {
    FlightPending { booking_ref: booking_ref.to_string(), status: vocabulary::BookingStatus::Pending }
}

/// Tickets as they were issued; a paid order whose numbers the supplier tells later has none yet.
pub fn issued(tickets: Vec<Ticket>, already_issued: bool) -> TicketsIssued {
    let ticket_numbers: Vec<String> = tickets.into_iter().map(|ticket| ticket.number).collect();
    let status = match ticket_numbers.is_empty() {
        true => vocabulary::TicketStatus::Pending,
        false => vocabulary::TicketStatus::Issued,
    };
    TicketsIssued { ticket_numbers, status, already_issued }
}
