//! Rows that are named by pairs, of their agency and something of their own.

/// That these columns are one of these pairs. Each pair is looked up by itself; of two lists PostgreSQL would look up
/// every combination.
macro_rules! among {
    ($columns:literal, $organizations:expr, $others:expr, $type:ty) => {
        diesel::dsl::sql::<diesel::sql_types::Bool>(concat!("(", $columns, ") in (select * from unnest("))
            .bind::<diesel::sql_types::Array<diesel::sql_types::Uuid>, _>($organizations)
            .sql(", ")
            .bind::<diesel::sql_types::Array<$type>, _>($others)
            .sql("))")
    };
}

pub(crate) use among;
