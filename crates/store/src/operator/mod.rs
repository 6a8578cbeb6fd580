//! The operator as rows: their people and sessions, what these did, and lists over all agencies.

pub mod operator_events;
pub mod operator_lists;
pub mod operators;
