//! Whether money and what it is for agree: holds with bookings under way, debits with bookings that stand, credits with
//! refunds, entries with transfers.

use diesel::{QueryableByName, sql_query, sql_types::Text};
use diesel_async::{AsyncPgConnection, RunQueryDsl};

use crate::StoreError;

/// What is wrong with every row that a query finds, and the query.
const WRONGS: &[(&str, &str)] = &[
    (
        "is held for nothing that is under way",
        "select 'hold ' || h.id as name from holds h where h.closed_at is null and not exists (
            select from bookings b join effects e on (e.org_id, e.booking_id) = (b.org_id, b.id)
            where (b.org_id, b.hold_id) = (h.org_id, h.id) and b.status = 'pending' and e.state = 'open')
            and not exists (select from effects e where e.org_id = h.org_id and e.state = 'open'
            and e.kind = 'add_service' and e.request->'service'->>'hold' = h.id::text)",
    ),
    (
        "is under way and nothing is held for it",
        "select 'booking ' || b.booking_ref as name from bookings b where b.status = 'pending' and not exists (
            select from holds h where (h.org_id, h.id) = (b.org_id, b.hold_id)
            and h.closed_at is null and h.amount = b.amount)",
    ),
    (
        "was not paid exactly once, or was paid and never stood",
        "select 'booking ' || b.booking_ref as name from bookings b where (
            select coalesce(sum(e.amount), 0) from transfers t
            join entries e on (e.org_id, e.transfer_id) = (t.org_id, t.id)
            where t.org_id = b.org_id and t.key = 'booking:' || b.id and e.wallet_id = b.wallet_id)
            + (select coalesce(sum(e.amount), 0) from effects f
            join transfers t on t.org_id = f.org_id and t.key = 'service:' || f.id
            join entries e on (e.org_id, e.transfer_id) = (t.org_id, t.id)
            where (f.org_id, f.booking_id) = (b.org_id, b.id) and f.kind = 'add_service' and f.state = 'done'
            and e.wallet_id = b.wallet_id)
            <> case when b.status in ('confirmed', 'cancelled') then b.amount else 0 end",
    ),
    (
        "was not given back exactly once, or was and should not have been",
        "select 'refund ' || r.id as name from refunds r where (
            select coalesce(sum(e.amount), 0) from transfers t
            join entries e on (e.org_id, e.transfer_id) = (t.org_id, t.id)
            where t.org_id = r.org_id and t.key = 'refund:' || r.id and e.wallet_id is not null)
            <> case when r.status = 'refunded' then r.refund_to_wallet else 0 end",
    ),
    (
        "has entries and is not there",
        "select distinct 'transfer ' || e.transfer_id as name from entries e where not exists (
            select from transfers t where (t.org_id, t.id) = (e.org_id, e.transfer_id))",
    ),
];

/// What does not agree, for people.
///
/// # Errors
/// When the database can't be asked.
pub async fn problems(connection: &mut AsyncPgConnection) -> Result<Vec<String>, StoreError> {
    #[derive(QueryableByName)]
    struct Found {
        #[diesel(sql_type = Text)]
        name: String,
    }
    let mut problems = Vec::new();
    for (wrong, query) in WRONGS {
        let found: Vec<Found> = sql_query(format!("{query} order by 1")).load(connection).await?;
        problems.extend(found.into_iter().map(|found| format!("{} {wrong}", found.name)));
    }
    Ok(problems)
}
