//! Exchange rates: which ones count and whence they are, the operator's own, and the central bank's file. What a rate does is
//! shown before it is set, and what a file changes before it is taken.

use actix_web::web::FormConfig;
use wayfare_client::{
    Amount,
    operator::{ExchangeRate, FareAtRates, ImportedRates, QuotedRate, RateChange},
};

use super::signed::OperatorSigned;
use crate::{day::day, prelude::*};

/// A form with a file, of which each letter may come as three.
const LONGEST_FORM: usize = 200 * 1024;
/// The bank publishes on working days: an older file has been forgotten.
const OLD: i64 = 4;

pub fn mount(config: &mut ServiceConfig) {
    let of_file = |path: &str| web::resource(path).app_data(FormConfig::default().limit(LONGEST_FORM));
    config
        .service(web::resource("/rates").get(list))
        .service(web::resource("/rates/check").post(check))
        .service(web::resource("/rates/set").post(set))
        .service(web::resource("/rates/remove").post(remove))
        .service(of_file("/rates/import").get(show_import).post(import))
        .service(of_file("/rates/import/check").post(check_import));
}

#[derive(Template)]
#[template(path = "operator/rates.html")]
struct RatesPage {
    shell: Shell,
    rows: Vec<ExchangeRate>,
    /// The rate that was looked up, if there is one; none where nobody looks one up.
    found: Option<Option<ExchangeRate>>,
    from: String,
    to: String,
    rate: String,
    wrongs: Wrongs,
    done: &'static str,
}

fn source(source: &str, age: Option<i64>) -> Status {
    match source {
        "operator" => Status::new("info", "●", "Ours"),
        "configuration" => Status::new("", "●", "Configuration"),
        _ if age.is_some_and(|days| days > OLD) => Status::new("warn", "!", "Central bank, old"),
        _ => Status::new("ok", "●", "Central bank"),
    }
}

fn age(days: Option<i64>) -> String {
    match days {
        None => String::new(),
        Some(..=0) => "today".to_owned(),
        Some(1) => "1 day".to_owned(),
        Some(days) => format!("{days} days"),
    }
}

fn plain(rate: &Amount) -> String {
    rate.0.normalize().to_string()
}

async fn page_of(signed: &OperatorSigned, fields: &Fields, wrongs: Wrongs) -> Result<RatesPage> {
    let rates = signed.session.rates();
    let (shell, rates) = futures_util::try_join!(signed.shell("Rates", Area::Rates), rates)?;
    Ok(RatesPage {
        shell,
        rows: rates,
        found: None,
        from: code(fields, "from"),
        to: code(fields, "to"),
        rate: fields.get("rate").to_owned(),
        wrongs,
        done: "",
    })
}

fn code(fields: &Fields, name: &str) -> String {
    fields.get(name).to_ascii_uppercase()
}

/// Whether it can be the code of a currency, as addresses have it.
fn is_code(code: &str) -> bool {
    code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// `GET /operator/rates`; with `from` and `to` the rate between two currencies, also one that is worked out.
async fn list(signed: OperatorSigned, fields: Fields) -> Answer {
    let mut shown = page_of(&signed, &fields, Wrongs::default()).await?;
    shown.done = fields.done(&[
        ("set", "The rate is set. It counts from the very next request on; quotes keep the rate they have."),
        ("removed", "The rate is taken back."),
        ("imported", "The file is taken. Its rates count from the very next request on."),
    ]);
    if fields.says_something(&["from", "to"]) {
        shown.wrongs = codes(&fields);
        if shown.wrongs.is_empty() {
            shown.found = match signed.session.rate(&shown.from, &shown.to).await {
                Ok(rate) => Some(Some(rate)),
                Err(error) if error.is_not_found() => Some(None),
                Err(error) => return Err(error.into()),
            };
        }
    }
    page::html(&shown)
}

/// What is wrong with the two currencies that were typed.
fn codes(fields: &Fields) -> Wrongs {
    let mut wrongs = Wrongs::default();
    let (from, to) = (code(fields, "from"), code(fields, "to"));
    for (name, code) in [("from", &from), ("to", &to)] {
        if !is_code(code) {
            wrongs.add(name, "Type a currency's three letters, such as INR");
        }
    }
    if wrongs.is_empty() && from == to {
        wrongs.add("to", "Type another currency");
    }
    wrongs
}

/// What was typed for a rate of our own.
struct Typed {
    from: String,
    to: String,
    rate: Amount,
}

impl Typed {
    fn of(fields: &Fields) -> Result<Self, Wrongs> {
        let mut wrongs = codes(fields);
        if fields.given("rate").is_none() {
            wrongs.add("rate", "How many units of the second for one of the first?");
        }
        let rate = fields.amount("rate", &mut wrongs);
        match rate.filter(|_| wrongs.is_empty()) {
            Some(rate) => Ok(Self { from: code(fields, "from"), to: code(fields, "to"), rate }),
            None => Err(wrongs),
        }
    }
}

async fn again(signed: &OperatorSigned, fields: &Fields, wrongs: Wrongs) -> Answer {
    page::unprocessable(&page_of(signed, fields, wrongs).await?)
}

#[derive(Template)]
#[template(path = "operator/rate_check.html")]
struct CheckPage {
    shell: Shell,
    change: RateChange,
}

/// A fare at the rate that counts, and how much more or less it is at the new one.
fn difference(fare: &FareAtRates) -> Option<(String, String)> {
    let text = |amount: Amount| money(amount, &fare.currency);
    let before = fare.before?;
    // Both are amounts of money: so is what lies between.
    let more = fare.after.0 - before.0;
    let difference = match more {
        less if less.is_zero() => "the same".to_owned(),
        less if less.is_sign_negative() => format!("{} less", text(less.abs().into())),
        more => format!("{} more", text(more.into())),
    };
    Some((text(before), difference))
}

fn words(quoted: &QuotedRate) -> String {
    let of = match (quoted.source.as_str(), quoted.day) {
        ("operator", Some(of)) => format!("ours of {}", day(of)),
        ("ecb", Some(of)) => format!("the central bank's of {}", day(of)),
        _ => "the configuration's".to_owned(),
    };
    format!("{}, {of}", plain(&quoted.rate))
}

/// A code that no currency has is no page, and no reason to lose what was typed.
fn wrongs_of(error: wayfare_client::Error) -> Result<Wrongs> {
    if error.is_not_found() {
        return Ok(Wrongs::one("from", "One of both is no currency that is known here"));
    }
    Wrongs::refused(error, "")
}

/// `POST /operator/rates/check`: what a rate does. Nothing is stored.
async fn check(signed: OperatorSigned, fields: Fields) -> Answer {
    let typed = match Typed::of(&fields) {
        Ok(typed) => typed,
        Err(wrongs) => return again(&signed, &fields, wrongs).await,
    };
    let asked = signed.session.preview_rate(&typed.from, &typed.to, typed.rate);
    match asked.await {
        Ok(change) => {
            page::html(&CheckPage { shell: signed.shell("Set a rate", Area::Rates).await?, change })
        }
        Err(error) => again(&signed, &fields, wrongs_of(error)?).await,
    }
}

/// `POST /operator/rates/set`: what was checked. A form that comes twice sets the same.
async fn set(signed: OperatorSigned, fields: Fields) -> Answer {
    let typed = match Typed::of(&fields) {
        Ok(typed) => typed,
        Err(wrongs) => return again(&signed, &fields, wrongs).await,
    };
    let asked = signed.session.set_rate(&typed.from, &typed.to, typed.rate);
    match asked.await {
        Ok(_) => Ok(see_other("/operator/rates?done=set")),
        Err(error) => again(&signed, &fields, wrongs_of(error)?).await,
    }
}

/// `POST /operator/rates/remove`. What is taken back already, is: the form came twice.
async fn remove(signed: OperatorSigned, fields: Fields) -> Answer {
    let removed = signed.session.remove_rate(fields.get("from"), fields.get("to"));
    match removed.await {
        Err(error) if !error.is_not_found() => Err(error.into()),
        _ => Ok(see_other("/operator/rates?done=removed")),
    }
}

#[derive(Template)]
#[template(path = "operator/rates_import.html")]
struct ImportPage {
    shell: Shell,
    typed: Fields,
    /// What the file changes, where that was asked.
    imported: Option<ImportedRates>,
    wrongs: Wrongs,
}

/// By how much a rate differs.
fn percent(percent: &Amount) -> String {
    match percent.0.is_sign_negative() {
        true => format!("−{} %", percent.0.abs()),
        false => format!("+{} %", percent.0),
    }
}

/// How many rates stay as they are.
fn unchanged(imported: &ImportedRates) -> usize {
    let changed = imported.changes.iter().filter(|change| change.after.is_some());
    imported.rates.saturating_sub(changed.count())
}

fn skipped(imported: &ImportedRates) -> String {
    let skipped = imported.skipped.iter();
    let skipped = skipped.map(|skipped| format!("{} in line {}", skipped.code, skipped.line));
    skipped.collect::<Vec<_>>().join(", ")
}

async fn import_page(
    signed: &OperatorSigned,
    fields: &Fields,
    imported: Option<ImportedRates>,
    wrongs: Wrongs,
) -> Result<ImportPage> {
    let shell = signed.shell("Import rates", Area::Rates).await?;
    Ok(ImportPage { shell, typed: fields.clone(), imported, wrongs })
}

/// `GET /operator/rates/import`.
async fn show_import(signed: OperatorSigned) -> Answer {
    page::html(&import_page(&signed, &Fields::default(), None, Wrongs::default()).await?)
}

async fn import_again(signed: &OperatorSigned, fields: &Fields, wrongs: Wrongs) -> Answer {
    page::unprocessable(&import_page(signed, fields, None, wrongs).await?)
}

/// The file that was typed in; what is wrong where none was.
fn file_of(fields: &Fields) -> Result<String, Wrongs> {
    fields.given("file").ok_or_else(|| Wrongs::one("file", "Put the text of the file here"))
}

/// `POST /operator/rates/import/check`: what a file changes. Nothing is stored.
async fn check_import(signed: OperatorSigned, fields: Fields) -> Answer {
    let file = match file_of(&fields) {
        Ok(file) => file,
        Err(wrongs) => return import_again(&signed, &fields, wrongs).await,
    };
    let asked = signed.session.preview_import(&file, fields.is_ticked("force"));
    match asked.await {
        Ok(imported) => page::html(&import_page(&signed, &fields, Some(imported), Wrongs::default()).await?),
        Err(error) => import_again(&signed, &fields, Wrongs::refused(error, "")?).await,
    }
}

/// `POST /operator/rates/import`: the file whose difference was shown. A form that comes twice brings the same.
async fn import(signed: OperatorSigned, fields: Fields) -> Answer {
    let file = match file_of(&fields) {
        Ok(file) => file,
        Err(wrongs) => return import_again(&signed, &fields, wrongs).await,
    };
    let asked = signed.session.import_rates(&file, fields.is_ticked("force"));
    match asked.await {
        Ok(_) => Ok(see_other("/operator/rates?done=imported")),
        Err(error) => import_again(&signed, &fields, Wrongs::refused(error, "")?).await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_banks_rate_grows_old_and_ours_does_not() {
        for (of, days, expected) in [
            ("operator", Some(400), "Ours"),
            ("configuration", None, "Configuration"),
            ("ecb", Some(0), "Central bank"),
            ("ecb", Some(4), "Central bank"),
            ("ecb", Some(5), "Central bank, old"),
        ] {
            assert_eq!(source(of, days).word, expected, "{of} {days:?}");
        }
        assert_eq!([Some(0), Some(1), Some(2), None].map(age), ["today", "1 day", "2 days", ""]);
    }

    #[test]
    fn two_currencies_are_typed_that_differ() {
        let typed = |from: &str, to: &str| {
            let typed = Fields::of([("from", from), ("to", to), ("rate", "1")]);
            codes(&typed).iter().map(|wrong| wrong.field.clone()).collect::<Vec<_>>()
        };
        assert_eq!(typed("gbp", "INR"), [""; 0]);
        assert_eq!(typed("pounds", ""), ["from", "to"]);
        assert_eq!(typed("INR", "inr"), ["to"]);
    }
}
