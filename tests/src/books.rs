//! Whether everybody's books agree: the ledger's, the bookings' and the supplier's.

use std::sync::Arc;

use diesel::{QueryableByName, sql_query, sql_types::Text};
use diesel_async::RunQueryDsl;
use rust_decimal::Decimal;
use serde_json::Value;
use wayfare_domain::BookingRef;
use wayfare_operations::{Platform, access::operators::By, operator};

use crate::{Supplier, amount, sealed_books};

/// How the queries of tests begin that go over the service's own connections.
pub(crate) const ASKED: &str = "select t.line::text as line from ";

/// Queries whose every row is something wrong, and what.
const WRONGS: &[(&str, &str)] = &[
    (
        "money is set aside for nothing that is under way",
        "select h.id::text from holds h where h.closed_at is null and not exists (
             select from bookings b join effects e on (e.org_id, e.booking_id) = (b.org_id, b.id)
             where (b.org_id, b.hold_id) = (h.org_id, h.id) and b.status = 'pending' and e.state = 'open')
             and not exists (
             select from effects e where e.org_id = h.org_id and e.kind in ('add_service', 'change') and e.state = 'open'
                 and e.request -> 'service' ->> 'hold' = h.id::text)",
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
             and (select coalesce(sum(case e.side when 'debit' then e.amount else -e.amount end), 0) from transfers t
                  join entries e on (e.org_id, e.transfer_id) = (t.org_id, t.id)
                  where (t.reason = 'booking' or t.key like 'change:%') and t.reference = b.booking_ref
                      and e.wallet_id = b.wallet_id)
             <> case when b.status in ('confirmed', 'cancelled') then b.amount else 0 end",
    ),
    (
        "a booking was not given back exactly as its refund says",
        "select b.booking_ref from bookings b
             where (select coalesce(sum(e.amount), 0) from transfers t
                  join entries e on (e.org_id, e.transfer_id) = (t.org_id, t.id)
                  where t.reason = 'refund' and t.key not like 'change:%' and t.reference = b.booking_ref
                      and e.wallet_id is not null)
             - (select coalesce(sum(u.moved), 0) from rulings u where (u.org_id, u.booking_id) = (b.org_id, b.id)
                 and u.kind = 'refund')
             -- What a supplier has cancelled by itself waits for a ruling.
             <> (select coalesce(sum(refund_to_wallet), case when b.status = 'cancelled' and not exists (select from exceptions x where x.closed_at is null
                 and (x.org_id, x.booking_id, x.kind) = (b.org_id, b.id, 'cancelled_by_supplier')) then -1 else 0 end)
                 from refunds r where (r.org_id, r.booking_id) = (b.org_id, b.id) and r.status = 'refunded')",
    ),
    (
        "a refund does not tell what became of the cancellation",
        "select b.booking_ref || ' ' || r.status from refunds r
             join bookings b on (b.org_id, b.id) = (r.org_id, r.booking_id)
             join supplier_orders o on (o.org_id, o.booking_id, o.number) = (r.org_id, r.booking_id, r.number)
             where r.status <> 'failed' and (o.status <> 'cancelled' and coalesce((r.part ->> 'is_last')::boolean, true)
                 or r.status <> 'refunded') and not exists (
                 select from effects e where (e.org_id, e.booking_id) = (b.org_id, b.id) and e.state = 'open')
             and not (o.status = 'cancelled' and r.status = 'processing' and exists (select from exceptions x where x.closed_at is null
                 and (x.org_id, x.booking_id, x.kind) = (b.org_id, b.id, 'cancelled_by_supplier')))",
    ),
    (
        "the operator is told that an outcome is not known, and it is",
        "select e.kind || ' of ' || b.booking_ref from exceptions x
             join effects e on (e.org_id, e.id) = (x.org_id, x.effect_id)
             join bookings b on (b.org_id, b.id) = (x.org_id, x.booking_id)
             where x.kind = 'outcome_unknown' and x.closed_at is null and e.state <> 'open'",
    ),
    (
        "the fare ledger's markups are not those of the markup account",
        "select o.id::text from organizations o where
             (select coalesce(sum(f.markup), 0) from fare_transactions f where f.org_id = o.id)
             <> (select coalesce(sum(case e.side when 'credit' then e.amount else -e.amount end), 0) from entries e
                 join transfers t on (t.org_id, t.id) = (e.org_id, e.transfer_id)
                 join bookings b on (b.org_id, b.booking_ref) = (t.org_id, t.reference)
                 where e.org_id = o.id and e.account = 'markup' and t.reason in ('booking', 'refund'))",
    ),
    (
        "the fare ledger's amounts of a supplier are not those of its account",
        "select f.org_id || ' ' || f.provider from fare_transactions f group by f.org_id, f.provider
             having bool_and(f.number is not null) and sum(f.supplier_amount) <>
             (select coalesce(sum(case e.side when 'credit' then e.amount else -e.amount end), 0) from entries e
                 where e.org_id = f.org_id and e.account = 'supplier:' || f.provider)",
    ),
    (
        "the rows of a sale are not what was paid for it, order by order",
        "select b.booking_ref from bookings b where b.status in ('confirmed', 'cancelled')
             and not exists (select from fare_transactions f where (f.booking_id, f.org_id) = (b.id, b.org_id)
                 and f.number is null)
             and (select sum(f.agent_fare + f.ancillary) from fare_transactions f
                 where (f.booking_id, f.org_id) = (b.id, b.org_id) and f.kind in ('sale', 'change')) <> b.amount",
    ),
    (
        "the fare ledger does not sum to what wallets paid for fares",
        "select o.id::text from organizations o where
             (select coalesce(sum(f.agent_fare), 0) from fare_transactions f where f.org_id = o.id)
             <> (select coalesce(sum(case e.side when 'debit' then e.amount else -e.amount end), 0) from entries e
                 join transfers t on (t.org_id, t.id) = (e.org_id, e.transfer_id)
                 where e.org_id = o.id and e.wallet_id is not null
                     and (t.reason in ('booking', 'refund') or t.key like 'ruling:%'))
             - (select coalesce(sum(beside.paid - back.paid), 0)
                 from bookings b
                 cross join lateral jsonb_array_elements(b.pricing) with ordinality as s(sale, number)
                 cross join lateral (
                     select coalesce(sum((bought -> 'total' ->> 'amount')::numeric), 0) as paid
                     from jsonb_array_elements(coalesce(s.sale -> 'ancillaries', '[]')) as bought) as beside
                 -- Of a part its share came back, of the last what the parts have left.
                 cross join lateral (
                     select coalesce(sum(least(r.refund_to_wallet, round(own.paid * r.provider_refund_amount
                         / nullif(r.provider_refund_amount + r.cancellation_charge, 0), 2))), 0) as paid
                     from refunds r cross join lateral (
                         select case when coalesce((r.part ->> 'is_last')::boolean, true) then beside.paid
                             - coalesce(sum((g #>> '{paid,ancillary,amount}')::numeric), 0)
                             else sum((g #>> '{paid,ancillary,amount}')::numeric)
                                 filter (where g -> 'part' = r.part -> 'part') end as paid
                         from supplier_orders p cross join lateral jsonb_array_elements(p.given_back) as g
                         where (p.org_id, p.booking_id, p.number) = (b.org_id, b.id, s.number)) as own
                     where (r.org_id, r.booking_id, r.number) = (b.org_id, b.id, s.number)
                         and r.status = 'refunded') as back
                 where b.org_id = o.id and b.status in ('confirmed', 'cancelled'))",
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
             where e.state = 'open'
                 and b.status <> case e.kind when 'book' then 'pending' when 'undo' then 'failed' else 'confirmed' end",
    ),
    (
        "what suppliers did is not what became of an order",
        "select o.reference || ' is ' || o.status from supplier_orders o
             join bookings b on (b.org_id, b.id) = (o.org_id, o.booking_id)
             cross join lateral (
                 select count(*) filter (where e.kind = 'book') as made,
                        count(*) filter (where e.kind = case b.status when 'failed' then 'undo' else 'cancel' end) as undone
                 from effects e where (e.org_id, e.booking_id, e.number) = (o.org_id, o.booking_id, o.number)
                     and e.state = 'done' and coalesce((e.request -> 'part' ->> 'is_last')::boolean, true)) as done
             cross join lateral (
                 select count(*) as by_supplier from rulings u
                 where (u.org_id, u.booking_id, u.number) = (o.org_id, o.booking_id, o.number)
                     and u.kind = 'supplier_cancelled') as ruled
             where made <> case when o.status in ('held', 'confirmed', 'cancelled') then 1 else 0 end
                 -- What a supplier has cancelled by itself nobody here has given back until it is ruled.
                 or undone + by_supplier <> case when o.status = 'cancelled' and (by_supplier > 0 or not exists (select from exceptions x
                     where (x.org_id, x.booking_id, x.kind) = (o.org_id, o.booking_id, 'cancelled_by_supplier')
                     and x.details ->> 'number' = o.number::text)) then 1 else 0 end",
    ),
    (
        "somebody's journey was paid back twice",
        "select b.booking_ref from refunds r join bookings b on (b.org_id, b.id) = (r.org_id, r.booking_id)
             cross join jsonb_array_elements(r.part -> 'part') as j
             cross join jsonb_array_elements(j -> 'travellers') as traveller
             where r.status = 'refunded'
             group by b.booking_ref, r.number, j -> 'journey', traveller having count(*) > 1",
    ),
    (
        "the parts of an order that came back are not those that are written down with it",
        "select o.reference::text from supplier_orders o
             where jsonb_array_length(coalesce(o.given_back, '[]')) <> (select count(*) from refunds r
                 where (r.org_id, r.booking_id, r.number) = (o.org_id, o.booking_id, o.number)
                     and r.status = 'refunded' and not (r.part ->> 'is_last')::boolean)
             or jsonb_array_length(coalesce(o.given_back, '[]')) <> (select count(*) from effects e
                 where (e.org_id, e.booking_id, e.number) = (o.org_id, o.booking_id, o.number) and e.kind = 'cancel'
                     and e.state = 'done' and not (e.request -> 'part' ->> 'is_last')::boolean)",
    ),
    (
        "a booking is not what became of its orders",
        "select b.booking_ref || ' is ' || b.status || ', ' || o.orders from bookings b
             cross join lateral (
                 select string_agg(status, ' and ' order by number) as orders,
                        bool_and(status in ('pending', 'held', 'confirmed')) as may_be_pending,
                        bool_and(status in ('held', 'confirmed', 'cancelled')) and bool_or(status <> 'cancelled') as stands,
                        bool_and(status = 'cancelled') as given_back,
                        bool_and(status <> 'pending') as known
                 from supplier_orders s where (s.org_id, s.booking_id) = (b.org_id, b.id)) as o
             where not case b.status when 'pending' then may_be_pending when 'confirmed' then stands
                 when 'cancelled' then given_back else known end",
    ),
    (
        "an order of a booking that failed stands, and nobody looks after it",
        "select o.reference::text from supplier_orders o join bookings b on (b.org_id, b.id) = (o.org_id, o.booking_id)
             where b.status = 'failed' and o.status in ('held', 'confirmed')
             and not exists (select from effects e where (e.org_id, e.booking_id, e.number) = (o.org_id, o.booking_id, o.number)
                 and e.kind = 'undo' and e.state = 'open')
             and not exists (select from exceptions x where (x.org_id, x.booking_id) = (b.org_id, b.id)
                 and x.kind = 'order_without_booking')",
    ),
    (
        "a quote is used by a booking that failed before anything was made of it, or not by the one that stands",
        "select q.id::text from quotes q join bookings b on (b.org_id, b.id) = (q.org_id, q.booking_id)
             where b.quote_id <> q.id or b.status = 'failed' and not exists (
                 select from supplier_orders o where (o.org_id, o.booking_id) = (b.org_id, b.id)
                     and o.supplier_order_id is not null)
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
             left join events e on e.org_id = b.org_id and e.entity_id = b.booking_ref
                 and case when e.action = 'booking.rescheduled' or e.action = 'booking.cancelled_by_supplier'
                     and e.new_value ->> 'status' = 'cancelled' then 'booking.cancelled' else e.action end = a.action
             group by b.org_id, b.id, b.booking_ref, b.status, a.action, a.told
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
    pub async fn lines(&self, query: &str) -> Vec<String> {
        let mut connection = self.platform.core.database.connection().await.unwrap();
        let query = format!("{ASKED}({query}) as t(line)");
        let lines: Vec<Line> =
            sql_query(&query).load(&mut *connection).await.unwrap_or_else(|error| panic!("{query}: {error}"));
        lines.into_iter().map(|line| line.line).collect()
    }

    /// All that is stored of whom this booking is for, as the operator reads it.
    pub async fn people(&self, reference: &str) -> Value {
        let reference = BookingRef::from(reference.to_owned());
        let shown = operator::people::show(&self.platform, By::command_line(), &reference).await.unwrap();
        serde_json::to_value(shown).unwrap()
    }

    /// The references of all bookings, each with the e-mail address of its contact, the oldest first.
    pub async fn contacts(&self) -> Vec<(String, String)> {
        let mut contacts = Vec::new();
        for reference in self.lines("select booking_ref from bookings order by id").await {
            let email = self.people(&reference).await["people"]["contact"]["email"].clone();
            contacts.push((reference, email.as_str().unwrap_or_default().to_owned()));
        }
        contacts
    }

    /// Everything about which the books do not agree: the ledger proves itself, no money is set aside for nothing,
    /// every order that stands here stands once at the supplier, and every one that stands there stands here.
    pub async fn wrongs(&self) -> Vec<String> {
        let mut wrong = operator::verify_ledger(&self.platform, |_| {}).await.unwrap().problems;
        for (what, query) in WRONGS.iter().chain(sealed_books::WRONGS) {
            wrong.extend(self.lines(query).await.iter().map(|row| format!("{what}: {row}")));
        }
        let live: Vec<Live> = self.supplier.orders().await.iter().filter_map(Live::of).collect();
        wrong.extend(self.orders_without_bookings(&live).await);
        wrong.extend(self.changes_otherwise_than_at_the_supplier().await);
        wrong.extend(self.order_changes_otherwise_than_at_the_supplier().await);
        wrong.extend(self.orders_at_another_price(&live).await);
        wrong
    }

    /// What airlines changed of orders that stand is accepted here where it is there, once nothing is under way.
    async fn changes_otherwise_than_at_the_supplier(&self) -> Vec<String> {
        let query = "select concat_ws(' ', o.supplier_order_id, c.supplier_change_id, c.state) from order_changes c
         join supplier_orders o on (o.org_id, o.booking_id, o.number) = (c.org_id, c.booking_id, c.number)
         where c.state in ('open', 'accepted') and c.supplier_change_id not like 'w-%' and o.status = 'confirmed'
         and not exists (select from effects e where (e.org_id, e.booking_id) = (c.org_id, c.booking_id)
             and e.state = 'open')";
        let mut wrong = Vec::new();
        for line in &self.lines(query).await {
            let words: Vec<&str> = line.split(' ').collect();
            let [order, change, state] = words.as_slice() else { panic!("{line}") };
            let theirs = self.supplier.duffel(&format!("/air/orders/{order}")).await;
            let mut listed = theirs["airline_initiated_changes"].as_array().unwrap().iter();
            let taken = listed.find(|one| one["id"] == **change).map(|one| one["action_taken"].clone());
            match (*state, taken == Some("accepted".into())) {
                ("accepted", false) => {
                    wrong.push(format!("change {change} is accepted here and not at the supplier"))
                }
                ("open", true) => {
                    wrong.push(format!("change {change} is open here and accepted at the supplier"))
                }
                _ => {}
            }
        }
        wrong
    }

    /// What was changed of an order at its supplier is changed and paid here, once, and nothing else is.
    async fn order_changes_otherwise_than_at_the_supplier(&self) -> Vec<String> {
        let query = "select concat_ws(' ', o.supplier_order_id,
             (select count(*) from effects e
                 where (e.org_id, e.booking_id, e.number) = (o.org_id, o.booking_id, o.number)
                 and e.kind = 'change' and e.state = 'done'),
             (select count(*) from fare_transactions f
                 where (f.org_id, f.booking_id, f.number) = (o.org_id, o.booking_id, o.number)
                 and f.kind = 'change'),
             (select count(distinct c.effect_id) from order_changes c
                 where (c.org_id, c.booking_id, c.number) = (o.org_id, o.booking_id, o.number)
                 and c.state = 'chosen'))
         from supplier_orders o where o.supplier = 'duffel' and o.status = 'confirmed'
         and exists (select from effects e
             where (e.org_id, e.booking_id, e.number) = (o.org_id, o.booking_id, o.number)
             and e.kind = 'change')
         and not exists (select from effects e where (e.org_id, e.booking_id) = (o.org_id, o.booking_id)
             and e.state = 'open')";
        let mut wrong = Vec::new();
        for line in &self.lines(query).await {
            let words: Vec<&str> = line.split(' ').collect();
            let [order, done, paid, flown] = words.as_slice() else { panic!("{line}") };
            let theirs = self.supplier.duffel(&format!("/air/orders/{order}")).await;
            let confirmed = theirs["changes"].as_array().unwrap().len().to_string();
            if [done, paid, flown].iter().any(|count| ***count != confirmed) {
                wrong.push(format!(
                    "order {order} was changed {confirmed} times at the supplier; done {done}, paid {paid}, flown {flown}"
                ));
            }
        }
        wrong
    }

    /// What a supplier is owed for an order is what the order was priced at: where the public must pay more than that, as
    /// at some hotels, the difference is remembered with the order. Of others the operator is told.
    async fn orders_at_another_price(&self, live: &[Live]) -> Vec<String> {
        let query =
            "select concat_ws(' ', o.supplier_order_id, o.reference, sale -> 'supplier_total' ->> 'currency',
             (sale -> 'supplier_total' ->> 'amount')::numeric
             + (select coalesce(sum((bought -> 'supplier_total' ->> 'amount')::numeric), 0)
                from jsonb_array_elements(coalesce(sale -> 'ancillaries', '[]')) as bought)
             + (select coalesce(sum((made -> 'supplier_difference' ->> 'amount')::numeric), 0)
                from jsonb_array_elements(coalesce(sale -> 'changes', '[]')) as made)
             - (select coalesce(sum((e.request -> 'memory' -> 'margin' ->> 'amount')::numeric), 0)
                from effects e where (e.org_id, e.booking_id, e.number) = (o.org_id, o.booking_id, o.number)
                    and e.kind = 'book'),
             -- Whatever it is called since.
             (select e.request -> 'memory' ->> 'booking_id' from effects e
                 where (e.org_id, e.booking_id, e.number) = (o.org_id, o.booking_id, o.number)
                     and e.kind = 'book'))
         from supplier_orders o join bookings b on (b.org_id, b.id) = (o.org_id, o.booking_id)
         cross join lateral (select b.pricing -> (o.number - 1)::int as sale) as priced
         where o.status in ('held', 'confirmed')
         and not exists (select from effects e where (e.org_id, e.booking_id) = (b.org_id, b.id)
             and e.state = 'open')
         and not exists (select from exceptions x where (x.org_id, x.booking_id) = (b.org_id, b.id)
             and x.kind = 'other_total')";
        let mut wrong = Vec::new();
        for line in &self.lines(query).await {
            let words: Vec<&str> = line.split(' ').collect();
            let (id, reference, currency, owed) = match words.as_slice() {
                [id, reference, currency, owed] | [_, reference, currency, owed, id] => {
                    (id, reference, currency, owed)
                }
                _ => panic!("{line}"),
            };
            let owed: Decimal = owed.parse().unwrap();
            for live in live.iter().filter(|live| live.id == *id) {
                if (live.amount, live.currency.as_str()) != (owed, *currency) {
                    let Live { amount, currency: theirs, .. } = live;
                    wrong.push(format!(
                        "order {reference} costs {amount} {theirs} at the supplier and was priced at {owed} {currency}"
                    ));
                }
            }
        }
        wrong
    }

    async fn orders_without_bookings(&self, live: &[Live]) -> Vec<String> {
        let mut wrong = Vec::new();
        let query = "select concat_ws(' ', o.reference, o.status,
             (select count(*) from effects e
                 where (e.org_id, e.booking_id) = (o.org_id, o.booking_id) and e.state = 'open'),
             (select e.request -> 'memory' ->> 'booking_id' from effects e
                 where (e.org_id, e.booking_id, e.number) = (o.org_id, o.booking_id, o.number)
                 and e.kind = 'book'
                 -- A quote that was freed may have been booked again, under the same id.
                 and not (o.status = 'failed' and exists (select from supplier_orders made
                     where made.supplier_order_id = e.request -> 'memory' ->> 'booking_id'))))
         from supplier_orders o";
        let mut claimed = Vec::new();
        for line in &self.lines(query).await {
            let words: Vec<&str> = line.split(' ').collect();
            let (reference, known, open, id) = match words.as_slice() {
                [reference, known, open] => (*reference, *known, *open, None),
                [reference, known, open, id] => (*reference, *known, *open, Some(*id)),
                _ => panic!("{line}"),
            };
            let is_it = |live: &&Live| live.reference == reference || Some(live.id.as_str()) == id;
            let standing: Vec<&Live> = live.iter().filter(is_it).collect();
            claimed.extend(standing.iter().map(|live| &live.id));
            let right = match (known, open) {
                ("held" | "confirmed", "0") => standing.len() == 1,
                ("pending" | "held" | "confirmed", _) => standing.len() <= 1,
                _ => standing.is_empty(),
            };
            if !right {
                wrong.push(format!("{reference} is {known} and has {} live orders", standing.len()));
            }
            if let [theirs, ..] = standing.as_slice()
                && open == "0"
                && theirs.status != known
            {
                wrong
                    .push(format!("order {reference} is {known} here and {} at the supplier", theirs.status));
            }
        }
        wrong.extend(live.iter().filter(|live| !claimed.contains(&&live.id)).map(|live| {
            let Live { id, reference, .. } = live;
            format!("the supplier holds {id} {reference}, which nobody booked")
        }));
        wrong
    }

    /// What is still under way: effects, pending bookings, money set aside.
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
    amount: Decimal,
    currency: String,
}

impl Live {
    fn of(order: &Value) -> Option<Self> {
        let text = |name| order.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let status = text("status");
        (status != "cancelled").then(|| Self {
            id: text("id"),
            reference: text("order_reference"),
            status,
            amount: amount(&order["amount"]),
            currency: text("currency"),
        })
    }
}
