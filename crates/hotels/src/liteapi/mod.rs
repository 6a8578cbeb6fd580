//! LiteAPI hotels v3.0: the calls.
//!
//! `wire` has their words; `stream`, `offer`, `money`, `policy`, `hotel` and `order` turn theirs into ours; `errors` judges
//! their errors; `facts` keeps what hotels are; and [`read`] is all of it without a network.
//!
//! Choices that the API leaves open:
//! * A search is streamed and asks for all rates of up to 1,000 hotels; by itself it would tell of 200.
//! * A booking is paid as the operator has configured it. Where that is from an account, what LiteAPI says of a payment that
//!   failed is looked up before it counts as an empty account.
//! * Our reference travels as `clientReference`, which LiteAPI books once: it is the key by which a booking is found.
//! * LiteAPI has no quote of a cancellation: what it costs is worked out from the terms that were sold and those of the booking,
//!   and what is given back at last is what the cancellation says.

mod cancellation;
mod errors;
mod hooks;
mod hotel;
mod hotel_facts;
mod money;
mod offer;
mod order;
mod parts;
mod payment;
mod policy;
pub mod read;
#[cfg(test)]
mod read_alike;
mod send;
mod stream;
mod unasked;
mod wire;

use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use futures_util::{StreamExt, stream::iter};
use tokio::time::Instant;
use wayfare_domain::{Amount, Faults, Money, Remarks};
use wayfare_supply::judging::deposit_empty;
use wayfare_supply::reading::{Unreadable, is_word};
use wayfare_supply::{
    AccountBalance, AfterSales, Answer, CancellationQuote, Hook, ListedOrder, Method, OrderToCancel,
    PartToCancel, Refusal, RefusalEvidence, RefusalKind, SupplierConfig, SupplierHttp, SweptOrder,
    UnaskedRefund,
};
use wayfare_supply::{done_or_return, id_or_refused, id_or_unknown, is_id, off_runtime};

use crate::rate_matching::at_the_price_of_now;
use crate::{
    HotelDetails, HotelResults, HotelSupplier, Lookup, PricedStay, Query, RoomRate, RoomRequest, SearchArea,
    StayRequest, SupplierStay,
};
use errors::{Call, none_if_gone};
use hotel_facts::KeptFacts;
use order::SupplierContext;
pub use payment::Payment;
use payment::SeenCredit;
use read::Booking;
use send::Calls;

/// As many as their rates surely fit an answer's limit (about 4 kB a rate, ten or more a hotel); named ones all.
const MOST_HOTELS: usize = 1_000;
/// So many hotels are described at once.
const DETAILS_AT_ONCE: usize = 4;

/// LiteAPI as a supplier.
#[derive(Clone, Debug)]
pub struct LiteApi {
    calls: Calls,
    payment: Payment,
    credit: SeenCredit,
    facts: KeptFacts,
}

impl LiteApi {
    /// LiteAPI at the end of this way, paid so. The way's clock tells what a cancellation costs now.
    pub fn new(http: SupplierHttp, payment: Payment) -> Self {
        Self { calls: Calls { http }, payment, credit: SeenCredit::default(), facts: KeptFacts::new() }
    }

    fn now(&self) -> DateTime<Utc> {
        self.calls.http.clock().now()
    }

    /// None where the supplier has no hotel of this id.
    async fn describe(&self, id: &str, language: &str) -> Answer<Option<HotelDetails>> {
        let request =
            self.calls.request(Method::GET, "/data/hotel").query(&[("hotelId", id), ("language", language)]);
        let answer = self.calls.ask(request, Call::Read).await;
        none_if_gone(answer.and_read(|body| read::details(&body)))
    }

    /// None where the supplier knows of no such booking. `due` is what it was sold for, where that is known.
    async fn booking(&self, id: &str, call: Call, due: Option<Money>) -> Answer<Option<Booking>> {
        let read = |body: &[u8]| read::sold_booking(body, due, self.now());
        self.booked(id, call, read).await
    }

    /// What is read of a booking of this id; none where there is none.
    async fn booked<T>(
        &self,
        id: &str,
        call: Call,
        read: impl FnOnce(&[u8]) -> Result<T, Unreadable>,
    ) -> Answer<Option<T>> {
        let request = self.calls.booking_request(Method::GET, &format!("/bookings/{id}"));
        let answer = self.calls.ask(request, call).await;
        none_if_gone(answer.and_read(|body| self.calls.reading(|| read(&body))))
    }

    async fn find_by_reference(&self, request: &StayRequest) -> Answer<Option<SupplierStay>> {
        let reference = request.reference.as_ref();
        let list =
            self.calls.booking_request(Method::GET, "/bookings").query(&[("clientReference", reference)]);
        let answer = self.calls.ask(list, Call::Lookup).await;
        let listed = none_if_gone(answer.and_read(|body| read::listed(&body, reference)));
        let Some(id) = done_or_return!(listed).flatten() else { return Answer::Done(None) };
        match self.find_by_id(&id, request).await {
            Answer::Done(None) => Answer::Unknown(format!("booking {id} is listed, but not found")),
            answer => answer,
        }
    }

    async fn find_by_id(&self, id: &str, request: &StayRequest) -> Answer<Option<SupplierStay>> {
        done_or_return!(id_or_unknown(id, "a booking"));
        let found = self.booking(id, Call::Lookup, Some(request.total)).await;
        found.and_then(|booking| match booking {
            Some(booking) => ours(booking, request.reference.as_ref()).map(Some),
            None => Answer::Done(None),
        })
    }

    /// The booking for this reference that stands already, made by an earlier sending of the same request.
    async fn made_before(&self, request: &StayRequest) -> Answer<SupplierStay> {
        let reason = match self.find_by_reference(request).await.unless_refused() {
            Answer::Done(Some(stay)) => return Answer::Done(stay),
            Answer::Done(None) => "it is not found".to_owned(),
            failed => failed.problem().unwrap_or_default().to_owned(),
        };
        Answer::Unknown(format!("booked before with this reference, but {reason}"))
    }

    /// LiteAPI says that it can't be paid so. It is our account that is empty, unless the booking stands all the same.
    async fn unpaid(&self, request: &StayRequest) -> Answer<SupplierStay> {
        match self.find_by_reference(request).await.unless_refused() {
            Answer::Done(Some(stay)) => Answer::Done(stay),
            Answer::Done(None) => deposit_empty("the way to pay was not taken"),
            failed => Answer::Unknown(format!("not paid, and {}", failed.problem().unwrap_or_default())),
        }
    }

    /// Asks once for the stay.
    async fn make(&self, request: &StayRequest) -> Answer<SupplierStay> {
        let reference = request.reference.as_ref();
        let read = SupplierContext::read(&request.supplier_context);
        let supplier_context = done_or_return!(Answer::or_refused(read));
        let Some(body) = new_booking(request, &supplier_context, self.payment) else {
            return Answer::Refused(Refusal::new("a room has no guest"));
        };
        let sent = self.calls.booking_request(Method::POST, "/rates/book").json(&body);
        let answer = self.calls.http.send(sent, Call::Book.purpose()).await;
        if let Answer::Done(exchange) = &answer
            && errors::says_duplicate(exchange)
        {
            return self.made_before(request).await;
        }
        if let Answer::Done(exchange) = &answer
            && self.payment.is_from_account()
            && errors::says_unpaid(exchange)
        {
            return self.unpaid(request).await;
        }
        let booking = self.calls.judged(answer, Call::Book).and_read(|body| {
            let read = || read::sold_booking(&body, Some(request.total), self.now());
            self.calls.reading(read)
        });
        booking.and_then(|booking| ours(booking, reference)).map(|made| {
            if made.total != request.total {
                tracing::warn!(booking = made.id, ours = ?request.total, theirs = ?made.total, "booked at another price");
            }
            made
        })
    }
}

#[async_trait]
impl AfterSales for LiteApi {
    fn config(&self) -> &SupplierConfig {
        self.calls.http.config()
    }

    fn http(&self) -> Option<&SupplierHttp> {
        Some(&self.calls.http)
    }

    async fn quote_cancellation(&self, order: OrderToCancel<'_>) -> Answer<CancellationQuote> {
        done_or_return!(id_or_refused(order.id, "booking"));
        // One that can't be read is asked for again, and in the end goes by the terms that were sold (D-582).
        let read = |body: &[u8]| {
            let booking = read::sold_booking(body, order.charged, self.now());
            Ok(booking.map_err(|reason| cancellation::unclear_quote(body, reason)))
        };
        let booking = self.booked(order.id, Call::Read, read).await;
        booking.and_then(|booking| match booking {
            Some(Ok(booking)) => cancellation::quoted(booking, order, self.now()),
            Some(Err(unclear)) => Answer::Done(unclear),
            None => Answer::Refused(Refusal::new("there is no such booking")),
        })
    }

    async fn cancel(
        &self,
        order_id: &str,
        _cancellation_id: &str,
        _remarks: Option<&str>,
        _part: Option<&PartToCancel>,
    ) -> Answer<CancellationQuote> {
        done_or_return!(id_or_refused(order_id, "booking"));
        let request = self.calls.booking_request(Method::PUT, &format!("/bookings/{order_id}"));
        let answer = self.calls.ask(request, Call::Cancel).await;
        answer.and_read(|body| self.calls.reading(|| read::cancelled(&body)))
    }

    async fn find_cancellation(
        &self,
        order_id: &str,
        _cancellation_id: &str,
        _part: Option<&PartToCancel>,
    ) -> Answer<CancellationQuote> {
        done_or_return!(id_or_refused(order_id, "booking"));
        let found = self.booked(order_id, Call::Lookup, read::found_cancellation).await;
        found.unless_refused().and_then(|found| match found {
            Some(Some(cancellation)) => Answer::Done(cancellation),
            // LiteAPI carries a cancellation out in the call itself or never, and keeps none that waits to be confirmed.
            Some(None) => Answer::Refused(Refusal::new("the booking was not cancelled")),
            None => Answer::Unknown("the booking is not found".to_owned()),
        })
    }

    fn swept_every(&self) -> Option<Duration> {
        Some(unasked::SWEPT_EVERY)
    }

    async fn sweep(&self) -> Answer<Vec<SweptOrder>> {
        unasked::cancelled(self).await
    }

    async fn orders_since(&self, since: DateTime<Utc>) -> Answer<Option<Vec<ListedOrder>>> {
        unasked::all_since(self, since).await.map(Some)
    }

    fn read_hook(&self, body: &[u8]) -> Option<Hook> {
        hooks::read(body)
    }

    async fn unasked_refund(&self, order_id: &str, charged: Money) -> Answer<Option<UnaskedRefund>> {
        done_or_return!(id_or_unknown(order_id, "a booking"));
        let booking = self.booking(order_id, Call::Lookup, Some(charged)).await.unless_refused();
        booking.and_then(|booking| match booking {
            Some(booking) => Answer::Done(booking.refunded.map(|amount| UnaskedRefund { amount, to: None })),
            None => Answer::Unknown("the booking is not found".to_owned()),
        })
    }

    async fn balance(&self) -> Answer<Option<AccountBalance>> {
        // No call tells it by itself.
        Answer::Done(self.credit.take())
    }

    fn refusal_evidence(&self, _cancellation_id: &str) -> RefusalEvidence {
        RefusalEvidence::OrderStands
    }
}

#[async_trait]
impl HotelSupplier for LiteApi {
    fn declines(&self, query: &Query) -> Option<String> {
        match &query.area {
            SearchArea::Hotels(ids) if !ids.iter().any(|id| is_id(id)) => {
                Some("knows none of these hotels".to_owned())
            }
            _ => None,
        }
    }

    async fn search(&self, query: &Query) -> Answer<HotelResults> {
        let body = wire::NewSearch {
            place: new_place(&query.area),
            limit: limit(&query.area),
            occupancies: new_occupancies(query),
            currency: self.calls.currency().code(),
            guest_nationality: &query.nationality,
            checkin: query.check_in,
            checkout: query.check_out,
            timeout: self.calls.patience(),
            include_hotel_data: true,
            stream: true,
        };
        let request = self.calls.request(Method::POST, "/hotels/rates").json(&body);
        let answer = self.calls.ask(request, Call::Read).await;
        let (query, calls, now) = (query.clone(), self.calls.clone(), self.now());
        let read = move |body: &[u8]| calls.reading(|| read::search(body, &query, calls.currency(), now));
        let found = off_runtime(move || answer.and_read(|body| read(&body))).await;
        let Some(mut found) = done_or_return!(none_if_gone(found)) else {
            return Answer::Done(HotelResults::default());
        };
        self.facts.tell(&self.calls, &mut found).await;
        for hotel in found.hotels.iter_mut().filter(|hotel| hotel.name.is_empty()) {
            hotel.name.clone_from(&hotel.id);
        }
        Answer::Done(found)
    }

    async fn details(&self, hotel_ids: &[&str], language: &str) -> Answer<Vec<HotelDetails>> {
        let mut calls = Vec::new();
        for id in hotel_ids.iter().copied().filter(|id| is_id(id)) {
            calls.push(self.describe(id, language));
        }
        let mut answers = iter(calls).buffered(DETAILS_AT_ONCE);
        let mut all = Vec::new();
        while let Some(answer) = answers.next().await {
            all.extend(done_or_return!(answer));
        }
        Answer::Done(all)
    }

    async fn price(&self, query: &Query, hotel_id: &str, rates: &[&RoomRate]) -> Answer<PricedStay> {
        let Some(offer_id) = one_offer(query, rates) else {
            let text = "rooms of this supplier are booked as they were offered together";
            return Answer::Refused(Refusal::new(text));
        };
        let body = wire::NewPrebook {
            offer_id,
            use_payment_sdk: false,
            include_credit_balance: self.payment == Payment::Credit,
        };
        let request = self
            .calls
            .booking_request(Method::POST, "/rates/prebook")
            .query(&[("timeout", self.calls.patience())])
            .json(&body);
        let answer = self.calls.ask(request, Call::Offer).await;
        if let Answer::Done(body) = &answer {
            self.credit.see(read::credit_line(body));
        }
        let read = |body: Vec<u8>| read::prebooked(&body, query, offer_id, self.now());
        let prebooked = answer.and_read(|body| self.calls.reading(|| read(body)));
        prebooked.and_then(|prebooked| as_asked(prebooked, hotel_id, rates))
    }

    fn check_rooms(&self, rooms: &[RoomRequest]) -> Faults {
        // All that LiteAPI says of names is that the first guest of each room must have them.
        let mut faults = Faults::default();
        for (number, room) in rooms.iter().enumerate() {
            let Some(lead) = room.guests.first() else {
                faults.add(format!("rooms[{number}].guests"), "must not be empty");
                continue;
            };
            for (field, name) in [("first_name", &lead.first_name), ("last_name", &lead.last_name)] {
                if name.trim().is_empty() {
                    faults.add(format!("rooms[{number}].guests[0].{field}"), "must not be empty");
                }
            }
        }
        faults
    }

    async fn book(&self, request: &StayRequest) -> Answer<SupplierStay> {
        let asked_at = Instant::now();
        match self.make(request).await {
            // LiteAPI has no word for a price that moved: it no longer knows the one that was quoted.
            Answer::Refused(refusal) if refusal.kind == RefusalKind::Expired => {
                match at_the_price_of_now(self, request, asked_at, refusal).await {
                    Ok(again) => self.make(&again).await,
                    Err(refusal) => Answer::Refused(refusal),
                }
            }
            answer => answer,
        }
    }

    async fn find(&self, lookup: Lookup<'_>) -> Answer<Option<SupplierStay>> {
        let found = match lookup.order_id {
            Some(id) => self.find_by_id(id, lookup.request).await,
            None => self.find_by_reference(lookup.request).await,
        };
        found.unless_refused()
    }
}

fn limit(area: &SearchArea) -> usize {
    match area {
        SearchArea::Hotels(ids) => ids.len().max(MOST_HOTELS),
        _ => MOST_HOTELS,
    }
}

fn new_place(area: &SearchArea) -> wire::NewPlace<'_> {
    match area {
        SearchArea::Hotels(ids) => wire::NewPlace::Hotels {
            hotel_ids: ids.iter().map(String::as_str).filter(|id| is_id(id)).collect(),
        },
        SearchArea::City { name, country, .. } => {
            wire::NewPlace::City { country_code: country, city_name: name }
        }
        SearchArea::Airport { code, .. } => wire::NewPlace::Airport { iata_code: code },
        SearchArea::Around { latitude, longitude, radius_m } => wire::NewPlace::Around {
            latitude: Amount(*latitude),
            longitude: Amount(*longitude),
            radius: *radius_m,
        },
    }
}

fn new_occupancies(query: &Query) -> Vec<wire::NewOccupancy<'_>> {
    let rooms = query
        .rooms
        .iter()
        .map(|room| wire::NewOccupancy { adults: room.adults, children: &room.children_ages });
    rooms.collect()
}

/// The booking to be made: the first guest of each room stands for it, and is reached as who booked.
fn new_booking<'a>(
    request: &'a StayRequest,
    supplier_context: &'a SupplierContext,
    payment: Payment,
) -> Option<wire::NewBooking<'a>> {
    let contact = &request.contact;
    let person = |first_name: &'a str, last_name: &'a str| wire::Person {
        first_name,
        last_name,
        email: &contact.email,
        phone: &contact.phone,
    };
    let mut rooms: Vec<&RoomRequest> = request.rooms.iter().collect();
    rooms.sort_by_key(|room| room.number);
    // The booking has no remarks of its own there: it shows its guests' together (D-254).
    let mut remarks = request.remarks.as_ref().map(Remarks::as_str);
    let guests = rooms.into_iter().map(|room| {
        let lead = room.guests.first()?;
        Some(wire::LeadGuest {
            occupancy_number: room.number,
            person: person(&lead.first_name, &lead.last_name),
            remarks: remarks.take(),
        })
    });
    Some(wire::NewBooking {
        prebook_id: &supplier_context.prebook_id,
        client_reference: request.reference.as_ref(),
        holder: person(&contact.first_name, &contact.last_name),
        guests: guests.collect::<Option<_>>()?,
        payment: wire::Payment { method: payment.method() },
    })
}

/// The offer whose rates these are, if they are all of it: one for each kind of room.
fn one_offer<'a>(query: &Query, rates: &[&'a RoomRate]) -> Option<&'a str> {
    let offer_of = |rate: &&'a RoomRate| rate.bundle.as_deref().unwrap_or(&rate.token);
    let offer_id = rates.first().map(offer_of)?;
    let mut kinds: Vec<usize> = rates.iter().map(|rate| rate.kind).collect();
    kinds.sort_unstable();
    let is_whole = kinds.into_iter().eq(0..query.kinds().len());
    (is_whole && rates.iter().all(|rate| offer_of(rate) == offer_id)).then_some(offer_id)
}

/// What was read again in the order and under the keys in which it was asked for.
fn as_asked(prebooked: read::Prebooked, hotel_id: &str, asked: &[&RoomRate]) -> Answer<PricedStay> {
    if prebooked.hotel_id != hotel_id {
        return Answer::Unknown(format!("the offer is of hotel {}", prebooked.hotel_id));
    }
    let now = asked.iter().filter_map(|asked| {
        let rate = prebooked.rates.get(asked.kind)?.clone();
        Some(RoomRate {
            token: asked.token.clone(),
            room_id: asked.room_id.clone(),
            rate_name: asked.rate_name.clone(),
            ..rate
        })
    });
    let supplier_context = SupplierContext { prebook_id: prebooked.prebook_id.clone() };
    match serde_json::to_value(supplier_context) {
        Ok(supplier_context) => {
            Answer::Done(PricedStay { rates: now.collect(), supplier_context, expires_at: None })
        }
        Err(error) => Answer::Unknown(format!("the price can't be kept: {error}")),
    }
}

/// An id may come from a person: a booking that carries another reference than ours was made for another one.
fn ours(booking: Booking, reference: &str) -> Answer<SupplierStay> {
    match booking.reference {
        Some(other) if !is_word(&other, reference) => {
            Answer::Unknown(format!("booking {} belongs to {other}", booking.stay.id))
        }
        _ => Answer::Done(booking.stay),
    }
}
