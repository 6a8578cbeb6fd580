//! Whether everybody's books agree: the ledger's, the bookings' and the supplier's.
#![allow(clippy::unwrap_used, reason = "a test can only fail when it can't look")]

use wayfare_operations::operator;

use crate::World;

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
                  where t.reason = 'refund' and t.reference = b.booking_ref and e.wallet_id = b.wallet_id)
             <> case when b.status = 'cancelled' then
                  (select coalesce(sum(refund_to_wallet), -1) from refunds r
                   where (r.org_id, r.booking_id) = (b.org_id, b.id) and r.status = 'refunded')
                else 0 end",
    ),
    (
        "the fare ledger does not sum to what wallets paid",
        "select w.id::text from wallets w where
             (select coalesce(sum(f.agent_fare), 0) from fare_transactions f
              join bookings b on (b.org_id, b.id) = (f.org_id, f.booking_id)
              where (b.org_id, b.wallet_id) = (w.org_id, w.id))
             <> (select coalesce(sum(case e.side when 'debit' then e.amount else -e.amount end), 0) from entries e
                 join transfers t on (t.org_id, t.id) = (e.org_id, e.transfer_id)
                 where (e.org_id, e.wallet_id) = (w.org_id, w.id) and t.reason in ('booking', 'refund'))",
    ),
    (
        "a transfer does not balance",
        "select transfer_id::text from entries group by org_id, transfer_id
             having sum(case side when 'debit' then amount else -amount end) <> 0",
    ),
];

impl World {
    /// That all books agree: the ledger proves itself, no money is set aside for nothing, every confirmed
    /// booking has exactly one live order at the supplier and every live order its booking.
    ///
    /// # Panics
    /// When they don't, with what is wrong.
    pub async fn books_agree(&self) {
        let mut wrong = operator::verify_ledger(&self.platform).await.unwrap().problems;
        for (what, query) in WRONGS {
            let rows = self.lines(query).await;
            wrong.extend(rows.iter().map(|row| format!("{what}: {row}")));
        }
        let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        let orders = self.supplier_orders().await;
        let live: Vec<String> = orders
            .iter()
            .filter(|order| order.get("status").is_some_and(|status| status != "cancelled"))
            .map(|order| order.get("order_reference").map(text).unwrap_or_default())
            .collect();
        let ours = self
            .lines(
                "select b.status || ' ' || o.reference from bookings b
                 join supplier_orders o on (o.org_id, o.booking_id) = (b.org_id, b.id)",
            )
            .await;
        for line in &ours {
            let (status, reference) = line.split_once(' ').unwrap_or_default();
            let standing = live.iter().filter(|live| *live == reference).count();
            let right = match status {
                "confirmed" => standing == 1,
                "pending" => standing <= 1,
                _ => standing == 0,
            };
            if !right {
                wrong.push(format!("{reference} is {status} and has {standing} live orders"));
            }
        }
        for reference in &live {
            if !ours.iter().any(|line| line.ends_with(&format!(" {reference}"))) {
                wrong.push(format!("the supplier holds {reference}, which nobody booked"));
            }
        }
        assert!(wrong.is_empty(), "\n  {}\n", wrong.join("\n  "));
    }
}
