//! Oddities: changes of an answer or a request that keep its meaning, as suppliers, airlines and people really send them.
//!
//! Each is a row of one table, [`ANSWERS`] or [`REQUESTS`], with its source. An oddity changes bytes or JSON between the
//! socket and the reader, or a request before it is sent. It knows the words of a wire format ([`Wire`]) and no type of the
//! project. Amounts are changed digit by digit: none passes through a binary float.
//!
//! What goes back to a supplier, such as ids, tokens and keys, is left alone, but by [`KEYS`], which makes them look odd:
//! they must come back byte by byte, and [`own_keys`] then makes them what they were.
//!
//! ```
//! use wayfare_oddities::{Wire, named, odd_answer};
//!
//! let noise = named("amounts_with_noise").unwrap();
//! let answer = odd_answer(br#"{"order":{"amount":5267.66}}"#, Wire::Tripjack, &[noise], 7);
//! assert_eq!(answer, br#"{"order":{"amount":5267.660000000001}}"#);
//! ```

mod amounts;
mod answers;
mod members;
mod names;
mod place;
mod requests;
mod rng;
mod table;
mod texts;
mod times;
mod walk;
mod wire_format;
mod writing;

pub use answers::{odd_answer, odd_key, own_keys};
pub use requests::{OddRequest, REQUESTS, RequestOddity};
pub use rng::Rng;
pub use table::{ANSWERS, AnswerOddity, KEYS, drawn, named};
pub use wire_format::Wire;
