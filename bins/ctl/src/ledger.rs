//! `wayfarectl ledger`: the proof of the books, and what stands on each account.

use std::borrow::Cow;

use clap::Subcommand;
use serde::Serialize;
use wayfare_domain::{AgencyCode, Amount, Currency};
use wayfare_operations::{AccountSums, operator};

use crate::{
    answers::known,
    installation::Installation,
    output::{Failure, Line, Output, Report, Row, Table},
};

/// What can be done with the ledger.
#[derive(Subcommand)]
pub enum Command {
    /// Adds every balance up again and checks every seal; exit code 1 when something does not agree
    Verify,
    /// Shows what was debited and credited on each account; exit code 1 when the sums do not agree
    TrialBalance {
        /// Of one agency; of all unless given
        #[arg(long, value_name = "AGENT_ID")]
        agency: Option<AgencyCode>,
    },
}

impl Command {
    /// Does it.
    pub async fn run(self, installation: Installation, output: Output) -> Result<(), Failure> {
        match self {
            Self::Verify => verify(installation, output).await,
            Self::TrialBalance { agency } => trial_balance(agency, installation, output).await,
        }
    }
}

#[derive(Serialize)]
struct Verified {
    wallets: usize,
    entries: i64,
    problems: Vec<String>,
}

impl Report for Verified {
    fn lines(&self) -> Vec<Line<'_>> {
        let mut lines =
            vec![("wallets", self.wallets.to_string().into()), ("entries", self.entries.to_string().into())];
        if self.problems.is_empty() {
            lines.push(("problems", "none".into()));
        }
        lines.extend(self.problems.iter().map(|problem| ("problem", problem.as_str().into())));
        lines
    }
}

/// Proves the books.
async fn verify(installation: Installation, output: Output) -> Result<(), Failure> {
    let progress = installation.progress();
    let work = installation.with_platform(async |platform| {
        let report = operator::verify_ledger(platform, progress.of_audit()).await?;
        let verified =
            Verified { wallets: report.wallets, entries: report.entries, problems: report.problems };
        output.print(&verified)?;
        match verified.problems.len() {
            0 => Ok(()),
            problems => Err(Failure::Failed(format!("the ledger does not agree, problems: {problems}"))),
        }
    });
    work.await
}

#[derive(Serialize)]
struct TrialBalance {
    accounts: Vec<Account>,
    totals: Vec<Total>,
}

#[derive(Serialize)]
struct Account {
    account: String,
    currency: Currency,
    /// How many accounts these are.
    count: i64,
    debits: Amount,
    credits: Amount,
    /// Credits less debits.
    balance: Amount,
}

#[derive(Serialize)]
struct Total {
    currency: Currency,
    debits: Amount,
    credits: Amount,
}

impl Table for TrialBalance {
    fn head(&self) -> Cow<'_, str> {
        "account count debits credits balance currency".into()
    }

    fn rows(&self) -> Vec<Row<'_>> {
        let account = |account: &Account| -> Row<'static> {
            vec![
                account.account.clone().into(),
                account.count.to_string().into(),
                account.debits.0.to_string().into(),
                account.credits.0.to_string().into(),
                account.balance.0.to_string().into(),
                account.currency.code().into(),
            ]
        };
        let total = |total: &Total| -> Row<'static> {
            vec![
                "all".into(),
                "".into(),
                total.debits.0.to_string().into(),
                total.credits.0.to_string().into(),
                (total.credits.0 - total.debits.0).to_string().into(),
                total.currency.code().into(),
            ]
        };
        let accounts = self.accounts.iter().map(account);
        accounts.chain(self.totals.iter().map(total)).collect()
    }
}

/// Adds up every account.
async fn trial_balance(
    of: Option<AgencyCode>,
    installation: Installation,
    output: Output,
) -> Result<(), Failure> {
    let work = installation.with_platform(async |platform| {
        let found = operator::trial_balance(platform, of.as_ref()).await;
        let found = match &of {
            Some(code) => known(found, code)?,
            None => found?,
        };
        output.print_table(&table(&found))?;
        match found.problems.is_empty() {
            true => Ok(()),
            false => Err(Failure::Failed(found.problems.join("; "))),
        }
    });
    work.await
}

fn table(found: &operator::TrialBalance) -> TrialBalance {
    let account = |of: &AccountSums| Account {
        account: of.account.clone(),
        currency: of.debits.currency(),
        count: of.accounts,
        debits: of.debits.number(),
        credits: of.credits.number(),
        balance: Amount(of.credits.amount() - of.debits.amount()),
    };
    let total = |of: &operator::CurrencySums| Total {
        currency: of.currency,
        debits: Amount(of.debits),
        credits: Amount(of.credits),
    };
    TrialBalance {
        accounts: found.accounts.iter().map(account).collect(),
        totals: found.totals.iter().map(total).collect(),
    }
}
