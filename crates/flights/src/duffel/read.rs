//! What Duffel's answers mean, without any network: bytes in, our types out.
//!
//! The calls of [`super::Duffel`] go through here; so do tests over recorded answers, and benches.

use std::fmt;

use chrono::{DateTime, Utc};
use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;
use wayfare_domain::Money;
use wayfare_supply::{CancellationQuote, UnclearRefund};

pub use super::changes::{change_offers, known_change, pending_change};
use super::{
    catalog::{self, Sold},
    conditions, offers, order,
    papers::Taken,
    parts::OFFERED,
    wire::{self, Text},
};
use crate::{AirlineChange, Offers, PricedOrder, SupplierOrder, shared_parts::SharedParts};
pub use wayfare_supply::reading::Unreadable;
pub(super) use wayfare_supply::reading::parse;
use wayfare_supply::reading::{is_word, parse_if, parse_repetitive};
use wayfare_supply::{LossKind, lenient::parse_leniently, note_loss, times};

/// The answer to an offer request. `test_mode` is of the token with which it was asked. An offer that can't be used is
/// a line in `unusable` and costs no other.
pub fn search(body: &[u8], test_mode: bool) -> Result<Offers, Unreadable> {
    match test_mode {
        true => searched::<true>(body),
        false => searched::<false>(body),
    }
}

fn searched<const TEST_MODE: bool>(body: &[u8]) -> Result<Offers, Unreadable> {
    // Nearly always everything is well, and one pass straight into the types is the fastest.
    if let Some(all) = parse_repetitive::<wire::Envelope<wire::OfferRequest<Finding<TEST_MODE>>>>(body) {
        return Ok(all.data.offers.found.complete());
    }
    let mut finding = Finding::<TEST_MODE>::default();
    for (number, text) in one_by_one(body)?.into_iter().enumerate() {
        match parse_leniently::<wire::Offer<Text>>(text.get().as_bytes(), "offers[]", &OFFERED) {
            Ok(offer) => finding.take(&offer),
            Err(reason) => finding.found.unusable.push(complaint(text.get(), number, &reason)),
        }
    }
    Ok(finding.found.complete())
}

/// The offers of an answer, each made ours as soon as it is read, so that theirs never all stand in memory.
#[derive(Default)]
struct Finding<const TEST_MODE: bool> {
    found: Offers,
    parts: SharedParts,
}

impl<const TEST_MODE: bool> Finding<TEST_MODE> {
    fn take(&mut self, theirs: &wire::Offer<Text>) {
        let Self { found, parts } = self;
        offers::note_airlines(theirs, &mut found.airlines);
        offers::note_places(theirs, found);
        match offers::offer(theirs, TEST_MODE, parts) {
            Ok(offer) => found.offers.push(offer),
            Err(reason) => {
                note_loss(LossKind::LeftOut, "offers[]", &reason);
                found.unusable.push(format!("{}: {reason}", &*theirs.id));
            }
        }
    }
}

impl<'de, const TEST_MODE: bool> Deserialize<'de> for Finding<TEST_MODE> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Each<const TEST_MODE: bool>;
        impl<'de, const TEST_MODE: bool> Visitor<'de> for Each<TEST_MODE> {
            type Value = Finding<TEST_MODE>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of offers")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                let mut finding = Finding::default();
                while let Some(offer) = list.next_element::<wire::Offer<Text<'de>>>()? {
                    finding.take(&offer);
                }
                Ok(finding)
            }
        }
        deserializer.deserialize_seq(Each)
    }
}

/// How many offers an answer has, read into their types one like the other and let go again: the part of [`search`] that no
/// adapter can do without, which the benchmark of searches takes as its floor.
pub fn count(body: &[u8]) -> Result<usize, Unreadable> {
    let all = parse::<wire::Envelope<wire::OfferRequest<Vec<wire::Offer<Text>>>>>(body)?;
    Ok(all.data.offers.len())
}

/// The offers of an answer, each as its own text.
fn one_by_one(body: &[u8]) -> Result<Vec<&RawValue>, Unreadable> {
    let all = parse_leniently::<wire::Envelope<wire::OfferRequest<Vec<&RawValue>>>>(body, "", &OFFERED)?;
    Ok(all.data.offers)
}

/// Which offer can't be read, and at which field. One without a readable id has its place in the list.
fn complaint(text: &str, number: usize, reason: &Unreadable) -> String {
    let name = parse_if::<wire::Named>(text.as_bytes());
    let name = name.map_or_else(|| format!("offers[{number}]"), |named| named.id);
    format!("{name}: {reason}")
}

/// The answer about one offer, with what must be remembered to book it. `seat_maps` is the answer about
/// those of its flights; without them, or when they can't be read, it sells no seats.
pub fn offer(body: &[u8], seat_maps: Option<&[u8]>, test_mode: bool) -> Result<PricedOrder, Unreadable> {
    let theirs = parse_leniently::<wire::Envelope<wire::Offer<Text>>>(body, "", &OFFERED)?.data;
    let passengers =
        theirs.passengers.as_deref().ok_or_else(|| Unreadable::new("data.passengers is missing"))?;
    let created_at = theirs.created_at.as_deref().and_then(times::instant);
    let passengers = order::remembered(passengers).map_err(Unreadable::new)?;
    let Sold { ancillaries, services } = catalog::sold(body, seat_maps, &passengers, theirs.total_currency.0);
    let supplier_context =
        order::SupplierContext { passengers, offer_created_at: created_at, taken: Taken::of(&theirs) };
    let ancillary_catalog = order::AncillaryCatalog { services, rules: conditions::fare_rules(&theirs) };
    let parts = &mut SharedParts::default();
    let offer = offers::offer(&theirs, test_mode, parts).map_err(Unreadable::new)?;
    let supplier_context = serde_json::to_value(supplier_context).map_err(Unreadable::new)?;
    let ancillary_catalog = serde_json::to_value(ancillary_catalog).map_err(Unreadable::new)?;
    Ok(PricedOrder {
        expires_at: offer.expires_at,
        offers: vec![offer],
        supplier_context,
        ancillaries,
        ancillary_catalog,
    })
}

/// An order. `seated` tells which of its passengers is which traveller; `now` tells whether an unpaid hold has
/// lapsed.
pub fn order(body: &[u8], seated: &[(&str, u32)], now: DateTime<Utc>) -> Result<SupplierOrder, Unreadable> {
    sold_order(body, seated, None, now)
}

/// The same of one that was sold for `due`, which it costs where nobody can read what it says: that does not hide it.
pub fn sold_order(
    body: &[u8],
    seated: &[(&str, u32)],
    due: Option<Money>,
    now: DateTime<Utc>,
) -> Result<SupplierOrder, Unreadable> {
    let raw = parse::<wire::Envelope<Box<RawValue>>>(body)?.data;
    order::order(raw, seated, due, now).map_err(Unreadable::new)
}

/// That a change of an airline's is accepted.
pub fn accepted(body: &[u8]) -> Result<(), Unreadable> {
    let theirs = parse::<wire::Envelope<wire::TakenAction>>(body)?.data;
    match theirs.action_taken.as_deref() {
        Some(action) if is_word(action, AirlineChange::ACCEPTED) => Ok(()),
        other => Err(Unreadable::new(format!("action_taken is {other:?}"))),
    }
}

/// A page of the list of orders, each still as it came.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OrderPage {
    /// In the supplier's order.
    pub orders: Vec<Value>,
    /// Where the next page begins; none on the last.
    pub after: Option<String>,
}

impl OrderPage {
    /// The order that carries our reference.
    pub fn with_reference(&self, reference: &str) -> Option<&Value> {
        let carried = |order: &&Value| {
            let stated = order.pointer("/metadata/reference").and_then(Value::as_str);
            stated.is_some_and(|stated| is_word(stated, reference))
        };
        self.orders.iter().find(carried)
    }

    /// Whether every order after this page is older than `instant`: they come newest first, as they were asked
    /// for, and the last one is older already.
    pub fn reaches(&self, instant: DateTime<Utc>) -> bool {
        let made = |order: &Value| times::instant(order.get("created_at")?.as_str()?);
        let Some(dates) = self.orders.iter().map(made).collect::<Option<Vec<_>>>() else { return false };
        dates.is_sorted_by(|newer, older| newer >= older) && dates.last().is_some_and(|last| *last < instant)
    }
}

/// The answer to a list of orders.
pub fn orders(body: &[u8]) -> Result<OrderPage, Unreadable> {
    let page: wire::Orders = parse(body)?;
    Ok(OrderPage { orders: page.data, after: page.meta.and_then(|meta| meta.after) })
}

/// A list of cancellations, in the supplier's order.
pub fn cancellations(body: &[u8]) -> Result<Vec<CancellationQuote>, Unreadable> {
    let listed = parse::<wire::Envelope<Vec<Value>>>(body)?.data;
    let read = listed.into_iter().map(order::cancellation);
    read.collect::<Result<_, _>>().map_err(Unreadable::new)
}

/// A cancellation that may be confirmed: whatever came, it is one, and may say that it is unclear.
pub fn cancellation_quote(body: &[u8]) -> CancellationQuote {
    let raw = match parse::<wire::Envelope<Value>>(body) {
        Ok(envelope) => envelope.data,
        Err(error) => {
            let unclear = Some(UnclearRefund::of_body(&error, body));
            let quote = order::unclear_cancellation(Value::Null, error.to_string());
            return CancellationQuote { unclear, ..quote };
        }
    };
    order::cancellation(raw.clone()).unwrap_or_else(|reason| order::unclear_cancellation(raw, reason))
}

/// A cancellation, pending or confirmed.
pub fn cancellation(body: &[u8]) -> Result<CancellationQuote, Unreadable> {
    let raw = parse::<wire::Envelope<Value>>(body)?.data;
    order::cancellation(raw).map_err(Unreadable::new)
}
