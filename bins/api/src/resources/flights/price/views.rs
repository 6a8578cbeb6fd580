//! The answer of a price call.

use wayfare_contract::{
    Amount,
    flights::{
        AgentDetails, Ancillary, FlightPrice, ItinerarySnapshot, PriceChange, PriceSummary, PricedSegment,
    },
};
use wayfare_flights::{HoldTerms, Offer};
use wayfare_operations::{
    Error,
    flights::{BookingKey, FlightQuote, Priced},
};
use wayfare_pricing::{Sale, Totals};
use wayfare_search_response::flights::{hold_terms, requirements};

use super::{breakdown::breakdown, fare_rules::rules};
use crate::resources::common::{amount, code, local};

/// What the agency pays and why, over all offers.
fn agent_details(totals: &Totals) -> AgentDetails {
    AgentDetails {
        agent_fare: amount(totals.agent_fare),
        service_fee: amount(totals.service_fee),
        gst_on_service_fee: amount(totals.gst),
        platform_charge: amount(totals.platform_charge),
        agent_commission: totals.agent_commission.map(amount),
    }
}

/// A promised price.
///
/// # Errors
/// When its amounts don't add up.
pub fn price(priced: Priced) -> Result<FlightPrice, Error> {
    let Priced { quote, totals, change, .. } = priced;
    let content = &quote.content;
    let currency = content.currency;
    // Orders of several currencies or rates have none together.
    let unit = |sale: &Sale| (sale.supplier_total.currency(), sale.exchange_rate);
    let mut units = content.orders.iter().map(|order| unit(&order.sale));
    let first = units.next().filter(|first| units.all(|unit| unit == *first));
    let rate = first.map(|(_, rate)| rate);
    Ok(FlightPrice {
        booking_keys: (0..content.offers().count())
            .map(|index| BookingKey { quote: quote.id, index }.to_string())
            .collect(),
        status: "PRICE_VERIFIED".to_owned(),
        currency: code(currency),
        expires_at: quote.expires_at,
        price_summary: PriceSummary {
            total_payable: amount(totals.agent_fare),
            public_fare: amount(totals.public_fare),
            currency: code(currency),
            exchange_rate: rate.map(Amount),
            base_fare_total: amount(totals.base),
            tax_total: amount(totals.taxes),
            public_markup: amount(totals.public_markup()?),
            agent_details: agent_details(&totals),
        },
        price_change: change.map(|change| PriceChange {
            old_total: amount(change.old_total),
            new_total: amount(change.new_total),
            old_agent_fare: change.old_agent_fare.map(amount),
            new_agent_fare: amount(change.new_agent_fare),
        }),
        passenger_breakdown: breakdown(
            content.orders.iter().map(|order| (order.party, &order.shares[..])),
            content.query.party,
        ),
        itinerary_snapshot: ItinerarySnapshot { segments: segments(content) },
        fare_rules: rules(
            content.orders.iter().flat_map(|order| {
                let rate = order.sale.exchange_rate;
                order.priced.offers.iter().map(move |offer| (offer, rate))
            }),
            currency,
        ),
        ancillaries: ancillaries(content),
        hold: hold_terms(HoldTerms::together(content.offers())),
        requires: requirements(&content.requires()),
    })
}

/// All flights in order: `s1`, `s2` …
fn segments(quote: &FlightQuote) -> Vec<PricedSegment> {
    let flown = quote.offers().flat_map(|offer| offer.segments().map(move |segment| (offer, segment)));
    (1..)
        .zip(flown)
        .map(|(number, (offer, segment))| PricedSegment {
            segment_id: segment_id(number),
            airline: segment.airline.to_string(),
            operating_carrier: segment.operating_carrier.clone().map(String::from),
            flight_number: segment.flight_number.to_string(),
            origin: segment.origin.to_string(),
            destination: segment.destination.to_string(),
            dep_terminal: segment.departure_terminal.clone().map(String::from),
            arr_terminal: segment.arrival_terminal.clone().map(String::from),
            departure: local(segment.departure),
            arrival: local(segment.arrival),
            cabin_class: segment.cabin.map(|cabin| cabin.as_ref().into()),
            rbd: segment.booking_class.clone().map(String::from),
            fare_basis: segment.fare_basis.clone().map(String::from),
            fare_type: offer.fare.fare_type.clone().map(String::from),
            baggage: segment.baggage.check_in.clone().map(String::from),
            cabin_baggage: segment.baggage.cabin.clone().map(String::from),
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
fn ancillaries(quote: &FlightQuote) -> Vec<Ancillary> {
    let mut views = Vec::new();
    let mut before = 0;
    for order in &quote.orders {
        for ancillary in &order.priced.ancillaries {
            let Ok(price) = ancillary.price.converted(order.sale.exchange_rate, quote.currency) else {
                continue;
            };
            let segment_ids: Vec<String> =
                ancillary.segments.iter().map(|place| segment_id(before + usize::from(*place) + 1)).collect();
            views.push(Ancillary {
                kind: ancillary.kind.as_ref().into(),
                code: ancillary.code.clone(),
                name: ancillary.name.clone(),
                price: amount(price),
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
