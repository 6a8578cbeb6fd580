//! The parts of a search result as they are printed; they point to each other by numbers.

mod print;

use std::borrow::Cow;

use chrono::{DateTime, NaiveDateTime, Utc};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::value::RawValue;
use strum::VariantNames;
use wayfare_domain::{Amount, Currency, Money, PassengerType};
use wayfare_flights::{
    Airline, Cabin, FareDetails, HoldTerms, Journey, Offer, OfferKind, PassengerShare, Segment, SharedText,
    UnknownPlace,
};
use wayfare_operations::{SupplierReport, SupplierState, flights::DisplayedPrice};
use wayfare_pricing::Price;
use wayfare_reference::{Airport, Place, PlaceKind, country_name};

pub use print::Print;

use crate::{
    http::options::AirlineLogos,
    resources::{
        common::CurrencyCode,
        flights::{airlines, other_currency_fee::OtherCurrencyFee, requirements::RequirementView},
    },
};

/// What a thing is called within one answer: `s1`, `b2`.
#[derive(Clone, Copy)]
pub struct Name(pub char, pub u32);

impl JsonSchema for Name {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Name".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^[a-z][0-9]+$" })
    }
}

#[cfg(test)]
impl Serialize for Name {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{}{}", self.0, self.1))
    }
}

/// The names of several things.
pub struct Names<'a>(pub char, pub &'a [u32]);

impl JsonSchema for Names<'_> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Names".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Vec::<Name>::json_schema(generator)
    }
}

#[cfg(test)]
impl Serialize for Names<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeSeq;
        let mut list = serializer.serialize_seq(Some(self.1.len()))?;
        for number in self.1 {
            list.serialize_element(&Name(self.0, *number))?;
        }
        list.end()
    }
}

/// A local time.
#[derive(Clone, Copy)]
pub struct Local(NaiveDateTime);

impl JsonSchema for Local {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        String::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        String::json_schema(generator)
    }
}

#[cfg(test)]
impl Serialize for Local {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&crate::resources::common::local(self.0))
    }
}

/// One supplier's line in `provider_status`.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FlightProviderStatus")]
pub struct ProviderStatus<'a> {
    #[schemars(extend("enum" = ["success", "error", "skipped"]))]
    status: &'static str,
    duration_ms: u128,
    results: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    searched: Vec<SearchedInstead<'a>>,
}

/// One search that a supplier was asked instead of one between cities.
#[derive(Serialize, JsonSchema)]
pub struct SearchedInstead<'a> {
    slices: Vec<SearchedSlice<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct SearchedSlice<'a> {
    origin: &'a str,
    destination: &'a str,
}

/// What a code of the search stood for.
#[derive(Serialize, JsonSchema)]
pub struct SearchedPlace {
    code: &'static str,
    #[schemars(with = "&str", extend("enum" = PlaceKind::VARIANTS))]
    kind: PlaceKind,
    airports: Vec<&'static str>,
}

impl From<Place> for SearchedPlace {
    fn from(place: Place) -> Self {
        Self {
            code: place.code(),
            kind: place.kind(),
            airports: place.airports().iter().map(|airport| airport.iata).collect(),
        }
    }
}

impl<'a> From<&'a SupplierReport> for ProviderStatus<'a> {
    fn from(report: &'a SupplierReport) -> Self {
        let slice = |[origin, destination]: &'a [String; 2]| SearchedSlice { origin, destination };
        let search =
            |search: &'a Vec<[String; 2]>| SearchedInstead { slices: search.iter().map(slice).collect() };
        Self {
            status: match report.state {
                SupplierState::Success => "success",
                SupplierState::Error => "error",
                SupplierState::Skipped => "skipped",
            },
            duration_ms: report.duration.as_millis(),
            results: report.results,
            searched: report.searched.iter().map(search).collect(),
        }
    }
}

/// An airline as its supplier tells of it; what that leaves out is ours.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Airline")]
pub struct AirlineView<'a> {
    name: &'a str,
    logo_url: Option<String>,
}

impl<'a> AirlineView<'a> {
    /// The airline with this code, of which a supplier may have told this.
    pub fn of(code: &'a str, told: Option<&'a Airline>, logos: &AirlineLogos) -> Self {
        Self { name: airlines::name(code, told), logo_url: airlines::logo(code, told, logos) }
    }
}

/// An airport with its offset on the day of travel; of a code that is no airport we know nothing is known.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Airport")]
pub struct AirportView<'a> {
    name: Option<&'a str>,
    city: Option<&'a str>,
    country: Option<&'a str>,
    iso_country: Option<&'a str>,
    timezone: Option<&'a str>,
    utc_offset: Option<String>,
}

impl<'a> AirportView<'a> {
    /// The airport on this day; where our tables don't know it, what its supplier says.
    pub fn on(airport: Option<&'static Airport>, told: Option<&'a UnknownPlace>, day: NaiveDateTime) -> Self {
        if let (None, Some(told)) = (airport, told) {
            return Self::told(told, day);
        }
        Self {
            name: airport.map(|airport| airport.name),
            city: airport.map(|airport| airport.city),
            country: airport.map(|airport| airport.country),
            iso_country: airport.map(|airport| airport.iso_country),
            timezone: airport.map(|airport| airport.time_zone.name()),
            utc_offset: airport.map(|airport| airport.utc_offset_on(day)),
        }
    }

    fn told(told: &'a UnknownPlace, day: NaiveDateTime) -> Self {
        let utc_offset = told.utc_offset_on(day);
        Self {
            name: told.name.as_deref(),
            city: told.city.as_deref(),
            country: told.country_code.as_deref().and_then(country_name),
            iso_country: told.country_code.as_deref(),
            timezone: told.time_zone.as_deref().filter(|_| utc_offset.is_some()),
            utc_offset,
        }
    }
}

/// What may be carried.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Baggage")]
pub struct BaggageView<'a> {
    check_in: Option<&'a str>,
    cabin: Option<&'a str>,
    fare_family: Option<&'a str>,
    desc: Option<&'a str>,
}

impl<'a> From<&'a FareDetails> for BaggageView<'a> {
    fn from(fare: &'a FareDetails) -> Self {
        Self {
            check_in: fare.baggage.check_in.as_deref(),
            cabin: fare.baggage.cabin.as_deref(),
            fare_family: fare.fare_family.as_deref(),
            desc: fare.fare_name.as_deref(),
        }
    }
}

/// What giving it back costs, in the currency that is shown.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "RefundPolicy")]
pub struct RefundPolicyView {
    is_refundable: Option<bool>,
    cancel_fee: Option<Amount>,
    change_fee: Option<Amount>,
    no_show_fee: Option<Amount>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    other_currency_fees: Vec<OtherCurrencyFee>,
}

impl RefundPolicyView {
    /// The policy of this offer.
    pub fn of(offer: &Offer, found: &DisplayedPrice) -> Self {
        let of_fare = offer.charge.total.currency();
        let shown = |fee: Option<Money>| {
            let fee = fee.filter(|fee| fee.currency() == of_fare)?;
            let fee = fee.converted(found.shown_rate, found.shown.currency()).ok()?;
            Some(fee.number())
        };
        let refund = &offer.fare.refund;
        Self {
            is_refundable: refund.refundable,
            cancel_fee: shown(refund.cancel_fee),
            change_fee: shown(refund.change_fee),
            no_show_fee: shown(refund.no_show_fee),
            other_currency_fees: OtherCurrencyFee::of(offer),
        }
    }
}

/// One flight.
#[derive(JsonSchema)]
#[cfg_attr(test, derive(Serialize))]
#[schemars(rename = "FoundSegment")]
pub struct SegmentView<'a> {
    segment_id: Name,
    airline: &'a str,
    flight_number: &'a str,
    origin: &'a str,
    destination: &'a str,
    departure: Local,
    arrival: Local,
    duration_minutes: Option<u32>,
    aircraft_type: Option<&'a str>,
    cabin: Option<Cabin>,
    operating_carrier: Option<&'a str>,
    seats_available: Option<u32>,
}

impl<'a> SegmentView<'a> {
    /// The flight under this name.
    pub fn of(segment_id: Name, segment: &'a Segment) -> Self {
        Self {
            segment_id,
            airline: &segment.airline,
            flight_number: &segment.flight_number,
            origin: &segment.origin,
            destination: &segment.destination,
            departure: Local(segment.departure),
            arrival: Local(segment.arrival),
            duration_minutes: segment.duration_minutes,
            aircraft_type: segment.aircraft.as_deref(),
            cabin: segment.cabin,
            operating_carrier: segment.operating_carrier.as_deref(),
            seats_available: segment.seats_available,
        }
    }
}

/// One journey.
#[derive(JsonSchema)]
#[cfg_attr(test, derive(Serialize))]
#[schemars(rename = "FoundLeg")]
pub struct LegView<'a> {
    leg_id: Name,
    route_index: u8,
    origin: &'a str,
    destination: &'a str,
    departure: Option<Local>,
    arrival: Option<Local>,
    duration_minutes: Option<u32>,
    stops: usize,
    stops_detail: Vec<&'a str>,
    segments: Names<'a>,
    operating_carrier: Option<&'a str>,
}

impl<'a> LegView<'a> {
    /// The journey under this name, whose flights have these numbers.
    pub fn of(leg_id: Name, route_index: u8, leg: &'a Journey, segments: &'a [u32]) -> Self {
        let (first, last) = (leg.segments.first(), leg.segments.last());
        Self {
            leg_id,
            route_index,
            origin: first.map(|segment| segment.origin.as_str()).unwrap_or_default(),
            destination: last.map(|segment| segment.destination.as_str()).unwrap_or_default(),
            departure: first.map(|segment| Local(segment.departure)),
            arrival: last.map(|segment| Local(segment.arrival)),
            duration_minutes: leg.duration_minutes,
            stops: leg.stops(),
            stops_detail: leg.stop_airports(),
            segments: Names('s', segments),
            operating_carrier: first.and_then(|segment| segment.operating_carrier.as_deref()),
        }
    }
}

/// One offer.
#[derive(JsonSchema)]
#[cfg_attr(test, derive(Serialize))]
#[schemars(rename = "Offer")]
pub struct OfferView<'a> {
    offer_id: &'a str,
    #[serde(rename = "type")]
    kind: OfferKind,
    route_index: u8,
    combination_group_id: Option<&'a str>,
    combinable_with: &'a [SharedText],
    legs: Names<'a>,
    supplier: &'a str,
    price: PriceView,
    fare_details: FareDetailsView<'a>,
    #[schemars(with = "Vec<RequirementView>")]
    requires: &'a RawValue,
    supplier_ref: SupplierRef<'a>,
    hold: HoldTermsView,
}

/// Whether it can be held and paid later, and until when.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "HoldTerms")]
pub struct HoldTermsView {
    can_hold: Option<bool>,
    pay_by: Option<DateTime<Utc>>,
    price_guaranteed_until: Option<DateTime<Utc>>,
}

impl From<HoldTerms> for HoldTermsView {
    fn from(terms: HoldTerms) -> Self {
        let HoldTerms { can_hold, pay_by, price_guaranteed_until } = terms;
        Self { can_hold, pay_by, price_guaranteed_until }
    }
}

/// Where an offer's parts are printed.
pub struct PartsOfOffer<'a> {
    /// The numbers of its journeys.
    pub legs: &'a [u32],
    /// The number of what may be carried.
    pub baggage: u32,
    /// The number of its refund policy.
    pub refund: u32,
    /// What is wanted of the travellers, printed: nearly all offers want the same.
    pub requires: &'a RawValue,
}

impl<'a> OfferView<'a> {
    /// The offer at this price.
    pub fn of(offer: &'a Offer, found: &'a DisplayedPrice, parts: &PartsOfOffer<'a>) -> Self {
        let (shown, fare) = (&found.shown, &offer.fare);
        Self {
            offer_id: &found.id,
            kind: offer.kind,
            route_index: offer.route_index,
            combination_group_id: offer.combination.as_ref().map(|pair| pair.group.as_str()),
            combinable_with: offer.combination.as_ref().map_or(&[], |pair| &pair.with),
            legs: Names('l', parts.legs),
            supplier: &found.sale.supplier,
            price: PriceView {
                total: shown.total().number(),
                public_fare: shown.public_fare().number(),
                agent_price: AgentPrice::from(shown),
                currency: shown.currency(),
                breakdown: found.shares.iter().map(share).collect(),
            },
            fare_details: FareDetailsView {
                fare_class: fare.fare_class.as_deref(),
                fare_family: fare.fare_family.as_deref(),
                fare_name: fare.fare_name.as_deref(),
                seats_left: fare.seats_left,
                baggage_ref: Name('b', parts.baggage),
                refund_ref: Name('r', parts.refund),
            },
            requires: parts.requires,
            supplier_ref: SupplierRef {
                offer_token: &offer.token,
                integrity_hash: &found.integrity,
                expires_at: found.expires_at,
            },
            hold: HoldTerms::from(offer).into(),
        }
    }
}

#[derive(JsonSchema)]
#[cfg_attr(test, derive(Serialize))]
#[schemars(rename = "Price")]
struct PriceView {
    total: Amount,
    public_fare: Amount,
    agent_price: AgentPrice,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    breakdown: Vec<Share>,
}

/// What the agency pays and why (P-1, P-3).
#[derive(JsonSchema)]
#[cfg_attr(test, derive(Serialize))]
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

#[derive(JsonSchema)]
#[cfg_attr(test, derive(Serialize))]
#[schemars(rename = "OfferShare")]
struct Share {
    #[schemars(with = "PassengerType")]
    passenger_type: &'static str,
    count: u32,
    unit_base: Amount,
    unit_tax: Amount,
    subtotal: Amount,
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

/// The sum of one line: what each pays, as often as there are passengers.
pub fn subtotal(share: &PassengerShare) -> Amount {
    let unit = share.base.amount() + share.taxes.amount();
    Amount(unit * rust_decimal::Decimal::from(share.count))
}

#[derive(JsonSchema)]
#[cfg_attr(test, derive(Serialize))]
#[schemars(rename = "FareDetails")]
struct FareDetailsView<'a> {
    fare_class: Option<&'a str>,
    fare_family: Option<&'a str>,
    fare_name: Option<&'a str>,
    seats_left: Option<u32>,
    baggage_ref: Name,
    refund_ref: Name,
}

#[derive(JsonSchema)]
#[cfg_attr(test, derive(Serialize))]
struct SupplierRef<'a> {
    offer_token: &'a str,
    integrity_hash: &'a str,
    expires_at: DateTime<Utc>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_supplier_says_stands_in_for_what_our_tables_do_not_know() {
        let day = "2027-01-10T12:00:00".parse().unwrap();
        let shown =
            |place: Option<&UnknownPlace>| serde_json::to_value(AirportView::on(None, place, day)).unwrap();
        let station = UnknownPlace {
            name: Some("Cologne Central Station".to_owned()),
            city: Some("Cologne".to_owned()),
            country_code: Some("DE".to_owned()),
            time_zone: Some("Europe/Berlin".to_owned()),
        };
        assert_eq!(
            shown(Some(&station)),
            json!({
                "name": "Cologne Central Station", "city": "Cologne", "country": "Germany", "iso_country": "DE",
                "timezone": "Europe/Berlin", "utc_offset": "+01:00",
            })
        );
        let strange = UnknownPlace {
            country_code: Some("??".to_owned()),
            time_zone: Some("Mars/Olympus".to_owned()),
            ..UnknownPlace::default()
        };
        let nothing = shown(None);
        assert_eq!(
            shown(Some(&strange)),
            json!({
                "name": null, "city": null, "country": null, "iso_country": "??", "timezone": null, "utc_offset": null,
            })
        );
        assert_eq!(nothing["iso_country"], json!(null));
    }
}
