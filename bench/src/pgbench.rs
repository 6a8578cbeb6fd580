//! What the same PostgreSQL does by pgbench's account: its TPC-B-like transaction at scale 1, simple protocol.

use std::{fs, path::PathBuf, time::Duration};

use tokio::process::Command;

use crate::{Installation, Result, installation::said};

const DATABASE: &str = "pgbench";

/// pgbench on a database of its own on an installation's server.
pub struct Pgbench {
    program: PathBuf,
    socket: PathBuf,
}

impl Pgbench {
    pub async fn prepare(installation: &Installation) -> Result<Self> {
        installation.connect("postgres").await?.batch_execute(&format!("create database {DATABASE}")).await?;
        // PostgreSQL writes down how it was started: the programs beside it are of its version.
        let started = fs::read_to_string(installation.postgres().join("data/postmaster.opts"))?;
        let server = started.split(" \"").next().unwrap_or_default();
        let pgbench = Self {
            program: PathBuf::from(server).with_file_name("pgbench"),
            socket: installation.postgres().join("run"),
        };
        pgbench.run(&["-i", "-q", "-s", "1"]).await?;
        Ok(pgbench)
    }

    /// Transactions per second of so many clients.
    pub async fn per_second(&self, clients: usize, time: Duration) -> Result<f64> {
        let (clients, seconds) = (clients.to_string(), time.as_secs().max(1).to_string());
        let said = self.run(&["-n", "-M", "simple", "-j", "2", "-c", &clients, "-T", &seconds]).await?;
        let rate = said.lines().find_map(|line| line.strip_prefix("tps = "));
        let rate = rate.and_then(|rate| rate.split(' ').next());
        Ok(rate.ok_or_else(|| format!("pgbench said no rate: {said}"))?.parse()?)
    }

    async fn run(&self, arguments: &[&str]) -> Result<String> {
        let mut program = Command::new(&self.program);
        program.arg("-h").arg(&self.socket).args(["-U", "wayfare"]);
        said(program.args(arguments).arg(DATABASE)).await
    }
}
