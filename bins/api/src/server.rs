//! The HTTP server.

use std::{
    net::TcpListener,
    sync::{Arc, LazyLock},
};

use actix_web::{
    App, HttpServer,
    dev::Server,
    http::StatusCode,
    middleware::{self, ErrorHandlers, from_fn},
    web::Data,
};
use wayfare_operations::Platform;

use crate::{
    http::{compression, options::ServerOptions, rate_limit, refusal, request_id, request_metrics},
    openapi::{Served, ServedOnce},
    resources::supplier_hooks::HookLimits,
    routes,
};

static DOCUMENT: LazyLock<Served> = LazyLock::new(|| Served::of(routes::endpoints()));

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
    let metrics = Data::new(options.metrics.clone());
    let (platform, options) = (Data::new(platform), Data::new(options));
    let hook_limits = Data::new(HookLimits::default());
    let app = move || {
        App::new()
            .app_data(platform.clone())
            .app_data(options.clone())
            .app_data(metrics.clone())
            .app_data(hook_limits.clone())
            .app_data::<ServedOnce>(&DOCUMENT)
            .wrap(from_fn(compression::spare_small))
            .wrap(middleware::Compress::default())
            .wrap(from_fn(compression::tell_no_identity))
            .wrap(ErrorHandlers::new().handler(StatusCode::METHOD_NOT_ALLOWED, refusal::wrong_method))
            .wrap(from_fn(rate_limit::add_headers))
            .wrap(from_fn(request_id::identify))
            .wrap(from_fn(request_metrics::measure))
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
