//! How it is said how a supplier does: states, times and counts in words, and the line of an hour.

use chrono::{DateTime, Utc};
use wayfare_client::{
    enums::BreakerState,
    operator::{Supplier, SupplierMinute, SupplierServer},
};

use super::sparkline;
use crate::page::Status;

/// The calls of an hour as two lines of one height, and in words.
pub struct Hour {
    pub calls: String,
    pub errors: String,
    pub words: String,
}

pub fn hour(minutes: &[SupplierMinute]) -> Hour {
    let drawn = |count: fn(&SupplierMinute) -> i64| -> Vec<u64> {
        minutes.iter().map(|minute| u64::try_from(count(minute)).unwrap_or_default()).collect()
    };
    let (calls, errors) = (drawn(|minute| minute.calls), drawn(|minute| minute.errors));
    let most = calls.iter().chain(&errors).copied().max().unwrap_or_default();
    let (all, failed) = (calls.iter().sum::<u64>(), errors.iter().sum::<u64>());
    Hour {
        calls: sparkline::path(&calls, most),
        errors: sparkline::path(&errors, most),
        words: match all {
            0 => "No calls in the last hour".to_owned(),
            _ => {
                format!("{all} calls in the last hour, at most {most} in a minute; {failed} brought nothing")
            }
        },
    }
}

/// The servers that have said something in the last minute.
pub fn there(supplier: &Supplier) -> impl Iterator<Item = &SupplierServer> {
    supplier.servers.iter().filter(|server| !server.is_gone)
}

pub fn status(supplier: &Supplier) -> Status {
    let servers = there(supplier).count();
    let open = there(supplier).filter(|server| server.breaker == BreakerState::Open).count();
    let half_open = there(supplier).any(|server| server.breaker == BreakerState::HalfOpen);
    let is_paused = there(supplier).any(|server| server.paused_until.is_some());
    match (supplier.for_sale, servers, open) {
        (false, _, _) => Status::new("bad", "✕", "Closed for sales"),
        (true, 0, _) => Status::new("", "○", "Not seen"),
        (true, 1, 1) => Status::new("bad", "!", "Left alone"),
        (true, _, 1..) => Status::new("bad", "!", format!("Left alone by {open} of {servers} servers")),
        (true, _, 0) if half_open => Status::new("warn", "◐", "Being tried again"),
        (true, _, 0) if is_paused => Status::new("warn", "◐", "Rate limiting"),
        (true, _, 0) if !supplier.alarms.is_empty() => Status::new("warn", "!", "Needs you"),
        (true, _, 0) => Status::new("ok", "●", "Works"),
    }
}

/// Whether a server's circuit breaker lets calls through, and until when not.
pub fn breaker(server: &SupplierServer) -> Status {
    match (&server.breaker, server.open_until, server.paused_until) {
        (BreakerState::Open, Some(until), _) => {
            Status::new("bad", "!", format!("Turns calls away until {}", clock(until)))
        }
        (BreakerState::Open, None, _) => Status::new("bad", "!", "Turns calls away"),
        (_, _, Some(until)) => Status::new("warn", "◐", format!("Rate limiting until {}", clock(until))),
        (BreakerState::HalfOpen, _, None) => Status::new("warn", "◐", "Tries the next call"),
        _ => Status::new("ok", "●", "Lets calls through"),
    }
}

/// A time of today to the second.
fn clock(at: DateTime<Utc>) -> String {
    at.format("%H:%M:%S UTC").to_string()
}

/// Milliseconds as people read them; nothing where there are none.
pub fn time(ms: Option<i64>) -> String {
    match ms {
        None => "–".to_owned(),
        Some(ms) if ms < 1_000 => format!("{ms} ms"),
        Some(ms) => format!("{}.{} s", ms / 1_000, ms % 1_000 / 100),
    }
}

/// Calls that brought nothing, by kind; the word of the API where it is not known.
pub fn errors<'a>(servers: impl Iterator<Item = &'a SupplierServer>) -> String {
    let mut counted: Vec<(&str, u64)> = Vec::new();
    for one in servers.flat_map(|server| &server.errors) {
        match counted.iter_mut().find(|(kind, _)| *kind == one.kind) {
            Some((_, calls)) => *calls += one.calls,
            None => counted.push((one.kind.as_str(), one.calls)),
        }
    }
    let words = counted.iter().map(|(kind, calls)| {
        let kind = match *kind {
            "server_error" => "server errors",
            "limited" => "rate limited",
            "unreachable" => "not reachable",
            "unknown" => "no answer",
            "not_sent" => "not sent",
            other => other,
        };
        format!("{calls} {kind}")
    });
    let words: Vec<String> = words.collect();
    match words.is_empty() {
        true => "None".to_owned(),
        false => words.join(", "),
    }
}

pub fn alarm(kind: &str) -> &'static str {
    match kind {
        "account_empty" => "Our account there can't pay.",
        "account_low" => "Our account there is low.",
        "credentials" => "It does not accept our credentials.",
        "webhook_silent" => "It tells us of nothing any more, though things change there.",
        "looks_exhausted" => "More orders are to be looked at than it lets us.",
        "read_losses" => "Something new of its answers can't be read as it comes.",
        _ => "Something is wrong with it.",
    }
}

/// How something of its answers is lost; the word of the API where it is not known.
pub fn loss(kind: &str) -> &str {
    match kind {
        "left_out" => "Left out",
        "rounded" => "Rounded",
        "missing" => "Missing",
        "unknown_word" => "Unknown word",
        "mismatch" => "Says two things",
        other => other,
    }
}

pub fn reason(supplier: &Supplier) -> String {
    match (&supplier.closed_reason, supplier.for_sale) {
        (_, true) | (None, false) => String::new(),
        (Some(reason), false) if reason == "account_empty" => {
            "Our account there can't pay. It opens by itself when it can.".to_owned()
        }
        (Some(reason), false) => reason.clone(),
    }
}

/// Searches for each order, with one decimal.
pub fn ratio(asked: i64, booked: i64) -> String {
    if booked == 0 {
        return "–".to_owned();
    }
    let tenths = (i128::from(asked) * 10 + i128::from(booked) / 2) / i128::from(booked);
    format!("{}.{}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_ratios_read_as_people_say_them() {
        for (ms, expected) in [
            (None, "–"),
            (Some(0), "0 ms"),
            (Some(999), "999 ms"),
            (Some(1_000), "1.0 s"),
            (Some(20_479), "20.4 s"),
        ] {
            assert_eq!(time(ms), expected);
        }
        for (asked, booked, expected) in
            [(0, 0, "–"), (9, 0, "–"), (0, 4, "0.0"), (7, 3, "2.3"), (12, 1, "12.0")]
        {
            assert_eq!(ratio(asked, booked), expected);
        }
    }
}
