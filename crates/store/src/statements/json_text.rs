//! JSON as it is stored: made of what it holds and read into that, without a tree of values in between.

use std::{any::Any, fmt, io::Write, sync::Arc};

use diesel::{
    deserialize::{self, FromSql, FromSqlRow},
    expression::AsExpression,
    pg::{Pg, PgValue},
    serialize::{self, IsNull, Output, ToSql},
    sql_types::Jsonb,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned, ser::Error as _};
use serde_json::value::RawValue;

use crate::{Result, error::corrupt_json};

/// The version of its form, with which PostgreSQL sends `jsonb`; a text follows.
const VERSION: u8 = 1;

/// JSON as it is stored. Copies share it.
#[derive(Clone, FromSqlRow, AsExpression)]
#[diesel(sql_type = Jsonb)]
pub struct JsonText {
    text: Arc<str>,
    /// What the text was made of, for those who read it in the same process.
    held: Option<Arc<dyn Any + Send + Sync>>,
}

impl JsonText {
    /// This as JSON.
    ///
    /// # Errors
    /// When it is none.
    pub fn of<T: Serialize>(held: &T) -> Result<Self, serde_json::Error> {
        Ok(Self { text: serde_json::to_string(held)?.into(), held: None })
    }

    /// This as JSON, and beside it as it is: whoever reads it as a `T` need not parse the text.
    ///
    /// # Errors
    /// When it is no JSON.
    pub fn keeping<T: Serialize + Send + Sync + 'static>(held: T) -> Result<Self, serde_json::Error> {
        let Self { text, .. } = Self::of(&held)?;
        Ok(Self { text, held: Some(Arc::new(held)) })
    }

    /// What it holds; `what` is the column's name.
    ///
    /// # Errors
    /// [`crate::StoreError::Corrupt`] when it is not what the code writes.
    pub fn read<T: DeserializeOwned + Clone + 'static>(&self, what: &'static str) -> Result<T> {
        self.parse().map_err(corrupt_json(what))
    }

    /// The same with the reader's own words.
    ///
    /// # Errors
    /// When it is not what the code writes.
    pub fn parse<T: DeserializeOwned + Clone + 'static>(&self) -> Result<T, serde_json::Error> {
        match self.held.as_deref().and_then(|held| held.downcast_ref::<T>()) {
            Some(held) => Ok(held.clone()),
            None => serde_json::from_str(&self.text),
        }
    }
}

impl fmt::Debug for JsonText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

impl FromSql<Jsonb, Pg> for JsonText {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        match value.as_bytes() {
            [VERSION, text @ ..] => Ok(Self { text: std::str::from_utf8(text)?.into(), held: None }),
            _ => Err("jsonb of another version".into()),
        }
    }
}

impl ToSql<Jsonb, Pg> for JsonText {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        out.write_all(&[VERSION])?;
        out.write_all(self.text.as_bytes())?;
        Ok(IsNull::No)
    }
}

/// As the JSON that it is, not as a text.
impl Serialize for JsonText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let json: &RawValue = serde_json::from_str(&self.text).map_err(S::Error::custom)?;
        json.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for JsonText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Box::<RawValue>::deserialize(deserializer)?;
        Ok(Self { text: Box::<str>::from(json).into(), held: None })
    }
}
