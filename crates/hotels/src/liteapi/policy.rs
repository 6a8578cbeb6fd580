//! What giving a room back costs, as LiteAPI says it.

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, NaiveTime, TimeZone, Utc};
use rust_decimal::Decimal;
use wayfare_domain::{Money, MoneyError, Zone, minor_units};
use wayfare_supply::{
    reading::{self, filled, is_word},
    times,
};

use super::wire::{Penalty, Policies};
use crate::{CancellationPolicy, Deadline, PENALTY_WORDS};

/// What a room, or a booking, costs, and what its penalties are of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Basis {
    /// T.
    pub total: Money,
    /// What of it is ours, where that is told. Production answers tell penalties of what is left without it: 32.03 is all of
    /// a price of 33.95 with a commission of 1.92.
    pub commission: Option<Decimal>,
    /// Whether penalties are taken for such where their amounts don't tell it.
    pub is_net: bool,
}

impl Basis {
    /// A price whose penalties are of itself unless they tell otherwise, as in searches and prebooks.
    pub fn price(total: Money, commission: Option<Money>) -> Self {
        Self { total, commission: commission.map(Money::amount), is_net: false }
    }

    /// The amount of which penalties are parts: what is left without the commission where the largest one is all of that, the price
    /// where it is more.
    fn whole(&self, penalties: &[Penalty<'_>]) -> Decimal {
        let price = self.total.amount();
        let net = self.commission.and_then(|commission| price.checked_sub(commission));
        let Some(net) = net.filter(|net| *net < price && net.is_sign_positive() && !net.is_zero()) else {
            return price;
        };
        let amounts = penalties.iter().filter_map(|penalty| amount(penalty, self.total));
        let Some(largest) = amounts.max() else { return price };
        if self.is_all(largest, net) {
            net
        } else if largest > net {
            price
        } else if self.is_net {
            net
        } else {
            price
        }
    }

    /// Whether an amount is all of this but for what rounding makes of either.
    fn is_all(&self, amount: Decimal, whole: Decimal) -> bool {
        let unit = Decimal::new(1, minor_units(self.total.currency()));
        amount.checked_sub(whole).is_some_and(|difference| difference.abs() <= unit)
    }

    /// What is kept of the price for a penalty of so much of `whole`.
    fn fee(&self, amount: Decimal, whole: Decimal) -> Option<Money> {
        let price = self.total.amount();
        if whole == price {
            return Some(Money::rounded(amount, self.total.currency()));
        }
        if self.is_all(amount, whole) {
            return Some(self.total);
        }
        let kept = price.checked_mul(amount)?.checked_div(whole)?;
        Some(Money::rounded(kept, self.total.currency()))
    }
}

/// What they say of a room at this price. A penalty that can't be read, or is in another currency than the price, is
/// taken for the whole price, and its words stand among the remarks: nobody is promised money that may not come back.
///
/// The tag counts: of what is not refundable everything is kept at any time, whatever its penalties say. What is refundable is
/// not any more once its penalty is the whole price; where it names no penalty it is free until `arrival`.
pub(super) fn policy(
    theirs: Option<&Policies<'_>>,
    basis: Basis,
    arrival: DateTime<Utc>,
    now: DateTime<Utc>,
) -> CancellationPolicy {
    let Some(theirs) = theirs else { return CancellationPolicy::default() };
    let total = basis.total;
    let mut policy = CancellationPolicy {
        refundable: refundable(theirs),
        deadlines: Vec::new(),
        remarks: theirs
            .hotel_remarks
            .iter()
            .filter(|text| !text.trim().is_empty())
            .map(|text| text.to_string())
            .collect(),
    };
    let whole = basis.whole(&theirs.cancel_policy_infos);
    for penalty in theirs.cancel_policy_infos.iter() {
        let Some(from) = instant(penalty) else {
            // From when it costs something nobody knows: from the beginning.
            policy.remarks.push(words(penalty));
            policy.refundable = None;
            policy.deadlines.clear();
            return policy;
        };
        let told = fee(penalty, basis, whole);
        if told.is_none() {
            policy.remarks.push(words(penalty));
        }
        policy.deadlines.push(Deadline {
            from,
            text: moment(penalty),
            fee: told.filter(|_| policy.refundable != Some(false)).unwrap_or(total),
            is_arrival: false,
        });
    }
    let mut policy = policy.arriving_at(arrival, total);
    let penalty = policy.deadlines.iter().rfind(|deadline| deadline.from <= now);
    if penalty.is_some_and(|deadline| !deadline.is_arrival && deadline.fee.amount() >= total.amount()) {
        policy.refundable = Some(false);
    }
    policy
}

fn refundable(theirs: &Policies<'_>) -> Option<bool> {
    let tag = filled(&theirs.refundable_tag)?.trim();
    match tag {
        tag if tag.eq_ignore_ascii_case("RFN") => Some(true),
        tag if tag.eq_ignore_ascii_case("NRFN") => Some(false),
        _ => None,
    }
}

/// The same of a room that is sold at another price than its own, by what rounding leaves over: who keeps all of the one
/// keeps all of the other.
pub(super) fn of_price(
    theirs: Option<&Policies<'_>>,
    own: Basis,
    total: Money,
    arrival: DateTime<Utc>,
    now: DateTime<Utc>,
) -> CancellationPolicy {
    let mut policy = policy(theirs, own, arrival, now);
    let all = policy.deadlines.iter_mut().filter(|deadline| deadline.fee == own.total);
    all.for_each(|deadline| deadline.fee = total);
    policy
}

/// Several rooms that are booked as one, each at its price, and what they cost together.
pub(super) fn together(
    rooms: impl IntoIterator<Item = (Money, CancellationPolicy)>,
) -> Result<Option<(Money, CancellationPolicy)>, MoneyError> {
    let mut all: Option<(Money, CancellationPolicy)> = None;
    for (price, policy) in rooms {
        all = Some(match all {
            Some((total, so_far)) => (total.plus(price)?, so_far.and(total, &policy, price)?),
            None => (price, policy),
        });
    }
    Ok(all)
}

/// What is kept of the price, of whose `whole` penalties are parts; none where that can't be told in the currency of the price.
fn fee(penalty: &Penalty<'_>, basis: Basis, whole: Decimal) -> Option<Money> {
    let fee = match percent(penalty) {
        Some(percent) => basis.total.percent(percent).ok()?,
        None => basis.fee(amount(penalty, basis.total)?, whole)?,
    };
    fee.bounded().ok()
}

/// A part of the price, in percent, where that is what it says.
fn percent(penalty: &Penalty<'_>) -> Option<Decimal> {
    let is = |word| penalty.kind.as_deref().is_some_and(|kind| is_word(kind, word));
    let is_percent = is("percentage") || is("percent");
    penalty.amount.map(|amount| amount.0).filter(|percent| is_percent && !is_below_zero(*percent))
}

/// An amount in the currency of the price, where that is what it says.
fn amount(penalty: &Penalty<'_>, total: Money) -> Option<Decimal> {
    let amount = penalty.amount?.0;
    let is_amount = penalty.kind.as_deref().is_some_and(|kind| is_word(kind, "amount"));
    if !is_amount || is_below_zero(amount) {
        return None;
    }
    let theirs = filled(&penalty.currency).map_or(Some(total.currency()), reading::currency);
    (theirs == Some(total.currency()) || amount.is_zero()).then_some(amount)
}

fn is_below_zero(amount: Decimal) -> bool {
    amount.is_sign_negative() && !amount.is_zero()
}

/// When it begins. A day alone begins with its first moment, the safer reading. All times are GMT, said or not.
fn instant(penalty: &Penalty<'_>) -> Option<DateTime<Utc>> {
    let text = penalty.cancel_time.trim();
    let zone = zone(penalty);
    if let ("GMT", Some(local)) = (zone, written_out(text)) {
        return Some(local.and_utc()).filter(|instant| is_near(instant.year()));
    }
    if let Some(instant) = times::instant_with_offset(text) {
        return Some(instant);
    }
    let local = times::local_time(text).or_else(|| Some(times::day(text)?.and_time(NaiveTime::MIN)))?;
    let zone: Zone = zone.parse().ok()?;
    zone.from_local_datetime(&local).earliest().map(|instant| instant.to_utc())
}

/// `2026-07-30 02:00:00`, as nearly all are written: read without trying formats. None where it is anything else.
fn written_out(text: &str) -> Option<NaiveDateTime> {
    let (day, time) = text.split_at_checked(10)?;
    let ([year, month, day], time) = (numbers(day, "-", [4, 2, 2])?, time.strip_prefix(' ')?);
    let [hour, minute, second] = numbers(time, ":", [2, 2, 2])?;
    NaiveDate::from_ymd_opt(year.try_into().ok()?, month, day)?.and_hms_opt(hour, minute, second)
}

/// Numbers of so many digits each, with this between them and nothing else.
fn numbers(text: &str, between: &str, digits: [usize; 3]) -> Option<[u32; 3]> {
    let mut numbers = [0; 3];
    let mut parts = text.split(between);
    for (number, digits) in numbers.iter_mut().zip(digits) {
        let part = parts.next()?;
        let is_plain = part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
        *number = is_plain.then(|| part.parse().ok()).flatten()?;
    }
    parts.next().is_none().then_some(numbers)
}

/// A year that others can write as well.
fn is_near(year: i32) -> bool {
    (1..=9999).contains(&year)
}

fn moment(penalty: &Penalty<'_>) -> String {
    [penalty.cancel_time.trim(), zone(penalty)].join(" ")
}

/// Times are in this zone, where nothing is said in Greenwich's.
fn zone<'a>(penalty: &'a Penalty<'_>) -> &'a str {
    let told = filled(&penalty.timezone).map(str::trim);
    told.filter(|zone| !zone.is_empty()).unwrap_or("GMT")
}

fn words(penalty: &Penalty<'_>) -> String {
    let amount = penalty.amount.map_or_else(|| "?".to_owned(), |amount| shown(amount.0));
    let unit = match penalty.kind.as_deref() {
        Some("percentage" | "percent") => "%",
        _ => filled(&penalty.currency).or(filled(&penalty.kind)).unwrap_or_default().trim(),
    };
    format!("{PENALTY_WORDS}{}: {amount} {unit}", moment(penalty)).trim().to_owned()
}

/// An amount as it is told, but for what a float leaves behind it.
fn shown(amount: Decimal) -> String {
    match amount.scale() > 4 {
        true => amount.round_dp(4).normalize().to_string(),
        false => amount.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use wayfare_domain::Currency;

    use super::*;

    fn dollars(amount: &str) -> Money {
        Money::exact(amount.parse().unwrap(), Currency::USD).unwrap()
    }

    /// Of a price of 200.00, for a stay from the 15th of August.
    fn read(theirs: &Value) -> CancellationPolicy {
        of(Basis::price(dollars("200.00"), None), theirs)
    }

    fn of(basis: Basis, theirs: &Value) -> CancellationPolicy {
        let text = theirs.to_string();
        let theirs: Policies<'_> = serde_json::from_str(&text).unwrap();
        policy(Some(&theirs), basis, arrival(), now())
    }

    fn arrival() -> DateTime<Utc> {
        "2026-08-15T00:00:00Z".parse().unwrap()
    }

    fn now() -> DateTime<Utc> {
        "2026-03-01T12:00:00Z".parse().unwrap()
    }

    fn one(penalty: &Value) -> CancellationPolicy {
        read(&json!({"cancelPolicyInfos": [penalty], "refundableTag": "RFN"}))
    }

    /// A time, its zone, the instant, and how it is told. The hour that comes twice counts from its first time.
    const TIMES: &str = "\
2026-07-30 02:00:00       | GMT           | 2026-07-30T02:00:00Z | 2026-07-30 02:00:00 GMT
2026-07-30 02:00:00       | null          | 2026-07-30T02:00:00Z | 2026-07-30 02:00:00 GMT
2026-07-30T02:00:00       |               | 2026-07-30T02:00:00Z | 2026-07-30T02:00:00 GMT
2026-07-30                | GMT           | 2026-07-30T00:00:00Z | 2026-07-30 GMT
2026-07-30T02:00:00+02:00 | GMT           | 2026-07-30T00:00:00Z | 2026-07-30T02:00:00+02:00 GMT
2026-07-30 02:00          | GMT           | 2026-07-30T02:00:00Z | 2026-07-30 02:00 GMT
2026-07-30T02:00:00.000Z  | GMT           | 2026-07-30T02:00:00Z | 2026-07-30T02:00:00.000Z GMT
2026-07-30 02:00:00+0200  | GMT           | 2026-07-30T00:00:00Z | 2026-07-30 02:00:00+0200 GMT
2026-07-30 02:00:00       | Asia/Kolkata  | 2026-07-29T20:30:00Z | 2026-07-30 02:00:00 Asia/Kolkata
2026-10-25 02:30:00       | Europe/Berlin | 2026-10-25T00:30:00Z | 2026-10-25 02:30:00 Europe/Berlin";

    #[test]
    fn times_are_gmt_and_a_day_begins_with_its_first_moment() {
        for line in TIMES.lines() {
            let cells = line.split('|').map(str::trim).collect::<Vec<_>>();
            let [time, zone, instant, text] = cells.try_into().unwrap();
            let zone = Some(zone).filter(|zone| *zone != "null");
            let policy = one(&json!({"cancelTime": time, "timezone": zone, "amount": 50, "type": "amount"}));
            let expected = Deadline {
                from: instant.parse().unwrap(),
                text: text.to_owned(),
                fee: dollars("50.00"),
                is_arrival: false,
            };
            assert_eq!(policy.deadlines, [expected], "{line}");
        }
    }

    /// A penalty, what it takes of 200.00, and what is said of it where that can't be told.
    const PENALTIES: &str = r#"
{"type": "amount", "amount": 58.995000000000005, "currency": "USD"} | 59.00  |
{"type": "amount", "amount": 30, "currency": ""}                    | 30.00  |
{"type": "percentage", "amount": 12.5}                              | 25.00  |
{"type": "percent", "amount": 100}                                  | 200.00 |
{"type": "amount", "amount": 0, "currency": "EUR"}                  | 0.00   |
{"type": "amount", "amount": 30, "currency": "EUR"}                 | 200.00 | 30 EUR
{"type": "nights", "amount": 1}                                     | 200.00 | 1 nights
{"type": "amount", "amount": -1, "currency": "USD"}                 | 200.00 | -1 USD
{"type": "amount"}                                                  | 200.00 | ? amount
{"amount": 30}                                                      | 200.00 | 30"#;

    #[test]
    fn a_penalty_is_an_amount_or_a_share_and_the_whole_price_where_it_cannot_be_told() {
        for line in PENALTIES.trim().lines() {
            let cells = line.split('|').map(str::trim).collect::<Vec<_>>();
            let [penalty, fee, remark] = cells.try_into().unwrap();
            let mut timed: Value = serde_json::from_str(penalty).unwrap();
            timed["cancelTime"] = json!("2026-07-30 02:00:00");
            let policy = one(&timed);
            assert_eq!(policy.deadlines[0].fee, dollars(fee), "{line}");
            let remarks = policy.remarks.concat();
            let said = remarks.strip_prefix("Cancellation from 2026-07-30 02:00:00 GMT: ");
            assert_eq!(said.unwrap_or(&remarks), remark, "{line}");
        }
    }

    #[test]
    fn a_time_that_cannot_be_read_leaves_nothing_to_be_had_back() {
        for (time, zone) in [
            ("soon", "GMT"),
            ("", "GMT"),
            ("2026-07-30 02:00:00", "Mars"),
            ("+262142-12-31 23:59:59", "GMT"),
            // That hour never is.
            ("2026-03-29 02:30:00", "Europe/Berlin"),
        ] {
            let policy =
                one(&json!({"cancelTime": time, "timezone": zone, "amount": 1, "type": "percentage"}));
            assert_eq!(policy.fee_at(now(), dollars("200.00")), Ok(dollars("200.00")), "{time} {zone}");
            assert_eq!(policy.remarks.len(), 1);
        }
    }

    /// A tag, penalties in percent with their times, whether anything comes back, until when it is free, and what is kept of
    /// 200.00 now.
    const TAGGED: &str = "\
NRFN | past 50, soon 100 | Some(false) | never  | 200.00
NRFN | soon 50           | Some(false) | never  | 200.00
NRFN | past 50, now 100  | Some(false) | never  | 200.00
NRFN | past 100          | Some(false) | never  | 200.00
NRFN | soon 100          | Some(false) | never  | 200.00
nrfn | soon 0            | Some(false) | never  | 200.00
NRFN |                   | Some(false) | never  | 200.00
RFN  | past 50, soon 100 | Some(true)  | 02-01  | 100.00
RFN  | past 100          | Some(false) | never  | 200.00
RFN  | soon 100          | Some(true)  | 07-01  | 0.00
RFN  |                   | Some(true)  | 08-15  | 0.00
rfn  | past 0            | Some(true)  | 08-15  | 0.00
     | now 100           | Some(false) | never  | 200.00
     | soon 100          | None        | 07-01  | 0.00
     | soon 0            | None        | 08-15  | 0.00
     |                   | None        | never  | 200.00";

    #[test]
    fn the_tag_counts_and_what_names_no_penalty_is_free_until_the_day_of_arrival() {
        let penalty = |text: &str| {
            let (when, percent) = text.split_once(' ').unwrap();
            let time = match when {
                "past" => "2026-02-01",
                "now" => "2026-03-01 12:00:00",
                _ => "2026-07-01",
            };
            json!({"cancelTime": time, "amount": percent.parse::<u32>().unwrap(), "type": "percentage"})
        };
        for line in TAGGED.lines() {
            let cells = line.split('|').map(str::trim).collect::<Vec<_>>();
            let [tag, penalties, refundable, free, fee] = cells.try_into().unwrap();
            let penalties = penalties.split(", ").filter(|text| !text.is_empty());
            let penalties: Vec<Value> = penalties.map(penalty).collect();
            let policy = read(&json!({"cancelPolicyInfos": penalties, "refundableTag": tag}));
            assert_eq!(format!("{:?}", policy.refundable), refundable, "{line}");
            let until = policy.free_until();
            let until = until.map_or("never".to_owned(), |until| until.format("%m-%d").to_string());
            assert_eq!(until, free, "{line}");
            assert_eq!(policy.fee_at(now(), dollars("200.00")), Ok(dollars(fee)), "{line}");
        }
    }

    /// A price, what of it is ours, amounts of penalties one after the other, what they keep by themselves and what where
    /// penalties are taken for parts of what is left.
    const BASES: &str = "\
33.95  | 1.92  | 32.03          | 33.95          | 33.95
33.95  | 1.92  | 32.030000001   | 33.95          | 33.95
33.95  | 1.92  | 33.95          | 33.95          | 33.95
33.95  | 1.92  | 32.04          | 33.95          | 33.95
33.95  | 1.92  | 16.015, 32.03  | 16.98, 33.95   | 16.98, 33.95
100.00 | 10    | 45, 90         | 50.00, 100.00  | 50.00, 100.00
100.00 | 10    | 45             | 45.00          | 50.00
100.00 | 10    | 50, 100        | 50.00, 100.00  | 50.00, 100.00
100.00 | 10    | 95             | 95.00          | 95.00
100.00 | 10    | 0              | 0.00, 100.00   | 0.00, 100.00
100.00 | 10    | 250            | 250.00         | 250.00
100.00 |       | 90             | 90.00          | 90.00
100.00 | 0     | 90             | 90.00          | 90.00
100.00 | 100   | 90             | 90.00          | 90.00
100.00 | 120   | 90             | 90.00          | 90.00
100.00 | -10   | 90             | 90.00          | 90.00";

    #[test]
    fn penalties_are_read_against_the_amount_that_they_are_of() {
        for line in BASES.lines() {
            let cells = line.split('|').map(str::trim).collect::<Vec<_>>();
            let [price, commission, amounts, of_price, of_net] = cells.try_into().unwrap();
            let penalty = |(day, amount): (usize, &str)| {
                let amount: serde_json::Number = amount.parse().unwrap();
                json!({"cancelTime": format!("2026-07-{day:02}"), "amount": amount, "type": "amount"})
            };
            let penalties: Vec<Value> = amounts
                .split(", ")
                .enumerate()
                .map(|(place, amount)| (place + 1, amount))
                .map(penalty)
                .collect();
            let theirs = json!({"cancelPolicyInfos": penalties, "refundableTag": "RFN"});
            for (is_net, expected) in [(false, of_price), (true, of_net)] {
                let basis = Basis { total: dollars(price), commission: commission.parse().ok(), is_net };
                let fees: Vec<String> =
                    of(basis, &theirs).deadlines.iter().map(|one| one.fee.to_string()).collect();
                assert_eq!(fees.join(", "), expected, "{line}");
            }
        }
    }

    #[test]
    fn tags_say_whether_anything_comes_back_and_deadlines_stand_in_order() {
        for (tag, refundable, deadlines) in [
            (json!("RFN"), Some(true), 1),
            (json!("NRFN"), Some(false), 0),
            (json!(""), None, 0),
            (json!(null), None, 0),
        ] {
            let nothing =
                read(&json!({"refundableTag": tag, "cancelPolicyInfos": null, "hotelRemarks": null}));
            assert_eq!((nothing.refundable, nothing.deadlines.len()), (refundable, deadlines), "{tag}");
        }
        let penalty = |day: u32, percent: u32| json!({"cancelTime": format!("2026-07-{day}"), "amount": percent, "type": "percentage"});
        let policy = read(&json!({
            "cancelPolicyInfos": [penalty(28, 100), penalty(26, 10), penalty(28, 50)],
            "hotelRemarks": ["No pets.", " "], "refundableTag": "RFN",
        }));
        let fees: Vec<String> = policy.deadlines.iter().map(|deadline| deadline.fee.to_string()).collect();
        assert_eq!(fees, ["20.00", "100.00", "200.00"]);
        assert_eq!(policy.remarks, ["No pets."]);
    }
}
