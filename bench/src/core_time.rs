//! What work costs in processor time, by process: the server, its PostgreSQL, its sandbox and this program.

use std::{fs, time::Duration};

use serde::Deserialize;

use crate::{Installation, Processor, Result, count};

/// The time that each of them was on the cores.
#[derive(Clone, Copy, Debug, Default)]
pub struct CoreTime {
    /// The released `wayfare`.
    pub server: Duration,
    /// PostgreSQL with all its processes, those that have ended among them.
    pub postgres: Duration,
    /// The suppliers' simulator; nothing where stubs stand in for it.
    pub sandbox: Duration,
    pub client: Duration,
}

impl CoreTime {
    /// What they have had until now.
    pub fn until_now(installation: &Installation) -> Result<Self> {
        Ok(Self {
            server: installation.processor()?.spent()?,
            postgres: with_children(postmaster(installation)?)?,
            sandbox: match sandbox(installation)? {
                Some(pid) => Processor::of(pid).spent()?,
                None => Duration::ZERO,
            },
            client: Processor::of(std::process::id()).spent()?,
        })
    }

    pub fn since(self, installation: &Installation) -> Result<Self> {
        let now = Self::until_now(installation)?;
        Ok(Self {
            server: now.server.saturating_sub(self.server),
            postgres: now.postgres.saturating_sub(self.postgres),
            sandbox: now.sandbox.saturating_sub(self.sandbox),
            client: now.client.saturating_sub(self.client),
        })
    }

    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            server: self.server + other.server,
            postgres: self.postgres + other.postgres,
            sandbox: self.sandbox + other.sandbox,
            client: self.client + other.client,
        }
    }

    /// Milliseconds of a core for each of so many: server, PostgreSQL, sandbox and client.
    pub fn of_each(self, number: usize) -> [f64; 4] {
        [self.server, self.postgres, self.sandbox, self.client]
            .map(|spent| spent.as_secs_f64() * 1000.0 / count(number.max(1)))
    }
}

/// The process that all of PostgreSQL's others are children of.
fn postmaster(installation: &Installation) -> Result<u32> {
    let told = fs::read_to_string(installation.postgres().join("data/postmaster.pid"))?;
    Ok(told.lines().next().ok_or("an empty postmaster.pid")?.parse()?)
}

/// The simulator's process; none where the settings name other suppliers.
fn sandbox(installation: &Installation) -> Result<Option<u32>> {
    #[derive(Deserialize)]
    struct Sandbox {
        pid: u32,
    }
    match fs::read(installation.data().join("sandbox/sandbox.json")) {
        Ok(text) => Ok(Some(serde_json::from_slice::<Sandbox>(&text)?.pid)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// A process and its children, those among them that have ended.
fn with_children(parent: u32) -> Result<Duration> {
    let mut spent = Processor::of(parent).spent_with_ended_children()?;
    for entry in fs::read_dir("/proc")? {
        let Some(pid) = entry?.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let process = Processor::of(pid);
        // One that has ended meanwhile is nobody's child.
        if process.parent().is_ok_and(|of| of == parent) {
            spent += process.spent().unwrap_or_default();
        }
    }
    Ok(spent)
}
