//! Hotelbeds' recorded answers, and spoiled ones, are read alike by the reader of searches and by `serde_json`.

use wayfare_stub_server::{recordings, spoiling};
use wayfare_supply::reading::{Comparison, compare};

use super::wire::{Hotel, Rate, Search};

#[test]
fn each_recording_is_read_as_by_serde_json() {
    let Some(answers) = recordings::of("hotelbeds") else { return };
    let mut searches = Vec::new();
    for (path, body, value) in answers {
        match compare::<Search<Hotel<Rate>>>(&body) {
            Comparison::Alike => searches.push(value),
            Comparison::Refused => {}
            other => panic!("{}: {other:?}", path.display()),
        }
    }
    assert!(!searches.is_empty());
    spoiling::with_spoiled_bytes(&searches, 600, |body, tally| {
        let compared = compare::<Search<Hotel<Rate>>>(body);
        assert!(!matches!(compared, Comparison::Different(_)), "{compared:?}");
        tally.note((compared == Comparison::Alike).then_some(()).ok_or("not read"));
    });
}
