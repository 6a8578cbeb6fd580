//! Flight search results: offers that point to legs, legs that point to segments, each printed once.

use std::{
    collections::{BTreeMap, HashMap},
    hash::Hash,
    rc::Rc,
};

use chrono::{DateTime, Utc};
use serde::Serialize;
use wayfare_domain::{Amount, Currency, Money, SearchId};
use wayfare_flights::{Cabin, FareDetails, Leg, OfferKind, PassengerShare, Segment};
use wayfare_operations::flights::{Found, FoundPrice, SupplierReport, SupplierState};
use wayfare_pricing::Price;
use wayfare_reference::airport;

use super::local;

/// The answer of a search: what was found, ready to be written.
#[derive(Serialize)]
pub struct SearchResult<'a> {
    search_id: SearchId,
    search_meta: Meta<'a>,
    dictionaries: Dictionaries<'a>,
    segments: Vec<SegmentView<'a>>,
    legs: Vec<LegView<'a>>,
    offers: Vec<OfferView<'a>>,
    debug: Debug<'a>,
}

#[derive(Serialize)]
struct Meta<'a> {
    currency: Currency,
    created_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
    total_results: usize,
    duration_ms: u128,
    provider_status: BTreeMap<&'a str, ProviderStatus>,
}

#[derive(Serialize)]
struct ProviderStatus {
    status: &'static str,
    duration_ms: u128,
    results: usize,
}

#[derive(Serialize)]
struct Debug<'a> {
    provider_errors: BTreeMap<&'a str, String>,
}

/// What a thing is called within one answer: `s1`, `b2`.
type Name = Rc<str>;

#[derive(Default, Serialize)]
struct Dictionaries<'a> {
    airlines: BTreeMap<&'a str, AirlineView<'a>>,
    airports: BTreeMap<&'a str, AirportView>,
    baggage: BTreeMap<Name, BaggageView<'a>>,
    refund_policies: BTreeMap<Name, RefundPolicyView>,
}

#[derive(Serialize)]
struct AirlineView<'a> {
    name: &'a str,
    logo_url: Option<&'a str>,
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

#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize)]
struct BaggageView<'a> {
    check_in: Option<&'a str>,
    cabin: Option<&'a str>,
    fare_family: Option<&'a str>,
    desc: Option<&'a str>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize)]
struct RefundPolicyView {
    is_refundable: Option<bool>,
    cancel_fee: Option<Amount>,
    change_fee: Option<Amount>,
    no_show_fee: Option<Amount>,
}

#[derive(Serialize)]
struct SegmentView<'a> {
    segment_id: Name,
    airline: &'a str,
    flight_number: &'a str,
    origin: &'a str,
    destination: &'a str,
    departure: String,
    arrival: String,
    duration_minutes: Option<u32>,
    aircraft_type: Option<&'a str>,
    cabin: Option<Cabin>,
    operating_carrier: Option<&'a str>,
    seats_available: Option<u32>,
}

#[derive(Serialize)]
struct LegView<'a> {
    leg_id: Name,
    route_index: u8,
    origin: &'a str,
    destination: &'a str,
    departure: Option<String>,
    arrival: Option<String>,
    duration_minutes: Option<u32>,
    stops: usize,
    stops_detail: Vec<&'a str>,
    segments: Vec<Name>,
    operating_carrier: Option<&'a str>,
}

#[derive(Serialize)]
struct OfferView<'a> {
    offer_id: &'a str,
    #[serde(rename = "type")]
    kind: OfferKind,
    route_index: u8,
    combination_group_id: Option<&'a str>,
    combinable_with: &'a [String],
    legs: Vec<Name>,
    supplier: &'a str,
    price: PriceView,
    fare_details: FareDetailsView<'a>,
    supplier_ref: SupplierRef<'a>,
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
struct FareDetailsView<'a> {
    fare_class: Option<&'a str>,
    fare_family: Option<&'a str>,
    fare_name: Option<&'a str>,
    seats_left: Option<u32>,
    baggage_ref: Name,
    refund_ref: Name,
}

#[derive(Serialize)]
struct SupplierRef<'a> {
    offer_token: &'a str,
    integrity_hash: &'a str,
    expires_at: DateTime<Utc>,
}

/// Gives equal things one name: `s1`, `s2` …
struct Names<K> {
    prefix: &'static str,
    known: HashMap<K, Name>,
}

impl<K: Hash + Eq> Names<K> {
    fn new(prefix: &'static str) -> Self {
        Self {
            prefix,
            known: HashMap::new(),
        }
    }

    /// The thing's name, and whether it is new.
    fn of(&mut self, key: K) -> (Name, bool) {
        let next = self.known.len() + 1;
        let mut new = false;
        let name = self.known.entry(key).or_insert_with(|| {
            new = true;
            format!("{}{next}", self.prefix).into()
        });
        (name.clone(), new)
    }
}

/// What makes two segments one: the flight and the class sold on it.
type SegmentKey<'a> = (
    &'a str,
    &'a str,
    &'a str,
    &'a str,
    chrono::NaiveDateTime,
    Option<Cabin>,
    Option<u32>,
);

struct Printer<'a> {
    segments: Vec<SegmentView<'a>>,
    legs: Vec<LegView<'a>>,
    dictionaries: Dictionaries<'a>,
    segment_names: Names<SegmentKey<'a>>,
    leg_names: Names<(u8, Vec<Name>)>,
    baggage_names: Names<BaggageView<'a>>,
    refund_names: Names<RefundPolicyView>,
}

impl<'a> From<&'a Found> for SearchResult<'a> {
    fn from(found: &'a Found) -> Self {
        let mut printer = Printer {
            segments: Vec::new(),
            legs: Vec::new(),
            dictionaries: Dictionaries::default(),
            segment_names: Names::new("s"),
            leg_names: Names::new("l"),
            baggage_names: Names::new("b"),
            refund_names: Names::new("r"),
        };
        printer.dictionaries.airlines = found
            .airlines
            .iter()
            .map(|(code, airline)| {
                let view = AirlineView {
                    name: &airline.name,
                    logo_url: airline.logo_url.as_deref(),
                };
                (code.as_str(), view)
            })
            .collect();
        let offers: Vec<OfferView> = found.offers.iter().map(|offer| printer.offer(offer)).collect();
        Self {
            search_id: found.id,
            search_meta: Meta {
                currency: found.currency,
                created_at: found.created_at,
                expires_at: found.expires_at,
                total_results: offers.len(),
                duration_ms: found.duration.as_millis(),
                provider_status: found.suppliers.iter().map(provider_status).collect(),
            },
            dictionaries: printer.dictionaries,
            segments: printer.segments,
            legs: printer.legs,
            offers,
            debug: Debug {
                provider_errors: found
                    .suppliers
                    .iter()
                    .filter(|report| !report.errors.is_empty())
                    .map(|report| (report.code.as_str(), report.errors.join("; ")))
                    .collect(),
            },
        }
    }
}

impl SearchResult<'_> {
    /// How many offers were found.
    pub fn count(&self) -> usize {
        self.offers.len()
    }
}

impl<'a> Printer<'a> {
    fn offer(&mut self, found: &'a FoundPrice) -> OfferView<'a> {
        let FoundPrice { offer, shown, .. } = found;
        let legs = (offer.route_index..)
            .zip(&offer.legs)
            .map(|(index, leg)| self.leg(index, leg))
            .collect();
        OfferView {
            offer_id: &found.id,
            kind: offer.kind,
            route_index: offer.route_index,
            combination_group_id: offer.combination.as_ref().map(|pair| pair.group.as_str()),
            combinable_with: offer.combination.as_ref().map_or(&[], |pair| &pair.with),
            legs,
            supplier: &found.sale.supplier,
            price: PriceView {
                total: shown.total().number(),
                public_fare: shown.public_fare().number(),
                agent_price: AgentPrice::from(shown),
                currency: shown.currency(),
                breakdown: found.shares.iter().map(share).collect(),
            },
            fare_details: self.fare(&offer.fare, found),
            supplier_ref: SupplierRef {
                offer_token: &offer.token,
                integrity_hash: &found.integrity,
                expires_at: found.expires_at,
            },
        }
    }

    fn leg(&mut self, route_index: u8, leg: &'a Leg) -> Name {
        let segments: Vec<Name> = leg.segments.iter().map(|segment| self.segment(segment)).collect();
        let (leg_id, new) = self.leg_names.of((route_index, segments.clone()));
        if new {
            let (first, last) = (leg.segments.first(), leg.segments.last());
            self.legs.push(LegView {
                leg_id: leg_id.clone(),
                route_index,
                origin: first.map(|segment| segment.origin.as_str()).unwrap_or_default(),
                destination: last
                    .map(|segment| segment.destination.as_str())
                    .unwrap_or_default(),
                departure: first.map(|segment| local(segment.departure)),
                arrival: last.map(|segment| local(segment.arrival)),
                duration_minutes: leg.duration_minutes,
                stops: leg.stops(),
                stops_detail: leg.stop_airports(),
                segments,
                operating_carrier: first.and_then(|segment| segment.operating_carrier.as_deref()),
            });
        }
        leg_id
    }

    fn segment(&mut self, segment: &'a Segment) -> Name {
        let (segment_id, new) = self.segment_names.of((
            &segment.airline,
            &segment.flight_number,
            &segment.origin,
            &segment.destination,
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
                airline: &segment.airline,
                flight_number: &segment.flight_number,
                origin: &segment.origin,
                destination: &segment.destination,
                departure: local(segment.departure),
                arrival: local(segment.arrival),
                duration_minutes: segment.duration_minutes,
                aircraft_type: segment.aircraft.as_deref(),
                cabin: segment.cabin,
                operating_carrier: segment.operating_carrier.as_deref(),
                seats_available: segment.seats_available,
            });
        }
        segment_id
    }

    /// The airport with its offset on the day of travel.
    fn airport(&mut self, iata: &'a str, day: chrono::NaiveDateTime) {
        let Some(airport) = airport(iata) else { return };
        self.dictionaries
            .airports
            .entry(iata)
            .or_insert_with(|| AirportView {
                name: airport.name,
                city: airport.city,
                country: airport.country,
                iso_country: airport.iso_country,
                timezone: airport.time_zone.name(),
                utc_offset: airport.utc_offset_on(day),
            });
    }

    fn fare(&mut self, fare: &'a FareDetails, found: &FoundPrice) -> FareDetailsView<'a> {
        let baggage = BaggageView {
            check_in: fare.baggage.check_in.as_deref(),
            cabin: fare.baggage.cabin.as_deref(),
            fare_family: fare.fare_family.as_deref(),
            desc: fare.fare_name.as_deref(),
        };
        let (baggage_ref, new) = self.baggage_names.of(baggage);
        if new {
            self.dictionaries.baggage.insert(baggage_ref.clone(), baggage);
        }
        let shown = |fee: Option<Money>| {
            let fee = fee?.converted(found.shown_rate, found.shown.currency()).ok()?;
            Some(fee.number())
        };
        let refund = RefundPolicyView {
            is_refundable: fare.refund.refundable,
            cancel_fee: shown(fare.refund.cancel_fee),
            change_fee: shown(fare.refund.change_fee),
            no_show_fee: shown(fare.refund.no_show_fee),
        };
        let (refund_ref, new) = self.refund_names.of(refund);
        if new {
            self.dictionaries
                .refund_policies
                .insert(refund_ref.clone(), refund);
        }
        FareDetailsView {
            fare_class: fare.fare_class.as_deref(),
            fare_family: fare.fare_family.as_deref(),
            fare_name: fare.fare_name.as_deref(),
            seats_left: fare.seats_left,
            baggage_ref,
            refund_ref,
        }
    }
}

fn provider_status(report: &SupplierReport) -> (&str, ProviderStatus) {
    let status = match report.state {
        SupplierState::Success => "success",
        SupplierState::Error => "error",
        SupplierState::Skipped => "skipped",
    };
    let status = ProviderStatus {
        status,
        duration_ms: report.duration.as_millis(),
        results: report.results,
    };
    (&report.code, status)
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
