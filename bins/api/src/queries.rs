//! The API's query strings.

use wayfare_domain::{BookingStatus, Period};
use wayfare_operations::{
    access::users::UserFilter, agency::audit_log::AuditFilter, events::webhooks::DeliveryState,
    money::wallets::WalletFilter,
};

use crate::query::{FromQuery, Parameters};

/// In which state the bookings of a list are to be, where it is said.
pub struct InState(pub Option<BookingStatus>);

impl FromQuery for InState {
    fn read(query: &mut Parameters) -> Self {
        Self(query.word("status"))
    }
}

impl FromQuery for UserFilter {
    fn read(query: &mut Parameters) -> Self {
        Self {
            role: query.word("role"),
            status: query.word("status"),
        }
    }
}

impl FromQuery for WalletFilter {
    fn read(query: &mut Parameters) -> Self {
        Self {
            side: query.word("type"),
            reason: query.word("ref_type"),
            from: query.date("from"),
            to: query.date("to"),
            least: query.decimal("min_amount"),
            most: query.decimal("max_amount"),
            text: query.text("search"),
        }
    }
}

impl FromQuery for AuditFilter {
    fn read(query: &mut Parameters) -> Self {
        Self {
            actor: query.id("actor_id"),
            entity_type: query.text("entity_type"),
            action: query.text("action"),
            from: query.date("from"),
            to: query.date("to"),
        }
    }
}

impl FromQuery for Period {
    fn read(query: &mut Parameters) -> Self {
        query.word("period").unwrap_or_default()
    }
}

/// Of which orders services are looked at, where it is said: those of this airline's locator.
pub struct OfLocator(pub Option<String>);

impl FromQuery for OfLocator {
    fn read(query: &mut Parameters) -> Self {
        Self(query.text("airline_pnr"))
    }
}

/// Cities, as somebody types them.
pub struct Typed {
    /// What was typed until now.
    pub text: String,
    /// How many cities are wanted.
    pub limit: u32,
}

impl FromQuery for Typed {
    fn read(query: &mut Parameters) -> Self {
        Self {
            text: query.needed_text("q", 100).unwrap_or_default(),
            limit: query.number("limit", 10, 100),
        }
    }
}

/// In which state the deliveries of a list are to be, where it is said.
pub struct Delivered(pub Option<DeliveryState>);

impl FromQuery for Delivered {
    fn read(query: &mut Parameters) -> Self {
        Self(query.word("status"))
    }
}

/// A part of the feed.
pub struct FeedPlace {
    /// After which event it begins; without it, with the first that is kept.
    pub after: Option<i64>,
    /// How many events are wanted.
    pub limit: u32,
}

impl FromQuery for FeedPlace {
    fn read(query: &mut Parameters) -> Self {
        Self {
            after: query.place("after"),
            limit: query.number("limit", 100, 500),
        }
    }
}
