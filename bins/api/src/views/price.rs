//! The answer of a price call.

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde::Serialize;
use wayfare_domain::{Amount, Currency, Money};
use wayfare_flights::{Cabin, PassengerShare, RefundPolicy};
use wayfare_operations::flights::{BookingKey, Priced};
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
    ancillaries: [(); 0],
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
    tax_breakdown: [Tax; 1],
}

#[derive(Serialize)]
struct Tax {
    code: &'static str,
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
        let offers = &quote.content.offers;
        let first = offers.first();
        let rate = first.map(|offer| offer.sale.exchange_rate);
        let currency = quote.content.currency;
        Self {
            booking_keys: (0..offers.len())
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
            passenger_breakdown: offers.iter().flat_map(|offer| &offer.shares).map(share).collect(),
            itinerary_snapshot: Snapshot {
                segments: segments(&priced_offers(offers)),
            },
            fare_rules: first.map_or_else(FareRules::unknown, |offer| {
                FareRules::of(
                    &offer.priced.offer.fare.refund,
                    offer.sale.exchange_rate,
                    currency,
                )
            }),
            ancillaries: [],
        }
    }
}

fn priced_offers(offers: &[wayfare_operations::flights::QuotedOffer]) -> Vec<&wayfare_flights::FoundOffer> {
    offers.iter().map(|offer| &offer.priced.offer).collect()
}

fn segments(offers: &[&wayfare_flights::FoundOffer]) -> Vec<SegmentView> {
    let flown = offers
        .iter()
        .flat_map(|offer| offer.segments().map(move |segment| (*offer, segment)));
    (1..)
        .zip(flown)
        .map(|(number, (offer, segment))| SegmentView {
            segment_id: format!("s{number}"),
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

fn share(share: &PassengerShare) -> Share {
    let one = PassengerShare {
        count: 1,
        ..share.clone()
    };
    Share {
        pax_type: share.kind.into(),
        count: share.count,
        base_per_pax: share.base.number(),
        tax_per_pax: share.taxes.number(),
        total_per_pax: subtotal(&one),
        tax_breakdown: [Tax {
            code: "TAX",
            amount: share.taxes.number(),
            description: "taxes and fees",
        }],
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
