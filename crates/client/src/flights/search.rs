//! What a flight search asks and what it finds (docs/API.md, Searches).

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{OtherCurrencyFee, Requirement};
use crate::{
    Amount,
    enums::{Cabin, OfferType, PassengerType, SupplierState, TripType},
};

/// A search for flights: economy for one adult, unless told otherwise.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FlightSearch {
    search_params: SearchParams,
    slices: Vec<Slice>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct SearchParams {
    trip_type: TripType,
    passengers: Party,
    cabin_class: Cabin,
    #[serde(skip_serializing_if = "Option::is_none")]
    preferred_currency: Option<String>,
    direct_flights_only: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_results: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    airline_id: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct Party {
    adults: u8,
    children: u8,
    infants: u8,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Slice {
    origin: String,
    destination: String,
    departure_date: NaiveDate,
    #[serde(skip_serializing_if = "Option::is_none")]
    origin_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    destination_type: Option<&'static str>,
}

impl FlightSearch {
    /// From one airport (IATA) to another on a day by the clocks of the first.
    pub fn one_way(origin: &str, destination: &str, day: NaiveDate) -> Self {
        Self::of(TripType::OneWay, &[(origin, destination, day)])
    }

    /// There on one day and back on another.
    pub fn round_trip(origin: &str, destination: &str, there: NaiveDate, back: NaiveDate) -> Self {
        let slices = [(origin, destination, there), (destination, origin, back)];
        Self::of(TripType::Return, &slices)
    }

    /// Two to six journeys: from, to, day.
    pub fn multi_city(slices: &[(&str, &str, NaiveDate)]) -> Self {
        Self::of(TripType::MultiCity, slices)
    }

    fn of(trip_type: TripType, slices: &[(&str, &str, NaiveDate)]) -> Self {
        let slice = |(origin, destination, day): &(&str, &str, NaiveDate)| Slice {
            origin: (*origin).to_owned(),
            destination: (*destination).to_owned(),
            departure_date: *day,
            origin_type: None,
            destination_type: None,
        };
        Self {
            search_params: SearchParams {
                trip_type,
                passengers: Party { adults: 1, children: 0, infants: 0 },
                cabin_class: Cabin::Economy,
                preferred_currency: None,
                direct_flights_only: false,
                max_results: None,
                airline_id: None,
            },
            slices: slices.iter().map(slice).collect(),
        }
    }

    /// Where this code is also that of an airport, all airports of its city.
    #[must_use]
    pub fn whole_city(mut self, code: &str) -> Self {
        for slice in &mut self.slices {
            if slice.origin == code {
                slice.origin_type = Some("city");
            }
            if slice.destination == code {
                slice.destination_type = Some("city");
            }
        }
        self
    }

    /// For so many adults, 1 to 9.
    #[must_use]
    pub fn adults(mut self, adults: u8) -> Self {
        self.search_params.passengers.adults = adults;
        self
    }

    /// And so many children of 2 to 11 years, 0 to 9.
    #[must_use]
    pub fn children(mut self, children: u8) -> Self {
        self.search_params.passengers.children = children;
        self
    }

    /// And so many infants under 2 years, at most one for each adult.
    #[must_use]
    pub fn infants(mut self, infants: u8) -> Self {
        self.search_params.passengers.infants = infants;
        self
    }

    /// In this class.
    #[must_use]
    pub fn cabin(mut self, cabin: Cabin) -> Self {
        self.search_params.cabin_class = cabin;
        self
    }

    /// Prices are shown in this currency (ISO 4217); the wallet pays in its own.
    #[must_use]
    pub fn currency(mut self, currency: &str) -> Self {
        self.search_params.preferred_currency = Some(currency.to_owned());
        self
    }

    /// Without changes and landings on the way.
    #[must_use]
    pub fn direct_only(mut self) -> Self {
        self.search_params.direct_flights_only = true;
        self
    }

    /// Only this airline (IATA).
    #[must_use]
    pub fn airline(mut self, code: &str) -> Self {
        self.search_params.airline_id = Some(code.to_owned());
        self
    }

    /// At most so many of the cheapest offers, 1 to 1,000.
    #[must_use]
    pub fn at_most(mut self, offers: u16) -> Self {
        self.search_params.max_results = Some(offers);
        self
    }
}

/// An airport or a city that was typed.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct FoundPlace {
    /// What a search takes: an airport's or a city's IATA code.
    pub code: String,
    /// `airport` or `city`.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Its city.
    pub city: String,
    /// The code of its city.
    pub city_code: String,
    /// ISO 3166-1, two letters.
    pub country: String,
    /// The country's name.
    pub country_name: String,
    /// IANA.
    pub time_zone: String,
    /// Degrees to the north.
    pub latitude: Amount,
    /// Degrees to the east.
    pub longitude: Amount,
    /// The airport itself, or those of the city, the most important first.
    pub airports: Vec<String>,
}

/// What was found, the cheapest first. Offers name legs, legs name segments.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct FlightsFound {
    /// The search.
    pub search_id: String,
    /// About the search itself.
    pub search_meta: SearchMeta,
    /// What codes and references stand for.
    pub dictionaries: Dictionaries,
    /// Flights.
    pub segments: Vec<FoundSegment>,
    /// Journeys.
    pub legs: Vec<FoundLeg>,
    /// What can be bought.
    pub offers: Vec<Offer>,
    /// Why suppliers are missing.
    pub debug: SearchDebug,
}

impl FlightsFound {
    /// The leg that an offer names.
    pub fn leg(&self, leg_id: &str) -> Option<&FoundLeg> {
        self.legs.iter().find(|leg| leg.leg_id == leg_id)
    }

    /// The flight that a leg names.
    pub fn segment(&self, segment_id: &str) -> Option<&FoundSegment> {
        self.segments.iter().find(|segment| segment.segment_id == segment_id)
    }
}

/// About a search.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct SearchMeta {
    /// Of the prices shown, ISO 4217.
    pub currency: String,
    /// When it began, UTC.
    pub created_at: DateTime<Utc>,
    /// Until when its offers can be priced, UTC.
    pub expires_at: DateTime<Utc>,
    /// How many offers are shown.
    pub total_results: u64,
    /// How long it took, milliseconds.
    pub duration_ms: u64,
    /// What became of asking each supplier, by its code.
    pub provider_status: BTreeMap<String, FlightSupplierStatus>,
    /// What the codes of the search stood for, each once.
    #[serde(default)]
    pub places: Vec<SearchedPlace>,
}

/// What a code of a search stood for.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct SearchedPlace {
    /// IATA code.
    pub code: String,
    /// `airport` or `city`.
    pub kind: String,
    /// The airport itself, or those of the city, the most important first.
    pub airports: Vec<String>,
}

/// One search that a supplier was asked instead of one between cities.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct SearchedInstead {
    /// Its journeys.
    pub slices: Vec<SearchedSlice>,
}

/// A journey between airports.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct SearchedSlice {
    /// IATA code.
    pub origin: String,
    /// IATA code.
    pub destination: String,
}

/// What became of asking a supplier.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct FlightSupplierStatus {
    /// Whether it answered.
    pub status: SupplierState,
    /// How long the search waited for it, milliseconds.
    pub duration_ms: u64,
    /// How many of its offers are shown.
    pub results: u64,
    /// What was searched instead where a city was asked for that it does not know; else empty.
    #[serde(default)]
    pub searched: Vec<SearchedInstead>,
}

/// What codes and references stand for.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Dictionaries {
    /// By IATA code.
    pub airlines: BTreeMap<String, Airline>,
    /// By IATA code.
    pub airports: BTreeMap<String, Airport>,
    /// By `baggage_ref`.
    pub baggage: BTreeMap<String, Baggage>,
    /// By `refund_ref`.
    pub refund_policies: BTreeMap<String, RefundPolicy>,
}

/// An airline.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Airline {
    /// Its name.
    pub name: Option<String>,
    /// Where its logo is.
    pub logo_url: Option<String>,
}

/// An airport.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Airport {
    /// Its name.
    pub name: Option<String>,
    /// Its city.
    pub city: Option<String>,
    /// Its country.
    pub country: Option<String>,
    /// ISO 3166-1, two letters.
    pub iso_country: Option<String>,
    /// IANA.
    pub timezone: Option<String>,
    /// On the day of travel: `+05:30`.
    pub utc_offset: Option<String>,
}

/// What may be carried, in words.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Baggage {
    /// Checked in.
    pub check_in: Option<String>,
    /// In the cabin.
    pub cabin: Option<String>,
    /// The fare's family.
    pub fare_family: Option<String>,
    /// The fare's name.
    pub desc: Option<String>,
}

/// What changing one's mind costs, in the currency that is shown; none is not known.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct RefundPolicy {
    /// Whether anything comes back.
    pub is_refundable: Option<bool>,
    /// For giving it back.
    pub cancel_fee: Option<Amount>,
    /// For another date.
    pub change_fee: Option<Amount>,
    /// For not coming.
    pub no_show_fee: Option<Amount>,
    /// Fees in another currency than the fare's, which are in none of the above.
    #[serde(default)]
    pub other_currency_fees: Vec<OtherCurrencyFee>,
}

/// A flight.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct FoundSegment {
    /// Its name within this answer.
    pub segment_id: String,
    /// Who sells it, IATA.
    pub airline: String,
    /// Its number.
    pub flight_number: String,
    /// IATA.
    pub origin: String,
    /// IATA.
    pub destination: String,
    /// By the clocks of the origin.
    pub departure: NaiveDateTime,
    /// By the clocks of the destination.
    pub arrival: NaiveDateTime,
    /// In the air, minutes.
    pub duration_minutes: Option<u32>,
    /// In words or as a code.
    pub aircraft_type: Option<String>,
    /// Its class.
    pub cabin: Option<Cabin>,
    /// Who flies it, IATA.
    pub operating_carrier: Option<String>,
    /// How many seats are left.
    pub seats_available: Option<u32>,
}

/// A journey.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct FoundLeg {
    /// Its name within this answer.
    pub leg_id: String,
    /// 0 for there, 1 for back; of many journeys its place.
    pub route_index: u8,
    /// IATA.
    pub origin: String,
    /// IATA.
    pub destination: String,
    /// By the clocks of the origin.
    pub departure: Option<NaiveDateTime>,
    /// By the clocks of the destination.
    pub arrival: Option<NaiveDateTime>,
    /// Changes included, minutes.
    pub duration_minutes: Option<u32>,
    /// How often it lands on the way.
    pub stops: u32,
    /// Where, IATA.
    pub stops_detail: Vec<String>,
    /// Its flights, by their `segment_id`.
    pub segments: Vec<String>,
    /// Who flies the first one, IATA.
    pub operating_carrier: Option<String>,
}

/// What can be bought.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Offer {
    /// What price is asked for with.
    pub offer_id: String,
    /// How it may be bought.
    #[serde(rename = "type")]
    pub kind: OfferType,
    /// Which journey it is for, or the first one.
    pub route_index: u8,
    /// Of a combinable one: its group.
    pub combination_group_id: Option<String>,
    /// The groups it goes with.
    pub combinable_with: Vec<String>,
    /// Its journeys, by their `leg_id`.
    pub legs: Vec<String>,
    /// The supplier's code.
    pub supplier: String,
    /// What it costs.
    pub price: OfferPrice,
    /// What is sold for it.
    pub fare_details: FareDetails,
    /// What the supplier wants of the travellers; Wayfare's addition.
    #[serde(default)]
    pub requires: Vec<Requirement>,
    /// What the supplier knows it by.
    pub supplier_ref: SupplierRef,
    /// Whether it can be held; none from a server that does not tell. Wayfare's addition.
    pub hold: Option<HoldTerms>,
}

/// Whether something can be held and paid later, and until when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct HoldTerms {
    /// Whether it can; none where only the price tells.
    pub can_hold: Option<bool>,
    /// Until when it must be paid, UTC, where that is known before it is held.
    pub pay_by: Option<DateTime<Utc>>,
    /// Until when its price is guaranteed, UTC, where that is known before it is held.
    pub price_guaranteed_until: Option<DateTime<Utc>>,
}

/// What an offer costs all passengers.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct OfferPrice {
    /// The supplier's total.
    pub total: Amount,
    /// What the public pays.
    pub public_fare: Amount,
    /// What the organization pays and why.
    pub agent_price: AgentDetails,
    /// Of these amounts, ISO 4217.
    pub currency: String,
    /// By passenger type.
    pub breakdown: Vec<PriceShare>,
}

/// What the organization pays and why.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct AgentDetails {
    /// What the wallet pays.
    pub agent_fare: Amount,
    /// The platform's fee in it.
    pub service_fee: Amount,
    /// The tax on that.
    pub gst_on_service_fee: Amount,
    /// The platform's charge in it.
    pub platform_charge: Amount,
    /// What is earned; none without a package.
    pub agent_commission: Option<Amount>,
}

/// A price's part for one passenger type.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct PriceShare {
    /// Which.
    pub passenger_type: PassengerType,
    /// How many.
    pub count: u32,
    /// The base fare of one.
    pub unit_base: Amount,
    /// The taxes of one.
    pub unit_tax: Amount,
    /// All of them.
    pub subtotal: Amount,
}

/// What is sold for a price.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct FareDetails {
    /// The booking class.
    pub fare_class: Option<String>,
    /// The fare's family.
    pub fare_family: Option<String>,
    /// The fare's name.
    pub fare_name: Option<String>,
    /// How many seats are left.
    pub seats_left: Option<u32>,
    /// Into the dictionary of baggage.
    pub baggage_ref: String,
    /// Into the dictionary of refund policies.
    pub refund_ref: String,
}

/// What a supplier knows an offer by.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct SupplierRef {
    /// The supplier's own token.
    pub offer_token: String,
    /// That nobody changed it.
    pub integrity_hash: String,
    /// Until when it can be priced, UTC.
    pub expires_at: DateTime<Utc>,
}

/// Why suppliers are missing.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct SearchDebug {
    /// What went wrong, by supplier.
    pub provider_errors: BTreeMap<String, String>,
    /// The same line by line.
    #[serde(default)]
    pub problems: Vec<SearchProblem>,
}

/// One line of what went wrong at a supplier in a search, of flights or hotels.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct SearchProblem {
    /// Its code.
    pub provider: String,
    /// What went wrong.
    pub text: String,
}

/// Everything that was found until now, as a search stream tells it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Snapshot {
    /// Whether it is the last one.
    pub is_complete: bool,
    /// In words.
    pub message: Option<String>,
    /// All of it: it takes the place of the snapshot before.
    pub found: FlightsFound,
}
