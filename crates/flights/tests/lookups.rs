//! How tests look for an order.

use wayfare_flights::{Lookup, OrderRequest};

/// The order that was made by this request, by our reference alone.
pub fn by_reference(request: &OrderRequest) -> Lookup<'_> {
    Lookup { order_id: None, is_named_by_operator: false, request }
}

/// The same, by the id that its supplier gave it.
pub fn by_id<'a>(id: &'a str, request: &'a OrderRequest) -> Lookup<'a> {
    Lookup { order_id: Some(id), ..by_reference(request) }
}

/// The same, by what the operator has named.
pub fn as_named<'a>(order_id: Option<&'a str>, request: &'a OrderRequest) -> Lookup<'a> {
    Lookup { order_id, is_named_by_operator: true, ..by_reference(request) }
}
