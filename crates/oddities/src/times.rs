//! Times as suppliers write them: with and without seconds, with a blank, with another offset of the same instant.

/// `2027-02-10T06:30` and `2027-02-10T06:30:00`, one as the other.
pub(crate) fn with_seconds(text: &str) -> Option<String> {
    let (day, clock) = halves(text)?;
    match clock.len() {
        5 => Some(format!("{day}T{clock}:00")),
        8 => clock.strip_suffix(":00").map(|minutes| format!("{day}T{minutes}")),
        _ => None,
    }
}

/// `2027-02-10 06:30` and `2027-02-10T06:30`, one as the other.
pub(crate) fn with_blank(text: &str) -> Option<String> {
    let between = if text.contains('T') { " " } else { "T" };
    let (day, clock) = halves(text)?;
    Some(format!("{day}{between}{clock}"))
}

/// `2027-02-10T06:30:00.000`.
pub(crate) fn with_fraction(text: &str) -> Option<String> {
    let (day, clock) = halves(text)?;
    match clock.len() {
        5 => Some(format!("{day}T{clock}:00.000")),
        8 => Some(format!("{day}T{clock}.000")),
        _ => None,
    }
}

fn halves(text: &str) -> Option<(&str, &str)> {
    let (day, rest) = text.split_at_checked(10)?;
    let clock = rest.strip_prefix(['T', ' '])?;
    let is_local = clock.bytes().all(|byte| byte.is_ascii_digit() || byte == b':' || byte == b'.');
    is_local.then_some((day, clock))
}

/// `…Z` as `…+00:00`, and the other way.
pub(crate) fn with_other_offset(text: &str) -> Option<String> {
    match text.strip_suffix('Z') {
        Some(clock) => Some(format!("{clock}+00:00")),
        None => text.strip_suffix("+00:00").map(|clock| format!("{clock}Z")),
    }
}

/// An offset without its colon, `…+0100`.
pub(crate) fn with_short_offset(text: &str) -> Option<String> {
    let (clock, offset) = text.split_at_checked(text.len().checked_sub(6)?)?;
    let is_offset = offset.starts_with(['+', '-']) && offset.get(3..4) == Some(":");
    is_offset.then(|| format!("{clock}{}", offset.replace(':', "")))
}

/// An instant with a blank between day and time.
pub(crate) fn instant_with_blank(text: &str) -> Option<String> {
    let (day, rest) = text.split_at_checked(10)?;
    Some(format!("{day} {}", rest.strip_prefix('T')?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_otherwise() {
        type Change = fn(&str) -> Option<String>;
        let cases: [(Change, &str, Option<&str>); 11] = [
            (with_seconds, "2027-02-10T06:30", Some("2027-02-10T06:30:00")),
            (with_seconds, "2027-02-10T06:30:00", Some("2027-02-10T06:30")),
            (with_seconds, "2027-02-10T06:30:07", None),
            (with_seconds, "2027-02-10", None),
            (with_blank, "2027-02-10T06:30", Some("2027-02-10 06:30")),
            (with_blank, "2027-02-10 06:30:00", Some("2027-02-10T06:30:00")),
            (with_fraction, "2027-02-10T06:30", Some("2027-02-10T06:30:00.000")),
            (with_other_offset, "2027-02-10T06:30:00Z", Some("2027-02-10T06:30:00+00:00")),
            (with_other_offset, "2027-02-10T06:30:00+05:30", None),
            (with_short_offset, "2024-03-26T23:59:00+01:00", Some("2024-03-26T23:59:00+0100")),
            (instant_with_blank, "2024-03-26T23:59:00+01:00", Some("2024-03-26 23:59:00+01:00")),
        ];
        for (change, text, odd) in cases {
            assert_eq!(change(text).as_deref(), odd, "{text}");
        }
    }
}
