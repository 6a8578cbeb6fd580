//! The server: one thread of its own, one port, every supplier on a path of its own.

use std::fmt;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::thread::JoinHandle;
use std::time::Duration;

use actix_web::dev::ServerHandle;
use actix_web::middleware::Compress;
use actix_web::web::Data;
use actix_web::{App, HttpServer};
use tokio::sync::oneshot;
use wayfare_domain::Clock;

use crate::faults::Faults;
use crate::inventory::Inventory;
use crate::orders::{LogError, Orders};
use crate::supplier_api::mount;
use crate::tariff::Tariff;
use crate::{connection, control, duffel, hotelbeds, liteapi, tripjack};

/// How a sandbox is set up.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where it listens; port 0 takes a free one.
    pub bind: SocketAddr,
    /// Where its orders are kept; without a folder they last as long as the process.
    pub data_dir: Option<PathBuf>,
    /// Which world it is: the same seed offers the same flights at the same prices.
    pub seed: u64,
    /// The ISO 4217 code of the currency everything is sold in.
    pub currency: String,
}

/// Why a sandbox did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address is taken or not allowed.
    #[error("the sandbox cannot listen on {bind}: {source}")]
    Bind {
        /// The address asked for.
        bind: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
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

/// Everything the handlers share.
pub(crate) struct World {
    pub(crate) seed: u64,
    pub(crate) tariff: Tariff,
    pub(crate) clock: Clock,
    pub(crate) inventory: Inventory,
    pub(crate) orders: Orders,
    pub(crate) faults: Faults,
    pub(crate) duffel: duffel::State,
    pub(crate) tripjack: tripjack::State,
    pub(crate) liteapi: liteapi::State,
    pub(crate) hotelbeds: hotelbeds::State,
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
        let tariff = Tariff::in_currency(&settings.currency)
            .ok_or_else(|| StartError::UnknownCurrency(settings.currency.clone()))?;
        let refused = |source| StartError::Bind {
            bind: settings.bind,
            source,
        };
        let listener = TcpListener::bind(settings.bind).map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let world = Data::new(World {
            seed: settings.seed,
            tariff,
            clock,
            inventory: Inventory::of(settings.seed),
            orders: Orders::open(settings.data_dir.as_deref())?,
            faults: Faults::default(),
            duffel: duffel::State::default(),
            tripjack: tripjack::State::default(),
            liteapi: liteapi::State::default(),
            hotelbeds: hotelbeds::State::default(),
        });
        let (started, has_started) = oneshot::channel();
        let thread = std::thread::Builder::new()
            .name("sandbox".to_owned())
            .spawn({
                let world = world.clone();
                move || serve(listener, world, started)
            })
            .map_err(|reason| StartError::Thread(reason.to_string()))?;
        let handle = has_started
            .await
            .map_err(|_| StartError::Thread("it ended before it listened".to_owned()))?
            .map_err(refused)?;
        tracing::debug!(%address, "the sandbox listens");
        Ok(Running {
            address,
            handle,
            world,
            thread: Some(thread),
        })
    }
}

fn serve(listener: TcpListener, world: Data<World>, started: oneshot::Sender<io::Result<ServerHandle>>) {
    actix_web::rt::System::new().block_on(async move {
        let server = HttpServer::new(move || {
            App::new()
                .app_data(world.clone())
                .wrap(Compress::default())
                .configure(control::routes)
                .configure(mount::<duffel::Duffel>)
                .configure(mount::<tripjack::Tripjack>)
                .configure(mount::<liteapi::Liteapi>)
                .configure(mount::<hotelbeds::Hotelbeds>)
        })
        .workers(1)
        // Longer than a client keeps an idle connection, else one is closed just as a call is sent on it.
        .keep_alive(Duration::from_secs(75))
        // A call that waits for the worker to be done with another is read when it is its turn.
        .client_request_timeout(Duration::ZERO)
        // Head and body are written one after the other: waiting for the first to be acknowledged costs 40 ms.
        .tcp_nodelay(true)
        .shutdown_timeout(1)
        .disable_signals()
        .on_connect(connection::keep)
        .listen(listener);
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
    handle: ServerHandle,
    world: Data<World>,
    thread: Option<JoinHandle<()>>,
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

impl Running {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
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
