//! Whole processes, each with an environment and a data folder of its own.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod database;
mod documented;
mod keys;
mod sandbox;
mod secret_files;
mod settings;
mod suppliers;
mod support;
