//! The keys of an installation: given, or made once; the signing key can be made anew.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde::Deserialize;
use wayfare_domain::Clock;

use crate::data_dir;
use crate::error::{Error, io};
use crate::file::in_line;
use crate::key::Key;
use crate::settings::Common;

/// The keys of an installation.
#[derive(Clone, Debug)]
pub struct Keys {
    /// Sign access tokens.
    pub signing: SigningKeys,
    /// Seals the ledger.
    pub ledger: Key,
}

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

impl Keys {
    /// The keys of the settings. With the private PostgreSQL those that are not given come from `keys.toml` in the
    /// data folder, which is made where there is no data yet; programs that start together get the same.
    pub fn open(common: &Common) -> Result<Keys, Error> {
        let given = |newest| SigningKeys {
            newest,
            accepted: given_accepted(common),
        };
        match (common.signing_key.clone(), common.ledger_key.clone()) {
            (Some(signing), Some(ledger)) => Ok(Keys {
                signing: given(signing),
                ledger,
            }),
            (None, _) if !common.has_private_database() => Err(Error::MissingKey("WAYFARE_SIGNING_KEY")),
            (_, None) if !common.has_private_database() => Err(Error::MissingKey("WAYFARE_LEDGER_KEY")),
            (signing, ledger) => {
                let kept = Keys::kept(&common.data_dir)?;
                Ok(Keys {
                    signing: signing.map_or_else(|| with_given(kept.signing, common), given),
                    ledger: ledger.unwrap_or(kept.ledger),
                })
            }
        }
    }

    /// Makes a new signing key in `keys.toml`; tokens of the one before it are accepted for so long after. Running
    /// servers see it ([`KeyWatch`]). Returns the keys as they are now.
    /// A signing key that is given, not kept, is refused.
    pub fn rotate(common: &Common, accepted_for: Duration) -> Result<Keys, Error> {
        if common.signing_key.is_some() || !common.has_private_database() {
            return Err(Error::SigningKeyGiven);
        }
        Keys::kept(&common.data_dir)?;
        // One after the other: the loser of a race would throw the winner's key away, which has signed already.
        let folder = File::open(&common.data_dir).map_err(io("open", &common.data_dir))?;
        folder.lock().map_err(io("lock", &common.data_dir))?;
        let mut keys = Keys::kept(&common.data_dir)?;
        let now = Clock::system().now();
        let before = std::mem::replace(&mut keys.signing.newest, Key::random()?);
        keys.signing
            .accepted
            .retain(|accepted| accepted.until.is_some_and(|until| now < until));
        let before = AcceptedKey {
            key: before,
            until: Some(now + accepted_for),
        };
        keys.signing.accepted.insert(0, before);
        let path = kept_in(&common.data_dir);
        let beside = data_dir::write_beside(&path, &keys.to_text())?;
        fs::rename(&beside, &path).map_err(io("replace", &path))?;
        data_dir::sync(&common.data_dir)?;
        Ok(keys)
    }

    fn kept(data_dir: &Path) -> Result<Keys, Error> {
        let (path, data) = (kept_in(data_dir), data_dir.join("postgres/data"));
        // Looked at before the keys: whoever makes the database has made the keys before.
        let has_data = data.exists();
        if let Some(keys) = Keys::read(&path)? {
            return Ok(keys);
        }
        if has_data {
            return Err(Error::KeysLost { data, keys: path });
        }
        data_dir::create(data_dir)?;
        make(&path)?;
        Keys::read(&path)?.ok_or(Error::KeysLost { data, keys: path })
    }

    fn read(path: &Path) -> Result<Option<Keys>, Error> {
        let mut file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(io("open", path)(error)),
        };
        let mode = file.metadata().map_err(io("look at", path))?.permissions().mode() & 0o777;
        if mode & 0o077 != 0 {
            return Err(Error::OpenKeys {
                path: path.to_path_buf(),
                mode,
            });
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(io("read", path))?;
        let bad = |reason| Error::BadKeys {
            path: path.to_path_buf(),
            reason,
        };
        let written: Written = toml::from_str(&text).map_err(|error| bad(in_line(&text, &error)))?;
        let key =
            |name: &str, text: &str| Key::from_text(text).map_err(|reason| bad(format!("{name}: {reason}")));
        let accepted = written.accepted_signing_keys.iter().map(|accepted| {
            Ok(AcceptedKey {
                key: key("accepted_signing_keys", &accepted.key)?,
                until: Some(accepted.until),
            })
        });
        Ok(Some(Keys {
            signing: SigningKeys {
                newest: key("signing_key", &written.signing_key)?,
                accepted: accepted.collect::<Result<_, Error>>()?,
            },
            ledger: key("ledger_key", &written.ledger_key)?,
        }))
    }

    fn to_text(&self) -> String {
        let mut text = format!(
            "# The keys of this installation. Back them up with the database: without the ledger key nobody can show\n\
             # that the ledger is as it was written. `wayfarectl keys rotate` makes a new signing key.\n\
             signing_key = \"{}\"\nledger_key = \"{}\"\n",
            self.signing.newest.to_text(),
            self.ledger.to_text()
        );
        for AcceptedKey { key, until } in &self.signing.accepted {
            let until = until.unwrap_or_default().to_rfc3339();
            text += &format!(
                "\n[[accepted_signing_keys]]\nkey = \"{}\"\nuntil = \"{until}\"\n",
                key.to_text()
            );
        }
        text
    }
}

/// Sees that the signing keys have changed.
pub struct KeyWatch {
    common: Common,
    seen: Mutex<Option<Stamp>>,
}

/// What is another when a file was replaced or written anew.
type Stamp = (u64, i64, i64);

impl KeyWatch {
    /// Watches these settings' keys from now on: begin before the keys are opened.
    pub fn begin(common: &Common) -> KeyWatch {
        KeyWatch {
            common: common.clone(),
            seen: Mutex::new(stamp(common)),
        }
    }

    /// The signing keys, when they have changed since it was last asked. Costs a look at the file's date. Keys that
    /// can't be used are logged, and those before them stay.
    pub fn changed(&self) -> Option<SigningKeys> {
        let now = stamp(&self.common)?;
        let before = self
            .seen
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .replace(now);
        if before == Some(now) {
            return None;
        }
        match Keys::open(&self.common) {
            Ok(keys) => Some(keys.signing),
            Err(error) => {
                tracing::error!(%error, "the signing keys have changed and can't be used");
                None
            }
        }
    }
}

/// None where the signing key is given, which never changes while a program runs.
fn stamp(common: &Common) -> Option<Stamp> {
    if common.signing_key.is_some() || !common.has_private_database() {
        return None;
    }
    let file = fs::metadata(kept_in(&common.data_dir)).ok()?;
    Some((file.ino(), file.mtime(), file.mtime_nsec()))
}

fn given_accepted(common: &Common) -> Vec<AcceptedKey> {
    let given = common.accepted_signing_key.clone();
    given
        .map(|key| AcceptedKey { key, until: None })
        .into_iter()
        .collect()
}

fn with_given(mut kept: SigningKeys, common: &Common) -> SigningKeys {
    kept.accepted.extend(given_accepted(common));
    kept
}

fn kept_in(data_dir: &Path) -> PathBuf {
    data_dir.join("keys.toml")
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    signing_key: String,
    ledger_key: String,
    #[serde(default)]
    accepted_signing_keys: Vec<WrittenAccepted>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenAccepted {
    key: String,
    until: DateTime<Utc>,
}

/// Makes the file, whole or not at all, unless another process was faster: a link, unlike a renaming, replaces
/// nothing.
fn make(path: &Path) -> Result<(), Error> {
    let keys = Keys {
        signing: SigningKeys {
            newest: Key::random()?,
            accepted: Vec::new(),
        },
        ledger: Key::random()?,
    };
    let beside = data_dir::write_beside(path, &keys.to_text())?;
    let linked = fs::hard_link(&beside, path);
    let _ = fs::remove_file(&beside);
    match linked {
        Ok(()) => path.parent().map_or(Ok(()), data_dir::sync),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(io("create", path)(error)),
    }
}
