//! A secret key, and the forms in which people write it.

use std::fmt;

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::prelude::BASE64_STANDARD;
use rand::TryRng;
use rand::rngs::SysRng;
use secrecy::{ExposeSecret, SecretSlice};

use crate::error::Error;

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
    /// The error says what is wrong with it, without showing it.
    pub fn from_text(text: &str) -> Result<Key, String> {
        let text = text.trim();
        let bytes = match hex(text) {
            Some(bytes) => bytes,
            None => base64(text).filter(|bytes| bytes.len() >= SHORTEST).unwrap_or_else(|| text.into()),
        };
        match bytes.len() {
            length if length < SHORTEST => {
                Err(format!("a key must have at least {SHORTEST} bytes, and this one has {length}"))
            }
            _ => Ok(Key(bytes.into())),
        }
    }

    /// The bytes, at least 32.
    pub fn expose(&self) -> &[u8] {
        self.0.expose_secret()
    }

    /// A new one.
    pub(crate) fn random() -> Result<Key, Error> {
        let mut bytes = vec![0; SHORTEST];
        SysRng.try_fill_bytes(&mut bytes).map_err(|error| Error::NoRandomness(error.to_string()))?;
        Ok(Key(bytes.into()))
    }

    /// It, as base64.
    pub(crate) fn to_text(&self) -> String {
        BASE64_STANDARD.encode(self.expose())
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key([REDACTED])")
    }
}

fn hex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let digits: Vec<u8> = text.as_bytes().iter().map(digit).collect::<Option<_>>()?;
    let (pairs, []) = digits.as_chunks::<2>() else { return None };
    Some(pairs.iter().map(|[high, low]| high << 4 | low).collect())
}

fn base64(text: &str) -> Option<Vec<u8>> {
    [alphabet::STANDARD, alphabet::URL_SAFE]
        .iter()
        .find_map(|alphabet| GeneralPurpose::new(alphabet, LENIENT).decode(text).ok())
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
        for text in [&in_hex, &in_hex.to_uppercase(), &in_base64, &url_safe, &format!("{in_base64}\n")] {
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
