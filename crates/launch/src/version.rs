//! What is running.

/// The commit that this was built from; `unknown` where nobody said so.
pub const COMMIT: &str = env!("WAYFARE_COMMIT");

/// The day of that commit, `2026-11-30`, or `unknown`.
pub const COMMIT_DATE: &str = env!("WAYFARE_COMMIT_DATE");

/// The version, with the commit: `1.2.3 (93b4c2e71a05)`.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("WAYFARE_COMMIT"), ")");

/// What `--version` prints: the version, the commit and its day, the version of the time zones that hold, and the day of the
/// tables of places.
pub fn full_version() -> String {
    let zones = wayfare_domain::Zone::version();
    format!(
        "{VERSION}, committed {COMMIT_DATE}, time zones {zones}, places {}",
        wayfare_reference::TABLES_DATE
    )
}
