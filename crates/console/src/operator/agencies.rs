//! Agencies: all of them, one with its wallet and its users, and what changes them.

use secrecy::ExposeSecret;
use wayfare_client::{
    Amount, Error,
    enums::Standing,
    operator::{Agency, AgencyRow, AgencyUser},
};

use super::signed::OperatorSigned;
use crate::prelude::*;

#[derive(Template)]
#[template(path = "operator/agencies.html")]
struct ListPage {
    shell: Shell,
    search: String,
    rows: Vec<AgencyRow>,
}

fn standing(status: &Standing) -> Status {
    match status {
        Standing::Active => Status::new("ok", "●", "Active"),
        _ => Status::new("bad", "✕", "Suspended"),
    }
}

/// An amount of an agency's wallet, where that can be read.
fn readable(amount: Option<Amount>, currency: &str) -> String {
    amount.map_or_else(|| "Not readable".to_owned(), |amount| money(amount, currency))
}

/// What is blocked in all its wallets.
fn held(agency: &AgencyRow) -> String {
    let held = agency.held.map(|held| (held.0 + agency.users_held.0).into());
    readable(held, &agency.currency)
}

/// `GET /operator/agencies`; with `q` those whose code or name has it.
pub async fn list(signed: OperatorSigned, fields: Fields) -> Answer {
    let search = fields.get("q").to_owned();
    let agencies = signed.session.agencies();
    let (shell, all) = futures_util::try_join!(signed.shell("Agencies", Area::Agencies), agencies)?;
    let wanted = search.to_lowercase();
    let matches = |agency: &AgencyRow| {
        [&agency.agent_id, &agency.name].iter().any(|text| text.to_lowercase().contains(&wanted))
    };
    page::html(&ListPage { shell, rows: all.into_iter().filter(matches).collect(), search })
}

#[derive(Template)]
#[template(path = "operator/agency.html")]
struct AgencyPage {
    shell: Shell,
    agency: Agency,
    users: Vec<AgencyUser>,
    wrongs: Wrongs,
    secret: Option<(String, String)>,
    done: &'static str,
}

struct WalletView {
    spendable: String,
    own: Sums,
    all: Sums,
}

fn wallet(agency: &Agency) -> WalletView {
    // What is set aside and what may be borrowed are amounts that exist: their sum is one, too.
    let spendable = agency.balance.0 + agency.credit_limit.0 - agency.held.0;
    let sums = || Sums::of(&agency.currency);
    WalletView {
        spendable: money(spendable.into(), &agency.currency),
        own: sums()
            .line("Balance", agency.balance)
            .line("Blocked for bookings being confirmed", -agency.held.0)
            .part("Credit limit", agency.credit_limit)
            .total("Available balance", spendable),
        all: sums()
            .line("Agency's wallet", agency.balance)
            .line("Its users' wallets", agency.users_balance)
            .with_note(format!(
                "{} of it blocked for bookings being confirmed",
                money(agency.users_held, &agency.currency)
            ))
            .total("Total balance", agency.balance.0 + agency.users_balance.0),
    }
}

fn facts(agency: &Agency) -> Vec<(&'static str, String)> {
    let mut facts = vec![
        ("E-mail", agency.email.clone()),
        ("Telephone", agency.phone.clone()),
        ("Address", agency.address.clone()),
        ("Country", agency.country.clone()),
        ("Time zone", agency.timezone.clone()),
        ("Subscription", agency.subscription_type.as_str().replace('_', " ")),
        (
            "Buys from",
            match &agency.suppliers {
                None => "All suppliers".to_owned(),
                Some(codes) if codes.is_empty() => "No supplier".to_owned(),
                Some(codes) => codes.join(", "),
            },
        ),
        (
            "Log-in from",
            match agency.ip_whitelist_enabled {
                false => "Anywhere".to_owned(),
                true if agency.whitelist.is_empty() => "Nowhere".to_owned(),
                true => agency.whitelist.join(", "),
            },
        ),
    ];
    facts.retain(|(_, value)| !value.is_empty());
    facts
}

async fn page_of(signed: &OperatorSigned, code: &str) -> Result<AgencyPage> {
    let session = &signed.session;
    let (shell, agency, users) = futures_util::try_join!(
        signed.shell("Agency", Area::Agencies),
        session.agency(code),
        session.agency_users(code),
    )?;
    Ok(AgencyPage { shell, agency, users, wrongs: Wrongs::default(), secret: None, done: "" })
}

/// `GET /operator/agencies/{code}`.
pub async fn show(signed: OperatorSigned, code: Path<String>, fields: Fields) -> Answer {
    let done = fields.done(&[
        ("topup", "The money is in the wallet."),
        ("deduct", "The money is taken out of the wallet."),
        ("credit-limit", "The credit line is set."),
        ("standing", "It is changed."),
        ("created", "The agency is added. Its first user may log in."),
        ("user", "The user is added."),
    ]);
    page::html(&AgencyPage { done, ..page_of(&signed, &code).await? })
}

/// Back to the agency, or what was said against it.
async fn changed(signed: &OperatorSigned, code: &str, outcome: Result<(), Error>) -> Answer {
    let Err(error) = outcome else {
        return Ok(see_other(&format!("/operator/agencies/{code}?done=standing")));
    };
    let wrongs = Wrongs::refused(error, "")?;
    page::html_with(StatusCode::CONFLICT, &AgencyPage { wrongs, ..page_of(signed, code).await? })
}

/// `POST /operator/agencies/{code}/{act}`: its standing, and whether its wallet pays.
pub async fn act(signed: OperatorSigned, path: Path<(String, String)>) -> Answer {
    let (code, act) = path.into_inner();
    let session = &signed.session;
    let done = match act.as_str() {
        "suspend" => session.suspend_agency(&code).await,
        "activate" => session.activate_agency(&code).await,
        "freeze" => session.freeze(&code, None).await.map(drop),
        "unfreeze" => session.unfreeze(&code, None).await.map(drop),
        _ => return Err(Failure::NoPage),
    };
    changed(&signed, &code, done).await
}

/// `POST /operator/agencies/{code}/users`: a user's standing, or another password, which is told once.
pub async fn act_on_user(signed: OperatorSigned, code: Path<String>, fields: Fields) -> Answer {
    let (session, username) = (&signed.session, fields.get("username"));
    let done = match fields.get("act") {
        "suspend" => session.suspend_agency_user(&code, username).await,
        "activate" => session.activate_agency_user(&code, username).await,
        "reset-password" => {
            let told = session.reset_agency_user_password(&code, username).await?;
            let secret = Some((username.to_owned(), told.password.expose_secret().to_owned()));
            return page::html(&AgencyPage { secret, ..page_of(&signed, &code).await? });
        }
        _ => return Err(Failure::NoPage),
    };
    changed(&signed, &code, done).await
}
