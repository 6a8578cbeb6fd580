//! The file that keys are kept in: `keys.toml` of the data folder, or the one that the operator gives for the keys of people.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use chrono::{DateTime, Utc};
use rustix::process::geteuid;
use serde::Deserialize;

use crate::data_dir;
use crate::error::{Error, io};
use crate::file::in_line;
use crate::key::Key;

/// The keys of access tokens.
#[derive(Clone, Debug)]
pub struct SigningKeys {
    /// The one that signs.
    pub newest: Key,
    /// Others whose tokens are accepted.
    pub accepted: Vec<AcceptedKey>,
}

/// A key that signs no more, or not yet.
#[derive(Clone, Debug)]
pub struct AcceptedKey {
    /// One whose tokens were issued before, or will be later.
    pub key: Key,
    /// Until when its tokens are accepted, UTC; for as long as it is given, where nothing is said.
    pub until: Option<DateTime<Utc>>,
}

/// What stands in it.
#[derive(Default)]
pub(crate) struct KeyFile {
    pub signing: Option<SigningKeys>,
    pub ledger: Option<Key>,
    /// The keys that wrap those of people, by their numbers.
    pub people: BTreeMap<u32, Key>,
}

impl KeyFile {
    /// The file, if it is there. One that others may read is refused.
    pub(crate) fn read(path: &Path) -> Result<Option<KeyFile>, Error> {
        let mut file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(io("open", path)(error)),
        };
        let meta = file.metadata().map_err(io("look at", path))?;
        let mode = meta.permissions().mode() & 0o777;
        if is_open(mode, meta.uid(), geteuid().as_raw()) {
            return Err(Error::OpenKeys { path: path.to_path_buf(), mode });
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(io("read", path))?;
        KeyFile::of(path, &text).map(Some)
    }

    fn of(path: &Path, text: &str) -> Result<KeyFile, Error> {
        let bad = |reason| bad(path, reason);
        let written: Written = toml::from_str(text).map_err(|error| bad(in_line(text, &error)))?;
        let key =
            |name: &str, text: &str| Key::from_text(text).map_err(|reason| bad(format!("{name}: {reason}")));
        let accepted = written.accepted_signing_keys.iter().map(|accepted| {
            Ok(AcceptedKey { key: key("accepted_signing_keys", &accepted.key)?, until: Some(accepted.until) })
        });
        let accepted = accepted.collect::<Result<Vec<_>, Error>>()?;
        let newest = written.signing_key.map(|text| key("signing_key", &text));
        let people = written.people_keys.iter().map(|(number, text)| {
            let numbered = || bad("people_keys: each key is named by a number".to_owned());
            let key = key("people_keys", text)?;
            match key.expose().len() {
                32 => Ok((number.parse().map_err(|_| numbered())?, key)),
                length => {
                    Err(bad(format!("people_keys: a key must have 32 bytes, and this one has {length}")))
                }
            }
        });
        Ok(KeyFile {
            people: people.collect::<Result<_, Error>>()?,
            signing: newest.transpose()?.map(|newest| SigningKeys { newest, accepted }),
            ledger: written.ledger_key.map(|text| key("ledger_key", &text)).transpose()?,
        })
    }

    pub(crate) fn to_text(&self) -> String {
        let mut text = "# The keys of this installation. Back them up apart from the database: without the ledger key nobody can \
            show\n# that the ledger is as it was written, without the keys of people nobody can read whom a booking is \
            for.\n# `wayfarectl keys rotate` makes a new signing key, `wayfarectl keys rotate-people` a new key of people.\n"
            .to_owned();
        if let Some(signing) = &self.signing {
            text += &format!("signing_key = \"{}\"\n", signing.newest.to_text());
        }
        if let Some(ledger) = &self.ledger {
            text += &format!("ledger_key = \"{}\"\n", ledger.to_text());
        }
        for AcceptedKey { key, until } in self.signing.iter().flat_map(|signing| &signing.accepted) {
            let until = until.unwrap_or_default().to_rfc3339();
            text +=
                &format!("\n[[accepted_signing_keys]]\nkey = \"{}\"\nuntil = \"{until}\"\n", key.to_text());
        }
        if !self.people.is_empty() {
            text += "\n# By number: the greatest wraps.\n[people_keys]\n";
        }
        for (number, key) in &self.people {
            text += &format!("{number} = \"{}\"\n", key.to_text());
        }
        text
    }

    /// Writes it in the place of the one before it, whole or not at all.
    pub(crate) fn replace(&self, path: &Path) -> Result<(), Error> {
        let beside = data_dir::write_beside(path, &self.to_text())?;
        fs::rename(&beside, path).map_err(io("replace", path))?;
        path.parent().map_or(Ok(()), data_dir::sync)
    }
}

/// Whether others than this program's user may use a file. A secret that systemd or Kubernetes has mounted is root's, and its
/// group is this user's alone.
fn is_open(mode: u32, owner: u32, user: u32) -> bool {
    let is_mounted = owner == 0 && user != 0;
    mode & if is_mounted { 0o037 } else { 0o077 } != 0
}

/// That keys can't be used, and why.
pub(crate) fn bad(path: &Path, reason: String) -> Error {
    Error::BadKeys { path: path.to_path_buf(), reason }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    signing_key: Option<String>,
    ledger_key: Option<String>,
    #[serde(default)]
    accepted_signing_keys: Vec<WrittenAccepted>,
    #[serde(default)]
    people_keys: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenAccepted {
    key: String,
    until: DateTime<Utc>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_mounted_secret_may_be_read_by_a_group() {
        for (mode, owner, user, expected) in [
            (0o600, 1000, 1000, false),
            (0o400, 1000, 1000, false),
            (0o640, 1000, 1000, true),
            (0o604, 1000, 1000, true),
            (0o440, 0, 65_532, false),
            (0o400, 0, 65_532, false),
            (0o460, 0, 65_532, true),
            (0o444, 0, 65_532, true),
            (0o440, 1000, 65_532, true),
            (0o640, 0, 0, true),
        ] {
            assert_eq!(is_open(mode, owner, user), expected, "{mode:o} {owner} {user}");
        }
    }
}
