//! The product of a hotel booking, what a supplier is asked to book, and what it holds for us.

use std::{fmt, mem};

use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, TimeZone, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wayfare_domain::{
    Awaited, BookingPapers, KeptByTerms, Money, OrderFacts, OrderReference, OrderStatus, Product,
    ProductKind, ProductParts, RawAnswer, Remarks, Title, Travel, Zone,
};
use wayfare_supply::reading::distinct;

use crate::{
    Address, CancellationPolicy, HotelFee, MealPlan, PaymentPlace, Query, RateParts, RoomGuests, RoomRate,
    arrival,
};

wayfare_domain::word_enum! { closed
    /// Whether a guest is grown up.
    pub enum GuestKind {
        /// An adult.
        Adult,
        /// A child, of an age.
        Child,
    }
}

/// One guest. Its `Debug` tells no name.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
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

impl Guest {
    /// One of whom nothing is known any more.
    fn erased(kind: GuestKind) -> Self {
        Self {
            kind,
            title: None,
            first_name: String::new(),
            last_name: String::new(),
            nationality: None,
            age: None,
        }
    }
}

impl fmt::Debug for Guest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Guest({})", self.kind.as_ref())
    }
}

/// Who booked, and how they are reached. Its `Debug` tells nothing of it.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
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

impl fmt::Debug for StayContact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StayContact")
    }
}

/// Who sleeps in which room, and who booked. Stored sealed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StayPeople {
    /// In order of the rooms.
    pub rooms: Vec<Vec<Guest>>,
    /// Who booked.
    pub contact: StayContact,
    /// What the hotel is to know, in the words of who booked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remarks: Option<Remarks>,
}

/// What is stored of a room: not who sleeps in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredRoom {
    /// As [`RoomRequest::token`].
    pub token: String,
    /// As [`RoomRequest::number`].
    pub number: u16,
    /// How many of which kind, in order.
    pub guests: Vec<StoredGuest>,
}

/// A guest without name and age: what is stored where everybody may read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredGuest {
    /// Whether they are grown up.
    pub kind: GuestKind,
}

impl StoredRoom {
    fn of(room: &RoomRequest) -> Self {
        let guests = room.guests.iter();
        Self {
            token: room.token.clone(),
            number: room.number,
            guests: guests.map(|guest| StoredGuest { kind: guest.kind }).collect(),
        }
    }

    /// The room with those who sleep in it; without names when they are erased.
    fn with(self, guests: Option<&Vec<Guest>>) -> RoomRequest {
        let erased = || self.guests.iter().map(|guest| Guest::erased(guest.kind)).collect();
        RoomRequest { guests: guests.cloned().unwrap_or_else(erased), token: self.token, number: self.number }
    }
}

fn rooms_with(rooms: Vec<StoredRoom>, people: Option<&StayPeople>) -> Vec<RoomRequest> {
    let guests = |place: usize| people.and_then(|people| people.rooms.get(place));
    let rooms = rooms.into_iter().enumerate();
    rooms.map(|(place, room)| room.with(guests(place))).collect()
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
    /// The search, with its rooms and days, by which the rates can be found again.
    pub query: Query,
    /// One for each kind of room of the query, as they stood then.
    pub rates: Vec<RoomRate>,
}

/// One stay to be booked at a supplier, all its rooms together, with people. It is composed when it is sent
/// ([`StoredStayRequest::with`]) and stored nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    pub supplier_context: Value,
    /// What was priced, to be read again where its price has moved; none in what was asked for before there was this.
    pub priced: Option<QuotedRates>,
    /// T as it was priced, in the supplier's currency: more is a refusal.
    pub total: Money,
    /// As the client names them; never empty.
    pub rooms: Vec<RoomRequest>,
    /// Who booked.
    pub contact: StayContact,
    /// What the hotel is to know.
    pub remarks: Option<Remarks>,
}

/// What is stored of a stay that was asked for: nothing of people. Steps store it: a new field may be missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredStayRequest {
    /// As in [`StayRequest`], all of them.
    pub reference: OrderReference,
    /// See [`StayRequest::hotel_id`].
    pub hotel_id: String,
    /// See [`StayRequest::check_in`].
    pub check_in: NaiveDate,
    /// See [`StayRequest::check_out`].
    pub check_out: NaiveDate,
    /// See [`StayRequest::supplier_context`].
    #[serde(rename = "memory")]
    pub supplier_context: Value,
    /// See [`StayRequest::priced`].
    #[serde(default)]
    pub priced: Option<QuotedRates>,
    /// See [`StayRequest::total`].
    pub total: Money,
    /// Without guests' names.
    pub rooms: Vec<StoredRoom>,
}

impl StoredStayRequest {
    /// What is stored of this request.
    pub fn of(request: StayRequest) -> Self {
        Self {
            rooms: request.rooms.iter().map(StoredRoom::of).collect(),
            reference: request.reference,
            hotel_id: request.hotel_id,
            check_in: request.check_in,
            check_out: request.check_out,
            supplier_context: request.supplier_context,
            priced: request.priced,
            total: request.total,
        }
    }

    /// What is sent for these people.
    pub fn with(self, people: &StayPeople) -> StayRequest {
        StayRequest {
            rooms: rooms_with(self.rooms, Some(people)),
            contact: people.contact.clone(),
            remarks: people.remarks.clone(),
            reference: self.reference,
            hotel_id: self.hotel_id,
            check_in: self.check_in,
            check_out: self.check_out,
            supplier_context: self.supplier_context,
            priced: self.priced,
            total: self.total,
        }
    }
}

/// Which stay is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookup<'a> {
    /// The supplier's id of the order, where it is known already.
    pub order_id: Option<&'a str>,
    /// The order that was sent; it has our reference.
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
    /// The hotel's own numbers, as far as they are told; in order of the rooms.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hotel_numbers: Vec<HotelNumber>,
    /// The supplier's answer as it came; it is stored sealed, beside the order.
    #[serde(default, skip_serializing)]
    pub raw: RawAnswer,
}

/// The number under which a hotel knows a room that was booked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HotelNumber {
    /// Which room, from 1; none where it is of all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room: Option<u16>,
    /// As the hotel writes it; it need not be digits.
    pub number: String,
    /// When it was seen first, UTC; none until a poll has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told_at: Option<DateTime<Utc>>,
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
    /// How many rooms were bought at this rate, 1 or more.
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

/// What was bought, and for whom; names are empty when they are erased.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Stay {
    /// The supplier's code.
    pub supplier: String,
    /// The supplier's id of the hotel.
    pub hotel_id: String,
    /// As it was called when it was sold.
    pub hotel_name: String,
    /// Where it stands.
    pub address: Address,
    /// The time zone it lies in, where that is known.
    pub time_zone: Option<Zone>,
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
    /// What the hotel was told of the guests.
    #[serde(default)]
    pub guest_remarks: Option<Remarks>,
    /// What giving all of it back costs, as it was told when it was priced.
    pub policy: CancellationPolicy,
    /// What the guests must be told, in the supplier's words.
    pub remarks: Vec<String>,
}

/// What is stored of a stay with its booking: nothing of people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the fields of `Stay`")]
pub struct StoredStay {
    pub supplier: String,
    pub hotel_id: String,
    pub hotel_name: String,
    pub address: Address,
    pub time_zone: Option<Zone>,
    pub check_in: NaiveDate,
    pub check_out: NaiveDate,
    pub rates: Vec<StayRate>,
    pub rooms: Vec<StoredRoom>,
    pub policy: CancellationPolicy,
    pub remarks: Vec<String>,
}

impl Product for Stay {
    const KIND: ProductKind = ProductKind::Hotel;
    type Order = SupplierStay;
    type Stored = StoredStay;
    type People = StayPeople;
    type Request = StoredStayRequest;

    fn set_reference(request: &mut StoredStayRequest, reference: OrderReference) {
        request.reference = reference;
    }

    fn parts(self) -> ProductParts<StoredStay, StayPeople> {
        ProductParts {
            stored: StoredStay {
                rooms: self.rooms.iter().map(StoredRoom::of).collect(),
                supplier: self.supplier,
                hotel_id: self.hotel_id,
                hotel_name: self.hotel_name,
                address: self.address,
                time_zone: self.time_zone,
                check_in: self.check_in,
                check_out: self.check_out,
                rates: self.rates,
                policy: self.policy,
                remarks: self.remarks,
            },
            people: Some(StayPeople {
                rooms: self.rooms.into_iter().map(|room| room.guests).collect(),
                contact: self.contact,
                remarks: self.guest_remarks,
            }),
            papers: BookingPapers::default(),
        }
    }

    fn of_parts(parts: ProductParts<StoredStay, StayPeople>) -> Self {
        let ProductParts { stored, people, .. } = parts;
        let rooms = rooms_with(stored.rooms, people.as_ref());
        let (contact, guest_remarks) =
            people.map(|people| (people.contact, people.remarks)).unwrap_or_default();
        Self {
            rooms,
            contact,
            guest_remarks,
            supplier: stored.supplier,
            hotel_id: stored.hotel_id,
            hotel_name: stored.hotel_name,
            address: stored.address,
            time_zone: stored.time_zone,
            check_in: stored.check_in,
            check_out: stored.check_out,
            rates: stored.rates,
            policy: stored.policy,
            remarks: stored.remarks,
        }
    }

    fn ends_on(&self) -> NaiveDate {
        self.check_out
    }

    fn names(people: &StayPeople) -> Vec<(&str, &str)> {
        let contact = &people.contact;
        let guests = people.rooms.iter().flatten();
        guests
            .map(|guest| (guest.last_name.as_str(), guest.first_name.as_str()))
            .chain([(contact.last_name.as_str(), contact.first_name.as_str())])
            .collect()
    }

    fn email(people: &StayPeople) -> &str {
        &people.contact.email
    }

    fn take_raw(order: &mut SupplierStay) -> RawAnswer {
        mem::take(&mut order.raw)
    }

    fn facts(order: &SupplierStay) -> OrderFacts<'_> {
        OrderFacts {
            id: &order.id,
            status: order.status,
            locator: &order.confirmation,
            total: order.total,
            awaited: Awaited::Nothing,
            price_guaranteed_until: None,
            unclear_travellers: &[],
        }
    }

    fn give_back(order: &mut SupplierStay) {
        order.status = OrderStatus::Cancelled;
    }

    fn travel(&self, _number: u16, _order: Option<&SupplierStay>) -> Option<Travel> {
        Some(Travel { starts: vec![self.noon_of(self.check_in)], ends: self.noon_of(self.check_out) })
    }

    fn kept_by_terms(&self, now: DateTime<Utc>) -> Option<KeptByTerms> {
        let policy = self.dated(self.policy.clone());
        if policy.refundable.is_none() && policy.deadlines.is_empty() {
            return None;
        }
        policy.kept_at(now, self.total()?).ok()
    }

    fn first_day(&self) -> Option<DateTime<Utc>> {
        Some(arrival(self.check_in, self.time_zone))
    }

    fn is_free_to_cancel(&self, _number: u16, now: DateTime<Utc>) -> bool {
        let is_free = self.kept_by_terms(now).is_some_and(|kept| kept.most.is_zero());
        is_free && self.first_day().is_some_and(|begins| now < begins)
    }

    fn lacks_number(order: &SupplierStay) -> bool {
        order.hotel_numbers.is_empty()
    }
}

impl SupplierStay {
    /// A stay of this id that stands so and costs this. The supplier shows nothing else of it.
    pub fn new(id: impl Into<String>, status: OrderStatus, total: Money) -> Self {
        let id = id.into();
        Self {
            confirmation: id.clone(),
            id,
            status,
            total,
            policy: CancellationPolicy::default(),
            voucher_texts: Vec::new(),
            created_at: None,
            hotel_numbers: Vec::new(),
            raw: RawAnswer::default(),
        }
    }

    /// The number under which the hotel knows the guests, of all rooms; the supplier's until the hotel has told its own.
    pub fn shown_confirmation(&self) -> String {
        let numbers = distinct(self.hotel_numbers.iter().map(|told| told.number.as_str()));
        match numbers.is_empty() {
            true => self.confirmation.clone(),
            false => numbers.join(", "),
        }
    }
}

impl Stay {
    /// What was bought costs so much, in the supplier's currency; none where that can't be told.
    fn total(&self) -> Option<Money> {
        let mut totals = self.rates.iter().map(|rate| rate.parts.total());
        let first = totals.next()?.ok()?;
        totals.try_fold(first, |sum, total| sum.plus(total.ok()?).ok())
    }

    /// A policy of it by its hotel's clocks.
    #[must_use]
    pub fn dated(&self, policy: CancellationPolicy) -> CancellationPolicy {
        match self.total() {
            Some(total) => policy.arriving_at(arrival(self.check_in, self.time_zone), total),
            None => policy,
        }
    }

    /// Noon of a day at the hotel; UTC's where its time zone is not known.
    fn noon_of(&self, day: NaiveDate) -> DateTime<Utc> {
        let noon = day.and_time(NaiveTime::MIN) + TimeDelta::hours(12);
        let there = self.time_zone.and_then(|zone| zone.from_local_datetime(&noon).earliest());
        there.map_or_else(|| noon.and_utc(), |there| there.to_utc())
    }

    /// How many nights are slept.
    pub fn nights(&self) -> i64 {
        (self.check_out - self.check_in).num_days()
    }
}
