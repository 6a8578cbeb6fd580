//! The log of erasures: a file beside a database that is ours. A backup of the database that is restored has what was erased
//! since; the file tells what to erase again.
//!
//! The table is the truth and the file its copy: what could not be appended, or was not since we died before, is appended
//! later.

use std::{
    collections::HashSet,
    fs::{File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    os::unix::fs::OpenOptionsExt,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use chrono::SecondsFormat;
use wayfare_domain::{BookingId, OrganizationId, SealedKind};
use wayfare_store::booking::people::{self, Erasure};

use crate::{Core, Error, Result};

/// No line has so many bytes.
const LONGER_THAN_A_LINE: u64 = 1024;

pub(crate) struct ErasureLog {
    path: PathBuf,
    /// Whether the table may have what the file has not.
    is_behind: AtomicBool,
}

impl ErasureLog {
    /// The file at this path, which need not be there.
    pub(crate) fn at(path: PathBuf) -> Self {
        Self { path, is_behind: AtomicBool::new(true) }
    }

    /// Appends these, safe on the disk. Of several processes one writes at a time.
    fn append(&self, erasures: &[Erasure]) -> io::Result<()> {
        let mut options = OpenOptions::new();
        let options = options.create(true).read(true).append(true).mode(0o600);
        let mut file = options.open(&self.path)?;
        file.lock()?;
        cut_torn_line(&mut file)?;
        let lines: String = erasures.iter().map(|one| erasure_line(one) + "\n").collect();
        file.write_all(lines.as_bytes())?;
        file.sync_all()?;
        match self.path.parent() {
            Some(folder) => File::open(folder)?.sync_all(),
            None => Ok(()),
        }
    }

    fn known(&self) -> io::Result<HashSet<Erased>> {
        let text = match std::fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error),
        };
        Ok(text.lines().filter_map(read_erasure).map(erased).collect())
    }
}

/// Removes what a process that died has left of its last line.
fn cut_torn_line(file: &mut File) -> io::Result<()> {
    let length = file.metadata()?.len();
    let from = length.saturating_sub(LONGER_THAN_A_LINE);
    let mut end = Vec::new();
    file.seek(SeekFrom::Start(from))?;
    file.read_to_end(&mut end)?;
    let whole = end.iter().rposition(|byte| *byte == b'\n');
    let whole = from + whole.map_or(0, |last| last as u64 + 1);
    match whole == length {
        true => Ok(()),
        false => file.set_len(whole),
    }
}

/// What was erased, whenever.
type Erased = (OrganizationId, BookingId, &'static str);

fn erased(erasure: Erasure) -> Erased {
    (erasure.organization, erasure.booking, erasure.kind.into())
}

/// An erasure as a line of the file has it, and of `wayfarectl people erasures`.
pub fn erasure_line(erasure: &Erasure) -> String {
    let Erasure { organization, booking, kind, at } = erasure;
    let at = at.to_rfc3339_opts(SecondsFormat::Micros, true);
    format!("{organization} {booking} {} {at}", kind.as_ref())
}

/// The erasure of a line; none of what is no such line.
pub fn read_erasure(line: &str) -> Option<Erasure> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [organization, booking, kind, at] = words.as_slice() else { return None };
    Some(Erasure {
        organization: organization.parse().ok()?,
        booking: booking.parse().ok()?,
        kind: kind.parse::<SealedKind>().ok()?,
        at: at.parse().ok()?,
    })
}

/// Notes what was just erased. It is erased whether or not that succeeds, and then it is noted later.
pub(crate) async fn note(core: &Core, erasures: Vec<Erasure>) {
    let Some(log) = core.erasure_log.clone().filter(|_| !erasures.is_empty()) else { return };
    let appended = on_disk(log.clone(), move |log| log.append(&erasures)).await;
    if let Err(error) = appended {
        log.is_behind.store(true, Ordering::Relaxed);
        tracing::error!(%error, path = %log.path.display(), "what was erased could not be noted yet");
    }
}

/// Notes what is erased and not noted: after a start, and after the file could not be written.
///
/// # Errors
/// When the database can't be asked, or the file can't be written.
pub(crate) async fn catch_up(core: &Core) -> Result<()> {
    let Some(log) = &core.erasure_log else { return Ok(()) };
    if !log.is_behind.swap(false, Ordering::Relaxed) {
        return Ok(());
    }
    let done = append_missing(core, log).await;
    if done.is_err() {
        log.is_behind.store(true, Ordering::Relaxed);
    }
    done
}

async fn append_missing(core: &Core, log: &Arc<ErasureLog>) -> Result<()> {
    let mut connection = core.database.connection().await?;
    let mut missing = people::erasures(&mut connection).await?;
    drop(connection);
    let appended = on_disk(log.clone(), move |log| {
        let known = log.known()?;
        missing.retain(|one| !known.contains(&erased(*one)));
        match missing.is_empty() {
            true => Ok(()),
            false => log.append(&missing),
        }
    });
    let because = |error| Error::Internal(format!("{}: {error}", log.path.display()));
    appended.await.map_err(because)
}

/// Works with the file where nobody else waits for it.
async fn on_disk(
    log: Arc<ErasureLog>,
    work: impl FnOnce(&ErasureLog) -> io::Result<()> + Send + 'static,
) -> io::Result<()> {
    tokio::task::spawn_blocking(move || work(&log)).await?
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};
    use wayfare_domain::Clock;

    use super::*;

    fn erasure(kind: SealedKind) -> Erasure {
        let clock = Clock::system();
        Erasure {
            organization: OrganizationId::new(&clock),
            booking: BookingId::new(&clock),
            kind,
            at: DateTime::<Utc>::from_timestamp(1_800_000_000, 123_456_000).unwrap(),
        }
    }

    #[test]
    fn a_line_is_read_as_it_was_written() {
        for kind in [SealedKind::People, SealedKind::Papers, SealedKind::AnswerKey] {
            let erasure = erasure(kind);
            assert_eq!(read_erasure(&erasure_line(&erasure)), Some(erasure));
        }
        for line in ["", "organization_id booking_id kind at", "a b people c", "x"] {
            assert_eq!(read_erasure(line), None, "{line}");
        }
    }

    #[test]
    fn what_a_dead_writer_left_is_cut_off_and_nobody_else_may_read_it() {
        use std::os::unix::fs::PermissionsExt;
        let path = std::env::temp_dir().join(format!("wayfare-erasures-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let log = ErasureLog::at(path.clone());
        assert!(log.known().unwrap().is_empty());
        let (one, other) = (erasure(SealedKind::People), erasure(SealedKind::Papers));
        log.append(&[one]).unwrap();
        let whole = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{whole}{}", whole.split_at(50).0)).unwrap();
        log.append(&[other]).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let read: Vec<_> = text.lines().map(read_erasure).collect();
        assert_eq!(read, [Some(one), Some(other)]);
        assert_eq!(log.known().unwrap().len(), 2);
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        std::fs::remove_file(&path).unwrap();
    }
}
