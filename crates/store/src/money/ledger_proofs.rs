//! What the last proof of the ledger found.

use chrono::{DateTime, Utc};
use diesel_async::AsyncPgConnection;

use super::audit::chain::AuditReport;
use crate::{
    Result,
    statements::{Write as _, statement},
};

/// Writes that the ledger was proven at this time; `wrong_wallets` of the problems are those of chains.
#[boxed]
pub async fn record(
    connection: &mut AsyncPgConnection,
    at: DateTime<Utc>,
    report: &AuditReport,
    wrong_wallets: usize,
) -> Result<()> {
    let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    // Of two proofs at once the later one counts.
    statement(
        "insert into ledger_proofs (what, verified_at, wallets, entries, wrong_wallets, problems)
         values ('all', $1, $2, $3, $4, $5)
         on conflict (what) do update set verified_at = excluded.verified_at, wallets = excluded.wallets,
             entries = excluded.entries, wrong_wallets = excluded.wrong_wallets, problems = excluded.problems
         where ledger_proofs.verified_at <= excluded.verified_at",
        (at, count(report.wallets), report.entries, count(wrong_wallets), count(report.problems.len())),
    )
    .write(connection)
    .await
}
