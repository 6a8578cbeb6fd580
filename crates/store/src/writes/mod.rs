//! Everything that a batch of purchases writes, in one statement: many rows of many tables in one round trip.
//!
//! The rows of each table travel as one JSON parameter, so that the statement's text never changes and is
//! prepared once on each connection. PostgreSQL checks the references between the tables when it has ended.

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
use serde_json::value::RawValue;
use uuid::Uuid;
use wayfare_domain::{
    BookingId, BookingRef, EffectId, Event, HoldId, Money, OrganizationId, QuoteId, WalletId,
};
use wayfare_ledger::{Entry, Transfer, Wallet};

use crate::{
    StoreError,
    bookings::{Booking, Order},
    effects::{Effect, Outcome},
    fare_ledger::FareTransaction,
    idempotency::NewKey,
    ledger::HoldOutcome,
    refunds::Refund,
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
    new_effects: Vec<rows::Effect>,
    closed_effects: Vec<rows::ClosedEffect>,
    keys: Vec<rows::Key>,
    freed_keys: Vec<rows::FreedKey>,
    transfers: Vec<rows::Transfer>,
    entries: Vec<rows::Entry>,
    fares: Vec<rows::Fare>,
    refunds: Vec<rows::Refund>,
    events: Vec<rows::Event>,
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

    /// A new booking of this product with its orders.
    ///
    /// # Errors
    /// When its price is no JSON.
    pub fn new_booking<O: Serialize>(
        &mut self,
        booking: &Booking<()>,
        product: &RawValue,
        orders: &[Order<O>],
    ) -> Result<(), StoreError> {
        self.new_bookings.push(rows::NewBooking::of(booking, product)?);
        for order in orders {
            self.new_orders
                .push(rows::Order::of(booking, order, booking.created_at)?);
        }
        Ok(())
    }

    /// Where a locked booking stands now; of several the last counts.
    pub fn booking<P>(&mut self, booking: &Booking<P>) {
        self.bookings
            .insert(booking.id.uuid(), rows::Booking::of(booking));
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

    /// An intended call, before it is sent. Another open one on the same order fails the whole
    /// (`one_open_effect_per_order`).
    pub fn new_effect(&mut self, effect: &Effect) {
        self.new_effects.push(rows::Effect::of(effect));
    }

    /// The end of an open effect. That it was closed before fails the whole.
    pub fn close_effect(
        &mut self,
        effect: &Effect,
        outcome: Outcome,
        problem: Option<&str>,
        at: DateTime<Utc>,
    ) {
        self.closed_effects
            .push(rows::ClosedEffect::of(effect, outcome, problem, at));
    }

    /// Ties a key to the effect that its request becomes. A key that was used within the last 24 hours fails the
    /// whole with [`StoreError::Overtaken`].
    pub fn key(&mut self, key: NewKey<'_>, booking: &BookingRef, effect: &Effect) {
        self.keys.push(rows::Key::of(key, booking, effect));
    }

    /// Frees the key of an effect that the supplier refused: the request may be made again under it.
    pub fn free_key(&mut self, organization: OrganizationId, effect: EffectId) {
        self.freed_keys.push(rows::FreedKey::of(organization, effect));
    }

    /// A transfer with all its legs; `written` are the entries of the wallets it touches. One of this key that is
    /// there already fails the whole (`transfers_org_id_key_key`): the movement was made before.
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

    /// An event of the journal.
    pub fn event(&mut self, event: &Event) {
        self.events.push(rows::Event::of(event));
    }

    /// These and those: what the others say of a wallet or a booking is later.
    pub fn append(&mut self, others: Self) {
        self.wallets.extend(others.wallets);
        self.holds.extend(others.holds);
        self.closed_holds.extend(others.closed_holds);
        self.quotes.extend(others.quotes);
        self.new_bookings.extend(others.new_bookings);
        self.bookings.extend(others.bookings);
        self.new_orders.extend(others.new_orders);
        self.orders.extend(others.orders);
        self.new_effects.extend(others.new_effects);
        self.closed_effects.extend(others.closed_effects);
        self.keys.extend(others.keys);
        self.freed_keys.extend(others.freed_keys);
        self.transfers.extend(others.transfers);
        self.entries.extend(others.entries);
        self.fares.extend(others.fares);
        self.refunds.extend(others.refunds);
        self.events.extend(others.events);
    }

    /// Writes all of it: one statement, in the caller's transaction.
    ///
    /// # Errors
    /// What a constraint refuses; [`StoreError::Overtaken`] when a row is not there, or not as it was taken to be.
    /// PostgreSQL has given up the transaction then.
    pub async fn send(self, mut connection: &AsyncPgConnection) -> Result<(), StoreError> {
        // Freed keys may be none: not every effect has one.
        let expected = [
            self.wallets.len(),
            self.holds.len(),
            self.closed_holds.len(),
            self.quotes.len(),
            self.new_bookings.len(),
            self.bookings.len(),
            self.new_orders.len(),
            self.orders.len(),
            self.new_effects.len(),
            self.closed_effects.len(),
            self.keys.len(),
            self.transfers.len(),
            self.entries.len(),
            self.fares.len(),
            self.refunds.len(),
            self.events.len(),
        ];
        let statement = Statement {
            expected: i64::try_from(expected.iter().sum::<usize>()).unwrap_or(i64::MAX),
            parameters: [
                json(&self.wallets.into_values().collect::<Vec<_>>())?,
                json(&self.holds)?,
                json(&self.closed_holds)?,
                json(&self.quotes)?,
                json(&self.new_bookings)?,
                json(&self.bookings.into_values().collect::<Vec<_>>())?,
                json(&self.new_orders)?,
                json(&self.orders)?,
                json(&self.new_effects)?,
                json(&self.closed_effects)?,
                json(&self.keys)?,
                json(&self.freed_keys)?,
                json(&self.transfers)?,
                json(&self.entries)?,
                json(&self.fares)?,
                json(&self.refunds)?,
                json(&self.events)?,
            ],
        };
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

fn json<R: Serialize>(rows: &[R]) -> Result<String, StoreError> {
    serde_json::to_string(rows).map_err(|error| StoreError::Corrupt {
        what: "rows to be written",
        value: error.to_string(),
    })
}

/// One part for each parameter, in the order of [`Statement::parameters`]; the parameter stands between the halves.
const PARTS: [[&str; 2]; 17] = [
    [
        "with wallets_saved as (update wallets t set balance = n.balance, held = n.held, sequence = n.sequence, \
         head = n.head from json_populate_recordset(null::wallets, ",
        "::json) n where t.org_id = n.org_id and t.id = n.id returning 1), ",
    ],
    [
        "holds_placed as (insert into holds select * from json_populate_recordset(null::holds, ",
        "::json) returning 1), ",
    ],
    [
        "holds_closed as (update holds t set closed_at = n.closed_at, outcome = n.outcome \
         from json_populate_recordset(null::holds, ",
        "::json) n where t.org_id = n.org_id and t.id = n.id and t.closed_at is null returning 1), ",
    ],
    [
        "quotes_marked as (update quotes t set booking_id = n.booking_id \
         from json_populate_recordset(null::quotes, ",
        "::json) n where t.org_id = n.org_id and t.id = n.id returning 1), ",
    ],
    [
        "bookings_made as (insert into bookings select * from json_populate_recordset(null::bookings, ",
        "::json) returning 1), ",
    ],
    [
        "bookings_saved as (update bookings t set status = n.status, pnr = n.pnr, failure = n.failure, \
         booked_at = n.booked_at, cancelled_at = n.cancelled_at from json_populate_recordset(null::bookings, ",
        "::json) n where t.org_id = n.org_id and t.id = n.id returning 1), ",
    ],
    [
        "orders_made as (insert into supplier_orders \
         select * from json_populate_recordset(null::supplier_orders, ",
        "::json) returning 1), ",
    ],
    [
        "orders_saved as (update supplier_orders t set status = n.status, \
         supplier_order_id = n.supplier_order_id, content = n.content, updated_at = n.updated_at \
         from json_populate_recordset(null::supplier_orders, ",
        "::json) n where t.org_id = n.org_id and t.booking_id = n.booking_id and t.number = n.number \
         returning 1), ",
    ],
    [
        "effects_made as (insert into effects select * from json_populate_recordset(null::effects, ",
        "::json) returning 1), ",
    ],
    [
        "effects_closed as (update effects t set state = n.state, closed_at = n.closed_at, \
         problem = n.problem from json_populate_recordset(null::effects, ",
        "::json) n where t.org_id = n.org_id and t.id = n.id and t.state = 'open' returning 1), ",
    ],
    [
        "keys_tied as (insert into idempotency_keys as t \
         select * from json_populate_recordset(null::idempotency_keys, ",
        "::json) on conflict (org_id, user_id, key) do update set fingerprint = excluded.fingerprint, \
         booking_ref = excluded.booking_ref, effect_id = excluded.effect_id, \
         created_at = excluded.created_at, status = null, answer = null \
         where t.created_at <= excluded.created_at - interval '24 hours' returning 1), ",
    ],
    [
        "keys_freed as (delete from idempotency_keys t \
         using json_populate_recordset(null::idempotency_keys, ",
        "::json) n where t.org_id = n.org_id and t.effect_id = n.effect_id), ",
    ],
    [
        "transfers_made as (insert into transfers select * from json_populate_recordset(null::transfers, ",
        "::json) returning 1), ",
    ],
    [
        "entries_made as (insert into entries select * from json_populate_recordset(null::entries, ",
        "::json) returning 1), ",
    ],
    [
        "fares_made as (insert into fare_transactions \
         select * from json_populate_recordset(null::fare_transactions, ",
        "::json) returning 1), ",
    ],
    [
        "refunds_saved as (update refunds t set status = n.status, refunded_at = n.refunded_at \
         from json_populate_recordset(null::refunds, ",
        "::json) n where t.org_id = n.org_id and t.id = n.id returning 1), ",
    ],
    [
        "events_made as (insert into events select * from json_populate_recordset(null::events, ",
        "::json) returning 1) ",
    ],
];

const COUNT: &str = "select all_written((select count(*) from wallets_saved) + (select count(*) from holds_placed) \
    + (select count(*) from holds_closed) + (select count(*) from quotes_marked) \
    + (select count(*) from bookings_made) + (select count(*) from bookings_saved) \
    + (select count(*) from orders_made) + (select count(*) from orders_saved) \
    + (select count(*) from effects_made) + (select count(*) from effects_closed) \
    + (select count(*) from keys_tied) + (select count(*) from transfers_made) \
    + (select count(*) from entries_made) + (select count(*) from fares_made) \
    + (select count(*) from refunds_saved) + (select count(*) from events_made), ";

struct Statement {
    expected: i64,
    parameters: [String; 17],
}

impl QueryFragment<Pg> for Statement {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        for ([before, after], rows) in PARTS.iter().zip(&self.parameters) {
            out.push_sql(before);
            out.push_bind_param::<Text, String>(rows)?;
            out.push_sql(after);
        }
        out.push_sql(COUNT);
        out.push_bind_param::<BigInt, i64>(&self.expected)?;
        out.push_sql(")");
        Ok(())
    }
}

impl QueryId for Statement {
    type QueryId = Self;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl Query for Statement {
    type SqlType = BigInt;
}
