//! The catalogue of errors, `docs/ERRORS.md`, against which every refusal is held that a test is given.

use std::sync::LazyLock;

use serde_json::Value;

use crate::Reply;

const DOCUMENT: &str = include_str!("../../docs/ERRORS.md");

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| rows(DOCUMENT));

/// A text with its status; what differs from case to case is cut out of it.
struct Row {
    status: u16,
    literal: Vec<String>,
}

impl Row {
    fn is(&self, status: u16, text: &str) -> bool {
        let [first, between @ .., last] = self.literal.as_slice() else {
            return self.status == status && self.literal.iter().all(|whole| whole == text);
        };
        let middle = text.strip_prefix(first.as_str());
        let Some(mut rest) = middle.and_then(|text| text.strip_suffix(last.as_str())) else { return false };
        for piece in between {
            match rest.split_once(piece.as_str()) {
                Some((gap, after)) if !gap.is_empty() => rest = after,
                _ => return false,
            }
        }
        self.status == status && !rest.is_empty()
    }
}

/// Each text of the tables' second column.
fn rows(document: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    for line in document.lines() {
        let mut cells = line.split(" | ");
        let status = cells.next().and_then(|cell| cell.trim_start_matches("| ").parse().ok());
        let (Some(status), Some(texts)) = (status, cells.next()) else { continue };
        for text in texts.split('`').skip(1).step_by(2) {
            let mut literal = vec![String::new()];
            let mut rest = text;
            while let Some((before, after)) = rest.split_once('<') {
                let (_, after) = after.split_once('>').unwrap_or_else(|| panic!("{line}"));
                if let Some(last) = literal.last_mut() {
                    last.push_str(before);
                }
                literal.push(String::new());
                rest = after;
            }
            if let Some(last) = literal.last_mut() {
                last.push_str(rest);
            }
            rows.push(Row { status, literal });
        }
    }
    rows
}

/// That a refusal, if it is one, stands in the catalogue with its status.
#[track_caller]
pub(crate) fn holds(reply: &Reply) {
    let Ok(body) = serde_json::from_str::<Value>(&reply.text) else { return };
    let Some(text) = body.get("error").and_then(Value::as_str) else { return };
    assert!(
        ROWS.iter().any(|row| row.is(reply.status, text)),
        "docs/ERRORS.md does not know of {} {text:?}, which {} answered",
        reply.status,
        reply.asked,
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_with_their_status_and_nothing_else_is() {
        let rows = rows(
            "| status | text |\n| --- | --- |\n| 400 | `one`, `two: <a>, three: <b> (c)` | |\n| 409 | `<own>` | |\n",
        );
        let is = |status, text: &str| rows.iter().any(|row| row.is(status, text));
        assert!(is(400, "one") && is(400, "two: 1.00, three: 2 (c)") && is(409, "anything"));
        assert!(!is(401, "one") && !is(400, "on") && !is(400, "one more") && !is(409, ""));
        assert!(!is(400, "two: , three: 2 (c)") && !is(400, "two: 1, three: 2 (c) more"));
        assert!(ROWS.len() > 40, "{}", ROWS.len());
    }
}
