//! Statements of which only counts what they write.

use diesel_async::{AsyncConnectionCore, RunQueryDsl, methods::ExecuteDsl};

use crate::Result;

/// What is carried out for what it writes.
pub(crate) trait Write: Sized + Send {
    /// How many rows it writes.
    fn written<C: AsyncConnectionCore + Send>(
        self,
        connection: &mut C,
    ) -> impl Future<Output = Result<usize>> + Send
    where
        Self: ExecuteDsl<C>;

    /// Writes whatever rows it is about.
    fn write<C: AsyncConnectionCore + Send>(
        self,
        connection: &mut C,
    ) -> impl Future<Output = Result<()>> + Send
    where
        Self: ExecuteDsl<C>,
    {
        let written = self.written(connection);
        async move { written.await.map(drop) }
    }

    /// Writes one row; false when it was not there or not as it should be.
    fn write_one<C: AsyncConnectionCore + Send>(
        self,
        connection: &mut C,
    ) -> impl Future<Output = Result<bool>> + Send
    where
        Self: ExecuteDsl<C>,
    {
        let written = self.written(connection);
        async move { Ok(written.await? == 1) }
    }
}

impl<Q: Send> Write for Q {
    async fn written<C: AsyncConnectionCore + Send>(self, connection: &mut C) -> Result<usize>
    where
        Self: ExecuteDsl<C>,
    {
        Ok(RunQueryDsl::execute(self, connection).await?)
    }
}
