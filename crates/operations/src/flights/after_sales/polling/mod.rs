//! Flight orders as their suppliers show them: polled when they are due, read when somebody asks, and kept.

mod keep;
pub(crate) mod poll;
pub(crate) mod retrieve;
