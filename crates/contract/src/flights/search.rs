//! What a flight search asks and what it finds.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use serde::{Deserialize, Serialize};

use super::price::{HoldTerms, OtherCurrencyFee, Requirement};
#[cfg(feature = "schema")]
use crate::schema::{CurrencyCode, Name};
use crate::{
    Amount,
    vocabulary::{Cabin, OfferType, PassengerType, SupplierState, TripType},
};

/// A search for flights.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SearchFlightsRequest"))]
pub struct FlightSearch {
    /// What is searched.
    search_params: SearchParams,
    /// The journeys, in order.
    slices: Vec<Slice>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct SearchParams {
    /// Whether it is one journey, there and back, or several.
    trip_type: TripType,
    /// How many travel.
    passengers: Party,
    /// The class of travel.
    cabin_class: Cabin,
    /// ISO 4217 code of the currency in which prices are shown; the wallet pays in its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    preferred_currency: Option<String>,
    /// True: no change of aircraft and no landing on the way.
    direct_flights_only: bool,
    /// So many of the cheapest.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_results: Option<u16>,
    /// IATA code of an airline: only flights that it sells, or that fly under its number all the way.
    #[serde(skip_serializing_if = "Option::is_none")]
    airline_id: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Party {
    /// How many travellers of 12 years or older.
    adults: u8,
    /// How many travellers of 2 to 11 years.
    children: u8,
    /// How many travellers under 2 years, on an adult's lap.
    infants: u8,
}

/// A journey.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Slice {
    /// IATA code of an airport or a city.
    origin: String,
    /// IATA code of an airport or a city.
    destination: String,
    /// The day of departure, `YYYY-MM-DD`.
    departure_date: NaiveDate,
    /// What `origin` is, if its code is both an airport's and a city's; the airport unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    origin_type: Option<&'static str>,
    /// What `destination` is, if its code is both an airport's and a city's; the airport unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    destination_type: Option<&'static str>,
}

impl FlightSearch {
    /// From one airport (IATA) to another on a day by the clocks of the first: economy for one adult, unless told otherwise.
    pub fn one_way(origin: &str, destination: &str, day: NaiveDate) -> Self {
        Self::of(TripType::OneWay, &[(origin, destination, day)])
    }

    /// There on one day and back on another, otherwise as [`Self::one_way`].
    pub fn round_trip(origin: &str, destination: &str, there: NaiveDate, back: NaiveDate) -> Self {
        let slices = [(origin, destination, there), (destination, origin, back)];
        Self::of(TripType::Return, &slices)
    }

    /// Two to six journeys: from, to, day; otherwise as [`Self::one_way`].
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

/// What was found, the cheapest first. Offers name legs, legs name segments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "FlightSearch"))]
pub struct FlightsFound {
    /// Names the search.
    #[cfg_attr(feature = "schema", schemars(with = "uuid::Uuid"))]
    pub search_id: String,
    /// About the search itself.
    pub search_meta: SearchMeta,
    /// What offers refer to by its key: baggage and rules of refund.
    pub dictionaries: Dictionaries,
    /// The flights that journeys refer to.
    pub segments: Vec<FoundSegment>,
    /// The journeys that offers refer to.
    pub legs: Vec<FoundLeg>,
    /// What can be bought.
    pub offers: Vec<Offer>,
    /// What went wrong at suppliers.
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchMeta {
    /// Of the prices shown, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// When it was made, UTC.
    pub created_at: DateTime<Utc>,
    /// Until when its offers can be priced, UTC.
    pub expires_at: DateTime<Utc>,
    /// How many results there are.
    pub total_results: usize,
    /// How long it took, milliseconds.
    #[cfg_attr(feature = "schema", schemars(with = "u128"))]
    pub duration_ms: u64,
    /// What became of asking each supplier, by its code.
    pub provider_status: BTreeMap<String, FlightSupplierStatus>,
    /// What the codes of the search stood for, each once.
    #[serde(default)]
    pub places: Vec<SearchedPlace>,
}

/// What a code of the search stood for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchedPlace {
    /// IATA code as it was searched for.
    pub code: String,
    /// What the code stood for.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["airport", "city"])))]
    pub kind: String,
    /// The airport itself, or those of the city, the most important first.
    pub airports: Vec<String>,
}

/// One search that a supplier was asked instead of one between cities.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchedInstead {
    /// Its journeys.
    pub slices: Vec<SearchedSlice>,
}

/// A journey between airports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchedSlice {
    /// IATA code of the airport of departure.
    pub origin: String,
    /// IATA code of the airport of arrival.
    pub destination: String,
}

/// One supplier's line in `provider_status`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "FlightProviderStatus"))]
pub struct FlightSupplierStatus {
    /// Whether the supplier answered; `skipped` if it was not asked.
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["success", "error", "skipped"])))]
    pub status: SupplierState,
    /// How long the search waited for it, milliseconds.
    #[cfg_attr(feature = "schema", schemars(with = "u128"))]
    pub duration_ms: u64,
    /// How many of its offers are shown.
    pub results: usize,
    /// What the supplier was asked instead of a city, search by search; left out where it was asked as it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub searched: Vec<SearchedInstead>,
}

/// What codes and references stand for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
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

/// An airline as its supplier tells of it; what that leaves out is ours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Airline {
    /// The name.
    pub name: String,
    /// A picture of the airline's logo; null where nobody has one.
    pub logo_url: Option<String>,
}

/// An airport with its offset on the day of travel; of a code that is no airport we know nothing is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Airport {
    /// The name.
    pub name: Option<String>,
    /// The city that the airport serves.
    pub city: Option<String>,
    /// The country's name.
    pub country: Option<String>,
    /// ISO 3166 code of the country.
    pub iso_country: Option<String>,
    /// The time zone, such as `Asia/Kolkata`.
    pub timezone: Option<String>,
    /// The offset on the day of travel, such as `+05:30`.
    pub utc_offset: Option<String>,
}

/// What may be carried, in words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Baggage {
    /// Checked baggage that is included.
    pub check_in: Option<String>,
    /// Cabin baggage that is included.
    pub cabin: Option<String>,
    /// The named bundle of conditions (brand).
    pub fare_family: Option<String>,
    /// Baggage in the supplier's words.
    pub desc: Option<String>,
}

/// What changing one's mind costs, in the currency that is shown; null where it is not known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RefundPolicy {
    /// Whether money comes back; null where it isn't known.
    pub is_refundable: Option<bool>,
    /// What cancelling costs; null where it isn't known.
    pub cancel_fee: Option<Amount>,
    /// What a change of date costs; null where it isn't known.
    pub change_fee: Option<Amount>,
    /// What not coming costs; null where it isn't known.
    pub no_show_fee: Option<Amount>,
    /// What the supplier says in another currency than the fare's; in no other fee here. Only where there are any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_currency_fees: Vec<OtherCurrencyFee>,
}

/// One flight.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FoundSegment {
    /// The segment's id, such as `s1`.
    #[cfg_attr(feature = "schema", schemars(with = "Name"))]
    pub segment_id: String,
    /// IATA code of the airline that sells the flight.
    pub airline: String,
    /// The airline's code and number, such as `AI 805`.
    pub flight_number: String,
    /// IATA code of the airport of departure.
    pub origin: String,
    /// IATA code of the airport of arrival.
    pub destination: String,
    /// When it departs, local time of the airport.
    pub departure: NaiveDateTime,
    /// When it arrives, local time of the airport.
    pub arrival: NaiveDateTime,
    /// In the air, minutes.
    pub duration_minutes: Option<u32>,
    /// The type of aircraft as the supplier names it.
    pub aircraft_type: Option<String>,
    /// The class of travel.
    pub cabin: Option<Cabin>,
    /// IATA code of the airline that flies; null where it is the same or not known.
    pub operating_carrier: Option<String>,
    /// How many seats the supplier still offers.
    pub seats_available: Option<u32>,
}

/// One journey.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FoundLeg {
    /// Names the leg in this answer.
    #[cfg_attr(feature = "schema", schemars(with = "Name"))]
    pub leg_id: String,
    /// 0 for there, 1 for back; of many journeys its place.
    pub route_index: u8,
    /// IATA code of the airport of departure.
    pub origin: String,
    /// IATA code of the airport of arrival.
    pub destination: String,
    /// When it departs, local time of the airport.
    pub departure: Option<NaiveDateTime>,
    /// When it arrives, local time of the airport.
    pub arrival: Option<NaiveDateTime>,
    /// Changes included, minutes.
    pub duration_minutes: Option<u32>,
    /// How many landings there are on the way.
    pub stops: usize,
    /// Where it lands on the way.
    pub stops_detail: Vec<String>,
    /// The keys of its flights in `segments` of the answer.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Name>"))]
    pub segments: Vec<String>,
    /// IATA code of the airline that flies; null where it is the same or not known.
    pub operating_carrier: Option<String>,
}

/// What can be bought.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Offer {
    /// Names the offer to price, fare rules and book.
    pub offer_id: String,
    /// How the offer is bought: alone, or with others.
    #[serde(rename = "type")]
    pub kind: OfferType,
    /// Which journey of the search it is for, from 0; null where it covers the whole trip.
    pub route_index: u8,
    /// The group that other offers name in `combinable_with`.
    pub combination_group_id: Option<String>,
    /// The groups of which an offer may be booked with this one.
    pub combinable_with: Vec<String>,
    /// The keys of its journeys in `legs` of the answer.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Name>"))]
    pub legs: Vec<String>,
    /// The supplier's code.
    pub supplier: String,
    /// What it costs.
    pub price: OfferPrice,
    /// What the fare is called and what it includes.
    pub fare_details: FareDetails,
    /// What the supplier wants or takes of the travellers beside their names.
    #[serde(default)]
    pub requires: Vec<Requirement>,
    /// What the supplier knows it by.
    pub supplier_ref: SupplierRef,
    /// Whether it can be held and paid later.
    pub hold: HoldTerms,
}

/// What an offer costs all passengers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Price"))]
pub struct OfferPrice {
    /// The supplier's total.
    pub total: Amount,
    /// What the traveller pays.
    pub public_fare: Amount,
    /// What the organization pays and why.
    pub agent_price: AgentPrice,
    /// Of these amounts, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// The price by type of traveller.
    pub breakdown: Vec<PriceShare>,
}

/// What the organization pays and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AgentPrice {
    /// The platform's fee in it.
    pub service_fee: Amount,
    /// The tax on that.
    pub gst_on_service_fee: Amount,
    /// The platform's charge in it.
    pub platform_charge: Amount,
    /// What the agency pays: fare, markups, fees and taxes together, without ancillaries.
    pub agent_fare: Amount,
    /// What is earned; null without a package.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_commission: Option<Amount>,
}

/// A price's part for one passenger type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "OfferShare"))]
pub struct PriceShare {
    /// For which travellers.
    pub passenger_type: PassengerType,
    /// How many travellers of this type.
    pub count: u32,
    /// The fare of one traveller without taxes.
    pub unit_base: Amount,
    /// Taxes of one traveller.
    pub unit_tax: Amount,
    /// The sum of this line.
    pub subtotal: Amount,
}

/// What is sold for a price.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FareDetails {
    /// The booking class.
    pub fare_class: Option<String>,
    /// The named bundle of conditions (brand).
    pub fare_family: Option<String>,
    /// What the fare is called for people.
    pub fare_name: Option<String>,
    /// How many seats the supplier still offers at this fare.
    pub seats_left: Option<u32>,
    /// Key of the baggage in `dictionaries`.
    #[cfg_attr(feature = "schema", schemars(with = "Name"))]
    pub baggage_ref: String,
    /// Key of the rules of refund in `dictionaries`.
    #[cfg_attr(feature = "schema", schemars(with = "Name"))]
    pub refund_ref: String,
}

/// What a supplier knows an offer by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SupplierRef {
    /// The supplier's own token.
    pub offer_token: String,
    /// That nobody changed it.
    pub integrity_hash: String,
    /// Until when it can be priced, UTC.
    pub expires_at: DateTime<Utc>,
}

/// Why suppliers are missing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct SearchDebug {
    /// What went wrong, by supplier.
    pub provider_errors: BTreeMap<String, String>,
    /// The same line by line.
    #[serde(default)]
    pub problems: Vec<SearchProblem>,
}

/// One line of what went wrong at a supplier in a search, of flights or hotels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchProblem {
    /// The supplier's code.
    pub provider: String,
    /// What went wrong.
    pub text: String,
}
