//! What is running.

/// The commit that this was built from; `unknown` where nobody said so.
pub const COMMIT: &str = env!("WAYFARE_COMMIT");

/// The version, with the commit: `0.1.0 (93b4c2e71a05)`.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("WAYFARE_COMMIT"), ")");

/// What `--version` prints: the version, and that of the time zones that hold.
pub fn version_with_zones() -> String {
    format!("{VERSION}, time zones {}", wayfare_domain::Zone::version())
}
