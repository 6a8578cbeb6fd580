//! The ledger: proofs that are asked for and watched, those of before, and the trial balance.

use askama::filters::HtmlSafe;
use wayfare_client::{
    Amount,
    enums::VerificationState,
    operator::{LedgerVerification, TrialBalance},
};

use super::signed::OperatorSigned;
use crate::{money::thousands, prelude::*};

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
    part: LedgerPart,
    /// None where nobody has asked for it, or it can't be had.
    balance: Option<TrialBalance>,
    agency: String,
    unknown_agency: bool,
}

#[derive(Template)]
#[template(path = "operator/ledger_part.html")]
struct LedgerPart {
    listed: Listed,
}

impl HtmlSafe for LedgerPart {}

#[derive(Template)]
#[template(path = "operator/verification.html")]
struct ProofPage {
    shell: Shell,
    part: ProofPart,
}

#[derive(Template)]
#[template(path = "operator/verification_part.html")]
struct ProofPart {
    proof: Proof,
}

impl HtmlSafe for ProofPart {}

/// A page of proofs.
struct Listed {
    /// Where the same is again, while one of them runs.
    again: Option<String>,
    rows: Vec<Proof>,
    pager: Pager,
}

/// A proof, and how it reads.
pub struct Proof {
    pub of: LedgerVerification,
}

/// A time that something took: `0.4 s`, `12.3 s`, `4 min 05 s`.
fn took(millis: i64) -> String {
    match millis / 1000 {
        seconds @ ..60 => format!("{seconds}.{} s", millis % 1000 / 100),
        seconds => format!("{} min {:02} s", seconds / 60, seconds % 60),
    }
}

impl Proof {
    pub fn status(&self) -> Status {
        match (&self.of.state, self.of.found) {
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

    /// Which share is read, per cent; none until the number of all is known.
    pub fn share(&self) -> Option<i64> {
        self.of.read.saturating_mul(100).checked_div(self.of.total)
    }

    /// How many entries a second; none where that can't be said.
    fn rate(&self) -> Option<String> {
        let per_second = self.of.read.saturating_mul(1000).checked_div(self.of.elapsed_ms);
        per_second.filter(|rate| *rate > 0).map(|rate| format!("{} entries a second", thousands(rate)))
    }

    /// The first of what does not agree.
    pub fn fault(&self) -> Option<&str> {
        let unnamed = "It was not written down: another proof names it.";
        let found = self.of.found.filter(|found| *found > 0);
        found.map(|_| self.of.first_fault.as_deref().unwrap_or(unnamed))
    }

    /// What to do, where it did not come to its end.
    fn advice(&self) -> &'static str {
        match self.of.state {
            VerificationState::Failed => BROKE_OFF,
            VerificationState::Lost => LOST,
            _ => "",
        }
    }

    pub fn address(&self) -> String {
        format!("{ADDRESS}/{}", self.of.id)
    }

    fn is_running(&self) -> bool {
        self.of.state == VerificationState::Running
    }

    fn by(&self) -> &str {
        self.of.by.as_deref().unwrap_or("Command line")
    }

    fn read(&self) -> String {
        thousands(self.of.read)
    }

    fn total(&self) -> String {
        thousands(self.of.total)
    }

    fn took(&self) -> String {
        took(self.of.elapsed_ms)
    }
}

async fn listed(signed: &OperatorSigned, number: u32) -> Result<Listed> {
    let page = signed.session.verifications().per_page(ROWS).page(number).await?;
    let pager = Pager::of(&page, &format!("{ADDRESS}?"));
    let rows: Vec<Proof> = page.items.into_iter().map(|of| Proof { of }).collect();
    let again = rows.iter().any(Proof::is_running).then(|| format!("{ADDRESS}?page={number}"));
    Ok(Listed { again, rows, pager })
}

fn balance(debits: &Amount, credits: &Amount, currency: &str) -> String {
    money((credits.0 - debits.0).into(), currency)
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
        part: LedgerPart { listed: listed(&signed, number).await? },
        balance: None,
        unknown_agency: false,
        agency,
        shell,
    };
    if fields.is_ticked("balance") && shown.shell.may_move_money() {
        let of = Some(shown.agency.as_str()).filter(|code| !code.is_empty());
        match signed.session.trial_balance(of).await {
            Ok(found) => shown.balance = Some(found),
            Err(error) if error.is_not_found() => shown.unknown_agency = true,
            Err(error) => return Err(error.into()),
        }
    }
    page::html(&shown)
}

/// `POST /operator/ledger/verifications`: to the proof that begins, or to the one that runs. Sent twice it leads to one.
pub async fn begin(signed: OperatorSigned) -> Answer {
    let begun = signed.session.begin_verification().await?;
    Ok(see_other(&Proof { of: begun }.address()))
}

/// `GET /operator/ledger/{id}`: the page, or what moves on it while it is watched.
pub async fn proof(signed: OperatorSigned, request: HttpRequest, id: Path<String>) -> Answer {
    let id = id.parse().map_err(|_| Failure::NoPage)?;
    if page::wants_part(&request) {
        let of = signed.session.verification(id).await?;
        return page::html(&ProofPart { proof: Proof { of } });
    }
    let shell = signed.shell("Proof of the ledger", Area::Ledger);
    let (shell, of) = futures_util::try_join!(shell, signed.session.verification(id))?;
    page::html(&ProofPage { shell, part: ProofPart { proof: Proof { of } } })
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
