//! The keys of an installation: given, or made once; the signing key can be made anew.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use wayfare_domain::Clock;

use crate::data_dir;
use crate::error::{Error, io};
use crate::file_watch::FileWatch;
use crate::key::Key;
use crate::key_file::{AcceptedKey, KeyFile, SigningKeys, bad};
use crate::people_keys::{self, PeopleKeyRing};
use crate::settings::Common;

/// The keys of an installation.
#[derive(Clone, Debug)]
pub struct Keys {
    /// Sign access tokens.
    pub signing: SigningKeys,
    /// Seals the ledger.
    pub ledger: Key,
    /// Wrap the keys of people.
    pub people: PeopleKeyRing,
}

impl Keys {
    /// The keys of the settings. With the private PostgreSQL those that are not given come from `keys.toml` in the
    /// data folder, which is made where there is no data yet; programs that start together get the same.
    pub fn open(common: &Common) -> Result<Keys, Error> {
        let given = |newest| SigningKeys { newest, accepted: given_accepted(common) };
        match (common.signing_key.clone(), common.ledger_key.clone()) {
            (Some(signing), Some(ledger)) => {
                Ok(Keys { signing: given(signing), ledger, people: people_keys::open(common)? })
            }
            (None, _) if !common.has_private_database() => Err(Error::MissingKey("WAYFARE_SIGNING_KEY")),
            (_, None) if !common.has_private_database() => Err(Error::MissingKey("WAYFARE_LEDGER_KEY")),
            (signing, ledger) => {
                let kept = Keys::kept(&common.data_dir)?;
                Ok(Keys {
                    signing: signing.map_or_else(|| with_given(kept.signing, common), given),
                    ledger: ledger.unwrap_or(kept.ledger),
                    people: people_keys::open(common)?,
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
        keys.signing.accepted.retain(|accepted| accepted.until.is_some_and(|until| now < until));
        let before = AcceptedKey { key: before, until: Some(now + accepted_for) };
        keys.signing.accepted.insert(0, before);
        keys.file().replace(&kept_in(&common.data_dir))?;
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
        let Some(file) = KeyFile::read(path)? else { return Ok(None) };
        let missing = |name| bad(path, format!("missing field `{name}`"));
        Ok(Some(Keys {
            signing: file.signing.ok_or_else(|| missing("signing_key"))?,
            ledger: file.ledger.ok_or_else(|| missing("ledger_key"))?,
            people: file.people,
        }))
    }

    fn file(&self) -> KeyFile {
        KeyFile {
            signing: Some(self.signing.clone()),
            ledger: Some(self.ledger.clone()),
            people: self.people.clone(),
        }
    }
}

/// Sees that the signing keys have changed.
pub struct KeyWatch {
    common: Common,
    /// None where the signing key is given, which never changes while a program runs.
    file: Option<FileWatch>,
}

impl KeyWatch {
    /// Watches these settings' keys from now on: begin before the keys are opened.
    pub fn begin(common: &Common) -> KeyWatch {
        let is_kept = common.signing_key.is_none() && common.has_private_database();
        KeyWatch {
            common: common.clone(),
            file: is_kept.then(|| FileWatch::begin(kept_in(&common.data_dir))),
        }
    }

    /// The signing keys, when they have changed since it was last asked. Reads the file's date. Keys that
    /// can't be used are logged, and those before them stay.
    pub fn changed(&self) -> Option<SigningKeys> {
        if !self.file.as_ref()?.has_changed() {
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

fn given_accepted(common: &Common) -> Vec<AcceptedKey> {
    let given = common.accepted_signing_key.clone();
    given.map(|key| AcceptedKey { key, until: None }).into_iter().collect()
}

fn with_given(mut kept: SigningKeys, common: &Common) -> SigningKeys {
    kept.accepted.extend(given_accepted(common));
    kept
}

fn kept_in(data_dir: &Path) -> PathBuf {
    data_dir.join("keys.toml")
}

/// Makes the file, whole or not at all, unless another process was faster: a link, unlike a renaming, replaces
/// nothing.
fn make(path: &Path) -> Result<(), Error> {
    let keys = Keys {
        signing: SigningKeys { newest: Key::random()?, accepted: Vec::new() },
        ledger: Key::random()?,
        people: PeopleKeyRing::from([(1, Key::random()?)]),
    };
    let beside = data_dir::write_beside(path, &keys.file().to_text())?;
    let linked = fs::hard_link(&beside, path);
    let _ = fs::remove_file(&beside);
    match linked {
        Ok(()) => path.parent().map_or(Ok(()), data_dir::sync),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(io("create", path)(error)),
    }
}
