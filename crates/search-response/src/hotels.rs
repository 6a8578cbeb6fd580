//! Answers to searches of hotels.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde::Serialize;
use wayfare_contract::hotels::{HotelAgentPrice, HotelSearchDebug, HotelSupplierStatus};
use wayfare_domain::{Amount, Currency, Money, Page};
use wayfare_hotels::{HotelFee, Image, MealPlan, PaymentPlace, RoomGuests, RoomRate};
use wayfare_operations::{
    SupplierReport,
    hotels::{ListedHotel, RatePrice, SearchSession},
};
use wayfare_pricing::{Price, Totals};
use wayfare_reference::country_name;

use crate::{amount, code, milliseconds, problems, state};

/// A page of a search.
#[derive(Serialize)]
pub struct SearchResult<'a> {
    search_id: &'a str,
    status: &'static str,
    currency: Currency,
    total_results: i64,
    page: u32,
    per_page: u32,
    total_pages: i64,
    duration_ms: u64,
    created_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
    provider_status: BTreeMap<&'a str, HotelSupplierStatus>,
    hotels: Vec<HotelView<'a>>,
    debug: HotelSearchDebug,
}

#[derive(Serialize)]
struct HotelView<'a> {
    hotel_id: String,
    provider: &'a str,
    provider_hotel_id: &'a str,
    name: &'a str,
    star_rating: Option<Amount>,
    property_type: Option<&'a str>,
    address: AddressView<'a>,
    latitude: Option<Amount>,
    longitude: Option<Amount>,
    images: Vec<ImageView<'a>>,
    rooms: Vec<RoomView<'a>>,
}

/// Where a hotel stands.
#[derive(Serialize)]
struct AddressView<'a> {
    line1: Option<&'a str>,
    city: Option<&'a str>,
    country: Option<&'a str>,
}

impl<'a> From<&'a wayfare_hotels::Address> for AddressView<'a> {
    fn from(address: &'a wayfare_hotels::Address) -> Self {
        let country = address.country.as_deref();
        Self {
            line1: address.line1.as_deref(),
            city: address.city.as_deref(),
            country: country.map(|code| country_name(code).unwrap_or(code)),
        }
    }
}

#[derive(Serialize)]
struct ImageView<'a> {
    url: &'a str,
    #[serde(rename = "type")]
    kind: Option<&'a str>,
}

fn images(images: &[Image]) -> Vec<ImageView<'_>> {
    let images = images.iter().map(|image| ImageView { url: &image.url, kind: image.kind.as_deref() });
    images.collect()
}

/// A room at a rate. Beside the contract's fields it says for whom it is, and how many rooms of it are bought.
#[derive(Serialize)]
struct RoomView<'a> {
    room_id: &'a str,
    provider_room_id: &'a str,
    name: &'a str,
    bed_type: Option<&'a str>,
    max_occupancy: Option<u32>,
    occupancy: Occupancy<'a>,
    availability: Availability,
    pricing: Pricing<'a>,
}

#[derive(Serialize)]
struct Occupancy<'a> {
    adults: u8,
    children_ages: &'a [u8],
}

#[derive(Serialize)]
struct Availability {
    status: &'static str,
    rooms_left: Option<u32>,
}

#[derive(Serialize)]
struct Pricing<'a> {
    rate_id: &'a str,
    rate_name: Option<&'a str>,
    currency: Currency,
    /// T of one room.
    total_after_tax: Amount,
    quantity: u16,
    sold_with: Option<&'a str>,
    meal_plan: MealPlan,
    meals: &'a str,
    refundable: Option<bool>,
    free_cancellation_until: Option<DateTime<Utc>>,
    payment_type: PaymentPlace,
    pay_at_hotel_fees: Amount,
    pay_at_hotel_fees_currency: Option<Currency>,
    pay_at_hotel_fee_lines: Vec<FeeView<'a>>,
    minimum_selling_price: Option<Amount>,
    minimum_selling_price_currency: Option<Currency>,
    agent_price: HotelAgentPrice,
}

/// What is paid at the hotel; in no total.
#[derive(Serialize)]
struct FeeView<'a> {
    name: &'a str,
    amount: Amount,
    currency: Currency,
}

impl<'a> From<&'a HotelFee> for FeeView<'a> {
    fn from(fee: &'a HotelFee) -> Self {
        Self { name: &fee.name, amount: fee.amount.number(), currency: fee.amount.currency() }
    }
}

/// The fees of the first currency that is named, added up; others stand in their lines.
pub fn fees(fees: &[HotelFee]) -> (Decimal, Option<Currency>) {
    let Some(currency) = fees.first().map(|fee| fee.amount.currency()) else { return (Decimal::ZERO, None) };
    let same = fees.iter().filter(|fee| fee.amount.currency() == currency);
    (same.map(|fee| fee.amount.amount()).sum(), Some(currency))
}

/// What the agency pays for a room and why (P-1).
fn agent_price(price: &Price) -> HotelAgentPrice {
    HotelAgentPrice {
        public_fare: amount(price.public_fare()),
        agent_fare: amount(price.agent_fare()),
        service_fee: amount(price.service_fee()),
        gst_on_service_fee: amount(price.gst()),
        platform_charge: amount(price.platform_charge()),
        agent_commission: price.agent_commission().map(amount),
        currency: code(price.currency()),
    }
}

/// The same of all rooms.
pub fn agent_price_of(totals: &Totals) -> HotelAgentPrice {
    HotelAgentPrice {
        public_fare: amount(totals.public_fare),
        agent_fare: amount(totals.agent_fare),
        service_fee: amount(totals.service_fee),
        gst_on_service_fee: amount(totals.gst),
        platform_charge: amount(totals.platform_charge),
        agent_commission: totals.agent_commission.map(amount),
        currency: code(totals.total.currency()),
    }
}

impl<'a> SearchResult<'a> {
    /// A page of this search, read in so much time.
    pub fn of(snapshot: &'a SearchSession, page: Page<ListedHotel<'a>>, took: std::time::Duration) -> Self {
        let status = |report: &'a SupplierReport| {
            let line = HotelSupplierStatus {
                status: state(report.state),
                results_count: report.results,
                duration_ms: milliseconds(report.duration),
            };
            (report.code.as_str(), line)
        };
        let kinds = snapshot.criteria.kinds();
        let errors = snapshot
            .reports
            .iter()
            .filter(|report| !report.errors.is_empty())
            .map(|report| (report.code.clone(), report.errors.clone()));
        Self {
            search_id: &snapshot.id,
            status: if snapshot.is_complete() { "complete" } else { "partial" },
            currency: snapshot.criteria.currency,
            total_results: page.total,
            page: page.request.page,
            per_page: page.request.per_page,
            total_pages: page.total_pages(),
            duration_ms: milliseconds(took),
            created_at: snapshot.created_at,
            expires_at: snapshot.expires_at,
            provider_status: snapshot.reports.iter().map(status).collect(),
            debug: HotelSearchDebug {
                provider_errors: errors.collect(),
                problems: problems(&snapshot.reports),
            },
            hotels: page.items.into_iter().map(|shown| hotel(shown, &kinds, snapshot.created_at)).collect(),
        }
    }
}

/// The kinds of room that were asked for, and how many of each.
type Kinds<'a> = [(&'a RoomGuests, u16)];

fn hotel<'a>((kept, rates): ListedHotel<'a>, kinds: &Kinds<'a>, found_at: DateTime<Utc>) -> HotelView<'a> {
    let hotel = &kept.hotel;
    HotelView {
        hotel_id: kept.id().to_string(),
        provider: &kept.supplier,
        provider_hotel_id: &hotel.id,
        name: &hotel.name,
        star_rating: hotel.stars.map(Amount),
        property_type: hotel.property_type.as_deref(),
        address: AddressView::from(&hotel.address),
        latitude: hotel.latitude.map(Amount),
        longitude: hotel.longitude.map(Amount),
        images: images(&hotel.images),
        rooms: rates.into_iter().map(|(rate, price)| room(rate, price, kinds, found_at)).collect(),
    }
}

fn room<'a>(
    rate: &'a RoomRate,
    price: &RatePrice,
    kinds: &Kinds<'a>,
    found_at: DateTime<Utc>,
) -> RoomView<'a> {
    let guests = kinds.get(rate.kind).map(|(guests, _)| *guests);
    let (fee, fee_currency) = fees(&rate.fees_at_hotel);
    RoomView {
        room_id: &rate.room_id,
        provider_room_id: &rate.room_id,
        name: &rate.room_name,
        bed_type: rate.bed_type.as_deref(),
        max_occupancy: rate.max_occupancy,
        occupancy: Occupancy {
            adults: guests.map_or(0, |guests| guests.adults),
            children_ages: guests.map_or(&[], |guests| &guests.children_ages),
        },
        availability: Availability { status: "available", rooms_left: rate.rooms_left },
        pricing: Pricing {
            rate_id: &rate.token,
            rate_name: rate.rate_name.as_deref(),
            currency: price.room.currency(),
            total_after_tax: price.room.total().number(),
            quantity: rate.rooms,
            sold_with: rate.bundle.as_deref(),
            meal_plan: rate.meal_plan,
            meals: &rate.meals,
            refundable: rate.policy.refundable,
            free_cancellation_until: rate.policy.free_until().filter(|until| *until > found_at),
            payment_type: rate.payment,
            pay_at_hotel_fees: Amount(fee),
            pay_at_hotel_fees_currency: fee_currency,
            pay_at_hotel_fee_lines: rate.fees_at_hotel.iter().map(FeeView::from).collect(),
            minimum_selling_price: rate.minimum_price.map(Money::number),
            minimum_selling_price_currency: rate.minimum_price.map(Money::currency),
            agent_price: agent_price(&price.room),
        },
    }
}
