//! The answer of a price call.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use wayfare_domain::{Amount, Currency, Money};
use wayfare_flights::{AncillaryKind, Cabin, HoldTerms, Offer, SharedText};
use wayfare_operations::{
    Error,
    flights::{BookingKey, FlightQuote, Priced},
};
use wayfare_pricing::{Sale, Totals};

use super::{
    breakdown::{Share, breakdown},
    fare_rules::FareRules,
};
use crate::resources::{
    common::{CurrencyCode, local},
    flights::{
        requirements::{RequirementView, requirements},
        search::views::HoldTermsView,
    },
};

/// A promised price.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FlightPrice")]
pub struct PriceResult {
    booking_keys: Vec<String>,
    #[schemars(extend("enum" = ["PRICE_VERIFIED"]))]
    status: &'static str,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    expires_at: DateTime<Utc>,
    price_summary: Summary,
    #[serde(skip_serializing_if = "Option::is_none")]
    price_change: Option<Change>,
    passenger_breakdown: Vec<Share>,
    itinerary_snapshot: Snapshot,
    fare_rules: FareRules,
    ancillaries: Vec<AncillaryView>,
    hold: HoldTermsView,
    /// What is wanted of the travellers, for all of it.
    requires: Vec<RequirementView>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FlightPriceChange")]
struct Change {
    old_total: Amount,
    new_total: Amount,
    #[serde(skip_serializing_if = "Option::is_none")]
    old_agent_fare: Option<Amount>,
    new_agent_fare: Amount,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FlightPriceSummary")]
struct Summary {
    total_payable: Amount,
    public_fare: Amount,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    exchange_rate: Option<Amount>,
    base_fare_total: Amount,
    tax_total: Amount,
    public_markup: Amount,
    agent_details: AgentDetails,
}

/// What the agency pays and why, over all offers of a quote or booking.
#[derive(Serialize, JsonSchema)]
pub struct AgentDetails {
    agent_fare: Amount,
    service_fee: Amount,
    gst_on_service_fee: Amount,
    platform_charge: Amount,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_commission: Option<Amount>,
}

impl From<&Totals> for AgentDetails {
    fn from(totals: &Totals) -> Self {
        Self {
            agent_fare: totals.agent_fare.number(),
            service_fee: totals.service_fee.number(),
            gst_on_service_fee: totals.gst.number(),
            platform_charge: totals.platform_charge.number(),
            agent_commission: totals.agent_commission.map(Money::number),
        }
    }
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "PricedItinerary")]
struct Snapshot {
    segments: Vec<SegmentView>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "PricedSegment")]
struct SegmentView {
    segment_id: String,
    airline: SharedText,
    operating_carrier: Option<SharedText>,
    flight_number: SharedText,
    origin: SharedText,
    destination: SharedText,
    dep_terminal: Option<SharedText>,
    arr_terminal: Option<SharedText>,
    departure: String,
    arrival: String,
    cabin_class: Option<Cabin>,
    rbd: Option<SharedText>,
    fare_basis: Option<SharedText>,
    fare_type: Option<SharedText>,
    baggage: Option<SharedText>,
    cabin_baggage: Option<SharedText>,
    refundable: Option<bool>,
    avail_seats: Option<u32>,
    duration_minutes: Option<u32>,
}

/// Beside the contract's fields all segments that one purchase covers, and how many one traveller may buy.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Ancillary")]
struct AncillaryView {
    #[serde(rename = "type")]
    kind: AncillaryKind,
    code: String,
    name: String,
    price: Amount,
    segment_id: String,
    segment_ids: Vec<String>,
    max_quantity: u32,
}

impl TryFrom<Priced> for PriceResult {
    type Error = Error;
    fn try_from(priced: Priced) -> Result<Self, Error> {
        let Priced { quote, totals, change, .. } = priced;
        let content = &quote.content;
        let currency = content.currency;
        // Orders of several currencies or rates have none together.
        let unit = |sale: &Sale| (sale.supplier_total.currency(), sale.exchange_rate);
        let mut units = content.orders.iter().map(|order| unit(&order.sale));
        let first = units.next().filter(|first| units.all(|unit| unit == *first));
        let rate = first.map(|(_, rate)| rate);
        Ok(Self {
            booking_keys: (0..content.offers().count())
                .map(|index| BookingKey { quote: quote.id, index }.to_string())
                .collect(),
            status: "PRICE_VERIFIED",
            currency,
            expires_at: quote.expires_at,
            price_summary: Summary {
                total_payable: totals.agent_fare.number(),
                public_fare: totals.public_fare.number(),
                currency,
                exchange_rate: rate.map(Amount),
                base_fare_total: totals.base.number(),
                tax_total: totals.taxes.number(),
                public_markup: totals.public_markup()?.number(),
                agent_details: AgentDetails::from(&totals),
            },
            price_change: change.map(|change| Change {
                old_total: change.old_total.number(),
                new_total: change.new_total.number(),
                old_agent_fare: change.old_agent_fare.map(Money::number),
                new_agent_fare: change.new_agent_fare.number(),
            }),
            passenger_breakdown: breakdown(
                content.orders.iter().map(|order| (order.party, &order.shares[..])),
                content.query.party,
            ),
            itinerary_snapshot: Snapshot { segments: segments(content) },
            fare_rules: FareRules::of(
                content.orders.iter().flat_map(|order| {
                    let rate = order.sale.exchange_rate;
                    order.priced.offers.iter().map(move |offer| (offer, rate))
                }),
                currency,
            ),
            ancillaries: ancillaries(content),
            hold: HoldTerms::together(content.offers()).into(),
            requires: requirements(&content.requires()),
        })
    }
}

/// All flights in order: `s1`, `s2` …
fn segments(quote: &FlightQuote) -> Vec<SegmentView> {
    let flown = quote.offers().flat_map(|offer| offer.segments().map(move |segment| (offer, segment)));
    (1..)
        .zip(flown)
        .map(|(number, (offer, segment))| SegmentView {
            segment_id: segment_id(number),
            airline: segment.airline.clone(),
            operating_carrier: segment.operating_carrier.clone(),
            flight_number: segment.flight_number.clone(),
            origin: segment.origin.clone(),
            destination: segment.destination.clone(),
            dep_terminal: segment.departure_terminal.clone(),
            arr_terminal: segment.arrival_terminal.clone(),
            departure: local(segment.departure),
            arrival: local(segment.arrival),
            cabin_class: segment.cabin,
            rbd: segment.booking_class.clone(),
            fare_basis: segment.fare_basis.clone(),
            fare_type: offer.fare.fare_type.clone(),
            baggage: segment.baggage.check_in.clone(),
            cabin_baggage: segment.baggage.cabin.clone(),
            refundable: offer.fare.refund.refundable,
            avail_seats: segment.seats_available,
            duration_minutes: segment.duration_minutes,
        })
        .collect()
}

fn segment_id(number: usize) -> String {
    format!("s{number}")
}

/// What each order sells beside its fares, in the wallet's currency at the rate of its quote.
fn ancillaries(quote: &FlightQuote) -> Vec<AncillaryView> {
    let mut views = Vec::new();
    let mut before = 0;
    for order in &quote.orders {
        for ancillary in &order.priced.ancillaries {
            let Ok(price) = ancillary.price.converted(order.sale.exchange_rate, quote.currency) else {
                continue;
            };
            let segment_ids: Vec<String> =
                ancillary.segments.iter().map(|place| segment_id(before + usize::from(*place) + 1)).collect();
            views.push(AncillaryView {
                kind: ancillary.kind,
                code: ancillary.code.clone(),
                name: ancillary.name.clone(),
                price: price.number(),
                segment_id: segment_ids.first().cloned().unwrap_or_default(),
                segment_ids,
                max_quantity: ancillary.most,
            });
        }
        let flights = order.priced.offers.iter().flat_map(Offer::segments);
        before += flights.count();
    }
    views
}
