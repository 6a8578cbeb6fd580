//! JSON as it is stored: made of what it holds and read into that, without a tree of values in between.

use std::{io::Write, sync::Arc};

use diesel::{
    deserialize::{self, FromSql, FromSqlRow},
    expression::AsExpression,
    pg::{Pg, PgValue},
    serialize::{self, IsNull, Output, ToSql},
    sql_types::Jsonb,
};
use serde::{Serialize, Serializer, de::DeserializeOwned, ser::Error as _};
use serde_json::value::RawValue;

use crate::{Result, error::corrupt_json};

/// The version of its form, with which PostgreSQL sends `jsonb`; a text follows.
const VERSION: u8 = 1;

/// JSON as it is stored. Copies share it.
#[derive(Clone, Debug, FromSqlRow, AsExpression)]
#[diesel(sql_type = Jsonb)]
pub struct JsonText(Arc<str>);

impl JsonText {
    /// This as JSON.
    ///
    /// # Errors
    /// When it is none.
    pub fn of<T: Serialize>(held: &T) -> Result<Self, serde_json::Error> {
        Ok(Self(serde_json::to_string(held)?.into()))
    }

    /// What it holds; `what` is the column's name.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when it is not what the code writes.
    pub fn read<T: DeserializeOwned>(&self, what: &'static str) -> Result<T> {
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
            [VERSION, text @ ..] => Ok(Self(std::str::from_utf8(text)?.into())),
            _ => Err("jsonb of another version".into()),
        }
    }
}

impl ToSql<Jsonb, Pg> for JsonText {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        out.write_all(&[VERSION])?;
        out.write_all(self.0.as_bytes())?;
        Ok(IsNull::No)
    }
}

/// As the JSON that it is, not as a text.
impl Serialize for JsonText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let json: &RawValue = serde_json::from_str(&self.0).map_err(S::Error::custom)?;
        json.serialize(serializer)
    }
}
