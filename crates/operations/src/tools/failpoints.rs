//! Where tests kill the process, and the bugs that they seed to prove that they would be found.
//!
//! Without the feature `failpoints` there is nothing to switch on: a moment passes, and no seeded bug is compiled.

/// A moment at which something was just done. A test's process may be told to report it and wait there for its end.
pub(crate) fn moment(name: &str) {
    #[cfg(feature = "failpoints")]
    fail::eval(name, |_| ());
    let _ = name;
}

/// Whether a test has seeded this bug.
#[cfg(feature = "failpoints")]
pub(crate) fn seeded_bug(bug: &str) -> bool {
    fail::eval(bug, |_| ()).is_some()
}

/// A bug: what a transaction has written so far is committed, the rest of it apart.
#[cfg(feature = "failpoints")]
pub(crate) async fn commit_halfway(
    connection: &mut diesel_async::AsyncPgConnection,
) -> Result<(), wayfare_store::StoreError> {
    use diesel_async::SimpleAsyncConnection;
    match seeded_bug("bug:commit-halfway") {
        true => Ok(connection.batch_execute("commit; begin").await?),
        false => Ok(()),
    }
}
