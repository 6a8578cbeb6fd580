//! `wayfare`: starts everything that the configuration asks for, serves, and stops all of it cleanly.

use std::{error::Error, net::TcpListener, sync::Arc};

use clap::{Parser, Subcommand};
use secrecy::SecretSlice;
use tokio::signal::unix::{SignalKind, signal};
use wayfare_api::{RateLimits, demo, serve};
use wayfare_domain::Clock;
use wayfare_flights::{FlightSupplier, duffel::Duffel};
use wayfare_launch::{
    Common, FileTables, Keys, SandboxArgs, SandboxProcess, ServerSettings, SupplierKind, SupplierSettings,
};
use wayfare_operations::{Database, Durations, Platform, PlatformParts, Secrets, worker};
use wayfare_supply::SupplierHttp;

/// Wayfare: search, price and book travel at several suppliers, paid from prepaid wallets
#[derive(Parser)]
#[command(name = "wayfare", version)]
struct Program {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    server: ServerSettings,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Runs the sandbox suppliers alone
    Sandbox(SandboxArgs),
}

#[tokio::main]
async fn main() {
    let (program, tables) = wayfare_launch::parse::<Program>();
    wayfare_launch::init_logging(&program.common);
    let done = match program.command {
        Some(Command::Sandbox(sandbox)) => wayfare_launch::run_sandbox(sandbox).await.map_err(Into::into),
        None => run(&program.common, &program.server, tables).await,
    };
    if let Err(error) = done {
        eprintln!("wayfare: {error}");
        std::process::exit(1);
    }
}

async fn run(common: &Common, server: &ServerSettings, tables: FileTables) -> Result<(), Box<dyn Error>> {
    let keys = Keys::open(common)?;
    // The port first: nothing is started for a server that can't listen.
    let listener =
        TcpListener::bind(server.bind).map_err(|error| format!("--bind {}: {error}", server.bind))?;
    let database = wayfare_launch::database::open(common).await?;
    let sandbox = match server.with_sandbox(common, &tables) {
        true => Some(SandboxProcess::start_or_adopt(&common.data_dir, server.sandbox_bind).await?),
        false => None,
    };
    let served = work(
        common,
        server,
        tables,
        &keys,
        database.url(),
        sandbox.as_ref(),
        listener,
    )
    .await;
    if let Some(sandbox) = sandbox {
        sandbox.stop().await?;
    }
    database.close().await?;
    served
}

#[allow(clippy::too_many_arguments, reason = "start-up names everything once")]
async fn work(
    common: &Common,
    server: &ServerSettings,
    tables: FileTables,
    keys: &Keys,
    database_url: &str,
    sandbox: Option<&SandboxProcess>,
    listener: TcpListener,
) -> Result<(), Box<dyn Error>> {
    let database = Database::connect(database_url, usize::try_from(server.database_pool)?)?;
    for migration in database.migrate().await? {
        tracing::info!(migration, "migrated");
    }
    let mut suppliers = tables.suppliers;
    if let Some(sandbox) = sandbox {
        suppliers.extend(sandbox_suppliers(sandbox));
    }
    let platform = Platform::new(PlatformParts {
        database,
        clock: Clock::system(),
        secrets: Secrets::new(bytes(&keys.signing), &bytes(&keys.ledger))?,
        rates: Arc::new(tables.exchange_rates),
        flights: flight_suppliers(suppliers)?,
        durations: Durations {
            offer_validity: server.offer_validity(),
            quote_validity: server.quote_validity(),
            patience: server.patience(),
        },
    });
    let limits = if server.with_rate_limits() {
        RateLimits::on()
    } else {
        RateLimits::off()
    };
    let address = listener.local_addr()?;
    let workers = server.workers.map_or_else(cores, std::num::NonZero::get);
    let http = serve(
        platform.clone(),
        listener,
        limits.clone(),
        workers,
        server.shutdown_s,
    )?;
    let handle = http.handle();
    let http = tokio::spawn(http);
    let recovery = tokio::spawn(worker::run(platform.clone()));
    let sweeper = tokio::spawn(async move {
        loop {
            tokio::time::sleep(std::time::Duration::from_secs(60)).await;
            limits.sweep();
        }
    });
    let base_url = format!("http://{address}");
    if server.with_demo(common) {
        let sandbox_url = sandbox.map(SandboxProcess::base_url).unwrap_or_default();
        let demo = demo::ensure(&platform, &common.data_dir, base_url, sandbox_url).await?;
        println!("{}", demo.tour());
    } else {
        println!("Wayfare is ready: {base_url}");
    }
    told_to_stop().await?;
    tracing::info!("stopping: calls under way may end");
    handle.stop(true).await;
    recovery.abort();
    sweeper.abort();
    http.await??;
    Ok(())
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

fn bytes(key: &wayfare_launch::Key) -> SecretSlice<u8> {
    SecretSlice::from(key.expose().to_vec())
}

/// The sandbox as each supplier that it speaks for, configured as the real one would be.
fn sandbox_suppliers(sandbox: &SandboxProcess) -> Vec<SupplierSettings> {
    let base_url = format!("{}/duffel", sandbox.base_url());
    let config = SupplierKind::Duffel.config("duffel", base_url, "duffel_test_sandbox".to_owned().into());
    vec![SupplierSettings {
        kind: SupplierKind::Duffel,
        config,
    }]
}

fn flight_suppliers(settings: Vec<SupplierSettings>) -> Result<Vec<Arc<dyn FlightSupplier>>, Box<dyn Error>> {
    let http = SupplierHttp::new()?;
    let made = settings.into_iter().map(|supplier| match supplier.kind {
        SupplierKind::Duffel => {
            Arc::new(Duffel::new(supplier.config, http.clone())) as Arc<dyn FlightSupplier>
        }
    });
    Ok(made.collect())
}

/// Ctrl-C, or SIGTERM as process managers send it.
async fn told_to_stop() -> std::io::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => interrupted,
        _ = terminate.recv() => Ok(()),
    }
}
