//! The statement that [`super::Writes`] sends: what is done with the rows of each table.

use diesel::{
    QueryResult,
    pg::Pg,
    query_builder::{AstPass, Query, QueryFragment, QueryId},
    sql_types::{Array, BigInt, Binary, Text},
};
use serde::Serialize;

use super::{
    known_wallet::KnownWallet,
    rows::{Large, Rows},
};
use crate::{Result, StoreError, booking::bookings::BookingColumns};

pub(super) fn json(rows: &impl Serialize) -> Result<String> {
    serde_json::to_string(rows)
        .map_err(|error| StoreError::Corrupt { what: "rows to be written", value: error.to_string() })
}

/// What is done with the rows of one table; they stand between the halves. What it gives back is counted.
pub(super) struct Part {
    name: &'static str,
    /// One text, in pieces.
    before: &'static [&'static str],
    large: Option<LargeColumns>,
    after: &'static str,
    counts: bool,
}

/// Columns whose values travel beside the rows, each column as an array: PostgreSQL reads a text in JSON letter by letter,
/// more than once. They are selected last.
struct LargeColumns {
    /// What becomes of each column's texts or bytes.
    casts: &'static [&'static str],
    then: &'static str,
}

/// What inserts rows. It names its columns, so that one that a migration adds takes its default.
macro_rules! insert {
    ($name:literal, $table:literal, $columns:literal) => {
        insert!($name, $table, $table, $columns, " returning 1")
    };
    ($name:literal, $into:literal, $record:literal, $columns:literal, $after:literal) => {
        Part {
            name: $name,
            before: &[concat!(
                "insert into ",
                $into,
                " (",
                $columns,
                ") select ",
                $columns,
                " from json_populate_recordset(null::",
                $record,
                ", "
            )],
            large: None,
            after: concat!("::json)", $after),
            counts: true,
        }
    };
    ($name:literal, $table:literal, [$($columns:expr),+], large: $($column:literal $cast:literal),+) => {
        Part {
            name: $name,
            before: &["insert into ", $table, " (", $($columns,)+ $(", ", $column,)+ ") select ", $($columns),+],
            large: Some(LargeColumns {
                casts: &[$($cast),+],
                then: concat!(" from json_populate_recordset(null::", $table, ", "),
            }),
            after: "::json) with ordinality returning 1",
            counts: true,
        }
    };
}

/// What changes rows `t` to what new rows `n` of the same agency say. Rows are found by their keys: no condition beside the
/// key is one that a partial index has, since PostgreSQL might enter that instead and read all that is in it.
macro_rules! update {
    ($name:literal, $table:literal, $changes:literal, $which:literal) => {
        Part {
            name: $name,
            before: &[concat!(
                "update ",
                $table,
                " t set ",
                $changes,
                " from json_populate_recordset(null::",
                $table,
                ", "
            )],
            large: None,
            after: concat!("::json) n where t.org_id = n.org_id and ", $which, " returning 1"),
            counts: true,
        }
    };
}

pub(super) const WALLETS_SAVED: Part = update!(
    "wallets_saved",
    "wallets",
    "balance = n.balance, held = n.held, sequence = n.sequence, head = n.head",
    "t.id = n.id"
);
pub(super) const HOLDS_PLACED: Part =
    insert!("holds_placed", "holds", "org_id, id, wallet_id, amount, placed_at");
pub(super) const HOLDS_CLOSED: Part = update!(
    "holds_closed",
    "holds",
    "closed_at = n.closed_at, outcome = n.outcome",
    "t.id = n.id and t.outcome is null"
);
pub(super) const QUOTES_MARKED: Part =
    update!("quotes_marked", "quotes", "booking_id = n.booking_id", "t.id = n.id");
pub(super) const BOOKINGS_MADE: Part = insert!(
    "bookings_made",
    "bookings",
    [BookingColumns::NAMES, "likeness, name_likeness"],
    large: "product_content" "::jsonb", "pricing" "::jsonb"
);
pub(super) const BOOKINGS_SAVED: Part = update!(
    "bookings_saved",
    "bookings",
    "status = n.status, pnr = n.pnr, failure = n.failure, booked_at = n.booked_at, cancelled_at = \
     n.cancelled_at, amount = coalesce(n.amount, t.amount), pricing = coalesce(n.pricing, \
     t.pricing)",
    "t.id = n.id"
);
pub(super) const ORDERS_MADE: Part = insert!(
    "orders_made",
    "supplier_orders",
    "org_id, booking_id, number, reference, supplier, status, supplier_order_id, content, \
     updated_at, next_poll_at, poll_count, hold_state, pay_by, price_guaranteed_until, travel_at, travel_ends, \
     given_back"
);
pub(super) const ORDERS_SAVED: Part = update!(
    "orders_saved",
    "supplier_orders",
    "status = n.status, supplier_order_id = n.supplier_order_id, content = n.content, updated_at = \
     n.updated_at, next_poll_at = n.next_poll_at, poll_count = n.poll_count, failing_since = case when t.status = \
     n.status then t.failing_since end, hold_state = \
     n.hold_state, pay_by = n.pay_by, price_guaranteed_until = n.price_guaranteed_until, travel_at = n.travel_at, given_back = n.given_back",
    "t.booking_id = n.booking_id and t.number = n.number"
);
/// What is said of it before stays: when it was first held, and that it is to be ticketed by itself.
pub(super) const BOOKING_HOLDS_KEPT: Part = insert!(
    "booking_holds_kept",
    "booking_holds as t",
    "booking_holds",
    "org_id, booking_id, auto_ticket_since, held_at, due_at",
    " on conflict (org_id, booking_id) do update set auto_ticket_since = coalesce(t.auto_ticket_since, \
     excluded.auto_ticket_since), held_at = coalesce(t.held_at, excluded.held_at), due_at = \
     excluded.due_at returning 1"
);
pub(super) const REMINDERS_DROPPED: Part = Part {
    name: "reminders_dropped",
    before: &["delete from hold_reminders t using json_populate_recordset(null::hold_reminders, "],
    large: None,
    after: "::json) n where t.org_id = n.org_id and t.booking_id = n.booking_id and t.told_at is null returning 1",
    counts: false,
};
/// What an agency says of how long it is kept goes before what the service does.
pub(super) const PEOPLE_SEALED: Part = Part {
    name: "people_sealed",
    before: &[
        "insert into booking_people (org_id, booking_id, kind, kek_id, wrapped_key, sealed, sealed_at, erase_after) \
        select n.org_id, n.booking_id, n.kind, n.kek_id, n.wrapped_key, n.sealed, n.sealed_at, \
        n.ends_on + coalesce((select s.value::integer from settings s where s.org_id = n.org_id \
        and s.value ~ '^[0-9]{1,4}$' and s.key = case n.kind when 'papers' then 'papers_kept_days' \
        else 'people_kept_days' end), n.kept_days) \
        from json_to_recordset(",
    ],
    large: None,
    after: "::json) as n (org_id uuid, booking_id uuid, kind text, kek_id text, wrapped_key bytea, sealed bytea, \
        sealed_at timestamptz, ends_on date, kept_days integer) returning 1",
    counts: true,
};
pub(super) const NAMES_MADE: Part = insert!("names_made", "booking_names", "org_id, booking_id, name_key");
pub(super) const ANSWERS_MADE: Part = insert!(
    "answers_made",
    "supplier_answers",
    ["org_id, id, booking_id, number, effect_id, at"],
    large: "sealed" ""
);
pub(super) const STEPS_MADE: Part = insert!(
    "effects_made",
    "effects",
    "org_id, id, booking_id, number, kind, supplier, requested_by, request, state, sent_at, due_at, \
     attempts, saga, step, steps"
);
pub(super) const STEPS_BEGUN: Part = update!(
    "effects_begun",
    "effects",
    "state = 'open', sent_at = n.sent_at, due_at = n.due_at",
    "t.id = n.id and t.state || '' = 'planned'"
);
pub(super) const STEPS_COMPLETED: Part = update!(
    "effects_closed",
    "effects",
    "state = n.state, closed_at = n.closed_at, problem = n.problem, recheck_at = n.recheck_at",
    "t.id = n.id and t.closed_at is null"
);
pub(super) const CHANGES_MADE: Part = insert!(
    "changes_made",
    "order_changes",
    "org_id, booking_id, user_id, number, supplier_change_id, id, place, kind, minutes, before, after, state, \
     actions, decide_by, due_at, found_at, decided_at, decided_by, effect_id"
);
/// Of a change that was decided on before, what was decided stands.
pub(super) const CHANGES_DECIDED: Part = Part {
    name: "changes_decided",
    before: &["update order_changes t set state = n.state, due_at = n.due_at, decided_at = n.decided_at, \
             decided_by = n.decided_by, effect_id = n.effect_id \
             from json_populate_recordset(null::order_changes, "],
    large: None,
    after: "::json) n where t.org_id = n.org_id and t.booking_id = n.booking_id and t.number = n.number \
            and t.supplier_change_id = coalesce(n.supplier_change_id, t.supplier_change_id) \
            and t.state = 'open' returning 1",
    counts: false,
};
pub(super) const KEYS_TIED: Part = insert!(
    "keys_tied",
    "idempotency_keys as t",
    "idempotency_keys",
    "org_id, user_id, key, fingerprint, booking_ref, effect_id, made_user_id, made_transfer_id, \
     made_package_id, made_webhook_id, made_report_id, created_at",
    " on conflict (org_id, user_id, key) do update set fingerprint = excluded.fingerprint, \
     booking_ref = excluded.booking_ref, effect_id = excluded.effect_id, made_user_id = \
     excluded.made_user_id, made_transfer_id = excluded.made_transfer_id, made_package_id = \
     excluded.made_package_id, made_webhook_id = excluded.made_webhook_id, made_report_id = \
     excluded.made_report_id, created_at = excluded.created_at, status = null, answer = null, \
     sealed_answer = null where t.created_at <= excluded.created_at - interval '24 hours' returning 1"
);
pub(super) const KEYS_FREED: Part = Part {
    name: "keys_freed",
    before: &["delete from idempotency_keys t using json_populate_recordset(null::idempotency_keys, "],
    large: None,
    after: "::json) n where t.org_id = n.org_id and t.effect_id = n.effect_id returning 1",
    counts: false,
};
pub(super) const TRANSFERS_MADE: Part = insert!(
    "transfers_made",
    "transfers",
    "org_id, id, key, reason, reference, description, performed_by, currency, at"
);
pub(super) const ENTRIES_MADE: Part = insert!(
    "entries_made",
    "entries",
    "org_id, transfer_id, leg, account, side, amount, wallet_id, sequence, balance_before, \
     balance_after, previous, seal, at, reason"
);
pub(super) const FARES_MADE: Part = insert!(
    "fares_made",
    "fare_transactions",
    "org_id, id, booking_id, booking_ref, product, pnr, provider, user_id, user_name, currency, \
     public_fare, agent_fare, agent_commission, markup, issued_at, transfer_id, ancillary, kind, number, supplier_amount"
);
/// The row of a sale is found by when its booking was confirmed; one of before, without a number, is of all its orders.
/// What was bought stands though there were no such row.
pub(super) const FARES_RAISED: Part = Part {
    name: "fares_raised",
    before: &["update fare_transactions t set ancillary = t.ancillary + n.ancillary, \
             supplier_amount = t.supplier_amount + n.ancillary \
             from json_populate_recordset(null::fare_transactions, "],
    large: None,
    after: "::json) n where (t.org_id, t.booking_id, t.issued_at) = (n.org_id, n.booking_id, n.issued_at) \
            and t.agent_fare >= 0 and t.ancillary >= 0 and (t.number is null or t.number = n.number) \
            returning 1",
    counts: false,
};
pub(super) const REFUNDS_SAVED: Part = update!(
    "refunds_saved",
    "refunds",
    "status = n.status, cancellation_charge = n.cancellation_charge, \
     provider_refund_amount = n.provider_refund_amount, platform_charges = n.platform_charges, \
     refund_to_wallet = n.refund_to_wallet, provider_refund_id = n.provider_refund_id, refunded_at = n.refunded_at",
    "t.booking_id = n.booking_id and t.id = n.id"
);
pub(super) const EVENTS_MADE: Part = insert!(
    "events_made",
    "events",
    "org_id, id, actor_type, actor_id, action, entity_type, entity_id, old_value, new_value, \
     ip_address, user_agent, request_id, created_at"
);
/// Whom it concerns is told, and all admins where they are to be.
pub(super) const NOTICES_MADE: Part = Part {
    name: "notices_made",
    before: &["insert into notifications (org_id, user_id, id, kind, title, message, data, created_at) \
        select n.org_id, r.user_id, n.id, n.kind, n.title, n.message, n.data, n.created_at \
        from json_to_recordset("],
    large: None,
    after: "::json) as n (org_id uuid, id uuid, user_id uuid, to_admins boolean, kind text, title text, \
        message text, data jsonb, created_at timestamptz) \
        cross join lateral (select n.user_id where n.user_id is not null \
        union select u.id from users u where n.to_admins and u.org_id = n.org_id \
        and u.role = 'org_admin' and u.deleted_at is null) as r (user_id) returning 1",
    counts: false,
};
pub(super) const EVENTS_PUBLISHED: Part =
    insert!("events_published", "public_events", "org_id, id, kind, subject, data, created_at");

/// The parts that have rows. Of the many texts that this could be a few occur again and again, and are prepared once
/// on each connection: opening all tables and indexes for nothing would cost more than the rows.
#[derive(Default)]
pub(in crate::batch) struct Statement<'a> {
    /// The wallet that was not locked before, which comes first.
    known: Option<&'a KnownWallet>,
    parts: Vec<(&'static Part, String, Vec<Large<'a>>)>,
    expected: i64,
}

impl<'a> Statement<'a> {
    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// This wallet is written in the place of rows of wallets.
    pub(super) fn known(&mut self, wallet: &'a KnownWallet) {
        self.known = Some(wallet);
        self.expected += 1;
    }

    pub(super) fn part(&mut self, part: &'static Part, rows: &'a impl Rows) -> Result<()> {
        if rows.count() == 0 {
            return Ok(());
        }
        if part.counts {
            self.expected += i64::try_from(rows.count()).unwrap_or(i64::MAX);
        }
        self.parts.push((part, json(rows)?, rows.large()));
        Ok(())
    }
}

impl QueryFragment<Pg> for Statement<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let mut separator = "with ";
        if let Some(wallet) = self.known {
            out.push_sql(separator);
            wallet.walk_ast(out.reborrow())?;
            separator = ", ";
        }
        for (part, rows, large) in &self.parts {
            out.push_sql(separator);
            out.push_sql(part.name);
            out.push_sql(" as (");
            for piece in part.before {
                out.push_sql(piece);
            }
            if let Some(columns) = &part.large {
                for (cast, values) in columns.casts.iter().zip(large) {
                    out.push_sql(", (");
                    match values {
                        Large::Texts(texts) => out.push_bind_param::<Array<Text>, _>(texts)?,
                        Large::Bytes(bytes) => out.push_bind_param::<Array<Binary>, _>(bytes)?,
                    }
                    out.push_sql(")[ordinality]");
                    out.push_sql(cast);
                }
                out.push_sql(columns.then);
            }
            out.push_bind_param::<Text, String>(rows)?;
            out.push_sql(part.after);
            out.push_sql(")");
            separator = ", ";
        }
        out.push_sql(" select written_whole(0");
        if self.known.is_some() {
            // Counted first, so done first: nobody else writes by the wallet from then on.
            out.push_sql(" + (select count(*) from wallets_saved)");
        }
        for (part, ..) in self.parts.iter().filter(|(part, ..)| part.counts) {
            out.push_sql(" + (select count(*) from ");
            out.push_sql(part.name);
            out.push_sql(")");
        }
        out.push_sql(", ");
        out.push_bind_param::<BigInt, i64>(&self.expected)?;
        out.push_sql(")");
        Ok(())
    }
}

impl QueryId for Statement<'_> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl Query for Statement<'_> {
    type SqlType = BigInt;
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use diesel::QueryDsl;

    use super::{super::rows::Row, *};
    use crate::schema::bookings;

    #[derive(Serialize)]
    struct RowOfAny;

    impl Row for RowOfAny {
        fn large_of<'a>(_: &[&'a Self]) -> Vec<Large<'a>> {
            vec![Large::Texts(Vec::new()), Large::Texts(Vec::new())]
        }
    }

    /// What a statement is that writes rows of every table, and which of its parts must have as many as they were given.
    #[test]
    fn the_statement_is_this() {
        let rows = vec![RowOfAny];
        let mut statement = Statement::default();
        for part in super::super::PARTS {
            statement.part(part, &rows).unwrap();
        }
        let text = diesel::debug_query::<Pg, _>(&statement).to_string();
        let (sql, _binds) = text.split_once(" -- binds").unwrap();
        let a_part_a_line = sql.replace("), ", "),\n").replace(" + (select", "\n + (select");
        insta::assert_snapshot!("statement", a_part_a_line);
    }

    /// A column that a new booking leaves to its default is taken out of `all`, with its reason.
    #[test]
    fn a_new_booking_is_written_with_every_column() {
        let all = diesel::debug_query::<Pg, _>(&bookings::table.select(bookings::all_columns)).to_string();
        let all: BTreeSet<_> =
            all.split("\"bookings\".\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        let insert = BOOKINGS_MADE.before.concat();
        let (_, written) = insert.split_once('(').unwrap();
        let (written, _) = written.split_once(')').unwrap();
        assert_eq!(written.split(", ").collect::<BTreeSet<_>>(), all);
    }

    #[test]
    fn a_wallet_that_is_known_is_written_first_and_only_as_it_is_known() {
        let id = uuid::Uuid::nil();
        let wallet = wayfare_ledger::Wallet::open(
            wayfare_domain::WalletId::from_uuid(id),
            wayfare_domain::Currency::INR,
        );
        let locked = crate::money::wallets::Locked { wallet: wallet.clone(), low_balance: None };
        let owner = crate::money::wallets::Owner::Organization(wayfare_domain::OrganizationId::from_uuid(id));
        let known = KnownWallet::new(owner, &locked, &wallet);
        let rows = vec![RowOfAny];
        let mut statement = Statement::default();
        statement.known(&known);
        statement.part(&TRANSFERS_MADE, &rows).unwrap();
        let text = diesel::debug_query::<Pg, _>(&statement).to_string();
        let (sql, _binds) = text.split_once(" -- binds").unwrap();
        insta::assert_snapshot!("known_wallet", sql.replace(" and ", "\n and "));
    }
}
