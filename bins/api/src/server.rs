//! The HTTP server.

use std::{net::TcpListener, sync::Arc, time::Duration};

use actix_web::{App, HttpServer, dev::Server, middleware, web::Data};
use wayfare_operations::Platform;

use crate::{rate_limit::RateLimits, request_id, routes};

/// A header must come within this time: a slow client does not keep a connection.
const SLOWEST_REQUEST: Duration = Duration::from_secs(15);

/// Serves the platform on this listener until the server is stopped; running requests end first, for at most
/// `shutdown_s` seconds.
///
/// # Errors
/// When the listener can't be used.
pub fn serve(
    platform: Arc<Platform>,
    listener: TcpListener,
    limits: RateLimits,
    workers: usize,
    shutdown_s: u64,
) -> std::io::Result<Server> {
    let (platform, limits) = (Data::new(platform), Data::new(limits));
    let app = move || {
        App::new()
            .app_data(platform.clone())
            .app_data(limits.clone())
            .wrap(middleware::Compress::default())
            .wrap(middleware::from_fn(request_id::identify))
            .configure(routes::mount)
    };
    let server = HttpServer::new(app)
        .workers(workers)
        // Without it small answers wait 40 ms for an acknowledgement.
        .tcp_nodelay(true)
        .client_request_timeout(SLOWEST_REQUEST)
        .shutdown_timeout(shutdown_s)
        .disable_signals()
        .listen(listener)?
        .run();
    Ok(server)
}
