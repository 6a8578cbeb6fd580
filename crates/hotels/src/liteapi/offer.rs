//! Their offers as our rates.
//!
//! An offer is for all rooms of a search: it has one rate for each, numbered as the rooms were asked for. We have one rate
//! for each kind of room, so that the rates of a kind are added up, and where a search has several kinds they are sold as
//! a bundle.

use std::borrow::Cow;

use chrono::{DateTime, Utc};
use wayfare_domain::{Currency, Money, MoneyError};
use wayfare_supply::{
    LossKind, note_loss,
    plain_text::{self, name_of},
    reading::{Text, code, distinct, filled, is_word},
};

use super::money::Total;
use super::policy::Basis;
use super::wire::{Offer, Price, Rate};
use super::{money, policy};
use crate::{
    CancellationPolicy, HotelFee, MealPlan, PaymentPlace, Query, RateParts, RoomGuests, RoomRate, arrival,
};

/// What an offer says beside its rates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms<'a> {
    pub offer_id: &'a str,
    pub room_type_id: &'a str,
    /// The supplier's name of the rate, where it is a special one.
    pub rate_name: Option<&'a str>,
    /// Under which all rooms together must not be sold.
    pub minimum: &'a [Price<'a>],
}

/// Rates of ours, and what all of them cost together.
pub(super) type Rates = (Vec<RoomRate>, Money);

/// An offer of a search's answer, one rate for each kind of room.
pub(super) fn found(offer: &Offer<'_>, query: &Query, now: DateTime<Utc>) -> Result<Rates, String> {
    if offer.offer_id.is_empty() {
        return Err("has no offerId".to_owned());
    }
    if offer.loyalty_membership_id_required == Some(true) {
        return Err("is for members of a loyalty programme".to_owned());
    }
    let terms = Terms {
        offer_id: &offer.offer_id,
        room_type_id: filled(&offer.room_type_id).unwrap_or(&offer.offer_id),
        rate_name: filled(&offer.rate_type).filter(|name| !is_word(name, "standard")),
        minimum: &offer.suggested_selling_price,
    };
    let rates: Vec<&Rate<'_>> = offer.rates.iter().collect();
    let (found, total) = by_kind(&rates, query, terms, now)?;
    if let Some(stated) = money::sum(&offer.offer_retail_rate)?
        && stated != total
    {
        return Err(format!("costs {stated:?}, but its rooms {total:?}"));
    }
    Ok((found, total))
}

/// What all of them cost together.
fn total(rates: &[RoomRate]) -> Result<Money, String> {
    let mut totals = rates.iter().map(|rate| rate.parts.total());
    let first = totals.next().ok_or("has no rates")?;
    let sum = totals.try_fold(first.map_err(no_money)?, |sum, total| sum.plus(total?));
    sum.and_then(Money::bounded).map_err(no_money)
}

/// The rates of all rooms, one of ours for each kind.
pub(super) fn by_kind(
    rates: &[&Rate<'_>],
    query: &Query,
    terms: Terms<'_>,
    now: DateTime<Utc>,
) -> Result<Rates, String> {
    let rooms = in_order(rates, query)?;
    let totals = money::totals(&rooms)?;
    let kinds = query.kinds();
    let is_bundle = kinds.len() > 1;
    // Where the hotel lies is told later.
    let arrival = arrival(query.check_in, None);
    let of_kind = |(place, (guests, count)): (usize, (&RoomGuests, u16))| {
        let (of_rooms, totals): (Vec<&Rate<'_>>, Vec<Total>) = query
            .rooms
            .iter()
            .zip(rooms.iter().copied().zip(totals.iter().copied()))
            .filter(|(room, _)| room.are_like(guests))
            .map(|(_, rate)| rate)
            .unzip();
        let mut rate = added(&of_rooms, &totals, terms, (arrival, now))?;
        if is_bundle {
            rate.token = format!("{}#{place}", terms.offer_id);
            rate.bundle = Some(terms.offer_id.to_owned());
        }
        Ok::<_, String>(RoomRate { kind: place, rooms: count, ..rate })
    };
    let mut found: Vec<RoomRate> = kinds.into_iter().enumerate().map(of_kind).collect::<Result<_, _>>()?;
    let total = total(&found)?;
    if let Some(minimum) = minimum(rates, terms.minimum, total.currency()) {
        share(minimum, total, &mut found)?;
    }
    Ok((found, total))
}

/// The rate of each room that was asked for, in their order.
fn in_order<'a>(rates: &[&'a Rate<'a>], query: &Query) -> Result<Vec<&'a Rate<'a>>, String> {
    if rates.len() != query.rooms.len() {
        let (theirs, ours) = (rates.len(), query.rooms.len());
        return Err(format!("has {theirs} rates for {ours} rooms"));
    }
    let room = |(number, guests): (usize, &RoomGuests)| {
        let rate = rates.iter().find(|rate| rate.occupancy_number == number);
        let rate = *rate.ok_or_else(|| format!("has no rate for room {number}"))?;
        let children = u32::try_from(guests.children_ages.len()).unwrap_or(u32::MAX);
        let is_for = |theirs: Option<u32>, ours: u32| theirs.is_none_or(|theirs| theirs == ours);
        if is_for(rate.adult_count, guests.adults.into()) && is_for(rate.child_count, children) {
            Ok(rate)
        } else {
            Err(format!("has a rate for other guests than those of room {number}"))
        }
    };
    (1..).zip(&query.rooms).map(room).collect()
}

/// Rates of rooms of one kind, which cost so much each, as one. Where their names differ the first one's stands for all.
fn added(
    rates: &[&Rate<'_>],
    totals: &[Total],
    terms: Terms<'_>,
    (arrival, now): (DateTime<Utc>, DateTime<Utc>),
) -> Result<RoomRate, String> {
    let first = rates.first().ok_or("has no rates")?;
    let mut parts: Option<RateParts> = None;
    let mut fees_at_hotel: Vec<HotelFee> = Vec::new();
    let mut policies: Vec<(Money, CancellationPolicy)> = Vec::new();
    for (rate, total) in rates.iter().zip(totals.iter().copied()) {
        let one = money::parts(&rate.retail_rate, total.sold);
        parts = Some(match parts {
            Some(parts) => parts.plus(&one).map_err(no_money)?,
            None => one,
        });
        money::add_fees_at_hotel(rate, &mut fees_at_hotel)?;
        let theirs = rate.cancellation_policies.as_ref();
        let own = Basis::price(total.own, money::commission(rate, total.own)?);
        let policy = policy::of_price(theirs, own, total.sold, arrival, now);
        policies.push((total.sold, policy));
    }
    let parts = parts.ok_or("has no rates")?;
    parts.total().and_then(Money::bounded).map_err(no_money)?;
    let policy = policy::together(policies).map_err(no_money)?;
    let plan = meal_plan(first);
    let is_same_plan = rates.iter().all(|rate| meal_plan(rate) == plan);
    Ok(RoomRate {
        token: terms.offer_id.to_owned(),
        bundle: None,
        kind: 0,
        rooms: 1,
        room_id: terms.room_type_id.to_owned(),
        room_name: name_of(&first.name).map(Cow::into_owned).unwrap_or_default(),
        bed_type: None,
        max_occupancy: rates.iter().filter_map(|rate| rate.max_occupancy).min().filter(|most| *most > 0),
        rooms_left: None,
        rate_name: terms.rate_name.and_then(plain_text::name).map(Cow::into_owned),
        meal_plan: if is_same_plan { plan } else { MealPlan::Other },
        meals: meals(rates),
        commission: commission(rates, totals)?,
        minimum_price: None,
        fees_at_hotel,
        payment: payment(rates)?,
        policy: policy.map(|(_, policy)| policy).unwrap_or_default(),
        remarks: distinct(rates.iter().filter_map(|rate| Some(rate.remarks.as_deref()?.trim())))
            .into_iter()
            .map(str::to_owned)
            .collect(),
        expires_at: None,
        parts,
    })
}

/// K of all of them; none where one doesn't say.
fn commission(rates: &[&Rate<'_>], totals: &[Total]) -> Result<Option<Money>, String> {
    let mut sum: Option<Money> = None;
    for (rate, total) in rates.iter().zip(totals) {
        let Some(one) = money::commission(rate, total.own)? else { return Ok(None) };
        sum = Some(sum.map_or(Ok(one), |sum| sum.plus(one)).map_err(no_money)?);
    }
    Ok(sum)
}

/// Under which all rooms together must not be sold. Where the offer doesn't say it a rate does, which says it of all rooms
/// as well.
fn minimum(rates: &[&Rate<'_>], of_offer: &[Price<'_>], currency: Currency) -> Option<Money> {
    let of_rate = |rate: &&Rate<'_>| money::minimum(&rate.retail_rate.suggested_selling_price, currency);
    let of_rates = || rates.iter().filter_map(of_rate).max_by_key(|minimum| minimum.amount());
    money::minimum(of_offer, currency).or_else(of_rates)
}

/// Each rate's part of what all of them must not be sold under, by its price; the last one's is what is left.
fn share(minimum: Money, whole: Money, rates: &mut [RoomRate]) -> Result<(), String> {
    let Some((last, others)) = rates.split_last_mut() else { return Ok(()) };
    let mut left = minimum;
    for rate in others {
        let price = rate.parts.total().map_err(no_money)?;
        let part = price.amount().checked_div(whole.amount()).unwrap_or_default();
        let part = minimum.times(part).map_err(no_money)?;
        left = left.minus(part).map_err(no_money)?;
        rate.minimum_price = Some(part);
    }
    last.minimum_price = Some(left);
    Ok(())
}

/// To be paid when it is booked, in their words.
const PREPAID: [&str; 3] = ["NUITEE_PAY", "CREDIT_CARD", "WALLET"];
/// To be paid at the hotel.
const AT_HOTEL: &str = "PROPERTY_PAY";

/// Where they are paid. `PROPERTY_PAY` beside another way means that it can be paid when it is booked, which is what we do. What is
/// paid in a way that nobody knows is not sold.
fn payment(rates: &[&Rate<'_>]) -> Result<PaymentPlace, String> {
    let is = |way: &Text<'_>, word: &str| way.trim().eq_ignore_ascii_case(word);
    let mut all_at_hotel = true;
    for rate in rates {
        let ways = &rate.payment_types;
        let can_be_prepaid = ways.iter().any(|way| PREPAID.iter().any(|word| is(way, word)));
        let is_at_hotel = !ways.is_empty() && ways.iter().all(|way| is(way, AT_HOTEL));
        if !(ways.is_empty() || can_be_prepaid || is_at_hotel) {
            note_loss(LossKind::UnknownWord, "rates[].paymentTypes[]", "");
            return Err("is paid in a way that is not known".to_owned());
        }
        all_at_hotel &= is_at_hotel;
    }
    Ok(match all_at_hotel {
        true => PaymentPlace::PayAtHotel,
        false => PaymentPlace::Prepaid,
    })
}

/// By their code: `BB1` is a kind of `BB`.
fn meal_plan(rate: &Rate<'_>) -> MealPlan {
    let code = code(rate.board_type.as_deref().unwrap_or_default());
    match code.trim_end_matches(|c: char| c.is_ascii_digit()) {
        "RO" => MealPlan::RoomOnly,
        "BB" | "BI" => MealPlan::Breakfast,
        "HB" => MealPlan::HalfBoard,
        "FB" => MealPlan::FullBoard,
        "AI" => MealPlan::AllInclusive,
        _ => MealPlan::Other,
    }
}

/// What each of them calls its board, each name once.
fn meals(rates: &[&Rate<'_>]) -> String {
    let board = |rate: &&Rate<'_>| {
        Some(name_of(&rate.board_name).or_else(|| name_of(&rate.board_type))?.into_owned())
    };
    let boards: Vec<String> = rates.iter().filter_map(board).collect();
    distinct(boards.iter().map(String::as_str)).join(", ")
}

fn no_money(error: MoneyError) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::SearchArea;

    fn query(rooms: &[(u8, &[u8])]) -> Query {
        let rooms = rooms.iter().map(|&(adults, ages)| RoomGuests { adults, children_ages: ages.to_vec() });
        Query {
            check_in: "2026-05-01".parse().unwrap(),
            check_out: "2026-05-04".parse().unwrap(),
            rooms: rooms.collect(),
            area: SearchArea::Hotels(vec!["lp1897".to_owned()]),
            nationality: "IN".to_owned(),
            language: "en".to_owned(),
        }
    }

    fn rate(number: usize, adults: u8, children: usize, total: &str) -> Value {
        let amount = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        json!({
            "occupancyNumber": number, "name": format!("Room {number}"), "adultCount": adults, "childCount": children,
            "maxOccupancy": 3, "boardType": "RO", "boardName": "Room Only", "remarks": "Bring a towel.",
            "commission": [{"amount": 1.5, "currency": "USD"}],
            "retailRate": {
                "total": [{"amount": amount(total), "currency": "USD"}],
                "suggestedSellingPrice": [{"amount": 200, "currency": "USD"}],
                "taxesAndFees": [
                    {"included": true, "description": "Tax", "amount": 2.25, "currency": "USD"},
                    {"included": false, "description": "City tax", "amount": 1, "currency": "EUR"},
                ],
            },
            "cancellationPolicies": {"refundableTag": "RFN", "cancelPolicyInfos": [
                {"cancelTime": format!("2026-04-2{number} 00:00:00"), "amount": 50, "type": "percentage"},
            ]},
        })
    }

    fn offer(rates: &[Value]) -> Value {
        json!({"offerId": "OFFER", "roomTypeId": "ROOM", "rateType": "standard", "rates": rates})
    }

    fn read(offer: &Value, query: &Query) -> Result<Vec<RoomRate>, String> {
        let now = "2026-03-01T12:00:00Z".parse().unwrap();
        let found = found(&serde_json::from_str(&offer.to_string()).unwrap(), query, now)?;
        Ok(found.0)
    }

    fn text_of(money: Result<Money, MoneyError>) -> String {
        format!("{:?}", money.unwrap())
    }

    #[test]
    fn rooms_of_one_kind_are_one_rate_and_several_kinds_a_bundle() {
        let query = query(&[(2, &[]), (1, &[7]), (2, &[])]);
        let rates = [rate(3, 2, 0, "50"), rate(1, 2, 0, "100.10"), rate(2, 1, 1, "30")];
        let found = read(&offer(&rates), &query).unwrap();
        let [double, single] = &found[..] else { panic!("{found:?}") };
        assert_eq!((double.token.as_str(), single.token.as_str()), ("OFFER#0", "OFFER#1"));
        assert_eq!((double.bundle.as_deref(), single.bundle.as_deref()), (Some("OFFER"), Some("OFFER")));
        assert_eq!((double.kind, double.rooms, single.kind, single.rooms), (0, 2, 1, 1));
        assert_eq!((double.room_id.as_str(), double.room_name.as_str()), ("ROOM", "Room 1"));
        assert_eq!(text_of(double.parts.total()), "150.10 USD");
        assert_eq!(text_of(Ok(double.parts.taxes)), "4.50 USD");
        assert_eq!(text_of(Ok(double.commission.unwrap())), "3.00 USD");
        // Each rate says 200 of all rooms together.
        assert_eq!(text_of(Ok(double.minimum_price.unwrap())), "166.69 USD");
        assert_eq!(text_of(Ok(single.minimum_price.unwrap())), "33.31 USD");
        assert_eq!(text_of(Ok(double.fees_at_hotel[0].amount)), "2.00 EUR");
        assert_eq!(double.fees_at_hotel.len(), 1);
        assert_eq!(double.remarks, ["Bring a towel."]);
        let fees: Vec<String> = double.policy.deadlines.iter().map(|one| one.fee.to_string()).collect();
        assert_eq!(fees, ["50.05", "75.05"], "each room's from its own time on");
        assert_eq!(text_of(single.parts.total()), "30.00 USD");
        assert_eq!(total(&found).map(|total| total.to_string()), Ok("180.10".to_owned()));
    }

    #[test]
    fn one_kind_is_sold_alone_and_has_the_whole_offers_minimum() {
        let query = query(&[(2, &[]), (2, &[])]);
        let mut offer = offer(&[rate(1, 2, 0, "100"), rate(2, 2, 0, "100")]);
        offer["suggestedSellingPrice"] = json!({"amount": 250, "currency": "USD", "source": "x"});
        offer["offerRetailRate"] = json!([{"amount": 200, "currency": "USD"}]);
        let found = read(&offer, &query).unwrap();
        assert_eq!((found.len(), found[0].token.as_str(), &found[0].bundle), (1, "OFFER", &None));
        assert_eq!(text_of(Ok(found[0].minimum_price.unwrap())), "250.00 USD");
    }

    #[test]
    fn a_bundles_minimum_is_told_once() {
        let query = query(&[(2, &[]), (1, &[7])]);
        let mut offer = offer(&[rate(1, 2, 0, "100"), rate(2, 1, 1, "50")]);
        offer["suggestedSellingPrice"] = json!({"amount": 250, "currency": "USD"});
        let found = read(&offer, &query).unwrap();
        let minimums = found.iter().map(|rate| text_of(Ok(rate.minimum_price.unwrap())));
        assert_eq!(minimums.collect::<Vec<_>>(), ["166.67 USD", "83.33 USD"]);
    }

    #[test]
    fn prices_are_rounded_when_they_are_added_up() {
        let query = query(&[(2, &[]), (2, &[])]);
        let mut rates = [rate(1, 2, 0, "58.995"), rate(2, 2, 0, "58.995")];
        for rate in &mut rates {
            rate["cancellationPolicies"]["cancelPolicyInfos"][0]["amount"] = json!(100);
        }
        let mut offer = offer(&rates);
        offer["offerRetailRate"] = json!([{"amount": 117.99, "currency": "USD"}]);
        let found = read(&offer, &query).unwrap();
        assert_eq!(text_of(total(&found).map_err(|_| MoneyError::TooLarge)), "117.99 USD");
        let last = found[0].policy.deadlines.last().unwrap();
        assert_eq!(text_of(Ok(last.fee)), "117.99 USD", "all of it is kept of all of it");
    }

    #[test]
    fn an_offer_that_is_not_for_exactly_these_rooms_is_not_used() {
        let two = query(&[(2, &[]), (1, &[7])]);
        let good = [rate(1, 2, 0, "100"), rate(2, 1, 1, "50")];
        read(&offer(&good), &two).unwrap();
        let with = |field: &str, value: Value| {
            let mut changed = offer(&good);
            changed[field] = value;
            changed
        };
        for (offer, reason) in [
            (offer(&good[..1]), "has 1 rates for 2 rooms"),
            (offer(&[rate(1, 2, 0, "1"), rate(1, 1, 1, "1")]), "has no rate for room 2"),
            (
                offer(&[rate(0, 2, 0, "1"), rate(1, 1, 1, "1")]),
                "has a rate for other guests than those of room 1",
            ),
            (
                offer(&[rate(1, 2, 0, "1"), rate(2, 1, 0, "1")]),
                "has a rate for other guests than those of room 2",
            ),
            (with("offerId", json!("")), "has no offerId"),
            (with("loyaltyMembershipIdRequired", json!(true)), "is for members of a loyalty programme"),
            (
                with("offerRetailRate", json!({"amount": 150.01, "currency": "USD"})),
                "costs 150.01 USD, but its rooms 150.00 USD",
            ),
        ] {
            assert_eq!(read(&offer, &two), Err(reason.to_owned()));
        }
        let mut mixed = good.clone();
        mixed[1]["retailRate"]["total"][0]["currency"] = json!("EUR");
        mixed[1]["commission"] = json!(null);
        let mut offer = offer(&mixed);
        offer["offerRetailRate"] = json!({"amount": 150, "currency": "USD"});
        let reason = read(&offer, &two).unwrap_err();
        assert_eq!(reason, "amounts in EUR and USD don't add up");
    }

    #[test]
    fn boards_ways_to_pay_and_unsaid_commissions() {
        use MealPlan::{AllInclusive, Breakfast, FullBoard, HalfBoard, Other, RoomOnly};
        let one = query(&[(2, &[])]);
        for (code, plan) in [
            ("RO", RoomOnly),
            ("BB", Breakfast),
            ("BB2", Breakfast),
            ("BI", Breakfast),
            ("HB", HalfBoard),
            ("FB", FullBoard),
            ("AI", AllInclusive),
            ("SC", Other),
            ("", Other),
        ] {
            let mut rate = rate(1, 2, 0, "100");
            rate["boardType"] = json!(code);
            assert_eq!(read(&offer(&[rate]), &one).unwrap()[0].meal_plan, plan, "{code}");
        }
        for (ways, place) in [
            (json!(["PROPERTY_PAY"]), PaymentPlace::PayAtHotel),
            (json!(["NUITEE_PAY", "PROPERTY_PAY"]), PaymentPlace::Prepaid),
            (json!([]), PaymentPlace::Prepaid),
            (json!(null), PaymentPlace::Prepaid),
        ] {
            let mut rate = rate(1, 2, 0, "100");
            rate["paymentTypes"] = ways.clone();
            assert_eq!(read(&offer(&[rate]), &one).unwrap()[0].payment, place, "{ways}");
        }
        let two = query(&[(2, &[]), (2, &[])]);
        let mut differing = rate(2, 2, 0, "100");
        differing["boardType"] = json!("BI");
        differing["boardName"] = json!("Breakfast Included");
        differing["commission"] = json!(null);
        differing["paymentTypes"] = json!(["PROPERTY_PAY"]);
        let found = read(&offer(&[rate(1, 2, 0, "100"), differing]), &two).unwrap();
        assert_eq!((found[0].meal_plan, found[0].meals.as_str()), (Other, "Room Only, Breakfast Included"));
        assert_eq!((found[0].commission, found[0].payment), (None, PaymentPlace::Prepaid));
    }
}
