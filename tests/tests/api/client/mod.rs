//! The client crate against the real server: all that it promises, and no field of an answer that its types don't have.

mod contract_fields;
mod events;
mod fields;
mod flights;
mod hotels;
mod organization;
