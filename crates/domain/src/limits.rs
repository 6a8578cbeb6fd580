//! How much of something an agency may have at a time.

/// Webhooks of one agency.
pub const MOST_WEBHOOKS: i64 = 10;
/// Packages of one agency, flight and hotel together: they are listed without pages.
pub const MOST_PACKAGES: i64 = 500;
/// Reports that one agency, with all its users, has asked for and that are still to be made.
pub const MOST_UNFINISHED_REPORTS: i64 = 20;
