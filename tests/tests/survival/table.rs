//! Every effect at every supplier, every fault, every kill, and how each must end.

use std::{
    sync::{Arc, Mutex},
    time::Instant,
};

use tokio::{sync::Barrier, task::JoinSet};
use wayfare_tests::Wire;

use crate::{
    faults::{Fault, faults, silence_about_cancellation},
    fixture::Fixture,
    play::{Effect, Effect::*, Killed, Killed::*, Known::*, Row, When::*, play},
};

/// Rows that are played at once, each in a fixture of its own: they mostly wait. More would need more than one core, and
/// what has two seconds to be sent would not be.
const AT_ONCE: usize = 24;

/// Kills before the supplier is asked, while it works, and in the transaction that writes down what it did.
#[rustfmt::skip]
const OTHERS: &[Other] = &[
    //     effect   fault        killed                         told         done
    other(Book,    "",          Api(At("book:opened")),        &[],         false),
    other(Book,    "slow:1000", Postgres(Working),             &[200, 202], true),
    other(Book,    "slow:2600", Nobody,                        &[202],      true),
    other(Book,    "slow:2600", Api(Working),                  &[],         true),
    other(Book,    "",          Api(At("close:decided")),      &[],         true),
    other(Book,    "",          Postgres(At("close:decided")), &[202],      true),
    other(Cancel,  "",          Api(At("cancel:opened")),      &[],         false),
    other(Cancel,  "",          Postgres(At("cancel:opened")), &[202],      false),
    other(Cancel,  "",          Api(At("cancel:quoted")),      &[],         false),
    other(Cancel,  "slow:2600", Api(Working),                  &[],         true),
    other(Cancel,  "slow:1000", Postgres(Working),             &[200, 202], true),
    other(Cancel,  "slow:2600", Nobody,                        &[202],      true),
    other(Cancel,  "",          Api(At("close:decided")),      &[],         true),
    other(Cancel,  "",          Postgres(At("close:decided")), &[202],      true),
    other(Release, "",          Api(At("cancel:quoted")),      &[],         false),
    other(Release, "slow:2600", Api(Working),                  &[],         true),
    other(Release, "slow:2600", Nobody,                        &[202],      true),
    other(Ticket,  "",          Api(At("ticket:opened")),      &[],         false),
    other(Ticket,  "slow:2600", Api(Working),                  &[],         true),
    other(Ticket,  "slow:1000", Postgres(Working),             &[200, 202], true),
    other(Ticket,  "slow:2600", Nobody,                        &[202],      true),
    other(Ticket,  "",          Api(At("close:decided")),      &[],         true),
    // Begun, and never sent: it is looked for in vain, and what was made before it given back.
    other(Second,  "",          Api(At("next:begun")),         &[],         false),
    other(Second,  "slow:2600", Nobody,                        &[202],      true),
    other(Second,  "slow:2600", Api(Working),                  &[],         true),
    // Who closed the first was killed, or could not write it down: whoever finds the first asks for the second.
    other(Second,  "",          Api(At("book:answered")),      &[],         true),
    other(Second,  "",          Postgres(At("book:answered")), &[202],      true),
    other(Second,  "",          Postgres(At("next:answered")), &[202],      true),
    other(Add,     "",          Api(At("service:opened")),     &[],         false),
    other(Add,     "",          Postgres(At("service:answered")), &[202],   true),
    other(Add,     "slow:2600", Nobody,                        &[202],      true),
    other(Add,     "slow:2600", Api(Working),                  &[],         true),
    other(Replacement, "",      Api(At("book:opened")),        &[],         false),
    other(Replacement, "",      Postgres(At("book:answered")), &[202],      true),
    other(Replacement, "slow:2600", Api(Working),              &[],         true),
    // Nobody waits for it any more, and it is done all the same.
    other(Original, "",         Api(At("next:begun")),         &[],         true),
    other(Original, "",         Postgres(At("next:answered")), &[202],      true),
    other(Original, "slow:2600", Nobody,                       &[202],      true),
    other(Original, "slow:2600", Api(Working),                 &[],         true),
];

/// A row of [`OTHERS`].
type Other = (Effect, &'static str, Killed, &'static [u16], bool);

const fn other(
    effect: Effect,
    fault: &'static str,
    killed: Killed,
    told: &'static [u16],
    done: bool,
) -> Other {
    (effect, fault, killed, told, done)
}

/// Who is killed under a fault of this effect.
///
/// What a database's death does to us does not depend on who sells, and what is asked of the supplier after it is what
/// is asked after our own; Duffel cancels a hold as it cancels a ticket. So that the rest does not double the time, it is
/// played with fewer kills, but with all of them when all goes well, and when nothing but an answer that can't be
/// written down would tell what becomes of it.
fn kills(at: Wire, effect: Effect, fault: &Fault) -> Vec<Killed> {
    let (before, after) = match effect {
        Book | Replacement => ("book:opened", "book:answered"),
        Add => ("service:opened", "service:answered"),
        Second | Original => ("next:begun", "next:answered"),
        Cancel | Release => ("cancel:quoted", "cancel:answered"),
        Ticket => ("ticket:opened", "ticket:answered"),
    };
    let all = [Nobody, Api(At(after)), Postgres(At(before)), Postgres(At(after))];
    let tells_more = fault.fault.is_empty() || (fault.known, fault.after_kill) == (ByItself, FromOperator);
    let how_many = match (at, effect) {
        (Wire::Duffel, Book | Cancel | Ticket) => 4,
        // What is lost of a refusal is asked for anew, and what began may not have been sent.
        (_, Original) if fault.fault.is_empty() => 2,
        (_, Original) => 1,
        (_, Second | Add | Replacement) if fault.fault.is_empty() => 2,
        _ if tells_more => 4,
        (Wire::Duffel, Release) => 1,
        (_, Second | Add | Replacement) => 2,
        (Wire::TripJack | Wire::LiteApi | Wire::Hotelbeds, _) => 2,
    };
    all.into_iter().take(how_many).collect()
}

/// Whether no supplier has a part in what follows the moment of the kill: one of them is enough then.
fn is_ours_alone(killed: Killed) -> bool {
    let (Api(At(moment)) | Postgres(At(moment))) = killed else {
        return false;
    };
    ["cancel:opened", "close:decided"].contains(&moment)
}

/// All rows.
pub fn table() -> Vec<Row> {
    let mut rows = Vec::new();
    for at in [Wire::Duffel, Wire::TripJack, Wire::LiteApi, Wire::Hotelbeds] {
        for effect in [Book, Cancel, Release, Ticket, Second, Add, Replacement, Original] {
            for fault in faults(at, effect) {
                let kills = kills(at, effect, &fault).into_iter();
                rows.extend(kills.map(|killed| under_fault(at, effect, &fault, killed)));
            }
        }
        let others = OTHERS
            .iter()
            .filter(|(_, _, killed, ..)| at == Wire::Duffel || !is_ours_alone(*killed))
            .filter(|(effect, ..)| !faults(at, *effect).is_empty());
        rows.extend(others.map(|&(effect, fault, killed, told, done)| Row {
            at,
            effect,
            fault,
            killed,
            told: in_words_of(at, effect, told),
            done,
            known: match killed {
                Api(At("cancel:quoted")) => silence_about_cancellation(at),
                _ => ByItself,
            },
        }));
    }
    rows
}

fn under_fault(at: Wire, effect: Effect, fault: &Fault, killed: Killed) -> Row {
    Row {
        at,
        effect,
        fault: fault.fault,
        killed,
        told: in_words_of(at, effect, told(fault, killed)),
        done: fault.done,
        known: match killed {
            Nobody => fault.known,
            _ => fault.after_kill,
        },
    }
}

fn told(fault: &Fault, killed: Killed) -> &'static [u16] {
    match killed {
        Nobody => fault.told,
        Api(_) => &[],
        // What the supplier answers can't be written down then.
        Postgres(_) => &[202],
    }
}

/// What the tables say is told: a stay that is booked is told as 201, everything else that is done at once as 200.
fn in_words_of(at: Wire, effect: Effect, told: &'static [u16]) -> &'static [u16] {
    match told {
        [200] if at.sells_stays() && effect == Book => &[201],
        [200, 202] if at.sells_stays() && effect == Book => &[201, 202],
        told => told,
    }
}

/// Plays these rows; everything that is not as it must be.
pub async fn play_all(rows: Vec<Row>, at_once: usize, bugs: &'static [&'static str]) -> Vec<String> {
    let rows: Vec<(usize, Row)> = rows.into_iter().enumerate().rev().collect();
    let rows = Arc::new(Mutex::new(rows));
    // Nobody begins before all are there: to start is most of the work.
    let all_there = Arc::new(Barrier::new(at_once));
    let mut lanes = JoinSet::new();
    for _ in 0..at_once {
        let (rows, all_there) = (rows.clone(), all_there.clone());
        lanes.spawn(async move {
            let mut fixture = Fixture::new(bugs).await;
            let agent = fixture.agent("arjun").await;
            all_there.wait().await;
            let mut wrong = Vec::new();
            loop {
                let next = rows.lock().unwrap().pop();
                let Some((number, row)) = next else { break };
                let begun = Instant::now();
                wrong.extend(play(&mut fixture, &agent, number, &row).await);
                println!("{:>5.1} s  {row:?}", begun.elapsed().as_secs_f32());
            }
            fixture.end().await;
            wrong
        });
    }
    lanes.join_all().await.concat()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_row_ends_as_the_table_says() {
    let wrong = play_all(table(), AT_ONCE, &[]).await;
    assert!(wrong.is_empty(), "\n  {}\n", wrong.join("\n  "));
}
