//! What clients and servers send to each other comes through as it is.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use rust_decimal::Decimal;
use serde::Deserialize;
use wayfare_contract::{
    Amount,
    vocabulary::{BookingStatus, MealPlan, Role},
};

#[test]
fn every_digit_comes_through() {
    for digits in ["0", "0.00", "4810.50", "-12.340", "9007199254740993.01", "0.1"] {
        let amount: Amount = serde_json::from_str(digits).unwrap();
        assert_eq!(amount.to_string(), digits);
        assert_eq!(serde_json::to_string(&amount).unwrap(), digits);
        let held: serde_json::Value = serde_json::from_str(digits).unwrap();
        assert_eq!(serde_json::from_value::<Amount>(held).unwrap(), amount);
    }
    let text: Amount = serde_json::from_str("\"4810.50\"").unwrap();
    assert_eq!(text.to_string(), "4810.50");
    assert_eq!(serde_json::from_str::<Amount>("1e3").unwrap().0, Decimal::from(1000));
    #[derive(Deserialize)]
    struct Flat {
        #[serde(flatten)]
        inner: Inner,
    }
    #[derive(Deserialize)]
    struct Inner {
        amount: Amount,
    }
    let flat: Flat = serde_json::from_str(r#"{"amount":9007199254740993.010}"#).unwrap();
    assert_eq!(flat.inner.amount.to_string(), "9007199254740993.010");
    for wrong in ["null", "\"\"", "true", "[1]", "123456789012345678901234567890123"] {
        assert!(serde_json::from_str::<Amount>(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn a_word_that_is_new_is_kept_and_case_does_not_matter() {
    for (json, expected) in [
        ("\"confirmed\"", BookingStatus::Confirmed),
        ("\"CONFIRMED\"", BookingStatus::Confirmed),
        ("\"on_its_way\"", BookingStatus::Unknown("on_its_way".to_owned())),
    ] {
        assert_eq!(serde_json::from_str::<BookingStatus>(json).unwrap(), expected);
    }
    let new = BookingStatus::from("on_its_way");
    assert_eq!(serde_json::to_string(&new).unwrap(), "\"on_its_way\"");
    assert_eq!(MealPlan::from("other"), MealPlan::Other);
    assert!(serde_json::from_str::<Role>("7").is_err());
}
