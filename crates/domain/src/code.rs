//! Short random codes in Crockford's base 32: no I, L, O or U to misread over the telephone.

use std::fmt;

use rand::Rng;

const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// `length` random characters of Crockford's base 32, five bits of chance each.
pub fn random_code(length: usize) -> String {
    let mut rng = rand::rng();
    (0..length)
        .filter_map(|_| ALPHABET.get(rng.random_range(0..ALPHABET.len())))
        .map(|&c| char::from(c))
        .collect()
}

/// An agency's public code: `WF` and six characters (P-113).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AgencyCode(String);

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

impl From<String> for AgencyCode {
    fn from(code: String) -> Self {
        Self(code)
    }
}

impl AsRef<str> for AgencyCode {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for AgencyCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
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
    }
}
