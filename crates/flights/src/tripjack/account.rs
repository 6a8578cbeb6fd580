//! What our account holds: `GET /ums/v1/user-detail`.

use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::Value;
use wayfare_domain::Currency;
use wayfare_supply::{
    AccountBalance,
    amounts::number,
    reading::{Unreadable, parse},
};

/// Clients of the API find the balances at one of two places.
#[derive(Deserialize)]
struct Told {
    user: Option<User>,
    #[serde(flatten)]
    at_the_top: Balances,
}

#[derive(Deserialize)]
struct User {
    bs: Option<Balances>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Balances {
    total_balance: Option<Value>,
    wallet_balance: Option<Value>,
    credit_balance: Option<Value>,
}

/// What the account holds, in rupees; none where no balance is told, which is not nothing.
pub(super) fn balance(body: &[u8]) -> Result<Option<AccountBalance>, Unreadable> {
    let told: Told = parse(body)?;
    let balances = told.user.and_then(|user| user.bs).unwrap_or(told.at_the_top);
    let total = amount(balances.total_balance.as_ref());
    let (wallet, credit) =
        (amount(balances.wallet_balance.as_ref()), amount(balances.credit_balance.as_ref()));
    let (balance, credit) = match (wallet, credit) {
        (None, None) => (total, None),
        parts => parts,
    };
    let is_known = balance.is_some() || credit.is_some();
    Ok(is_known.then_some(AccountBalance { balance, credit, currency: Currency::INR }))
}

/// A number, or a text that is one.
fn amount(value: Option<&Value>) -> Option<Decimal> {
    match value? {
        Value::Number(theirs) => number(&theirs.to_string()),
        Value::String(text) => number(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use rust_decimal::dec;

    use super::*;

    #[test]
    fn balances_are_read_at_both_places_and_none_is_not_nothing() {
        let read = |body: &str| {
            let read = balance(body.as_bytes()).unwrap();
            read.map(|read| (read.balance, read.credit))
        };
        let nested = r#"{"user":{"bs":{"totalBalance":15.5,"walletBalance":10.5,"creditBalance":5}}}"#;
        assert_eq!(read(nested), Some((Some(dec!(10.5)), Some(dec!(5)))));
        let at_the_top = r#"{"userId":"1","totalBalance":"15.5"}"#;
        assert_eq!(read(at_the_top), Some((Some(dec!(15.5)), None)));
        let overdrawn = r#"{"walletBalance":-3,"creditBalance":0}"#;
        assert_eq!(read(overdrawn), Some((Some(dec!(-3)), Some(dec!(0)))));
        for unknown in ["{}", r#"{"user":{}}"#, r#"{"user":{"bs":{}}}"#, r#"{"totalBalance":"many"}"#] {
            assert_eq!(read(unknown), None, "{unknown}");
        }
        assert!(balance(b"[").is_err());
    }
}
