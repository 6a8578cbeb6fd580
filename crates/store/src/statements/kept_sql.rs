//! SQL of our own within diesel's statements, of which a connection keeps the plan: diesel's own `sql` is parsed and planned
//! again each time, and asked for in a round trip of its own.

use std::marker::PhantomData;

use diesel::{
    QueryResult,
    expression::TypedExpressionType,
    pg::Pg,
    query_builder::{AstPass, QueryFragment},
    sql_types::{Bool, SingleValue, Text},
};

/// Makes a type with these parameters an expression that has this type in SQL, in whichever statement. Its text is not known by
/// its type, so that a plan is kept by the text.
macro_rules! expression {
    ([$($parameter:tt)*] $name:ty as $sql:ty) => {
        impl<$($parameter)*> diesel::Expression for $name {
            type SqlType = $sql;
        }

        impl<$($parameter)*> diesel::expression::ValidGrouping<()> for $name {
            type IsAggregate = diesel::expression::is_aggregate::Never;
        }

        impl<From, $($parameter)*> diesel::AppearsOnTable<From> for $name {}
        impl<From, $($parameter)*> diesel::SelectableExpression<From> for $name {}

        impl<$($parameter)*> diesel::query_builder::QueryId for $name {
            type QueryId = ();
            const HAS_STATIC_QUERY_ID: bool = false;
        }
    };
}
pub(crate) use expression;

/// This expression, word by word; its columns are those of the statement's tables.
pub(crate) const fn kept_sql<S>(text: &'static str) -> KeptSql<S> {
    KeptSql { text, of: PhantomData }
}

/// That this column, as SQL names it, is one of these texts. Each is a parameter of its own: how many an array has is not
/// known when a plan is made to be kept, which then looks dearer than a new plan each time.
pub(crate) const fn one_of<'a>(column: &'static str, texts: &'a [&'a str]) -> OneOf<'a> {
    OneOf { column, texts }
}

/// The expression of [`kept_sql`].
pub(crate) struct KeptSql<S> {
    text: &'static str,
    of: PhantomData<S>,
}

/// The condition of [`one_of`].
pub(crate) struct OneOf<'a> {
    column: &'static str,
    texts: &'a [&'a str],
}

expression!([S: SingleValue + TypedExpressionType] KeptSql<S> as S);
expression!([] OneOf<'_> as Bool);

impl<S> QueryFragment<Pg> for KeptSql<S> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql(self.text);
        Ok(())
    }
}

impl QueryFragment<Pg> for OneOf<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql(self.column);
        let mut separator = " in (";
        for text in self.texts {
            out.push_sql(separator);
            out.push_bind_param::<Text, _>(text)?;
            separator = ", ";
        }
        out.push_sql(match self.texts.is_empty() {
            true => " is null",
            false => ")",
        });
        Ok(())
    }
}
