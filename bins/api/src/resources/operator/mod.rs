//! The resources of the operator's API: what the operator sees and decides over all agencies.

pub mod operators;
pub mod sessions;
