//! TripJack's recorded answers, and spoiled ones, are read alike by the reader of searches and by `serde_json`.

use wayfare_supply::reading::compare;

use super::read::Fare;
use super::wire::{Search, Text, Trip};
use crate::reading_alike::recordings_are_read_alike;

#[test]
fn each_recording_is_read_as_by_serde_json() {
    recordings_are_read_alike("tripjack", |body| compare::<Search<Trip<Text<'_>, Fare<'_>>>>(body));
}
