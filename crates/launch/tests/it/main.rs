//! Whole processes, each with an environment and a data folder of its own.

mod database;
mod keys;
mod sandbox;
mod settings;
mod support;
