//! Theirs to ours: bookings, and what giving them back costs.

use std::fmt::Display;

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::{Value, json};
use wayfare_domain::{Currency, Money, OrderStatus, parse_currency};
use wayfare_supply::amounts::{money, price};
use wayfare_supply::reading::{Unreadable, distinct, is_word, parse};
use wayfare_supply::{
    CancellationQuote, CancellationState, LossKind, UnaskedRefund, UnclearRefund,
    lenient::read_leniently,
    note_loss,
    plain_text::{self, name_of},
};

use super::parts::ORDERED;
use super::rate::{Price, policy};
use super::wire;
use crate::policy::share;
use crate::{CancellationPolicy, HotelNumber, StayRequest, SupplierStay};

/// A booking as Hotelbeds tells it.
#[derive(Debug)]
pub(super) struct Booked {
    parsed: wire::Booking,
    raw: Value,
}

#[derive(Deserialize)]
struct Envelope {
    booking: Value,
}

impl Booked {
    /// The booking in an answer.
    pub fn read(body: &[u8]) -> Result<Self, Unreadable> {
        let mut raw = parse::<Envelope>(body)?.booking;
        if let Some(fields) = raw.as_object_mut() {
            // It is our key.
            fields.remove("creationUser");
        }
        let parsed = read_leniently(&raw, "booking", &ORDERED)?;
        Ok(Self { parsed, raw })
    }

    /// The booking that has this reference of theirs and, where it tells one, this one of ours.
    pub fn checked(self, id: &str, reference: Option<&str>) -> Result<Self, String> {
        let stated = self.parsed.client_reference.as_deref();
        match (stated, reference) {
            // They tell it in capitals.
            (Some(stated), Some(ours)) if !is_word(stated, ours) => {
                Err(format!("booking {} belongs to {stated}", self.parsed.reference))
            }
            _ if self.parsed.reference != id => {
                Err(format!("booking {} was told instead of {id}", self.parsed.reference))
            }
            _ => Ok(self),
        }
    }

    pub fn status(&self) -> OrderStatus {
        match self.parsed.status.trim().to_ascii_uppercase().as_str() {
            "CONFIRMED" => OrderStatus::Confirmed,
            "CANCELLED" => OrderStatus::Cancelled,
            _ => OrderStatus::Pending,
        }
    }

    /// The stay, where `margin` is what T has above what they charge ([`Price`]), unless the booking says that itself.
    ///
    /// Of one that was cancelled they tell what that costs as its total: it is told as it was agreed upon.
    pub fn stay(self, request: &StayRequest, margin: Money, now: DateTime<Utc>) -> SupplierStay {
        let status = self.status();
        self.note_missing(status);
        let (total, policy) = match status {
            OrderStatus::Cancelled => (request.total, CancellationPolicy::default()),
            _ => {
                let repeated = self.margin().ok().flatten();
                let told = self.charged().and_then(|charged| {
                    let total = charged.plus(repeated.unwrap_or(margin));
                    Ok((charged, total.map_err(|error| format!("totalNet: {error}"))?))
                });
                match told {
                    Ok((charged, total)) => {
                        // An order whose terms can't be read is an order all the same; what giving it back costs is asked for then.
                        let policy = self.policy(now).unwrap_or_default();
                        let policy = match repeated {
                            Some(_) => policy,
                            None => policy.scaled(charged, total).unwrap_or_default(),
                        };
                        (total, policy)
                    }
                    // Nor does an amount hide it that can't be read, or that is told twice, differently.
                    Err(reason) => {
                        note_loss(LossKind::LeftOut, "booking.totalNet", reason);
                        (request.total, CancellationPolicy::default())
                    }
                }
            }
        };
        SupplierStay {
            id: self.parsed.reference.clone(),
            status,
            confirmation: self.confirmation(),
            total,
            policy,
            voucher_texts: self.voucher_texts(),
            // They tell a day, in no zone.
            created_at: None,
            hotel_numbers: hotel_numbers(&self.raw),
            raw: self.raw.into(),
        }
    }

    /// What every booking has that stands.
    fn note_missing(&self, status: OrderStatus) {
        let parts = [
            ("booking.hotel.rooms", self.parsed.hotel.rooms.is_some()),
            ("booking.hotel.supplier", self.parsed.hotel.supplier.is_some()),
        ];
        let missing = parts.into_iter().filter(|(_, is_there)| !is_there);
        for (field, _) in missing.filter(|_| status == OrderStatus::Confirmed) {
            note_loss(LossKind::Missing, field, "");
        }
    }

    /// T of a booking that stands, by what it says itself.
    pub fn total(&self) -> Result<Money, String> {
        let charged = self.charged()?;
        match self.margin()? {
            None => Ok(charged),
            Some(margin) => charged.plus(margin).map_err(|error| format!("totalNet: {error}")),
        }
    }

    /// What T has above what they charge, where the booking repeats prices that its hotel dictates.
    fn margin(&self) -> Result<Option<Money>, String> {
        let prices = self.prices()?;
        let mut commissions = prices.iter().filter_map(|price| price.commission);
        let Some(first) = commissions.next() else { return Ok(None) };
        let margin = commissions.try_fold(first, Money::plus);
        margin.map(Some).map_err(|error| format!("sellingRate: {error}"))
    }

    /// What comes back of T, of a booking that they have cancelled: its total is what that costs. None where that is what the
    /// booking had cost: a hotel that cancels keeps nothing, so that they have not said it yet.
    pub fn unasked_refund(&self, total: Money) -> Result<Option<UnaskedRefund>, String> {
        if self.status() != OrderStatus::Cancelled {
            return Err("the booking is not cancelled".to_owned());
        }
        let (net, charged) = (self.net(), self.charged()?);
        // Without the rates nobody can tell what they charged of T before from what they keep now.
        if net.is_none() && charged.is_positive() {
            return Ok(None);
        }
        let net = net.filter(|net| net.at_most(total) == Ok(*net));
        let kept = share(charged, net.unwrap_or(total), total);
        let refund = kept.and_then(|kept| total.minus(kept));
        let amount = refund.map_err(|error| format!("totalNet: {error}"))?;
        Ok(amount.is_positive().then_some(UnaskedRefund { amount, to: None }))
    }

    /// What they charge by what its rates say; none where they don't.
    fn net(&self) -> Option<Money> {
        let prices = self.prices().ok()?;
        let mut nets = prices.iter().map(|price| price.net);
        let first = nets.next()?;
        nets.try_fold(first, Money::plus).ok()
    }

    /// What they charge. It is told twice, and must be the same.
    fn charged(&self) -> Result<Money, String> {
        let currency = self.currency()?;
        let price = |amount| price("totalNet", amount, currency).map_err(|error| format!("totalNet {error}"));
        let of_booking = self.parsed.total_net.map(price).transpose()?;
        let of_hotel = self.parsed.hotel.total_net.map(price).transpose()?;
        match (of_booking, of_hotel) {
            (Some(one), Some(two)) if one != two => {
                Err(format!("totalNet is {one} and {two} at the same time"))
            }
            (one, two) => one.or(two).ok_or_else(|| "totalNet is missing".to_owned()),
        }
    }

    fn currency(&self) -> Result<Currency, String> {
        let code = |iso: wire::Iso| iso.0;
        match (self.parsed.currency.map(code), self.parsed.hotel.currency.map(code)) {
            (Some(one), Some(two)) if one != two => Err("currency is told twice, differently".to_owned()),
            (one, two) => one.or(two).ok_or_else(|| "currency is missing".to_owned()),
        }
    }

    fn rooms(&self) -> &[wire::Room<wire::Rate>] {
        self.parsed.hotel.rooms.as_deref().unwrap_or_default()
    }

    fn rates(&self) -> impl Iterator<Item = &wire::Rate> {
        self.rooms().iter().flat_map(|room| &room.rates)
    }

    fn prices(&self) -> Result<Vec<Price>, String> {
        let currency = self.currency()?;
        self.rates().map(|rate| Price::of(rate, currency)).collect()
    }

    /// What giving back all its rates together costs.
    fn policy(&self, now: DateTime<Utc>) -> Result<CancellationPolicy, String> {
        let mut whole: Option<(CancellationPolicy, Money)> = None;
        for (rate, price) in self.rates().zip(self.prices()?) {
            let next = policy(rate, price, now)?;
            let together = match whole {
                None => Ok((next, price.total)),
                Some((policy, total)) => policy
                    .and(total, &next, price.total)
                    .and_then(|policy| Ok((policy, total.plus(price.total)?))),
            };
            whole = Some(together.map_err(|error| format!("cancellationPolicies: {error}"))?);
        }
        Ok(whole.map(|(policy, _)| policy).unwrap_or_default())
    }

    /// The hotels' own suppliers' numbers where they are told, else their reference. The hotel's own number comes days
    /// later, by another way.
    fn confirmation(&self) -> String {
        let numbers = self.rooms().iter().filter_map(|room| room.supplier_reference.as_deref());
        let numbers = distinct(numbers.map(str::trim));
        match numbers.is_empty() {
            true => self.parsed.reference.clone(),
            false => numbers.join(", "),
        }
    }

    /// What their certification demands of a voucher: who is answerable, and what the hotel says of the rates.
    fn voucher_texts(&self) -> Vec<String> {
        let supplier = self.parsed.hotel.supplier.as_ref();
        let answerable = supplier.and_then(|supplier| {
            Some(format!(
                "Payable through {}, acting as agent for the service operating company, details of which can be provided \
                 upon request. VAT: {} Reference: {}",
                name_of(&supplier.name)?,
                name_of(&supplier.vat_number)?,
                self.parsed.reference
            ))
        });
        let comments = distinct(self.rates().filter_map(|rate| rate.rate_comments.as_deref().map(str::trim)));
        let comments = comments.into_iter().map(plain_text::text).filter(|text| !text.is_empty());
        answerable.into_iter().chain(comments).collect()
    }

    /// What is kept of `sold` when it is cancelled; none where they don't say.
    fn penalty_of(&self, sold: Sold) -> Result<Option<Money>, String> {
        let Some(amount) = self.parsed.hotel.cancellation_amount.clone() else { return Ok(None) };
        let amount = amount.read().map_err(|reason| format!("cancellationAmount: {reason}"))?;
        let penalty = money("cancellationAmount", amount, self.currency()?).and_then(|penalty| {
            let kept = share(penalty, sold.charged, sold.total)?;
            kept.at_most(sold.total)
        });
        match penalty.map_err(|error| format!("cancellationAmount: {error}"))? {
            penalty if penalty.is_negative() => Err("cancellationAmount is below zero".to_owned()),
            penalty => Ok(Some(penalty)),
        }
    }

    fn refund_of(&self, sold: Sold) -> Result<Option<Money>, String> {
        let penalty = self.penalty_of(sold)?;
        let refund = penalty.map(|penalty| sold.total.minus(penalty)).transpose();
        refund.map_err(|error| format!("cancellationAmount: {error}"))
    }

    /// What the booking was sold for at `total`. Where it does not say what they charge of that, it is all of it: as much as
    /// they can keep.
    pub fn sold_at(&self, total: Money) -> Sold {
        // It was made at another price than it was quoted: what is kept is told of that.
        let charged = self.charged().and_then(|charged| {
            let charged = charged.at_most(total);
            charged.map_err(|error| format!("totalNet: {error}"))
        });
        let charged = charged.unwrap_or_else(|reason| {
            note_loss(LossKind::LeftOut, "booking.totalNet", reason);
            total
        });
        Sold { total, charged }
    }

    /// What cancelling would give back of what was sold: the answer to a simulation.
    pub fn quoted(self, sold: Sold) -> Result<CancellationQuote, String> {
        let refund = self.refund_of(sold)?.ok_or("cancellationAmount is missing")?;
        let id = cancellation_id(sold);
        Ok(CancellationQuote::of(id, Some(refund), CancellationState::Pending, self.raw))
    }

    /// How the cancellation stands whose quote has this id.
    pub fn cancellation(self, cancellation_id: &str) -> Result<CancellationQuote, String> {
        let is_carried_out = self.status() == OrderStatus::Cancelled;
        let own_id = self.parsed.cancellation_reference.as_deref();
        let own_id = own_id.filter(|id| is_carried_out && !id.is_empty());
        // How much comes back must not hide that it was carried out.
        let (refund, unclear) = match quoted_sale(cancellation_id).filter(|_| is_carried_out) {
            Some(sold) => match self.refund_of(sold) {
                Ok(refund) => (refund, None),
                Err(reason) => {
                    note_loss(LossKind::LeftOut, "hotel.cancellationAmount", &reason);
                    (None, Some(unclear(reason, &self.raw)))
                }
            },
            None => (None, None),
        };
        let state = match is_carried_out {
            true => CancellationState::Confirmed,
            false => CancellationState::Pending,
        };
        let id = own_id.unwrap_or(cancellation_id);
        Ok(CancellationQuote { unclear, ..CancellationQuote::of(id, refund, state, self.raw) })
    }
}

/// A simulation that can't be read, of a booking that was sold for this: it could be carried out all the same.
pub(super) fn unclear_quote(body: &[u8], reason: impl Display, sold: Sold) -> CancellationQuote {
    let unclear = match parse::<Envelope>(body) {
        Ok(envelope) => unclear(reason, &envelope.booking),
        Err(_) => UnclearRefund::of_body(reason, body),
    };
    CancellationQuote {
        unclear: Some(unclear),
        ..CancellationQuote::of(cancellation_id(sold), None, CancellationState::Pending, Value::Null)
    }
}

/// What is said of money in a booking.
fn unclear(reason: impl Display, booking: &Value) -> UnclearRefund {
    let of_booking = UnclearRefund::of(reason, booking, &["status", "totalNet", "currency"]);
    let hotel = booking.get("hotel").unwrap_or(&Value::Null);
    let of_hotel = UnclearRefund::of("", hotel, &["totalNet", "currency", "cancellationAmount"]);
    UnclearRefund { came: json!({ "booking": of_booking.came, "hotel": of_hotel.came }), ..of_booking }
}

/// The hotel's own numbers of the rooms: a text for each of them, or a list of texts.
pub(super) fn hotel_numbers(booking: &Value) -> Vec<HotelNumber> {
    let rooms = booking.pointer("/hotel/rooms").and_then(Value::as_array);
    let mut numbers = Vec::new();
    for (room, told) in (1_u16..).zip(rooms.into_iter().flatten()) {
        let told = told.get("supplierConfirmationCode");
        let listed = told.and_then(Value::as_array).map(Vec::as_slice);
        let of_room = listed.unwrap_or_else(|| told.map(std::slice::from_ref).unwrap_or_default());
        let texts = of_room.iter().filter_map(Value::as_str).map(str::trim);
        numbers.extend(texts.filter(|text| !text.is_empty()).map(|number| HotelNumber {
            room: Some(room),
            number: number.to_owned(),
            told_at: None,
        }));
    }
    numbers
}

/// What a booking was sold for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sold {
    /// T.
    pub total: Money,
    /// What they charge of it, of which they tell what they keep: less where the hotel dictates what the public pays.
    pub charged: Money,
}

/// The id of a quote: what the booking was sold for, since once it is cancelled nobody tells that any more, and Hotelbeds has
/// no id for a cancellation before it is carried out.
fn cancellation_id(Sold { total, charged }: Sold) -> String {
    let sold = format!("{}-{}", total.currency().code(), total.amount());
    match charged == total {
        true => sold,
        false => format!("{sold}-{}", charged.amount()),
    }
}

/// What a quote's id tells of the sale; none for an id that is none of ours.
pub(super) fn quoted_sale(cancellation_id: &str) -> Option<Sold> {
    let (currency, amounts) = cancellation_id.split_once('-')?;
    let currency = parse_currency(currency)?;
    let read = |text: &str| {
        let amount = Money::exact(Decimal::from_str_exact(text).ok()?, currency).ok()?;
        (!amount.is_negative()).then_some(amount)
    };
    let (total, charged) = match amounts.split_once('-') {
        Some((total, charged)) => (read(total)?, read(charged)?),
        None => (read(amounts)?, read(amounts)?),
    };
    Some(Sold { total, charged })
}
