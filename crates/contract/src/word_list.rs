//! How a set of words is declared: an enumeration that also holds words that are newer than this crate.

#[cfg(feature = "schema")]
use serde_json::json;

/// Enumerations of words. A server writes those that are listed; a client keeps one that it does not know as `Unknown`. In the
/// OpenAPI documents each is its list, under its own name or the one behind `as`.
macro_rules! words {
    ($($(#[doc = $doc:literal])* $name:ident $(as $schema:literal)? {
        $($(#[doc = $note:literal])* $variant:ident = $word:literal,)*
    })*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $(
                #[doc = concat!("`", $word, "`.")]
                $(#[doc = $note])*
                $variant,
            )*
            /// A word that this version of the crate does not know.
            Unknown(String),
        }

        impl $name {
            /// All words that a server of this version writes.
            pub const WORDS: &'static [&'static str] = &[$($word),*];

            /// The word as the API writes it.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $word,)*
                    Self::Unknown(word) => word,
                }
            }
        }

        impl From<&str> for $name {
            /// Without regard to case: the answer of a booking says `CONFIRMED` where reads say `confirmed`.
            fn from(word: &str) -> Self {
                $(if word.eq_ignore_ascii_case($word) {
                    return Self::$variant;
                })*
                Self::Unknown(word.to_owned())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let word = String::deserialize(deserializer)?;
                Ok(Self::from(word.as_str()))
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                [$($schema,)? stringify!($name)][0].into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let meanings = [$(concat!($($note),*)),*];
                $crate::word_list::schema(concat!($($doc),*), Self::WORDS, &meanings)
            }
        }
    )*};
}

/// A closed list of words; what each means stands beside it.
#[cfg(feature = "schema")]
pub fn schema(text: &str, words: &[&str], meanings: &[&str]) -> schemars::Schema {
    let words = words.iter().zip(meanings);
    let words: Vec<_> =
        words.map(|(word, text)| json!({ "const": word, "description": text.trim() })).collect();
    schemars::json_schema!({ "description": text.trim(), "oneOf": words })
}

pub(crate) use words;
