//! Misbehaviour on demand: what the next calls of a kind are to suffer, queued by tests and integrators.

mod complaints;

use std::collections::VecDeque;
use std::fmt;
use std::str::FromStr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rust_decimal::{Decimal, dec};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use strum::{EnumString, VariantNames};
use tokio::sync::{Notify, futures::Notified};

pub(crate) use complaints::Complaint;

use crate::respelling::Respelling;

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, strum::VariantArray, EnumString,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", parse_err_ty = String, parse_err_fn = unknown_supplier)]
pub(crate) enum Supplier {
    Duffel,
    Tripjack,
    Liteapi,
    Hotelbeds,
}

fn unknown_supplier(name: &str) -> String {
    format!("unknown supplier '{name}': the sandbox plays duffel, tripjack, liteapi and hotelbeds")
}

impl Supplier {
    fn sells_hotels(self) -> bool {
        match self {
            Self::Duffel | Self::Tripjack => false,
            Self::Liteapi | Self::Hotelbeds => true,
        }
    }

    /// Whether its orders can be accepted before they are made: Duffel and Hotelbeds confirm at once or not at all.
    fn takes_its_time(self) -> bool {
        match self {
            Self::Duffel | Self::Hotelbeds => false,
            Self::Tripjack | Self::Liteapi => true,
        }
    }

    /// Whether it has such a call: rooms are neither held nor added to, and LiteAPI leaves it to the client to work out what a
    /// cancellation would cost.
    fn has(self, call: Call) -> bool {
        let lacks: &[Call] = match self {
            Self::Duffel => &[],
            Self::Tripjack => &[Call::Webhook],
            Self::Liteapi => {
                &[Call::Ticket, Call::AddService, Call::CancelQuote, Call::Change, Call::Webhook]
            }
            Self::Hotelbeds => &[Call::Ticket, Call::AddService, Call::Change],
        };
        !lacks.contains(&call)
    }
}

macro_rules! calls {
    ($($name:literal => $call:ident: $what:literal),+ $(,)?) => {
        /// What a caller asks of a supplier, in words that are the same for every supplier.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
        #[serde(rename_all = "snake_case")]
        pub(crate) enum Call { $(#[doc = $what] $call),+ }

        impl FromStr for Call {
            type Err = String;

            fn from_str(name: &str) -> Result<Self, String> {
                match name {
                    $($name => Ok(Self::$call),)+
                    _ => Err(format!("unknown call '{name}': it is one of {}", [$($name),+].join(", "))),
                }
            }
        }
    };
}

calls! {
    "search" => Search: "Asking what there is, and reading the answer.",
    "price" => Price: "Asking what one offer, or one unpaid order, costs now.",
    "book" => Book: "Making an order, paid or held.",
    "lookup" => Lookup: "Reading orders and cancellations.",
    "cancel_quote" => CancelQuote: "Asking what a cancellation would give back.",
    "cancel" => Cancel: "Cancelling.",
    "ticket" => Ticket: "Paying for a held order.",
    "services" => Services: "Asking for seats and extras, or for what is published of hotels and cities.",
    "add_service" => AddService: "Adding an extra to an order.",
    "change" => Change: "Changing an order.",
    "webhook" => Webhook: "What the supplier itself calls: telling the buyer of news.",
}

/// What a call suffers, written as it is queued.
#[derive(Debug, Clone, PartialEq, Eq, strum::Display)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum Fault {
    /// The work is done after so many milliseconds.
    #[strum(to_string = "slow:{0}")]
    Slow(u64),
    /// Nothing is done; the answer has this status.
    #[strum(to_string = "status:{0}")]
    Status(u16),
    /// Nothing is done; the answer is 429.
    RateLimited,
    /// Nothing is done; the answer is 200 with JSON that breaks off.
    BrokenJson,
    /// The work is done, and each object of the answer has a member more, which says something of somebody.
    SaysMore,
    /// The work is done, and each member of this name in the answer has this value.
    #[strum(to_string = "says:{0}={1}")]
    Says(String, Value),
    /// The work is done, and what people read of the answer has markup behind it that would run in a browser.
    SendsMarkup,
    /// The work is done, and names of people in the answer are spelled otherwise.
    #[strum(to_string = "respells:{0}")]
    Respells(Respelling),
    /// Nothing is done, and the connection is cut.
    DropBefore,
    /// The work is done, and the connection is cut instead of an answer.
    DropAfter,
    /// The price has moved by so many percent.
    #[strum(to_string = "price_changed:{0}")]
    PriceChanged(Decimal),
    SoldOut,
    /// The cancellation is accepted and takes effect so many seconds later.
    #[strum(to_string = "refund_later:{0}")]
    RefundLater(u32),
    /// The cancellation gives back so many percent of the price, whatever the terms say. Only at LiteAPI.
    #[strum(to_string = "gives_back:{0}")]
    GivesBack(Decimal),
    /// The answer to a cancellation does not say what comes back. Only at LiteAPI.
    RefundUntold,
    /// The cancellation is accepted and rejected so many seconds later. Only at TripJack.
    #[strum(to_string = "rejected:{0}")]
    Rejected(u32),
    /// The order is made or the service added, the connection is cut, and look-ups find it only after so many
    /// milliseconds.
    #[strum(to_string = "appears_after:{0}")]
    AppearsAfter(u32),
    /// The order, or its payment, is accepted and pending for so many seconds, then done. Not at Duffel and
    /// Hotelbeds.
    #[strum(to_string = "pending:{0}")]
    Pending(u32),
    /// The order is accepted and pending for so many seconds, then given up; nothing is paid. Not at Duffel
    /// and Hotelbeds.
    #[strum(to_string = "aborted:{0}")]
    Aborted(u32),
    /// The hold lapses so many seconds later, unless it is paid. Only at TripJack.
    #[strum(to_string = "lapses:{0}")]
    Lapses(u32),
    /// The fare of a held order is said to be guaranteed no more. Only at TripJack.
    FareStale,
    /// The hold tells until when it must be paid only so many seconds later. Only at TripJack.
    #[strum(to_string = "limit_later:{0}")]
    LimitLater(u32),
    /// The buyer is not told.
    WebhookLost,
    WebhookTwice,
    /// Not the supplier tells the buyer, but somebody who can prove nothing.
    WebhookForged,
    /// Nothing is done; the answer is the supplier's error for this.
    #[strum(transparent)]
    Complains(Complaint),
}

impl FromStr for Fault {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once(':').map_or((text, None), |(name, value)| (name, Some(value)));
        if let (None, Ok(complaint)) = (value, name.parse()) {
            return Ok(Self::Complains(complaint));
        }
        let seconds = |seconds| number(name, seconds, 0, 2_592_000);
        let ms = |ms| number(name, ms, 0, 600_000);
        #[rustfmt::skip]
        let fault = match (name, value) {
            ("slow", Some(value)) => Self::Slow(ms(value)?.into()),
            ("status", Some(code)) => Self::Status(number(name, code, 400, 599)?),
            ("rate_limited", None) => Self::RateLimited,
            ("broken_json", None) => Self::BrokenJson,
            ("says", Some(said)) => says(said)?,
            ("says_more", None) => Self::SaysMore,
            ("sends_markup", None) => Self::SendsMarkup,
            ("respells", Some(how)) => {
                let one_of = || format!("fault '{text}': it is one of {}", Respelling::VARIANTS.join(", "));
                Self::Respells(how.parse().map_err(|_| one_of())?)
            }
            ("drop_before", None) => Self::DropBefore,
            ("drop_after", None) => Self::DropAfter,
            ("price_changed", Some(percent)) => Self::PriceChanged(percentage(percent)?),
            ("sold_out", None) => Self::SoldOut,
            ("refund_later", Some(value)) => Self::RefundLater(seconds(value)?),
            ("gives_back", Some(percent)) => Self::GivesBack(share(percent)?),
            ("refund_untold", None) => Self::RefundUntold,
            ("rejected", Some(value)) => Self::Rejected(seconds(value)?),
            ("appears_after", Some(value)) => Self::AppearsAfter(ms(value)?),
            ("pending", Some(value)) => Self::Pending(seconds(value)?),
            ("aborted", Some(value)) => Self::Aborted(seconds(value)?),
            ("lapses", Some(value)) => Self::Lapses(seconds(value)?),
            ("fare_stale", None) => Self::FareStale,
            ("limit_later", Some(value)) => Self::LimitLater(seconds(value)?),
            ("webhook_lost", None) => Self::WebhookLost,
            ("webhook_twice", None) => Self::WebhookTwice,
            ("webhook_forged", None) => Self::WebhookForged,
            _ => {
                return Err(format!(
                    "unknown fault '{text}': it is one of slow:<ms>, status:<400-599>, rate_limited, broken_json, \
                     says:<member>=<json>, says_more, sends_markup, respells:<{}>, drop_before, drop_after, \
                     price_changed:<percent>, sold_out, refund_later:<seconds>, gives_back:<percent>, refund_untold, \
                     rejected:<seconds>, appears_after:<ms>, pending:<seconds>, aborted:<seconds>, lapses:<seconds>, \
                     fare_stale, limit_later:<seconds>, webhook_lost, webhook_twice, webhook_forged, {}",
                    Respelling::VARIANTS.join("|"),
                    Complaint::VARIANTS.join(", ")
                ));
            }
        };
        Ok(fault)
    }
}

fn number<N: FromStr + PartialOrd + fmt::Display>(
    fault: &str,
    text: &str,
    low: N,
    high: N,
) -> Result<N, String> {
    let number = text.parse().ok().filter(|number| (&low..=&high).contains(&number));
    number
        .ok_or_else(|| format!("fault '{fault}:{text}': the number must be a whole one from {low} to {high}"))
}

fn says(said: &str) -> Result<Fault, String> {
    let wrong = || format!("fault 'says:{said}': it has a member's name, '=' and JSON");
    let (member, value) = said.split_once('=').ok_or_else(wrong)?;
    let value = serde_json::from_str(value).map_err(|_| wrong())?;
    if member.is_empty() { Err(wrong()) } else { Ok(Fault::Says(member.to_owned(), value)) }
}

fn percentage(text: &str) -> Result<Decimal, String> {
    let percent = text.parse().ok().filter(|percent| (dec!(-90)..=dec!(500)).contains(percent));
    percent.ok_or_else(|| format!("fault 'price_changed:{text}': the percentage must be from -90 to 500"))
}

fn share(text: &str) -> Result<Decimal, String> {
    let percent = text.parse().ok().filter(|percent| (dec!(0)..=dec!(100)).contains(percent));
    percent.ok_or_else(|| format!("fault 'gives_back:{text}': the percentage must be from 0 to 100"))
}

/// A fault is written as it is queued.
impl Serialize for Fault {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Fault {
    /// Whether such a thing can happen to such a call of this supplier.
    pub(crate) fn fits(&self, supplier: Supplier, call: Call) -> bool {
        let can_suffer = match self {
            Self::PriceChanged(_) => {
                matches!(call, Call::Price | Call::Book | Call::Change)
            }
            Self::SoldOut => matches!(call, Call::Price | Call::Book),
            Self::RefundLater(_) => !supplier.sells_hotels() && call == Call::Cancel,
            Self::GivesBack(_) | Self::RefundUntold => supplier == Supplier::Liteapi && call == Call::Cancel,
            Self::Rejected(_) => supplier == Supplier::Tripjack && call == Call::Cancel,
            Self::AppearsAfter(_) => matches!(call, Call::Book | Call::AddService),
            Self::Pending(_) => supplier.takes_its_time() && matches!(call, Call::Book | Call::Ticket),
            Self::Aborted(_) => supplier.takes_its_time() && call == Call::Book,
            Self::Lapses(_) | Self::LimitLater(_) => supplier == Supplier::Tripjack && call == Call::Book,
            Self::FareStale => supplier == Supplier::Tripjack && call == Call::Price,
            Self::WebhookLost | Self::WebhookTwice | Self::WebhookForged => call == Call::Webhook,
            Self::Complains(complaint) => call != Call::Webhook && complaint.fits(supplier, call),
            _ => call != Call::Webhook,
        };
        can_suffer && supplier.has(call)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Queued {
    pub(crate) supplier: Supplier,
    pub(crate) call: Call,
    pub(crate) fault: Fault,
    pub(crate) times: u32,
}

/// All faults that wait, in the order they were asked for. They live as long as the process.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    waiting: Mutex<VecDeque<Queued>>,
    cleared: Notify,
}

impl Faults {
    pub(crate) fn queue(&self, queued: Queued) {
        self.waiting().push_back(queued);
    }

    /// What this call suffers; it is counted.
    pub(crate) fn take(&self, supplier: Supplier, call: Call) -> Option<Fault> {
        let mut waiting = self.waiting();
        let at = waiting.iter().position(|queued| queued.supplier == supplier && queued.call == call)?;
        let queued = waiting.get_mut(at)?;
        let fault = queued.fault.clone();
        queued.times = queued.times.saturating_sub(1);
        if queued.times == 0 {
            waiting.remove(at);
        }
        Some(fault)
    }

    pub(crate) fn list(&self) -> Vec<Queued> {
        self.waiting().iter().cloned().collect()
    }

    /// Nothing goes wrong any more; what is slow goes on at once.
    pub(crate) fn clear(&self) {
        self.waiting().clear();
        self.cleared.notify_waiters();
    }

    /// Ends with the next [`Faults::clear`] after this call.
    pub(crate) fn cleared(&self) -> Notified<'_> {
        self.cleared.notified()
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<Queued>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_written_as_they_are_read() {
        let all = [
            "slow:250",
            "status:503",
            "rate_limited",
            "broken_json",
            "says:refund_amount=\"12.50\"",
            "says:amount=5267.660000000001",
            "says:pnrDetails=null",
            "says_more",
            "sends_markup",
            "drop_before",
            "drop_after",
            "price_changed:-2.5",
            "sold_out",
            "refund_later:60",
            "rejected:60",
            "appears_after:300",
            "pending:60",
            "aborted:60",
            "lapses:60",
            "fare_stale",
            "limit_later:60",
            "webhook_lost",
            "webhook_twice",
            "webhook_forged",
        ];
        for text in all.iter().chain(Complaint::VARIANTS) {
            assert_eq!(text.parse::<Fault>().unwrap().to_string(), *text);
        }
        for text in [
            "slow",
            "slow:x",
            "status:200",
            "sold_out:1",
            "says:amount",
            "says:amount=12.",
            "says:=1",
            "price_changed:1000",
            "",
        ] {
            assert!(text.parse::<Fault>().is_err(), "{text}");
        }
    }
}
