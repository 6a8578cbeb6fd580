//! What waits in the database, counted for metrics: of all agencies together, by one statement.

use chrono::{DateTime, Utc};
use diesel_async::{AsyncPgConnection, RunQueryDsl};

use crate::{
    Result,
    statements::{by_name, statement},
};

by_name! {
    #[derive(Clone, Debug, PartialEq)]
    pub struct Waiting {
        /// What: `step`, `hold`, `incident`, `unpublished`, `delivery`, `report`, `proof` or `wrong_wallets`.
        pub what: String,
        /// Of a step or incident its kind, of a hold its currency; else empty.
        pub kind: String,
        /// Of a step the supplier's code; else empty.
        pub supplier: String,
        pub number: i64,
        /// For how long the oldest of them has waited, in seconds; none where there is none.
        pub oldest_seconds: Option<f64>,
        /// Of holds, the sum that is set aside in that currency, for a graph and not for accounts; else 0.
        pub amount: f64,
    }
}

/// What waits at this time: open steps, open holds of wallets, open incidents, events without a number, pending webhook
/// deliveries and reports that are due; and what the last proof of the ledger found. Each is found by an index of what is open.
#[boxed]
pub async fn waiting(connection: &mut AsyncPgConnection, now: DateTime<Utc>) -> Result<Vec<Waiting>> {
    let rows = statement(
        "select 'step' as what, kind, supplier, count(*) as number,
             extract(epoch from $1 - min(sent_at))::float8 as oldest_seconds, 0::float8 as amount
         from effects where state = 'open' group by kind, supplier
         union all
         select 'hold', w.currency::text, '', count(*), extract(epoch from $1 - min(h.placed_at))::float8, sum(h.amount)::float8
         from holds h join wallets w on w.id = h.wallet_id and w.org_id = h.org_id
         where h.closed_at is null group by w.currency
         union all
         select 'incident', kind, '', count(*), extract(epoch from $1 - min(raised_at))::float8, 0
         from exceptions where closed_at is null group by kind
         union all
         select 'unpublished', '', '', count(*), extract(epoch from $1 - min(created_at))::float8, 0
         from public_events where sequence is null
         union all
         select 'delivery', '', '', count(*), extract(epoch from $1 - min(created_at))::float8, 0
         from webhook_deliveries where state = 'pending'
         union all
         select 'report', '', '', count(*), extract(epoch from $1 - min(due_at))::float8, 0
         from reports where due_at <= $1
         union all
         select 'proof', '', '', problems, extract(epoch from $1 - verified_at)::float8, 0 from ledger_proofs
         union all
         select 'wrong_wallets', '', '', wrong_wallets, null, 0 from ledger_proofs",
        now,
    );
    Ok(rows.load(connection).await?)
}
