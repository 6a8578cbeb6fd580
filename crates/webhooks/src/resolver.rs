//! Names become addresses here and nowhere else: what a name comes to is looked at right before it is called, and just
//! those addresses are called, so that a name which changes its mind opens nothing.

use std::{io, net::SocketAddr, sync::Arc};

use futures_util::future::BoxFuture;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::sync::Semaphore;

use crate::Networks;

/// What a name comes to.
pub type Resolved = BoxFuture<'static, io::Result<Vec<SocketAddr>>>;

/// How names are looked up: in the ports of the answers there is nothing.
pub type Lookup = Arc<dyn Fn(String) -> Resolved + Send + Sync>;

/// Look-ups at once: each has a thread that others need too, for as long as its name server is silent.
const AT_ONCE: usize = 128;

/// As the machine does it.
pub(crate) fn of_the_machine() -> Lookup {
    let places = Arc::new(Semaphore::new(AT_ONCE));
    Arc::new(move |name| {
        let places = places.clone();
        Box::pin(async move {
            let place = places.acquire_owned().await.map_err(io::Error::other)?;
            // Whoever gives up waiting does not end the look-up, nor free its place.
            let looking = tokio::spawn(async move {
                let _place = place;
                tokio::net::lookup_host((name, 0)).await.map(Iterator::collect)
            });
            looking.await?
        })
    })
}

/// Finds only addresses that may be called.
pub(crate) struct Guarded {
    pub lookup: Lookup,
    pub networks: Networks,
    pub with_tls: bool,
}

impl Resolve for Guarded {
    fn resolve(&self, name: Name) -> Resolving {
        let (found, networks, with_tls) =
            ((self.lookup)(name.as_str().to_owned()), self.networks.clone(), self.with_tls);
        Box::pin(async move {
            // Which names there are inside is nobody's business: one that is not found is told as one that may not be called.
            let mut addresses = found.await.unwrap_or_default();
            addresses.retain(|address| networks.allow(address.ip(), with_tls));
            if addresses.is_empty() {
                return Err("the name has no public address".into());
            }
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}
