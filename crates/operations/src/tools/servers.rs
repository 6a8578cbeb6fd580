//! The servers of a database: each says that it is there and what it is set to, so that an operator sees all of them and is
//! warned where they are set otherwise: prices would differ by server, and a step of a supplier that one does not know would
//! wait for another.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use wayfare_boxed::boxed;
use wayfare_store::service::servers::{self, Announcement, KnownServer};

use crate::{Core, Result};

/// How often a server says that it is there. One that has said nothing for a minute counts as gone.
const EVERY: Duration = Duration::from_secs(10);

pub struct ServerFacts {
    pub address: String,
    pub version: String,
    /// What all servers of a database should be set to alike, by name. Only keyed hashes of it leave the process.
    pub settings: BTreeMap<String, String>,
}

/// Says that this server is there until the process ends, and warns when another one is set otherwise.
#[boxed]
pub async fn announce_for_ever(core: Arc<Core>, facts: ServerFacts) {
    let Some(name) = core.database.server_name().map(str::to_owned) else { return };
    let hash = |(name, content): (&String, &String)| {
        let hash = core.secrets.mac("server settings", content.as_bytes());
        let text: String = hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        (name.clone(), text)
    };
    let mut own = Announcement {
        name,
        address: facts.address,
        version: facts.version,
        settings: facts.settings.iter().map(hash).collect(),
        clock_ahead_ms: 0,
    };
    let mut warned = BTreeSet::new();
    loop {
        own.clock_ahead_ms = core.shared_time.own_clock_ahead().num_milliseconds();
        match announce(&core, &own).await {
            Ok(known) => {
                let unequal: BTreeSet<_> = known.iter().flat_map(|other| unequal(&own, other)).collect();
                for (address, setting) in unequal.difference(&warned) {
                    tracing::warn!(
                        address,
                        setting,
                        "another server of this database is set otherwise: what is sold and how it is priced hangs on which one is asked"
                    );
                }
                warned = unequal;
            }
            Err(error) => tracing::debug!(%error, "this server could not say that it is there"),
        }
        tokio::time::sleep(EVERY).await;
    }
}

async fn announce(core: &Core, own: &Announcement) -> Result<Vec<KnownServer>> {
    let mut connection = core.database.connection().await?;
    servers::announce(&mut connection, own).await?;
    Ok(servers::known(&mut connection).await?)
}

/// Which settings another server has otherwise, with its address. What is compared may be written otherwise by another version.
fn unequal(own: &Announcement, other: &KnownServer) -> Vec<(String, String)> {
    let other = &other.announced;
    if other.name == own.name || other.version != own.version {
        return Vec::new();
    }
    let names: BTreeSet<&String> = own.settings.keys().chain(other.settings.keys()).collect();
    let otherwise = |name: &&String| own.settings.get(*name) != other.settings.get(*name);
    names.into_iter().filter(otherwise).map(|name| (other.address.clone(), name.clone())).collect()
}

#[boxed]
pub async fn leave(core: &Core) {
    let Some(name) = core.database.server_name() else { return };
    let left = async {
        let mut connection = core.database.connection().await?;
        servers::leave(&mut connection, name).await?;
        Ok::<(), crate::Error>(())
    };
    if let Err(error) = left.await {
        tracing::debug!(%error, "this server counts as there for a minute more");
    }
}

/// A server that was there a moment ago, for the operator.
pub struct ServerThere {
    /// What it says of itself, and when.
    pub server: KnownServer,
    /// What it has otherwise than the first one of its version.
    pub unequal_settings: Vec<String>,
}

/// The servers of the database, by address.
#[boxed]
pub async fn there(core: &Core) -> Result<Vec<ServerThere>> {
    let mut connection = core.database.connection().await?;
    let known = servers::known(&mut connection).await?;
    let first_of = |version: &str| known.iter().find(|one| one.announced.version == version);
    let there = known.iter().map(|server| ServerThere {
        unequal_settings: first_of(&server.announced.version)
            .map(|first| unequal(&first.announced, server))
            .unwrap_or_default()
            .into_iter()
            .map(|(_, setting)| setting)
            .collect(),
        server: server.clone(),
    });
    Ok(there.collect())
}
