//! The console, as a browser without scripts uses it.

mod browser;
mod flights;
mod pages;
