#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

#[macro_use]
mod body;

pub mod flights;
pub mod hotels;
pub mod operator;
pub mod vocabulary;

mod amount;
mod audit_log;
mod bookings;
mod capitals;
mod fares;
mod health;
mod list;
mod notifications;
mod organization;
mod packages;
mod profile;
mod reasons;
mod refusals;
mod reports;
#[cfg(feature = "schema")]
pub mod schema;
mod secret;
mod sessions;
mod users;
mod wallets;
mod webhooks;
mod word_list;

pub use amount::Amount;
pub use audit_log::{ACTOR_TYPES, AuditEntry, ENTITY_TYPES};
pub use bookings::{
    BookedFacts, BookingCost, BookingCounts, GroupCounts, PendingStep, RefundAmounts, RefundRow,
    StatusCounts, TimelineEntry,
};
pub use fares::{FareLedger, FareSummary, FareTransaction, FinanceSummary, SupplierTotals};
pub use health::Health;
pub use list::Meta;
pub use notifications::{NOTIFICATION_KINDS, Notification, Unread};
pub use organization::{
    BookingPeople, OrganizationChange, OrganizationFunds, OrganizationProfile, SetSetting, Setting,
    StoredSupplierAnswer,
};
pub use packages::{
    AssignPackage, AssignedFlightPackage, AssignedHotelPackage, AssignmentHead, ExamplePrice, FlightPackage,
    FlightPackageDraft, FlightPackageRow, HotelPackage, HotelPackageAssignment, HotelPackageDraft,
    HotelPackageRow, NoTerms, PackageAssignment, PackageHead, Previewed, PriceExample, PricePreview,
    PriceRange, PriceRangeDraft, TraceInput, TraceStep,
};
pub use profile::{ChangePassword, Stats};
pub use reasons::{ReasonCode, Retry};
pub use refusals::{ApiError, ChangedFare, Concerned, RefusalReason, WholeOrder};
pub use reports::{NewReport, Report, ReportFilters};
pub use sessions::{BrowserSession, Credentials, LogIn, OwnSession, RefreshToken, Refreshed, Tokens};
pub use users::{NewUser, OwnProfile, ProfileChange, SessionUser, User, UserChange, UserRow};
pub use wallets::{
    AgentAllocation, Allocation, BalancePoint, BalanceSeries, DailyBalance, MonthlyTotals, Wallet,
    WalletEntry, WalletSummary, WalletTransaction,
};
pub use webhooks::{Delivery, EVENT_TYPES, Event, FeedPart, Webhook, WebhookDraft, WebhookWithSecret};
