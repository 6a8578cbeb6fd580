//! Whether everybody's books agree: the ledger's, the bookings' and the supplier's.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test can only fail when it can't look"
)]

use std::sync::Arc;

use diesel::{QueryableByName, sql_query, sql_types::Text};
use diesel_async::RunQueryDsl;
use serde_json::Value;
use wayfare_operations::{Platform, operator};

use crate::Supplier;

/// Queries whose every row is something wrong, and what.
const WRONGS: &[(&str, &str)] = &[
    (
        "money is set aside for nothing that is under way",
        "select h.id::text from holds h where h.closed_at is null and not exists (
             select from bookings b join effects e on (e.org_id, e.booking_id) = (b.org_id, b.id)
             where (b.org_id, b.hold_id) = (h.org_id, h.id) and b.status = 'pending' and e.state = 'open')",
    ),
    (
        "a wallet's held amount is not the sum of its open holds",
        "select w.id::text from wallets w where w.held <> (
             select coalesce(sum(amount), 0) from holds h
             where (h.org_id, h.wallet_id) = (w.org_id, w.id) and h.closed_at is null)",
    ),
    (
        "a booking was not paid exactly once, or one that never came to be was paid",
        "select b.booking_ref from bookings b where b.amount > 0
             and (select coalesce(sum(e.amount), 0) from transfers t
                  join entries e on (e.org_id, e.transfer_id) = (t.org_id, t.id)
                  where t.reason = 'booking' and t.reference = b.booking_ref and e.wallet_id = b.wallet_id)
             <> case when b.status in ('confirmed', 'cancelled') then b.amount else 0 end",
    ),
    (
        "a booking was not given back exactly as its refund says",
        "select b.booking_ref from bookings b
             where (select coalesce(sum(e.amount), 0) from transfers t
                  join entries e on (e.org_id, e.transfer_id) = (t.org_id, t.id)
                  where t.reason = 'refund' and t.reference = b.booking_ref and e.wallet_id is not null)
             <> case when b.status = 'cancelled' then
                  (select coalesce(sum(refund_to_wallet), -1) from refunds r
                   where (r.org_id, r.booking_id) = (b.org_id, b.id) and r.status = 'refunded')
                else 0 end",
    ),
    (
        "a refund does not tell what became of the cancellation",
        "select b.booking_ref || ' ' || r.status from refunds r
             join bookings b on (b.org_id, b.id) = (r.org_id, r.booking_id)
             where r.status <> 'failed' and (b.status <> 'cancelled' or r.status <> 'refunded') and not exists (
                 select from effects e where (e.org_id, e.booking_id) = (b.org_id, b.id) and e.state = 'open')",
    ),
    (
        "the operator is told that an outcome is not known, and it is",
        "select e.kind || ' of ' || b.booking_ref from exceptions x
             join effects e on (e.org_id, e.id) = (x.org_id, x.effect_id)
             join bookings b on (b.org_id, b.id) = (x.org_id, x.booking_id)
             where x.kind = 'outcome_unknown' and x.closed_at is null and e.state <> 'open'",
    ),
    (
        "the fare ledger does not sum to what wallets paid",
        "select o.id::text from organizations o where
             (select coalesce(sum(f.agent_fare), 0) from fare_transactions f where f.org_id = o.id)
             <> (select coalesce(sum(case e.side when 'debit' then e.amount else -e.amount end), 0) from entries e
                 join transfers t on (t.org_id, t.id) = (e.org_id, e.transfer_id)
                 where e.org_id = o.id and e.wallet_id is not null and t.reason in ('booking', 'refund'))",
    ),
    (
        "a refund went to another wallet than the one that paid, or its deleted owner's organization's",
        "select t.reference from transfers t join entries e on (e.org_id, e.transfer_id) = (t.org_id, t.id)
             join wallets w on (w.org_id, w.id) = (e.org_id, e.wallet_id)
             join bookings b on b.booking_ref = t.reference
             where t.reason = 'refund' and w.id <> b.wallet_id and (w.owner_type <> 'org' or not exists (
                 select from users u join wallets p on (p.org_id, p.owner_id) = (u.org_id, u.id)
                 where p.id = b.wallet_id and u.deleted_at <= t.at))",
    ),
    (
        "an effect is open on a booking that it can no longer change",
        "select b.booking_ref from effects e join bookings b on (b.org_id, b.id) = (e.org_id, e.booking_id)
             where e.state = 'open' and b.status <> case e.kind when 'book' then 'pending' else 'confirmed' end",
    ),
    (
        "what suppliers did is not what became of the booking",
        "select b.booking_ref from bookings b where
             (select count(*) from effects e where (e.org_id, e.booking_id) = (b.org_id, b.id)
                  and e.kind = 'book' and e.state = 'done')
             <> case when b.status in ('confirmed', 'cancelled') then
                 (select count(*) from supplier_orders o where (o.org_id, o.booking_id) = (b.org_id, b.id)) else 0 end
             or (select count(*) from effects e where (e.org_id, e.booking_id) = (b.org_id, b.id)
                  and e.kind = 'cancel' and e.state = 'done')
             <> case when b.status = 'cancelled' then
                 (select count(*) from supplier_orders o where (o.org_id, o.booking_id) = (b.org_id, b.id)) else 0 end",
    ),
    (
        "a quote is used by none but a booking that failed, or not by the one that stands",
        "select q.id::text from quotes q join bookings b on (b.org_id, b.id) = (q.org_id, q.booking_id)
             where b.status = 'failed' or b.quote_id <> q.id
         union all
         select b.booking_ref from bookings b join quotes q on (q.org_id, q.id) = (b.org_id, b.quote_id)
             where b.status <> 'failed' and q.booking_id is distinct from b.id",
    ),
    (
        "the journal does not tell what became of a booking, once each",
        "select b.booking_ref || ' ' || a.action || ' ' || count(e.id) from bookings b
             cross join (values ('booking.requested', array['pending', 'failed', 'confirmed', 'cancelled']),
                                ('booking.confirmed', array['confirmed', 'cancelled']),
                                ('booking.failed', array['failed']),
                                ('booking.cancelled', array['cancelled']),
                                ('booking.order_without_booking', array[]::text[])) as a(action, told)
             left join events e on e.org_id = b.org_id and e.entity_id = b.booking_ref and e.action = a.action
             group by b.booking_ref, b.status, a.action, a.told
             having count(e.id) <> case when b.status = any(a.told) then 1 else 0 end",
    ),
    (
        "a transfer does not balance",
        "select transfer_id::text from entries group by org_id, transfer_id
             having sum(case side when 'debit' then amount else -amount end) <> 0",
    ),
];

/// The ledger's, the bookings' and the supplier's books.
#[derive(Clone)]
pub struct Books {
    platform: Arc<Platform>,
    supplier: Supplier,
}

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

impl Books {
    /// The books of this platform's database and of the supplier that it buys from.
    pub fn of(platform: Arc<Platform>, supplier: Supplier) -> Self {
        Self { platform, supplier }
    }

    /// What a query says, one text for each row of its one column.
    ///
    /// # Panics
    /// When it can't be asked.
    pub async fn lines(&self, query: &str) -> Vec<String> {
        let mut connection = self.platform.database.connection().await.unwrap();
        let query = format!("select t.line::text as line from ({query}) as t(line)");
        let lines: Vec<Line> = sql_query(&query)
            .load(&mut *connection)
            .await
            .unwrap_or_else(|error| panic!("{query}: {error}"));
        lines.into_iter().map(|line| line.line).collect()
    }

    /// Everything about which the books do not agree: the ledger proves itself, no money is set aside for nothing,
    /// every confirmed booking has exactly one live order at the supplier and every live order its booking.
    ///
    /// # Panics
    /// When it can't look.
    pub async fn wrongs(&self) -> Vec<String> {
        let mut wrong = operator::verify_ledger(&self.platform, |_| {})
            .await
            .unwrap()
            .problems;
        for (what, query) in WRONGS {
            let rows = self.lines(query).await;
            wrong.extend(rows.iter().map(|row| format!("{what}: {row}")));
        }
        wrong.extend(self.orders_without_bookings().await);
        wrong
    }

    async fn orders_without_bookings(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        let orders = self.supplier.orders().await;
        let live: Vec<Live> = orders.iter().filter_map(Live::of).collect();
        let ours = self
            .lines(
                "select concat_ws(' ', b.status, o.reference, o.status,
                     (select count(*) from effects e
                         where (e.org_id, e.booking_id) = (o.org_id, o.booking_id) and e.state = 'open'),
                     (select e.request -> 'memory' ->> 'booking_id' from effects e
                         where (e.org_id, e.booking_id, e.number) = (o.org_id, o.booking_id, o.number)
                         and e.kind = 'book'))
                 from bookings b join supplier_orders o on (o.org_id, o.booking_id) = (b.org_id, b.id)",
            )
            .await;
        let mut claimed = Vec::new();
        for line in &ours {
            let words: Vec<&str> = line.split(' ').collect();
            let (status, reference, known, open, id) = match words.as_slice() {
                [status, reference, known, open] => (*status, *reference, *known, *open, None),
                [status, reference, known, open, id] => (*status, *reference, *known, *open, Some(*id)),
                _ => panic!("{line}"),
            };
            let is_it = |live: &&Live| live.reference == reference || Some(live.id.as_str()) == id;
            let standing: Vec<&Live> = live.iter().filter(is_it).collect();
            claimed.extend(standing.iter().map(|live| &live.id));
            let right = match status {
                "confirmed" => standing.len() == 1,
                "pending" => standing.len() <= 1,
                _ => standing.is_empty(),
            };
            if !right {
                wrong.push(format!(
                    "{reference} is {status} and has {} live orders",
                    standing.len()
                ));
            }
            if let [theirs, ..] = standing.as_slice()
                && open == "0"
                && theirs.status != known
            {
                wrong.push(format!(
                    "order {reference} is {known} here and {} at the supplier",
                    theirs.status
                ));
            }
        }
        let unclaimed = live.iter().filter(|live| !claimed.contains(&&live.id));
        wrong.extend(unclaimed.map(|live| {
            let Live { id, reference, .. } = live;
            format!("the supplier holds {id} {reference}, which nobody booked")
        }));
        wrong
    }

    /// What is still under way: effects, pending bookings, money set aside.
    ///
    /// # Panics
    /// When it can't look.
    pub async fn under_way(&self) -> Vec<String> {
        self.lines(
            "select kind || ' of ' || b.booking_ref || ': ' || coalesce(problem, 'sent') from effects e
                 join bookings b on (b.org_id, b.id) = (e.org_id, e.booking_id) where e.state = 'open'
             union all select booking_ref || ' is pending' from bookings where status = 'pending'
             union all select 'money is set aside' from holds where closed_at is null",
        )
        .await
    }
}

/// An order that stands at a supplier.
struct Live {
    id: String,
    /// Ours; empty where the supplier takes none, and its own id is known before the order is made.
    reference: String,
    status: String,
}

impl Live {
    fn of(order: &Value) -> Option<Self> {
        let text = |name| {
            order
                .get(name)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        let status = text("status");
        (status != "cancelled").then(|| Self {
            id: text("id"),
            reference: text("order_reference"),
            status,
        })
    }
}
