//! The product of a hotel booking, what a supplier is asked to book, and what it holds for us.

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use strum::{AsRefStr, EnumString, VariantNames};
use wayfare_domain::{Awaited, Money, OrderFacts, OrderReference, OrderStatus, Product, ProductKind, Title};

use crate::{
    Address, CancellationPolicy, HotelFee, MealPlan, PaymentPlace, Query, RateParts, RoomGuests, RoomRate,
};

/// Whether a guest is grown up.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, AsRefStr, EnumString, VariantNames, Serialize, Deserialize, JsonSchema,
)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum GuestKind {
    /// An adult.
    Adult,
    /// A child, of an age.
    Child,
}

/// One guest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guest {
    /// Whether they are grown up.
    pub kind: GuestKind,
    /// How they are addressed.
    pub title: Option<Title>,
    /// Given names.
    pub first_name: String,
    /// Family name.
    pub last_name: String,
    /// ISO 3166-1 alpha-2.
    pub nationality: Option<String>,
    /// A child's age at the search.
    pub age: Option<u8>,
}

/// Who booked, and how they are reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StayContact {
    /// Given names.
    pub first_name: String,
    /// Family name.
    pub last_name: String,
    /// E-mail address.
    pub email: String,
    /// Telephone number, E.164 where the client gave it so.
    pub phone: String,
}

/// One room that is to be booked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoomRequest {
    /// The rate's key as it was priced ([`crate::RoomRate::token`]); several rooms may be of one rate.
    pub token: String,
    /// The place of the room among those that were searched, counted from 1.
    pub number: u16,
    /// Who sleeps in it; never empty, the first one is an adult.
    pub guests: Vec<Guest>,
}

/// Rates as they were priced together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuotedRates {
    /// For whom.
    pub query: Query,
    /// One for each kind of room of the query, as they stood then.
    pub rates: Vec<RoomRate>,
}

/// One stay to be booked at a supplier, all its rooms together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StayRequest {
    /// Our own reference, by which the order can be found again: 14 characters.
    pub reference: OrderReference,
    /// The supplier's id of the hotel.
    pub hotel_id: String,
    /// The day of arrival.
    pub check_in: NaiveDate,
    /// The day of departure.
    pub check_out: NaiveDate,
    /// What the adapter remembered when it priced the rates ([`crate::PricedStay::supplier_context`]).
    #[serde(rename = "memory")]
    pub supplier_context: Value,
    /// What was priced, to be read again where its price has moved; none in what was asked for before there was this.
    #[serde(default)]
    pub priced: Option<QuotedRates>,
    /// T as it was priced, in the supplier's currency: more is a refusal.
    pub total: Money,
    /// As the client names them; never empty.
    pub rooms: Vec<RoomRequest>,
    /// Who booked.
    pub contact: StayContact,
}

/// Which stay is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookup<'a> {
    /// The supplier's id of the order, where it is known already.
    pub order_id: Option<&'a str>,
    /// What was sent.
    pub request: &'a StayRequest,
}

/// What the supplier holds for us now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SupplierStay {
    /// The supplier's id of it.
    pub id: String,
    /// Confirmed, cancelled, or pending while the supplier itself does not know yet.
    pub status: OrderStatus,
    /// The number under which the hotel knows the guests; the supplier's own where the hotel's is not told.
    pub confirmation: String,
    /// What the supplier charges for it: T, as it was priced.
    pub total: Money,
    /// What giving it back costs, as the supplier says it of the booking.
    pub policy: CancellationPolicy,
    /// What must stand on a voucher, in the supplier's words, such as who is answerable for it.
    pub voucher_texts: Vec<String>,
    /// When the supplier made it, UTC.
    pub created_at: Option<DateTime<Utc>>,
    /// The supplier's answer as it came.
    pub raw: Value,
}

/// A rate that was bought.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StayRate {
    /// The supplier's id of the room.
    pub room_id: String,
    /// The supplier's name of the room.
    pub room_name: String,
    /// The rate's key.
    pub token: String,
    /// How many rooms.
    pub rooms: u16,
    /// For whom each was searched.
    pub guests: RoomGuests,
    /// What is served.
    pub meal_plan: MealPlan,
    /// The same in the supplier's words.
    pub meals: String,
    /// What is paid at the hotel.
    pub fees_at_hotel: Vec<HotelFee>,
    /// Where it is paid.
    pub payment: PaymentPlace,
    /// What its price is made of, in the supplier's currency.
    pub parts: RateParts,
}

/// What was bought. Stored with the booking as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stay {
    /// The supplier's code.
    pub supplier: String,
    /// The supplier's id of the hotel.
    pub hotel_id: String,
    /// Its name.
    pub hotel_name: String,
    /// Where it stands.
    pub address: Address,
    /// The time zone it lies in, where that is known.
    pub time_zone: Option<Tz>,
    /// The day of arrival, local at the hotel.
    pub check_in: NaiveDate,
    /// The day of departure, local at the hotel.
    pub check_out: NaiveDate,
    /// What was bought; never empty.
    pub rates: Vec<StayRate>,
    /// Each room with its guests.
    pub rooms: Vec<RoomRequest>,
    /// Who booked.
    pub contact: StayContact,
    /// What giving all of it back costs, as it was told when it was priced.
    pub policy: CancellationPolicy,
    /// What the guests must be told, in the supplier's words.
    pub remarks: Vec<String>,
}

impl Product for Stay {
    const KIND: ProductKind = ProductKind::Hotel;
    type Order = SupplierStay;

    fn facts(order: &SupplierStay) -> OrderFacts<'_> {
        OrderFacts {
            id: &order.id,
            status: order.status,
            locator: &order.confirmation,
            total: order.total,
            awaited: Awaited::Nothing,
        }
    }

    fn give_back(order: &mut SupplierStay) {
        order.status = OrderStatus::Cancelled;
    }
}

impl Stay {
    /// How many nights are slept.
    pub fn nights(&self) -> i64 {
        (self.check_out - self.check_in).num_days()
    }
}
