//! Orders that outlast the process: each change is one line of a log, with the operating system before it is answered.

mod availability;
mod reservation;

pub(crate) use availability::{has_rooms_for, rooms_left};
pub(crate) use reservation::{BookedRoom, Cancellation, Reservation};

use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::faults::Supplier;
use crate::hotels::HotelId;
use crate::{duffel, hotelbeds, liteapi, tripjack};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Order {
    pub(crate) supplier: Supplier,
    pub(crate) id: String,
    /// Nothing else may be booked under the same claim.
    pub(crate) claim: String,
    pub(crate) created_at: DateTime<Utc>,
    /// Look-ups find it from then on.
    pub(crate) visible_from: DateTime<Utc>,
    pub(crate) detail: Detail,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Detail {
    Duffel(Box<duffel::Booking>),
    Tripjack(Box<tripjack::Booking>),
    Liteapi(Box<liteapi::Booking>),
    Hotelbeds(Box<hotelbeds::Booking>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Status {
    /// Booked and not paid.
    Held,
    /// Paid.
    Confirmed,
    Cancelled,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct Summary {
    pub(crate) supplier: Supplier,
    pub(crate) id: String,
    /// The buyer's booking, where it said so: its own reference of the order without the order's number.
    pub(crate) reference: Option<String>,
    /// The buyer's own reference of the order.
    pub(crate) order_reference: Option<String>,
    pub(crate) status: Status,
    #[serde(with = "rust_decimal::serde::arbitrary_precision")]
    pub(crate) amount: Decimal,
    pub(crate) currency: String,
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) cancelled_at: Option<DateTime<Utc>>,
}

impl Order {
    /// The rooms that it takes, where it is a hotel's.
    pub(crate) fn reservation(&self) -> Option<&Reservation> {
        match &self.detail {
            Detail::Duffel(_) | Detail::Tripjack(_) => None,
            Detail::Liteapi(booking) => Some(&booking.reservation),
            Detail::Hotelbeds(booking) => Some(&booking.reservation),
        }
    }

    /// The order as it stands at `now`.
    pub(crate) fn summary(&self, now: DateTime<Utc>) -> Summary {
        // TripJack takes no reference of the buyer's.
        let (order_reference, status, amount, currency, cancelled_at) = match &self.detail {
            Detail::Duffel(booking) => (
                booking.reference(),
                booking.status(now),
                booking.total(),
                &booking.currency,
                booking.cancelled_at(now),
            ),
            Detail::Tripjack(booking) => (
                None,
                booking.status(now),
                booking.total(),
                &booking.currency,
                booking.cancelled_at(now),
            ),
            Detail::Liteapi(booking) => of_reservation(&booking.reservation, now),
            Detail::Hotelbeds(booking) => of_reservation(&booking.reservation, now),
        };
        let booking = order_reference.as_deref().map(booking_of);
        Summary {
            supplier: self.supplier,
            id: self.id.clone(),
            reference: booking.map(str::to_owned),
            order_reference,
            status,
            amount,
            currency: currency.clone(),
            created_at: self.created_at,
            cancelled_at,
        }
    }
}

/// A hotel's order in those words: reference, status, amount, currency, end.
fn of_reservation(
    reservation: &Reservation,
    now: DateTime<Utc>,
) -> (Option<String>, Status, Decimal, &String, Option<DateTime<Utc>>) {
    (
        reservation.client_reference.clone(),
        reservation.status(now),
        reservation.total(),
        &reservation.currency,
        reservation.cancelled_at(now),
    )
}

/// `FA-7K2M9Q4X` of `FA-7K2M9Q4X-1`; any other text as it is.
fn booking_of(reference: &str) -> &str {
    match reference.rsplit_once('-') {
        Some((booking, number))
            if booking.contains('-')
                && number.len() < 3
                && number.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            booking
        }
        _ => reference,
    }
}

/// Why the log could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The folder or the file cannot be used.
    #[error("the order log {path} cannot be used: {source}")]
    Unusable {
        /// The log file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Another sandbox writes to it.
    #[error("the order log {path} belongs to another sandbox that is running")]
    InUse {
        /// The log file.
        path: PathBuf,
    },
    /// A line that was once whole cannot be read.
    #[error("line {line} of the order log {path} is damaged: {reason}")]
    Damaged {
        /// The log file.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum AddOrderError {
    #[error("the claim is taken")]
    Claimed,
    #[error("the order log cannot be written: {0}")]
    Unwritable(#[from] io::Error),
}

#[derive(Debug)]
pub(crate) struct Orders {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    by_id: HashMap<String, Arc<Order>>,
    /// Ids, oldest first.
    in_order: Vec<String>,
    claims: HashSet<String>,
    /// Ids of the orders of each hotel, oldest first.
    by_hotel: HashMap<HotelId, Vec<String>>,
    log: Log,
}

/// Where changes are written before they are answered.
#[derive(Debug, Default)]
enum Log {
    /// Nowhere: the orders last as long as the process.
    #[default]
    None,
    /// A file, and how long it is.
    File(File, u64),
    /// Nowhere any more, and so nothing changes any more.
    Closed,
}

impl Orders {
    /// The orders of a folder, or of this process only.
    pub(crate) fn open(folder: Option<&Path>) -> Result<Self, LogError> {
        let kept = folder.map_or_else(|| Ok(Kept::default()), Kept::read)?;
        Ok(Self {
            kept: Mutex::new(kept),
        })
    }

    /// Whether something has been booked under this claim.
    pub(crate) fn is_claimed(&self, claim: &str) -> bool {
        self.kept().claims.contains(claim)
    }

    pub(crate) fn add(&self, order: Order) -> Result<Arc<Order>, AddOrderError> {
        let mut kept = self.kept();
        if kept.claims.contains(&order.claim) {
            return Err(AddOrderError::Claimed);
        }
        Ok(kept.put(order)?)
    }

    /// Keeps a new order of rooms, where the other orders of its hotel allow it; nobody books there in between.
    pub(crate) fn add_at_hotel<E: From<AddOrderError>>(
        &self,
        hotel: HotelId,
        order: Order,
        allow: impl FnOnce(&[Arc<Order>]) -> Result<(), E>,
    ) -> Result<Arc<Order>, E> {
        let mut kept = self.kept();
        if kept.claims.contains(&order.claim) {
            return Err(AddOrderError::Claimed.into());
        }
        allow(&kept.at_hotel(hotel))?;
        Ok(kept.put(order).map_err(AddOrderError::Unwritable)?)
    }

    /// All orders of a hotel, whoever sold them, oldest first.
    pub(crate) fn at_hotel(&self, hotel: HotelId) -> Vec<Arc<Order>> {
        self.kept().at_hotel(hotel)
    }

    pub(crate) fn find(&self, id: &str) -> Option<Arc<Order>> {
        self.kept().by_id.get(id).cloned()
    }

    /// All orders, oldest first.
    pub(crate) fn all(&self) -> Vec<Arc<Order>> {
        let kept = self.kept();
        kept.in_order
            .iter()
            .filter_map(|id| kept.by_id.get(id).cloned())
            .collect()
    }

    /// Changes an order, where the change is not refused; nobody else changes it in between.
    pub(crate) fn change<E: From<io::Error>>(
        &self,
        id: &str,
        change: impl FnOnce(&mut Order) -> Result<(), E>,
    ) -> Result<Option<Arc<Order>>, E> {
        let mut kept = self.kept();
        let Some(order) = kept.by_id.get(id) else {
            return Ok(None);
        };
        let mut order = Order::clone(order);
        change(&mut order)?;
        Ok(Some(kept.put(order)?))
    }

    /// Nothing is written any more, and the folder is free for another sandbox.
    pub(crate) fn close(&self) {
        self.kept().log = Log::Closed;
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn read(folder: &Path) -> Result<Self, LogError> {
        let path = folder.join("orders.jsonl");
        let unusable = |source| LogError::Unusable {
            path: path.clone(),
            source,
        };
        std::fs::create_dir_all(folder).map_err(unusable)?;
        let mut log = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(&path)
            .map_err(unusable)?;
        log.try_lock().map_err(|reason| match reason {
            TryLockError::WouldBlock => LogError::InUse { path: path.clone() },
            TryLockError::Error(source) => unusable(source),
        })?;
        let mut text = Vec::new();
        log.read_to_end(&mut text).map_err(unusable)?;
        // A kill can cut the last line short: its change was never answered, so it never was.
        let whole = text
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |newline| newline + 1);
        let length = u64::try_from(whole).unwrap_or_default();
        if whole < text.len() {
            let cut = text.len() - whole;
            tracing::warn!(log = %path.display(), bytes = cut, "the last line of the order log is cut short: dropped");
            log.set_len(length).map_err(unusable)?;
        }
        let mut kept = Self::default();
        for (at, line) in text
            .get(..whole)
            .unwrap_or_default()
            .split(|byte| *byte == b'\n')
            .enumerate()
        {
            if line.is_empty() {
                continue;
            }
            let order = serde_json::from_slice(line).map_err(|reason| LogError::Damaged {
                path: path.clone(),
                line: at + 1,
                reason: reason.to_string(),
            })?;
            kept.remember(order);
        }
        kept.log = Log::File(log, length);
        Ok(kept)
    }

    fn at_hotel(&self, hotel: HotelId) -> Vec<Arc<Order>> {
        let ids = self.by_hotel.get(&hotel).map(Vec::as_slice).unwrap_or_default();
        ids.iter().filter_map(|id| self.by_id.get(id).cloned()).collect()
    }

    fn put(&mut self, order: Order) -> io::Result<Arc<Order>> {
        match &mut self.log {
            Log::None => {}
            Log::Closed => return Err(io::Error::other("the sandbox has stopped")),
            Log::File(log, length) => {
                let mut line = serde_json::to_vec(&order)?;
                line.push(b'\n');
                if let Err(reason) = log.write_all(&line) {
                    // Half a line in the middle would be damage.
                    log.set_len(*length)?;
                    return Err(reason);
                }
                *length += u64::try_from(line.len()).unwrap_or_default();
            }
        }
        Ok(self.remember(order))
    }

    fn remember(&mut self, order: Order) -> Arc<Order> {
        if !self.by_id.contains_key(&order.id) {
            self.in_order.push(order.id.clone());
            self.claims.insert(order.claim.clone());
            if let Some(reservation) = order.reservation() {
                let ids = self.by_hotel.entry(reservation.hotel).or_default();
                ids.push(order.id.clone());
            }
        }
        let order = Arc::new(order);
        self.by_id.insert(order.id.clone(), Arc::clone(&order));
        order
    }
}
