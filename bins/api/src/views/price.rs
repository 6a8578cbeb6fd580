//! The answer of a price call.

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde::Serialize;
use wayfare_domain::{Amount, Currency, Money};
use wayfare_flights::{AncillaryKind, Cabin, FoundOffer, PassengerShare, RefundPolicy, TaxPart};
use wayfare_operations::flights::{BookingKey, FlightQuote, Priced};
use wayfare_pricing::Totals;

use super::{local, search::subtotal};

/// A promised price.
#[derive(Serialize)]
pub struct PriceResult {
    booking_keys: Vec<String>,
    status: &'static str,
    currency: Currency,
    expires_at: DateTime<Utc>,
    price_summary: Summary,
    #[serde(skip_serializing_if = "Option::is_none")]
    price_change: Option<Change>,
    passenger_breakdown: Vec<Share>,
    itinerary_snapshot: Snapshot,
    fare_rules: FareRules,
    ancillaries: Vec<AncillaryView>,
}

#[derive(Serialize)]
struct Change {
    old_total: Amount,
    new_total: Amount,
}

#[derive(Serialize)]
struct Summary {
    total_payable: Amount,
    public_fare: Amount,
    currency: Currency,
    exchange_rate: Option<Amount>,
    base_fare_total: Amount,
    tax_total: Amount,
    agent_details: AgentDetails,
}

/// What the agency pays and why, over all offers of a quote or booking.
#[derive(Serialize)]
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

#[derive(Serialize)]
struct Share {
    pax_type: &'static str,
    count: u32,
    base_per_pax: Amount,
    tax_per_pax: Amount,
    total_per_pax: Amount,
    tax_breakdown: Vec<Tax>,
}

#[derive(Serialize)]
struct Tax {
    code: String,
    amount: Amount,
    description: &'static str,
}

#[derive(Serialize)]
struct Snapshot {
    segments: Vec<SegmentView>,
}

#[derive(Serialize)]
struct SegmentView {
    segment_id: String,
    airline: String,
    operating_carrier: Option<String>,
    flight_number: String,
    origin: String,
    destination: String,
    dep_terminal: Option<String>,
    arr_terminal: Option<String>,
    departure: String,
    arrival: String,
    cabin_class: Option<Cabin>,
    rbd: Option<String>,
    fare_basis: Option<String>,
    fare_type: Option<String>,
    baggage: Option<String>,
    cabin_baggage: Option<String>,
    refundable: Option<bool>,
    avail_seats: Option<u32>,
    duration_minutes: Option<u32>,
}

/// Beside the contract's fields all segments that one purchase covers, and how many one traveller may buy.
#[derive(Serialize)]
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

#[derive(Serialize)]
struct FareRules {
    is_refundable: Option<bool>,
    cancellation_fee: Option<Amount>,
    change_fee: Option<Amount>,
    rule_text: String,
}

impl From<Priced> for PriceResult {
    fn from(priced: Priced) -> Self {
        let Priced {
            quote,
            totals,
            change,
            ..
        } = priced;
        let content = &quote.content;
        let currency = content.currency;
        let rate = content.orders.first().map(|order| order.sale.exchange_rate);
        Self {
            booking_keys: (0..content.offers().count())
                .map(|index| {
                    BookingKey {
                        quote: quote.id,
                        index,
                    }
                    .to_string()
                })
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
                agent_details: AgentDetails::from(&totals),
            },
            price_change: change.map(|change| Change {
                old_total: change.old_total.number(),
                new_total: change.new_total.number(),
            }),
            passenger_breakdown: content
                .orders
                .iter()
                .flat_map(|order| &order.shares)
                .map(share)
                .collect(),
            itinerary_snapshot: Snapshot {
                segments: segments(content),
            },
            fare_rules: content
                .offers()
                .next()
                .zip(rate)
                .map_or_else(FareRules::unknown, |(offer, rate)| {
                    FareRules::of(&offer.fare.refund, rate, currency)
                }),
            ancillaries: ancillaries(content),
        }
    }
}

/// All flights in order: `s1`, `s2` …
fn segments(quote: &FlightQuote) -> Vec<SegmentView> {
    let flown = quote
        .offers()
        .flat_map(|offer| offer.segments().map(move |segment| (offer, segment)));
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
            let Ok(price) = ancillary
                .price
                .converted(order.sale.exchange_rate, quote.currency)
            else {
                continue;
            };
            let segment_ids: Vec<String> = ancillary
                .segments
                .iter()
                .map(|place| segment_id(before + usize::from(*place) + 1))
                .collect();
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
        let flights = order.priced.offers.iter().flat_map(FoundOffer::segments);
        before += flights.count();
    }
    views
}

fn share(share: &PassengerShare) -> Share {
    let one = PassengerShare {
        count: 1,
        ..share.clone()
    };
    let mut tax_breakdown: Vec<Tax> = share.tax_parts.iter().map(tax).collect();
    if tax_breakdown.is_empty() {
        tax_breakdown.push(Tax {
            code: "TAX".to_owned(),
            amount: share.taxes.number(),
            description: "taxes and fees",
        });
    }
    Share {
        pax_type: share.kind.into(),
        count: share.count,
        base_per_pax: share.base.number(),
        tax_per_pax: share.taxes.number(),
        total_per_pax: subtotal(&one),
        tax_breakdown,
    }
}

fn tax(part: &TaxPart) -> Tax {
    let description = match part.code.as_str() {
        "YQ" => "fuel surcharge",
        "YR" => "carrier surcharge",
        "AGST" => "goods and services tax of the airline",
        "MF" => "management fee",
        "MFT" => "tax on the management fee",
        "OT" => "other taxes",
        _ => "taxes and fees",
    };
    Tax {
        code: part.code.clone(),
        amount: part.amount.number(),
        description,
    }
}

impl FareRules {
    fn unknown() -> Self {
        Self {
            is_refundable: None,
            cancellation_fee: None,
            change_fee: None,
            rule_text: String::new(),
        }
    }

    /// The supplier's conditions in numbers of the wallet's currency and in a sentence.
    fn of(policy: &RefundPolicy, rate: Decimal, currency: Currency) -> Self {
        let shown = |fee: Option<Money>| fee.and_then(|fee| fee.converted(rate, currency).ok());
        let (cancellation, change) = (shown(policy.cancel_fee), shown(policy.change_fee));
        let said = |allowed: Option<bool>, what: &str, fee: Option<Money>| match (allowed, fee) {
            (Some(true), Some(fee)) => format!("{what} before departure for {fee} {}.", currency.code()),
            (Some(true), None) => format!("{what} before departure."),
            (Some(false), _) => format!("Not {} before departure.", what.to_lowercase()),
            (None, _) => format!("The supplier does not say whether it is {}.", what.to_lowercase()),
        };
        let refund = said(policy.refundable, "Refundable", cancellation);
        let changes = said(policy.changeable, "Changeable", change);
        Self {
            is_refundable: policy.refundable,
            cancellation_fee: cancellation.map(Money::number),
            change_fee: change.map(Money::number),
            rule_text: format!("{refund} {changes}"),
        }
    }
}
