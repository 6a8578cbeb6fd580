//! The ledger: proofs that are asked for and watched, those of before, and the trial balance.

use actix_web::{HttpRequest, web::Path};
use askama::Template;
use rust_decimal::Decimal;
use wayfare_client::{
    enums::VerificationState,
    operator::{LedgerVerification, TrialBalance},
};

use super::signed::OperatorSigned;
use crate::{
    day::Moment,
    failure::Failure,
    form::Fields,
    money::{money, thousands},
    page::{self, Answer, Pager, Shell, Status},
    see_other,
    side::Area,
};

const ROWS: u32 = 20;
const ADDRESS: &str = "/operator/ledger";

/// What to do after a proof that broke off.
const BROKE_OFF: &str = "It found nothing out, and the server's log says why. Begin another one.";
/// The same where its server is gone.
const LOST: &str = "Its server died or was stopped before it had found anything out. Begin another one.";

#[derive(Template)]
#[template(path = "operator/ledger.html")]
struct LedgerPage {
    shell: Shell,
    listed: Listed,
    /// None where nobody has asked for it, or it can't be had.
    balance: Option<Balance>,
    agency: String,
    unknown_agency: bool,
}

#[derive(Template)]
#[template(path = "operator/ledger_part.html")]
struct LedgerPart {
    listed: Listed,
}

#[derive(Template)]
#[template(path = "operator/verification.html")]
struct ProofPage {
    shell: Shell,
    proof: Proof,
}

#[derive(Template)]
#[template(path = "operator/verification_part.html")]
struct ProofPart {
    proof: Proof,
}

/// A page of proofs.
struct Listed {
    /// Where the same is again, while one of them runs.
    again: Option<String>,
    rows: Vec<Proof>,
    pager: Pager,
}

/// A proof, as it is read.
pub struct Proof {
    pub address: String,
    pub started: Moment,
    pub by: String,
    pub read: String,
    /// All entries; empty until that is known.
    pub total: String,
    /// Which share that is, per cent; none until the number of all is known.
    pub share: Option<u64>,
    /// How many entries a second; empty where that can't be said.
    pub rate: String,
    pub took: String,
    pub commit: String,
    pub status: Status,
    /// The first of what does not agree.
    pub fault: Option<String>,
    /// What to do, where it did not come to its end.
    pub advice: &'static str,
    /// How many wallets were added up, and how much does not agree.
    pub facts: Vec<(&'static str, String)>,
    pub ended: Option<Moment>,
    pub is_running: bool,
}

/// The trial balance, as it is read.
struct Balance {
    rows: Vec<BalanceRow>,
    totals: Vec<BalanceRow>,
    problems: Vec<String>,
}

struct BalanceRow {
    account: String,
    currency: String,
    debits: String,
    credits: String,
    balance: String,
}

/// A time that something took: `0.4 s`, `12.3 s`, `4 min 05 s`.
fn took(millis: u64) -> String {
    match millis / 1000 {
        seconds @ 0..60 => format!("{seconds}.{} s", millis % 1000 / 100),
        seconds => format!("{} min {:02} s", seconds / 60, seconds % 60),
    }
}

fn status(of: &LedgerVerification) -> Status {
    match (&of.state, of.found) {
        (VerificationState::Running, _) => Status::new("info", "◐", "Running"),
        (VerificationState::Done, Some(0)) => Status::new("ok", "●", "All agrees"),
        (VerificationState::Done, Some(1)) => Status::new("bad", "!", "1 does not agree"),
        (VerificationState::Done, Some(found)) => {
            Status::new("bad", "!", format!("{} do not agree", thousands(found)))
        }
        (VerificationState::Failed, _) => Status::new("warn", "✕", "Broke off"),
        (VerificationState::Lost, _) => Status::new("warn", "✕", "Lost"),
        (other, _) => Status::new("", "?", other.as_str()),
    }
}

impl Proof {
    /// As it stands.
    pub fn of(of: &LedgerVerification) -> Self {
        let per_second = of.read.saturating_mul(1000).checked_div(of.elapsed_ms);
        let mut facts = Vec::new();
        if let Some(wallets) = of.wallets {
            facts.push(("Wallets added up", thousands(wallets)));
        }
        if let Some(found) = of.found {
            facts.push(("Does not agree", thousands(found)));
        }
        Self {
            address: format!("{ADDRESS}/{}", of.id),
            started: Moment::of(of.started_at),
            by: of.by.clone().unwrap_or_else(|| "Command line".to_owned()),
            read: thousands(of.read),
            total: match of.total {
                0 => String::new(),
                total => thousands(total),
            },
            share: of.read.saturating_mul(100).checked_div(of.total),
            rate: match per_second {
                Some(rate @ 1..) => format!("{} entries a second", thousands(rate)),
                _ => String::new(),
            },
            took: took(of.elapsed_ms),
            commit: of.commit.clone(),
            status: status(of),
            fault: of.found.filter(|found| *found > 0).map(|_| {
                let named = of.first_fault.clone();
                named.unwrap_or_else(|| "It was not written down: another proof names it.".to_owned())
            }),
            advice: match of.state {
                VerificationState::Failed => BROKE_OFF,
                VerificationState::Lost => LOST,
                _ => "",
            },
            facts,
            ended: of.ended_at.map(Moment::of),
            is_running: of.state == VerificationState::Running,
        }
    }
}

async fn listed(signed: &OperatorSigned, number: u32) -> Result<Listed, Failure> {
    let page = signed.session.verifications().per_page(ROWS).page(number).await?;
    let rows: Vec<Proof> = page.items.iter().map(Proof::of).collect();
    Ok(Listed {
        again: rows.iter().any(|proof| proof.is_running).then(|| format!("{ADDRESS}?page={number}")),
        rows,
        pager: Pager::of(&page, &format!("{ADDRESS}?")),
    })
}

fn balance(of: &TrialBalance) -> Balance {
    let row = |account: String, currency: &str, [debits, credits]: [Decimal; 2]| BalanceRow {
        account,
        debits: money(debits.into(), currency),
        credits: money(credits.into(), currency),
        balance: money((credits - debits).into(), currency),
        currency: currency.to_owned(),
    };
    Balance {
        rows: of
            .accounts
            .iter()
            .map(|one| {
                let account = match one.count {
                    0 | 1 => one.account.clone(),
                    count => format!("{} ({})", one.account, thousands(count)),
                };
                row(account, &one.currency, [one.debits.0, one.credits.0])
            })
            .collect(),
        totals: of
            .totals
            .iter()
            .map(|one| row("All".to_owned(), &one.currency, [one.debits.0, one.credits.0]))
            .collect(),
        problems: of.problems.clone(),
    }
}

/// `GET /operator/ledger`: all of it, or the list alone while it is watched. The trial balance is added up
/// for whoever asks for it.
pub async fn show(signed: OperatorSigned, request: HttpRequest, fields: Fields) -> Answer {
    let number = fields.number("page").unwrap_or(1);
    if page::wants_part(&request) {
        return page::html(&LedgerPart { listed: listed(&signed, number).await? });
    }
    let shell = signed.shell("Ledger", Area::Ledger).await?;
    let agency = fields.get("agency").to_ascii_uppercase();
    let mut shown = LedgerPage {
        listed: listed(&signed, number).await?,
        balance: None,
        unknown_agency: false,
        agency,
        shell,
    };
    if fields.is_ticked("balance") && shown.shell.may_move_money() {
        let of = Some(shown.agency.as_str()).filter(|code| !code.is_empty());
        match signed.session.trial_balance(of).await {
            Ok(found) => shown.balance = Some(balance(&found)),
            Err(error) if error.is_not_found() => shown.unknown_agency = true,
            Err(error) => return Err(error.into()),
        }
    }
    page::html(&shown)
}

/// `POST /operator/ledger/verifications`: to the proof that begins, or to the one that runs. Sent twice it leads to one.
pub async fn begin(signed: OperatorSigned) -> Answer {
    let begun = signed.session.begin_verification().await?;
    Ok(see_other(&Proof::of(&begun).address))
}

/// `GET /operator/ledger/{id}`: the page, or what moves on it while it is watched.
pub async fn proof(signed: OperatorSigned, request: HttpRequest, id: Path<String>) -> Answer {
    let id = id.parse().map_err(|_| Failure::NoPage)?;
    if page::wants_part(&request) {
        let found = signed.session.verification(id).await?;
        return page::html(&ProofPart { proof: Proof::of(&found) });
    }
    let shell = signed.shell("Proof of the ledger", Area::Ledger);
    let (shell, found) = futures_util::try_join!(shell, signed.session.verification(id))?;
    page::html(&ProofPage { shell, proof: Proof::of(&found) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_times_read_well() {
        for (number, expected) in
            [(0, "0"), (999, "999"), (1000, "1,000"), (1_000_000, "1,000,000"), (12_345_678, "12,345,678")]
        {
            assert_eq!(thousands(number), expected);
        }
        for (millis, expected) in [(0, "0.0 s"), (440, "0.4 s"), (59_999, "59.9 s"), (245_000, "4 min 05 s")]
        {
            assert_eq!(took(millis), expected);
        }
    }
}
