//! Tables of calls and faults: how each call ends with each fault.

use std::fmt::Debug;

use wayfare_supply::Answer;

/// A line of such a table.
pub fn row(name: &str, ends: &[&str]) -> String {
    let ends: String = ends.iter().map(|end| format!("{end:<14}")).collect();
    format!("{name:<46} {}", ends.trim_end())
}

/// The word for an answer. The secret is in no text, and every other end than a good one has one.
pub fn told<T: Debug>(
    secret: &str,
    answer: Answer<T>,
    word: impl Fn(&Answer<T>) -> &'static str,
) -> &'static str {
    assert!(!format!("{answer:?}").contains(secret), "{answer:?}");
    assert!(answer.problem().is_none_or(|text| !text.is_empty()), "{answer:?}");
    word(&answer)
}
