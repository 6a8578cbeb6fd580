//! What a room costs and what that is made of.

use rust_decimal::Decimal;
use wayfare_domain::{Currency, Money, MoneyError};
use wayfare_supply::{
    amounts::{self, Number},
    plain_text::name_of,
    reading,
};

use super::wire::{Price, Rate, RetailRate, TaxOrFee};
use crate::{HotelFee, RateParts};

/// The amount in the currency's minor units: what they worked out with floats, such as 58.995000000000005, is rounded.
pub(super) fn money(field: &str, amount: Number, currency: &str) -> Result<Money, String> {
    let known = reading::currency(currency).ok_or_else(|| format!("currency {currency:?} is unknown"))?;
    amounts::money(field, amount, known).map_err(|error| error.to_string())
}

pub(super) fn priced(price: &Price<'_>) -> Result<Money, String> {
    money("rates.amount", price.amount, &price.currency)
}

/// All of them together; none where there are none.
pub(super) fn sum(prices: &[Price<'_>]) -> Result<Option<Money>, String> {
    let mut sum: Option<Money> = None;
    for price in prices {
        let price = priced(price)?;
        sum = Some(match sum {
            Some(sum) => sum.plus(price).map_err(|error| error.to_string())?,
            None => price,
        });
    }
    Ok(sum)
}

/// T of one room, which is never nothing.
pub(super) fn total(rate: &Rate<'_>) -> Result<Money, String> {
    match sum(&rate.retail_rate.total)? {
        Some(total) if total.is_positive() => Ok(total),
        Some(total) => Err(format!("has a price of {total}")),
        None => Err("has no price".to_owned()),
    }
}

/// What a room costs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Total {
    /// As its rate says.
    pub own: Money,
    /// As it is sold: what rounding leaves over of all rooms is the last one's.
    pub sold: Money,
}

/// T of each room. Their amounts are added up as they are and rounded once, as the supplier does it with all of them.
pub(super) fn totals(rates: &[&Rate<'_>]) -> Result<Vec<Total>, String> {
    let own = |rate: &&Rate<'_>| total(rate).map(|own| Total { own, sold: own });
    let mut totals: Vec<Total> = rates.iter().map(own).collect::<Result<_, _>>()?;
    let Some((last, others)) = totals.split_last_mut() else { return Err("has no rates".to_owned()) };
    let currency = last.own.currency();
    let mut amounts = rates.iter().flat_map(|rate| rate.retail_rate.total.iter());
    let exact = amounts.try_fold(Decimal::ZERO, |sum, price| sum.checked_add(price.amount.0));
    let whole = Money::rounded(exact.ok_or("has a price that is too large")?, currency);
    let rest =
        Money::sum(currency, others.iter().map(|total| total.own)).and_then(|others| whole.minus(others));
    last.sold = rest.map_err(|error| error.to_string())?;
    Ok(totals)
}

/// K of one room, where it is told.
pub(super) fn commission(rate: &Rate<'_>, total: Money) -> Result<Option<Money>, String> {
    let Some(commission) = sum(&rate.commission)? else { return Ok(None) };
    let is_part = !commission.is_negative() && commission.at_most(total) == Ok(commission);
    if is_part {
        Ok(Some(commission))
    } else {
        // No amounts: this is told to agencies.
        Err("has a commission that is no part of its price".to_owned())
    }
}

/// What the total is made of. Taxes and fees that it has in it are told apart by their descriptions, the rooms are the
/// rest, and a discount is what the initial price is more. Lines that can't be true of the total count for nothing: the
/// parts add up to it always.
pub(super) fn parts(retail: &RetailRate<'_>, total: Money) -> RateParts {
    let plain = RateParts::plain(total);
    let Ok(with_taxes) = with_taxes(&retail.taxes_and_fees, total) else { return plain };
    if with_taxes.rooms.is_negative() {
        return plain;
    }
    let initial = sum(&retail.initial_price).ok().flatten();
    let discount = initial.and_then(|initial| initial.minus(total).ok());
    match discount.filter(|discount| discount.is_positive()) {
        Some(discounts) => match with_taxes.rooms.plus(discounts).and_then(Money::bounded) {
            Ok(rooms) => RateParts { rooms, discounts, ..with_taxes },
            Err(_) => with_taxes,
        },
        None => with_taxes,
    }
}

fn with_taxes(lines: &[TaxOrFee<'_>], total: Money) -> Result<RateParts, String> {
    let mut parts = RateParts::plain(total);
    for line in lines.iter().filter(|line| line.included) {
        let amount = money("taxesAndFees.amount", line.amount, &line.currency)?;
        if amount.is_negative() {
            return Err("a tax below zero".to_owned());
        }
        let add = || -> Result<RateParts, MoneyError> {
            let rooms = parts.rooms.minus(amount)?;
            Ok(match nature(line.description.as_deref().unwrap_or_default()) {
                Nature::Tax => RateParts { rooms, taxes: parts.taxes.plus(amount)?, ..parts },
                Nature::ServiceCharge => {
                    RateParts { rooms, service_charge: parts.service_charge.plus(amount)?, ..parts }
                }
                Nature::ResortFee => RateParts { rooms, resort_fee: parts.resort_fee.plus(amount)?, ..parts },
                Nature::OtherFee => RateParts { rooms, other_fees: parts.other_fees.plus(amount)?, ..parts },
            })
        };
        parts = add().map_err(|error| error.to_string())?;
    }
    Ok(parts)
}

#[derive(Debug, PartialEq, Eq)]
enum Nature {
    Tax,
    ServiceCharge,
    ResortFee,
    OtherFee,
}

/// By the words of its description.
fn nature(description: &str) -> Nature {
    let has = |names: &[&str]| {
        let mut words = description.split(|c: char| !c.is_alphanumeric());
        words.any(|word| names.iter().any(|name| word.eq_ignore_ascii_case(name)))
    };
    if has(&["tax", "taxes", "vat", "gst", "levy"]) {
        Nature::Tax
    } else if has(&["resort", "facility", "facilities"]) {
        Nature::ResortFee
    } else if has(&["service"]) {
        Nature::ServiceCharge
    } else {
        Nature::OtherFee
    }
}

/// Adds what is paid at the hotel beside the total, in its own currency.
pub(super) fn add_fees_at_hotel(rate: &Rate<'_>, fees: &mut Vec<HotelFee>) -> Result<(), String> {
    for line in rate.retail_rate.taxes_and_fees.iter().filter(|line| !line.included) {
        let amount = money("taxesAndFees.amount", line.amount, &line.currency)?;
        if amount.is_negative() {
            return Err(format!("has a fee of {amount} at the hotel"));
        }
        let name = name_of(&line.description).unwrap_or_default();
        if amount.is_positive() {
            add_fee(fees, &name, amount)?;
        }
    }
    Ok(())
}

/// Fees of one name and currency are one line: they are told for all rooms of a rate.
fn add_fee(fees: &mut Vec<HotelFee>, name: &str, amount: Money) -> Result<(), String> {
    let same_fee = |fee: &&mut HotelFee| fee.name == name && fee.amount.currency() == amount.currency();
    match fees.iter_mut().find(same_fee) {
        Some(fee) => fee.amount = fee.amount.plus(amount).map_err(|error| error.to_string())?,
        None => fees.push(HotelFee { name: name.to_owned(), amount }),
    }
    Ok(())
}

/// The price under which it must not be sold, if it is one in this currency.
pub(super) fn minimum(prices: &[Price<'_>], currency: Currency) -> Option<Money> {
    let minimum = sum(prices).ok().flatten()?;
    (minimum.is_positive() && minimum.currency() == currency).then_some(minimum)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn rate(retail: &Value, commission: &Value) -> Rate<'static> {
        let text = json!({"retailRate": retail, "commission": commission}).to_string();
        serde_json::from_str(text.leak()).unwrap()
    }

    fn dollars(amount: &str) -> Money {
        Money::exact(amount.parse().unwrap(), Currency::USD).unwrap()
    }

    fn line(included: bool, description: &str, amount: &str, currency: &str) -> Value {
        let amount: Value = serde_json::from_str(amount).unwrap();
        json!({"included": included, "description": description, "amount": amount, "currency": currency})
    }

    fn parts_of(lines: &[Value], initial: &Value) -> RateParts {
        let retail = json!({
            "total": [{"amount": 100.00, "currency": "USD"}], "taxesAndFees": lines, "initialPrice": initial,
        });
        let rate = rate(&retail, &Value::Null);
        let total = total(&rate).unwrap();
        let parts = parts(&rate.retail_rate, total);
        assert_eq!(parts.total(), Ok(total));
        parts
    }

    #[test]
    fn what_floats_made_of_an_amount_is_rounded_once() {
        for (written, exact) in
            [("58.995000000000005", "59.00"), ("163.66", "163.66"), ("1e2", "100.00"), ("0.1", "0.10")]
        {
            let text = format!(r#"{{"amount": {written}, "currency": "USD"}}"#);
            let price: Price<'_> = serde_json::from_str(&text).unwrap();
            assert_eq!(priced(&price), Ok(dollars(exact)), "{written}");
        }
        assert_eq!(
            money("price", Number("1".parse().unwrap()), "XAU"),
            Err("currency \"XAU\" is unknown".to_owned())
        );
        assert!(money("price", Number("100000000000000".parse().unwrap()), "USD").is_err());
    }

    #[test]
    fn the_total_is_a_list_or_one_and_never_nothing() {
        let price = |amount: i64| json!({"amount": amount, "currency": "USD"});
        for (total_of, expected) in [
            (json!([price(100)]), Ok(dollars("100.00"))),
            (price(100), Ok(dollars("100.00"))),
            (json!([price(60), price(40)]), Ok(dollars("100.00"))),
            (json!(null), Err("has no price".to_owned())),
            (json!([]), Err("has no price".to_owned())),
            (price(0), Err("has a price of 0.00".to_owned())),
            (price(-5), Err("has a price of -5.00".to_owned())),
        ] {
            let rate = rate(&json!({"total": total_of}), &Value::Null);
            assert_eq!(total(&rate), expected, "{total_of}");
        }
    }

    #[test]
    fn included_lines_are_told_apart_by_their_words_and_the_rooms_are_the_rest() {
        let lines = [
            line(true, "NYC Occupancy Tax", "2.16", "USD"),
            line(true, "taxes", "1", "USD"),
            line(true, "Resort fee", "3", "USD"),
            line(true, "Service charge", "4", "USD"),
            line(true, "NYC Javits Center Fee", "1.62", "USD"),
            line(true, "Private taxi", "5", "USD"),
            line(false, "Facility Fee", "43.61", "USD"),
        ];
        let parts = parts_of(&lines, &Value::Null);
        let expected = RateParts {
            rooms: dollars("83.22"),
            taxes: dollars("3.16"),
            service_charge: dollars("4.00"),
            resort_fee: dollars("3.00"),
            other_fees: dollars("6.62"),
            discounts: dollars("0.00"),
        };
        assert_eq!(parts, expected);
    }

    #[test]
    fn a_higher_initial_price_is_a_discount() {
        let tax = [line(true, "Tax", "10", "USD")];
        let parts = parts_of(&tax, &json!([{"amount": 125.50, "currency": "USD"}]));
        assert_eq!(
            (parts.rooms, parts.taxes, parts.discounts),
            (dollars("115.50"), dollars("10.00"), dollars("25.50"))
        );
        for initial in [
            json!(null),
            json!([{"amount": 100, "currency": "USD"}]),
            json!([{"amount": 90, "currency": "USD"}]),
            json!([{"amount": 125, "currency": "EUR"}]),
        ] {
            assert!(parts_of(&tax, &initial).discounts.is_zero(), "{initial}");
        }
    }

    #[test]
    fn lines_that_cannot_be_true_count_for_nothing() {
        for lines in [
            [line(true, "Tax", "100.01", "USD")],
            [line(true, "Tax", "-1", "USD")],
            [line(true, "Tax", "1", "EUR")],
        ] {
            assert_eq!(parts_of(&lines, &Value::Null), RateParts::plain(dollars("100.00")), "{lines:?}");
        }
    }

    #[test]
    fn what_is_paid_at_the_hotel_keeps_its_currency_and_adds_up_by_name() {
        let lines = [
            line(false, "City tax", "3.50", "EUR"),
            line(false, "City tax", "3.50", "EUR"),
            line(false, "City tax", "1", "USD"),
            line(false, "MANDATORY", "0", "USD"),
            line(true, "City tax", "7", "EUR"),
        ];
        let fees = |lines: &[Value]| {
            let mut fees = Vec::new();
            let rate = rate(&json!({"taxesAndFees": lines}), &Value::Null);
            add_fees_at_hotel(&rate, &mut fees).map(|()| fees)
        };
        let lines: Vec<String> =
            fees(&lines).unwrap().iter().map(|fee| format!("{} {:?}", fee.name, fee.amount)).collect();
        assert_eq!(lines, ["City tax 7.00 EUR", "City tax 1.00 USD"]);
        assert!(fees(&[line(false, "City tax", "-1", "EUR")]).is_err());
    }

    #[test]
    fn a_commission_is_a_part_of_the_price_or_not_told() {
        let price = |amount: &str, currency: &str| {
            let amount: Value = serde_json::from_str(amount).unwrap();
            json!([{"amount": amount, "currency": currency}])
        };
        let commission_of =
            |theirs: &Value| commission(&rate(&json!({}), theirs), dollars("100.00")).map_err(drop);
        for (theirs, expected) in [
            (price("6.28", "USD"), Ok(Some(dollars("6.28")))),
            (price("0", "USD"), Ok(Some(dollars("0.00")))),
            (json!(null), Ok(None)),
            (json!([]), Ok(None)),
            (price("-1", "USD"), Err(())),
            (price("100.01", "USD"), Err(())),
            (price("1", "EUR"), Err(())),
        ] {
            assert_eq!(commission_of(&theirs), expected, "{theirs}");
        }
    }

    #[test]
    fn a_minimum_price_is_one_in_the_currency_of_the_price() {
        let prices = |amount: i64, currency: &str| {
            let text = format!(r#"[{{"amount": {amount}, "currency": "{currency}"}}]"#);
            serde_json::from_str::<Vec<Price<'_>>>(text.leak()).unwrap()
        };
        let usd = Currency::USD;
        assert_eq!(minimum(&prices(186, "USD"), usd), Some(dollars("186.00")));
        assert_eq!(minimum(&prices(0, "USD"), usd), None);
        assert_eq!(minimum(&prices(186, ""), usd), None);
        assert_eq!(minimum(&prices(186, "EUR"), usd), None);
        assert_eq!(minimum(&[], usd), None);
    }
}
