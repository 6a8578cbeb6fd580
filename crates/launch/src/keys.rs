//! The keys: given, or made once.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::prelude::BASE64_STANDARD;
use rand::TryRngCore;
use rand::rngs::OsRng;
use secrecy::{ExposeSecret, SecretSlice};
use serde::Deserialize;

use crate::data_dir;
use crate::error::{Error, io};
use crate::file::in_line;
use crate::settings::Common;

/// The shortest key, in bytes.
const SHORTEST: usize = 32;
const LENIENT: GeneralPurposeConfig =
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);

/// A secret key of at least 32 bytes. It is wiped when dropped and shown nowhere.
#[derive(Clone)]
pub struct Key(SecretSlice<u8>);

impl Key {
    /// Reads hex, base64 (of either alphabet, padded or not) or else the text itself. Text of nothing but hex digits
    /// is hex; what is base64 of too few bytes is the text itself.
    ///
    /// # Errors
    /// What is wrong with it, without showing it.
    pub fn from_text(text: &str) -> Result<Key, String> {
        let text = text.trim();
        let bytes = match hex(text) {
            Some(bytes) => bytes,
            None => base64(text)
                .filter(|bytes| bytes.len() >= SHORTEST)
                .unwrap_or_else(|| text.into()),
        };
        match bytes.len() {
            length if length < SHORTEST => Err(format!(
                "a key must have at least {SHORTEST} bytes, and this one has {length}"
            )),
            _ => Ok(Key(bytes.into())),
        }
    }

    /// Its bytes.
    pub fn expose(&self) -> &[u8] {
        self.0.expose_secret()
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key([REDACTED])")
    }
}

fn hex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: &u8| {
        char::from(*byte)
            .to_digit(16)
            .and_then(|digit| u8::try_from(digit).ok())
    };
    let digits: Vec<u8> = text.as_bytes().iter().map(digit).collect::<Option<_>>()?;
    let pair = |pair: &[u8]| match pair {
        [high, low] => Some(high << 4 | low),
        _ => None,
    };
    digits.chunks(2).map(pair).collect()
}

fn base64(text: &str) -> Option<Vec<u8>> {
    [alphabet::STANDARD, alphabet::URL_SAFE]
        .iter()
        .find_map(|alphabet| GeneralPurpose::new(alphabet, LENIENT).decode(text).ok())
}

/// The keys of an installation.
#[derive(Clone, Debug)]
pub struct Keys {
    /// Signs access tokens.
    pub signing: Key,
    /// Seals the ledger.
    pub ledger: Key,
}

impl Keys {
    /// The keys of the settings. With the private PostgreSQL those that are not given come from `keys.toml` in the
    /// data folder, which is made where there is no data yet; programs that start together get the same.
    ///
    /// # Errors
    /// Keys that are missing, lost, open to others or damaged.
    pub fn open(common: &Common) -> Result<Keys, Error> {
        match (common.signing_key.clone(), common.ledger_key.clone()) {
            (Some(signing), Some(ledger)) => Ok(Keys { signing, ledger }),
            (None, _) if !common.has_private_database() => Err(Error::MissingKey("WAYFARE_SIGNING_KEY")),
            (_, None) if !common.has_private_database() => Err(Error::MissingKey("WAYFARE_LEDGER_KEY")),
            (signing, ledger) => {
                let kept = Keys::kept(&common.data_dir)?;
                Ok(Keys {
                    signing: signing.unwrap_or(kept.signing),
                    ledger: ledger.unwrap_or(kept.ledger),
                })
            }
        }
    }

    fn kept(data_dir: &Path) -> Result<Keys, Error> {
        let (path, data) = (data_dir.join("keys.toml"), data_dir.join("postgres/data"));
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
        Ok(Some(Keys {
            signing: key("signing_key", &written.signing_key)?,
            ledger: key("ledger_key", &written.ledger_key)?,
        }))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    signing_key: String,
    ledger_key: String,
}

/// Makes the file, whole or not at all, unless another process was faster: a link, unlike a renaming, replaces
/// nothing.
fn make(path: &Path) -> Result<(), Error> {
    let text = format!(
        "# The keys of this installation, made at its first start. Back them up with the database:\n\
         # without the ledger key nobody can show that the ledger is as it was written.\n\
         signing_key = \"{}\"\nledger_key = \"{}\"\n",
        random()?,
        random()?
    );
    let beside = data_dir::write_beside(path, &text)?;
    let linked = fs::hard_link(&beside, path);
    let _ = fs::remove_file(&beside);
    match linked {
        Ok(()) => path.parent().map_or(Ok(()), data_dir::sync),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(io("create", path)(error)),
    }
}

fn random() -> Result<String, Error> {
    let mut bytes = [0; SHORTEST];
    OsRng
        .try_fill_bytes(&mut bytes)
        .map_err(|error| Error::NoRandomness(error.to_string()))?;
    Ok(BASE64_STANDARD.encode(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_hex_or_base64_or_the_text_itself() {
        let bytes: Vec<u8> = (200..232).collect();
        let in_hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let in_base64 = BASE64_STANDARD.encode(&bytes);
        let url_safe = in_base64.replace('+', "-").replace('/', "_").replace('=', "");
        for text in [
            &in_hex,
            &in_hex.to_uppercase(),
            &in_base64,
            &url_safe,
            &format!("{in_base64}\n"),
        ] {
            assert_eq!(Key::from_text(text).unwrap().expose(), bytes, "{text}");
        }
        let words = "the quick brown fox jumps over the lazy dog";
        assert_eq!(Key::from_text(words).unwrap().expose(), words.as_bytes());
        // 24 bytes as base64, 32 as text.
        let letters = "abcdefghijklmnopqrstuvwxyzabcdef";
        assert_eq!(Key::from_text(letters).unwrap().expose(), letters.as_bytes());
    }

    #[test]
    fn a_key_that_is_too_short_is_refused_and_not_shown() {
        assert_eq!(
            Key::from_text("hush").unwrap_err(),
            "a key must have at least 32 bytes, and this one has 4"
        );
        // 16 bytes in hex are not 32 of text.
        assert!(Key::from_text("00112233445566778899aabbccddeeff").is_err());
        assert!(Key::from_text("").is_err());
        let key = Key::from_text("the quick brown fox jumps over the lazy dog").unwrap();
        assert!(!format!("{key:?}").contains("fox"));
    }
}
