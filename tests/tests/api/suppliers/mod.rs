//! What suppliers refuse and why, what changed prices come to, and the operator's accounts with them.

mod accounts;
mod permits;
mod price_change;
mod reasons;
