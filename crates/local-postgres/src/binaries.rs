//! The programs of PostgreSQL on this machine.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{command, run};
use crate::error::{Error, one_line};
use crate::user::RunUser;

/// A folder of programs, the major version they are of, and as whom they are run (`None`: as ourselves).
#[derive(Debug, Clone)]
pub(crate) struct Binaries {
    pub bin: PathBuf,
    pub major: u32,
    pub user: Option<RunUser>,
}

impl Binaries {
    /// Asks the server's program in `bin` for its version. It is asked as the user who is to run it, so
    /// programs that user cannot reach do not count.
    pub async fn in_folder(bin: &Path, user: Option<&RunUser>) -> Result<Binaries, Error> {
        let unusable = |reason| Error::UnusableBinaries { path: bin.to_path_buf(), reason };
        for program in ["postgres", "initdb"].map(|name| bin.join(name)) {
            if !program.is_file() {
                return Err(unusable(format!("{} is missing", program.display())));
            }
        }
        let mut ask = command(&bin.join("postgres"), user);
        ask.arg("--version");
        let output = run(ask).await?;
        let major = major(&String::from_utf8_lossy(&output.stdout)).ok_or_else(|| {
            let words = one_line(&String::from_utf8_lossy(&output.stderr));
            unusable(format!("`postgres --version` gave no version: {words}"))
        })?;
        Ok(Binaries { bin: bin.to_path_buf(), major, user: user.cloned() })
    }

    /// One of the programs, to be run as the user.
    pub fn program(&self, name: &str) -> Command {
        command(&self.bin.join(name), self.user.as_ref())
    }
}

/// The folders in which systems keep the programs, the newest version of each kind first.
pub(crate) fn usual_places() -> Vec<PathBuf> {
    let versioned = [
        ("/usr/lib/postgresql", ""),
        ("/usr", "pgsql-"),
        ("/opt/homebrew/opt", "postgresql@"),
        ("/usr/local/opt", "postgresql@"),
        ("/home/linuxbrew/.linuxbrew/opt", "postgresql@"),
        ("/Applications/Postgres.app/Contents/Versions", ""),
    ];
    let versioned = versioned.map(|(parent, prefix)| bins_in(Path::new(parent), prefix));
    let mut places: Vec<PathBuf> = versioned.into_iter().flatten().collect();
    let path = env::var_os("PATH").unwrap_or_default();
    // The programs are run in another folder, where a relative path would mean something else.
    places.extend(env::split_paths(&path).filter(|folder| folder.is_absolute()));
    places.push(PathBuf::from("/usr/local/pgsql/bin"));
    places.retain(|place| place.join("postgres").is_file());
    places
}

/// `parent/prefix<version>.../bin` for all versions there are, the newest first.
pub(crate) fn bins_in(parent: &Path, prefix: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    let numbered = entries.filter_map(|entry| {
        let name = entry.file_name();
        let version = version(name.to_str()?.strip_prefix(prefix)?);
        (!version.is_empty()).then(|| (version, entry.path().join("bin")))
    });
    let mut numbered: Vec<(Vec<u32>, PathBuf)> = numbered.collect();
    numbered.sort();
    numbered.into_iter().rev().map(|(_, path)| path).collect()
}

/// The major version in `postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)` or `... 19devel`.
fn major(text: &str) -> Option<u32> {
    let (_, number) = text.split_once("(PostgreSQL)")?;
    version(number.trim_start()).first().copied()
}

/// `18.4.0-x86_64-...` as 18, 4, 0; nothing where no number stands first.
pub(crate) fn version(text: &str) -> Vec<u32> {
    let end = text.find(|c: char| c != '.' && !c.is_ascii_digit());
    let number = text.get(..end.unwrap_or(text.len())).unwrap_or_default();
    number.split('.').map_while(|part| part.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_major_version_is_read_from_release_packaged_and_development_versions() {
        for (text, expected) in [
            ("postgres (PostgreSQL) 18.4\n", Some(18)),
            ("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n", Some(15)),
            ("postgres (PostgreSQL) 19devel\n", Some(19)),
            ("psql: not found", None),
        ] {
            assert_eq!(major(text), expected, "{text}");
        }
    }

    #[test]
    fn newer_versions_come_first_by_number_and_not_by_letter() {
        let parent = env::temp_dir().join(format!("wayfare-binaries-{}", std::process::id()));
        for name in ["pgsql-9.6", "pgsql-15", "pgsql-18", "pgsql-latest", "other-20"] {
            fs::create_dir_all(parent.join(name)).unwrap();
        }
        let found = bins_in(&parent, "pgsql-");
        fs::remove_dir_all(&parent).unwrap();
        let expected = ["pgsql-18", "pgsql-15", "pgsql-9.6"].map(|name| parent.join(name).join("bin"));
        assert_eq!(found, expected);
    }
}
