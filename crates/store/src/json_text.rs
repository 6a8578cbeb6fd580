//! A column of JSON that is read into what it holds, without a tree of values in between.

use diesel::{
    deserialize::{self, FromSql, FromSqlRow},
    pg::{Pg, PgValue},
    sql_types::Jsonb,
};
use serde::de::DeserializeOwned;

use crate::{StoreError, error::corrupt_json};

/// The version of its form, with which PostgreSQL sends `jsonb`; a text follows.
const VERSION: u8 = 1;

/// JSON as it is stored.
#[derive(Clone, Debug, FromSqlRow)]
#[diesel(sql_type = Jsonb)]
pub struct JsonText(String);

impl JsonText {
    /// What it holds; `what` is the column's name.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when it is not what the code writes.
    pub fn read<T: DeserializeOwned>(&self, what: &'static str) -> Result<T, StoreError> {
        self.parse().map_err(corrupt_json(what))
    }

    /// The same with the reader's own words.
    ///
    /// # Errors
    /// When it is not what the code writes.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(&self.0)
    }
}

impl FromSql<Jsonb, Pg> for JsonText {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        match value.as_bytes() {
            [VERSION, text @ ..] => Ok(Self(std::str::from_utf8(text)?.to_owned())),
            _ => Err("jsonb of another version".into()),
        }
    }
}
