//! Texts that offers have in common, stored once.

use std::{
    borrow::Borrow,
    fmt,
    hash::{Hash, Hasher},
    ops::Deref,
    sync::Arc,
};

use serde::{Deserialize, Serialize};
use wayfare_supply::HeldBytes;

/// A text that is one in memory wherever an answer has it. Its copies cost nothing.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SharedText(Arc<str>);

impl SharedText {
    /// Whether both are one in memory.
    #[cfg(test)]
    pub(crate) fn is_the_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for SharedText {
    fn default() -> Self {
        Self(Arc::from(""))
    }
}

impl Deref for SharedText {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for SharedText {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for SharedText {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

// As a text does, by which it is looked for.
impl Hash for SharedText {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl PartialEq<str> for SharedText {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for SharedText {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl PartialEq<String> for SharedText {
    fn eq(&self, other: &String) -> bool {
        self.as_str() == other
    }
}

impl From<&str> for SharedText {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl From<String> for SharedText {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

impl From<SharedText> for String {
    fn from(text: SharedText) -> Self {
        text.as_str().to_owned()
    }
}

impl fmt::Debug for SharedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for SharedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl HeldBytes for SharedText {
    fn held_bytes(&self) -> usize {
        self.0.held_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_all_holders_are_charged_comes_to_the_whole() {
        let text = SharedText::from("Boeing 737-800 (winglets)");
        let alone = text.held_bytes();
        assert_eq!(alone, 48);
        let copies = vec![text; 6];
        let all: usize = copies.iter().map(HeldBytes::held_bytes).sum();
        assert_eq!(all, alone);
    }

    #[test]
    fn a_shared_text_is_written_as_a_text() {
        let stored = serde_json::to_string(&SharedText::from("DEL")).unwrap();
        assert_eq!(stored, "\"DEL\"");
        assert_eq!(serde_json::from_str::<SharedText>(&stored).unwrap(), "DEL");
    }
}
