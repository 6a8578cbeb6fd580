//! The HTTP server.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, TcpListener},
    sync::Arc,
};

use actix_web::{
    App, HttpServer,
    dev::Server,
    http::StatusCode,
    middleware::{self, ErrorHandlers, from_fn},
    web::{Data, ServiceConfig},
};
use wayfare_console::Console;
use wayfare_operations::Platform;

use crate::{
    http::{
        client_address::ConsoleProof,
        compression, event_coding,
        known_hosts::{self, KnownHosts},
        options::ServerOptions,
        rate_limit, refusal, request_id, request_metrics,
    },
    resources::{
        service::document::{AGENCIES_DOCUMENT, OPERATOR_DOCUMENT, ServedOnce},
        supplier_hooks::HookLimits,
    },
    routes,
};

/// Serves the platform on this listener until the server is stopped.
///
/// # Errors
/// When the listener can't be used.
pub fn serve(
    platform: Arc<Platform>,
    listener: TcpListener,
    options: ServerOptions,
) -> std::io::Result<Server> {
    let console = console(&listener, &options)?;
    let proof = console.as_ref().map(|(_, proof)| proof.clone());
    let console = console.map(|(console, _)| console);
    let mount = move |config: &mut ServiceConfig| routes::mount(config, console.as_ref());
    let hosts = KnownHosts::default();
    run(platform, listener, options, (&AGENCIES_DOCUMENT, proof, hosts), mount)
}

/// Serves the operator's API and screens on a listener of its own until the server is stopped: nothing of agencies is found
/// there, and nothing of it at theirs.
///
/// # Errors
/// When the listener can't be used.
pub fn serve_operator(
    platform: Arc<Platform>,
    listener: TcpListener,
    options: ServerOptions,
) -> std::io::Result<Server> {
    let console = console(&listener, &options)?;
    let proof = console.as_ref().map(|(_, proof)| proof.clone());
    let console = console.map(|(console, _)| console);
    let mount = move |config: &mut ServiceConfig| routes::operator::mount(config, console.as_ref());
    let public_url = options.console.as_ref().and_then(|console| console.public_url.clone());
    let hosts = KnownHosts::of(listener.local_addr()?, public_url.as_ref(), &options.operator_hosts);
    run(platform, listener, options, (&OPERATOR_DOCUMENT, proof, hosts), mount)
}

fn run(
    platform: Arc<Platform>,
    listener: TcpListener,
    options: ServerOptions,
    (document, proof, hosts): (ServedOnce, Option<String>, KnownHosts),
    mount: impl Fn(&mut ServiceConfig) + Clone + Send + 'static,
) -> std::io::Result<Server> {
    let (slowest_request, workers, shutdown) = (options.slowest_request, options.workers, options.shutdown);
    let metrics = Data::new(options.metrics.clone());
    let encoders = Data::new(options.event_encoders.clone());
    let (platform, given) = (Data::new(platform), Data::new(options));
    let hook_limits = Data::new(HookLimits::default());
    let proof = Data::new(ConsoleProof(proof));
    let hosts = Data::new(hosts);
    let app = move || {
        App::new()
            .app_data(platform.clone())
            .app_data(given.clone())
            .app_data(metrics.clone())
            .app_data(encoders.clone())
            .app_data(hook_limits.clone())
            .app_data(proof.clone())
            .app_data(hosts.clone())
            .app_data::<ServedOnce>(document)
            .wrap(from_fn(known_hosts::check))
            .wrap(from_fn(compression::spare_small))
            .wrap(middleware::Compress::default())
            .wrap(from_fn(event_coding::code))
            .wrap(from_fn(compression::tell_no_identity))
            .wrap(ErrorHandlers::new().handler(StatusCode::METHOD_NOT_ALLOWED, refusal::wrong_method))
            .wrap(from_fn(rate_limit::add_headers))
            .wrap(from_fn(request_id::identify))
            .wrap(from_fn(request_metrics::measure))
            .configure(mount.clone())
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

/// The console, and what it proves its calls with. It calls the address that is listened on, and this machine's own where
/// that is every address.
fn console(listener: &TcpListener, options: &ServerOptions) -> std::io::Result<Option<(Console, String)>> {
    let Some(wanted) = options.console.clone() else { return Ok(None) };
    let mut address = listener.local_addr()?;
    let is_loopback = address.ip().is_loopback();
    if address.ip().is_unspecified() {
        address.set_ip(match address.ip() {
            IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    let proof: String = rand::random::<[u8; 32]>().iter().map(|byte| format!("{byte:02x}")).collect();
    let console = Console::new(wayfare_console::Options {
        api: format!("http://{address}"),
        public_url: wanted.public_url,
        is_loopback,
        proof: proof.clone(),
        is_sandbox: wanted.is_sandbox,
    });
    Ok(Some((console.map_err(std::io::Error::other)?, proof)))
}
