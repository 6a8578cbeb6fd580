//! TripJack's words for what is sold, Air API v1: of their answers the fields we use, our questions as they read them.
//!
//! What we can't do without has a type of its own, so that serde names its path when it is missing or unreadable. The
//! rest is optional: what of it can't be read is left out ([`super::parts`]). Unknown fields are ignored.

use std::{fmt, marker::PhantomData};

use chrono::NaiveDate;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use wayfare_domain::PassengerType;
use wayfare_supply::times::deserialize_day;

use crate::local_time::LocalTime;
pub(super) use wayfare_supply::{
    amounts::{MaybeNumber, Number},
    reading::Text,
};

/// What they write now as a number and now as text: a count, a code.
#[derive(Debug)]
pub(super) struct Loose<'a>(&'a str);

impl<'a> Loose<'a> {
    pub fn text(&self) -> &'a str {
        self.0.trim_matches('"')
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Loose<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(<&RawValue>::deserialize(deserializer)?.get()))
    }
}

/// An object whose keys are data, in their order.
#[derive(Debug)]
pub(super) struct Entries<K, V>(pub Vec<(K, V)>);

impl<'de, K: Deserialize<'de>, V: Deserialize<'de>> Deserialize<'de> for Entries<K, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder<K, V>(PhantomData<(K, V)>);
        impl<'de, K: Deserialize<'de>, V: Deserialize<'de>> Visitor<'de> for InOrder<K, V> {
            type Value = Entries<K, V>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(InOrder(PhantomData))
    }
}

/// How a call went. It stands in the body: an error may come with HTTP 200.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Status {
    pub success: Option<bool>,
    pub http_status: Option<u16>,
}

/// The word that the call succeeded: what has the other word is not read as an answer, whatever else is in it.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Status")]
pub(super) struct Succeeded;

impl TryFrom<Status> for Succeeded {
    type Error = &'static str;

    fn try_from(status: Status) -> Result<Self, Self::Error> {
        match status.success {
            Some(false) => Err("the supplier says that it failed"),
            _ => Ok(Self),
        }
    }
}

/// What every refusal has.
#[derive(Debug, Deserialize)]
pub(super) struct Failure<'a> {
    pub status: Option<Status>,
    #[serde(borrow)]
    pub errors: Option<Vec<Error<'a>>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Error<'a> {
    #[serde(borrow, rename = "errCode")]
    pub code: Option<Loose<'a>>,
    pub message: Option<String>,
    pub details: Option<String>,
}

/// The answer to a search.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Search<Trip> {
    #[serde(rename = "status")]
    _succeeded: Option<Succeeded>,
    pub search_result: SearchResult<Trip>,
}

/// No trips were found where there is no list of them.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SearchResult<Trip> {
    pub trip_infos: Option<Entries<String, Vec<Trip>>>,
}

/// Flights, and the fares at which they are sold.
#[derive(Debug, Deserialize)]
pub(super) struct Trip<T, Fare> {
    #[serde(rename = "sI")]
    pub segments: Vec<Segment<T>>,
    #[serde(rename = "totalPriceList")]
    pub fares: Vec<Fare>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Segment<T> {
    pub id: Option<T>,
    #[serde(rename = "fD")]
    pub flight: Flight<T>,
    #[serde(rename = "oB")]
    pub operated_by: Option<Carrier<T>>,
    #[serde(rename = "da")]
    pub origin: Place<T>,
    #[serde(rename = "aa")]
    pub destination: Place<T>,
    #[serde(rename = "dt")]
    pub departure: LocalTime,
    #[serde(rename = "at")]
    pub arrival: LocalTime,
    #[serde(rename = "duration")]
    pub minutes: Option<u32>,
    /// Until the next flight of the journey.
    #[serde(rename = "cT")]
    pub layover_minutes: Option<u32>,
    #[serde(rename = "so")]
    pub stops: Option<Vec<Place<T>>>,
    /// Its place within its journey, from 0.
    #[serde(rename = "sN")]
    pub number: Option<u32>,
    #[serde(rename = "isRs")]
    pub is_return: Option<bool>,
    /// By kind; only in reviews.
    #[serde(rename = "ssrInfo")]
    pub services: Option<Entries<T, Vec<Service<T>>>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Flight<T> {
    #[serde(rename = "aI")]
    pub airline: Carrier<T>,
    #[serde(rename = "fN")]
    pub number: T,
    #[serde(rename = "eT")]
    pub aircraft: Option<T>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Carrier<T> {
    pub code: T,
    pub name: Option<T>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Place<T> {
    pub code: T,
    pub name: Option<T>,
    pub city_code: Option<T>,
    pub city: Option<T>,
    pub country_code: Option<T>,
    pub terminal: Option<T>,
}

/// A fare of a trip. `Taxes` is what is read of its taxes: nothing in a search.
#[derive(Debug, Deserialize)]
pub(super) struct Fare<T, Taxes> {
    pub id: T,
    #[serde(rename = "fareIdentifier")]
    pub name: Option<T>,
    #[serde(rename = "fd")]
    pub passengers: Passengers<PassengerFare<T, Taxes>>,
    #[serde(rename = "sri")]
    pub group: Option<T>,
    #[serde(rename = "msri")]
    pub goes_with: Option<Vec<T>>,
    #[serde(rename = "tai")]
    pub more: Option<More<T>>,
    /// Who sells it; only in reviews.
    #[serde(rename = "pc")]
    pub seller: Option<Carrier<T>>,
}

/// Of a fare that can't be read, which it is.
#[derive(Debug, Deserialize)]
pub(super) struct Named {
    pub id: String,
}

/// Something for each passenger type.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) struct Passengers<Of> {
    pub adult: Option<Of>,
    pub child: Option<Of>,
    pub infant: Option<Of>,
}

impl<Of> Passengers<Of> {
    pub fn of(&self, kind: PassengerType) -> Option<&Of> {
        match kind {
            PassengerType::Adult => self.adult.as_ref(),
            PassengerType::Child => self.child.as_ref(),
            PassengerType::Infant => self.infant.as_ref(),
        }
    }
}

pub(super) fn passenger_word(kind: PassengerType) -> &'static str {
    match kind {
        PassengerType::Adult => "ADULT",
        PassengerType::Child => "CHILD",
        PassengerType::Infant => "INFANT",
    }
}

/// A fare for one passenger of a type.
#[derive(Debug, Deserialize)]
pub(super) struct PassengerFare<T, Taxes> {
    #[serde(rename = "fC")]
    pub amounts: Amounts,
    #[serde(rename = "afC")]
    pub taxes: Option<Taxes>,
    #[serde(rename = "sR")]
    pub seats_left: Option<u32>,
    #[serde(rename = "bI")]
    pub baggage: Option<Bags<T>>,
    #[serde(rename = "rT")]
    pub refundable: Option<MaybeNumber>,
    #[serde(rename = "cc")]
    pub cabin: Option<T>,
    #[serde(rename = "cB")]
    pub booking_class: Option<T>,
    #[serde(rename = "fB")]
    pub fare_basis: Option<T>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Amounts {
    #[serde(rename = "BF")]
    pub base: Number,
    #[serde(rename = "TAF")]
    pub taxes: Option<Number>,
    #[serde(rename = "TF")]
    pub total: Number,
    #[serde(rename = "NCM")]
    pub commission: Option<Number>,
}

/// The taxes of one passenger by their codes.
#[derive(Debug, Deserialize)]
pub(super) struct TaxParts<T> {
    #[serde(rename = "TAF")]
    pub parts: Option<Entries<T, Number>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Bags<T> {
    #[serde(rename = "iB")]
    pub check_in: Option<T>,
    #[serde(rename = "cB")]
    pub cabin: Option<T>,
}

#[derive(Debug, Deserialize)]
pub(super) struct More<T> {
    /// Of each segment, by its id, an object for each passenger type.
    #[serde(rename = "tbi")]
    pub baggage: Option<Entries<T, Vec<Passengers<Bags<T>>>>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Service<T> {
    pub code: T,
    pub amount: Option<Number>,
    pub desc: Option<T>,
}

/// The answer to a review.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", bound(deserialize = "T: Deserialize<'de>, 'de: 'a"))]
pub(super) struct Review<'a, T> {
    #[serde(rename = "status")]
    _succeeded: Option<Succeeded>,
    pub booking_id: String,
    pub trip_infos: Vec<Trip<T, Fare<T, TaxParts<T>>>>,
    pub search_query: ReviewedQuery<'a, T>,
    pub total_price_info: TotalPrice,
    pub conditions: Option<Conditions<T>>,
}

/// The search of which the reviewed fares are.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", bound(deserialize = "T: Deserialize<'de>, 'de: 'a"))]
pub(super) struct ReviewedQuery<'a, T> {
    pub pax_info: Passengers<Loose<'a>>,
    pub route_infos: Option<Vec<ReviewedRoute<T>>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReviewedRoute<T> {
    pub from_city_or_airport: Place<T>,
    #[serde(deserialize_with = "deserialize_day")]
    pub travel_date: NaiveDate,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TotalPrice {
    pub total_fare_detail: TotalFare,
}

#[derive(Debug, Deserialize)]
pub(super) struct TotalFare {
    #[serde(rename = "fC")]
    pub amounts: Amounts,
}

/// What a booking needs and may do.
#[derive(Debug, Deserialize)]
pub(super) struct Conditions<T> {
    /// How long the review is good, in seconds from `sct` on.
    pub st: Option<u32>,
    pub sct: Option<T>,
    /// It may be held.
    #[serde(rename = "isBA")]
    pub may_hold: Option<bool>,
    /// There is a seat map.
    #[serde(rename = "isa")]
    pub has_seats: Option<bool>,
    /// An emergency contact is required.
    pub iecr: Option<bool>,
    /// A PAN of each adult is required.
    pub ipa: Option<bool>,
    pub gst: Option<Gst>,
    /// There where passports are taken.
    #[serde(rename = "pcs")]
    pub passport: Option<Passport>,
    #[serde(rename = "dc")]
    pub document: Option<DocumentId>,
    #[serde(rename = "dob")]
    pub birth: Option<BirthDates>,
    /// Airlines whose memberships count.
    #[serde(rename = "ffas")]
    pub frequent_flyers: Option<Vec<T>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Gst {
    /// It may be given.
    pub gstappl: Option<bool>,
    /// A registration for the goods and services tax is required.
    pub igm: Option<bool>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Passport {
    /// Required.
    pub pm: Option<bool>,
    /// Its expiry is required.
    pub pped: Option<bool>,
}

#[derive(Debug, Deserialize)]
pub(super) struct DocumentId {
    /// It may be given.
    pub ida: Option<bool>,
    /// The id of a student or senior is required.
    pub idm: Option<bool>,
}

/// Whose birth date is required: adults', children's, infants'.
#[derive(Debug, Deserialize)]
pub(super) struct BirthDates {
    pub adobr: Option<bool>,
    pub cdobr: Option<bool>,
    pub idobr: Option<bool>,
}

/// The answer to a question for seats: by segment id, or that once more under `tripSeat`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SeatMaps<'a> {
    #[serde(rename = "status")]
    _succeeded: Option<Succeeded>,
    #[serde(borrow)]
    pub trip_seat_map: Entries<Text<'a>, &'a RawValue>,
}

/// The seats of one segment; none where there is only a note that there are none.
#[derive(Debug, Deserialize)]
pub(super) struct SeatMap<T> {
    #[serde(rename = "sInfo")]
    pub seats: Option<Vec<Seat<T>>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Seat<T> {
    pub seat_no: T,
    pub code: T,
    pub amount: Option<Number>,
    pub is_booked: Option<bool>,
    pub is_legroom: Option<bool>,
    pub is_aisle: Option<bool>,
    pub is_window: Option<bool>,
}

/// The answer to a question for fare rules, by route (`DEL-BOM`).
#[derive(Debug, Deserialize)]
#[serde(bound(deserialize = "T: Deserialize<'de>, 'de: 'a"))]
pub(super) struct Rules<'a, T> {
    #[serde(rename = "status")]
    _succeeded: Option<Succeeded>,
    #[serde(rename = "farerule", alias = "fareRule")]
    pub routes: Entries<T, RouteRules<'a, T>>,
}

#[derive(Debug, Deserialize)]
#[serde(bound(deserialize = "T: Deserialize<'de>, 'de: 'a"))]
pub(super) struct RouteRules<'a, T> {
    /// By what is done: `CANCELLATION`.
    pub tfr: Option<Entries<T, Vec<Policy<'a, T>>>>,
    #[serde(rename = "miscInfo")]
    pub text: Option<OneOrMore<T>>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum OneOrMore<T> {
    One(T),
    More(Vec<T>),
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", bound(deserialize = "T: Deserialize<'de>, 'de: 'a"))]
pub(super) struct Policy<'a, T> {
    pub amount: Option<Number>,
    pub additional_fee: Option<Number>,
    pub policy_info: Option<T>,
    /// Hours before departure, the nearer and the farther end.
    pub st: Option<Loose<'a>>,
    pub et: Option<Loose<'a>>,
    /// `AFTER_DEPARTURE`, else before it.
    pub pp: Option<T>,
    pub fcs: Option<Fees>,
}

/// Fees and the taxes on them: the airline's for a cancellation or another date, and theirs.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) struct Fees {
    pub acf: Option<Number>,
    pub acft: Option<Number>,
    pub arf: Option<Number>,
    pub arft: Option<Number>,
    pub ccf: Option<Number>,
    pub ccft: Option<Number>,
    pub crf: Option<Number>,
    pub crft: Option<Number>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewSearch<'a> {
    pub search_query: NewQuery<'a>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewQuery<'a> {
    pub cabin_class: &'a str,
    pub pax_info: Passengers<u8>,
    pub route_infos: Vec<NewRoute<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preferred_airline: Option<[Code<'a>; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search_modifiers: Option<NewModifiers>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewRoute<'a> {
    pub from_city_or_airport: Code<'a>,
    pub to_city_or_airport: Code<'a>,
    pub travel_date: NaiveDate,
}

#[derive(Debug, Serialize)]
pub(super) struct Code<'a> {
    pub code: &'a str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewModifiers {
    pub is_direct_flight: bool,
    pub is_connecting_flight: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewReview<'a> {
    pub price_ids: &'a [&'a str],
}

/// What is asked of a reviewed or booked order by its id alone.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OfBooking<'a> {
    pub booking_id: &'a str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewRulesQuestion<'a> {
    pub flow_type: &'static str,
    pub id: &'a str,
}
