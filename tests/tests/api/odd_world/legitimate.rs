//! What an oddity changes by right, as the API shows it.

use wayfare_stub_server::odd_world::{Legitimate, NotYet};

/// Each with its reason.
pub const ROWS: &[Legitimate] = &[];

/// What does not hold yet.
pub const NOT_YET: &[NotYet] = &[("*", "*", "*")];
