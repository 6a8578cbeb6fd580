//! Hotels: search, price, book and give back (docs/API.md, Hotels).

use std::time::Duration;

use wayfare_boxed::boxed;

pub use wayfare_contract::hotels::*;

use crate::{
    BookingCounts, BookingFilter, Effect, TimelineEntry,
    call::Ask,
    enums::{BookingStatus, RefundStatus},
    error::Result,
    flights::RefundRow,
    list::List,
    session::part_of_session,
    waiting::until,
};

part_of_session! {
    /// Hotels.
    Hotels, hotels
}

#[boxed]
impl Hotels<'_> {
    /// `POST /hotels/search`: a page. Other pages, filters and orders of the same `search_id` are of the same answer.
    pub async fn search(&self, search: &HotelSearch) -> Result<HotelsFound> {
        let ask = Ask::reading(&["hotels", "search"]);
        self.0.data(ask.body(search)?).await
    }

    /// `GET /hotels/cities`: as one types; at most so many, 1 to 100.
    pub async fn cities(&self, typed: &str, limit: u8) -> Result<Vec<City>> {
        let query = vec![("q", typed.to_owned()), ("limit", limit.to_string())];
        self.0.data(Ask::get(&["hotels", "cities"]).query(query)).await
    }

    /// `POST /hotels/details`: 1 to 20 hotels, by supplier; the language is ISO 639-1.
    pub async fn details(&self, hotel_ids: &[String], language: &str) -> Result<Vec<ProviderHotels>> {
        let request = HotelDetailsRequest { hotel_ids: hotel_ids.to_vec(), language: language.to_owned() };
        self.0.data(Ask::reading(&["hotels", "details"]).body(&request)?).await
    }

    /// `POST /hotels/price`: what the rooms cost now, promised for a while. 400 for a search that is over, 402 when the
    /// wallet can't pay, 409 when they are gone.
    pub async fn price(&self, request: &HotelPriceRequest) -> Result<HotelPrice> {
        self.0.data(Ask::reading(&["hotels", "price"]).body(request)?).await
    }

    /// `POST /hotels/book`: all rooms or none. 402 when the wallet can't pay; 409 in the supplier's words when it refuses.
    pub async fn book(&self, order: &HotelOrder) -> Effect<HotelBooked> {
        let ask = self.0.effect(&["hotels", "book"]);
        self.0.outcome(ask.body(order)?, "").await
    }

    /// `GET /hotels/bookings`, newest first; none = in any status.
    pub fn bookings(&self, status: Option<BookingStatus>) -> List<HotelBookingRow> {
        let status = status.map(|status| ("status", status.to_string()));
        List::of(self.0, &["hotels", "bookings"], status.into_iter().collect())
    }

    /// The same with other filters; Wayfare's addition.
    pub fn bookings_where(&self, filter: &BookingFilter) -> List<HotelBookingRow> {
        List::of(self.0, &["hotels", "bookings"], filter.query())
    }

    /// `GET /hotels/bookings/counts`; Wayfare's addition.
    pub async fn booking_counts(&self) -> Result<BookingCounts> {
        self.0.data(Ask::get(&["hotels", "bookings", "counts"])).await
    }

    /// `GET /hotels/refunds`, newest first; Wayfare's addition.
    pub fn refunds(&self) -> List<RefundRow> {
        List::of(self.0, &["hotels", "refunds"], Vec::new())
    }

    /// The same in one state; Wayfare's addition.
    pub fn refunds_in(&self, status: &RefundStatus) -> List<RefundRow> {
        let status = vec![("status", status.to_string())];
        List::of(self.0, &["hotels", "refunds"], status)
    }

    /// `GET /hotels/bookings/{ref}`: one that is pending is looked up at its supplier first.
    pub async fn booking(&self, booking_ref: &str) -> Result<HotelBooking> {
        self.0.data(Ask::get(&["hotels", "bookings", booking_ref])).await
    }

    /// `GET /hotels/bookings/{ref}/timeline`: what happened to it, in order of time. Wayfare's addition.
    pub async fn timeline(&self, booking_ref: &str) -> Result<Vec<TimelineEntry>> {
        self.0.data(Ask::get(&["hotels", "bookings", booking_ref, "timeline"])).await
    }

    /// Reads the booking, ever more seldom, until it is not pending any more. [`crate::Error::Overdue`] when it still is
    /// then.
    pub async fn wait_until_settled(&self, booking_ref: &str, within: Duration) -> Result<HotelBooking> {
        let hotels = *self;
        until(within, booking_ref, move || async move {
            let booking = hotels.booking(booking_ref).await?;
            Ok((booking.row.status != BookingStatus::Pending).then_some(booking))
        })
        .await
    }

    /// `GET /hotels/bookings/{ref}/voucher`: of a confirmed booking.
    pub async fn voucher(&self, booking_ref: &str) -> Result<Voucher> {
        self.0.data(Ask::get(&["hotels", "bookings", booking_ref, "voucher"])).await
    }

    /// `POST /hotels/bookings/{ref}/penalty`: what cancelling would cost now; Wayfare's addition.
    pub async fn penalty(&self, booking_ref: &str) -> Result<StayPenalty> {
        self.0.data(Ask::reading(&["hotels", "bookings", booking_ref, "penalty"])).await
    }

    /// `POST /hotels/bookings/{ref}/cancel`. One that is pending settles by itself: the booking is cancelled then, or
    /// stands when the supplier refused.
    pub async fn cancel(&self, booking_ref: &str, cancel: &HotelCancel) -> Effect<HotelCancelled> {
        let ask = self.0.effect(&["hotels", "bookings", booking_ref, "cancel"]);
        self.0.outcome(ask.body(cancel)?, booking_ref).await
    }
}
