//! What can go wrong between us and PostgreSQL.

use std::str::FromStr;

use diesel::result::{DatabaseErrorKind, Error as DieselError};
use rust_decimal::Decimal;
use serde::de::DeserializeOwned;
use serde_json::Value;
use thiserror::Error;
use wayfare_domain::{Currency, Money, parse_currency};

pub type Result<T, E = StoreError> = std::result::Result<T, E>;

/// A statement that was not carried out, or a row that makes no sense.
#[derive(Debug, Error)]
pub enum StoreError {
    /// PostgreSQL refused or could not be asked.
    #[error("database: {0}")]
    Database(#[source] DieselError),
    /// The URL of a database can't be used.
    #[error("the database's URL: {0}")]
    Url(String),
    /// No connection could be had.
    #[error("no database connection: {0}")]
    Pool(String),
    /// Migrations could not run.
    #[error("migration: {0}")]
    Migration(String),
    /// A row that was to be changed is not there any more, or not as it was.
    #[error("somebody else was faster")]
    Overtaken,
    /// A stored value that the code can't have written.
    #[error("the database holds {value:?} for {what}")]
    Corrupt { what: &'static str, value: String },
}

impl From<DieselError> for StoreError {
    fn from(error: DieselError) -> Self {
        match error {
            // What a column can't hold comes through diesel as it was found.
            DieselError::DeserializationError(reason) => match reason.downcast() {
                Ok(corrupt) => *corrupt,
                Err(reason) => Self::Database(DieselError::DeserializationError(reason)),
            },
            other => Self::Database(other),
        }
    }
}

impl StoreError {
    /// Whether PostgreSQL itself refused a statement: then the transaction surely changed nothing. After any other
    /// end it may have been committed.
    pub fn surely_undone(&self) -> bool {
        match self {
            Self::Database(DieselError::DatabaseError(kind, _)) => {
                !matches!(kind, DatabaseErrorKind::ClosedConnection | DatabaseErrorKind::UnableToSendCommand)
            }
            Self::Overtaken | Self::Corrupt { .. } => true,
            _ => false,
        }
    }

    /// Whether the same may be carried out when it is asked again: no connection was to be had or it was lost, the
    /// database takes no writes, as one that another has taken over from, or it has no room for them, or
    /// it has undone the transaction for another's sake.
    pub fn is_unavailable(&self) -> bool {
        match self {
            Self::Pool(_) => true,
            Self::Database(DieselError::DatabaseError(
                DatabaseErrorKind::ReadOnlyTransaction | DatabaseErrorKind::SerializationFailure,
                _,
            )) => true,
            Self::Database(DieselError::DatabaseError(DatabaseErrorKind::Unknown, told)) => {
                is_end_of_connection(told.message()) || told.message().contains(NO_ROOM)
            }
            _ => self.is_lost_connection(),
        }
    }

    /// Whether the connection broke, or PostgreSQL ended it, under a statement. Another connection may be had at once.
    pub fn is_lost_connection(&self) -> bool {
        match self {
            Self::Database(DieselError::DatabaseError(kind, told)) => match kind {
                DatabaseErrorKind::ClosedConnection | DatabaseErrorKind::UnableToSendCommand => true,
                DatabaseErrorKind::Unknown => is_end_of_connection(told.message()),
                _ => false,
            },
            _ => false,
        }
    }

    /// The same for another who waits for it: of its kind, in its words.
    pub fn copied(&self) -> Self {
        match self {
            Self::Database(DieselError::DatabaseError(kind, told)) => {
                let told = Box::new(told.message().to_owned());
                Self::Database(DieselError::DatabaseError(*kind, told))
            }
            Self::Database(other) => Self::Database(DieselError::QueryBuilderError(other.to_string().into())),
            Self::Url(why) => Self::Url(why.clone()),
            Self::Pool(why) => Self::Pool(why.clone()),
            Self::Migration(why) => Self::Migration(why.clone()),
            Self::Overtaken => Self::Overtaken,
            Self::Corrupt { what, value } => {
                let value = value.clone();
                Self::Corrupt { what, value }
            }
        }
    }

    /// The name of the unique constraint that was hit, if that is what happened.
    pub fn unique_violation(&self) -> Option<&str> {
        match self {
            Self::Database(DieselError::DatabaseError(DatabaseErrorKind::UniqueViolation, info)) => {
                info.constraint_name()
            }
            _ => None,
        }
    }
}

/// How PostgreSQL ends a connection (57P01, 57P02, 57P05): by order, because another of its processes crashed, because it
/// stops. Its code does not come through diesel; in another language of messages it is an error like others.
fn is_end_of_connection(message: &str) -> bool {
    message.starts_with("terminating connection")
}

/// How it says that a disk is full (53100).
const NO_ROOM: &str = "No space left on device";

/// Reads a text column back into the word it stands for.
pub(crate) fn word<T: FromStr>(what: &'static str, text: &str) -> Result<T> {
    text.parse().map_err(|_| StoreError::Corrupt { what, value: text.to_owned() })
}

/// Reads a column of small numbers from 1 back, which are never below zero.
pub(crate) fn number_from(number: i16) -> u16 {
    u16::try_from(number).unwrap_or_default()
}

/// What a JSON column that can't be read or written comes to.
pub(crate) fn corrupt_json(what: &'static str) -> impl FnOnce(serde_json::Error) -> StoreError {
    move |error| StoreError::Corrupt { what, value: error.to_string() }
}

/// Reads a JSON column back.
pub(crate) fn from_json<T: DeserializeOwned>(what: &'static str, value: Value) -> Result<T> {
    serde_json::from_value(value).map_err(corrupt_json(what))
}

pub(crate) fn currency(code: &str) -> Result<Currency> {
    parse_currency(code).ok_or_else(|| StoreError::Corrupt { what: "currency", value: code.to_owned() })
}

/// Reads an amount, a balance or a sum back. Amounts have a limit where they are stated; what they add up to may be more,
/// and whoever wrote it must be able to read it.
pub(crate) fn money(what: &'static str, amount: Decimal, currency: Currency) -> Result<Money> {
    Money::stored(amount, currency).map_err(|_| StoreError::Corrupt { what, value: amount.to_string() })
}
