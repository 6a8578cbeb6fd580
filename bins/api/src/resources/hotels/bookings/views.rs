//! Hotel bookings as the list, the detail and the voucher show them, penalties, cancellations.

use wayfare_contract::{
    Amount,
    hotels::{
        BookedGuest, BookedRoom, CancellationFee, HotelBooking, HotelBookingRow, HotelCancelled,
        HotelPending, StayPenalty, StayPricing, StayRefund, Voucher,
    },
    vocabulary::{self, PaymentStatus},
};
use wayfare_domain::{BookingRef, BookingStatus, Money, MoneyError};
use wayfare_hotels::{CancellationPolicy, Stay, SupplierStay};
use wayfare_operations::{
    Booking, Error, RefundTerms,
    bookings::{BookingCost, Pending, cancel::Penalty},
    hotels::{Booked, Breakdown},
};
use wayfare_pricing::Totals;
use wayfare_reference::country_name;
use wayfare_search_response::hotels::fees;

use crate::resources::{
    bookings::{cost, facts, pending},
    common::{amount, code},
    hotels::common::{self, confirmation, fee_at_hotel, hotel_numbers, policy_for_guests, rooms},
};

/// A booking of a list; the supplier's id of it stands in its orders, which a list does not read.
///
/// # Errors
/// When its stored amounts don't add up.
pub fn row(
    booking: &Booking<Stay>,
    provider_booking_id: Option<&str>,
    under_way: Vec<Pending>,
    paid: Option<BookingCost>,
) -> Result<HotelBookingRow, MoneyError> {
    let (stay, currency) = (&booking.product, booking.amount.currency());
    let totals = Totals::of(&booking.sales, currency)?;
    let commissions = booking.sales.iter().map(|sale| sale.price.commission());
    let net = totals.total.minus(Money::sum(currency, commissions)?)?;
    Ok(HotelBookingRow {
        id: booking.id.uuid(),
        booking_ref: booking.reference.to_string(),
        provider: stay.supplier.clone(),
        provider_booking_id: provider_booking_id.unwrap_or_default().to_owned(),
        provider_confirmation: booking.summary.pnr.clone(),
        hotel_id: format!("{}:{}", stay.supplier, stay.hotel_id),
        hotel_name: stay.hotel_name.clone(),
        check_in: stay.check_in,
        check_out: stay.check_out,
        nights: stay.nights(),
        room_count: stay.rooms.len(),
        currency: code(currency),
        total_amount: amount(booking.amount),
        net_amount: amount(net),
        public_fare: amount(booking.public_fare),
        status: booking.status.as_ref().into(),
        payment_status: match booking.status {
            BookingStatus::Pending => PaymentStatus::Pending,
            BookingStatus::Confirmed => PaymentStatus::Paid,
            BookingStatus::Cancelled | BookingStatus::Failed => PaymentStatus::Refunded,
        },
        cost: paid.map(cost),
        booked_at: booking.booked_at,
        cancelled_at: booking.cancelled_at,
        contact_email: stay.contact.email.clone(),
        contact_phone: stay.contact.phone.clone(),
        created_at: booking.created_at,
        facts: facts(booking),
        pending: pending(under_way),
        guests: guests(stay),
    })
}

fn guests(stay: &Stay) -> Vec<BookedGuest> {
    let all = stay.rooms.iter().flat_map(|room| {
        let number = room.number;
        room.guests.iter().map(move |guest| (number, guest))
    });
    (1..)
        .zip(all)
        .map(|(id, (room, guest)): (u32, _)| BookedGuest {
            id: id.to_string(),
            title: guest.title.map(|title| title.as_ref().into()),
            first_name: guest.first_name.clone(),
            last_name: guest.last_name.clone(),
            kind: guest.kind.as_ref().into(),
            nationality: guest.nationality.clone(),
            age: guest.age,
            room,
        })
        .collect()
}

/// What the guests' price and the agency's are made of.
fn pricing(booking: &Booking<Stay>) -> Result<StayPricing, Error> {
    let totals = Totals::of(&booking.sales, booking.amount.currency())?;
    let parts = Breakdown::of_booking(booking)?;
    Ok(StayPricing {
        room_charges: amount(parts.rooms),
        taxes: amount(parts.taxes),
        fees: amount(parts.fees),
        discounts: amount(parts.discounts),
        public_markup: amount(totals.public_markup()?),
        public_fare: amount(totals.public_fare),
        agent_commission: totals.agent_commission.map(amount),
        platform_charges: amount(totals.platform_charges()?),
        agent_fare: amount(totals.agent_fare),
    })
}

/// The booking, and what is under way on it.
///
/// # Errors
/// When its stored amounts don't add up.
pub fn detail(booked: Booked, under_way: Vec<Pending>, paid: BookingCost) -> Result<HotelBooking, Error> {
    let Booked { booking, orders } = booked;
    let order = orders.first();
    let id = order.and_then(|order| order.supplier_order_id.as_deref());
    let listed = row(&booking, id, under_way, Some(paid))?;
    let pricing = pricing(&booking)?;
    let (stay, sale) = (booking.product, booking.sales.first());
    let made = orders.into_iter().next().and_then(|order| order.content);
    let (confirmation_source, confirmations) = hotel_numbers(made.as_ref());
    let room = |rate: &wayfare_hotels::StayRate| {
        let (fee, currency) = fees(&rate.fees_at_hotel);
        BookedRoom {
            room_id: rate.room_id.clone(),
            name: rate.room_name.clone(),
            quantity: rate.rooms,
            meal_plan: rate.meal_plan.as_ref().into(),
            pay_at_hotel_fees: Amount(fee),
            pay_at_hotel_fees_currency: currency.map(code),
        }
    };
    let policy = policy(made.as_ref(), &stay);
    Ok(HotelBooking {
        row: listed,
        confirmation_source,
        confirmations,
        rooms: stay.rates.iter().map(room).collect(),
        pricing,
        cancellation_policy: common::policy(policy, stay.time_zone, booking.created_at, sale)?,
        remarks: stay.remarks,
    })
}

/// What the supplier says of the booking, where it says anything; else what was promised.
fn policy(made: Option<&SupplierStay>, stay: &Stay) -> CancellationPolicy {
    let told = made.map(|made| &made.policy);
    let told = told.filter(|policy| policy.refundable.is_some() || !policy.deadlines.is_empty());
    stay.dated(told.unwrap_or(&stay.policy).clone())
}

/// What a guest shows at the hotel, with all that must stand on it.
///
/// # Errors
/// When its stored amounts don't add up.
pub fn voucher(booked: Booked) -> Result<Voucher, Error> {
    let Booked { booking, orders } = booked;
    let confirmation = confirmation(&orders);
    let order = orders.into_iter().next();
    let (id, made) = order.map_or((None, None), |order| (order.supplier_order_id, order.content));
    let (confirmation_source, confirmations) = hotel_numbers(made.as_ref());
    let cancellation_policy = policy_for_guests(
        policy(made.as_ref(), &booking.product),
        booking.product.time_zone,
        booking.created_at,
        &booking,
    )?;
    let stay = booking.product;
    let country = stay.address.country.as_deref();
    let country = country.map(|code| country_name(code).unwrap_or(code));
    let address = [stay.address.line1.as_deref(), stay.address.city.as_deref(), country];
    Ok(Voucher {
        confirmation_number: confirmation,
        confirmation_source,
        confirmations,
        booking_ref: booking.reference.to_string(),
        provider_booking_id: id.unwrap_or_default(),
        status: booking.status.as_ref().into(),
        hotel_address: address.into_iter().flatten().collect::<Vec<_>>().join(", "),
        check_in: stay.check_in,
        check_out: stay.check_out,
        nights: stay.nights(),
        // What the traveller's bill says: the guest is not told what the agency pays.
        currency: code(booking.public_fare.currency()),
        total_price: amount(booking.public_fare),
        rooms: rooms(&stay),
        meals: stay.rates.iter().map(|rate| rate.meals.clone()).collect(),
        contact_name: format!("{} {}", stay.contact.first_name, stay.contact.last_name),
        pay_at_hotel: stay.rates.iter().flat_map(|rate| &rate.fees_at_hotel).map(fee_at_hotel).collect(),
        cancellation_policy,
        mandatory_texts: made.map(|made| made.voucher_texts).unwrap_or_default(),
        remarks: stay.remarks,
        hotel_name: stay.hotel_name,
        provider: stay.supplier,
    })
}

/// What came back of this booking.
pub fn cancelled(booked: &Booked, terms: &RefundTerms) -> HotelCancelled {
    let reference = &booked.booking.reference;
    HotelCancelled {
        booking_id: reference.to_string(),
        booking_ref: reference.to_string(),
        status: vocabulary::BookingStatus::Cancelled,
        cancelled_at: booked.booking.cancelled_at,
        cancellation_fee: fee(terms),
        refund: StayRefund {
            amount: amount(terms.refund_to_wallet),
            currency: code(terms.refund_to_wallet.currency()),
            platform_charges: amount(terms.platform_charges),
            method: "wallet".to_owned(),
            // It is in the wallet already.
            estimated_processing_days: 0,
        },
        // By nobody: there is no mail (P-81).
        guest_notified: false,
        message: CANCELLED.to_owned(),
    }
}

/// What is said of a booking that was cancelled.
pub const CANCELLED: &str = "booking cancelled";

fn fee(terms: &RefundTerms) -> CancellationFee {
    CancellationFee {
        amount: amount(terms.cancellation_charge),
        currency: code(terms.cancellation_charge.currency()),
        reason: match terms.cancellation_charge.is_zero() {
            true => "free cancellation".to_owned(),
            false => "the hotel's cancellation policy".to_owned(),
        },
    }
}

/// What is told of a cancellation whose outcome is not known yet.
pub fn outcome_pending(booking_ref: &BookingRef) -> HotelPending {
    HotelPending {
        booking_id: booking_ref.to_string(),
        booking_ref: booking_ref.to_string(),
        status: vocabulary::BookingStatus::Pending,
        guest_notified: false,
    }
}

/// What cancelling would cost now.
///
/// # Errors
/// When amounts don't add up.
pub fn penalty(penalty: Penalty<Stay>) -> Result<StayPenalty, Error> {
    let (total_paid, waived) = (penalty.total_paid()?, penalty.waived()?);
    let Penalty { booking, terms, .. } = penalty;
    Ok(StayPenalty {
        booking_ref: booking.reference.to_string(),
        total_paid: amount(total_paid),
        cancellation_fee: fee(&terms),
        platform_charges: amount(terms.platform_charges),
        waived: amount(waived),
        refund_amount: amount(terms.refund_to_wallet),
        currency: code(booking.amount.currency()),
    })
}
