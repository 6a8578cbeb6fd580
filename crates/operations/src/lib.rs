//! Everything a caller of Wayfare can ask for, and what the service does by itself.
//!
//! Only this crate opens transactions, and it never holds one, nor a connection, while a supplier is asked.
//! A permission is in the signature: an operation takes a [`Caller`] or an [`Admin`], values that only
//! [`identity::authenticate`] can make. A supplier's silence leaves a booking pending and its money held; the
//! [`worker`] looks it up until it is known.
//!
//! ```no_run
//! use wayfare_operations::{Platform, bookings, identity};
//!
//! # async fn example(platform: std::sync::Arc<Platform>) -> Result<(), wayfare_operations::Error> {
//! let signed_in = identity::log_in(&platform, "WF7K2M9Q", "agent", "secret", Default::default()).await?;
//! let caller = identity::authenticate(&platform, &signed_in.tokens.access, Default::default()).await?;
//! let bookings = bookings::list::<wayfare_flights::Itinerary>(
//!     &platform, &caller, None, wayfare_domain::PageRequest { page: 1, per_page: 20 }).await?;
//! # Ok(())
//! # }
//! ```

mod admission;
mod asking;
pub mod audit;
pub mod bookings;
mod calendar;
mod caller;
mod cancel;
pub mod cancellation;
mod csv_text;
mod ecb;
mod effects;
mod error;
pub mod exceptions;
pub mod fare_ledger;
pub mod feed;
pub mod flights;
mod hashing;
pub mod hotels;
pub mod idempotency;
pub mod identity;
mod intent;
mod journal;
pub mod looks;
mod low_balance;
mod markup;
pub mod movement;
pub mod notifications;
pub mod operator;
mod ordering;
pub mod organization;
pub mod packages;
mod password;
mod platform;
mod products;
pub mod profile;
mod promises;
mod purchase;
pub mod rates;
pub mod reports;
pub mod settings;
mod settlement;
mod shared;
mod signing;
mod supplier_report;
mod tariff;
mod testing;
mod tidy;
mod token;
mod under_way;
pub mod users;
pub mod wallets;
mod watch;
pub mod webhooks;
pub mod worker;
mod writers;

pub use caller::{Admin, Caller, PortalAdmin};
pub use error::Error;
pub use platform::{Durations, Platform, PlatformParts, Secrets};
pub use settlement::{RefundTerms, Returned};
pub use shared::Redis;
pub use signing::{Renewal, SigningKey, SigningKeys};
pub use supplier_report::{SupplierReport, SupplierState};
pub use tariff::Tariff;
pub use wayfare_ledger::Wallet;
pub use wayfare_store::{
    Database, StoreError,
    bookings::{Booking, Order},
    contracts::ListedContract,
    exceptions::{EffectAsked, Exception, Ruling},
    exchange_rates::{ExchangeRate, Origin as RateOrigin},
    feed::PublicEvent,
    journal::Entry as JournalEntry,
    ledger::WalletTransaction,
    ledger_audit::{AuditProgress, AuditReport},
    refunds::Refund,
    settings::Setting,
    trial_balance::AccountSums,
    wallets::Owner,
};
pub use wayfare_webhooks::{Networks as WebhookNetworks, Sender as WebhookSender};

/// The crate's results.
pub type Result<T, E = Error> = std::result::Result<T, E>;
