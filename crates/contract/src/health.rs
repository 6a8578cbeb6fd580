//! Whether the service lives and can work.

use serde::{Deserialize, Serialize};

/// That it does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Health {
    /// That it is well.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["ok"])))]
    pub status: String,
}
