//! Suppliers: how all of them do, one as each server sees it, and what the operator does about it: to sell nothing new, to sell
//! again, to say what our account there holds and when it is low.

use wayfare_client::{
    Amount, Error,
    operator::{
        LookToBook, LookToBookRow, Supplier, SupplierAccount, SupplierDetail, SupplierEvent, SupplierLimits,
        SupplierRefusals, SupplierServer,
    },
};

use super::{signed::OperatorSigned, supplier_words};
use crate::prelude::*;

/// Look-to-book is shown of so many days.
const DAYS: u32 = 30;
/// Agencies that are listed at most.
const MOST_AGENCIES: usize = 50;
const NO_AMOUNT: &str = "Type an amount without blanks or commas, such as 12500.50";

#[derive(Template)]
#[template(path = "operator/suppliers.html")]
struct ListPage {
    shell: Shell,
    rows: Vec<Supplier>,
    /// None where it can't be had now.
    looks: Option<LookToBook>,
}

/// How many servers see it, and how many are gone.
fn servers(supplier: &Supplier) -> String {
    let there = supplier_words::there(supplier).count();
    match supplier.servers.len() - there {
        0 => there.to_string(),
        gone => format!("{there}, {gone} gone"),
    }
}

fn permits_of_all(supplier: &Supplier) -> String {
    let there = supplier_words::there(supplier);
    let (used, all) =
        there.fold((0, 0), |(used, all), server| (used + server.permits_used, all + server.permits));
    format!("{used} of {all}")
}

/// In what time half of its calls are answered, at the slowest server.
fn half(supplier: &Supplier) -> String {
    supplier_words::time(supplier_words::there(supplier).filter_map(|server| server.p50_ms).max())
}

/// The same of 99 of 100 calls.
fn most(supplier: &Supplier) -> String {
    supplier_words::time(supplier_words::there(supplier).filter_map(|server| server.p99_ms).max())
}

impl ListPage {
    /// How often it is searched for each order.
    fn looks(&self, supplier: &Supplier) -> String {
        let rows = self.looks.iter().flat_map(|looks| &looks.rows);
        let (asked, booked) = rows
            .filter(|row| row.supplier == supplier.code)
            .fold((0, 0), |(asked, booked), row| (asked + row.asked, booked + row.booked));
        match asked + booked {
            0 => "–".to_owned(),
            _ => format!("{} ({asked} for {booked})", supplier_words::ratio(asked, booked)),
        }
    }
}

/// Look-to-book, where it can be had: without it the page is shown all the same.
async fn looks(signed: &OperatorSigned) -> Result<Option<LookToBook>, Error> {
    match signed.session.look_to_book(DAYS).await {
        Err(Error::SessionEnded) => Err(Error::SessionEnded),
        read => Ok(read.ok()),
    }
}

/// `GET /operator/suppliers`.
pub async fn list(signed: OperatorSigned) -> Answer {
    let (shell, rows, looks) = futures_util::try_join!(
        signed.shell("Suppliers", Area::Suppliers),
        signed.session.suppliers(),
        looks(&signed),
    )?;
    page::html(&ListPage { shell, rows, looks })
}

#[derive(Template)]
#[template(path = "operator/supplier.html")]
struct SupplierPage {
    shell: Shell,
    supplier: Supplier,
    /// Its agencies; none where they can't be had now.
    looks: Option<Vec<LookToBookRow>>,
    refusals: Vec<SupplierRefusals>,
    events: Vec<SupplierEvent>,
    typed: Fields,
    wrongs: Wrongs,
    done: &'static str,
}

/// What it sells to us.
fn sells(supplier: &Supplier) -> &'static str {
    match supplier.sells.as_deref() {
        Some("flight") => "Sells flights",
        Some("hotel") => "Sells stays",
        _ => "This server does not buy of it",
    }
}

/// Permits that are taken, and calls that wait for one.
fn permits(server: &SupplierServer) -> String {
    match server.permits_waiting {
        0 => format!("{} of {}", server.permits_used, server.permits),
        waiting => format!("{} of {}, {waiting} wait", server.permits_used, server.permits),
    }
}

/// Calls of it that brought nothing.
fn errors(server: &SupplierServer) -> String {
    supplier_words::errors(std::iter::once(server))
}

fn account(supplier: &Supplier) -> Vec<(&'static str, String)> {
    let Some(account) = &supplier.account else { return vec![("Holds", "Not known".to_owned())] };
    let text = |amount: Amount| match &account.currency {
        Some(currency) => money(amount, currency),
        None => amount.to_string(),
    };
    let or = |amount: Option<Amount>, without: &str| amount.map_or_else(|| without.to_owned(), text);
    let seen = match (account.seen_at, account.stated) {
        (None, _) => "Never".to_owned(),
        (Some(at), true) => format!("Stated {}, {} ordered since", Moment::of(at).text, text(account.spent)),
        (Some(at), false) => format!("Read {}", Moment::of(at).text),
    };
    vec![
        ("To spend", or(account.available, "Not known")),
        ("Balance", or(account.balance, "Not known")),
        ("Credit", or(account.credit, "Not known")),
        ("Seen", seen),
        ("Warns below", or(account.warn_below, "Never")),
        ("Stops at", or(account.stop_below, "When it can't pay")),
    ]
}

/// What somebody did, and what they said of it.
fn event(one: &SupplierEvent) -> (&'static str, String) {
    let text = |pointer: &str| {
        let value = one.details.pointer(pointer);
        let value = value.filter(|value| !value.is_null());
        value.map_or_else(String::new, |value| match value.as_str() {
            Some(text) => text.to_owned(),
            None => value.to_string(),
        })
    };
    let limit = |pointer: &str| Some(text(pointer)).filter(|text| !text.is_empty());
    match one.action.as_str() {
        "supplier.closed" => ("Closed for sales", text("/reason")),
        "supplier.opened" => ("Sold again", text("/note")),
        "supplier.balance_stated" => {
            ("Balance stated", format!("{} {}", text("/balance/amount"), text("/balance/currency")))
        }
        "supplier.limits_set" => (
            "Limits set",
            format!(
                "warns below {}, stops at {}",
                limit("/warn_below").unwrap_or_else(|| "nothing".to_owned()),
                limit("/stop_below").unwrap_or_else(|| "nothing".to_owned())
            ),
        ),
        _ => ("Something else", String::new()),
    }
}

/// What is set now, and stands in the forms.
fn stands(supplier: &Supplier) -> Fields {
    let account = supplier.account.as_ref();
    let amount = |of: fn(&SupplierAccount) -> Option<Amount>| account.and_then(of).map(|set| set.to_string());
    let currency = account.and_then(|account| account.currency.clone());
    let set = [
        ("currency", currency),
        ("warn_below", amount(|account| account.warn_below)),
        ("stop_below", amount(|account| account.stop_below)),
    ];
    Fields::of(set.map(|(name, set)| (name, set.unwrap_or_default())))
}

async fn page_of(signed: &OperatorSigned, code: &str, typed: Fields) -> Result<SupplierPage> {
    let (shell, detail, looks) = futures_util::try_join!(
        signed.shell("Supplier", Area::Suppliers),
        signed.session.supplier(code),
        looks(signed),
    )?;
    let SupplierDetail { supplier, refusals, events } = detail;
    let looks = looks.map(|looks| {
        let rows = looks.rows.into_iter().filter(|row| row.supplier == supplier.code);
        rows.take(MOST_AGENCIES).collect()
    });
    let typed = typed.over(stands(&supplier));
    Ok(SupplierPage { shell, supplier, looks, refusals, events, typed, wrongs: Wrongs::default(), done: "" })
}

/// `GET /operator/suppliers/{code}`.
pub async fn show(signed: OperatorSigned, code: Path<String>, fields: Fields) -> Answer {
    let done = fields.done(&[
        ("close", "Nothing new is sold of it. Every server knows within a second or two."),
        ("open", "It is sold again. Every server knows within a second or two."),
        ("balance", "The balance is stated."),
        ("limits", "The limits are set."),
    ]);
    page::html(&SupplierPage { done, ..page_of(&signed, &code, Fields::default()).await? })
}

/// An amount that may be left out; what is wrong with what is none is added.
fn optional(fields: &Fields, name: &str, wrongs: &mut Wrongs) -> Option<Amount> {
    let amount = fields.number(name);
    if amount.is_none() && !fields.get(name).is_empty() {
        wrongs.add(name, NO_AMOUNT);
    }
    amount
}

/// Sends a form to the API; what is wrong with it, where that is seen before.
async fn carry_out(signed: &OperatorSigned, code: &str, act: &str, fields: &Fields) -> Result<Wrongs> {
    let session = &signed.session;
    let mut wrongs = Wrongs::default();
    let done = match act {
        "close" => session.close_supplier(code, fields.get("reason")).await,
        "open" => session.open_supplier(code, fields.given("note").as_deref()).await,
        "balance" => match fields.number("balance") {
            Some(balance) => {
                let currency = fields.get("currency").to_ascii_uppercase();
                session.state_supplier_balance(code, balance, &currency).await
            }
            None => return Ok(Wrongs::one("balance", NO_AMOUNT)),
        },
        "limits" => {
            let limits = SupplierLimits {
                warn_below: optional(fields, "warn_below", &mut wrongs),
                stop_below: optional(fields, "stop_below", &mut wrongs),
            };
            if !wrongs.is_empty() {
                return Ok(wrongs);
            }
            session.set_supplier_limits(code, &limits).await
        }
        _ => return Err(Failure::NoPage),
    };
    match done {
        Ok(()) => Ok(wrongs),
        Err(error) => Wrongs::refused(error, ""),
    }
}

/// `POST /operator/suppliers/{code}/{act}`. Sent twice, it changes nothing the second time but when a balance was stated.
pub async fn act(signed: OperatorSigned, path: Path<(String, String)>, fields: Fields) -> Answer {
    let (code, act) = path.into_inner();
    let wrongs = carry_out(&signed, &code, &act, &fields).await?;
    if wrongs.is_empty() {
        return Ok(see_other(&format!("/operator/suppliers/{code}?done={act}")));
    }
    page::unprocessable(&SupplierPage { wrongs, ..page_of(&signed, &code, fields).await? })
}
