//! Everything that a batch of purchases writes, in one statement: many rows of many tables in one round trip.
//!
//! The rows of each table travel as one JSON parameter, so that the statement's text hangs on which tables are written
//! and not on how many rows. PostgreSQL checks the references between the tables when it has ended.

mod rows;

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use diesel::{
    QueryResult,
    pg::Pg,
    query_builder::{AstPass, Query, QueryFragment, QueryId},
    result::{DatabaseErrorKind, Error as DieselError},
    sql_types::{BigInt, Text},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use serde::Serialize;
use serde_json::{Value, value::RawValue};
use uuid::Uuid;
use wayfare_domain::{AuditEvent, BookingId, HoldId, Money, OrganizationId, QuoteId, StepId, WalletId};
use wayfare_ledger::{Entry, Transfer, Wallet};

use crate::{
    StoreError,
    access::idempotency::{CreatedResource, NewKey},
    booking::{
        bookings::{Booking, Fingerprint, Order},
        refunds::Refund,
        steps::{Outcome, Step},
    },
    error::corrupt_json,
    money::{entries::HoldOutcome, fare_ledger::FareTransaction},
};

/// What is to be written. Nothing is, until [`Writes::send`].
#[derive(Default)]
pub struct Writes {
    wallets: BTreeMap<Uuid, rows::Wallet>,
    holds: Vec<rows::Hold>,
    closed_holds: Vec<rows::ClosedHold>,
    quotes: Vec<rows::Quote>,
    new_bookings: Vec<rows::NewBooking>,
    bookings: BTreeMap<Uuid, rows::Booking>,
    new_orders: Vec<rows::Order>,
    orders: Vec<rows::Order>,
    new_steps: Vec<rows::Step>,
    begun_steps: Vec<rows::BegunStep>,
    completed_steps: Vec<rows::CompletedStep>,
    keys: Vec<rows::Key>,
    freed_keys: Vec<rows::FreedKey>,
    transfers: Vec<rows::Transfer>,
    entries: Vec<rows::Entry>,
    fares: Vec<rows::Fare>,
    refunds: Vec<rows::Refund>,
    events: Vec<rows::Event>,
    notifications: Vec<rows::Notification>,
    outbox: Vec<rows::OutboxEvent>,
}

impl Writes {
    /// What a locked wallet has become; of several the last counts.
    pub fn wallet(&mut self, organization: OrganizationId, wallet: &Wallet) {
        self.wallets
            .insert(wallet.id.uuid(), rows::Wallet::of(organization, wallet));
    }

    /// A hold that a locked wallet has granted.
    pub fn place_hold(
        &mut self,
        organization: OrganizationId,
        id: HoldId,
        wallet: WalletId,
        amount: Money,
        at: DateTime<Utc>,
    ) {
        self.holds
            .push(rows::Hold::of(organization, id, wallet, amount, at));
    }

    /// The end of an open hold. That it was closed before fails the whole.
    pub fn close_hold(
        &mut self,
        organization: OrganizationId,
        id: HoldId,
        outcome: HoldOutcome,
        at: DateTime<Utc>,
    ) {
        self.closed_holds
            .push(rows::ClosedHold::of(organization, id, outcome, at));
    }

    /// A quote is used by this booking, or by none any more.
    pub fn quote(&mut self, organization: OrganizationId, id: QuoteId, booking: Option<BookingId>) {
        self.quotes.push(rows::Quote::of(organization, id, booking));
    }

    /// A new booking of this product with its orders, and by what one like it is known.
    ///
    /// # Errors
    /// When its price is no JSON.
    pub fn new_booking<O: Serialize>(
        &mut self,
        booking: &Booking<()>,
        fingerprint: Option<&Fingerprint>,
        product: &RawValue,
        orders: &[Order<O>],
    ) -> Result<(), StoreError> {
        self.new_bookings
            .push(rows::NewBooking::of(booking, fingerprint, product)?);
        for order in orders {
            self.new_orders
                .push(rows::Order::of(booking, order, booking.created_at)?);
        }
        Ok(())
    }

    /// Where a locked booking stands now; of several the last counts.
    pub fn booking<P>(&mut self, booking: &Booking<P>) {
        self.put_booking(booking.id.uuid(), rows::Booking::of(booking));
    }

    /// Where a locked booking stands and what it costs now, and why.
    ///
    /// # Errors
    /// When its price is no JSON.
    pub fn repriced<P>(&mut self, booking: &Booking<P>) -> Result<(), StoreError> {
        self.put_booking(booking.id.uuid(), rows::Booking::repriced(booking)?);
        Ok(())
    }

    fn put_booking(&mut self, id: Uuid, row: rows::Booking) {
        let row = row.after(self.bookings.remove(&id));
        self.bookings.insert(id, row);
    }

    /// Where an order of a locked booking stands now.
    ///
    /// # Errors
    /// When its content is no JSON.
    pub fn order<P, O: Serialize>(
        &mut self,
        booking: &Booking<P>,
        order: &Order<O>,
        at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        self.orders.push(rows::Order::of(booking, order, at)?);
        Ok(())
    }

    /// An intended call, before it is sent. Another one under way on the same order fails the whole
    /// (`one_effect_under_way_per_order`).
    pub fn new_step(&mut self, step: &Step) {
        self.new_steps.push(rows::Step::of(step));
    }

    /// A planned step begins, at its `sent_at`. That it is not planned fails the whole.
    pub fn begin_step(&mut self, step: &Step) {
        self.begun_steps.push(rows::BegunStep::of(step));
    }

    /// The end of a step that is under way. That it was closed before fails the whole.
    pub fn complete_step(&mut self, step: &Step, outcome: Outcome, problem: Option<&str>, at: DateTime<Utc>) {
        self.completed_steps
            .push(rows::CompletedStep::of(step, outcome, problem, at));
    }

    /// Ties a key to what its request made at this time. A key that was used within the last 24 hours fails the
    /// whole with [`StoreError::Overtaken`].
    pub fn key(&mut self, key: NewKey<'_>, created: CreatedResource, at: DateTime<Utc>) {
        self.keys.push(rows::Key::of(key, created, at));
    }

    /// Frees the key of a step that the supplier refused: the request may be made again under it.
    pub fn free_key(&mut self, organization: OrganizationId, step: StepId) {
        self.freed_keys.push(rows::FreedKey::of(organization, step));
    }

    /// A transfer with all its legs; `written` are the entries of the wallets it touches. One of this key that is
    /// there already fails the whole (`transfers_key`): the movement was made before.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when it touches a wallet whose entry is not among `written`, or the other way round.
    pub fn transfer(
        &mut self,
        organization: OrganizationId,
        transfer: &Transfer,
        written: &[Entry],
    ) -> Result<(), StoreError> {
        self.entries
            .extend(rows::Entry::all_of(organization, transfer, written)?);
        self.transfers.push(rows::Transfer::of(organization, transfer));
        Ok(())
    }

    /// A row of the fare ledger.
    pub fn fare(&mut self, row: &FareTransaction) {
        self.fares.push(rows::Fare::of(row));
    }

    /// Where a refund stands now.
    pub fn refund(&mut self, refund: &Refund) {
        self.refunds.push(rows::Refund::of(refund));
    }

    /// An event of the journal, and what is told of it to people and to the agency's own programs.
    pub fn event(&mut self, event: &AuditEvent) {
        self.events.push(rows::Event::of(event));
        self.notifications.extend(rows::Notification::of(event));
        self.outbox.extend(rows::OutboxEvent::of(event));
    }

    /// These and those: what the others say of a wallet or a booking is later.
    pub fn append(&mut self, others: Self) {
        self.wallets.extend(others.wallets);
        self.holds.extend(others.holds);
        self.closed_holds.extend(others.closed_holds);
        self.quotes.extend(others.quotes);
        self.new_bookings.extend(others.new_bookings);
        for (id, row) in others.bookings {
            self.put_booking(id, row);
        }
        self.new_orders.extend(others.new_orders);
        self.orders.extend(others.orders);
        self.new_steps.extend(others.new_steps);
        self.begun_steps.extend(others.begun_steps);
        self.completed_steps.extend(others.completed_steps);
        self.keys.extend(others.keys);
        self.freed_keys.extend(others.freed_keys);
        self.transfers.extend(others.transfers);
        self.entries.extend(others.entries);
        self.fares.extend(others.fares);
        self.refunds.extend(others.refunds);
        self.events.extend(others.events);
        self.notifications.extend(others.notifications);
        self.outbox.extend(others.outbox);
    }

    /// Writes all of it: one statement, in the caller's transaction.
    ///
    /// # Errors
    /// What a constraint refuses; [`StoreError::Overtaken`] when a row is not there, or not as it was taken to be.
    /// PostgreSQL has given up the transaction then.
    pub async fn send(self, mut connection: &AsyncPgConnection) -> Result<(), StoreError> {
        let mut statement = Statement::default();
        statement.part(&WALLETS_SAVED, &self.wallets.into_values().collect::<Vec<_>>())?;
        statement.part(&HOLDS_PLACED, &self.holds)?;
        statement.part(&HOLDS_CLOSED, &self.closed_holds)?;
        statement.part(&QUOTES_MARKED, &self.quotes)?;
        statement.part(&BOOKINGS_MADE, &self.new_bookings)?;
        statement.part(&BOOKINGS_SAVED, &self.bookings.into_values().collect::<Vec<_>>())?;
        statement.part(&ORDERS_MADE, &self.new_orders)?;
        statement.part(&ORDERS_SAVED, &self.orders)?;
        statement.part(&STEPS_MADE, &self.new_steps)?;
        statement.part(&STEPS_BEGUN, &self.begun_steps)?;
        statement.part(&STEPS_COMPLETED, &self.completed_steps)?;
        statement.part(&KEYS_TIED, &self.keys)?;
        statement.part(&KEYS_FREED, &self.freed_keys)?;
        statement.part(&TRANSFERS_MADE, &self.transfers)?;
        statement.part(&ENTRIES_MADE, &self.entries)?;
        statement.part(&FARES_MADE, &self.fares)?;
        statement.part(&REFUNDS_SAVED, &self.refunds)?;
        statement.part(&EVENTS_MADE, &self.events)?;
        statement.part(&NOTICES_MADE, &self.notifications)?;
        statement.part(&EVENTS_PUBLISHED, &self.outbox)?;
        if statement.parts.is_empty() {
            return Ok(());
        }
        let written: QueryResult<i64> = statement.get_result(&mut connection).await;
        match written {
            Ok(_) => Ok(()),
            Err(DieselError::DatabaseError(DatabaseErrorKind::SerializationFailure, _)) => {
                Err(StoreError::Overtaken)
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// What is to be written, in words: for tests of what decides it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// The names of events, in order.
    pub events: Vec<String>,
    /// Holds that end, and how.
    pub closed_holds: Vec<(String, String)>,
    /// Why money moves.
    pub transfers: Vec<String>,
    /// Steps that end, and how.
    pub completed_steps: Vec<(String, String)>,
}

impl Writes {
    /// What is to be written, in words.
    ///
    /// # Errors
    /// When a row is no JSON.
    pub fn outline(&self) -> Result<Outline, StoreError> {
        Ok(Outline {
            events: column(&self.events, "action")?,
            closed_holds: pairs(&self.closed_holds, "outcome")?,
            transfers: column(&self.transfers, "reason")?,
            completed_steps: pairs(&self.completed_steps, "state")?,
        })
    }
}

/// What these rows have in a column of text.
fn column<R: Serialize>(rows: &[R], name: &str) -> Result<Vec<String>, StoreError> {
    let rows: Vec<BTreeMap<String, Value>> =
        serde_json::from_str(&json(rows)?).map_err(corrupt_json("rows to be written"))?;
    let text = |row: BTreeMap<String, Value>| row.get(name).and_then(Value::as_str).map(str::to_owned);
    Ok(rows
        .into_iter()
        .map(|row| text(row).unwrap_or_default())
        .collect())
}

/// The ids of these rows with what they have in a column of text.
fn pairs<R: Serialize>(rows: &[R], name: &str) -> Result<Vec<(String, String)>, StoreError> {
    Ok(column(rows, "id")?.into_iter().zip(column(rows, name)?).collect())
}

fn json<R: Serialize>(rows: &[R]) -> Result<String, StoreError> {
    serde_json::to_string(rows).map_err(|error| StoreError::Corrupt {
        what: "rows to be written",
        value: error.to_string(),
    })
}

/// What is done with the rows of one table; they stand between the halves. What it gives back is counted.
struct Part {
    name: &'static str,
    before: &'static str,
    after: &'static str,
    /// Whether each row must be found.
    counts: bool,
}

/// The first half of an insert. It names its columns, so that one that a migration adds takes its default.
macro_rules! insert_into {
    ($table:literal, $record:literal, $columns:literal) => {
        concat!(
            "insert into ",
            $table,
            " (",
            $columns,
            ") select ",
            $columns,
            " from json_populate_recordset(null::",
            $record,
            ", "
        )
    };
}

const WALLETS_SAVED: Part = Part {
    name: "wallets_saved",
    before: "update wallets t set balance = n.balance, held = n.held, sequence = n.sequence, head = \
        n.head from json_populate_recordset(null::wallets, ",
    after: "::json) n where t.org_id = n.org_id and t.id = n.id returning 1",
    counts: true,
};
const HOLDS_PLACED: Part = Part {
    name: "holds_placed",
    before: insert_into!("holds", "holds", "org_id, id, wallet_id, amount, placed_at"),
    after: "::json) returning 1",
    counts: true,
};
const HOLDS_CLOSED: Part = Part {
    name: "holds_closed",
    before: "update holds t set closed_at = n.closed_at, outcome = n.outcome from \
        json_populate_recordset(null::holds, ",
    after: "::json) n where t.org_id = n.org_id and t.id = n.id and t.closed_at is null returning 1",
    counts: true,
};
const QUOTES_MARKED: Part = Part {
    name: "quotes_marked",
    before: "update quotes t set booking_id = n.booking_id from json_populate_recordset(null::quotes, ",
    after: "::json) n where t.org_id = n.org_id and t.id = n.id returning 1",
    counts: true,
};
const BOOKINGS_MADE: Part = Part {
    name: "bookings_made",
    before: insert_into!(
        "bookings",
        "bookings",
        "org_id, id, booking_ref, product, user_id, user_name, wallet_id, hold_id, quote_id, status, \
        provider, pnr, origin, destination, passenger_count, currency, base_fare, public_fare, \
        amount, product_content, pricing, failure, created_at, booked_at, cancelled_at, likeness"
    ),
    after: "::json) returning 1",
    counts: true,
};
const BOOKINGS_SAVED: Part = Part {
    name: "bookings_saved",
    before: "update bookings t set status = n.status, pnr = n.pnr, failure = n.failure, booked_at = \
        n.booked_at, cancelled_at = n.cancelled_at, amount = coalesce(n.amount, t.amount), \
        pricing = coalesce(n.pricing, t.pricing) from json_populate_recordset(null::bookings, ",
    after: "::json) n where t.org_id = n.org_id and t.id = n.id returning 1",
    counts: true,
};
const ORDERS_MADE: Part = Part {
    name: "orders_made",
    before: insert_into!(
        "supplier_orders",
        "supplier_orders",
        "org_id, booking_id, number, reference, supplier, status, supplier_order_id, content, \
        updated_at, next_poll_at, poll_count"
    ),
    after: "::json) returning 1",
    counts: true,
};
const ORDERS_SAVED: Part = Part {
    name: "orders_saved",
    before: "update supplier_orders t set status = n.status, supplier_order_id = n.supplier_order_id, \
        content = n.content, updated_at = n.updated_at, next_poll_at = n.next_poll_at, \
        poll_count = n.poll_count from \
        json_populate_recordset(null::supplier_orders, ",
    after: "::json) n where t.org_id = n.org_id and t.booking_id = n.booking_id and t.number = n.number \
        returning 1",
    counts: true,
};
const STEPS_MADE: Part = Part {
    name: "effects_made",
    before: insert_into!(
        "effects",
        "effects",
        "org_id, id, booking_id, number, kind, supplier, requested_by, request, state, sent_at, \
        due_at, attempts, saga, step, steps"
    ),
    after: "::json) returning 1",
    counts: true,
};
const STEPS_BEGUN: Part = Part {
    name: "effects_begun",
    before: "update effects t set state = 'open', sent_at = n.sent_at, due_at = n.due_at from \
        json_populate_recordset(null::effects, ",
    after: "::json) n where t.org_id = n.org_id and t.id = n.id and t.state = 'planned' returning 1",
    counts: true,
};
const STEPS_COMPLETED: Part = Part {
    name: "effects_closed",
    before: "update effects t set state = n.state, closed_at = n.closed_at, problem = n.problem from \
        json_populate_recordset(null::effects, ",
    after: "::json) n where t.org_id = n.org_id and t.id = n.id and \
        t.state in ('planned', 'open') returning 1",
    counts: true,
};
const KEYS_TIED: Part = Part {
    name: "keys_tied",
    before: insert_into!(
        "idempotency_keys as t",
        "idempotency_keys",
        "org_id, user_id, key, fingerprint, booking_ref, effect_id, made_user_id, made_transfer_id, \
        made_package_id, made_webhook_id, made_report_id, created_at"
    ),
    after: "::json) on conflict (org_id, user_id, key) do update set fingerprint = excluded.fingerprint, \
        booking_ref = excluded.booking_ref, effect_id = excluded.effect_id, \
        made_user_id = excluded.made_user_id, made_transfer_id = excluded.made_transfer_id, \
        made_package_id = excluded.made_package_id, made_webhook_id = excluded.made_webhook_id, \
        made_report_id = excluded.made_report_id, \
        created_at = excluded.created_at, status = null, answer = null \
        where t.created_at <= excluded.created_at - interval '24 hours' returning 1",
    counts: true,
};
const KEYS_FREED: Part = Part {
    name: "keys_freed",
    before: "delete from idempotency_keys t using json_populate_recordset(null::idempotency_keys, ",
    after: "::json) n where t.org_id = n.org_id and t.effect_id = n.effect_id returning 1",
    counts: false,
};
const TRANSFERS_MADE: Part = Part {
    name: "transfers_made",
    before: insert_into!(
        "transfers",
        "transfers",
        "org_id, id, key, reason, reference, description, performed_by, currency, at"
    ),
    after: "::json) returning 1",
    counts: true,
};
const ENTRIES_MADE: Part = Part {
    name: "entries_made",
    before: insert_into!(
        "entries",
        "entries",
        "org_id, transfer_id, leg, account, side, amount, wallet_id, sequence, balance_before, \
        balance_after, previous, seal, at, reason"
    ),
    after: "::json) returning 1",
    counts: true,
};
const FARES_MADE: Part = Part {
    name: "fares_made",
    before: insert_into!(
        "fare_transactions",
        "fare_transactions",
        "org_id, id, booking_id, booking_ref, product, pnr, provider, user_id, user_name, currency, \
        public_fare, agent_fare, agent_commission, markup, issued_at, transfer_id"
    ),
    after: "::json) returning 1",
    counts: true,
};
const REFUNDS_SAVED: Part = Part {
    name: "refunds_saved",
    before: "update refunds t set status = n.status, provider_refund_id = n.provider_refund_id, \
        refunded_at = n.refunded_at from json_populate_recordset(null::refunds, ",
    after: "::json) n where t.org_id = n.org_id and t.id = n.id returning 1",
    counts: true,
};
const EVENTS_MADE: Part = Part {
    name: "events_made",
    before: insert_into!(
        "events",
        "events",
        "org_id, id, actor_type, actor_id, action, entity_type, entity_id, old_value, new_value, \
        ip_address, user_agent, request_id, created_at"
    ),
    after: "::json) returning 1",
    counts: true,
};
/// Whom it concerns is told, and all admins where they are to be.
const NOTICES_MADE: Part = Part {
    name: "notices_made",
    before: "insert into notifications (org_id, user_id, id, kind, title, message, data, created_at) \
        select n.org_id, r.user_id, n.id, n.kind, n.title, n.message, n.data, n.created_at \
        from json_to_recordset(",
    after: "::json) as n (org_id uuid, id uuid, user_id uuid, to_admins boolean, kind text, title text, \
        message text, data jsonb, created_at timestamptz) \
        cross join lateral (select n.user_id where n.user_id is not null \
        union select u.id from users u where n.to_admins and u.org_id = n.org_id \
        and u.role = 'org_admin' and u.deleted_at is null) as r (user_id) returning 1",
    counts: false,
};
const EVENTS_PUBLISHED: Part = Part {
    name: "events_published",
    before: "insert into public_events (org_id, id, kind, subject, data, created_at) \
        select org_id, id, kind, subject, data, created_at from json_populate_recordset(null::public_events, ",
    after: "::json) returning 1",
    counts: true,
};

/// The parts that have rows. Of the many texts that this could be a few occur again and again, and are prepared once
/// on each connection: opening all tables and indexes for nothing would cost more than the rows.
#[derive(Default)]
struct Statement {
    parts: Vec<(&'static Part, String)>,
    /// How many rows must be written.
    expected: i64,
}

impl Statement {
    fn part<R: Serialize>(&mut self, part: &'static Part, rows: &[R]) -> Result<(), StoreError> {
        if rows.is_empty() {
            return Ok(());
        }
        if part.counts {
            self.expected += i64::try_from(rows.len()).unwrap_or(i64::MAX);
        }
        self.parts.push((part, json(rows)?));
        Ok(())
    }
}

impl QueryFragment<Pg> for Statement {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let mut separator = "with ";
        for (part, rows) in &self.parts {
            out.push_sql(separator);
            out.push_sql(part.name);
            out.push_sql(" as (");
            out.push_sql(part.before);
            out.push_bind_param::<Text, String>(rows)?;
            out.push_sql(part.after);
            out.push_sql(")");
            separator = ", ";
        }
        out.push_sql(" select all_written(0");
        for (part, _) in self.parts.iter().filter(|(part, _)| part.counts) {
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

impl QueryId for Statement {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl Query for Statement {
    type SqlType = BigInt;
}
