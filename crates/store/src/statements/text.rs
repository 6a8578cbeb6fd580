//! Statements that are written as text, with their parameters in order.

use diesel::{
    pg::Pg,
    query_builder::{Query, QueryFragment, QueryId, SqlQuery},
    sql_query,
    sql_types::{HasSqlType, Untyped},
};

use super::columns::Parameter;

/// This text with its parameters: one, or several as a tuple.
pub(crate) fn statement<P: Parameters>(
    text: impl Into<String>,
    parameters: P,
) -> impl Query<SqlType = Untyped> + QueryFragment<Pg> + QueryId + Send {
    parameters.bind(sql_query(text))
}

/// What a statement is given for `$1`, `$2` and so on.
pub(crate) trait Parameters {
    fn bind(self, query: SqlQuery) -> impl Query<SqlType = Untyped> + QueryFragment<Pg> + QueryId + Send;
}

impl<P: Parameter> Parameters for P
where
    Pg: HasSqlType<P::Sql>,
{
    fn bind(self, query: SqlQuery) -> impl Query<SqlType = Untyped> + QueryFragment<Pg> + QueryId + Send {
        query.bind::<P::Sql, _>(self.bound())
    }
}

macro_rules! tuples {
    ($(($($name:ident)*))*) => {
        $(impl<$($name: Parameter),*> Parameters for ($($name,)*)
        where
            $(Pg: HasSqlType<$name::Sql>,)*
        {
            #[expect(non_snake_case, reason = "each parameter has the name of its type")]
            fn bind(
                self,
                query: SqlQuery,
            ) -> impl Query<SqlType = Untyped> + QueryFragment<Pg> + QueryId + Send {
                let ($($name,)*) = self;
                query$(.bind::<$name::Sql, _>($name.bound()))*
            }
        })*
    };
}

tuples! {
    (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H) (A B C D E F G H I)
    (A B C D E F G H I J) (A B C D E F G H I J K L)
}
