//! The server: one thread of its own, one port, every supplier on a path of its own.

use std::fmt;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use actix_web::dev::{ServerHandle, Service as _};
use actix_web::middleware::{Compress, NormalizePath};
use actix_web::web::Data;
use actix_web::{App, HttpServer};
use strum::VariantArray as _;
use tokio::sync::oneshot;
use wayfare_domain::Clock;

use crate::content_calls::ContentCalls;
use crate::duffel::{self, Duffel};
use crate::faults::{Faults, Supplier};
use crate::hotelbeds::{self, Hotelbeds};
use crate::inventory::Inventory;
use crate::liteapi::{self, Liteapi};
use crate::mount::mount;
use crate::oddities::Oddities;
use crate::orders::{LogError, Orders, Reader, reader};
use crate::own_address::{OwnAddress, lead};
use crate::tariff::Tariff;
use crate::tripjack::{self, Tripjack};
use crate::world::{Hosted, World};
use crate::{connection, control};

#[derive(Debug, Clone)]
pub struct Settings {
    /// Where it listens; port 0 takes a free one.
    pub bind: SocketAddr,
    /// Where its orders are stored; without a folder they last as long as the process.
    pub data_dir: Option<PathBuf>,
    /// Which world it is: the same seed offers the same flights at the same prices.
    pub seed: u64,
    /// The ISO 4217 code of the currency everything is sold in.
    pub currency: String,
}

impl Settings {
    /// This world in rupees, on a free port of this machine, for as long as the process lasts.
    pub fn of_seed(seed: u64) -> Self {
        Self { bind: ([127, 0, 0, 1], 0).into(), data_dir: None, seed, currency: "INR".to_owned() }
    }
}

/// Why a sandbox did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address is taken or not allowed.
    #[error("the sandbox cannot listen on {bind}: {source}")]
    Bind { bind: SocketAddr, source: io::Error },
    /// The sandbox has no prices in this currency.
    #[error("the sandbox has no prices in {0}")]
    UnknownCurrency(String),
    /// The orders of the data folder cannot be used.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The server's thread ended at once.
    #[error("the sandbox's thread could not start: {0}")]
    Thread(String),
}

/// Whose orders the log can hold: everybody's.
fn readers() -> Vec<Reader> {
    let reader = |supplier: &Supplier| match supplier {
        Supplier::Duffel => reader::<duffel::Booking>(),
        Supplier::Tripjack => reader::<tripjack::Booking>(),
        Supplier::Liteapi => reader::<liteapi::Booking>(),
        Supplier::Hotelbeds => reader::<hotelbeds::Booking>(),
    };
    Supplier::VARIANTS.iter().map(reader).collect()
}

/// A server that plays travel suppliers.
#[derive(Debug)]
pub struct Sandbox;

impl Sandbox {
    /// Starts on a thread of its own, by the machine's clock, and answers once it listens.
    pub async fn start(settings: Settings) -> Result<Running, StartError> {
        Self::start_at(settings, Clock::system()).await
    }

    /// As [`Sandbox::start`], by a clock of the caller's: a frozen one lets holds and offers expire at will.
    pub async fn start_at(settings: Settings, clock: Clock) -> Result<Running, StartError> {
        Self::start_with(settings, clock, &[]).await
    }

    /// As [`Sandbox::start_at`], with addresses of their own for some suppliers.
    pub async fn start_with(
        settings: Settings,
        clock: Clock,
        own: &[OwnAddress],
    ) -> Result<Running, StartError> {
        let tariff = Tariff::in_currency(&settings.currency)
            .ok_or_else(|| StartError::UnknownCurrency(settings.currency.clone()))?;
        let refused = |source| StartError::Bind { bind: settings.bind, source };
        let listener = TcpListener::bind(settings.bind).map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let mut listeners = vec![listener];
        let mut own_addresses = Vec::new();
        for own in own {
            let listening = own.listen();
            let (own, listener) = listening.map_err(|source| StartError::Bind { bind: own.bind, source })?;
            own_addresses.push(own);
            listeners.push(listener);
        }
        let world = Arc::new(World {
            seed: settings.seed,
            tariff,
            clock,
            inventory: Inventory::of(settings.seed),
            orders: Orders::open(settings.data_dir.as_deref(), &readers())?,
            faults: Faults::default(),
            oddities: Oddities::default(),
            webhooks: Arc::default(),
            content_calls: ContentCalls::default(),
        });
        let (started, has_started) = oneshot::channel();
        let thread = std::thread::Builder::new()
            .name("sandbox".to_owned())
            .spawn({
                let (world, own) = (Arc::clone(&world), own_addresses.clone());
                move || serve(listeners, own, world, started)
            })
            .map_err(|reason| StartError::Thread(reason.to_string()))?;
        let handle = has_started
            .await
            .map_err(|_| StartError::Thread("it ended before it listened".to_owned()))?
            .map_err(refused)?;
        tracing::debug!(%address, "the sandbox listens");
        Ok(Running { address, own: own_addresses, handle, world, thread: Some(thread) })
    }
}

fn serve(
    listeners: Vec<TcpListener>,
    own: Vec<OwnAddress>,
    world: Arc<World>,
    started: oneshot::Sender<io::Result<ServerHandle>>,
) {
    actix_web::rt::System::new().block_on(async move {
        let duffel = Data::new(Hosted::new(Arc::clone(&world)));
        let tripjack = Data::new(Hosted::new(Arc::clone(&world)));
        let liteapi = Data::new(Hosted::new(Arc::clone(&world)));
        let hotelbeds = Data::new(Hosted::new(Arc::clone(&world)));
        let server = HttpServer::new(move || {
            let own = own.clone();
            App::new()
                .app_data(Data::from(Arc::clone(&world)))
                .wrap(Compress::default())
                .wrap(NormalizePath::trim())
                .wrap_fn(move |mut request, service| {
                    lead(&own, &mut request);
                    service.call(request)
                })
                .configure(control::routes)
                .configure(|config| mount::<Duffel>(config, duffel.clone()))
                .configure(|config| mount::<Tripjack>(config, tripjack.clone()))
                .configure(|config| mount::<Liteapi>(config, liteapi.clone()))
                .configure(|config| mount::<Hotelbeds>(config, hotelbeds.clone()))
        })
        .workers(1)
        // Longer than a client reuses an idle connection, else one is closed just as a call is sent on it.
        .keep_alive(Duration::from_secs(75))
        // A call that waits for the worker to be done with another is read when it is its turn.
        .client_request_timeout(Duration::ZERO)
        // Head and body are written one after the other: waiting for the first to be acknowledged costs 40 ms.
        .tcp_nodelay(true)
        .shutdown_timeout(1)
        .disable_signals()
        .on_connect(connection::keep);
        let server = listeners.into_iter().try_fold(server, HttpServer::listen);
        match server.map(HttpServer::run) {
            Err(reason) => drop(started.send(Err(reason))),
            Ok(server) => {
                // Nobody waits for it any more: the server ends with its handle.
                if started.send(Ok(server.handle())).is_err() {
                    return;
                }
                if let Err(reason) = server.await {
                    tracing::error!(%reason, "the sandbox ended");
                }
            }
        }
    });
}

/// A sandbox that runs. Dropping it stops it, too, without waiting.
pub struct Running {
    address: SocketAddr,
    own: Vec<OwnAddress>,
    handle: ServerHandle,
    world: Arc<World>,
    thread: Option<JoinHandle<()>>,
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Running {
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URLs of the suppliers that have an address of their own, in the order in which they were asked for.
    pub fn own_urls(&self) -> impl Iterator<Item = String> {
        self.own.iter().map(|own| format!("http://{}", own.bind))
    }

    /// The URL in front of every path: `http://127.0.0.1:4711`. A supplier's base URL is this and its path:
    /// `/duffel`, `/tripjack`, `/liteapi/v3.0`, `/hotelbeds`.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Stops as a kill would, calls under way and all, and answers when port and data folder are free.
    pub async fn stop(mut self) {
        self.handle.stop(false).await;
        // Its workers may still be on their way out.
        self.world.orders.close();
        if let Some(thread) = self.thread.take() {
            // Joining is quick: the server has answered that it ended.
            let joined = tokio::task::spawn_blocking(move || thread.join()).await;
            if !matches!(joined, Ok(Ok(()))) {
                tracing::error!("the sandbox's thread panicked");
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // The command is sent at once; only its answer would have to be awaited.
        drop(self.handle.stop(false));
        self.world.orders.close();
    }
}
