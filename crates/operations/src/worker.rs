//! The one loop that recovers effects. It may run in any number of processes: each open effect that is due is
//! taken by one of them, under a lease that ends by itself if the taker dies.

use std::{sync::Arc, time::Duration};

use diesel_async::AsyncConnection;
use wayfare_store::effects as rows;

use crate::{Error, Platform, Result, effects};

/// How long a taken effect is out of reach of other takers.
const LEASE: chrono::Duration = chrono::Duration::seconds(60);
/// How often the loop looks for work when there is none.
const PAUSE: Duration = Duration::from_secs(1);

/// Recovers what is due until the process ends. Spawn it once in each process.
pub async fn run(platform: Arc<Platform>) {
    loop {
        match recover_due(&platform).await {
            Ok(0) => {}
            Ok(_) => continue,
            Err(error) => tracing::error!(%error, "recovery could not run"),
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Recovers every effect that is due now, one after the other, and says how many were looked at.
///
/// # Errors
/// When the database can't be asked.
pub async fn recover_due(platform: &Platform) -> Result<usize> {
    let mut looked_at = 0;
    loop {
        let now = platform.clock.now();
        let mut connection = platform.database.connection().await?;
        let taken = connection
            .transaction(async |connection| {
                Ok::<_, Error>(rows::take_due(connection, now, now + LEASE).await?)
            })
            .await?;
        drop(connection);
        let Some(effect) = taken else { return Ok(looked_at) };
        looked_at += 1;
        if let Err(error) = effects::recover(platform, &effect).await {
            tracing::error!(%error, effect = %effect.id, "an effect could not be recovered");
            effects::postpone(platform, &effect, &error.to_string()).await?;
        }
    }
}
