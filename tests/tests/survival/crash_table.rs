//! Every effect at every supplier, every fault, every kill, and how each must end.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
};

use wayfare_launch::SupplierKind;
use wayfare_tests::{sells_stays, supplier_kinds};

use crate::{
    faults::{Fault, faults, unsent_cancellation},
    lanes::{in_lanes, is_long},
    play::{Effect, Effect::*, Killed, Killed::*, Known, Known::*, Row, When::*, play},
};

/// Rows that are played at once, each in a fixture of its own: they mostly wait. More would need more than one core, and
/// what has two seconds to be sent would not be.
const AT_ONCE: usize = 16;

/// Kills before the supplier is asked, while it works, and in the transaction that writes down what it did.
#[rustfmt::skip]
const OTHERS: &[Other] = &[
    // effect   fault        killed                         expected     done
    (Book,    "",          Api(At("book:opened")),        &[],         false),
    (Book,    "slow:1000", Postgres(Working),             &[200, 202], true),
    (Book,    "slow:2600", Nobody,                        &[202],      true),
    (Book,    "slow:2600", Api(Working),                  &[],         true),
    (Book,    "",          Api(At("close:decided")),      &[],         true),
    (Book,    "",          Postgres(At("close:decided")), &[202],      true),
    (Cancel,  "",          Api(At("cancel:opened")),      &[],         false),
    (Cancel,  "",          Postgres(At("cancel:opened")), &[202],      false),
    (Cancel,  "",          Api(At("cancel:quoted")),      &[],         false),
    // After silence it is confirmed once more, or never again: that it was is written before.
    (Cancel,  "drop_before", Api(At("cancel:again")),     &[202],      false),
    (Cancel,  "drop_before", Api(At("cancel:again answered")), &[202], true),
    (Cancel,  "slow:2600", Api(Working),                  &[],         true),
    (Cancel,  "slow:1000", Postgres(Working),             &[200, 202], true),
    (Cancel,  "slow:2600", Nobody,                        &[202],      true),
    (Cancel,  "",          Api(At("close:decided")),      &[],         true),
    (Cancel,  "",          Postgres(At("close:decided")), &[202],      true),
    (Part,    "",          Api(At("cancel:quoted")),      &[],         false),
    (Part,    "slow:2600", Api(Working),                  &[],         true),
    (Part,    "slow:2600", Nobody,                        &[202],      true),
    (Release, "",          Api(At("cancel:quoted")),      &[],         false),
    (Release, "slow:2600", Api(Working),                  &[],         true),
    (Release, "slow:2600", Nobody,                        &[202],      true),
    (Ticket,  "",          Api(At("ticket:opened")),      &[],         false),
    (Ticket,  "slow:2600", Api(Working),                  &[],         true),
    (Ticket,  "slow:1000", Postgres(Working),             &[200, 202], true),
    (Ticket,  "slow:2600", Nobody,                        &[202],      true),
    (Ticket,  "",          Api(At("close:decided")),      &[],         true),
    // Begun, and never sent: it is looked for in vain, and what was made before it given back.
    (Second,  "",          Api(At("next:begun")),         &[],         false),
    (Second,  "slow:2600", Nobody,                        &[202],      true),
    (Second,  "slow:2600", Api(Working),                  &[],         true),
    // Who closed the first was killed, or could not write it down: whoever finds the first asks for the second.
    (Second,  "",          Api(At("book:answered")),      &[],         true),
    (Second,  "",          Postgres(At("book:answered")), &[202],      true),
    (Second,  "",          Postgres(At("next:answered")), &[202],      true),
    (Add,     "",          Api(At("service:opened")),     &[],         false),
    (Add,     "",          Postgres(At("service:answered")), &[202],   true),
    (Add,     "slow:2600", Nobody,                        &[202],      true),
    (Add,     "slow:2600", Api(Working),                  &[],         true),
    (Accept,  "",          Api(At("accept:opened")),      &[],         false),
    (Accept,  "",          Postgres(At("accept:answered")), &[202],    true),
    (Accept,  "slow:2600", Nobody,                        &[202],      true),
    (Accept,  "slow:2600", Api(Working),                  &[],         true),
    // Nothing was confirmed: what was made ready is nothing.
    (Ready,   "",          Api(At("change:opened")),      &[],         false),
    (Ready,   "",          Postgres(At("change:opened")), &[202],      false),
    (Ready,   "slow:2600", Api(Working),                  &[],         false),
    // It may have been confirmed: nobody knows that it was not until it has expired.
    (Change,  "",          Api(At("change:named")),       &[],         false),
    (Change,  "slow:1000", Postgres(Working),             &[200, 202], true),
    (Change,  "slow:2600", Nobody,                        &[202],      true),
    (Change,  "slow:2600", Api(Working),                  &[],         true),
    (Change,  "",          Api(At("close:decided")),      &[],         true),
    (Change,  "",          Postgres(At("close:decided")), &[202],      true),
    (Replacement, "",      Api(At("book:opened")),        &[],         false),
    (Replacement, "",      Postgres(At("book:answered")), &[202],      true),
    (Replacement, "slow:2600", Api(Working),              &[],         true),
    // Nobody waits for it any more, and it is done all the same.
    (Original, "",         Api(At("next:begun")),         &[],         true),
    (Original, "",         Postgres(At("next:answered")), &[202],      true),
    (Original, "slow:2600", Nobody,                       &[202],      true),
    (Original, "slow:2600", Api(Working),                 &[],         true),
    (Moved,    "",         Api(At("book:opened")),        &[],         false),
    (Moved,    "slow:2600", Api(Working),                 &[],         true),
    (Journey,  "",         Api(At("next:begun")),         &[],         true),
    (Journey,  "slow:2600", Nobody,                       &[202],      true),
    (Journey,  "slow:2600", Api(Working),                 &[],         true),
];

/// A row of [`OTHERS`]: its effect, fault and kill, the statuses that are expected, and whether it is done.
type Other = (Effect, &'static str, Killed, &'static [u16], bool);

/// Who is killed under a fault of this effect.
///
/// What a database's death does to us does not depend on who sells, and what is asked of the supplier after it is what
/// is asked after our own; Duffel cancels a hold as it cancels a ticket. So that the rest does not double the time, it is
/// played with fewer kills, but with all of them when all goes well, and when nothing but an answer that can't be
/// written down would tell what becomes of it.
fn kills(at: SupplierKind, effect: Effect, fault: &Fault) -> Vec<Killed> {
    let (before, after) = match effect {
        Book | Replacement | Moved => ("book:opened", "book:answered"),
        Add => ("service:opened", "service:answered"),
        Accept => ("accept:opened", "accept:answered"),
        // What is made ready ends with its answer: nobody has anything to write down but that nothing was done.
        Ready => return vec![Nobody],
        Change => ("change:named", "change:answered"),
        Second | Original | Journey => ("next:begun", "next:answered"),
        Cancel | Part | Release => ("cancel:quoted", "cancel:answered"),
        Ticket => ("ticket:opened", "ticket:answered"),
    };
    let all = [Nobody, Api(At(after)), Postgres(At(before)), Postgres(At(after))];
    let tells_more = fault.fault.is_empty() || (fault.known, fault.after_kill) == (ByItself, FromOperator);
    let strikes_twice = fault.fault.contains(' ');
    let how_many = match (at, effect) {
        (_, Cancel) if strikes_twice => 2,
        (_, Release) if strikes_twice => 0,
        (SupplierKind::Duffel, Book | Cancel | Ticket) => 4,
        // What is lost of a refusal is asked for anew, and what began may not have been sent.
        (_, Original | Part | Journey) if fault.fault.is_empty() => 2,
        // The same as of a whole booking, but for which journeys it is about.
        (_, Original | Part | Journey | Moved) => 1,
        (_, Change) if fault.fault.is_empty() => 4,
        (_, Second | Add | Accept | Replacement) if fault.fault.is_empty() => 2,
        _ if tells_more => 4,
        (SupplierKind::Duffel, Release) => 1,
        (_, Second | Add | Accept | Ready | Change | Replacement) => 2,
        (SupplierKind::TripJack | SupplierKind::LiteApi | SupplierKind::Hotelbeds, _) => 2,
    };
    all.into_iter().take(how_many).collect()
}

/// Whether no supplier, or only Duffel, has a part in what follows the moment of the kill.
fn is_duffels_alone(killed: Killed) -> bool {
    let (Api(At(moment)) | Postgres(At(moment))) = killed else { return false };
    moment.starts_with("cancel:again") || ["cancel:opened", "close:decided"].contains(&moment)
}

/// What becomes of one of [`OTHERS`] at this supplier, and how that is known.
fn end_of_other(at: SupplierKind, effect: Effect, killed: Killed, done: bool) -> (bool, Known) {
    match killed {
        Api(At("cancel:quoted")) => unsent_cancellation(at, effect),
        Api(At("cancel:again" | "change:named")) => (done, AsQuoteLapses),
        _ => (done, ByItself),
    }
}

pub fn table() -> Vec<Row> {
    let mut rows = Vec::new();
    for at in supplier_kinds() {
        for effect in [
            Book,
            Cancel,
            Part,
            Release,
            Ticket,
            Second,
            Add,
            Accept,
            Ready,
            Change,
            Replacement,
            Original,
            Moved,
            Journey,
        ] {
            for fault in faults(at, effect) {
                let kills = kills(at, effect, &fault).into_iter();
                rows.extend(kills.map(|killed| under_fault(at, effect, &fault, killed)));
            }
        }
        let others = OTHERS
            .iter()
            .filter(|(_, _, killed, ..)| at == SupplierKind::Duffel || !is_duffels_alone(*killed))
            .filter(|(effect, ..)| !faults(at, *effect).is_empty());
        rows.extend(others.map(|&(effect, fault, killed, expected, done)| {
            let (done, known) = end_of_other(at, effect, killed, done);
            Row {
                at,
                effect,
                fault,
                killed,
                expected_statuses: statuses_at(at, effect, expected),
                done,
                known,
            }
        }));
    }
    rows
}

fn under_fault(at: SupplierKind, effect: Effect, fault: &Fault, killed: Killed) -> Row {
    Row {
        at,
        effect,
        fault: fault.fault,
        killed,
        expected_statuses: statuses_at(at, effect, expected_statuses(fault, killed)),
        done: match killed {
            Nobody => fault.done,
            _ => fault.done_after_kill,
        },
        known: match killed {
            Nobody => fault.known,
            _ => fault.after_kill,
        },
    }
}

fn expected_statuses(fault: &Fault, killed: Killed) -> &'static [u16] {
    match killed {
        Nobody => fault.expected_statuses,
        Api(_) => &[],
        // What the supplier answers can't be written down then.
        Postgres(_) => &[202],
    }
}

/// The statuses that the tables state: a stay that is booked is answered 201, everything else that is done at once 200.
fn statuses_at(at: SupplierKind, effect: Effect, stated: &'static [u16]) -> &'static [u16] {
    match stated {
        [200] if sells_stays(at) && effect == Book => &[201],
        [200, 202] if sells_stays(at) && effect == Book => &[201, 202],
        stated => stated,
    }
}

/// Of the rows that differ only in who sells one, in turns at each: what an effect, a fault and a kill come to, and how that
/// becomes known. And at every supplier each effect that goes well, and each whose answer is lost.
fn of_each_kind(rows: Vec<Row>) -> Vec<Row> {
    let is_played_anyway = |row: &Row| row.killed == Nobody && ["", "drop_after"].contains(&row.fault);
    let (mut played, others): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(is_played_anyway);
    let mut kinds: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for row in others {
        kinds.entry(kind(&row)).or_default().push(row);
    }
    let turns = kinds.into_values().enumerate();
    played.extend(turns.map(|(number, alike)| alike[number % alike.len()]));
    played
}

/// All that the row is about but who sells.
fn kind(row: &Row) -> String {
    let Row { effect, fault, killed, done, known, .. } = row;
    format!("{effect:?} {fault:?} {killed:?} {done} {known:?}")
}

/// Plays these rows; everything that is not as it must be.
pub async fn play_all(rows: Vec<Row>, at_once: usize, bugs: &'static [&'static str]) -> Vec<String> {
    in_lanes(rows, at_once, bugs, |fixture, agent, number, row| Box::pin(play(fixture, agent, number, row)))
        .await
}

#[tokio::test(flavor = "multi_thread")]
async fn every_row_ends_as_the_table_says() {
    let mut rows = table();
    let all = rows.len();
    // Who works on one effect plays its rows, and on a busy machine fewer at once: `WAYFARE_SURVIVAL_ROWS="effect:
    // Cancel" WAYFARE_SURVIVAL_LANES=6`.
    if let Ok(wanted) = env::var("WAYFARE_SURVIVAL_ROWS") {
        rows.retain(|row| format!("{row:?}").contains(&wanted));
        assert!(!rows.is_empty(), "no row contains {wanted:?}");
    } else if !is_long() {
        rows = of_each_kind(rows);
    }
    println!("{} of {all} rows; `just survive` plays all of them", rows.len());
    let lanes = env::var("WAYFARE_SURVIVAL_LANES").map_or(AT_ONCE, |lanes| lanes.parse().unwrap());
    let wrong = play_all(rows, lanes, &[]).await;
    assert!(wrong.is_empty(), "\n  {}\n", wrong.join("\n  "));
}

#[test]
fn the_short_form_has_every_kind_of_row_and_every_effect_at_every_supplier() {
    let kinds = |rows: &[Row]| rows.iter().map(kind).collect::<BTreeSet<_>>();
    let effects = |rows: &[Row]| {
        let effects = rows.iter().map(|row| format!("{:?} {:?}", row.at, row.effect));
        effects.collect::<BTreeSet<_>>()
    };
    let (all, short) = (table(), of_each_kind(table()));
    assert_eq!(kinds(&short), kinds(&all));
    assert_eq!(effects(&short), effects(&all));
    assert!(short.len() < all.len());
}
