//! Where the server listens: for agencies, for the operator, for whoever reads its metrics.

use std::{
    net::{SocketAddr, TcpListener},
    sync::Arc,
};

use actix_web::dev::ServerHandle;
use wayfare_api::{ConsoleOptions, Metrics, ServerOptions, serve_metrics, serve_operator};
use wayfare_launch::{Common, ServerSettings, Switch};
use wayfare_operations::{Platform, operator::metrics::gather_for_ever};

/// Threads of the operator's listener: a handful of people work there.
const OPERATOR_WORKERS: usize = 1;

/// The sockets, taken before anything is started.
pub struct Listeners {
    /// For agencies.
    pub api: TcpListener,
    /// For the operator, if there is to be one.
    pub operator: Option<TcpListener>,
    /// For metrics, if they are to be printed.
    pub metrics: Option<TcpListener>,
}

impl Listeners {
    /// Takes them.
    pub fn bind(common: &Common, server: &ServerSettings) -> Result<Self, String> {
        let bind = |option: &str, address: SocketAddr| {
            TcpListener::bind(address).map_err(|error| format!("{option} {address}: {error}"))
        };
        let metrics = server.metrics_bind.map(|address| bind("--metrics-bind", address));
        let api = bind("--bind", server.bind)?;
        let operator = match (server.operator_bind, server.operator_listens_at(common)) {
            (Some(address), _) => Some(bind("--operator-bind", address)?),
            // Nobody has asked for this port: where it is taken, another one does.
            (None, Some(usual)) => Some(
                TcpListener::bind(usual)
                    .or_else(|_| bind("--operator-bind", SocketAddr::from((usual.ip(), 0))))?,
            ),
            (None, None) => None,
        };
        Ok(Self { api, operator, metrics: metrics.transpose()? })
    }
}

/// The operator's API while it is served.
pub struct ServedDesk {
    /// Where.
    pub address: SocketAddr,
    /// With what it is stopped.
    pub handle: ServerHandle,
}

/// Serves the operator's API, if it is to be.
pub fn serve_desk(
    platform: &Arc<Platform>,
    listener: Option<TcpListener>,
    options: &ServerOptions,
    server: &ServerSettings,
) -> std::io::Result<Option<ServedDesk>> {
    let Some(listener) = listener else { return Ok(None) };
    let address = listener.local_addr()?;
    let options = ServerOptions {
        workers: OPERATOR_WORKERS,
        // Where browsers find agencies' console says nothing of this one.
        console: options
            .console
            .clone()
            .map(|console| ConsoleOptions { public_url: server.operator_public_url.clone(), ..console }),
        ..options.clone()
    };
    let server = serve_operator(platform.clone(), listener, options)?;
    let handle = server.handle();
    tokio::spawn(server);
    Ok(Some(ServedDesk { address, handle }))
}

/// The console, if there is to be one.
pub fn console(server: &ServerSettings, is_sandbox: bool) -> Option<ConsoleOptions> {
    (server.console == Switch::On)
        .then(|| ConsoleOptions { public_url: server.console_public_url.clone(), is_sandbox })
}

/// Prints metrics on this listener.
pub fn print_metrics(
    metrics: Metrics,
    platform: &Arc<Platform>,
    listener: TcpListener,
) -> std::io::Result<ServerHandle> {
    let address = listener.local_addr()?;
    let server = serve_metrics(metrics, listener)?;
    let handle = server.handle();
    tokio::spawn(server);
    tokio::spawn(gather_for_ever(platform.clone()));
    tracing::info!("metrics are printed at http://{address}/metrics");
    Ok(handle)
}
