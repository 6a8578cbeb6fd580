//! What tests share: a database of their own each.
//!
//! The checks that look at the workspace as a whole are this package's integration tests.

mod database;

pub use database::TestDatabase;
