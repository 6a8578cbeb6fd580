//! Log-ins by the name that they are for: whoever guesses one password from many addresses waits, and whoever has it does not.

use std::{
    collections::VecDeque,
    net::IpAddr,
    sync::{Mutex, PoisonError},
};

use sha2::{Digest, Sha256};

/// So many pairs of names and addresses are remembered: those of whoever logged in last.
const MOST_KNOWN: usize = 10_000;

/// A name that somebody logs in with, known or not, as it is counted: no name stands in memory or in Redis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LogInName([u8; 16]);

impl LogInName {
    /// Of these parts, in any case: an agency's code and a username, or an operator's username.
    pub fn of(parts: &[&str]) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            let part = part.trim().to_lowercase();
            hash.update(part.len().to_be_bytes());
            hash.update(part.as_bytes());
        }
        let mut name = [0; 16];
        name.iter_mut().zip(hash.finalize()).for_each(|(to, from)| *to = from);
        Self(name)
    }

    /// As a part of a bucket's name.
    pub(super) fn text(self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// From where names have been logged in with: there they have a bucket that no stranger empties.
#[derive(Default)]
pub(super) struct KnownLogIns(Mutex<VecDeque<(LogInName, IpAddr)>>);

impl KnownLogIns {
    pub(super) fn knows(&self, name: LogInName, address: IpAddr) -> bool {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.contains(&(name, address))
    }

    pub(super) fn remember(&self, name: LogInName, address: IpAddr) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|pair| *pair != (name, address));
        known.push_back((name, address));
        while known.len() > MOST_KNOWN {
            known.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_in_any_case_and_its_parts_are_apart() {
        assert_eq!(LogInName::of(&["WF7K2M9Q", "asha"]), LogInName::of(&["wf7k2m9q", " Asha"]));
        assert_ne!(LogInName::of(&["WF7K2M9Q", "asha"]), LogInName::of(&["WF7K2M9", "Qasha"]));
        assert_ne!(LogInName::of(&["asha"]), LogInName::of(&["", "asha"]));
    }

    #[test]
    fn the_latest_are_remembered() {
        let known = KnownLogIns::default();
        let name = |number: usize| LogInName::of(&[&number.to_string()]);
        let address: IpAddr = "203.0.113.7".parse().unwrap();
        for number in 0..=MOST_KNOWN {
            known.remember(name(number), address);
        }
        assert!(!known.knows(name(0), address));
        assert!(known.knows(name(1), address));
        assert!(!known.knows(name(1), "203.0.113.8".parse().unwrap()));
    }
}
