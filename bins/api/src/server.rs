//! The HTTP server.

use std::{net::TcpListener, sync::Arc, time::Duration};

use actix_web::{
    App, HttpServer,
    dev::Server,
    http::StatusCode,
    middleware::{self, ErrorHandlers, from_fn},
    web::Data,
};
use tokio::sync::watch;
use wayfare_domain::Network;
use wayfare_operations::Platform;

use crate::{
    rate_limit::{self, RateLimits},
    refusal, request_id, routes,
};

/// How the server behaves towards its clients.
#[derive(Clone)]
pub struct ServerOptions {
    /// How much each may ask.
    pub limits: RateLimits,
    /// Whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<Network>,
    /// A request's head must come within this time, and its body within as much again: a slow client does not keep a
    /// connection.
    pub slowest_request: Duration,
    /// How many threads serve.
    pub workers: usize,
    /// Turns true when the server is about to be stopped: streams end at once.
    pub stopping: watch::Receiver<bool>,
    /// How long running requests may take to end when the server is stopped.
    pub shutdown: Duration,
}

/// Serves the platform on this listener until the server is stopped.
///
/// # Errors
/// When the listener can't be used.
pub fn serve(
    platform: Arc<Platform>,
    listener: TcpListener,
    options: ServerOptions,
) -> std::io::Result<Server> {
    let (slowest_request, workers, shutdown) = (options.slowest_request, options.workers, options.shutdown);
    let (platform, options) = (Data::new(platform), Data::new(options));
    let app = move || {
        App::new()
            .app_data(platform.clone())
            .app_data(options.clone())
            .wrap(middleware::Compress::default())
            .wrap(ErrorHandlers::new().handler(StatusCode::METHOD_NOT_ALLOWED, refusal::wrong_method))
            .wrap(from_fn(rate_limit::tell))
            .wrap(from_fn(request_id::identify))
            .configure(routes::mount)
    };
    let server = HttpServer::new(app)
        .workers(workers)
        // Without it small answers wait 40 ms for an acknowledgement.
        .tcp_nodelay(true)
        .client_request_timeout(slowest_request)
        .shutdown_timeout(shutdown.as_secs())
        .disable_signals()
        .listen(listener)?
        .run();
    Ok(server)
}
