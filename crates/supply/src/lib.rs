#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod after_sales;
pub mod amounts;
mod answer;
mod breaker;
mod bulkhead;
mod config;
pub mod conformance;
mod held_bytes;
mod hooks;
mod http;
mod json;
pub mod judging;
pub mod lenient;
mod metrics;
mod observed;
mod off_runtime;
mod permits;
pub mod plain_text;
mod read_losses;
pub mod reading;
mod tally;
pub mod times;

pub use after_sales::{
    AccountBalance, AfterSales, CancellationQuote, CancellationState, ChangePrice, JourneyToCancel,
    ListedOrder, OrderToCancel, PartToCancel, PartsTaken, PendingChange, RefusalEvidence, SweptOrder,
    TravellerToCancel, UnaskedRefund, UnclearRefund,
};
pub use answer::{Answer, Outage, OutageKind, Refusal, RefusalKind, id_or_refused, id_or_unknown, is_id};
pub use breaker::PresentBreaker;
pub use bulkhead::Purpose;
pub use config::{CityCodes, Limits, SupplierConfig};
pub use held_bytes::HeldBytes;
pub use hooks::{Hook, HookAddress, HookProof, HookRegistry, hook_word};
pub use http::{Exchange, LATEST_START, Request, SupplierHttp, SupplierPauses};
pub use metrics::{CallDurations, CountedCalls, SupplierMetrics};
pub use observed::{ObservedExchange, observed};
pub use off_runtime::{off_runtime, read_exchange};
pub use permits::{PermitUse, on_behalf_of, watching};
pub use read_losses::{CountedLoss, LossKind, losses_in, note_loss};
pub use reqwest::{Method, StatusCode};
pub use tally::{CallOutcome, CallTally};
