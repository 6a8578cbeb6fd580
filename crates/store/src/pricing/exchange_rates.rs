//! Exchange rates as they were set by hand or came out of the European Central Bank's file.

use chrono::{DateTime, NaiveDate, Utc};
use diesel::{ExpressionMethods, OptionalExtension, QueryDsl, SelectableHelper, sql_query};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use rust_decimal::Decimal;
use strum::{AsRefStr, EnumString, IntoStaticStr};
use wayfare_domain::Currency;

use crate::{
    Result,
    schema::exchange_rates,
    statements::{Write as _, stored, words},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, AsRefStr, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Origin {
    Operator,
    /// The European Central Bank's daily file.
    Ecb,
}

words! { Origin, }

stored! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct ExchangeRate of exchange_rates {
        pub from: Currency = from_currency,
        pub to: Currency = to_currency,
        /// Units of `to` for one of `from`, above zero.
        pub rate: Decimal,
        pub origin: Origin = source,
        /// The day that it is of: the file's, or that on which the operator set it (UTC).
        pub day: NaiveDate,
        /// When it was written, UTC.
        pub updated_at: DateTime<Utc>,
    }
}

/// All stored rates, by their currencies. One statement.
#[boxed]
pub async fn all(mut connection: &AsyncPgConnection) -> Result<Vec<ExchangeRate>> {
    Ok(exchange_rates::table
        .order((exchange_rates::from_currency, exchange_rates::to_currency, exchange_rates::source))
        .select(ExchangeRate::as_select())
        .load(&mut connection)
        .await?)
}

/// Keeps others from changing rates until the transaction ends; they are read meanwhile.
#[boxed]
pub async fn lock(connection: &mut AsyncPgConnection) -> Result<()> {
    sql_query("lock table exchange_rates in share row exclusive mode").write(connection).await
}

/// Writes new rates: none of this origin may stand for one of their pairs.
///
/// # Errors
/// When a constraint refuses what no rate can be.
#[boxed]
pub async fn insert(connection: &mut AsyncPgConnection, rates: &[ExchangeRate]) -> Result<()> {
    let row = |rate: &ExchangeRate| {
        (
            exchange_rates::from_currency.eq(rate.from.code()),
            exchange_rates::to_currency.eq(rate.to.code()),
            exchange_rates::rate.eq(rate.rate),
            exchange_rates::source.eq(<&str>::from(rate.origin)),
            exchange_rates::day.eq(rate.day),
            exchange_rates::updated_at.eq(rate.updated_at),
        )
    };
    let rows: Vec<_> = rates.iter().map(row).collect();
    diesel::insert_into(exchange_rates::table).values(rows).write(connection).await
}

/// Takes away the rate of one pair, and returns it; none when there was none.
#[boxed]
pub async fn remove(
    connection: &mut AsyncPgConnection,
    (from, to): (Currency, Currency),
    origin: Origin,
) -> Result<Option<Decimal>> {
    let key = (from.code(), to.code(), origin.as_ref());
    Ok(diesel::delete(exchange_rates::table.find(key))
        .returning(exchange_rates::rate)
        .get_result(connection)
        .await
        .optional()?)
}

/// Takes away all rates of one origin.
#[boxed]
pub async fn clear(connection: &mut AsyncPgConnection, origin: Origin) -> Result<()> {
    diesel::delete(exchange_rates::table.filter(exchange_rates::source.eq(origin.as_ref())))
        .write(connection)
        .await
}
