//! Short random codes in Crockford's base 32: no I, L, O or U to misread over the telephone.

use rand::RngExt;

const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// `length` random characters of Crockford's base 32, five bits of chance each.
pub fn random_code(length: usize) -> String {
    let mut rng = rand::rng();
    (0..length)
        .filter_map(|_| ALPHABET.get(rng.random_range(0..ALPHABET.len())))
        .map(|&c| char::from(c))
        .collect()
}

/// A text of a type of its own: any text can be read as one, since the database says whether there is such a thing.
macro_rules! text_type {
    ($(#[$meta:meta])* $name:ident) => {
        $crate::code::text_type!(@ $(#[$meta])* $name, |text| text);
    };
    (@ $(#[$meta:meta])* $name:ident, |$text:ident| $read:expr) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub struct $name(String);

        impl From<String> for $name {
            fn from($text: String) -> Self {
                Self($read)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}
pub(crate) use text_type;

/// The same of a code that people type: it is read in any case, and with blanks at its ends (D-615).
macro_rules! typed_code {
    ($(#[$meta:meta])* $name:ident) => {
        $crate::code::text_type!(@ $(#[$meta])* $name, |text| text.trim().to_ascii_uppercase());
    };
}
pub(crate) use typed_code;

typed_code! {
    /// An agency's public code: `WF` and six characters (P-113).
    AgencyCode
}

impl AgencyCode {
    /// A fresh code; whether it is free is for the database to say.
    pub fn random() -> Self {
        Self(format!("WF{}", random_code(6)))
    }

    /// The code of the agency's `number`-th user: `WF7K2M9Q-A0003`.
    pub fn sub_agent(&self, number: i32) -> String {
        format!("{}-A{number:04}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agency_code_is_wf_and_six_characters_of_crockford() {
        let code = AgencyCode::random();
        assert_eq!(code.as_ref().len(), 8);
        assert!(code.as_ref().starts_with("WF"));
        assert!(code.as_ref().bytes().skip(2).all(|c| ALPHABET.contains(&c)));
        assert_eq!(AgencyCode("WF7K2M9Q".into()).sub_agent(3), "WF7K2M9Q-A0003");
        for typed in ["WF7K2M9Q", "wf7k2m9q", " Wf7k2M9q\t"] {
            assert_eq!(AgencyCode::from(typed.to_owned()).as_ref(), "WF7K2M9Q");
        }
    }
}
