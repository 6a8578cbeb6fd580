//! Everything that a batch of purchases writes, in one statement: many rows of many tables in one round trip.
//!
//! The rows of each table travel as one JSON parameter, so that the statement's text hangs on which tables are written
//! and not on how many rows. Large columns travel beside them, each as an array. PostgreSQL checks the references between
//! the tables when it has ended.

mod known_wallet;
mod rows;
mod statement;

use std::{collections::BTreeMap, sync::Arc};

use chrono::{DateTime, Utc};
use diesel::{QueryResult, result::Error as DieselError};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use serde::Serialize;
use serde_json::Value;
use wayfare_domain::{
    AuditEvent, BookingId, HoldId, IntegrationEvent, Money, Notification, OrganizationId, QuoteId, StepId,
    WalletId,
};
use wayfare_ledger::{Entry, Transfer, Wallet};

pub(super) use self::statement::Statement;
use self::{known_wallet::KnownWallet, rows::Latest, statement::json};
use crate::{
    Result, StoreError,
    access::idempotency::{CreatedResource, NewKey},
    booking::{
        bookings::{Booking, Order},
        duplicates::Fingerprint,
        order_changes::{Decision, OrderChange},
        people::{NewPeople, NewSupplierAnswer},
        refunds::Refund,
        steps::{Outcome, Step},
    },
    error::corrupt_json,
    money::{
        entries::HoldOutcome,
        fare_ledger::FareTransaction,
        wallets::{Locked, Owner},
    },
};

/// The rows of each table, each with what is done with them, in the order of the statement.
macro_rules! writes {
    ($($field:ident: $rows:ty => $part:ident,)*) => {
        /// What is to be written. Nothing is, until [`Writes::send`].
        #[derive(Default)]
        pub struct Writes {
            $($field: $rows,)*
        }

        impl Writes {
            /// These and those: what the others say of a wallet or a booking is later.
            pub fn append(&mut self, others: Self) {
                $(self.$field.extend(others.$field);)*
            }

            fn statement(&self) -> Result<Statement<'_>> {
                let mut statement = Statement::default();
                $(statement.part(&statement::$part, &self.$field)?;)*
                Ok(statement)
            }
        }

        #[cfg(test)]
        const PARTS: &[&statement::Part] = &[$(&statement::$part),*];
    };
}

writes! {
    wallets: rows::ById<rows::Wallet> => WALLETS_SAVED,
    holds: Vec<rows::Hold> => HOLDS_PLACED,
    closed_holds: Vec<rows::ClosedHold> => HOLDS_CLOSED,
    quotes: Vec<rows::Quote> => QUOTES_MARKED,
    new_bookings: Vec<rows::NewBooking> => BOOKINGS_MADE,
    bookings: rows::ById<rows::Booking> => BOOKINGS_SAVED,
    new_orders: Vec<rows::Order> => ORDERS_MADE,
    orders: Vec<rows::Order> => ORDERS_SAVED,
    booking_holds: rows::ById<rows::BookingHold> => BOOKING_HOLDS_KEPT,
    dropped_reminders: Vec<rows::DroppedReminders> => REMINDERS_DROPPED,
    sealed_rows: Vec<rows::SealedRow> => PEOPLE_SEALED,
    names: Vec<rows::Name> => NAMES_MADE,
    answers: Vec<rows::SupplierAnswer> => ANSWERS_MADE,
    new_steps: Vec<rows::Step> => STEPS_MADE,
    begun_steps: Vec<rows::BegunStep> => STEPS_BEGUN,
    completed_steps: Vec<rows::CompletedStep> => STEPS_COMPLETED,
    new_changes: Vec<rows::NewChange> => CHANGES_MADE,
    decided_changes: Vec<rows::DecidedChange> => CHANGES_DECIDED,
    keys: Vec<rows::Key> => KEYS_TIED,
    freed_keys: Vec<rows::FreedKey> => KEYS_FREED,
    transfers: Vec<rows::Transfer> => TRANSFERS_MADE,
    entries: Vec<rows::Entry> => ENTRIES_MADE,
    fares: Vec<rows::Fare> => FARES_MADE,
    raised_fares: Vec<rows::RaisedFare> => FARES_RAISED,
    refunds: Vec<rows::Refund> => REFUNDS_SAVED,
    events: Vec<rows::Event> => EVENTS_MADE,
    notifications: Vec<rows::Notification> => NOTICES_MADE,
    outbox: Vec<rows::OutboxEvent> => EVENTS_PUBLISHED,
}

impl Writes {
    /// What a locked wallet has become; of several the last counts.
    pub fn wallet(&mut self, organization: OrganizationId, wallet: &Wallet) {
        self.wallets.extend([rows::Wallet::of(organization, wallet)]);
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
        self.holds.push(rows::Hold::of(organization, id, wallet, amount, at));
    }

    /// The end of an open hold. That it was closed before fails the whole.
    pub fn close_hold(
        &mut self,
        organization: OrganizationId,
        id: HoldId,
        outcome: HoldOutcome,
        at: DateTime<Utc>,
    ) {
        self.closed_holds.push(rows::ClosedHold::of(organization, id, outcome, at));
    }

    /// A quote is used by this booking, or by none any more.
    pub fn quote(&mut self, organization: OrganizationId, id: QuoteId, booking: Option<BookingId>) {
        self.quotes.push(rows::Quote::of(organization, id, booking));
    }

    /// A new booking of this product, JSON, with its orders, and by what one like it is known.
    ///
    /// # Errors
    /// When its price is no JSON.
    pub fn new_booking<O: Serialize>(
        &mut self,
        booking: &Booking<()>,
        fingerprint: Option<&Fingerprint>,
        product: &Arc<str>,
        orders: &[Order<O>],
    ) -> Result<()> {
        self.new_bookings.push(rows::NewBooking::of(booking, fingerprint, product.clone())?);
        for order in orders {
            self.new_orders.push(rows::Order::of(booking, order, booking.created_at)?);
        }
        Ok(())
    }

    /// Whom a booking is for, sealed.
    pub fn people(&mut self, organization: OrganizationId, booking: BookingId, people: &NewPeople) {
        let rows = people.rows.iter();
        self.sealed_rows.extend(rows.map(|row| rows::SealedRow::of(organization, booking, row)));
        let names = people.names.iter();
        self.names.extend(names.map(|name| rows::Name::of(organization, booking, name)));
    }

    /// What a supplier said of an order of a booking, to a step or when it was polled.
    pub fn supplier_answer(
        &mut self,
        (organization, booking, number): (OrganizationId, BookingId, u16),
        step: Option<StepId>,
        answer: &NewSupplierAnswer,
        at: DateTime<Utc>,
    ) {
        let row = rows::SupplierAnswer::of(organization, booking, number, step, answer, at);
        self.answers.push(row);
    }

    /// Where a locked booking stands now; of several the last counts.
    pub fn booking<P>(&mut self, booking: &Booking<P>) {
        self.bookings.extend([rows::Booking::of(booking)]);
    }

    /// Where a locked booking stands and what it costs now, and why.
    ///
    /// # Errors
    /// When its price is no JSON.
    pub fn repriced<P>(&mut self, booking: &Booking<P>) -> Result<()> {
        self.bookings.extend([rows::Booking::repriced(booking)?]);
        Ok(())
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
    ) -> Result<()> {
        self.orders.push(rows::Order::of(booking, order, at)?);
        Ok(())
    }

    /// A booking that is to be held, and since when it is to be ticketed by itself, where it is.
    pub fn new_hold(
        &mut self,
        organization: OrganizationId,
        booking: BookingId,
        auto_ticket_since: Option<DateTime<Utc>>,
    ) {
        let row = rows::BookingHold::of(organization, booking, auto_ticket_since, None, None);
        self.booking_holds.extend([row]);
    }

    /// Orders of a booking are held, or are so otherwise than before: its reminders are planned from now on.
    pub fn held(&mut self, organization: OrganizationId, booking: BookingId, at: DateTime<Utc>) {
        let row = rows::BookingHold::of(organization, booking, None, Some(at), Some(at));
        self.booking_holds.extend([row]);
    }

    /// No order of a booking is held any more: nobody is reminded of it.
    pub fn hold_ended(&mut self, organization: OrganizationId, booking: BookingId) {
        let row = rows::BookingHold::of(organization, booking, None, None, None);
        self.booking_holds.extend([row]);
        self.dropped_reminders.push(rows::DroppedReminders::of(organization, booking));
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

    /// The end of a step that is under way. That it was closed before fails the whole. At `recheck_at` its order is
    /// polled again.
    pub fn complete_step(
        &mut self,
        step: &Step,
        outcome: Outcome,
        problem: Option<&str>,
        at: DateTime<Utc>,
        recheck_at: Option<DateTime<Utc>>,
    ) {
        let completed = rows::CompletedStep::of(step, outcome, problem, at, recheck_at);
        self.completed_steps.push(completed);
    }

    /// A change of an airline's that was found. One that was found before fails the whole.
    pub fn new_change(&mut self, change: &OrderChange) {
        self.new_changes.push(rows::NewChange::of(change));
    }

    /// What has become of changes that are open; others stay as they are.
    pub fn decide(&mut self, decision: &Decision<'_>) {
        self.decided_changes.push(rows::DecidedChange::of(decision));
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
    ) -> Result<()> {
        self.entries.extend(rows::Entry::all_of(organization, transfer, written)?);
        self.transfers.push(rows::Transfer::of(organization, transfer));
        Ok(())
    }

    pub fn fare(&mut self, row: &FareTransaction) {
        self.fares.push(rows::Fare::of(row));
    }

    /// What was added later to an order that has its row already.
    pub fn raise_fare(&mut self, booking: &Booking<()>, number: u16, ancillary: Money) {
        self.raised_fares.push(rows::RaisedFare::of(booking, number, ancillary));
    }

    pub fn refund(&mut self, refund: &Refund) {
        self.refunds.push(rows::Refund::of(refund));
    }

    /// An event of the journal, and what is told of it to people and to the agency's own programs.
    pub fn event(&mut self, event: &AuditEvent) {
        self.events.push(rows::Event::of(event));
        let notification = Notification::of(event);
        self.notifications.extend(notification.map(|told| rows::Notification::of(event, told)));
        let published = IntegrationEvent::of(event);
        self.outbox.extend(published.map(|published| rows::OutboxEvent::of(event, published)));
    }

    /// Writes all of it: one statement, in the caller's transaction.
    ///
    /// # Errors
    /// What a constraint refuses; [`StoreError::Overtaken`] when a row is not there, or not as it was taken to be.
    /// PostgreSQL has given up the transaction then.
    #[boxed]
    pub async fn send(self, mut connection: &AsyncPgConnection) -> Result<()> {
        let statement = self.statement()?;
        if statement.is_empty() {
            return Ok(());
        }
        let written: QueryResult<i64> = statement.get_result(&mut connection).await;
        written.map(drop).map_err(unwritten)
    }

    /// That these are of one wallet, which was not locked: it is written, and they are, only if it stands as it is known.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when they are not of this wallet alone.
    pub(super) fn of_known(mut self, owner: Owner, known: &Locked, after: &Wallet) -> Result<OfKnown> {
        let wallets = std::mem::take(&mut self.wallets);
        let mut ids = wallets.into_iter().map(|row| row.id());
        match (ids.next(), ids.next()) {
            (Some(id), None) if id == after.id.uuid() && after.id == known.wallet.id => {
                Ok(OfKnown { writes: self, wallet: KnownWallet::new(owner, known, after) })
            }
            _ => Err(StoreError::Corrupt {
                what: "writes that are not of one wallet",
                value: after.id.to_string(),
            }),
        }
    }
}

/// What is written if a wallet stands as it is known.
pub(super) struct OfKnown {
    writes: Writes,
    wallet: KnownWallet,
}

impl OfKnown {
    pub(super) fn statement(&self) -> Result<Statement<'_>> {
        let mut statement = self.writes.statement()?;
        statement.known(&self.wallet);
        Ok(statement)
    }
}

/// What the error of the statement tells.
fn unwritten(error: DieselError) -> StoreError {
    match is_overtaken(&error) {
        true => StoreError::Overtaken,
        false => error.into(),
    }
}

/// Whether the statement has counted other rows than it should have written. It is told by a constraint's name, since diesel
/// passes on no states of PostgreSQL.
pub(super) fn is_overtaken(error: &DieselError) -> bool {
    matches!(error, DieselError::DatabaseError(_, information) if information.constraint_name() == Some("written_whole"))
}

/// What is to be written, in words: for tests of what decides it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    pub events: Vec<String>,
    pub closed_holds: Vec<(String, String)>,
    pub transfers: Vec<String>,
    pub completed_steps: Vec<(String, String)>,
}

impl Writes {
    /// What is to be written, in words.
    ///
    /// # Errors
    /// When a row is no JSON.
    pub fn outline(&self) -> Result<Outline> {
        Ok(Outline {
            events: column(&self.events, "action")?,
            closed_holds: pairs(&self.closed_holds, "outcome")?,
            transfers: column(&self.transfers, "reason")?,
            completed_steps: pairs(&self.completed_steps, "state")?,
        })
    }
}

/// What these rows have in a column of text.
fn column<R: Serialize>(rows: &[R], name: &str) -> Result<Vec<String>> {
    let rows: Vec<BTreeMap<String, Value>> =
        serde_json::from_str(&json(&rows)?).map_err(corrupt_json("rows to be written"))?;
    let text = |row: BTreeMap<String, Value>| row.get(name).and_then(Value::as_str).map(str::to_owned);
    Ok(rows.into_iter().map(|row| text(row).unwrap_or_default()).collect())
}

/// The ids of these rows with what they have in a column of text.
fn pairs<R: Serialize>(rows: &[R], name: &str) -> Result<Vec<(String, String)>> {
    Ok(column(rows, "id")?.into_iter().zip(column(rows, name)?).collect())
}
