//! The parts of a search result as they are printed; they point to each other by numbers.

mod print;

use chrono::{DateTime, NaiveDateTime, Utc};
use serde::Serialize;
use serde_json::value::RawValue;
use wayfare_contract::flights::{
    FlightSupplierStatus, HoldTerms, OtherCurrencyFee, SearchedInstead, SearchedPlace, SearchedSlice,
};
use wayfare_domain::{Amount, Currency, Money};
use wayfare_flights::{
    Airline, Cabin, FareDetails, Journey, Offer, OfferKind, PassengerShare, Segment, SharedText, UnknownPlace,
};
use wayfare_operations::{SupplierReport, flights::DisplayedPrice};
use wayfare_pricing::Price;
use wayfare_reference::{Airport, Place, country_name};

pub use print::Print;

use super::{
    airlines::{AirlineLogos, airline_logo, airline_name},
    other_currency_fee::other_currency_fees,
    requirements::hold_terms,
};
use crate::{milliseconds, state};

/// What a thing is called within one answer: `s1`, `b2`.
#[derive(Clone, Copy)]
pub struct Name(pub char, pub u32);

#[cfg(test)]
impl Serialize for Name {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{}{}", self.0, self.1))
    }
}

/// The names of several things.
pub struct Names<'a>(pub char, pub &'a [u32]);

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

#[cfg(test)]
impl Serialize for Local {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        crate::local(self.0).serialize(serializer)
    }
}

/// What a code of the search stood for.
pub fn searched_place(place: Place) -> SearchedPlace {
    SearchedPlace {
        code: place.code().to_owned(),
        kind: place.kind().as_ref().to_owned(),
        airports: place.airports().iter().map(|airport| airport.iata.to_owned()).collect(),
    }
}

/// One supplier's line in `provider_status`.
pub fn supplier_status(report: &SupplierReport) -> FlightSupplierStatus {
    let slice = |[origin, destination]: &[String; 2]| SearchedSlice {
        origin: origin.clone(),
        destination: destination.clone(),
    };
    let search = |search: &Vec<[String; 2]>| SearchedInstead { slices: search.iter().map(slice).collect() };
    FlightSupplierStatus {
        status: state(report.state),
        duration_ms: milliseconds(report.duration),
        results: report.results,
        searched: report.searched.iter().map(search).collect(),
    }
}

/// An airline as its supplier tells of it; what that leaves out is ours.
#[derive(Serialize)]
pub struct AirlineView<'a> {
    name: &'a str,
    logo_url: Option<String>,
}

impl<'a> AirlineView<'a> {
    /// The airline with this code, of which a supplier may have told this.
    pub fn of(code: &'a str, told: Option<&'a Airline>, logos: &AirlineLogos) -> Self {
        Self { name: airline_name(code, told), logo_url: airline_logo(code, told, logos) }
    }
}

/// An airport with its offset on the day of travel; of a code that is no airport we know nothing is known.
#[derive(Serialize)]
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
#[derive(Serialize)]
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
#[derive(Serialize)]
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
            other_currency_fees: other_currency_fees(offer),
        }
    }
}

/// One flight.
#[cfg_attr(test, derive(Serialize))]
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
#[cfg_attr(test, derive(Serialize))]
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
#[cfg_attr(test, derive(Serialize))]
pub struct OfferView<'a> {
    offer_id: &'a str,
    #[cfg_attr(test, serde(rename = "type"))]
    kind: OfferKind,
    route_index: u8,
    combination_group_id: Option<&'a str>,
    combinable_with: &'a [SharedText],
    legs: Names<'a>,
    supplier: &'a str,
    price: PriceView,
    fare_details: FareDetailsView<'a>,
    requires: &'a RawValue,
    supplier_ref: SupplierRef<'a>,
    hold: HoldTerms,
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
            hold: hold_terms(offer.into()),
        }
    }
}

#[cfg_attr(test, derive(Serialize))]
struct PriceView {
    total: Amount,
    public_fare: Amount,
    agent_price: AgentPrice,
    currency: Currency,
    breakdown: Vec<Share>,
}

/// What the agency pays and why (P-1, P-3).
#[cfg_attr(test, derive(Serialize))]
pub struct AgentPrice {
    service_fee: Amount,
    gst_on_service_fee: Amount,
    platform_charge: Amount,
    agent_fare: Amount,
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
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

#[cfg_attr(test, derive(Serialize))]
struct Share {
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

#[cfg_attr(test, derive(Serialize))]
struct FareDetailsView<'a> {
    fare_class: Option<&'a str>,
    fare_family: Option<&'a str>,
    fare_name: Option<&'a str>,
    seats_left: Option<u32>,
    baggage_ref: Name,
    refund_ref: Name,
}

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
