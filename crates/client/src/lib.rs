#![doc = include_str!("../README.md")]
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
#[cfg(feature = "zstd")]
mod zstd;

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
