//! Lists, a page at a time.

use serde::{Deserialize, Serialize};

/// Where a page stands in its list.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Meta {
    /// The page, from 1.
    pub page: u32,
    /// How many items a page has: 1 to 100.
    pub per_page: u32,
    /// Items on all pages.
    pub total: i64,
    /// How many pages there are.
    pub total_pages: i64,
}
