//! A service of somebody else that links Wayfare's crates: its own types are read as before, and amounts keep their digits.

use serde::{Deserialize, Serialize};
use wayfare_client::Error;
use wayfare_contract::Amount;
use wayfare_domain::{Currency, Money, MoneyError};

/// A fare's luggage, of which the JSON says which it is.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Luggage {
    Bag { weight_kg: f64 },
    Bicycle { length_m: f64, frames: u32 },
}

/// Where a place lies, in one of two ways.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Position {
    Degrees { latitude: f64, longitude: f64 },
    Kilometres(f64),
}

/// A payment as the service writes it down: an amount of Wayfare's beside a number of its own.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Payment {
    pub amount: Amount,
    pub share: f64,
}

impl Payment {
    /// The payment as money.
    pub fn money(&self) -> Result<Money, MoneyError> {
        Money::exact(self.amount.into(), Currency::INR)
    }
}

/// Whether it is tried again tomorrow.
pub fn is_for_tomorrow(error: &Error) -> bool {
    match error {
        Error::Unreachable { .. } => true,
        Error::Refused { status, .. } => *status == 503,
        // A later version may know of more.
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, from_str, from_value, to_string};
    use wayfare_client::{Client, Retries};
    use wayfare_contract::flights::RefundState;

    use super::*;

    #[test]
    fn types_with_a_tag_read_their_numbers() {
        for (json, expected) in [
            (r#"{"kind":"bag","weight_kg":23.5}"#, Luggage::Bag { weight_kg: 23.5 }),
            (r#"{"weight_kg":7,"kind":"bag"}"#, Luggage::Bag { weight_kg: 7.0 }),
            (
                r#"{"kind":"bicycle","length_m":1.75,"frames":1}"#,
                Luggage::Bicycle { length_m: 1.75, frames: 1 },
            ),
        ] {
            assert_eq!(from_str::<Luggage>(json).unwrap(), expected, "{json}");
        }
    }

    #[test]
    fn types_without_a_tag_read_their_numbers() {
        let degrees = Position::Degrees { latitude: 28.5665, longitude: 77.1031 };
        assert_eq!(from_str::<Position>(r#"{"latitude":28.5665,"longitude":77.1031}"#).unwrap(), degrees);
        assert_eq!(from_str::<Position>("2.5e3").unwrap(), Position::Kilometres(2500.0));
    }

    #[test]
    fn amounts_are_read_and_written_with_their_digits() {
        for digits in ["99999999999999.99", "0.1", "1.10"] {
            let json = format!(r#"{{"amount":{digits},"share":0.25}}"#);
            let payment: Payment = from_str(&json).unwrap();
            assert_eq!(payment.amount.to_string(), digits);
            assert_eq!(to_string(&payment).unwrap(), json);
            assert_eq!(payment.money().unwrap().amount(), payment.amount.into());
        }
    }

    #[test]
    fn flattened_amounts_keep_their_digits() {
        let json = r#"{"booking_ref":"FA-7K2M9QX4","status":"pending","provider":"duffel","cancellation_charge":0.10,
            "provider_refund_amount":99999999999999.99,"platform_charges":1.10,"refund_to_wallet":90071992547409.93,"currency":"INR",
            "refund_id":"","credit_note_no":"","refunded_at":null,"message":""}"#;
        let state: RefundState = from_str(json).unwrap();
        let amounts = &state.amounts;
        let told = [amounts.cancellation_charge, amounts.provider_refund_amount, amounts.refund_to_wallet];
        assert_eq!(told.map(|amount| amount.to_string()), ["0.10", "99999999999999.99", "90071992547409.93"]);
        assert!(to_string(&state).unwrap().contains(r#""provider_refund_amount":99999999999999.99,"#));
    }

    #[test]
    fn an_amount_that_a_float_has_rounded_is_refused() {
        for (digits, is_read) in [("1234567890123.45", true), ("99999999999999.99", false)] {
            let tree: Value = from_str(digits).unwrap();
            assert_eq!(from_value::<Amount>(tree).is_ok(), is_read, "{digits}");
            let stored = format!(r#"{{"amount":{digits},"currency":"INR"}}"#);
            let tree: Value = from_str(&stored).unwrap();
            assert_eq!(from_value::<Money>(tree).is_ok(), is_read, "{digits}");
            assert!(from_str::<Money>(&stored).is_ok());
        }
    }

    #[tokio::test]
    async fn a_server_that_is_not_there_is_asked_again_tomorrow() {
        // Nobody listens at the first port.
        let client = Client::builder("http://127.0.0.1:1").retries(Retries::none()).build().unwrap();
        let error = client.log_in("WF7K2M9Q", "asha", "correct horse 7").await.err().unwrap();
        assert!(is_for_tomorrow(&error), "{error}");
        assert!(!is_for_tomorrow(&Error::SessionEnded));
    }
}
