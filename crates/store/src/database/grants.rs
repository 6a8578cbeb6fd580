//! What the service's role may do where another role owns the tables.

use diesel::{QueryResult, RunQueryDsl, connection::SimpleConnection, sql_types::Text};
use diesel_async::{AsyncPgConnection, async_connection_wrapper::AsyncConnectionWrapper};

/// Grants to it, as the owner, everything that the service does, which to the ledger is reading and adding.
///
/// # Errors
/// When the ledger can't be kept from this role, say because it is the owner itself.
pub(crate) fn to(service: &str, owner: &mut AsyncConnectionWrapper<AsyncPgConnection>) -> QueryResult<()> {
    diesel::sql_query("select set_config('wayfare.service_role', $1, false)")
        .bind::<Text, _>(service)
        .execute(owner)?;
    owner.batch_execute(include_str!("grants.sql"))
}
