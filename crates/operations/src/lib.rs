//! Everything a caller of Wayfare can ask for, and what the service does by itself.
//!
//! Only this crate opens transactions, and it never holds one, nor a connection, while a supplier is asked.
//! A permission is in the signature: an operation takes a [`Person`], a [`Caller`] or an [`Admin`]. Only
//! [`crate::access::authentication::authenticate`] makes a person, and the others are made of one. An operation of the operator's
//! takes a [`By`](access::operators::By). A supplier's silence leaves a booking pending and its money held; the [`worker`] looks
//! it up until it is known.
//!
//! Every function that reads or writes the database fails when that can't be asked; one that adds up amounts, when they exceed
//! what a decimal holds; one that seals, when the cipher fails. Under `# Errors` stands only what else may go wrong.
//!
//! ```no_run
//! use secrecy::ExposeSecret;
//! use wayfare_operations::{
//!     Caller, Platform,
//!     access::{authentication, login},
//!     bookings,
//! };
//!
//! # async fn example(platform: std::sync::Arc<Platform>) -> Result<(), wayfare_operations::Error> {
//! let signed_in = login::log_in(&platform.access, "WF7K2M9Q", "agent", "secret", Default::default()).await?;
//! let token = signed_in.tokens.access_token.expose_secret();
//! let person = authentication::authenticate(&platform.access, token, Default::default()).await?;
//! let caller = Caller::of(person)?;
//! let bookings = bookings::list::<wayfare_flights::Itinerary>(
//!     &platform.engine, &caller, &Default::default(), wayfare_domain::PageRequest { page: 1, per_page: 20 }).await?;
//! # Ok(())
//! # }
//! ```

pub mod access;
pub mod agency;
pub mod bookings;
pub mod core;
pub mod engine;
mod error;
pub mod events;
pub mod flights;
pub mod hotels;
pub mod money;
pub mod operator;
mod order_content;
pub mod people;
mod platform;
pub mod pricing;
mod reason;
pub mod reports;
mod scrub;
pub mod suppliers;
pub mod tools;
pub mod worker;

pub use self::core::{
    Core, Durations, Secrets,
    redis::Redis,
    signing_keys::{Renewal, SigningKey, SigningKeys},
};
pub use access::{
    Access,
    caller::{Admin, Caller, Person, PortalAdmin},
};
pub use engine::{Engine, note::Note};
pub use error::Error;
pub use events::webhooks::Webhooks;
pub use flights::Flights;
pub use hotels::Hotels;
pub use money::refund_terms::{RefundTerms, Returned};
pub use platform::{Platform, PlatformParts};
pub use pricing::tariff::Tariff;
pub use reason::{ChangedFare, Reason};
pub use reports::Reports;
pub use suppliers::{
    Suppliers,
    report::{SupplierReport, SupplierState},
};
pub use tools::search_memory::{SearchMemoryBounds, SearchMemoryUse};
pub use wayfare_ledger::{Wallet, WalletFull};
pub use wayfare_store::{
    Database, StoreError,
    access::settings::Setting,
    booking::{
        bookings::{Booking, Order},
        incidents::{Incident, Resolution, StepAsked},
        people::Erasure,
        refunds::Refund,
    },
    events::feed::PublicEvent,
    money::{
        audit::chain::{AuditProgress, AuditReport},
        entries::WalletTransaction,
        wallets::Owner,
    },
    operator::operator_lists::{ListRow, OperatorList, Waiting},
    pricing::exchange_rates::{ExchangeRate, Origin as RateOrigin},
};
pub use wayfare_webhooks::{Networks as WebhookNetworks, Sender as WebhookSender};

pub type Result<T, E = Error> = std::result::Result<T, E>;
