//! The lease: how long a worker's claim on work lasts when it dies.

/// How long a taken step, order or report is out of reach of other takers: longer than any look-up may take.
pub(crate) const LEASE: chrono::Duration = chrono::Duration::seconds(300);
