//! Hotelbeds APItude 1.0: the calls.
//!
//! `wire` and `content_wire` have their JSON; `rate`, `order` and `described` turn theirs into ours, `codes` knows their
//! codes; `errors` judges their errors; [`read`] is what is sold, without a network. `booking` and `cancellation` are the calls
//! that make stays and give them back, `content` those that tell what hotels are, apart from them. Nothing is ever sent twice: Hotelbeds knows
//! no idempotency key.
//!
//! Choices that the API leaves open:
//! * T is what they charge us, but where the hotel dictates what the public pays: then T is that, and the rest commission.
//! * Every rate is checked by a call of its own before it is sold, whether or not they demand it.
//! * Our reference travels as `clientReference`, by which the list of bookings is filtered.

mod area;
mod booking;
mod cancellation;
mod codes;
mod content;
mod content_wire;
mod credentials;
mod errors;
mod hooks;
mod hotel_details;
mod order;
mod parts;
mod rate;
pub mod read;
#[cfg(test)]
mod read_alike;
mod sweep;
mod wire;

use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use wayfare_domain::{Faults, Money};
use wayfare_supply::{
    AfterSales, Answer, CancellationQuote, Exchange, Hook, ListedOrder, Method, OrderToCancel, PartToCancel,
    Refusal, RefusalEvidence, Request, SupplierConfig, SupplierHttp, SweptOrder, UnaskedRefund,
};
use wayfare_supply::{off_runtime, reading::Unreadable};

use crate::{
    HotelContent, HotelResults, HotelSupplier, Lookup, PricedStay, Query, RoomRate, RoomRequest, SearchArea,
    StayRequest, SupplierStay,
};
use content::Library;
use credentials::Credentials;
pub use credentials::NoSecret;
use errors::Call;

/// They take no more hotels in one search.
const MOST_HOTELS: usize = 2_000;
/// They take no larger radius; metres.
const LARGEST_RADIUS: u32 = 200_000;
/// Hotels sell no more to one party.
const MOST_ROOMS: usize = 9;
/// They take no longer names.
const LONGEST_NAME: usize = 50;
/// How often the lists of cancelled and of reconfirmed bookings are read.
const SWEPT_EVERY: Duration = Duration::from_secs(6 * 3600);

/// Hotelbeds as a supplier.
#[derive(Clone, Debug)]
pub struct Hotelbeds {
    http: SupplierHttp,
    credentials: Credentials,
    library: Library,
}

impl Hotelbeds {
    /// Hotelbeds at the end of this way, whose token is `key:secret`. The way's clock signs each call, so that it must not
    /// be wrong, and tells when a key is over.
    ///
    /// # Errors
    /// When the token is not a key and its secret.
    pub fn new(http: SupplierHttp) -> Result<Self, NoSecret> {
        Ok(Self { credentials: Credentials::of(&http.config().token)?, library: Library::new(), http })
    }

    fn now(&self) -> DateTime<Utc> {
        self.http.clock().now()
    }

    /// Signed now, to be sent at once.
    fn request(&self, method: Method, path: &str) -> Request {
        self.http
            .request(method, path)
            .header("Api-key", self.credentials.key())
            .header("X-Signature", &self.credentials.signature(self.now()))
            .header("Accept", "application/json")
            .with_server_errors()
    }

    async fn ask<T>(
        &self,
        request: Request,
        call: Call,
        read: impl FnOnce(&[u8]) -> Result<T, Unreadable>,
    ) -> Answer<T> {
        let answer = self.http.send(request, call.purpose()).await;
        self.judged(answer, call, read)
    }

    fn judged<T>(
        &self,
        answer: Answer<Exchange>,
        call: Call,
        read: impl FnOnce(&[u8]) -> Result<T, Unreadable>,
    ) -> Answer<T> {
        let judge = |exchange: Exchange| errors::judge(&exchange, call, &self.credentials, read);
        answer.and_then(|exchange| self.http.reading(|| judge(exchange)))
    }
}

#[async_trait]
impl AfterSales for Hotelbeds {
    fn config(&self) -> &SupplierConfig {
        self.http.config()
    }

    fn http(&self) -> Option<&SupplierHttp> {
        Some(&self.http)
    }

    async fn quote_cancellation(&self, order: OrderToCancel<'_>) -> Answer<CancellationQuote> {
        cancellation::quote_cancellation(self, order).await
    }

    async fn cancel(
        &self,
        order_id: &str,
        cancellation_id: &str,
        _remarks: Option<&str>,
        _part: Option<&PartToCancel>,
    ) -> Answer<CancellationQuote> {
        cancellation::cancel(self, order_id, cancellation_id).await
    }

    async fn find_cancellation(
        &self,
        order_id: &str,
        cancellation_id: &str,
        _part: Option<&PartToCancel>,
    ) -> Answer<CancellationQuote> {
        cancellation::find_cancellation(self, order_id, cancellation_id).await
    }

    fn swept_every(&self) -> Option<Duration> {
        Some(SWEPT_EVERY)
    }

    async fn sweep(&self) -> Answer<Vec<SweptOrder>> {
        sweep::sweep(self).await
    }

    async fn orders_since(&self, since: DateTime<Utc>) -> Answer<Option<Vec<ListedOrder>>> {
        sweep::made_since(self, since).await.map(Some)
    }

    fn read_hook(&self, body: &[u8]) -> Option<Hook> {
        hooks::read(body)
    }

    async fn unasked_refund(&self, order_id: &str, charged: Money) -> Answer<Option<UnaskedRefund>> {
        let booked = self.booking(order_id, Call::Lookup, None).await.unless_refused();
        booked.and_read(|booked| self.http.reading(|| booked.unasked_refund(charged)))
    }

    fn refusal_evidence(&self, _cancellation_id: &str) -> RefusalEvidence {
        RefusalEvidence::OrderStands
    }
}

#[async_trait]
impl HotelSupplier for Hotelbeds {
    fn declines(&self, query: &Query) -> Option<String> {
        if query.rooms.len() > MOST_ROOMS {
            return Some(format!("takes at most {MOST_ROOMS} rooms"));
        }
        match &query.area {
            SearchArea::Hotels(ids) if ids.len() > MOST_HOTELS => {
                Some(format!("takes at most {MOST_HOTELS} hotels"))
            }
            SearchArea::Hotels(ids) if !ids.iter().any(|id| codes::hotel_code(id).is_some()) => {
                Some("knows hotels by numbers".to_owned())
            }
            SearchArea::Around { radius_m, .. } if *radius_m > LARGEST_RADIUS => {
                Some(format!("takes at most {} km", LARGEST_RADIUS / 1_000))
            }
            _ => None,
        }
    }

    async fn search(&self, query: &Query) -> Answer<HotelResults> {
        let language = codes::language(&query.language);
        let mut body = new_search(query, language);
        if let Err(reason) = area::set_area(&query.area, &mut body) {
            return Answer::Refused(Refusal::new(reason));
        }
        let request = self.request(Method::POST, "/hotel-api/1.0/hotels").json(&body);
        let answer = self.http.send(request, Call::Read.purpose()).await;
        let (this, query, now) = (self.clone(), query.clone(), self.now());
        let read = move |body: &[u8]| read::search(body, &query, now);
        off_runtime(move || this.judged(answer, Call::Read, read)).await
    }

    fn content_language(&self, language: &str) -> Option<&'static str> {
        Some(codes::language(language))
    }

    async fn content(&self, hotel_ids: &[&str], language: &str) -> Answer<Vec<HotelContent>> {
        content::page(self, hotel_ids, language).await
    }

    async fn price(&self, query: &Query, hotel_id: &str, rates: &[&RoomRate]) -> Answer<PricedStay> {
        booking::price(self, query, hotel_id, rates).await
    }

    fn check_rooms(&self, rooms: &[RoomRequest]) -> Faults {
        let mut faults = Faults::default();
        for (room, request) in rooms.iter().enumerate() {
            for (guest, known) in request.guests.iter().enumerate() {
                let names = [("first_name", &known.first_name), ("last_name", &known.last_name)];
                for (field, _) in names.iter().filter(|(_, name)| name.chars().count() > LONGEST_NAME) {
                    faults.add(
                        format!("rooms[{room}].guests[{guest}].{field}"),
                        format!("must have at most {LONGEST_NAME} characters"),
                    );
                }
            }
        }
        faults
    }

    async fn book(&self, request: &StayRequest) -> Answer<SupplierStay> {
        booking::book(self, request).await
    }

    async fn find(&self, lookup: Lookup<'_>) -> Answer<Option<SupplierStay>> {
        booking::find(self, lookup).await
    }
}

/// All of it but where.
fn new_search<'a>(query: &'a Query, language: &'static str) -> wire::NewSearch<'a> {
    let pax =
        |age: &u8| wire::NewPax { room_id: None, kind: "CH", age: Some(*age), name: None, surname: None };
    let occupancy = |(guests, count): (&crate::RoomGuests, u16)| wire::NewOccupancy {
        rooms: count,
        adults: guests.adults,
        children: guests.children_ages.len(),
        paxes: guests.children_ages.iter().map(pax).collect(),
    };
    wire::NewSearch {
        stay: wire::NewStay { check_in: query.check_in, check_out: query.check_out },
        occupancies: query.kinds().into_iter().map(occupancy).collect(),
        hotels: None,
        geolocation: None,
        source_market: codes::their_country(&query.nationality),
        language,
    }
}
