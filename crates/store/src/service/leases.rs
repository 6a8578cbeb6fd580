//! Leases of rows that are due. A taker reads candidates without a lock and takes the first one that still stands as it was read:
//! by compare-and-set on the time when it is due, one agency at a time (D-484). Also all leases at once: nobody holds any when the
//! only server of a database starts.

use chrono::{DateTime, Utc};
use diesel_async::{AsyncPgConnection, RunQueryDsl};

use crate::{Result, statements::statement};

/// How many candidates a taker reads. Others take the first ones meanwhile; who loses all of them comes again with the next turn.
pub(crate) const CANDIDATES: i64 = 16;

/// Each table with the time until which a row is leased: no other time in it is so near but by chance, and then the row is
/// only looked at a little early.
const LEASED: [(&str, &str, &str); 8] = [
    ("effects", "due_at", "state = 'open'"),
    ("effects", "recheck_at", "true"),
    ("supplier_orders", "next_poll_at", "true"),
    ("booking_holds", "due_at", "true"),
    ("reports", "due_at", "true"),
    ("webhooks", "leased_until", "true"),
    ("supplier_accounts", "next_read_at", "true"),
    ("ledger_verifications", "leased_until", "true"),
];

/// Ends every lease that would last until this time at the longest; how many there may have been.
#[boxed]
pub async fn void(
    connection: &mut AsyncPgConnection,
    now: DateTime<Utc>,
    longest: DateTime<Utc>,
) -> Result<usize> {
    let mut ended = 0;
    for (table, column, rows) in LEASED {
        let query =
            format!("update {table} set {column} = $1 where {rows} and {column} > $1 and {column} <= $2");
        ended += statement(query, (now, longest)).execute(connection).await?;
    }
    Ok(ended)
}
