//! What was typed for a place and not chosen from the list, and what it was taken for: shown before it is searched.

/// So many others are offered.
pub const OTHERS: usize = 3;

/// As much of what was typed as the service takes.
pub fn limited(typed: &str) -> String {
    typed.chars().take(64).collect()
}

pub struct Taken {
    pub field: &'static str,
    pub typed: String,
    pub is: String,
    pub others: Vec<Other>,
}

pub struct Other {
    pub name: String,
    pub query: String,
}
