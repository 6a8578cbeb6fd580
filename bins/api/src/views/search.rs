//! Flight search results: offers that point to legs, legs that point to segments, each printed once.

use std::{
    collections::{BTreeMap, HashMap},
    hash::Hash,
};

use chrono::{DateTime, Utc};
use serde::Serialize;
use wayfare_domain::{Amount, Currency, Money, SearchId};
use wayfare_flights::{Cabin, Leg, OfferKind, PassengerShare, RefundPolicy, Segment};
use wayfare_operations::flights::{Found, FoundPrice, SupplierState};
use wayfare_pricing::{Price, Sale};
use wayfare_reference::airport;

use super::local;

/// The answer of a search.
#[derive(Serialize)]
pub struct SearchResult {
    search_id: SearchId,
    search_meta: Meta,
    dictionaries: Dictionaries,
    segments: Vec<SegmentView>,
    legs: Vec<LegView>,
    offers: Vec<OfferView>,
    debug: Debug,
}

#[derive(Serialize)]
struct Meta {
    currency: Currency,
    created_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
    total_results: usize,
    duration_ms: u128,
    provider_status: BTreeMap<String, ProviderStatus>,
}

#[derive(Serialize)]
struct ProviderStatus {
    status: &'static str,
    duration_ms: u128,
    results: usize,
}

#[derive(Serialize)]
struct Debug {
    provider_errors: BTreeMap<String, String>,
}

#[derive(Default, Serialize)]
struct Dictionaries {
    airlines: BTreeMap<String, AirlineView>,
    airports: BTreeMap<String, AirportView>,
    baggage: BTreeMap<String, BaggageView>,
    refund_policies: BTreeMap<String, RefundPolicyView>,
}

#[derive(Serialize)]
struct AirlineView {
    name: String,
    logo_url: Option<String>,
}

#[derive(Serialize)]
struct AirportView {
    name: &'static str,
    city: &'static str,
    country: &'static str,
    iso_country: &'static str,
    timezone: &'static str,
    utc_offset: String,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct BaggageView {
    check_in: Option<String>,
    cabin: Option<String>,
    fare_family: Option<String>,
    desc: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct RefundPolicyView {
    is_refundable: Option<bool>,
    cancel_fee: Option<Number>,
    change_fee: Option<Number>,
    no_show_fee: Option<Number>,
}

/// An amount that can be a key: its printed digits.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Number(String);

impl Serialize for Number {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let digits: serde_json::Number = self.0.parse().map_err(serde::ser::Error::custom)?;
        digits.serialize(serializer)
    }
}

#[derive(Serialize)]
struct SegmentView {
    segment_id: String,
    airline: String,
    flight_number: String,
    origin: String,
    destination: String,
    departure: String,
    arrival: String,
    duration_minutes: Option<u32>,
    aircraft_type: Option<String>,
    cabin: Option<Cabin>,
    operating_carrier: Option<String>,
    seats_available: Option<u32>,
}

#[derive(Serialize)]
struct LegView {
    leg_id: String,
    route_index: u8,
    origin: String,
    destination: String,
    departure: Option<String>,
    arrival: Option<String>,
    duration_minutes: Option<u32>,
    stops: usize,
    stops_detail: Vec<String>,
    segments: Vec<String>,
    operating_carrier: Option<String>,
}

#[derive(Serialize)]
struct OfferView {
    offer_id: String,
    #[serde(rename = "type")]
    kind: OfferKind,
    route_index: u8,
    combination_group_id: Option<String>,
    combinable_with: Vec<String>,
    legs: Vec<String>,
    supplier: String,
    price: PriceView,
    fare_details: FareDetailsView,
    supplier_ref: SupplierRef,
}

#[derive(Serialize)]
struct PriceView {
    total: Amount,
    public_fare: Amount,
    agent_price: AgentPrice,
    currency: Currency,
    breakdown: Vec<Share>,
}

/// What the agency pays and why (contract, `agent_price` and `agent_details`).
#[derive(Serialize)]
pub struct AgentPrice {
    service_fee: Amount,
    gst_on_service_fee: Amount,
    platform_charge: Amount,
    agent_fare: Amount,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_commission: Option<Amount>,
}

impl From<&Price> for AgentPrice {
    fn from(price: &Price) -> Self {
        Self {
            service_fee: price.service_fee().number(),
            gst_on_service_fee: price.gst().number(),
            platform_charge: price.platform_charge().number(),
            agent_fare: price.agent_fare().number(),
            agent_commission: price.agent_commission().map(Money::number),
        }
    }
}

#[derive(Serialize)]
struct Share {
    passenger_type: &'static str,
    count: u32,
    unit_base: Amount,
    unit_tax: Amount,
    subtotal: Amount,
}

/// The sum of one line: what each pays, as often as there are passengers.
pub fn subtotal(share: &PassengerShare) -> Amount {
    let unit = share.base.amount() + share.taxes.amount();
    Amount(unit * rust_decimal::Decimal::from(share.count))
}

#[derive(Serialize)]
struct FareDetailsView {
    fare_class: Option<String>,
    fare_family: Option<String>,
    fare_name: Option<String>,
    seats_left: Option<u32>,
    baggage_ref: String,
    refund_ref: String,
}

#[derive(Serialize)]
struct SupplierRef {
    offer_token: String,
    integrity_hash: String,
    expires_at: DateTime<Utc>,
}

/// Gives equal things one name: `s1`, `s2` …
struct Names<K> {
    prefix: &'static str,
    known: HashMap<K, String>,
}

impl<K: Hash + Eq> Names<K> {
    fn new(prefix: &'static str) -> Self {
        Self {
            prefix,
            known: HashMap::new(),
        }
    }

    /// The thing's name, and whether it is new.
    fn of(&mut self, key: K) -> (String, bool) {
        let next = self.known.len() + 1;
        let mut new = false;
        let name = self.known.entry(key).or_insert_with(|| {
            new = true;
            format!("{}{next}", self.prefix)
        });
        (name.clone(), new)
    }
}

/// What makes two segments one: the flight and the class sold on it.
type SegmentKey = (
    String,
    String,
    String,
    String,
    chrono::NaiveDateTime,
    Option<Cabin>,
    Option<u32>,
);

struct Printer {
    segments: Vec<SegmentView>,
    legs: Vec<LegView>,
    dictionaries: Dictionaries,
    segment_names: Names<SegmentKey>,
    leg_names: Names<(u8, Vec<String>)>,
    baggage_names: Names<BaggageView>,
    refund_names: Names<RefundPolicyView>,
}

impl From<Found> for SearchResult {
    fn from(found: Found) -> Self {
        let mut printer = Printer {
            segments: Vec::new(),
            legs: Vec::new(),
            dictionaries: Dictionaries::default(),
            segment_names: Names::new("s"),
            leg_names: Names::new("l"),
            baggage_names: Names::new("b"),
            refund_names: Names::new("r"),
        };
        for (code, airline) in found.airlines {
            let view = AirlineView {
                name: airline.name,
                logo_url: airline.logo_url,
            };
            printer.dictionaries.airlines.insert(code, view);
        }
        let offers: Vec<OfferView> = found
            .offers
            .into_iter()
            .map(|offer| printer.offer(offer))
            .collect();
        let mut provider_status = BTreeMap::new();
        let mut provider_errors = BTreeMap::new();
        for report in found.suppliers {
            let status = match report.state {
                SupplierState::Success => "success",
                SupplierState::Error => "error",
                SupplierState::Skipped => "skipped",
            };
            if !report.errors.is_empty() {
                provider_errors.insert(report.code.clone(), report.errors.join("; "));
            }
            let duration_ms = report.duration.as_millis();
            provider_status.insert(
                report.code,
                ProviderStatus {
                    status,
                    duration_ms,
                    results: report.results,
                },
            );
        }
        Self {
            search_id: found.id,
            search_meta: Meta {
                currency: found.currency,
                created_at: found.created_at,
                expires_at: found.expires_at,
                total_results: offers.len(),
                duration_ms: found.duration.as_millis(),
                provider_status,
            },
            dictionaries: printer.dictionaries,
            segments: printer.segments,
            legs: printer.legs,
            offers,
            debug: Debug { provider_errors },
        }
    }
}

impl SearchResult {
    /// How many offers were found.
    pub fn count(&self) -> usize {
        self.offers.len()
    }
}

impl Printer {
    fn offer(&mut self, found: FoundPrice) -> OfferView {
        let FoundPrice {
            id,
            integrity,
            supplier,
            offer,
            sale,
            shares,
            expires_at,
        } = found;
        let legs = (offer.route_index..)
            .zip(&offer.legs)
            .map(|(index, leg)| self.leg(index, leg))
            .collect();
        let fare = offer.fare;
        let baggage_ref = self.baggage(BaggageView {
            check_in: fare.baggage.check_in,
            cabin: fare.baggage.cabin,
            fare_family: fare.fare_family.clone(),
            desc: fare.fare_name.clone(),
        });
        let refund_ref = self.refund(&fare.refund, &sale);
        let (group, with) = offer.combination.map(|pair| (pair.group, pair.with)).unzip();
        OfferView {
            offer_id: id,
            kind: offer.kind,
            route_index: offer.route_index,
            combination_group_id: group,
            combinable_with: with.unwrap_or_default(),
            legs,
            supplier,
            price: PriceView {
                total: sale.price.total().number(),
                public_fare: sale.price.public_fare().number(),
                agent_price: AgentPrice::from(&sale.price),
                currency: sale.price.currency(),
                breakdown: shares.iter().map(share).collect(),
            },
            fare_details: FareDetailsView {
                fare_class: fare.fare_class,
                fare_family: fare.fare_family,
                fare_name: fare.fare_name,
                seats_left: fare.seats_left,
                baggage_ref,
                refund_ref,
            },
            supplier_ref: SupplierRef {
                offer_token: offer.token,
                integrity_hash: integrity,
                expires_at,
            },
        }
    }

    fn leg(&mut self, route_index: u8, leg: &Leg) -> String {
        let segments: Vec<String> = leg.segments.iter().map(|segment| self.segment(segment)).collect();
        let (leg_id, new) = self.leg_names.of((route_index, segments.clone()));
        if new {
            let (first, last) = (leg.segments.first(), leg.segments.last());
            self.legs.push(LegView {
                leg_id: leg_id.clone(),
                route_index,
                origin: first.map(|segment| segment.origin.clone()).unwrap_or_default(),
                destination: last
                    .map(|segment| segment.destination.clone())
                    .unwrap_or_default(),
                departure: first.map(|segment| local(segment.departure)),
                arrival: last.map(|segment| local(segment.arrival)),
                duration_minutes: leg.duration_minutes,
                stops: leg.stops(),
                stops_detail: leg.stop_airports().into_iter().map(str::to_owned).collect(),
                segments,
                operating_carrier: first.and_then(|segment| segment.operating_carrier.clone()),
            });
        }
        leg_id
    }

    fn segment(&mut self, segment: &Segment) -> String {
        let (segment_id, new) = self.segment_names.of((
            segment.airline.clone(),
            segment.flight_number.clone(),
            segment.origin.clone(),
            segment.destination.clone(),
            segment.departure,
            segment.cabin,
            segment.seats_available,
        ));
        if new {
            self.airport(&segment.origin, segment.departure);
            self.airport(&segment.destination, segment.arrival);
            for stop in &segment.stops {
                self.airport(stop, segment.arrival);
            }
            self.segments.push(SegmentView {
                segment_id: segment_id.clone(),
                airline: segment.airline.clone(),
                flight_number: segment.flight_number.clone(),
                origin: segment.origin.clone(),
                destination: segment.destination.clone(),
                departure: local(segment.departure),
                arrival: local(segment.arrival),
                duration_minutes: segment.duration_minutes,
                aircraft_type: segment.aircraft.clone(),
                cabin: segment.cabin,
                operating_carrier: segment.operating_carrier.clone(),
                seats_available: segment.seats_available,
            });
        }
        segment_id
    }

    /// The airport with its offset on the day of travel.
    fn airport(&mut self, iata: &str, day: chrono::NaiveDateTime) {
        let Some(airport) = airport(iata) else { return };
        self.dictionaries
            .airports
            .entry(iata.to_owned())
            .or_insert_with(|| AirportView {
                name: airport.name,
                city: airport.city,
                country: airport.country,
                iso_country: airport.iso_country,
                timezone: airport.time_zone.name(),
                utc_offset: airport.utc_offset_on(day),
            });
    }

    fn baggage(&mut self, baggage: BaggageView) -> String {
        let (name, new) = self.baggage_names.of(baggage.clone());
        if new {
            self.dictionaries.baggage.insert(name.clone(), baggage);
        }
        name
    }

    fn refund(&mut self, policy: &RefundPolicy, sale: &Sale) -> String {
        let shown = |fee: Option<Money>| {
            let fee = fee?.converted(sale.exchange_rate, sale.price.currency()).ok()?;
            Some(Number(fee.to_string()))
        };
        let view = RefundPolicyView {
            is_refundable: policy.refundable,
            cancel_fee: shown(policy.cancel_fee),
            change_fee: shown(policy.change_fee),
            no_show_fee: shown(policy.no_show_fee),
        };
        let (name, new) = self.refund_names.of(view.clone());
        if new {
            self.dictionaries.refund_policies.insert(name.clone(), view);
        }
        name
    }
}

fn share(share: &PassengerShare) -> Share {
    Share {
        passenger_type: share.kind.into(),
        count: share.count,
        unit_base: share.base.number(),
        unit_tax: share.taxes.number(),
        subtotal: subtotal(share),
    }
}
