//! LiteAPI's words, v3.0: of their answers the fields we use, and our requests as they read them.
//!
//! What is one thing in one answer is a list of one in another, and null in a third, so lists are [`Many`]. What we can
//! do without is optional; unknown fields are ignored.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use chrono::NaiveDate;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use wayfare_domain::Amount;
use wayfare_supply::{
    amounts::{MaybeNumber, Number},
    reading::Text,
    times::deserialize_day,
};

/// Most bodies are wrapped so.
#[derive(Debug, Deserialize)]
pub(super) struct Envelope<T> {
    pub data: T,
}

/// A list, or one without a list around it, or null.
#[derive(Debug)]
pub(super) struct Many<T>(Vec<T>);

impl<T> Default for Many<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Deref for Many<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Many<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Items<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Items<T> {
            type Value = Vec<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list, one of its kind, or null")
            }
            fn visit_unit<E>(self) -> Result<Vec<T>, E> {
                Ok(Vec::new())
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
                let mut list = Vec::new();
                while let Some(item) = items.next_element()? {
                    // Nearly all of them have one.
                    if list.is_empty() {
                        list.reserve_exact(1);
                    }
                    list.push(item);
                }
                Ok(list)
            }
            fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Vec<T>, A::Error> {
                Ok(vec![T::deserialize(MapAccessDeserializer::new(fields))?])
            }
        }
        deserializer.deserialize_any(Items(PhantomData)).map(Self)
    }
}

/// What they say instead of an answer.
#[derive(Debug, Deserialize)]
pub(super) struct Failure {
    pub error: Error,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Error {
    pub code: Option<i64>,
    pub message: Option<String>,
    pub description: Option<String>,
}

/// An answer to a search, or a part of one. A whole answer has its hotels' offers, `H` each, in `data`, a streamed part in
/// `rates`.
#[derive(Debug, Deserialize)]
pub(super) struct Chunk<'a, H> {
    pub data: Option<Vec<H>>,
    pub rates: Option<Vec<H>>,
    #[serde(borrow)]
    pub hotels: Option<Vec<&'a RawValue>>,
    pub error: Option<Error>,
}

/// What one hotel sells, `O` each.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct HotelOffers<O> {
    pub hotel_id: String,
    pub room_types: Vec<O>,
}

/// Rooms that are sold together: one rate for each room of the search.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Offer<'a> {
    #[serde(borrow, default)]
    pub offer_id: Text<'a>,
    pub room_type_id: Option<Text<'a>>,
    #[serde(default)]
    pub rates: Many<Rate<'a>>,
    #[serde(default)]
    pub offer_retail_rate: Many<Price<'a>>,
    #[serde(default)]
    pub suggested_selling_price: Many<Price<'a>>,
    pub rate_type: Option<Text<'a>>,
    pub loyalty_membership_id_required: Option<bool>,
}

/// One room at its price.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rate<'a> {
    /// The place of the room among those that were searched, counted from 1.
    #[serde(default)]
    pub occupancy_number: usize,
    #[serde(borrow)]
    pub name: Option<Text<'a>>,
    pub max_occupancy: Option<u32>,
    pub adult_count: Option<u32>,
    pub child_count: Option<u32>,
    pub board_type: Option<Text<'a>>,
    pub board_name: Option<Text<'a>>,
    pub remarks: Option<Text<'a>>,
    #[serde(default)]
    pub commission: Many<Price<'a>>,
    pub retail_rate: RetailRate<'a>,
    #[serde(default)]
    pub cancellation_policies: Option<Policies<'a>>,
    #[serde(default)]
    pub payment_types: Many<Text<'a>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RetailRate<'a> {
    #[serde(borrow, default)]
    pub total: Many<Price<'a>>,
    #[serde(default)]
    pub suggested_selling_price: Many<Price<'a>>,
    #[serde(default)]
    pub initial_price: Many<Price<'a>>,
    #[serde(default)]
    pub taxes_and_fees: Many<TaxOrFee<'a>>,
}

/// An amount, exact to its last digit.
#[derive(Debug, Deserialize)]
pub(super) struct Price<'a> {
    pub amount: Number,
    #[serde(borrow)]
    pub currency: Text<'a>,
}

#[derive(Debug, Deserialize)]
pub(super) struct TaxOrFee<'a> {
    /// In the total; else it is paid at the hotel.
    pub included: bool,
    pub description: Option<Text<'a>>,
    pub amount: Number,
    #[serde(borrow)]
    pub currency: Text<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Policies<'a> {
    #[serde(borrow)]
    pub cancel_policy_infos: Many<Penalty<'a>>,
    pub hotel_remarks: Many<Text<'a>>,
    pub refundable_tag: Option<Text<'a>>,
}

/// What a cancellation costs from a time on.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Penalty<'a> {
    #[serde(borrow, default)]
    pub cancel_time: Text<'a>,
    pub timezone: Option<Text<'a>>,
    pub amount: Option<Number>,
    pub currency: Option<Text<'a>>,
    #[serde(rename = "type")]
    pub kind: Option<Text<'a>>,
}

/// An offer read again, to be booked.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Prebook<'a> {
    pub prebook_id: String,
    pub hotel_id: String,
    #[serde(deserialize_with = "deserialize_day")]
    pub checkin: NaiveDate,
    #[serde(deserialize_with = "deserialize_day")]
    pub checkout: NaiveDate,
    pub currency: String,
    /// What will be charged, all rooms together.
    pub price: Number,
    #[serde(borrow)]
    pub room_types: Vec<Offer<'a>>,
    #[serde(default)]
    pub suggested_selling_price: Many<Price<'a>>,
    pub terms_and_conditions: Option<String>,
}

/// A booking as it stands.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Booking<'a> {
    pub booking_id: String,
    pub client_reference: Option<String>,
    pub supplier_booking_id: Option<String>,
    pub status: String,
    pub hotel_confirmation_code: Option<String>,
    pub currency: Option<String>,
    pub price: Option<Number>,
    /// What of the price is ours.
    pub commission: Option<MaybeNumber>,
    pub created_at: Option<String>,
    pub checkin: Option<String>,
    #[serde(borrow, default)]
    pub cancellation_policies: Option<Policies<'a>>,
    #[serde(default)]
    pub booked_rooms: Many<BookedRoom<'a>>,
    pub amount_refunded: Option<MaybeNumber>,
}

#[derive(Debug, Deserialize)]
pub(super) struct BookedRoom<'a> {
    pub amount: Option<Number>,
    pub currency: Option<String>,
    #[serde(borrow)]
    pub rate: Option<BookedRate<'a>>,
    #[serde(default, rename = "cancellationPolicies")]
    pub cancellation_policies: Option<Policies<'a>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BookedRate<'a> {
    #[serde(borrow, default)]
    pub cancellation_policies: Option<Policies<'a>>,
}

/// One line of a list of bookings.
#[derive(Debug, Deserialize)]
#[serde(try_from = "ListedInTwoSpellings")]
pub(super) struct Listed {
    pub booking_id: String,
    pub client_reference: Option<String>,
    pub created_at: Option<String>,
    pub status: Option<String>,
}

/// A line as it comes: some answers have one spelling of its fields, some the other, and one may have both.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListedInTwoSpellings {
    booking_id: Option<String>,
    #[serde(rename = "booking_Id")]
    other_booking_id: Option<String>,
    client_reference: Option<String>,
    #[serde(rename = "client_reference")]
    other_client_reference: Option<String>,
    created_at: Option<String>,
    #[serde(rename = "created_at")]
    other_created_at: Option<String>,
    status: Option<String>,
}

impl TryFrom<ListedInTwoSpellings> for Listed {
    type Error = &'static str;

    fn try_from(line: ListedInTwoSpellings) -> Result<Self, Self::Error> {
        let filled = |text: Option<String>| text.filter(|text| !text.is_empty());
        let id = filled(line.booking_id).or(line.other_booking_id);
        Ok(Self {
            booking_id: id.ok_or("missing field `bookingId`")?,
            client_reference: filled(line.client_reference).or(line.other_client_reference),
            created_at: filled(line.created_at).or(line.other_created_at),
            status: line.status,
        })
    }
}

/// A cancellation that was carried out.
#[derive(Debug, Deserialize)]
pub(super) struct Cancelled {
    pub status: String,
    pub refund_amount: Option<MaybeNumber>,
    pub currency: Option<String>,
}

/// What a hotel is, in a search's answer and in the lists of hotels.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Facts {
    pub id: String,
    pub name: Option<String>,
    #[serde(rename = "main_photo")]
    pub main_photo: Option<String>,
    pub address: Option<String>,
    pub city: Option<String>,
    #[serde(rename = "city_name")]
    pub city_name: Option<String>,
    pub country: Option<String>,
    #[serde(rename = "country_code")]
    pub country_code: Option<String>,
    pub latitude: Option<Amount>,
    pub longitude: Option<Amount>,
    pub stars: Option<Amount>,
    pub hotel_type_id: Option<u64>,
    pub facility_ids: Option<Vec<u64>>,
}

impl Facts {
    /// In whichever spelling it is told; answers may have both.
    pub fn city(&self) -> &Option<String> {
        if self.city.is_some() { &self.city } else { &self.city_name }
    }

    /// The same of the country.
    pub fn country(&self) -> &Option<String> {
        if self.country.is_some() { &self.country } else { &self.country_code }
    }
}

/// One word of a list: of the types of hotels, or of their facilities.
#[derive(Debug, Deserialize)]
pub(super) struct Word {
    #[serde(alias = "facility_id")]
    pub id: u64,
    #[serde(alias = "facility")]
    pub name: String,
}

/// All that is told of a hotel.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Hotel {
    pub id: String,
    pub name: Option<String>,
    pub star_rating: Option<Amount>,
    pub hotel_type: Option<String>,
    pub hotel_description: Option<String>,
    pub address: Option<String>,
    pub city: Option<String>,
    pub country: Option<String>,
    pub phone: Option<String>,
    pub email: Option<String>,
    #[serde(rename = "main_photo")]
    pub main_photo: Option<String>,
    #[serde(default)]
    pub hotel_images: Many<Photo>,
    #[serde(default)]
    pub hotel_facilities: Many<String>,
    #[serde(default)]
    pub rooms: Many<Room>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Photo {
    pub url: String,
    pub caption: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Room {
    #[serde(default)]
    pub room_amenities: Many<RoomAmenity>,
}

#[derive(Debug, Deserialize)]
pub(super) struct RoomAmenity {
    pub name: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewSearch<'a> {
    #[serde(flatten)]
    pub place: NewPlace<'a>,
    /// Hotels.
    pub limit: usize,
    pub occupancies: Vec<NewOccupancy<'a>>,
    pub currency: &'static str,
    pub guest_nationality: &'a str,
    pub checkin: NaiveDate,
    pub checkout: NaiveDate,
    /// Seconds.
    pub timeout: u64,
    pub include_hotel_data: bool,
    pub stream: bool,
}

#[derive(Debug, Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
pub(super) enum NewPlace<'a> {
    Hotels {
        hotel_ids: Vec<&'a str>,
    },
    City {
        country_code: &'a str,
        city_name: &'a str,
    },
    Airport {
        iata_code: &'a str,
    },
    Around {
        latitude: Amount,
        longitude: Amount,
        /// Metres.
        radius: u32,
    },
}

#[derive(Debug, Serialize)]
pub(super) struct NewOccupancy<'a> {
    pub adults: u8,
    pub children: &'a [u8],
}

/// An offer to be read again.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewPrebook<'a> {
    pub offer_id: &'a str,
    pub use_payment_sdk: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub include_credit_balance: bool,
}

/// What is left of our credit line, where a prebook was asked to tell.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OfCredit {
    pub credit_line: Option<CreditLine>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CreditLine {
    pub remaining_credit: Number,
    pub currency: String,
}

/// A stay to be booked.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewBooking<'a> {
    pub prebook_id: &'a str,
    pub client_reference: &'a str,
    pub holder: Person<'a>,
    pub guests: Vec<LeadGuest<'a>>,
    pub payment: Payment,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Person<'a> {
    pub first_name: &'a str,
    pub last_name: &'a str,
    pub email: &'a str,
    pub phone: &'a str,
}

/// They take exactly one guest for each room.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LeadGuest<'a> {
    pub occupancy_number: u16,
    #[serde(flatten)]
    pub person: Person<'a>,
    /// For the hotel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remarks: Option<&'a str>,
}

#[derive(Debug, Serialize)]
pub(super) struct Payment {
    pub method: &'static str,
}
