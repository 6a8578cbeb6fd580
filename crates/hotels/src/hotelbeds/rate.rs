//! Theirs to ours: what a rate costs, what is in its price, and what giving it back costs.

use std::borrow::Cow;

use chrono::{DateTime, TimeDelta, Utc};
use wayfare_domain::{Currency, Money, MoneyError};
use wayfare_supply::{
    LossKind,
    amounts::{self, Number, price},
    note_loss,
    plain_text::{self, name_of},
    reading::{self, code, is_word},
};

use super::codes::meal_plan;
use super::wire::{Discount, Rate, Room, Tax};
use crate::policy::share;
use crate::{CancellationPolicy, Deadline, HotelFee, PaymentPlace, Query, RateParts, RoomGuests, RoomRate};

/// A key is forgotten so long after it was told, as their own message says.
const KEY_LIFE: TimeDelta = TimeDelta::minutes(30);

/// "Non-refundable rate. No amendments permitted"; it is told of rates that call themselves normal, too.
const NOT_REFUNDABLE: &str = "073";

/// What a rate costs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Price {
    /// T.
    pub total: Money,
    /// What they charge us.
    pub net: Money,
    /// T − net where the hotel dictates what the public pays.
    pub commission: Option<Money>,
}

impl Price {
    /// Of all rooms of the rate.
    pub fn of(rate: &Rate, currency: Currency) -> Result<Self, String> {
        let net = price("net", rate.net, currency).map_err(|error| format!("net {error}"))?;
        let selling = match (rate.hotel_mandatory, rate.selling_rate) {
            (Some(true), Some(selling)) => {
                let selling = amounts::money("sellingRate", selling, currency);
                Some(selling.map_err(|error| format!("sellingRate {error}"))?)
            }
            _ => None,
        };
        // What the hotel wants the public to pay is no less than what it wants from us.
        let dictated = selling.filter(|selling| selling.amount() >= net.amount());
        let commission = dictated
            .map(|selling| selling.minus(net))
            .transpose()
            .map_err(|error| format!("sellingRate {error}"))?;
        Ok(Self { total: dictated.unwrap_or(net), net, commission })
    }
}

/// The rate in our words. `before` is what was told of it when it was searched, where it is read again: a check is silent
/// about taxes.
pub(super) fn found<R>(
    rate: &Rate,
    room: &Room<R>,
    currency: Currency,
    query: &Query,
    before: Option<&RoomRate>,
    now: DateTime<Utc>,
) -> Result<RoomRate, String> {
    if rate.packaging == Some(true) {
        return Err("is only sold in a package".to_owned());
    }
    let token = rate.rate_key.as_deref().filter(|key| !key.is_empty());
    let mut price = Price::of(rate, currency)?;
    // A check that does not say what the public has to pay takes nothing back of what the search said.
    if let (None, Some(margin)) = (rate.hotel_mandatory, before.and_then(|before| before.commission)) {
        let total = price.net.plus(margin).map_err(|error| format!("sellingRate {error}"))?;
        price = Price { total, commission: Some(margin), ..price };
    }
    if price.net.is_zero() {
        return Err("net is zero".to_owned());
    }
    let (fees_at_hotel, unreadable_fees) = fees_at_hotel(rate, before);
    let mut remarks = remarks(rate);
    remarks.extend(unreadable_fees);
    Ok(RoomRate {
        token: token.ok_or("rateKey is missing")?.to_owned(),
        bundle: None,
        kind: kind(rate, &query.kinds(), before.map(|before| before.kind))?,
        rooms: rate.rooms,
        room_id: room.code.clone(),
        room_name: name_of(&room.name).map_or_else(|| room.code.clone(), Cow::into_owned),
        bed_type: before.and_then(|before| before.bed_type.clone()),
        max_occupancy: before.and_then(|before| before.max_occupancy),
        rooms_left: rate.allotment,
        rate_name: None,
        meal_plan: meal_plan(
            &code(rate.board_code.as_deref().unwrap_or_default()),
            rate.board_name.as_deref().unwrap_or_default(),
        ),
        meals: name_of(&rate.board_name)
            .or_else(|| name_of(&rate.board_code))
            .map(Cow::into_owned)
            .unwrap_or_default(),
        parts: parts(price.total, rate, before.map(|before| &before.parts)),
        commission: price.commission,
        minimum_price: price.commission.map(|_| price.total),
        fees_at_hotel,
        payment: payment(rate)?,
        policy: policy(rate, price, now)?,
        remarks,
        expires_at: Some(now + KEY_LIFE),
    })
}

/// What is paid in a way that nobody knows is not sold.
fn payment(rate: &Rate) -> Result<PaymentPlace, String> {
    match rate.payment_type.as_deref().unwrap_or_default() {
        word if is_word(word, "AT_HOTEL") => Ok(PaymentPlace::PayAtHotel),
        word if is_word(word, "AT_WEB") || is_word(word, "") => Ok(PaymentPlace::Prepaid),
        _ => {
            note_loss(LossKind::UnknownWord, "hotels.hotels[].rooms[].rates[].paymentType", "");
            Err("paymentType is not known".to_owned())
        }
    }
}

/// For which of the rooms that were asked for it is: for those for which it was `before`, if it can be.
fn kind(rate: &Rate, kinds: &[(&RoomGuests, u16)], before: Option<usize>) -> Result<usize, String> {
    let stated_ages = rate.children_ages.as_deref().filter(|ages| !ages.trim().is_empty());
    let stated_ages = stated_ages.map(|ages| ages.split(',').map(|age| age.trim().parse().ok()).collect());
    let stated_ages: Option<Vec<Option<u8>>> = stated_ages;
    let fits = |(guests, count): &(&RoomGuests, u16)| {
        let of_ages = stated_ages.as_ref().is_none_or(|stated| {
            let (mut stated, mut ours) = (stated.clone(), guests.children_ages.clone());
            stated.sort_unstable();
            ours.sort_unstable();
            stated.into_iter().eq(ours.into_iter().map(Some))
        });
        u16::from(guests.adults) == rate.adults
            && guests.children_ages.len() == usize::from(rate.children)
            && *count == rate.rooms
            && of_ages
    };
    if let Some(before) = before.filter(|before| kinds.get(*before).is_some_and(fits)) {
        return Ok(before);
    }
    let mut fitting = kinds.iter().enumerate().filter(|(_, kind)| fits(kind));
    match (fitting.next(), fitting.next()) {
        (Some((index, _)), None) => Ok(index),
        (None, _) => Err("it is for rooms that were not asked for".to_owned()),
        (Some(_), Some(_)) => Err("for which of the rooms it is can't be told".to_owned()),
    }
}

/// What the price is made of. What is in it and what was taken off counts only as far as it adds up; the price stands.
fn parts(total: Money, rate: &Rate, before: Option<&RateParts>) -> RateParts {
    let plain = RateParts::plain(total);
    let (taxes, other_fees) = match (&rate.taxes, before) {
        (Some(_), _) => included(rate, total.currency()).unwrap_or((plain.taxes, plain.other_fees)),
        (None, Some(before)) => (before.taxes, before.other_fees),
        (None, None) => (plain.taxes, plain.other_fees),
    };
    let with = |taxes: Money, other_fees: Money, discounts: Money| {
        let rooms = total.plus(discounts)?.minus(taxes)?.minus(other_fees)?;
        Ok::<_, MoneyError>(RateParts { rooms, taxes, other_fees, discounts, ..plain })
    };
    let parts = with(taxes, other_fees, discounts(rate, total.currency()));
    parts
        .ok()
        // B, which is the rooms less the discounts, is no price below zero.
        .filter(|parts| matches!(parts.rooms.minus(parts.discounts), Ok(base) if !base.is_negative()))
        .unwrap_or(plain)
}

/// Taxes and fees that the price has in it; none where one of them is no money of this currency.
fn included(rate: &Rate, currency: Currency) -> Option<(Money, Money)> {
    let zero = Money::zero(currency);
    let sum = |of_kind: fn(&Tax) -> bool| {
        let theirs = taxes(rate).filter(|tax| tax.included == Some(true) && of_kind(tax));
        theirs
            .map(|tax| money(tax.amount?, tax.currency.as_deref()?))
            .try_fold(zero, |sum, part| sum.plus(part?).ok())
    };
    let is_fee = |tax: &Tax| tax.kind.as_deref().is_some_and(|kind| is_word(kind, "FEE"));
    Some((sum(|tax| !tax.kind.as_deref().is_some_and(|kind| is_word(kind, "FEE")))?, sum(is_fee)?))
}

/// What was taken off, not negative: a check tells it in its break-down, a search as offers.
fn discounts(rate: &Rate, currency: Currency) -> Money {
    let break_down = rate.rate_break_down.as_ref();
    let lists = [break_down.and_then(|broken| broken.rate_discounts.as_deref()), rate.offers.as_deref()];
    let sum = |list: &[Discount]| {
        let amounts = list.iter().filter_map(|discount| discount.amount);
        let off = amounts
            .map(|amount| amounts::money("offers.amount", amount, currency))
            .filter(|amount| !matches!(amount, Ok(amount) if !amount.is_negative()));
        let off = off.map(|amount| amount.map(Money::negated));
        off.into_iter().try_fold(Money::zero(currency), |sum, part| sum.plus(part?)).ok()
    };
    let mut filled = lists.into_iter().flatten().filter(|list| !list.is_empty());
    filled.next().and_then(sum).unwrap_or(Money::zero(currency))
}

/// What is paid at the hotel, in its own currency where that is told, and what of it can only be said in words: it must
/// not get lost.
fn fees_at_hotel(rate: &Rate, before: Option<&RoomRate>) -> (Vec<HotelFee>, Vec<String>) {
    if rate.taxes.is_none() {
        let before = before.map(|before| before.fees_at_hotel.clone());
        return (before.unwrap_or_default(), Vec::new());
    }
    let (mut fees, mut words) = (Vec::new(), Vec::new());
    for tax in taxes(rate).filter(|tax| tax.included != Some(true)) {
        let theirs = (tax.amount, tax.currency.as_deref());
        let clients = (tax.client_amount, tax.client_currency.as_deref());
        let stated =
            [theirs, clients].into_iter().filter_map(|(amount, currency)| Some((amount?, currency?)));
        let stated: Vec<_> = stated.collect();
        let name = tax_name(tax);
        match stated.iter().find_map(|(amount, currency)| money(*amount, currency)) {
            Some(amount) if amount.is_zero() => {}
            Some(amount) => fees.push(HotelFee { name, amount }),
            None => words.push(match stated.first() {
                Some((amount, currency)) => {
                    format!("{name} to be paid at the hotel: {} {currency}", amount.0)
                }
                None => format!("{name} to be paid at the hotel"),
            }),
        }
    }
    (fees, words)
}

fn tax_name(tax: &Tax) -> String {
    let own = name_of(&tax.sub_type);
    own.as_deref()
        .unwrap_or(match tax.kind.as_deref() {
            Some("FEE") => "Fees",
            Some("TAXESANDFEES") => "Taxes and fees",
            _ => "Taxes",
        })
        .to_owned()
}

fn taxes(rate: &Rate) -> impl Iterator<Item = &Tax> {
    let list = rate.taxes.as_ref().and_then(|taxes| taxes.taxes.as_ref());
    list.into_iter().flatten()
}

/// An amount that is money and not below zero.
fn money(amount: Number, currency: &str) -> Option<Money> {
    price("taxes.amount", amount, reading::currency(currency)?).ok()
}

/// What giving it back costs. The class of a rate alone proves nothing, and where the two disagree the stricter holds: one
/// that calls itself not refundable is not, whatever its dates say; any other is refundable as long as less than all is
/// kept of it now.
pub(super) fn policy(rate: &Rate, price: Price, now: DateTime<Utc>) -> Result<CancellationPolicy, String> {
    let theirs = rate.cancellation_policies.as_deref().unwrap_or_default();
    let deadline = |theirs: &super::wire::Policy| {
        let fee = amounts::money("cancellationPolicies.amount", theirs.amount, price.total.currency())?;
        Ok(Deadline {
            from: theirs.from.instant,
            text: theirs.from.text.clone(),
            // They speak of what they charge, T is what was sold.
            fee: share(fee, price.net, price.total)?,
            is_arrival: false,
        })
    };
    let deadlines: Result<Vec<Deadline>, MoneyError> = theirs.iter().map(deadline).collect();
    let deadlines = deadlines.map_err(|error| format!("cancellationPolicies amount {error}"))?;
    if deadlines.iter().any(|deadline| deadline.fee.is_negative()) {
        return Err("a cancellation's amount is below zero".to_owned());
    }
    let policy = CancellationPolicy { refundable: None, deadlines, remarks: Vec::new() };
    let mut policy = policy.in_order();
    if is_marked_not_refundable(rate) {
        let fees = policy.deadlines.iter_mut().map(|deadline| &mut deadline.fee);
        fees.for_each(|fee| *fee = price.total);
    }
    let kept_now = policy.deadlines.iter().rfind(|deadline| deadline.from <= now);
    let refundable = if is_marked_not_refundable(rate) {
        Some(false)
    } else if policy.deadlines.is_empty() {
        None
    } else {
        Some(kept_now.is_none_or(|deadline| deadline.fee.amount() < price.total.amount()))
    };
    Ok(CancellationPolicy { refundable, ..policy })
}

fn is_marked_not_refundable(rate: &Rate) -> bool {
    let promotions = rate.promotions.iter().flatten();
    rate.rate_class.as_deref().is_some_and(|class| is_word(class, "NRF"))
        || promotions.map(|promotion| promotion.code.as_deref()).any(|code| code == Some(NOT_REFUNDABLE))
}

/// What the guest must be told: what the hotel says of the rate, and what is special about it.
fn remarks(rate: &Rate) -> Vec<String> {
    let mut remarks: Vec<String> = Vec::new();
    let promotions = rate.promotions.iter().flatten();
    let texts = promotions.flat_map(|promotion| [promotion.name.as_deref(), promotion.remark.as_deref()]);
    for text in std::iter::once(rate.rate_comments.as_deref()).chain(texts).flatten() {
        let text = plain_text::text(text);
        if !text.is_empty() && !remarks.contains(&text) {
            remarks.push(text);
        }
    }
    remarks
}
