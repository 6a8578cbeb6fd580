//! The two consoles: that of agencies, and the operator's. They share how pages are made, and nothing of who is logged in.

/// The entry of the bar that a page belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    Today,
    Flights,
    Hotels,
    Bookings,
    Wallet,
    /// Of an agency's admins; those below it are its parts.
    Agency,
    Users,
    Allocations,
    Transactions,
    Fares,
    FlightPackages,
    HotelPackages,
    Reports,
    Webhooks,
    Audit,
    Profile,
    Overview,
    Incidents,
    Agencies,
    Contracts,
    Rates,
    Ledger,
    Suppliers,
    /// In no entry of the bar.
    Elsewhere,
}

impl Area {
    /// The entry of the bar that it is in.
    pub fn entry(self) -> Self {
        match AGENCY_PAGES.iter().any(|(area, ..)| *area == self) {
            true => Self::Agency,
            false => self,
        }
    }
}

/// The pages of an agency's admins, where they are found, and what they are called.
pub static AGENCY_PAGES: [(Area, &str, &str); 10] = [
    (Area::Users, "users", "Users"),
    (Area::Allocations, "allocations", "Allocations"),
    (Area::Transactions, "transactions", "Transactions"),
    (Area::Fares, "fares", "Fares"),
    (Area::FlightPackages, "packages", "Flight packages"),
    (Area::HotelPackages, "hotel-packages", "Hotel packages"),
    (Area::Reports, "reports", "Reports"),
    (Area::Webhooks, "webhooks", "Webhooks"),
    (Area::Audit, "audit", "Audit log"),
    (Area::Profile, "profile", "Profile"),
];

/// An entry of the bar.
pub struct Entry {
    pub area: Area,
    /// Below the console's address.
    pub path: &'static str,
    pub keys: &'static str,
    pub name: &'static str,
}

const fn entry(area: Area, path: &'static str, keys: &'static str, name: &'static str) -> Entry {
    Entry { area, path, keys, name }
}

static OF_AGENCIES: [Entry; 6] = [
    entry(Area::Today, "", "g t", "Today"),
    entry(Area::Flights, "/flights", "g f", "Flights"),
    entry(Area::Hotels, "/hotels", "g h", "Hotels"),
    entry(Area::Bookings, "/bookings", "g b", "Bookings"),
    entry(Area::Wallet, "/wallet", "g w", "Wallet"),
    entry(Area::Agency, "/agency", "g a", "Agency"),
];

static OF_THE_OPERATOR: [Entry; 8] = [
    entry(Area::Overview, "", "g o", "Overview"),
    entry(Area::Incidents, "/incidents", "g i", "Incidents"),
    entry(Area::Bookings, "/bookings", "g b", "Bookings"),
    entry(Area::Agencies, "/agencies", "g a", "Agencies"),
    entry(Area::Contracts, "/contracts", "g c", "Contracts"),
    entry(Area::Rates, "/rates", "g r", "Rates"),
    entry(Area::Ledger, "/ledger", "g l", "Ledger"),
    entry(Area::Suppliers, "/suppliers", "g s", "Suppliers"),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Of agencies, beside the public API.
    Agency,
    /// Of the operator, on a listener of its own.
    Operator,
}

impl Side {
    pub const fn base(self) -> &'static str {
        match self {
            Self::Agency => "/console",
            Self::Operator => "/operator",
        }
    }

    pub fn bar(self) -> &'static [Entry] {
        match self {
            Self::Agency => &OF_AGENCIES,
            Self::Operator => &OF_THE_OPERATOR,
        }
    }

    /// The cookie with its token. Cookies do not know ports: each console has names of its own. By TLS the name is one that
    /// browsers take from nobody else's host.
    pub const fn cookie(self, is_secure: bool) -> &'static str {
        match (self, is_secure) {
            (Self::Agency, true) => "__Host-wayfare",
            (Self::Agency, false) => "wayfare",
            (Self::Operator, true) => "__Host-wayfare-operator",
            (Self::Operator, false) => "wayfare-operator",
        }
    }

    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Agency => "wfs_",
            Self::Operator => "wfo_",
        }
    }
}
