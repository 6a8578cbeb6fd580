//! Arguments that several commands read: amounts, currencies, time zones, passwords.

use std::io::{self, BufRead, Read};

use rust_decimal::Decimal;
use secrecy::{ExposeSecret, SecretString};
use wayfare_domain::{Currency, Zone, parse_currency};

use crate::output::Failure;

/// More than this is no password, whatever it is.
const LONGEST_LINE: u64 = 4096;

/// Digits and a point: no float stands between, and no other way of writing numbers is guessed at.
pub fn amount(text: &str) -> Result<Decimal, &'static str> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || b".-".contains(&byte));
    Decimal::from_str_exact(text).ok().filter(|_| plain).ok_or("must be a decimal number, like 2500.50")
}

/// A currency's code, in either case.
pub fn currency(code: &str) -> Result<Currency, &'static str> {
    parse_currency(&code.to_ascii_uppercase()).ok_or("must be a 3-letter currency code, like INR")
}

/// A time zone by its IANA name.
pub fn time_zone(name: &str) -> Result<Zone, &'static str> {
    name.parse().map_err(|_| "must be a time zone by its IANA name, like Asia/Kolkata")
}

/// The password of a new user. It need not stand among the arguments, where everybody on the machine can see it.
///
/// # Errors
/// When there is none.
pub fn password(given: Option<SecretString>, flag: &str) -> Result<SecretString, Failure> {
    let Some(given) = given else {
        return Err(Failure::Usage(format!(
            "a password is missing: set WAYFARE_PASSWORD, or give `{flag} -` and a line on standard input"
        )));
    };
    if given.expose_secret() != "-" {
        return Ok(given);
    }
    let mut line = String::new();
    let read = io::stdin().lock().take(LONGEST_LINE).read_line(&mut line);
    read.map_err(|error| Failure::Usage(format!("no password on standard input: {error}")))?;
    if line.is_empty() {
        return Err(Failure::Usage("no password on standard input".to_owned()));
    }
    let length = line.trim_end_matches(['\r', '\n']).len();
    line.truncate(length);
    Ok(line.into())
}
