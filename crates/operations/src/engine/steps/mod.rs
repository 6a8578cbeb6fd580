//! What each kind of step sends to its supplier, and how it is looked up.

pub(crate) mod book;
pub(crate) mod cancel;
