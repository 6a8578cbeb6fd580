//! The order of the folders inside `operations`: each may use those before it, and none after it.

use crate::{
    by_package, fail_if_any,
    modules::{Path, uses},
    sources,
};

/// The folders and files of `operations`. One may use those of earlier rows, and those to its left.
const ROWS: &[&[&str]] = &[
    // Why something ends, without what names people; and what is stored of orders.
    &["scrub", "reason", "error", "order_content"],
    // What every operation works with.
    &["core"],
    // What knows nothing of travel or money.
    &["tools"],
    // Whom bookings are for, sealed.
    &["people"],
    // Who may come in, for whom, at which prices, and what is written down of it.
    &["access", "events", "pricing", "agency", "money"],
    // Who sells to us.
    &["suppliers"],
    // A booking and its supplier steps.
    &["engine"],
    // What is sold, and what callers ask of a booking.
    &["bookings", "flights", "hotels"],
    // Files of all of it.
    &["reports"],
    // All parts, put together.
    &["platform"],
    // Who looks at everything, and what runs by itself.
    &["operator", "worker"],
];

/// The place of a folder or file in the order. None: the crate's root, which declares them.
fn rank(path: &Path) -> Option<usize> {
    let folder = path.first()?;
    let mut order = ROWS.iter().flat_map(|row| row.iter());
    Some(order.position(|name| name == folder).unwrap_or(usize::MAX))
}

#[test]
fn folders_of_operations_use_only_those_before_them() {
    let sources = sources();
    let packages = by_package(&sources);
    let operations = &packages["operations"];
    let mut problems: Vec<String> = operations
        .iter()
        .filter(|source| rank(&source.modules) == Some(usize::MAX))
        .map(|source| format!("{} has no row", source.path))
        .collect();
    for one in uses(operations) {
        let (Some(from), Some(to)) = (rank(&one.from), rank(&one.to)) else { continue };
        if to > from {
            problems.push(format!("{} may not use {}: {}", one.from[0], one.to[0], one.written));
        }
    }
    fail_if_any(&problems);
}
