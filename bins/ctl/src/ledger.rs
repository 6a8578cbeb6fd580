//! `wayfarectl ledger`: the proof of the books, and what stands on each account.

use clap::Subcommand;
use serde::Serialize;
use wayfare_contract::operator::{TrialBalanceAccount, TrialBalanceTotal};
use wayfare_domain::AgencyCode;
use wayfare_operations::operator;

use crate::{
    answers::known,
    installation::Installation,
    output::{Done, Failure, Line, Output, Report, Row, Table, rows_of},
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
    pub async fn run(self, installation: Installation, output: Output) -> Done {
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
async fn verify(installation: Installation, output: Output) -> Done {
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

/// The accounts and sums of the books. What does not agree goes to standard error.
#[derive(Serialize)]
struct Accounts<'a> {
    accounts: &'a [TrialBalanceAccount],
    totals: &'a [TrialBalanceTotal],
}

impl Table for Accounts<'_> {
    const HEAD: &'static str = "account count debits credits balance currency";

    fn rows(&self) -> Vec<Row<'_>> {
        let total = |total: &TrialBalanceTotal| -> Row<'static> {
            vec![
                "all".into(),
                "".into(),
                total.debits.to_string().into(),
                total.credits.to_string().into(),
                (total.credits.0 - total.debits.0).to_string().into(),
                total.currency.clone().into(),
            ]
        };
        let mut rows = rows_of(Self::HEAD, self.accounts, "");
        rows.extend(self.totals.iter().map(total));
        rows
    }
}

/// Adds up every account.
async fn trial_balance(of: Option<AgencyCode>, installation: Installation, output: Output) -> Done {
    let work = installation.with_platform(async |platform| {
        let found = operator::trial_balance(platform, of.as_ref()).await;
        let found = match &of {
            Some(code) => known(found, code)?,
            None => found?,
        };
        output.print_table(&Accounts { accounts: &found.accounts, totals: &found.totals })?;
        match found.problems.is_empty() {
            true => Ok(()),
            false => Err(Failure::Failed(found.problems.join("; "))),
        }
    });
    work.await
}
