//! Every effect, every fault, every kill, and how each must end.

use std::{
    sync::{Arc, Mutex},
    time::Instant,
};

use tokio::task::JoinSet;

use crate::{
    place::Place,
    play::{Effect, Effect::*, Killed, Killed::*, Row, When::*, play},
};

/// Rows that are played at once, each in a place of its own: they mostly wait.
const AT_ONCE: usize = 16;

/// A fault and what comes of it.
struct Fault {
    /// As the sandbox knows it.
    fault: &'static str,
    /// What the caller is told when nobody is killed.
    told: &'static [u16],
    /// Whether the supplier did what it was asked for.
    done: bool,
}

const fn fault(fault: &'static str, told: &'static [u16], done: bool) -> Fault {
    Fault { fault, told, done }
}

/// What may go wrong at a booking.
#[rustfmt::skip]
const BOOK: &[Fault] = &[
    //    fault                 told    done
    fault("",                   &[200], true),
    fault("status:422",         &[409], false),
    fault("rate_limited",       &[503], false),
    fault("status:500",         &[202], false),
    fault("broken_json",        &[202], false),
    fault("drop_before",        &[202], false),
    fault("drop_after",         &[202], true),
    fault("appears_after:1500", &[202], true),
];
const BOOK_KILLS: &[Killed] = &[
    Nobody,
    Api(At("book:answered")),
    Postgres(At("book:opened")),
    Postgres(At("book:answered")),
];

/// What may go wrong at a cancellation.
#[rustfmt::skip]
const CANCEL: &[Fault] = &[
    //    fault             told    done
    fault("",               &[200], true),
    fault("status:422",     &[409], false),
    fault("rate_limited",   &[503], false),
    fault("status:500",     &[202], false),
    fault("drop_before",    &[202], false),
    fault("drop_after",     &[202], true),
    fault("refund_later:2", &[202], true),
];
const CANCEL_KILLS: &[Killed] = &[
    Nobody,
    Api(At("cancel:answered")),
    Postgres(At("cancel:quoted")),
    Postgres(At("cancel:answered")),
];

/// What may go wrong at the payment of a held booking.
#[rustfmt::skip]
const TICKET: &[Fault] = &[
    //    fault          told    done
    fault("",            &[200], true),
    fault("status:422",  &[409], false),
    fault("status:500",  &[202], false),
    fault("drop_before", &[202], false),
    fault("drop_after",  &[202], true),
];
const TICKET_KILLS: &[Killed] = &[
    Nobody,
    Api(At("ticket:answered")),
    Postgres(At("ticket:opened")),
    Postgres(At("ticket:answered")),
];

/// Kills before the supplier is asked, while it works, and in the transaction that writes down what it did.
#[rustfmt::skip]
const OTHERS: &[Row] = &[
    //  effect  fault        killed                         told         end          late
    row(Book,   "",          Api(At("book:opened")),        &[],         "failed",    false),
    row(Book,   "slow:1000", Api(Working),                  &[],         "confirmed", false),
    row(Book,   "slow:1000", Postgres(Working),             &[200, 202], "confirmed", false),
    row(Book,   "slow:2600", Nobody,                        &[202],      "confirmed", false),
    row(Book,   "slow:2600", Api(Working),                  &[],         "confirmed", false),
    row(Book,   "",          Api(At("close:decided")),      &[],         "confirmed", false),
    row(Book,   "",          Postgres(At("close:decided")), &[200, 202], "confirmed", false),
    row(Cancel, "",          Api(At("cancel:opened")),      &[],         "confirmed", false),
    row(Cancel, "",          Postgres(At("cancel:opened")), &[202],      "confirmed", false),
    row(Cancel, "",          Api(At("cancel:quoted")),      &[],         "confirmed", true),
    row(Cancel, "slow:1000", Api(Working),                  &[],         "cancelled", false),
    row(Cancel, "slow:1000", Postgres(Working),             &[200, 202], "cancelled", false),
    row(Cancel, "slow:2600", Nobody,                        &[202],      "cancelled", false),
    row(Cancel, "",          Api(At("close:decided")),      &[],         "cancelled", false),
    row(Cancel, "",          Postgres(At("close:decided")), &[200, 202], "cancelled", false),
    row(Ticket, "",          Api(At("ticket:opened")),      &[],         "held",      false),
    row(Ticket, "slow:1000", Api(Working),                  &[],         "confirmed", false),
    row(Ticket, "slow:1000", Postgres(Working),             &[200, 202], "confirmed", false),
    row(Ticket, "slow:2600", Nobody,                        &[202],      "confirmed", false),
    row(Ticket, "",          Api(At("close:decided")),      &[],         "confirmed", false),
];

const fn row(
    effect: Effect,
    fault: &'static str,
    killed: Killed,
    told: &'static [u16],
    end: &'static str,
    late: bool,
) -> Row {
    Row {
        effect,
        fault,
        killed,
        told,
        end,
        late,
    }
}

/// All rows.
pub fn table() -> Vec<Row> {
    let book = BOOK.iter().flat_map(|fault| {
        BOOK_KILLS.iter().map(|&killed| {
            let end = if fault.done { "confirmed" } else { "failed" };
            row(Book, fault.fault, killed, told(fault, killed), end, false)
        })
    });
    let cancel = CANCEL.iter().flat_map(|fault| {
        CANCEL_KILLS.iter().map(|&killed| {
            let end = if fault.done { "cancelled" } else { "confirmed" };
            // A refusal that nobody could write down is as good as silence.
            let silent = killed != Nobody || fault.told == [202];
            row(
                Cancel,
                fault.fault,
                killed,
                told(fault, killed),
                end,
                silent && !fault.done,
            )
        })
    });
    let ticket = TICKET.iter().flat_map(|fault| {
        TICKET_KILLS.iter().map(|&killed| {
            let end = if fault.done { "confirmed" } else { "held" };
            row(Ticket, fault.fault, killed, told(fault, killed), end, false)
        })
    });
    let others = OTHERS.iter().copied();
    book.chain(cancel).chain(ticket).chain(others).collect()
}

fn told(fault: &Fault, killed: Killed) -> &'static [u16] {
    match (killed, fault.told) {
        (Nobody, told) => told,
        (Api(_), _) => &[],
        // Mostly the answer can't be written down then, and the caller is told that it is not known yet. But a
        // database that is back soon enough takes it.
        (Postgres(_), [409]) => &[202, 409],
        (Postgres(_), [503]) => &[202, 503],
        (Postgres(_), [200]) => &[202, 200],
        (Postgres(_), _) => &[202],
    }
}

/// Plays these rows; everything that is not as it must be.
pub async fn play_all(rows: Vec<Row>, at_once: usize, bugs: &'static [&'static str]) -> Vec<String> {
    let rows: Vec<(usize, Row)> = rows.into_iter().enumerate().rev().collect();
    let rows = Arc::new(Mutex::new(rows));
    let mut lanes = JoinSet::new();
    for _ in 0..at_once {
        let rows = rows.clone();
        lanes.spawn(async move {
            let mut place = Place::new(bugs).await;
            let agent = place.agent("arjun").await;
            let mut wrong = Vec::new();
            loop {
                let next = rows.lock().unwrap().pop();
                let Some((number, row)) = next else { break };
                let begun = Instant::now();
                wrong.extend(play(&mut place, &agent, number, &row).await);
                println!("{:>5.1} s  {row:?}", begun.elapsed().as_secs_f32());
            }
            place.end().await;
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
