#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod address;
mod received;
mod resolver;
mod sender;
mod signature;
mod timed_signature;

pub use address::{Address, BadAddress, Networks, is_public};
pub use received::{Received, Unproven};
pub use resolver::{Lookup, Resolved};
pub use sender::{Answer, Sender, Unanswered};
pub use signature::{Message, Secret};
pub use timed_signature::TimedSignature;
