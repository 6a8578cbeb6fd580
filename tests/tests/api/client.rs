//! The client crate against the real server: all that it promises, and no field of an answer that its types don't have.

mod fields;
mod flights;
mod hotels;
mod organization;
mod told;
