//! Typed UUIDv7 identifiers: an id of one thing is never taken for an id of another.

use std::{fmt, hash, marker::PhantomData, str::FromStr};

use chrono::{DateTime, Utc};
use rand::Rng;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uuid::Uuid;

use crate::Clock;

/// The identifier of a `T`: a UUIDv7, so that ids sort by the time they were made.
pub struct Id<T>(Uuid, PhantomData<fn() -> T>);

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $tag:ident;)*) => {
        /// What the ids name; never constructed.
        pub mod tag { $(#[doc = concat!("Tag of [`super::", stringify!($name), "`].")] pub enum $tag {})* }
        $($(#[$doc])* pub type $name = Id<tag::$tag>;)*
    };
}

ids! {
    /// An agency.
    OrganizationId = Organization;
    /// A person of an agency.
    UserId = User;
    /// Somebody who works for the platform.
    OperatorId = Operator;
    /// A customer wallet.
    WalletId = Wallet;
    /// One transfer of money.
    TransferId = Transfer;
    /// Money set aside for a purchase.
    HoldId = Hold;
    /// A search and its frozen answers.
    SearchId = Search;
    /// What a supplier said to a search.
    AnswerId = Answer;
    /// A promised price.
    QuoteId = Quote;
    /// What an agency bought; its public name is its [`crate::BookingRef`].
    BookingId = Booking;
    /// A call to a supplier that changes something there.
    StepId = Step;
    /// Something that an operator has to look at.
    IncidentId = Incident;
    /// Something that is wrong with a supplier.
    AlarmId = Alarm;
    /// Money on its way back to a wallet.
    RefundId = Refund;
    /// What the operator decided about an order's money.
    RulingId = Ruling;
    /// A change of flights that an airline made by itself.
    ChangeId = Change;
    /// A file that somebody asked for.
    ReportId = Report;
    /// A row of the fare ledger.
    FareTransactionId = FareTransaction;
    /// A row of the journal.
    EventId = Event;
    /// A log-in and all that descends from it.
    SessionId = Session;
    /// A supplier's raw answer.
    SupplierAnswerId = SupplierAnswer;
    /// A setting of an agency.
    SettingId = Setting;
    /// A refresh token.
    TokenId = Token;
    /// A pricing package.
    PackageId = Package;
    /// A price band of a hotel package.
    PriceRangeId = PriceRange;
    /// Who has which package.
    AssignmentId = Assignment;
    /// What a supplier leaves to the platform.
    ContractId = Contract;
    /// A proof of the ledger.
    VerificationId = Verification;
    /// An address of an agency's to which events are sent.
    WebhookId = Webhook;
}

impl<T> Id<T> {
    /// A fresh id, stamped with the clock's present.
    pub fn new(clock: &Clock) -> Self {
        Self::at(clock.now())
    }

    /// A fresh id, stamped with this time.
    pub fn at(time: DateTime<Utc>) -> Self {
        let mut random = [0; 10];
        rand::rng().fill_bytes(&mut random);
        Self::stamped(time, random)
    }

    /// The least id of this time: every id of an earlier microsecond is less.
    pub fn earliest(time: DateTime<Utc>) -> Self {
        Self::stamped(time, [0; 10])
    }

    /// With which time it is stamped, to the millisecond; none of one that was not made here.
    pub fn stamped_at(self) -> Option<DateTime<Utc>> {
        let (seconds, nanoseconds) = self.0.get_timestamp()?.to_unix();
        DateTime::from_timestamp(i64::try_from(seconds).ok()?, nanoseconds)
    }

    /// The time to the microsecond stands first (RFC 9562, 6.2, method 3), so that what one process does within a
    /// millisecond keeps its order.
    fn stamped(time: DateTime<Utc>, mut rest: [u8; 10]) -> Self {
        let millis = u64::try_from(time.timestamp_millis()).unwrap_or(0);
        let fraction = time.timestamp_subsec_micros() % 1000 * 4096 / 1000;
        let [.., high, low] = fraction.to_be_bytes();
        (rest[0], rest[1]) = (high, low);
        Self::from_uuid(uuid::Builder::from_unix_timestamp_millis(millis, &rest).into_uuid())
    }

    /// The id that this UUID is.
    pub const fn from_uuid(uuid: Uuid) -> Self {
        Self(uuid, PhantomData)
    }

    /// The UUID that this id is.
    pub const fn uuid(self) -> Uuid {
        self.0
    }
}

impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Id<T> {}
impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<T> Eq for Id<T> {}
impl<T> PartialOrd for Id<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<T> Ord for Id<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}
impl<T> hash::Hash for Id<T> {
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}
impl<T> fmt::Display for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
impl<T> FromStr for Id<T> {
    type Err = uuid::Error;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self::from_uuid)
    }
}
impl<T> Serialize for Id<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}
impl<'de, T> Deserialize<'de> for Id<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Uuid::deserialize(deserializer).map(Self::from_uuid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_version_7_and_sort_by_the_clock() {
        let clock = Clock::frozen_at("2026-03-01T00:00:00Z".parse().unwrap());
        let earlier = UserId::new(&clock);
        clock.advance(chrono::Duration::milliseconds(1));
        let later = UserId::new(&clock);
        assert!(earlier < later);
        assert_eq!(earlier.uuid().get_version_num(), 7);
        assert_eq!(earlier.to_string().parse::<UserId>().unwrap(), earlier);
    }
}
