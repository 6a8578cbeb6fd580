//! Sends events to servers of agencies: one attempt at a time, signed as Standard Webhooks says, and never to an address
//! of our own network. And the other way round: whether a webhook of somebody else's is signed by whom we know.
//!
//! ```
//! use wayfare_webhooks::{Message, Secret};
//!
//! let secret = Secret::new([7; 32]);
//! let message = Message {
//!     id: "0198c0de-0000-7000-8000-000000000001",
//!     at: "2026-03-01T00:00:00Z".parse().unwrap(),
//!     body: r#"{"type":"booking.confirmed"}"#,
//!     secrets: &[secret],
//! };
//! assert!(message.signatures().starts_with("v1,"));
//! ```

#![warn(missing_docs)]

mod address;
mod resolver;
mod sender;
mod signature;
mod timed_signature;

pub use address::{Address, BadAddress, Networks, is_public};
pub use resolver::{Lookup, Resolved};
pub use sender::{Answer, Sender, Unanswered};
pub use signature::{Message, Secret};
pub use timed_signature::TimedSignature;
