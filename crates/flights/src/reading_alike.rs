//! For tests: recorded answers of suppliers, and spoiled ones, are read alike by the reader of searches and by `serde_json`.
//! The hotels' crate has it, too.

use serde_json::Value;
use wayfare_stub_server::{recordings, spoiling};
use wayfare_supply::reading::Comparison;

/// All that is recorded of the supplier, and what is spoiled of the searches among it.
pub(crate) fn recordings_are_read_alike(supplier: &str, compared: impl Fn(&[u8]) -> Comparison) {
    let Some(answers) = recordings::of(supplier) else { return };
    let mut searches = Vec::new();
    for (path, body, value) in answers {
        match compared(&body) {
            Comparison::Alike => searches.push(value),
            Comparison::Refused => {}
            other => panic!("{}: {other:?}", path.display()),
        }
    }
    assert!(!searches.is_empty());
    spoiled_are_read_alike(&searches, compared);
}

pub(crate) fn spoiled_are_read_alike(searches: &[Value], compared: impl Fn(&[u8]) -> Comparison) {
    spoiling::with_spoiled_bytes(searches, 600, |body, tally| {
        let compared = compared(body);
        assert!(!matches!(compared, Comparison::Different(_)), "{compared:?}");
        tally.note((compared == Comparison::Alike).then_some(()).ok_or("not read"));
    });
}
