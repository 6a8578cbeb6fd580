//! The REST API for other Rust services, typed, from log-in to refund.
//!
//! * **Nothing is bought twice.** Whatever changes something is sent under an idempotency key. When the answer gets lost it
//!   is sent again under the same key, so that it is carried out once; when no answer comes at all, [`Error::Unknown`]
//!   carries the key, to ask again with ([`Session::keyed`]).
//! * **Nothing is taken for refused that isn't.** What a supplier has not said yet is [`Outcome::Pending`], a value and no
//!   error; [`flights::Flights::wait_until_settled`] waits for it.
//! * **Reads are tried again** after lost connections, time-outs, 429, 500, 502, 503 and 504, with growing pauses of random
//!   length and as long as the service asks for ([`Retries`]). So are `PUT`s that set something to what they say: profiles,
//!   settings, users, packages, notifications. A `DELETE`, a change of the own password and a log-out are only sent again
//!   when they surely did nothing. An effect that the service refused with 503 because of a supplier did nothing and is not sent
//!   again: whoever wants it decides. One that it lost with its database is sent again under its key.
//! * **Tokens renew themselves**, once for all calls that wait for it.
//! * **Webhooks are verified** by [`webhooks::verify`].
//! * **Amounts are exact** ([`Amount`]), and **the API may grow**: unknown fields are ignored, unknown words kept
//!   ([`enums`]).
//!
//! Every call's errors are [`Error`]s; a refusal has the service's status and words.
//!
//! ```no_run
//! use wayfare_client::{Client, Outcome, flights::*, enums::*};
//!
//! # async fn example() -> wayfare_client::Result<()> {
//! let client = Client::new("https://api.example.com")?;
//! let session = client.log_in("WF7K2M9Q", "asha", "correct horse 7").await?;
//! let flights = session.flights();
//!
//! let day = chrono::NaiveDate::from_ymd_opt(2027, 3, 1).unwrap_or_default();
//! let found = flights.search(&FlightSearch::one_way("DEL", "BOM", day)).await?;
//! let Some(offer) = found.offers.first() else { return Ok(()) };
//! let priced = flights.price(&PriceRequest::of([&offer.offer_id])).await?;
//!
//! let contact = Contact {
//!     email: "traveller@agency.example".to_owned(),
//!     phone: "9812345678".to_owned(),
//!     country_code: "91".to_owned(),
//! };
//! let born = chrono::NaiveDate::from_ymd_opt(1990, 4, 12).unwrap_or_default();
//! let name = (Title::Ms, "Meera", "Shah");
//! let traveller = Passenger::new(1, PassengerType::Adult, name, Gender::Female, born);
//! let order = FlightOrder::of(&priced, contact, vec![traveller]);
//! match flights.book(&order).await?.answer {
//!     Outcome::Done(booked) => println!("{} for {}", booked.booking_ref, booked.total_amount),
//!     Outcome::Pending(pending) => println!("{} is not known yet", pending.booking_ref),
//! }
//! # Ok(())
//! # }
//! ```
//!
//! `examples/book_a_flight.rs` does all of it against a server that is running.

#![warn(missing_docs)]

pub mod flights;
pub mod hotels;
pub mod operator;
pub mod webhooks;

mod booking_lists;
mod call;
mod client;
mod download;
mod error;
mod event_stream;
mod events;
mod fares;
mod list;
mod notifications;
mod organization;
mod organization_wallet;
mod packages;
mod place;
mod profile;
mod reports;
mod retries;
mod session;
mod users;
mod waiting;

pub use booking_lists::BookingFilter;
pub use call::{Effect, Keyed, Outcome, Pending};
pub use client::{Builder, Client};
pub use download::{CsvSeparator, CsvStyle, Download};
pub use error::{Cause, Error, FieldFault, Result};
pub use events::Events;
pub use fares::Fares;
pub use list::{List, Page};
pub use notifications::Notifications;
pub use organization::{AuditFilter, Organization};
pub use organization_wallet::{OrganizationWallet, TransactionFilter};
pub use packages::{FlightPackages, HotelPackages};
pub use profile::{OwnWallet, Profile};
pub use reports::Reports;
pub use retries::Retries;
pub use session::Session;
pub use users::{UserFilter, Users};
/// Amounts, and the API's words: each set is an enumeration that also holds words that are newer than this crate.
pub use wayfare_contract::{
    AgentAllocation, Amount, AuditEntry, BalancePoint, BalanceSeries, BookedFacts, BookingCost,
    BookingCounts, BrowserSession, ChangedFare, Concerned, DailyBalance, Event, ExamplePrice, FareLedger,
    FareSummary, FareTransaction, FeedPart, FinanceSummary, FlightPackage, FlightPackageDraft,
    FlightPackageRow, GroupCounts, HotelPackage, HotelPackageAssignment, HotelPackageDraft, HotelPackageRow,
    MonthlyTotals, NewReport, NewUser, Notification, OrganizationChange, OrganizationFunds,
    OrganizationProfile, OwnProfile, OwnSession, PackageAssignment, PackageHead, PriceExample, PricePreview,
    PriceRange, PriceRangeDraft, ProfileChange, ReasonCode, RefusalReason, Report, ReportFilters, Retry,
    SessionUser, Setting, Stats, StatusCounts, SupplierTotals, TimelineEntry, TraceInput, TraceStep, User,
    UserChange, UserRow, Wallet, WalletEntry, WalletSummary, WalletTransaction, WholeOrder,
    vocabulary as enums,
};
