//! How long a process may keep what it took to work on.

use chrono::Duration;

/// For so long nobody else takes the step, order or report: longer than any look-up may take. It ends by itself when the
/// process that took it dies.
pub(crate) const LEASE: Duration = Duration::seconds(300);
