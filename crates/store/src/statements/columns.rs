//! What columns hold, as the code has it: ids, numbers and words as what they stand for.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use diesel::{
    deserialize::{self, FromSql},
    pg::Pg,
    query_builder::QueryId,
    row::NamedRow,
    serialize::ToSql,
    sql_types::{self as sql, SqlType, is_nullable::NotNull},
};
use rust_decimal::Decimal;
use serde_json::Value;
use uuid::Uuid;
use wayfare_domain::{
    AccountStatus, ActorKind, AgencyCode, BookingRef, BookingStatus, BreakerState, ChangeKind, ChangeState,
    ClosedBy, Currency, FareKind, FeesRuling, Id, IncidentKind, IncidentOutcome, Money, OperatorRole,
    OrderReference, OrderStatus, ProductKind, RefundStatus, ReminderKind, Role, RulingKind, SealedKind,
    StepKind, VerificationState,
};
use wayfare_ledger::{Reason, Side};

use crate::{
    JsonText, Result,
    error::{currency, money, number_from},
};

/// What is read from a column.
pub trait Column: Sized {
    /// Its type in SQL.
    type Sql: SqlType;
    /// As diesel reads it.
    type Stored: FromSql<Self::Sql, Pg>;

    /// An error names the column so.
    fn read(column: &'static str, stored: Self::Stored) -> Result<Self>;
}

/// What is bound to a statement.
pub(crate) trait Parameter {
    /// Its type in SQL.
    type Sql: QueryId + Send;
    /// As diesel binds it.
    type Bound: ToSql<Self::Sql, Pg> + Send;

    fn bound(self) -> Self::Bound;
}

/// What is read from a column of amounts.
pub trait InCurrency: Sized {
    /// Its type in SQL.
    type Sql: SqlType;
    /// As diesel reads it.
    type Stored: FromSql<Self::Sql, Pg>;

    /// An error names the column so.
    fn read(column: &'static str, stored: Self::Stored, unit: Currency) -> Result<Self>;
}

impl InCurrency for Money {
    type Sql = sql::Numeric;
    type Stored = Decimal;

    fn read(column: &'static str, stored: Decimal, unit: Currency) -> Result<Self> {
        money(column, stored, unit)
    }
}

impl InCurrency for Option<Money> {
    type Sql = sql::Nullable<sql::Numeric>;
    type Stored = Option<Decimal>;

    fn read(column: &'static str, stored: Option<Decimal>, unit: Currency) -> Result<Self> {
        stored.map(|amount| money(column, amount, unit)).transpose()
    }
}

/// Reads a column of a row by its name.
pub(crate) fn named<'a, T: Column>(
    row: &impl NamedRow<'a, Pg>,
    column: &'static str,
) -> deserialize::Result<T> {
    Ok(T::read(column, NamedRow::get(row, column)?)?)
}

/// Reads an amount of a row by the name of its column.
pub(crate) fn amount<'a, T: InCurrency>(
    row: &impl NamedRow<'a, Pg>,
    column: &'static str,
    unit: Currency,
) -> deserialize::Result<T> {
    Ok(T::read(column, NamedRow::get(row, column)?, unit)?)
}

/// Values that diesel binds as they are.
macro_rules! parameters {
    ($($type:ty as $sql:ty,)*) => {
        $(impl Parameter for $type {
            type Sql = $sql;
            type Bound = Self;

            fn bound(self) -> Self {
                self
            }
        })*
    };
}

/// Values that diesel reads and binds as they are.
macro_rules! plain {
    ($($type:ty as $sql:ty,)*) => {
        columns! { $($type as $sql = |_column, stored: Self| Ok(stored),)* }
        parameters! { $($type as $sql,)* }
    };
}

/// Columns that are read as another type than they are stored as.
macro_rules! columns {
    ($($type:ty as $sql:ty = |$column:ident, $stored:ident: $of:ty| $read:expr,)*) => {
        $(impl Column for $type {
            type Sql = $sql;
            type Stored = $of;

            fn read($column: &'static str, $stored: $of) -> Result<Self> {
                $read
            }
        })*
    };
}

/// Words of a column, each of which stands for a value.
macro_rules! words {
    ($($type:ty,)*) => {
        $(impl $crate::statements::columns::Column for $type {
            type Sql = diesel::sql_types::Text;
            type Stored = String;

            fn read(column: &'static str, stored: String) -> $crate::Result<Self> {
                $crate::error::word(column, &stored)
            }
        })*
    };
}
pub(crate) use words;

plain! {
    String as sql::Text,
    Vec<String> as sql::Array<sql::Text>,
    bool as sql::Bool,
    i16 as sql::SmallInt,
    i32 as sql::Integer,
    i64 as sql::BigInt,
    f64 as sql::Double,
    Decimal as sql::Numeric,
    DateTime<Utc> as sql::Timestamptz,
    NaiveDate as sql::Date,
    Uuid as sql::Uuid,
    Value as sql::Jsonb,
    JsonText as sql::Jsonb,
    Vec<u8> as sql::Bytea,
}

parameters! {
    &String as sql::Text,
    &str as sql::Text,
    Vec<&str> as sql::Array<sql::Text>,
    &Vec<String> as sql::Array<sql::Text>,
    &[String] as sql::Array<sql::Text>,
    &[&str] as sql::Array<sql::Text>,
    Vec<i64> as sql::Array<sql::BigInt>,
    &[DateTime<Utc>] as sql::Array<sql::Timestamptz>,
    Vec<DateTime<Utc>> as sql::Array<sql::Timestamptz>,
    &[NaiveDate] as sql::Array<sql::Date>,
    Vec<NaiveDate> as sql::Array<sql::Date>,
    &Uuid as sql::Uuid,
    Vec<Uuid> as sql::Array<sql::Uuid>,
    &[Uuid] as sql::Array<sql::Uuid>,
    &Value as sql::Jsonb,
    Vec<Option<JsonText>> as sql::Array<sql::Nullable<sql::Jsonb>>,
    Vec<&[u8]> as sql::Array<sql::Bytea>,
    Vec<Vec<u8>> as sql::Array<sql::Bytea>,
}

columns! {
    u16 as sql::SmallInt = |_column, number: i16| Ok(number_from(number)),
    Currency as sql::Text = |_column, code: String| currency(&code),
    AgencyCode as sql::Text = |_column, text: String| Ok(text.into()),
    BookingRef as sql::Text = |_column, text: String| Ok(text.into()),
    OrderReference as sql::Text = |_column, text: String| Ok(text.into()),
    BTreeMap<String, String> as sql::Jsonb = |column, json: JsonText| json.read(column),
    BTreeMap<String, u64> as sql::Jsonb = |column, json: JsonText| json.read(column),
}

words! {
    AccountStatus, ActorKind, BookingStatus, BreakerState, ChangeKind, ChangeState, ClosedBy, FareKind, FeesRuling,
    IncidentKind, IncidentOutcome, OperatorRole, OrderStatus, ProductKind, Reason, RefundStatus, ReminderKind, Role,
    RulingKind, SealedKind, Side, StepKind, VerificationState,
}

impl<T> Column for Id<T> {
    type Sql = sql::Uuid;
    type Stored = Uuid;

    fn read(_: &'static str, stored: Uuid) -> Result<Self> {
        Ok(Self::from_uuid(stored))
    }
}

impl<T> Parameter for Id<T> {
    type Sql = sql::Uuid;
    type Bound = Uuid;

    fn bound(self) -> Uuid {
        self.uuid()
    }
}

/// The number of an order in its booking.
impl Parameter for u16 {
    type Sql = sql::SmallInt;
    type Bound = i16;

    fn bound(self) -> i16 {
        i16::try_from(self).unwrap_or(i16::MAX)
    }
}

impl<T: Column> Column for Option<T>
where
    T::Sql: SqlType<IsNull = NotNull>,
{
    type Sql = sql::Nullable<T::Sql>;
    type Stored = Option<T::Stored>;

    fn read(column: &'static str, stored: Self::Stored) -> Result<Self> {
        stored.map(|stored| T::read(column, stored)).transpose()
    }
}

impl<T: Parameter> Parameter for Option<T>
where
    T::Sql: SqlType<IsNull = NotNull>,
{
    type Sql = sql::Nullable<T::Sql>;
    type Bound = Option<T::Bound>;

    fn bound(self) -> Self::Bound {
        self.map(T::bound)
    }
}
