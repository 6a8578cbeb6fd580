//! Exchange rates as they were set by hand or came out of the European Central Bank's file.

use chrono::{DateTime, NaiveDate, Utc};
use diesel::{
    ExpressionMethods, Insertable, OptionalExtension, QueryDsl, Queryable, Selectable, SelectableHelper,
    sql_query,
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use rust_decimal::Decimal;
use strum::{AsRefStr, EnumString};
use wayfare_domain::Currency;

use crate::{
    StoreError,
    error::{currency, word},
    schema::exchange_rates,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, AsRefStr, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum Origin {
    Operator,
    /// The European Central Bank's daily file.
    Ecb,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExchangeRate {
    pub from: Currency,
    pub to: Currency,
    /// Units of `to` for one of `from`, above zero.
    pub rate: Decimal,
    pub origin: Origin,
    /// The day that it is of: the file's, or that on which the operator set it (UTC).
    pub day: NaiveDate,
    /// When it was written, UTC.
    pub updated_at: DateTime<Utc>,
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = exchange_rates, check_for_backend(diesel::pg::Pg))]
struct Row {
    from_currency: String,
    to_currency: String,
    rate: Decimal,
    source: String,
    day: NaiveDate,
    updated_at: DateTime<Utc>,
}

impl From<&ExchangeRate> for Row {
    fn from(rate: &ExchangeRate) -> Self {
        Self {
            from_currency: rate.from.code().to_owned(),
            to_currency: rate.to.code().to_owned(),
            rate: rate.rate,
            source: rate.origin.as_ref().to_owned(),
            day: rate.day,
            updated_at: rate.updated_at,
        }
    }
}

impl TryFrom<Row> for ExchangeRate {
    type Error = StoreError;
    fn try_from(row: Row) -> Result<Self, StoreError> {
        Ok(Self {
            from: currency(&row.from_currency)?,
            to: currency(&row.to_currency)?,
            rate: row.rate,
            origin: word("exchange_rates.source", &row.source)?,
            day: row.day,
            updated_at: row.updated_at,
        })
    }
}

/// All stored rates, by their currencies. One statement.
#[boxed]
pub async fn all(mut connection: &AsyncPgConnection) -> Result<Vec<ExchangeRate>, StoreError> {
    let rows: Vec<Row> = exchange_rates::table
        .order((exchange_rates::from_currency, exchange_rates::to_currency, exchange_rates::source))
        .select(Row::as_select())
        .load(&mut connection)
        .await?;
    rows.into_iter().map(ExchangeRate::try_from).collect()
}

/// Keeps others from changing rates until the transaction ends; they are read meanwhile.
#[boxed]
pub async fn lock(connection: &mut AsyncPgConnection) -> Result<(), StoreError> {
    sql_query("lock table exchange_rates in share row exclusive mode").execute(connection).await?;
    Ok(())
}

/// Writes new rates: none of this origin may stand for one of their pairs.
///
/// # Errors
/// When a constraint refuses what no rate can be.
#[boxed]
pub async fn insert(connection: &mut AsyncPgConnection, rates: &[ExchangeRate]) -> Result<(), StoreError> {
    let rows: Vec<Row> = rates.iter().map(Row::from).collect();
    diesel::insert_into(exchange_rates::table).values(rows).execute(connection).await?;
    Ok(())
}

/// Takes away the rate of one pair, and returns it; none when there was none.
#[boxed]
pub async fn remove(
    connection: &mut AsyncPgConnection,
    (from, to): (Currency, Currency),
    origin: Origin,
) -> Result<Option<Decimal>, StoreError> {
    let key = (from.code(), to.code(), origin.as_ref());
    let removed = diesel::delete(exchange_rates::table.find(key))
        .returning(exchange_rates::rate)
        .get_result(connection)
        .await
        .optional()?;
    Ok(removed)
}

/// Takes away all rates of one origin.
#[boxed]
pub async fn clear(connection: &mut AsyncPgConnection, origin: Origin) -> Result<(), StoreError> {
    diesel::delete(exchange_rates::table.filter(exchange_rates::source.eq(origin.as_ref())))
        .execute(connection)
        .await?;
    Ok(())
}
