//! Finds the programs of PostgreSQL on this machine, or has them fetched.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::command::{command, run, start_error};
use crate::error::{Error, FetchError, one_line};
use crate::layout::Layout;
use crate::settings::{Download, Settings};
use crate::user::RunUser;
use crate::{cluster, fetch};

/// The oldest major version that does.
pub(crate) const MINIMUM: u32 = 15;

/// A folder of programs and the major version they are of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Binaries {
    pub bin: PathBuf,
    pub major: u32,
}

impl Binaries {
    /// Asks the server's program in `bin` for its version. It is asked as the user who is to run it, so
    /// programs that user cannot reach do not count.
    pub async fn in_folder(bin: &Path, user: Option<&RunUser>) -> Result<Binaries, Error> {
        let unusable = |reason| Error::UnusableBinaries {
            path: bin.to_path_buf(),
            reason,
        };
        let postgres = bin.join("postgres");
        for program in [&postgres, &bin.join("initdb")] {
            if !program.is_file() {
                return Err(unusable(format!("{} is missing", program.display())));
            }
        }
        let mut ask = command(&postgres, user);
        ask.arg("--version");
        let output = run(ask)
            .await
            .map_err(|error| start_error(&postgres, user, error))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let major = major(&text).ok_or_else(|| {
            let words = one_line(&String::from_utf8_lossy(&output.stderr));
            unusable(format!(
                "`{} --version` gave no version: {words}",
                postgres.display()
            ))
        })?;
        Ok(Binaries {
            bin: bin.to_path_buf(),
            major,
        })
    }
}

/// The programs for the cluster of `layout`: of its version when it exists, else the first that is new
/// enough; fetched when there are none.
pub(crate) async fn choose(
    settings: &Settings,
    layout: &Layout,
    user: Option<&RunUser>,
) -> Result<Binaries, Error> {
    let needed = cluster::major(layout)?;
    let fits = |major: u32| needed.map_or(major >= MINIMUM, |needed| needed == major);
    if let Some(bin) = &settings.bin {
        return asked_for(bin, layout, needed, user).await;
    }
    let fetched = settings
        .download
        .iter()
        .flat_map(|download| in_folders(&download.cache, "postgresql-", "bin"));
    let mut found = Vec::new();
    for place in settings.search.iter().cloned().chain(fetched) {
        match Binaries::in_folder(&place, user).await {
            Ok(binaries) if fits(binaries.major) => return Ok(binaries),
            Ok(other) => found.push(other.major),
            Err(error @ Error::NoPrivilege(_)) => return Err(error),
            Err(error) => tracing::debug!(%error, "passed over"),
        }
    }
    match (needed, &settings.download) {
        (Some(major), download) if download.as_ref().is_none_or(|build| build_major(build) != major) => {
            Err(wrong_major(layout, major, &found))
        }
        (_, Some(download)) => fetch::fetch(download, user).await,
        (_, None) => Err(Error::NoBinaries(FetchError::SwitchedOff)),
    }
}

/// The folder the caller named, and no other.
async fn asked_for(
    bin: &Path,
    layout: &Layout,
    needed: Option<u32>,
    user: Option<&RunUser>,
) -> Result<Binaries, Error> {
    let path = std::path::absolute(bin).map_err(crate::error::io("resolve", bin))?;
    let binaries = Binaries::in_folder(&path, user).await?;
    match needed {
        Some(major) if major != binaries.major => Err(wrong_major(layout, major, &[binaries.major])),
        None if binaries.major < MINIMUM => {
            let reason = format!(
                "it is version {}, and {MINIMUM} is the oldest that does",
                binaries.major
            );
            Err(Error::UnusableBinaries { path, reason })
        }
        _ => Ok(binaries),
    }
}

fn wrong_major(layout: &Layout, major: u32, found: &[u32]) -> Error {
    let list: Vec<String> = found.iter().map(u32::to_string).collect();
    let found = if list.is_empty() {
        "none".to_owned()
    } else {
        list.join(", ")
    };
    Error::WrongMajor {
        path: layout.data.clone(),
        major,
        found,
    }
}

fn build_major(download: &Download) -> u32 {
    leading_number(&download.version).unwrap_or(0)
}

/// The folders in which systems keep the programs, the newest version of each kind first.
pub(crate) fn usual_places() -> Vec<PathBuf> {
    let mut places = in_folders(Path::new("/usr/lib/postgresql"), "", "bin");
    places.extend(in_folders(Path::new("/usr"), "pgsql-", "bin"));
    for homebrew in [
        "/opt/homebrew/opt",
        "/usr/local/opt",
        "/home/linuxbrew/.linuxbrew/opt",
    ] {
        places.extend(in_folders(Path::new(homebrew), "postgresql@", "bin"));
    }
    places.extend(in_folders(
        Path::new("/Applications/Postgres.app/Contents/Versions"),
        "",
        "bin",
    ));
    let path = env::var_os("PATH").unwrap_or_default();
    // The programs are run in another folder, where a relative path would mean something else.
    places.extend(env::split_paths(&path).filter(|folder| folder.is_absolute()));
    places.push(PathBuf::from("/usr/local/pgsql/bin"));
    places.retain(|place| place.join("postgres").is_file());
    places
}

/// `parent/prefix<version>.../inner` for all versions there are, the newest first.
fn in_folders(parent: &Path, prefix: &str, inner: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    let numbered = entries.filter_map(|entry| {
        let name = entry.file_name();
        Some((
            version_key(name.to_str()?.strip_prefix(prefix)?)?,
            entry.path().join(inner),
        ))
    });
    let mut numbered: Vec<(Vec<u32>, PathBuf)> = numbered.collect();
    numbered.sort();
    numbered.reverse();
    numbered.into_iter().map(|(_, path)| path).collect()
}

/// `18.4.0-x86_64-...` as 18, 4, 0.
fn version_key(text: &str) -> Option<Vec<u32>> {
    leading_number(text)?;
    let version = text
        .split(|c: char| c != '.' && !c.is_ascii_digit())
        .next()
        .unwrap_or_default();
    Some(version.split('.').map_while(|part| part.parse().ok()).collect())
}

/// The major version in `postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)` or `... 19devel`.
fn major(text: &str) -> Option<u32> {
    leading_number(text.split_once("(PostgreSQL)")?.1.trim_start())
}

fn leading_number(text: &str) -> Option<u32> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text.get(..end)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_major_version_is_read_from_release_packaged_and_development_versions() {
        assert_eq!(major("postgres (PostgreSQL) 18.4\n"), Some(18));
        assert_eq!(
            major("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n"),
            Some(15)
        );
        assert_eq!(major("postgres (PostgreSQL) 19devel\n"), Some(19));
        assert_eq!(major("psql: not found"), None);
    }

    #[test]
    fn newer_versions_come_first_by_number_and_not_by_letter() {
        let parent = env::temp_dir().join(format!("wayfare-binaries-{}", std::process::id()));
        for name in ["pgsql-9.6", "pgsql-15", "pgsql-18", "pgsql-latest", "other-20"] {
            fs::create_dir_all(parent.join(name)).unwrap();
        }
        let found = in_folders(&parent, "pgsql-", "bin");
        fs::remove_dir_all(&parent).unwrap();
        let expected = ["pgsql-18", "pgsql-15", "pgsql-9.6"].map(|name| parent.join(name).join("bin"));
        assert_eq!(found, expected);
    }
}
