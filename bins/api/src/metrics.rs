//! The metrics, in OpenMetrics' text, on a port of their own: who may read them is not who may call the API.
//!
//! A scrape reads memory and nothing else, so it is answered while PostgreSQL, Redis or a supplier hangs.

use std::{net::TcpListener, sync::Arc};

use actix_web::{App, HttpResponse, HttpServer, dev::Server, web};
use prometheus_client::{encoding::text::encode, metrics::info::Info, registry::Registry};

use wayfare_operations::{Platform, operator::metrics::PlatformMetrics};

use crate::http::request_metrics::RequestMetrics;

/// OpenMetrics' own.
const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Everything that one server prints of itself.
pub struct Metrics(Registry);

impl Metrics {
    /// What the server with these counts prints, with what its platform knows of itself.
    pub fn of(requests: &RequestMetrics, platform: &Arc<Platform>) -> Self {
        let mut registry = Registry::default();
        let build = [("version", env!("CARGO_PKG_VERSION")), ("commit", wayfare_launch::COMMIT)];
        registry.register("wayfare_build", "What is running", Info::new(build.to_vec()));
        requests.register(&mut registry);
        registry.register_collector(Box::new(PlatformMetrics::of(platform)));
        Self(registry)
    }

    /// As text.
    fn print(&self) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        encode(&mut text, &self.0)?;
        Ok(text)
    }
}

/// Serves the metrics at `/metrics` of this listener, until the server is stopped.
///
/// # Errors
/// When the listener can't be used.
pub fn serve_metrics(metrics: Metrics, listener: TcpListener) -> std::io::Result<Server> {
    let metrics = web::Data::from(Arc::new(metrics));
    let server =
        HttpServer::new(move || App::new().app_data(metrics.clone()).route("/metrics", web::get().to(print)))
            // One scrape at a time is usual, and a flood of them takes no more than one core.
            .workers(1)
            .shutdown_timeout(1)
            .disable_signals()
            .listen(listener)?
            .run();
    Ok(server)
}

async fn print(metrics: web::Data<Metrics>) -> HttpResponse {
    match metrics.print() {
        Ok(text) => HttpResponse::Ok().content_type(CONTENT_TYPE).body(text),
        Err(error) => {
            tracing::error!(%error, "metrics could not be printed");
            HttpResponse::InternalServerError().finish()
        }
    }
}
