//! The two consoles: that of agencies, and the operator's. They share how pages are made, and nothing of who is logged in.

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
