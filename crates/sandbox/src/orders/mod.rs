//! Orders that outlast the process: each change is one line of a log, with the operating system before it is answered.

mod availability;
mod reservation;
mod unasked;

use std::any::Any;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) use availability::rooms_left;
pub(crate) use reservation::{BookedRoom, Cancellation, Reservation};
pub(crate) use unasked::{SupplierEnd, UnaskedError};

use crate::faults::Supplier;
use crate::hotels::{Hotel, HotelId};

/// What one supplier stores of an order.
pub(crate) trait Booking:
    fmt::Debug + Clone + Serialize + DeserializeOwned + Send + Sync + 'static
{
    const SUPPLIER: Supplier;

    fn outline(&self, now: DateTime<Utc>) -> Outline;

    /// Its supplier ends it, asked by nobody.
    fn end_by_supplier(&mut self, end: &SupplierEnd, now: DateTime<Utc>);

    /// The rooms that it takes, where it is a hotel's.
    fn reservation(&self) -> Option<&Reservation> {
        None
    }

    /// The same, for what the hotel tells later.
    fn reservation_mut(&mut self) -> Option<&mut Reservation> {
        None
    }
}

/// What any supplier stores of an order.
pub(crate) trait AnyBooking: fmt::Debug + Send + Sync {
    fn supplier(&self) -> Supplier;
    fn outline(&self, now: DateTime<Utc>) -> Outline;
    fn reservation(&self) -> Option<&Reservation>;
    fn ended_by_supplier(&self, end: &SupplierEnd, now: DateTime<Utc>) -> Arc<dyn AnyBooking>;
    /// With the hotel's own numbers of its rooms, where it is a hotel's.
    fn with_hotel_numbers(&self, numbers: Vec<String>) -> Option<Arc<dyn AnyBooking>>;
    fn to_json(&self) -> serde_json::Result<Value>;
    fn into_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync>;
}

impl<B: Booking> AnyBooking for B {
    fn supplier(&self) -> Supplier {
        B::SUPPLIER
    }

    fn outline(&self, now: DateTime<Utc>) -> Outline {
        Booking::outline(self, now)
    }

    fn reservation(&self) -> Option<&Reservation> {
        Booking::reservation(self)
    }

    fn ended_by_supplier(&self, end: &SupplierEnd, now: DateTime<Utc>) -> Arc<dyn AnyBooking> {
        let mut ended = self.clone();
        ended.end_by_supplier(end, now);
        Arc::new(ended)
    }

    fn with_hotel_numbers(&self, numbers: Vec<String>) -> Option<Arc<dyn AnyBooking>> {
        let mut booking = self.clone();
        booking.reservation_mut()?.hotel_numbers = numbers;
        Some(Arc::new(booking))
    }

    fn to_json(&self) -> serde_json::Result<Value> {
        serde_json::to_value(self)
    }

    fn into_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync> {
        self
    }
}

#[derive(Debug)]
pub(crate) struct Order<B: ?Sized = dyn AnyBooking> {
    pub(crate) id: String,
    /// Nothing else may be booked under the same claim.
    pub(crate) claim: String,
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) visible_from: DateTime<Utc>,
    pub(crate) booking: Arc<B>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Status {
    /// Booked and not paid.
    Held,
    Confirmed,
    Cancelled,
}

/// What has become of a booking, in no supplier's words.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Outline {
    /// The buyer's own reference of the order.
    pub(crate) order_reference: Option<String>,
    pub(crate) status: Status,
    #[serde(with = "rust_decimal::serde::arbitrary_precision")]
    pub(crate) amount: Decimal,
    /// What has come back of what was paid.
    #[serde(with = "rust_decimal::serde::arbitrary_precision")]
    pub(crate) refunded: Decimal,
    pub(crate) currency: String,
    pub(crate) cancelled_at: Option<DateTime<Utc>>,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct Summary {
    supplier: Supplier,
    id: String,
    /// The buyer's booking: its own reference of the order without the order's number.
    reference: Option<String>,
    created_at: DateTime<Utc>,
    #[serde(flatten)]
    outline: Outline,
}

impl<B: ?Sized> Order<B> {
    fn with<C: ?Sized>(&self, booking: Arc<C>) -> Order<C> {
        Order {
            id: self.id.clone(),
            claim: self.claim.clone(),
            created_at: self.created_at,
            visible_from: self.visible_from,
            booking,
        }
    }
}

impl Order {
    /// The order with its supplier's own booking, where it is that supplier's.
    fn of<B: Booking>(&self) -> Option<Order<B>> {
        let booking = Arc::clone(&self.booking).into_any().downcast().ok()?;
        Some(self.with(booking))
    }

    pub(crate) fn summary(&self, now: DateTime<Utc>) -> Summary {
        let outline = self.booking.outline(now);
        Summary {
            supplier: self.booking.supplier(),
            id: self.id.clone(),
            reference: outline.order_reference.as_deref().map(booking_of).map(str::to_owned),
            created_at: self.created_at,
            outline,
        }
    }
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
    Unusable { path: PathBuf, source: io::Error },
    /// Another sandbox writes to it.
    #[error("the order log {path} belongs to another sandbox that is running")]
    InUse { path: PathBuf },
    /// A line that was once whole cannot be read.
    #[error("line {line} of the order log {path} is damaged: {reason}")]
    Damaged {
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        reason: String,
    },
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum AddOrderError {
    #[error("the claim is taken")]
    Claimed,
    #[error("there are not so many rooms left")]
    NoRooms,
    #[error("the order log cannot be written: {0}")]
    Unwritable(#[from] io::Error),
}

/// Reads what one supplier stored of an order.
pub(crate) type Reader = (Supplier, fn(Value) -> serde_json::Result<Arc<dyn AnyBooking>>);

pub(crate) fn reader<B: Booking>() -> Reader {
    (B::SUPPLIER, |value| Ok(Arc::new(serde_json::from_value::<B>(value)?)))
}

#[derive(Serialize, Deserialize)]
struct Line {
    supplier: Supplier,
    id: String,
    claim: String,
    created_at: DateTime<Utc>,
    visible_from: DateTime<Utc>,
    /// The booking, under its supplier's name.
    detail: HashMap<Supplier, Value>,
}

impl Line {
    fn of(order: &Order) -> serde_json::Result<Self> {
        let supplier = order.booking.supplier();
        Ok(Self {
            supplier,
            id: order.id.clone(),
            claim: order.claim.clone(),
            created_at: order.created_at,
            visible_from: order.visible_from,
            detail: HashMap::from([(supplier, order.booking.to_json()?)]),
        })
    }

    fn read(mut self, readers: &[Reader]) -> serde_json::Result<Order> {
        let reader = readers.iter().find(|(supplier, _)| *supplier == self.supplier);
        let found = reader.zip(self.detail.remove(&self.supplier));
        let ((_, read), detail) =
            found.ok_or_else(|| serde_json::Error::custom("no booking of its supplier"))?;
        Ok(Order {
            id: self.id,
            claim: self.claim,
            created_at: self.created_at,
            visible_from: self.visible_from,
            booking: read(detail)?,
        })
    }
}

#[derive(Debug)]
pub(crate) struct Orders {
    stored: Mutex<Stored>,
}

#[derive(Debug, Default)]
struct Stored {
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
    File(File, u64),
    /// Nowhere any more, and so nothing changes any more.
    Closed,
}

impl Orders {
    /// The orders of a folder, or of this process only.
    pub(crate) fn open(folder: Option<&Path>, readers: &[Reader]) -> Result<Self, LogError> {
        let stored = folder.map_or_else(|| Ok(Stored::default()), |folder| Stored::read(folder, readers))?;
        Ok(Self { stored: Mutex::new(stored) })
    }

    /// Whether something has been booked under this claim.
    pub(crate) fn is_claimed(&self, claim: &str) -> bool {
        self.stored().claims.contains(claim)
    }

    /// Stores a new order; one of rooms only where the other orders of its hotel leave them.
    pub(crate) fn add<B: Booking>(
        &self,
        order: Order<B>,
        hotel: Option<&Hotel>,
    ) -> Result<Order<B>, AddOrderError> {
        let mut stored = self.stored();
        if stored.claims.contains(&order.claim) {
            return Err(AddOrderError::Claimed);
        }
        if let Some((hotel, rooms)) = hotel.zip(order.booking.reservation()) {
            let others = stored.at_hotel(hotel.id);
            if !availability::has_rooms_for(hotel, rooms, &others, order.created_at) {
                return Err(AddOrderError::NoRooms);
            }
        }
        stored.put(order.with(Arc::clone(&order.booking) as Arc<dyn AnyBooking>))?;
        let reference = Booking::outline(&*order.booking, order.created_at).order_reference;
        let reference = reference.as_deref().map(booking_of);
        tracing::info!(order = order.id, reference, "an order is made");
        Ok(order)
    }

    /// All orders of a hotel, whoever sold them, oldest first.
    pub(crate) fn at_hotel(&self, hotel: HotelId) -> Vec<Arc<Order>> {
        self.stored().at_hotel(hotel)
    }

    pub(crate) fn find<B: Booking>(&self, id: &str) -> Option<Order<B>> {
        self.stored().by_id.get(id).and_then(|order| order.of())
    }

    /// A supplier's order, where look-ups find it by now.
    pub(crate) fn visible<B: Booking>(&self, id: &str, now: DateTime<Utc>) -> Option<Order<B>> {
        self.find(id).filter(|order| order.visible_from <= now)
    }

    /// All orders, oldest first.
    pub(crate) fn all(&self) -> Vec<Arc<Order>> {
        let stored = self.stored();
        let ids = stored.in_order.iter();
        ids.filter_map(|id| stored.by_id.get(id).cloned()).collect()
    }

    /// All orders of a supplier, oldest first.
    pub(crate) fn of<B: Booking>(&self) -> Vec<Order<B>> {
        self.all().iter().filter_map(|order| order.of()).collect()
    }

    /// Changes a supplier's order, where the change is not refused; nobody else changes it in between.
    pub(crate) fn change<B: Booking, E: From<io::Error>>(
        &self,
        id: &str,
        change: impl FnOnce(&mut B) -> Result<(), E>,
    ) -> Result<Option<Order<B>>, E> {
        let mut stored = self.stored();
        let Some(order) = stored.by_id.get(id).and_then(|order| order.of::<B>()) else { return Ok(None) };
        let mut booking = B::clone(&order.booking);
        change(&mut booking)?;
        let order = order.with(Arc::new(booking));
        stored.put(order.with(Arc::clone(&order.booking) as Arc<dyn AnyBooking>))?;
        Ok(Some(order))
    }

    /// Nothing is written any more, and the folder is free for another sandbox.
    pub(crate) fn close(&self) {
        self.stored().log = Log::Closed;
    }

    fn stored(&self) -> MutexGuard<'_, Stored> {
        self.stored.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stored {
    fn read(folder: &Path, readers: &[Reader]) -> Result<Self, LogError> {
        let path = folder.join("orders.jsonl");
        let unusable = |source| LogError::Unusable { path: path.clone(), source };
        std::fs::create_dir_all(folder).map_err(unusable)?;
        let mut log =
            OpenOptions::new().read(true).append(true).create(true).open(&path).map_err(unusable)?;
        log.try_lock().map_err(|reason| match reason {
            TryLockError::WouldBlock => LogError::InUse { path: path.clone() },
            TryLockError::Error(source) => unusable(source),
        })?;
        let mut text = Vec::new();
        log.read_to_end(&mut text).map_err(unusable)?;
        // A kill can cut the last line short: its change was never answered, so it never was.
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        let length = u64::try_from(whole).unwrap_or_default();
        if whole < text.len() {
            let cut = text.len() - whole;
            tracing::warn!(log = %path.display(), bytes = cut, "the last line of the order log is cut short: dropped");
            log.set_len(length).map_err(unusable)?;
        }
        let mut stored = Self::default();
        for (at, line) in text.get(..whole).unwrap_or_default().split(|byte| *byte == b'\n').enumerate() {
            if line.is_empty() {
                continue;
            }
            let order = serde_json::from_slice::<Line>(line).and_then(|line| line.read(readers));
            let order = order.map_err(|reason| LogError::Damaged {
                path: path.clone(),
                line: at + 1,
                reason: reason.to_string(),
            })?;
            stored.remember(order);
        }
        stored.log = Log::File(log, length);
        Ok(stored)
    }

    fn at_hotel(&self, hotel: HotelId) -> Vec<Arc<Order>> {
        let ids = self.by_hotel.get(&hotel).map(Vec::as_slice).unwrap_or_default();
        ids.iter().filter_map(|id| self.by_id.get(id).cloned()).collect()
    }

    fn put(&mut self, order: Order) -> io::Result<()> {
        match &mut self.log {
            Log::None => {}
            Log::Closed => return Err(io::Error::other("the sandbox has stopped")),
            Log::File(log, length) => {
                let mut line = serde_json::to_vec(&Line::of(&order)?)?;
                line.push(b'\n');
                if let Err(reason) = log.write_all(&line) {
                    // Half a line in the middle would be damage.
                    log.set_len(*length)?;
                    return Err(reason);
                }
                *length += u64::try_from(line.len()).unwrap_or_default();
            }
        }
        self.remember(order);
        Ok(())
    }

    fn remember(&mut self, order: Order) {
        if !self.by_id.contains_key(&order.id) {
            self.in_order.push(order.id.clone());
            self.claims.insert(order.claim.clone());
            if let Some(reservation) = order.booking.reservation() {
                let ids = self.by_hotel.entry(reservation.hotel).or_default();
                ids.push(order.id.clone());
            }
        }
        self.by_id.insert(order.id.clone(), Arc::new(order));
    }
}
