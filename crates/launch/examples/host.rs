//! The smallest program that uses everything here. The tests run it as the process that starts things and is killed.
//!
//! `host [options]` runs a sandbox, `host database` a database, each until Ctrl-C; `host settings` shows the settings,
//! `host keys` a digest of the keys. `host sandbox …` is what `SandboxProcess` starts.

use std::collections::hash_map::DefaultHasher;
use std::error::Error;
use std::hash::{Hash, Hasher};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tokio::signal::unix::{SignalKind, signal};
use wayfare_launch::{
    Common, Keys, SandboxArgs, SandboxProcess, ServerSettings, database, init_logging, parse, run_sandbox,
};

/// Starts what the server starts, and serves nothing.
#[derive(Debug, Parser)]
#[command(version)]
struct Host {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    server: ServerSettings,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// What SandboxProcess starts
    #[command(hide = true)]
    Sandbox(SandboxArgs),
    /// Shows the settings
    Settings,
    /// Opens the keys and shows a digest of them
    Keys,
    /// Opens the database and keeps it until Ctrl-C
    Database,
}

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<(), Box<dyn Error>> {
    let (host, tables) = parse::<Host>();
    init_logging(&host.common);
    // From here on Ctrl-C waits for us instead of ending us.
    let mut interrupt = signal(SignalKind::interrupt())?;
    match host.command {
        Some(Command::Sandbox(args)) => run_sandbox(args).await?,
        Some(Command::Settings) => {
            println!("{:#?}", (&host.common, &host.server, &tables));
            println!("with_sandbox: {}", host.server.with_sandbox(&host.common, &tables));
            println!("with_demo: {}", host.server.with_demo(&host.common));
        }
        Some(Command::Keys) => {
            let keys = Keys::open(&host.common)?;
            let mut digest = DefaultHasher::new();
            (keys.signing.newest.expose(), keys.ledger.expose()).hash(&mut digest);
            println!("{:x}", digest.finish());
        }
        Some(Command::Database) => {
            let database = database::open(&host.common).await?;
            println!("{}", database.url());
            interrupt.recv().await;
            database.close().await?;
        }
        None => {
            let sandbox =
                SandboxProcess::start_or_adopt(&host.common.data_dir, host.server.sandbox_bind).await?;
            println!("{} {} {}", sandbox.base_url(), sandbox.pid(), sandbox.adopted());
            interrupt.recv().await;
            sandbox.stop().await?;
        }
    }
    Ok(())
}
