//! Amounts as programs write them. Their digits are moved as text and decimals, never through a binary float.

use rust_decimal::Decimal;
use serde_json::Value;

/// The digits of an amount, be it a number or a text.
fn digits(value: &Value) -> Option<Decimal> {
    let text = match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
    };
    text.parse().or_else(|_| Decimal::from_scientific(&text)).ok()
}

/// These digits in the form that the amount had: a text stays one.
fn in_form_of(value: &Value, digits: &str) -> Option<Value> {
    match value {
        Value::String(_) => Some(digits.into()),
        _ => number(digits),
    }
}

/// A JSON number with these digits.
fn number(digits: &str) -> Option<Value> {
    serde_json::from_str(digits).ok()
}

pub(crate) fn as_text(value: &Value) -> Option<Value> {
    Some(digits(value)?.to_string().into())
}

pub(crate) fn as_number(value: &Value) -> Option<Value> {
    number(&digits(value)?.to_string())
}

/// What sums of binary floats leave behind the last digit, above the amount.
pub(crate) fn with_noise(value: &Value) -> Option<Value> {
    noisy(value, Decimal::new(1, 12))
}

pub(crate) fn with_noise_below(value: &Value) -> Option<Value> {
    noisy(value, Decimal::new(-1, 12))
}

fn noisy(value: &Value, noise: Decimal) -> Option<Value> {
    let amount = digits(value)?;
    // Nothing was added up to come to nothing.
    if amount.is_zero() {
        return None;
    }
    let noisy = if amount.is_sign_negative() { amount - noise } else { amount + noise };
    in_form_of(value, &noisy.to_string())
}

/// `5267.66` as `5.26766E3`.
pub(crate) fn with_exponent(value: &Value) -> Option<Value> {
    let amount = digits(value)?.normalize();
    let sign = if amount.is_sign_negative() { "-" } else { "" };
    let mantissa = amount.mantissa().unsigned_abs().to_string();
    let (first, rest) = mantissa.split_at_checked(1)?;
    let exponent = i64::try_from(rest.len()).ok()? - i64::from(amount.scale());
    let rest = rest.trim_end_matches('0');
    let point = if rest.is_empty() { "" } else { "." };
    in_form_of(value, &format!("{sign}{first}{point}{rest}E{exponent}"))
}

/// `5267.66` as `5267.66000000000`.
pub(crate) fn with_more_zeros(value: &Value) -> Option<Value> {
    let mut amount = digits(value)?;
    amount.rescale(amount.scale() + 9);
    in_form_of(value, &amount.to_string())
}

/// `5267.60` as `5267.6`, `100.00` as `100`.
pub(crate) fn without_zeros(value: &Value) -> Option<Value> {
    in_form_of(value, &digits(value)?.normalize().to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn number(digits: &str) -> Value {
        serde_json::from_str(digits).unwrap()
    }

    #[test]
    fn digits_stay_what_they_are() {
        type Change = fn(&Value) -> Option<Value>;
        let cases: [(Change, Value, &str); 12] = [
            (as_text, number("5267.660"), "\"5267.660\""),
            (as_number, json!("163.66"), "163.66"),
            (as_number, json!("0.10"), "0.10"),
            (with_noise, number("5267.66"), "5267.660000000001"),
            (with_noise, json!("-24.8"), "\"-24.800000000001\""),
            (with_noise_below, number("5267.66"), "5267.659999999999"),
            (with_exponent, json!("5267.66"), "\"5.26766E3\""),
            (with_exponent, json!("0.05"), "\"5E-2\""),
            (with_exponent, json!("100.00"), "\"1E2\""),
            (with_more_zeros, json!("1.5"), "\"1.5000000000\""),
            (without_zeros, json!("1200.00"), "\"1200\""),
            (without_zeros, number("135.50"), "135.5"),
        ];
        for (change, amount, odd) in cases {
            assert_eq!(change(&amount).unwrap().to_string(), odd, "{amount}");
        }
        assert_eq!(with_noise(&json!("0.00")), None);
        assert_eq!(as_text(&json!({})), None);
    }

    #[test]
    fn every_form_is_the_same_amount_again() {
        for text in ["5267.66", "-24.8", "0.00", "100.00", "99999999999.99", "7"] {
            let amount = json!(text);
            for change in [as_text, as_number, with_exponent, with_more_zeros, without_zeros] {
                let odd = change(&amount).unwrap();
                assert_eq!(digits(&odd).unwrap(), digits(&amount).unwrap(), "{odd}");
            }
        }
    }
}
