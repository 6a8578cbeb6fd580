//! Money into an agency's wallet and out of it: the amount is typed twice, with a reason, and the password is confirmed. And
//! what happened in a wallet.

use chrono::NaiveDate;
use rust_decimal::Decimal;
use wayfare_client::{
    Amount,
    enums::TransactionType,
    operator::{Agency, MoveMoney, WalletStatement},
};

use super::signed::{LONG_AGO, OperatorSigned, confirm, wants_password};
use crate::{failure::sentence, prelude::*};

#[derive(Template)]
#[template(path = "operator/money.html")]
struct MoneyPage {
    shell: Shell,
    agency: Agency,
    typed: Fields,
    wrongs: Wrongs,
}

async fn page_of(signed: &OperatorSigned, code: &str, fields: &Fields, wrongs: Wrongs) -> Result<MoneyPage> {
    let shell = signed.shell("Move money", Area::Agencies);
    let (shell, agency) = futures_util::try_join!(shell, signed.session.agency(code))?;
    Ok(MoneyPage { shell, agency, typed: fields.clone(), wrongs })
}

/// `GET /operator/agencies/{code}/money`.
pub async fn show(signed: OperatorSigned, code: Path<String>) -> Answer {
    page::html(&page_of(&signed, &code, &Fields::default(), Wrongs::default()).await?)
}

/// What is wrong with the form before the API is asked, and the amount.
fn check(fields: &Fields) -> (Wrongs, Amount) {
    let mut wrongs = Wrongs::default();
    let act = fields.get("act");
    if !["topup", "deduct", "credit-limit"].contains(&act) {
        wrongs.add("act", "Choose what is done");
    }
    let amount: Option<Amount> = fields.number("amount");
    let is_good = amount.is_some_and(|amount| match act {
        "credit-limit" => amount.0 >= Decimal::ZERO,
        _ => amount.0 > Decimal::ZERO,
    });
    if !is_good {
        wrongs.add("amount", "Type an amount without blanks or commas, such as 12500.50");
    } else if amount != fields.number("amount_again") {
        wrongs.add("amount_again", "Is not the same amount");
    }
    if fields.get("reason").is_empty() && act != "credit-limit" {
        wrongs.add("reason", "Say why: the agency reads it");
    }
    (wrongs, amount.unwrap_or_default())
}

/// `POST /operator/agencies/{code}/money`, once under the form's key.
pub async fn carry_out(signed: OperatorSigned, code: Path<String>, fields: Fields) -> Answer {
    let key = fields.key()?;
    let (mut wrongs, amount) = check(&fields);
    let password = fields.exact("password");
    if wrongs.is_empty() && !password.is_empty() {
        // It is confirmed before anything moves.
        wrongs = confirm(&signed.session, password, "password").await?;
    }
    if wrongs.is_empty() {
        let session = signed.session.keyed(key);
        let (act, username) = (fields.get("act"), fields.given("username"));
        let wanted =
            MoveMoney { amount, reason: fields.get("reason").to_owned(), username: username.clone() };
        let done = match act {
            "topup" => session.top_up(&code, &wanted).await.map(drop),
            "deduct" => session.deduct(&code, &wanted).await.map(drop),
            _ => session.set_credit_limit(&code, username.as_deref(), amount).await.map(drop),
        };
        match done {
            Ok(()) => return Ok(see_other(&format!("/operator/agencies/{code}?done={act}"))),
            Err(error) if wants_password(&error) => wrongs.add("password", LONG_AGO),
            Err(error) => wrongs = Wrongs::refused(error, "")?,
        }
    }
    page::unprocessable(&page_of(&signed, &code, &fields, wrongs).await?)
}

#[derive(Template)]
#[template(path = "operator/statement.html")]
struct StatementPage {
    shell: Shell,
    agency: Agency,
    typed: Fields,
    problem: String,
    /// None where there is a problem.
    statement: Option<WalletStatement>,
}

fn sums(statement: &WalletStatement) -> Sums {
    Sums::of(&statement.currency)
        .line("Opening balance", statement.opening_balance)
        .line("Credits", statement.total_credits)
        .line("Debits", -statement.total_debits.0)
        .total("Closing balance", statement.closing_balance)
}

/// `GET /operator/agencies/{code}/statement`.
pub async fn statement(signed: OperatorSigned, code: Path<String>, fields: Fields) -> Answer {
    let (from, to): (Option<NaiveDate>, Option<NaiveDate>) = (fields.number("from"), fields.number("to"));
    let username = fields.given("username");
    let shell = signed.shell("Statement", Area::Agencies);
    let (shell, agency) = futures_util::try_join!(shell, signed.session.agency(&code))?;
    let mut shown = StatementPage { shell, agency, typed: fields, problem: String::new(), statement: None };
    let read = signed.session.statement(&code, username.as_deref(), from, to).await;
    match read {
        Ok(statement) => shown.statement = Some(statement),
        Err(error) if error.is_not_found() => {
            shown.problem = format!("There is no user {} there.", shown.typed.get("username"));
        }
        Err(error) if error.status() == Some(422) => {
            let faults = error.field_faults().into_iter();
            let said: Vec<String> =
                faults.map(|fault| format!("{} {}", sentence(&fault.field), fault.reason)).collect();
            shown.problem = said.join(". ");
        }
        Err(error) => return Err(error.into()),
    }
    page::html(&shown)
}
