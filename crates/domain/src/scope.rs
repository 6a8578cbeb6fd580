//! Whose eyes a read of tenant data has; what is out of scope is not found.

use crate::{OrganizationId, UserId};

/// The part of the tenant data that a query may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
pub enum Scope {
    /// Everything of one agency.
    Organization(OrganizationId),
    /// What is one user's own.
    User(OrganizationId, UserId),
}

impl Scope {
    /// The agency: every scope has exactly one.
    pub fn organization(self) -> OrganizationId {
        match self {
            Self::Organization(organization) | Self::User(organization, _) => organization,
        }
    }

    /// The user to whom it is narrowed, if it is.
    pub fn user(self) -> Option<UserId> {
        match self {
            Self::Organization(_) => None,
            Self::User(_, user) => Some(user),
        }
    }
}
