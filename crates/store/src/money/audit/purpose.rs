//! Whether money and what it is for agree: holds with bookings under way, debits with bookings that stand, credits with
//! refunds, entries with transfers.

use diesel::sql_query;
use diesel_async::{AsyncPgConnection, RunQueryDsl};

use crate::{Result, statements::Columns};

/// What is wrong with every row that a query finds, and the query.
const WRONGS: &[(&str, &str)] = &[
    (
        "is held for nothing that is under way",
        "select 'hold ' || h.id as name from holds h where h.closed_at is null and not exists (
            select from bookings b join effects e on (e.org_id, e.booking_id) = (b.org_id, b.id)
            where (b.org_id, b.hold_id) = (h.org_id, h.id) and b.status = 'pending' and e.state = 'open')
            and not exists (select from effects e where e.org_id = h.org_id and e.state = 'open'
            and e.kind in ('add_service', 'change') and e.request->'service'->>'hold' = h.id::text)",
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
            + (select coalesce(sum(case e.side when 'debit' then e.amount else -e.amount end), 0) from effects f
            join transfers t on t.org_id = f.org_id and t.key = 'change:' || f.id
            join entries e on (e.org_id, e.transfer_id) = (t.org_id, t.id)
            where (f.org_id, f.booking_id) = (b.org_id, b.id) and f.kind = 'change' and f.state = 'done'
            and e.wallet_id is not null)
            <> case when b.status in ('confirmed', 'cancelled') then b.amount else 0 end",
    ),
    (
        "was not given back exactly once, or was and should not have been",
        "select 'refund ' || r.id as name from refunds r where (
            select coalesce(sum(e.amount), 0) from transfers t
            join entries e on (e.org_id, e.transfer_id) = (t.org_id, t.id)
            where t.org_id = r.org_id and t.key = 'refund:' || r.id and e.wallet_id is not null)
            + (select coalesce(sum(u.moved), 0) from rulings u
            where (u.booking_id, u.org_id, u.number) = (r.booking_id, r.org_id, r.number)
            and u.kind = 'supplier_cancelled'
            -- It is of what was left of the order: not of parts that came back before, nor of what was refused.
            and r.status = 'refunded' and coalesce((r.part ->> 'is_last')::boolean, true))
            <> case when r.status = 'refunded' then r.refund_to_wallet else 0 end",
    ),
    (
        "did not move exactly what it says",
        "select 'ruling ' || u.id as name from rulings u where (
            select coalesce(sum(case e.side when 'credit' then e.amount else -e.amount end), 0) from transfers t
            join entries e on (e.org_id, e.transfer_id) = (t.org_id, t.id)
            where t.org_id = u.org_id and t.key = 'ruling:' || u.id and e.wallet_id is not null) <> u.moved
            or (select count(*) from transfers t where t.org_id = u.org_id and t.key = 'ruling:' || u.id
            and t.id = u.transfer_id) <> case when u.transfer_id is null then 0 else 1 end",
    ),
    (
        "has no row of the fare ledger, or another",
        "select 'ruling ' || u.id as name from rulings u where u.transfer_id is not null and not exists (
            select from fare_transactions f where (f.transfer_id, f.org_id) = (u.transfer_id, u.org_id)
            and (f.booking_id, f.number) = (u.booking_id, u.number)
            and f.agent_fare + f.ancillary = -u.moved
            and f.kind = case u.kind when 'supplier_cancelled' then 'refund' when 'refund' then 'adjustment'
                else u.kind end)",
    ),
    (
        "was made by no ruling that is known",
        "select 'transfer ' || t.id as name from transfers t where t.key like 'ruling:%' and not exists (
            select from rulings u where (u.org_id, u.transfer_id) = (t.org_id, t.id))",
    ),
    (
        "did not move what its row of the fare ledger says",
        "select 'transfer ' || t.id as name from transfers t where t.key like 'change:%' and not exists (
            select from fare_transactions f where (f.transfer_id, f.org_id) = (t.id, t.org_id) and f.kind = 'change'
            and f.agent_fare + f.ancillary = (
                select sum(case e.side when 'debit' then e.amount else -e.amount end) from entries e
                where (e.org_id, e.transfer_id) = (t.org_id, t.id) and e.wallet_id is not null))",
    ),
    (
        "has entries and is not there",
        "select distinct 'transfer ' || e.transfer_id as name from entries e where not exists (
            select from transfers t where (t.org_id, t.id) = (e.org_id, e.transfer_id))",
    ),
];

/// What does not agree, for people.
#[boxed]
pub async fn problems(connection: &mut AsyncPgConnection) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for (wrong, query) in WRONGS {
        let found: Vec<Columns<String>> = sql_query(format!("{query} order by 1")).load(connection).await?;
        problems.extend(found.into_iter().map(|Columns(name)| format!("{name} {wrong}")));
    }
    Ok(problems)
}
