//! The sandbox, in a process of its own: the program's hidden subcommand.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::{Deserialize, Serialize};
use tokio::signal::unix::{SignalKind, signal};
use wayfare_domain::Clock;
use wayfare_sandbox::{OwnAddress, Sandbox, Settings};

use crate::data_dir;
use crate::error::{Error, io};

/// The options of the subcommand `sandbox`.
#[derive(Clone, Debug, Args)]
pub struct SandboxArgs {
    /// Where it listens; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:0")]
    pub bind: SocketAddr,

    /// Where its orders are kept
    #[arg(long, value_name = "FOLDER")]
    pub data_dir: PathBuf,

    /// Which world it is
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,

    /// An address of one supplier's own, where its paths have nothing before them: `duffel=127.0.0.1:9091`; may be repeated
    #[arg(long, value_name = "SUPPLIER=ADDRESS:PORT")]
    pub own: Vec<OwnAddress>,

    /// What everything is sold in
    #[arg(long, value_name = "CODE", default_value = "INR")]
    pub currency: String,
}

/// Which process is the sandbox of a folder and where it listens: `sandbox.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Address {
    pub pid: i32,
    pub address: SocketAddr,
}

impl Address {
    pub fn file(dir: &Path) -> PathBuf {
        dir.join("sandbox.json")
    }

    /// What the file says, if there is one that says something.
    pub fn read(dir: &Path) -> Option<Address> {
        let text = fs::read(Address::file(dir)).ok()?;
        serde_json::from_slice(&text).ok()
    }

    fn write(&self, dir: &Path) -> Result<(), Error> {
        let path = Address::file(dir);
        let text = serde_json::json!(self).to_string();
        let beside = data_dir::write_beside(&path, &text)?;
        fs::rename(&beside, &path).map_err(io("create", &path))
    }

    /// Removes the file if it still is about this process.
    fn remove(&self, dir: &Path) {
        if Address::read(dir).as_ref() == Some(self) {
            let _ = fs::remove_file(Address::file(dir));
        }
    }
}

/// Runs the sandbox until SIGTERM or SIGINT. While it listens, `sandbox.json` in its folder says where.
pub async fn run_sandbox(args: SandboxArgs) -> Result<(), Error> {
    let dir = args.data_dir;
    data_dir::create(&dir)?;
    let on = |kind| signal(kind).map_err(io("watch for signals in", &dir));
    let (mut terminate, mut interrupt) = (on(SignalKind::terminate())?, on(SignalKind::interrupt())?);
    let settings =
        Settings { bind: args.bind, data_dir: Some(dir.clone()), seed: args.seed, currency: args.currency };
    let running = Sandbox::start_with(settings, Clock::system(), &args.own).await?;
    let address = Address { pid: std::process::id().cast_signed(), address: running.address() };
    address.write(&dir)?;
    tracing::info!(address = %address.address, "the sandbox listens");
    for (own, url) in args.own.iter().zip(running.own_urls()) {
        tracing::info!(supplier = own.supplier(), %url, "a supplier of the sandbox listens");
    }
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    // First, so that it cannot be the next one's file that goes.
    address.remove(&dir);
    running.stop().await;
    Ok(())
}
