//! What a server says of itself in the database: that it is there, and how its suppliers do.

use std::{collections::BTreeMap, net::SocketAddr, sync::Arc};

use tokio::task::JoinHandle;
use wayfare_operations::{
    Platform,
    suppliers::health,
    tools::servers::{self, ServerFacts},
};

/// Says to the other servers of the database that this one is there, and to the operator how its suppliers do.
pub fn announce(
    platform: &Arc<Platform>,
    address: SocketAddr,
    settings: BTreeMap<String, String>,
) -> JoinHandle<()> {
    let facts =
        ServerFacts { address: address.to_string(), version: env!("CARGO_PKG_VERSION").to_owned(), settings };
    let (announcing, reporting) = (
        servers::announce_for_ever(platform.core.clone(), facts),
        health::report_for_ever(platform.suppliers.clone(), health::EVERY),
    );
    tokio::spawn(async move {
        tokio::join!(announcing, reporting);
    })
}

/// Forgets what this server has said of itself.
pub async fn leave(platform: &Platform) {
    servers::leave(&platform.core).await;
    health::leave(&platform.core).await;
}
