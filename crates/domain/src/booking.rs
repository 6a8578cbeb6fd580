//! What is said of every booking, whatever was bought.

use std::ops::RangeInclusive;

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    BookingPapers, Money, OrderPart, RawAnswer,
    code::{random_code, text_type, typed_code},
};

/// What can be bought: a booking is one thing, whatever it is (an itinerary, a stay).
///
/// It is read as it was stored before people were sealed, all in one; it is written in parts.
pub trait Product: DeserializeOwned + Clone + Send + Sync + 'static {
    /// The word under which it is stored.
    const KIND: ProductKind;
    /// What the supplier says of its order.
    type Order: Serialize + DeserializeOwned + Clone + Send + Sync + 'static;
    /// What is stored of it where everybody may read it: nothing of people.
    type Stored: Serialize + DeserializeOwned + Clone + 'static;
    /// Whom it is for, and how they are reached.
    type People: Serialize + DeserializeOwned + Clone + Send + Sync + 'static;
    /// What is stored of it, and whom it is for.
    fn parts(self) -> ProductParts<Self::Stored, Self::People>;
    /// It, of its parts: without people when they are erased.
    fn of_parts(parts: ProductParts<Self::Stored, Self::People>) -> Self;
    /// The last day of the journey, local.
    fn ends_on(&self) -> NaiveDate;
    /// Family and given name of everybody on it.
    fn names(people: &Self::People) -> Vec<(&str, &str)>;
    /// The e-mail address by which they are reached.
    fn email(people: &Self::People) -> &str;
    /// What is stored of the request for one of its orders: nothing of people.
    type Request: Serialize + Clone + Send + Sync + 'static;
    /// Has an order made under another reference of ours.
    fn set_reference(request: &mut Self::Request, reference: OrderReference);
    /// Takes out of an order what is not stored with it: the supplier's answer, as it came.
    fn take_raw(order: &mut Self::Order) -> RawAnswer;
    /// What every booking needs to know of a supplier's order.
    fn facts(order: &Self::Order) -> OrderFacts<'_>;
    /// Marks what the supplier said of its order as given back.
    fn give_back(order: &mut Self::Order);
    /// When its order of this number, from 1, is travelled, as far as it is known now; none where that can't be told.
    fn travel(&self, number: u16, order: Option<&Self::Order>) -> Option<Travel>;
    /// Whether the terms under which its order of this number, from 1, was sold say that giving it back costs nothing at this
    /// instant. What they leave open does not count as free.
    fn is_free_to_cancel(&self, _number: u16, _now: DateTime<Utc>) -> bool {
        false
    }
    /// Whether the supplier's order still lacks what whoever provides it tells later: a hotel's own number.
    fn lacks_number(_order: &Self::Order) -> bool {
        false
    }
    /// What is kept of it by the terms under which it was sold, when it is given back at this instant; none where they
    /// don't say.
    fn kept_by_terms(&self, _now: DateTime<Utc>) -> Option<KeptByTerms> {
        None
    }
    /// When the day on which it begins to be used begins there, UTC; none where no terms depend on that.
    fn first_day(&self) -> Option<DateTime<Utc>> {
        None
    }
    /// All of its order of this number, from 1, as it was sold; empty where no part of an order can be told.
    fn whole_order(&self, _number: u16) -> OrderPart {
        OrderPart::default()
    }
    /// Marks what the supplier said of a part of its order as given back.
    fn give_back_part(_order: &mut Self::Order, _part: &OrderPart) {}
}

/// What terms keep of an order that is given back at a moment, in the supplier's currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptByTerms {
    /// What the order was sold to us for.
    pub total: Money,
    /// What is kept at most: only the rest may be promised.
    pub most: Money,
    /// What is kept at least. It is less than `most` where only the supplier's answer to the cancellation tells how much.
    pub least: Money,
}

/// When an order is travelled, UTC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Travel {
    /// When each of its journeys begins, or its guests arrive; in order.
    pub starts: Vec<DateTime<Utc>>,
    /// When the last one ends.
    pub ends: DateTime<Utc>,
}

impl Travel {
    /// What begins after this; when all have begun, the end.
    pub fn next_after(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        let mut starts = self.starts.iter();
        starts.find(|start| **start > now).copied().unwrap_or(self.ends)
    }
}

/// A product in the parts that it is stored in.
#[derive(Clone, Debug)]
pub struct ProductParts<S, P> {
    /// What everybody may read.
    pub stored: S,
    /// Whom it is for; none when they are erased.
    pub people: Option<P>,
    /// Their papers; empty when they gave none, or these are erased.
    pub papers: BookingPapers,
}

/// What every booking needs to know of a supplier's order.
#[derive(Clone, Copy, Debug)]
pub struct OrderFacts<'a> {
    /// The supplier's id of it.
    pub id: &'a str,
    /// Held, confirmed or cancelled.
    pub status: OrderStatus,
    /// The record locator or confirmation number; empty when there is none.
    pub locator: &'a str,
    /// What the supplier charges, in its currency.
    pub total: Money,
    /// What is still to come of it.
    pub awaited: Awaited,
    /// Until when it keeps its price while it is held, UTC, where the supplier says so.
    pub price_guaranteed_until: Option<DateTime<Utc>>,
    /// The indices of travellers of whom it does not tell surely who they are of those whom the supplier names.
    pub unclear_travellers: &'a [u32],
}

/// What is still to come of an order without anybody's asking for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
pub enum Awaited {
    /// It is paid and documented: only its travel is still to come.
    Nothing,
    /// It lapses unless it is paid in time, UTC; none where the supplier does not say until when.
    Payment(Option<DateTime<Utc>>),
    /// Its supplier still has to issue its documents.
    Documents,
}

crate::word_enum! {
    /// What kind of thing was bought.
    pub enum ProductKind {
        /// An itinerary.
        Flight,
        /// A stay.
        Hotel,
    }
}

crate::word_enum! {
    /// What a sealed row holds.
    pub enum SealedKind {
        /// Names, birth dates, how they are reached.
        People,
        /// Passports, tax numbers, GST.
        Papers,
        /// The key of suppliers' answers and of kept answers of idempotency keys.
        #[strum(serialize = "answers")]
        #[serde(rename = "answers")]
        AnswerKey,
    }
}

/// For how many days it is kept whom a booking is for, counted from the end of its journey, and what else ages, counted from
/// when it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptDays {
    /// Names, contacts and suppliers' answers.
    pub people: u16,
    /// Passports, tax numbers and GST, in days.
    pub papers: u16,
    /// Quotes that nobody has booked.
    pub quotes: u16,
    /// From which address, and with which program, somebody did what the audit log says.
    pub addresses: u16,
}

impl KeptDays {
    /// How long names may be kept.
    pub const PEOPLE: RangeInclusive<u16> = 30..=2555;
    /// The same of papers.
    pub const PAPERS: RangeInclusive<u16> = 1..=400;

    /// The same of quotes, counted from when they end.
    pub const QUOTES: RangeInclusive<u16> = 1..=400;
    /// The same of addresses in the audit log.
    pub const ADDRESSES: RangeInclusive<u16> = 30..=2555;

    /// Of a sealed row of this kind.
    pub fn of(self, kind: SealedKind) -> u16 {
        match kind {
            SealedKind::People | SealedKind::AnswerKey => self.people,
            SealedKind::Papers => self.papers,
        }
    }
}

impl Default for KeptDays {
    fn default() -> Self {
        Self { people: 400, papers: 30, quotes: 7, addresses: 400 }
    }
}

typed_code! {
    /// The public reference of a booking: `FA-` or `HTL-` and eight characters of Crockford's base 32.
    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    BookingRef
}

text_type! {
    /// Our own reference of one supplier order, `FA-7K2M9Q4X-1`, sent with each effect so that it can be found.
    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    OrderReference
}

impl BookingRef {
    /// A fresh reference; that it is unique is guarded by the database.
    pub fn random(product: ProductKind) -> Self {
        let prefix = match product {
            ProductKind::Flight => "FA",
            ProductKind::Hotel => "HTL",
        };
        Self(format!("{prefix}-{}", random_code(8)))
    }

    /// The reference of the booking's `number`-th supplier order, counted from 1.
    pub fn order(&self, number: u16) -> OrderReference {
        OrderReference(format!("{}-{number}", self.0))
    }

    /// The reference that this text is, in any case; none for a text that can't be one.
    pub fn parse(text: &str) -> Option<Self> {
        let Self(text) = Self::from(text.to_owned());
        let code = text.strip_prefix("FA-").or_else(|| text.strip_prefix("HTL-"))?;
        let plain =
            code.len() == 8 && code.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
        plain.then_some(Self(text))
    }
}

crate::word_enum! {
    /// Where a booking stands.
    pub enum BookingStatus {
        /// The money is held and the supplier's answer is not known yet.
        Pending,
        /// The supplier has it and it is paid.
        Confirmed,
        /// It was confirmed and is no more.
        Cancelled,
        /// The supplier refused it; the hold was given back.
        Failed,
    }

    /// What somebody looks for in a list of bookings.
    pub enum BookingGroup {
        /// What waits for somebody: being confirmed, under way, held near its limit, changed by its airline, or a refused refund.
        NeedsAttention,
        /// Confirmed, and its travel is not over.
        Upcoming,
        /// Something of it is held.
        OnHold,
        /// Confirmed, and its travel is over.
        Past,
        /// Cancelled or failed.
        Ended,
    }

    /// Where one supplier order stands.
    pub enum OrderStatus {
        /// Asked for; nothing known yet.
        Pending,
        /// Space is held, not paid at the supplier.
        Held,
        /// Bought.
        Confirmed,
        /// Given back.
        Cancelled,
        /// Refused.
        Failed,
    }

    /// What became of the hold of an order.
    pub enum HoldState {
        /// It is held, and not paid at the supplier.
        Held,
        /// The supplier took the payment.
        Paid,
        /// The supplier let it go, unpaid.
        Lapsed,
        /// It was given back, unpaid.
        Released,
    }

    /// What an agency is reminded of.
    pub enum ReminderKind {
        /// That a hold has to be paid.
        Expiring,
        /// That a hold loses its price.
        PriceEnding,
    }

    /// Where a ticket stands.
    pub enum TicketStatus in "UPPERCASE" {
        /// Not issued yet.
        Pending,
        /// Good for travel.
        Issued,
        /// Taken back on the day of issue.
        Voided,
        /// Taken back later.
        Refunded,
    }

    /// Where a refund stands.
    pub enum RefundStatus {
        /// Asked for.
        Pending,
        /// The supplier is at it.
        Processing,
        /// In the wallet.
        Refunded,
        /// The supplier refused.
        Failed,
    }

    /// What a call to a supplier is to change there.
    pub enum StepKind {
        /// Make the order.
        Book,
        /// Give the order back.
        Cancel,
        /// Pay for the held order and have its tickets issued.
        Ticket,
        /// Give an order back whose booking failed because another of its orders was refused.
        #[strum(serialize = "undo")]
        #[serde(rename = "undo")]
        Compensate,
        /// Buy something for an order that stands.
        AddService,
        /// Accept what an airline has changed by itself.
        AcceptChange,
        /// Have journeys of the order flown otherwise, at its supplier.
        Change,
    }

    /// What an agency wants in the place of what an airline changed.
    pub enum ChangeWish {
        /// Its money.
        Refund,
        /// Other flights.
        Rebook,
    }

    /// What may be under way on a booking that stands.
    pub enum PendingWhat {
        /// It is given back.
        Cancel,
        /// Its tickets are issued.
        Ticket,
        /// A change of its flights is accepted, or made.
        Change,
        /// Something is added to it.
        Service,
    }

    /// What an airline has changed of flights by itself, in the order of their weight.
    pub enum ChangeKind {
        /// They are not flown, and nothing is in their place.
        FlightCancelled,
        /// They go by other airports.
        Route,
        /// They have other numbers, or another airline.
        FlightNumber,
        /// They leave or land at another time.
        Time,
        /// They are flown in another class.
        Cabin,
        /// They leave from or land at another terminal.
        Terminal,
    }

    /// Where a change that an airline made stands.
    pub enum ChangeState {
        /// There is nothing to decide.
        Informed,
        /// The agency may accept or refuse it.
        Open,
        /// It was accepted.
        Accepted,
        /// The agency itself has had it made.
        Chosen,
        /// It was refused.
        Refused,
        /// A newer change has taken its place.
        Superseded,
        /// Nobody has decided in time: it was flown, or given back.
        #[strum(serialize = "closed")]
        #[serde(rename = "closed")]
        Ended,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_booking_reference_names_the_product_and_its_orders() {
        let flight = BookingRef::random(ProductKind::Flight);
        assert!(flight.as_ref().starts_with("FA-"));
        assert_eq!(flight.as_ref().len(), 11);
        assert_eq!(flight.order(2).as_ref(), format!("{flight}-2"));
        let typed = format!(" {} ", flight.as_ref().to_lowercase());
        assert_eq!(BookingRef::parse(&typed), Some(flight.clone()));
        assert_eq!(BookingRef::from(typed), flight);
        assert_eq!(BookingRef::parse("fa-7k2m9q4"), None);
        assert!(BookingRef::random(ProductKind::Hotel).as_ref().starts_with("HTL-"));
    }
}
