//! What all suppliers share: how an answer is judged, the one HTTP client, and who is asked at all.
//!
//! A supplier's silence is not a refusal. Every call ends in an [`Answer`], and the compiler makes each
//! caller face its four ends: the work was done, it was refused, provably nothing was sent, or nobody knows.
//!
//! ```
//! use wayfare_supply::{Answer, Refusal};
//!
//! fn describe(answer: Answer<&str>) -> String {
//!     match answer {
//!         Answer::Done(order) => format!("booked: {order}"),
//!         Answer::Refused(refusal) => format!("no: {}", refusal.text),
//!         Answer::Unavailable(outage) => format!("nothing was sent: {}", outage.reason),
//!         Answer::Unknown(reason) => format!("look it up before anything else: {reason}"),
//!     }
//! }
//! assert_eq!(describe(Answer::Done("ord_1")), "booked: ord_1");
//! assert_eq!(describe(Answer::Refused(Refusal::new("sold out"))), "no: sold out");
//! ```

mod answer;
mod config;
mod http;

pub use answer::{Answer, Outage, Refusal, RefusalKind};
pub use config::SupplierConfig;
pub use http::{Exchange, SupplierHttp};
pub use reqwest::{Method, RequestBuilder, StatusCode};
