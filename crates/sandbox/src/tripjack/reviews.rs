//! Sessions of reviews: a booking id, what was reviewed, and for how long. Lost with the process, as sessions are.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use rust_decimal::Decimal;

use super::World;
use super::errors::ApiError;
use super::offers::Offered;
use super::price_ids::Request;
use super::sold_fare::Sold;
use super::trip_parts::is_domestic;
use crate::airlines::Style;
use crate::itinerary::Search;

#[derive(Debug)]
pub(super) struct Review {
    pub(super) booking_id: String,
    pub(super) opened_at: DateTime<Utc>,
    pub(super) offers: Vec<Offered>,
}

pub(super) fn fresh_booking_id() -> String {
    format!("TJS1{:011}", rand::random::<u64>() % 100_000_000_000)
}

impl Review {
    /// Opens a session for fares, under a booking id of its own.
    pub(super) fn open(world: &World, offers: Vec<Offered>) -> Arc<Self> {
        let now = world.clock.now();
        let review = Arc::new(Self { booking_id: fresh_booking_id(), opened_at: now, offers });
        let (id, open) = (review.booking_id.clone(), Arc::clone(&review));
        world.state.reviews.insert(id, open, review.expires_at(), now);
        review
    }

    /// The review of a booking id, where its session is open.
    pub(super) fn find(world: &World, booking_id: &str) -> Result<Arc<Self>, ApiError> {
        let review = world.state.reviews.get_live(booking_id, world.clock.now());
        review.ok_or_else(ApiError::expired)
    }

    pub(super) fn search(&self) -> Option<&Search> {
        self.request().map(|request| &request.stamped.search)
    }

    pub(super) fn request(&self) -> Option<&Request> {
        self.offers.first().map(|offered| &offered.price_ref.request)
    }

    pub(super) fn sold(&self) -> impl Iterator<Item = &Sold> {
        self.offers.iter().map(|offered| &offered.sold)
    }

    pub(super) fn is_domestic(&self) -> bool {
        self.search().is_some_and(is_domestic)
    }

    pub(super) fn seconds(&self) -> i64 {
        let is_low_cost = |sold: &Sold| sold.bundle.airline.style == Style::LowCost;
        if self.sold().any(is_low_cost) { 840 } else { 900 }
    }

    fn expires_at(&self) -> DateTime<Utc> {
        self.opened_at + TimeDelta::seconds(self.seconds())
    }

    pub(super) fn total(&self) -> Decimal {
        self.sold().map(|sold| sold.price.total()).sum()
    }

    pub(super) fn searched_total(&self) -> Decimal {
        self.offers.iter().map(|offered| offered.searched.total()).sum()
    }

    pub(super) fn departure(&self) -> Option<DateTime<Utc>> {
        self.sold().next()?.bundle.departure()
    }

    /// Until when the seats can be held, where those of all fares can.
    pub(super) fn held_until(&self, world: &World) -> Option<DateTime<Utc>> {
        let departure = self.departure()?;
        let deadlines = self.sold().map(|sold| {
            let hold = sold.terms(world).hold?;
            Some(hold.deadlines(self.opened_at, departure)?.pay_by)
        });
        deadlines.collect::<Option<Vec<_>>>()?.into_iter().min()
    }
}
