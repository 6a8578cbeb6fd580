//! Starts a server on an existing cluster and waits until it takes connections.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::binaries::Binaries;
use crate::command::{command, start_error};
use crate::error::{Error, io, one_line};
use crate::keeper::Keeper;
use crate::layout::{Layout, private_file};
use crate::pid_file::{self, PidFile};
use crate::settings::Durability;
use crate::user::RunUser;

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
    user: Option<&RunUser>,
    durability: Durability,
) -> Result<Keeper, Error> {
    let deadline = Instant::now() + ORPHANS_PATIENCE;
    loop {
        pid_file::cure(layout)?;
        match attempt(layout, binaries, user, durability).await {
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

async fn attempt(
    layout: &Layout,
    binaries: &Binaries,
    user: Option<&RunUser>,
    durability: Durability,
) -> Result<Keeper, Error> {
    let (log, end_of_log) = open_log(&layout.log)?;
    let program = binaries.bin.join("postgres");
    let mut server = command(&program, user);
    server.args(arguments(layout, durability));
    server
        .stdout(log.try_clone().map_err(io("open", &layout.log))?)
        .stderr(log);
    let keeper = Keeper::start(server)
        .await
        .map_err(|error| start_error(&program, user, error))?;
    wait_until_ready(&keeper, layout, end_of_log).await?;
    Ok(keeper)
}

async fn wait_until_ready(keeper: &Keeper, layout: &Layout, end_of_log: u64) -> Result<(), Error> {
    let mut deadline = Instant::now() + PATIENCE;
    let mut log_size = end_of_log;
    let ready = PidFile {
        pid: keeper.pid,
        ready: true,
    };
    while PidFile::read(&layout.pid_file()) != Some(ready) {
        if let Some(how) = keeper.ended() {
            return Err(Error::StartFailed(format!(
                "{how}: {}",
                tail(&layout.log, end_of_log)
            )));
        }
        // A replay of the log after a crash takes its time and says every ten seconds how far it is.
        let size = fs::metadata(&layout.log).map_or(0, |meta| meta.len());
        if size > log_size {
            (log_size, deadline) = (size, Instant::now() + PATIENCE);
        }
        if Instant::now() > deadline {
            return Err(Error::StartTimeout {
                seconds: PATIENCE.as_secs(),
                log: layout.log.clone(),
            });
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    Ok(())
}

fn arguments(layout: &Layout, durability: Durability) -> Vec<OsString> {
    let mut arguments = vec![OsString::from("-D"), layout.data.clone().into_os_string()];
    let mut set = |setting: &OsStr| arguments.extend([OsStr::new("-c").to_owned(), setting.to_owned()]);
    set(&socket_setting(&layout.run));
    for setting in [
        "listen_addresses=",
        "port=5432",
        "unix_socket_permissions=0700",
        // Else they would be those of the machine on which the cluster was made.
        "timezone=UTC",
        "log_timezone=UTC",
        // Two lines every five minutes that say nothing here.
        "log_checkpoints=off",
    ] {
        set(OsStr::new(setting));
    }
    if durability == Durability::None {
        for setting in [
            "fsync=off",
            "synchronous_commit=off",
            "full_page_writes=off",
            "autovacuum=off",
            "max_connections=300",
            // The folder may be in memory; 1 GiB of log would be a lot of it.
            "max_wal_size=256MB",
        ] {
            set(OsStr::new(setting));
        }
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

/// The log, opened to append to, and where it ends now.
fn open_log(path: &Path) -> Result<(File, u64), Error> {
    if fs::metadata(path).is_ok_and(|meta| meta.len() > LOG_LIMIT) {
        fs::rename(path, path.with_extension("log.1")).map_err(io("rename", path))?;
    }
    let log = private_file()
        .write(false)
        .append(true)
        .open(path)
        .map_err(io("open", path))?;
    let end = log.metadata().map_err(io("look at", path))?.len();
    Ok((log, end))
}

/// The last lines a failed start wrote, as one.
fn tail(path: &Path, start: u64) -> String {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|mut log| {
        log.seek(SeekFrom::Start(start))?;
        log.take(64 * 1024).read_to_end(&mut bytes)
    });
    if let Err(error) = read {
        return format!("cannot read {}: {error}", path.display());
    }
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().collect();
    one_line(
        &lines
            .get(lines.len().saturating_sub(8)..)
            .unwrap_or_default()
            .join("\n"),
    )
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
        let off = OsStr::new("fsync=off");
        assert!(
            !arguments(&layout, Durability::Full)
                .iter()
                .any(|argument| argument == off)
        );
        assert!(
            arguments(&layout, Durability::None)
                .iter()
                .any(|argument| argument == off)
        );
    }
}
