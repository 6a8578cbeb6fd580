//! Rooms that are sold: what both suppliers store of a booking, whatever else each stores.

use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::{Outline, Status, SupplierEnd};
use crate::hotels::{Guests, HotelId, Rate, RoomKind, Stay};

/// The rooms of a booking, and what has become of them by now.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Reservation {
    pub(crate) hotel: HotelId,
    pub(crate) stay: Stay,
    pub(crate) rooms: Vec<BookedRoom>,
    /// ISO 4217, of all its amounts but what is due at the hotel.
    pub(crate) currency: String,
    /// The buyer's own reference, as it was sent.
    pub(crate) client_reference: Option<String>,
    /// Until then the supplier does not say that it is confirmed.
    pub(crate) pending_until: DateTime<Utc>,
    /// Whether it is given up then, and nothing is paid.
    pub(crate) is_aborted: bool,
    pub(crate) cancellation: Option<Cancellation>,
    /// The hotel's own numbers of the rooms, once it has told them.
    #[serde(default)]
    pub(crate) hotel_numbers: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct BookedRoom {
    pub(crate) guests: Guests,
    pub(crate) rate: Rate,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Cancellation {
    pub(crate) at: DateTime<Utc>,
    /// What is not paid back of the price.
    pub(crate) fee: Decimal,
}

impl Reservation {
    pub(crate) fn outline(&self, now: DateTime<Utc>) -> Outline {
        Outline {
            order_reference: self.client_reference.clone(),
            status: self.status(now),
            amount: self.total(),
            refunded: self
                .cancelled_by(now)
                .map_or(Decimal::ZERO, |cancellation| self.total() - cancellation.fee),
            currency: self.currency.clone(),
            cancelled_at: self.cancelled_at(now),
        }
    }

    pub(crate) fn total(&self) -> Decimal {
        self.rooms.iter().map(|room| room.rate.total()).sum()
    }

    pub(crate) fn penalty_at(&self, now: DateTime<Utc>) -> Decimal {
        self.rooms.iter().map(|room| room.rate.penalty_at(now)).sum()
    }

    /// The supplier ends it, and keeps what it does not give back.
    pub(crate) fn end_by_supplier(&mut self, end: &SupplierEnd, now: DateTime<Utc>) {
        self.cancellation = Some(Cancellation { at: now, fee: self.total() - end.refund });
    }

    /// The cancellation, where it has taken effect.
    pub(crate) fn cancelled_by(&self, now: DateTime<Utc>) -> Option<Cancellation> {
        self.cancellation.filter(|cancellation| cancellation.at <= now)
    }

    /// Held while it will be given up, confirmed, or cancelled.
    pub(crate) fn status(&self, now: DateTime<Utc>) -> Status {
        match (self.cancelled_at(now), self.is_aborted) {
            (Some(_), _) => Status::Cancelled,
            (None, true) => Status::Held,
            (None, false) => Status::Confirmed,
        }
    }

    /// When it ended: by a cancellation, or by being given up.
    pub(crate) fn cancelled_at(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let aborted_at = self.is_aborted.then_some(self.pending_until);
        let cancelled_at = self.cancellation.map(|cancellation| cancellation.at);
        cancelled_at.or(aborted_at).filter(|at| *at <= now)
    }

    pub(super) fn takes(&self, kind: RoomKind, night: NaiveDate, now: DateTime<Utc>) -> u32 {
        let is_taken = self.status(now) != Status::Cancelled
            && (self.stay.check_in..self.stay.check_out).contains(&night);
        if !is_taken {
            return 0;
        }
        let rooms = self.rooms.iter().filter(|room| room.rate.key.room == kind).count();
        u32::try_from(rooms).unwrap_or(u32::MAX)
    }
}
