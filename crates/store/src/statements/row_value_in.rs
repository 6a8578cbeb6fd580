//! Rows that are named by pairs, of their agency and something of their own, and joined rows that are named by their ids.

use std::marker::PhantomData;

use diesel::{
    QueryResult,
    pg::Pg,
    query_builder::{AstPass, QueryFragment},
    serialize::ToSql,
    sql_types::{Array, Bool, HasSqlType, Uuid as SqlUuid},
};
use uuid::Uuid;
use wayfare_domain::{Id, OrganizationId};

use super::kept_sql::expression;

/// That these two columns, as SQL names them, are one of these pairs. Each pair is looked up by itself; of two lists
/// PostgreSQL would look up every combination.
pub(crate) fn row_value_in<S, T>(
    columns: &'static str,
    firsts: Vec<Uuid>,
    seconds: Vec<T>,
) -> RowValueIn<S, T> {
    RowValueIn { columns, firsts, seconds, of: PhantomData }
}

/// That these two columns, as SQL names them, are one of these agencies and something of it.
pub(crate) fn pairs_in<T>(
    columns: &'static str,
    pairs: &[(OrganizationId, Id<T>)],
) -> RowValueIn<SqlUuid, Uuid> {
    let (firsts, seconds) = pairs.iter().map(|(organization, id)| (organization.uuid(), id.uuid())).unzip();
    row_value_in(columns, firsts, seconds)
}

/// That these columns, as SQL names them, are one of these rows of ids, each list a column. Every row is looked up by itself.
pub(crate) fn ids_in<const COLUMNS: usize>(
    columns: &'static str,
    ids: [Vec<Uuid>; COLUMNS],
) -> IdsIn<COLUMNS> {
    IdsIn { columns, ids }
}

/// The condition of [`ids_in`].
pub(crate) struct IdsIn<const COLUMNS: usize> {
    columns: &'static str,
    ids: [Vec<Uuid>; COLUMNS],
}

expression!([const COLUMNS: usize] IdsIn<COLUMNS> as Bool);

impl<const COLUMNS: usize> QueryFragment<Pg> for IdsIn<COLUMNS> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("(");
        out.push_sql(self.columns);
        let mut separator = ") in (select * from unnest(";
        for ids in &self.ids {
            out.push_sql(separator);
            out.push_bind_param::<Array<SqlUuid>, _>(ids)?;
            separator = ", ";
        }
        out.push_sql("))");
        Ok(())
    }
}

/// A condition of which PostgreSQL keeps the plan; diesel's own `sql` is planned again each time, which costs more than
/// to look up a handful of rows.
pub(crate) struct RowValueIn<S, T> {
    columns: &'static str,
    firsts: Vec<Uuid>,
    seconds: Vec<T>,
    of: PhantomData<S>,
}

expression!([S, T] RowValueIn<S, T> as Bool);

impl<S: 'static, T> QueryFragment<Pg> for RowValueIn<S, T>
where
    Pg: HasSqlType<S>,
    Vec<T>: ToSql<Array<S>, Pg>,
{
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("(");
        out.push_sql(self.columns);
        out.push_sql(") in (select u.a, u.b from unnest(");
        out.push_bind_param::<Array<SqlUuid>, _>(&self.firsts)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<S>, _>(&self.seconds)?;
        out.push_sql(") as u (a, b))");
        Ok(())
    }
}
