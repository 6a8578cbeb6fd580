//! How amounts read.

use rust_decimal::Decimal;
use wayfare_client::Amount;

/// An amount with its currency: `₹8,412.00`, `₹12,40,000.00`, `CHF 12.50`.
pub fn money(amount: Amount, currency: &str) -> String {
    let sign = if amount.0.is_sign_negative() && !amount.0.is_zero() { "−" } else { "" };
    let digits = digits(amount.0.abs(), currency);
    match symbol(currency) {
        Some(symbol) => format!("{sign}{symbol}{digits}"),
        None => format!("{sign}{currency}\u{a0}{digits}"),
    }
}

fn symbol(currency: &str) -> Option<&'static str> {
    Some(match currency {
        "INR" => "₹",
        "USD" => "$",
        "EUR" => "€",
        "GBP" => "£",
        "JPY" => "¥",
        _ => return None,
    })
}

/// The smallest part of a currency, as places behind the point.
fn places(currency: &str) -> usize {
    match currency {
        "JPY" | "KRW" | "VND" | "CLP" | "ISK" => 0,
        "BHD" | "KWD" | "OMR" | "JOD" | "TND" => 3,
        _ => 2,
    }
}

fn digits(amount: Decimal, currency: &str) -> String {
    let places = places(currency);
    let text = amount.normalize().to_string();
    let (whole, rest) = text.split_once('.').unwrap_or((&text, ""));
    let grouped = grouped(whole, currency == "INR");
    match places.max(rest.len()) {
        0 => grouped,
        width => format!("{grouped}.{rest:0<width$}"),
    }
}

/// A count with its thousands apart: `1,000,000`.
pub fn thousands(count: i64) -> String {
    grouped(&count.to_string(), false)
}

/// In thousands; in India the first three from the right, then pairs.
fn grouped(whole: &str, is_indian: bool) -> String {
    let mut reversed = String::new();
    for (place, digit) in whole.chars().rev().enumerate() {
        let ends_group = match is_indian {
            true => place >= 3 && place % 2 == 1,
            false => place > 0 && place % 3 == 0,
        };
        if ends_group {
            reversed.push(',');
        }
        reversed.push(digit);
    }
    reversed.chars().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_read_as_where_they_are_spent() {
        for (amount, currency, expected) in [
            ("8412", "INR", "₹8,412.00"),
            ("1240000.5", "INR", "₹12,40,000.50"),
            ("123456789.01", "INR", "₹12,34,56,789.01"),
            ("-999", "INR", "−₹999.00"),
            ("1234567.8", "USD", "$1,234,567.80"),
            ("0", "CHF", "CHF\u{a0}0.00"),
            ("1500", "JPY", "¥1,500"),
            ("1.5", "KWD", "KWD\u{a0}1.500"),
        ] {
            assert_eq!(money(amount.parse().unwrap(), currency), expected);
        }
    }
}
