//! A transaction of two round trips: one begins, asks and locks, the other writes and commits. Of one wallet whose state is
//! known, one round trip does both.

pub mod writes;

use diesel::{
    QueryResult,
    pg::Pg,
    query_builder::{AstPass, QueryFragment, QueryId},
    result::{DatabaseErrorKind, Error as DieselError},
};
use diesel_async::{
    AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection, pooled_connection::deadpool::Object,
};
use futures_util::try_join;
use wayfare_ledger::Wallet;

use crate::{
    Connection, Result, StoreError,
    batch::writes::{Statement, Writes, is_overtaken},
    money::wallets::{Locked, Owner},
};

/// A transaction whose statements are sent without waiting for the one before. A batch that is dropped before it
/// was committed takes its connection with it, and PostgreSQL undoes what was done.
pub struct Batch(Option<Connection>);

#[boxed]
impl Batch {
    /// A batch on this connection, which is one of kept plans ([`crate::Database::connection_of_kept_plans`]);
    /// [`Batch::begin`] comes first.
    pub fn on(connection: Connection) -> Self {
        Self(Some(connection))
    }

    /// What statements are sent on; several at once go in one round trip.
    ///
    /// # Errors
    /// Never while the batch stands.
    pub fn connection(&self) -> Result<&AsyncPgConnection> {
        self.0.as_deref().ok_or_else(ended)
    }

    /// The same for statements that wait for each other.
    ///
    /// # Errors
    /// Never while the batch stands.
    pub fn connection_mut(&mut self) -> Result<&mut AsyncPgConnection> {
        self.0.as_deref_mut().ok_or_else(ended)
    }

    /// Begins. To be awaited together with the first statements, before them.
    pub async fn begin(&self) -> Result<()> {
        let mut connection = self.connection()?;
        Ok(connection.batch_execute("begin").await?)
    }

    /// Writes all of this and commits.
    ///
    /// # Errors
    /// Those of [`Writes::send`]; nothing is written then. Of an error that is not
    /// [`StoreError::surely_undone`] nobody knows whether it was committed.
    pub async fn commit(mut self, writes: Writes) -> Result<()> {
        let mut connection = self.connection()?;
        let committed = async { Commit.execute(&mut connection).await.map_err(uncommitted) };
        // After a statement that failed, PostgreSQL answers a commit by undoing all.
        try_join!(writes.send(self.connection()?), committed)?;
        drop(self.0.take());
        Ok(())
    }

    /// Writes all of this and commits in one round trip, if the wallet stands as it is `known`: nobody has locked it, and
    /// nothing else was asked. [`Batch::begin`] does not come before.
    ///
    /// # Errors
    /// [`StoreError::Overtaken`] when it does not stand so; else as [`Batch::commit`].
    pub async fn commit_if_known(
        mut self,
        writes: Writes,
        owner: Owner,
        known: &Locked,
        after: &Wallet,
    ) -> Result<()> {
        let writes = writes.of_known(owner, known, after)?;
        let ended = self.alone(writes.statement()?).await;
        if ended.as_ref().err().is_none_or(StoreError::surely_undone) {
            // What PostgreSQL has refused is undone, and the connection is as before.
            drop(self.0.take());
        }
        ended
    }

    /// One statement that is a transaction of its own.
    async fn alone(&self, statement: Statement<'_>) -> Result<()> {
        let mut connection = self.connection()?;
        // All of the answer is awaited: a row of it is no commit yet.
        let written: QueryResult<Vec<i64>> = statement.load(&mut connection).await;
        match written {
            Ok(_) => Ok(()),
            Err(error) if is_overtaken(&error) => Err(StoreError::Overtaken),
            Err(error) => Err(uncommitted(error)),
        }
    }
}

/// What a commit's error tells. A rule of the tables that is broken undoes all. A server that shuts the connection
/// ("terminating connection due to administrator command") may say so when it has committed and was about to ask for
/// the next statement.
fn uncommitted(error: DieselError) -> StoreError {
    match error {
        DieselError::DatabaseError(DatabaseErrorKind::Unknown, told) => {
            StoreError::Pool(told.message().to_owned())
        }
        other => other.into(),
    }
}

/// Sent as the statements are that come before it: while one of them is prepared for the first time on a connection,
/// it waits its turn. What is sent as a plain text does not, and a commit would overtake the writes.
#[derive(QueryId)]
struct Commit;

impl QueryFragment<Pg> for Commit {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("commit");
        Ok(())
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        drop(self.0.take().map(Object::take));
    }
}

fn ended() -> StoreError {
    StoreError::Pool("the batch has ended".to_owned())
}
