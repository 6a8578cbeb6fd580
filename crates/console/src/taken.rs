//! What was typed for a place and not chosen from the list, and what it was taken for: shown before it is searched.

/// So many others are offered.
pub const OTHERS: usize = 3;

/// A place that was typed.
pub struct Taken {
    /// The field's name.
    pub field: &'static str,
    /// As typed.
    pub typed: String,
    /// What it was taken for.
    pub is: String,
    /// What else it may mean.
    pub others: Vec<Other>,
}

/// Another place of that name.
pub struct Other {
    /// Its name.
    pub name: String,
    /// The search with it, as a query.
    pub query: String,
}
