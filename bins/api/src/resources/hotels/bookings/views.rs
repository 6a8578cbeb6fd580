//! Hotel bookings as the list, the detail and the voucher show them, penalties, cancellations.

use chrono::{DateTime, NaiveDate, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use wayfare_domain::{Amount, BookingId, BookingRef, BookingStatus, Currency, Money, MoneyError, Title};
use wayfare_hotels::{CancellationPolicy, GuestKind, HotelFee, MealPlan, Stay, SupplierStay};
use wayfare_operations::{
    Booking, Error, RefundTerms,
    bookings::{BookingCost, Pending, cancel::Penalty},
    hotels::{Booked, Breakdown},
};
use wayfare_pricing::Totals;
use wayfare_reference::country_name;

use crate::resources::{
    bookings::CostView,
    common::CurrencyCode,
    flights::bookings::change_views::PendingStepView,
    hotels::common::{
        ConfirmationSource, HotelNumberView, PolicyView, ReservedRoom, confirmation, fees, hotel_numbers,
        rooms,
    },
};

/// A booking as it is listed and looked at.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "HotelBookingRow")]
pub struct StayView {
    id: BookingId,
    booking_ref: BookingRef,
    provider: String,
    provider_booking_id: String,
    provider_confirmation: String,
    hotel_id: String,
    hotel_name: String,
    check_in: NaiveDate,
    check_out: NaiveDate,
    nights: i64,
    room_count: usize,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    total_amount: Amount,
    net_amount: Amount,
    public_fare: Amount,
    status: BookingStatus,
    #[schemars(extend("enum" = ["pending", "paid", "refunded"]))]
    payment_status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<CostView>,
    booked_at: Option<DateTime<Utc>>,
    cancelled_at: Option<DateTime<Utc>>,
    contact_email: String,
    contact_phone: String,
    created_at: DateTime<Utc>,
    #[serde(skip_serializing_if = "Option::is_none")]
    people_erased_at: Option<DateTime<Utc>>,
    pending: Vec<PendingStepView>,
    guests: Vec<GuestView>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Guest")]
struct GuestView {
    id: String,
    title: Option<Title>,
    first_name: String,
    last_name: String,
    #[serde(rename = "type")]
    kind: GuestKind,
    nationality: Option<String>,
    age: Option<u8>,
    room: u16,
}

impl StayView {
    /// A booking of a list; the supplier's id of it stands in its orders, which a list does not read.
    ///
    /// # Errors
    /// When its stored amounts don't add up.
    pub fn of(
        booking: &Booking<Stay>,
        provider_booking_id: Option<&str>,
        pending: Vec<Pending>,
        cost: Option<BookingCost>,
    ) -> Result<Self, MoneyError> {
        let (stay, currency) = (&booking.product, booking.amount.currency());
        let totals = Totals::of(&booking.sales, currency)?;
        let commissions = booking.sales.iter().map(|sale| sale.price.commission());
        let net = totals.total.minus(Money::sum(currency, commissions)?)?;
        Ok(Self {
            id: booking.id,
            booking_ref: booking.reference.clone(),
            provider: stay.supplier.clone(),
            provider_booking_id: provider_booking_id.unwrap_or_default().to_owned(),
            provider_confirmation: booking.summary.pnr.clone(),
            hotel_id: format!("{}:{}", stay.supplier, stay.hotel_id),
            hotel_name: stay.hotel_name.clone(),
            check_in: stay.check_in,
            check_out: stay.check_out,
            nights: stay.nights(),
            room_count: stay.rooms.len(),
            currency,
            total_amount: booking.amount.number(),
            net_amount: net.number(),
            public_fare: booking.public_fare.number(),
            status: booking.status,
            payment_status: match booking.status {
                BookingStatus::Pending => "pending",
                BookingStatus::Confirmed => "paid",
                BookingStatus::Cancelled | BookingStatus::Failed => "refunded",
            },
            cost: cost.map(CostView::from),
            booked_at: booking.booked_at,
            cancelled_at: booking.cancelled_at,
            contact_email: stay.contact.email.clone(),
            contact_phone: stay.contact.phone.clone(),
            created_at: booking.created_at,
            people_erased_at: booking.people_erased_at,
            pending: pending.into_iter().map(PendingStepView::from).collect(),
            guests: guests(stay),
        })
    }
}

fn guests(stay: &Stay) -> Vec<GuestView> {
    let all = stay.rooms.iter().flat_map(|room| {
        let number = room.number;
        room.guests.iter().map(move |guest| (number, guest))
    });
    (1..)
        .zip(all)
        .map(|(id, (room, guest)): (u32, _)| GuestView {
            id: id.to_string(),
            title: guest.title,
            first_name: guest.first_name.clone(),
            last_name: guest.last_name.clone(),
            kind: guest.kind,
            nationality: guest.nationality.clone(),
            age: guest.age,
            room,
        })
        .collect()
}

/// A booking with what it costs to give it back.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "HotelBooking")]
pub struct DetailView {
    #[serde(flatten)]
    stay: StayView,
    confirmation_source: ConfirmationSource,
    confirmations: Vec<HotelNumberView>,
    rooms: Vec<BookedRoom>,
    pricing: Pricing,
    cancellation_policy: PolicyView,
    remarks: Vec<String>,
}

/// What the guests' price and the agency's are made of.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "HotelBookingPricing")]
struct Pricing {
    room_charges: Amount,
    taxes: Amount,
    fees: Amount,
    discounts: Amount,
    public_markup: Amount,
    public_fare: Amount,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_commission: Option<Amount>,
    platform_charges: Amount,
    agent_fare: Amount,
}

impl Pricing {
    fn of(booking: &Booking<Stay>) -> Result<Self, Error> {
        let totals = Totals::of(&booking.sales, booking.amount.currency())?;
        let parts = Breakdown::of_booking(booking)?;
        Ok(Self {
            room_charges: parts.rooms.number(),
            taxes: parts.taxes.number(),
            fees: parts.fees.number(),
            discounts: parts.discounts.number(),
            public_markup: totals.public_markup()?.number(),
            public_fare: totals.public_fare.number(),
            agent_commission: totals.agent_commission.map(Money::number),
            platform_charges: totals.platform_charges()?.number(),
            agent_fare: totals.agent_fare.number(),
        })
    }
}

#[derive(Serialize, JsonSchema)]
struct BookedRoom {
    room_id: String,
    name: String,
    quantity: u16,
    meal_plan: MealPlan,
    pay_at_hotel_fees: Amount,
    #[schemars(with = "Option<CurrencyCode>")]
    pay_at_hotel_fees_currency: Option<Currency>,
}

impl DetailView {
    /// The booking, and what is under way on it.
    ///
    /// # Errors
    /// When its stored amounts don't add up.
    pub fn of(booked: Booked, pending: Vec<Pending>, cost: BookingCost) -> Result<Self, Error> {
        let Booked { booking, orders } = booked;
        let order = orders.first();
        let view = StayView::of(
            &booking,
            order.and_then(|order| order.supplier_order_id.as_deref()),
            pending,
            Some(cost),
        )?;
        let pricing = Pricing::of(&booking)?;
        let (stay, sale) = (booking.product, booking.sales.first());
        let made = orders.into_iter().next().and_then(|order| order.content);
        let (confirmation_source, confirmations) = hotel_numbers(made.as_ref());
        let room = |rate: &wayfare_hotels::StayRate| {
            let (fee, currency) = fees(&rate.fees_at_hotel);
            BookedRoom {
                room_id: rate.room_id.clone(),
                name: rate.room_name.clone(),
                quantity: rate.rooms,
                meal_plan: rate.meal_plan,
                pay_at_hotel_fees: Amount(fee),
                pay_at_hotel_fees_currency: currency,
            }
        };
        Ok(Self {
            stay: view,
            confirmation_source,
            confirmations,
            rooms: stay.rates.iter().map(room).collect(),
            pricing,
            cancellation_policy: PolicyView::of(
                policy(made.as_ref(), &stay),
                stay.time_zone,
                booking.created_at,
                sale,
            )?,
            remarks: stay.remarks,
        })
    }
}

/// What the supplier says of the booking, where it says anything; else what was promised.
fn policy(made: Option<&SupplierStay>, stay: &Stay) -> CancellationPolicy {
    let told = made.map(|made| &made.policy);
    let told = told.filter(|policy| policy.refundable.is_some() || !policy.deadlines.is_empty());
    stay.dated(told.unwrap_or(&stay.policy).clone())
}

/// What a guest shows at the hotel, with all that must stand on it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Voucher")]
pub struct VoucherView {
    confirmation_number: String,
    confirmation_source: ConfirmationSource,
    confirmations: Vec<HotelNumberView>,
    booking_ref: BookingRef,
    provider_booking_id: String,
    status: BookingStatus,
    hotel_name: String,
    hotel_address: String,
    check_in: NaiveDate,
    check_out: NaiveDate,
    nights: i64,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    total_price: String,
    provider: String,
    rooms: Vec<ReservedRoom>,
    meals: Vec<String>,
    contact_name: String,
    pay_at_hotel: Vec<OwnedFee>,
    remarks: Vec<String>,
    mandatory_texts: Vec<String>,
    cancellation_policy: PolicyView,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FeeAtHotel")]
struct OwnedFee {
    name: String,
    amount: Amount,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
}

impl TryFrom<Booked> for VoucherView {
    type Error = Error;
    fn try_from(booked: Booked) -> Result<Self, Error> {
        let Booked { booking, orders } = booked;
        let confirmation = confirmation(&orders);
        let order = orders.into_iter().next();
        let (id, made) = order.map_or((None, None), |order| (order.supplier_order_id, order.content));
        let (confirmation_source, confirmations) = hotel_numbers(made.as_ref());
        let cancellation_policy = PolicyView::for_guests(
            policy(made.as_ref(), &booking.product),
            booking.product.time_zone,
            booking.created_at,
            &booking,
        )?;
        let stay = booking.product;
        let country = stay.address.country.as_deref();
        let country = country.map(|code| country_name(code).unwrap_or(code));
        let address = [stay.address.line1.as_deref(), stay.address.city.as_deref(), country];
        let fee = |fee: &HotelFee| OwnedFee {
            name: fee.name.clone(),
            amount: fee.amount.number(),
            currency: fee.amount.currency(),
        };
        Ok(Self {
            confirmation_number: confirmation,
            confirmation_source,
            confirmations,
            provider_booking_id: id.unwrap_or_default(),
            status: booking.status,
            hotel_address: address.into_iter().flatten().collect::<Vec<_>>().join(", "),
            check_in: stay.check_in,
            check_out: stay.check_out,
            nights: stay.nights(),
            // What the traveller's bill says: the guest is not told what the agency pays.
            currency: booking.public_fare.currency(),
            total_price: booking.public_fare.to_string(),
            booking_ref: booking.reference,
            rooms: rooms(&stay),
            meals: stay.rates.iter().map(|rate| rate.meals.clone()).collect(),
            contact_name: format!("{} {}", stay.contact.first_name, stay.contact.last_name),
            pay_at_hotel: stay.rates.iter().flat_map(|rate| &rate.fees_at_hotel).map(fee).collect(),
            cancellation_policy,
            mandatory_texts: made.map(|made| made.voucher_texts).unwrap_or_default(),
            remarks: stay.remarks,
            hotel_name: stay.hotel_name,
            provider: stay.supplier,
        })
    }
}

/// A cancellation that was carried out.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "HotelCancellation")]
pub struct CancelledView {
    booking_id: BookingRef,
    booking_ref: BookingRef,
    #[schemars(extend("enum" = ["cancelled"]))]
    status: &'static str,
    cancelled_at: Option<DateTime<Utc>>,
    cancellation_fee: Fee,
    refund: RefundView,
    guest_notified: bool,
    message: &'static str,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "CancellationFee")]
struct Fee {
    amount: Amount,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    reason: &'static str,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "HotelRefund")]
struct RefundView {
    amount: Amount,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    platform_charges: Amount,
    method: &'static str,
    estimated_processing_days: u32,
}

impl CancelledView {
    /// What came back of this booking.
    pub fn of(booked: &Booked, terms: &RefundTerms) -> Self {
        let currency = terms.refund_to_wallet.currency();
        Self {
            booking_id: booked.booking.reference.clone(),
            booking_ref: booked.booking.reference.clone(),
            status: "cancelled",
            cancelled_at: booked.booking.cancelled_at,
            cancellation_fee: fee(terms),
            refund: RefundView {
                amount: terms.refund_to_wallet.number(),
                currency,
                platform_charges: terms.platform_charges.number(),
                method: "wallet",
                // It is in the wallet already.
                estimated_processing_days: 0,
            },
            // By nobody: there is no mail (P-81).
            guest_notified: false,
            message: CANCELLED,
        }
    }
}

/// What is said of a booking that was cancelled.
pub const CANCELLED: &str = "booking cancelled";

fn fee(terms: &RefundTerms) -> Fee {
    Fee {
        amount: terms.cancellation_charge.number(),
        currency: terms.cancellation_charge.currency(),
        reason: match terms.cancellation_charge.is_zero() {
            true => "free cancellation",
            false => "the hotel's cancellation policy",
        },
    }
}

/// What is told of a cancellation whose outcome is not known yet.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "HotelPending")]
pub struct PendingView {
    booking_id: BookingRef,
    booking_ref: BookingRef,
    #[schemars(extend("enum" = ["PENDING"]))]
    status: &'static str,
    guest_notified: bool,
}

impl PendingView {
    /// Of this booking.
    pub fn of(booking_ref: &BookingRef) -> Self {
        Self {
            booking_id: booking_ref.clone(),
            booking_ref: booking_ref.clone(),
            status: "PENDING",
            guest_notified: false,
        }
    }
}

/// What cancelling would cost now.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "HotelPenalty")]
pub struct PenaltyView {
    booking_ref: BookingRef,
    total_paid: Amount,
    cancellation_fee: Fee,
    platform_charges: Amount,
    waived: Amount,
    refund_amount: Amount,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
}

impl TryFrom<Penalty<Stay>> for PenaltyView {
    type Error = Error;
    fn try_from(penalty: Penalty<Stay>) -> Result<Self, Error> {
        let (total_paid, waived) = (penalty.total_paid()?, penalty.waived()?);
        let Penalty { booking, terms, .. } = penalty;
        Ok(Self {
            booking_ref: booking.reference,
            total_paid: total_paid.number(),
            cancellation_fee: fee(&terms),
            platform_charges: terms.platform_charges.number(),
            waived: waived.number(),
            refund_amount: terms.refund_to_wallet.number(),
            currency: booking.amount.currency(),
        })
    }
}
