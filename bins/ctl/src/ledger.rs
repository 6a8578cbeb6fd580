//! `wayfarectl ledger`: the proof of the books.

use clap::Subcommand;
use serde::Serialize;
use wayfare_operations::operator;

use crate::{
    installation::Installation,
    output::{Failure, Line, Output, Report},
};

/// What can be done with the ledger.
#[derive(Subcommand)]
pub enum Command {
    /// Adds every balance up again and checks every seal; exit code 1 when something does not agree
    Verify,
}

#[derive(Serialize)]
struct Verified {
    wallets: usize,
    entries: i64,
    problems: Vec<String>,
}

impl Report for Verified {
    fn lines(&self) -> Vec<Line<'_>> {
        let mut lines = vec![
            ("wallets", self.wallets.to_string().into()),
            ("entries", self.entries.to_string().into()),
        ];
        if self.problems.is_empty() {
            lines.push(("problems", "none".into()));
        }
        lines.extend(
            self.problems
                .iter()
                .map(|problem| ("problem", problem.as_str().into())),
        );
        lines
    }
}

/// Proves the books.
pub async fn verify(installation: Installation, output: Output) -> Result<(), Failure> {
    let progress = installation.progress();
    let work = installation.with_platform(async |platform| {
        let report = operator::verify_ledger(platform, progress.of_audit()).await?;
        let verified = Verified {
            wallets: report.wallets,
            entries: report.entries,
            problems: report.problems,
        };
        output.print(&verified)?;
        match verified.problems.len() {
            0 => Ok(()),
            problems => Err(Failure::Failed(format!(
                "the ledger does not agree, problems: {problems}"
            ))),
        }
    });
    work.await
}
