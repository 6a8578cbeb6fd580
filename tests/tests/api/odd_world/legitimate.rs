//! What an oddity changes by right, as the API shows it.

use wayfare_stub_server::odd_world::Legitimate;

/// Each with its reason.
pub const ROWS: &[Legitimate] = &[];

/// Whether what does not hold is printed alone.
pub const IS_BEING_BUILT: bool = true;
