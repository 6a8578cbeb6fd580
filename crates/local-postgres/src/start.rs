//! Starts a server on an existing cluster and waits until it takes connections.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::binaries::Binaries;
use crate::command::start_error;
use crate::error::{Error, io};
use crate::layout::Layout;
use crate::pid_file::{self, PidFile};
use crate::process::{ManagedProcess, last_words, open_log};
use crate::settings::{Durability, Settings};

/// How long a start may go on without a word in the log.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long backends of a killed server may take to notice and end.
const ORPHANS_PATIENCE: Duration = Duration::from_secs(10);
/// From this size on the log is put aside at a start; one old log is kept.
const LOG_LIMIT: u64 = 16 * 1024 * 1024;

/// Starts the server. Only the holder of the folder's lock may, and only when nobody has the folder.
pub(crate) async fn start(
    layout: &Layout,
    binaries: &Binaries,
    settings: &Settings,
) -> Result<ManagedProcess, Error> {
    let deadline = Instant::now() + ORPHANS_PATIENCE;
    loop {
        pid_file::cure(layout)?;
        match attempt(layout, binaries, settings).await {
            // PostgreSQL waits for nothing here, and the last backends of a killed server need a moment.
            Err(Error::StartFailed(log))
                if log.contains("pre-existing shared memory block") && Instant::now() < deadline =>
            {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            outcome => return outcome,
        }
    }
}

async fn attempt(layout: &Layout, binaries: &Binaries, settings: &Settings) -> Result<ManagedProcess, Error> {
    let (log, end_of_log) = open_log(&layout.log, LOG_LIMIT).map_err(io("open", &layout.log))?;
    let mut server = binaries.program("postgres");
    server.args(arguments(layout, settings));
    server.stdout(log.try_clone().map_err(io("open", &layout.log))?).stderr(log);
    let process = ManagedProcess::start(server, Some(Signal::INT)).await;
    let process = process.map_err(|error| start_error(&binaries.bin.join("postgres"), error))?;
    wait_until_ready(&process, layout, end_of_log).await?;
    Ok(process)
}

async fn wait_until_ready(process: &ManagedProcess, layout: &Layout, end_of_log: u64) -> Result<(), Error> {
    let mut deadline = Instant::now() + PATIENCE;
    let mut log_size = end_of_log;
    let ready = PidFile { pid: process.pid(), ready: true };
    while PidFile::read(&layout.pid_file()) != Some(ready) {
        if let Some(how) = process.ended() {
            let words = last_words(&layout.log, end_of_log);
            return Err(Error::StartFailed(format!("{how}: {words}")));
        }
        // A replay of the log after a crash takes its time and says every ten seconds how far it is.
        let size = fs::metadata(&layout.log).map_or(0, |meta| meta.len());
        if size > log_size {
            (log_size, deadline) = (size, Instant::now() + PATIENCE);
        }
        if Instant::now() > deadline {
            return Err(Error::StartTimeout { seconds: PATIENCE.as_secs(), log: layout.log.clone() });
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    Ok(())
}

fn arguments(layout: &Layout, settings: &Settings) -> Vec<OsString> {
    let always = [
        "listen_addresses=",
        "port=5432",
        "unix_socket_permissions=0700",
        // Else they would be those of the machine on which the cluster was made.
        "timezone=UTC",
        "log_timezone=UTC",
        // Two lines every five minutes that say nothing here.
        "log_checkpoints=off",
        // No statement here is worth compiling: those that are estimated to be long take milliseconds, and loading the
        // compiler takes as many.
        "jit=off",
    ];
    let throw_away = [
        "fsync=off",
        "synchronous_commit=off",
        "full_page_writes=off",
        "autovacuum=off",
        "max_connections=300",
        // The folder may be in memory; 1 GiB of log would be a lot of it.
        "max_wal_size=256MB",
    ];
    let throw_away: &[&str] = match settings.durability {
        Durability::Full => &[],
        Durability::None => &throw_away,
    };
    let mut arguments = vec![OsString::from("-D"), layout.data.clone().into_os_string()];
    let ours = always.iter().chain(throw_away).map(OsString::from);
    let theirs = settings.server_settings.iter().map(OsString::from);
    // Of a setting that comes twice the last one counts.
    for setting in ours.chain([socket_setting(&layout.run)]).chain(theirs) {
        arguments.extend([OsString::from("-c"), setting]);
    }
    arguments
}

/// The setting is a list, so a path with a comma has to be quoted.
fn socket_setting(run: &Path) -> OsString {
    let mut setting = b"unix_socket_directories=\"".to_vec();
    for byte in run.as_os_str().as_bytes() {
        setting.extend(std::iter::repeat_n(*byte, if *byte == b'"' { 2 } else { 1 }));
    }
    setting.push(b'"');
    OsString::from_vec(setting)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_socket_folder_with_a_comma_or_a_quote_stays_one_folder() {
        let setting = socket_setting(Path::new("/a, b/say \"hi\"/run"));
        assert_eq!(setting, "unix_socket_directories=\"/a, b/say \"\"hi\"\"/run\"");
    }

    #[test]
    fn only_a_throw_away_server_gives_up_durability() {
        let layout = Layout::of("/d".into());
        let off = OsString::from("fsync=off");
        let mut settings = Settings::new("/d");
        assert!(!arguments(&layout, &settings).contains(&off));
        settings.durability = Durability::None;
        assert!(arguments(&layout, &settings).contains(&off));
    }
}
