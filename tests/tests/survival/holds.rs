//! What the service does by itself about holds, whoever is killed: each reminder is told once, and a hold that is to be ticketed
//! is paid once, or people are told that it is not.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use wayfare_launch::SupplierKind;
use wayfare_tests::{Person, Seller, one_way};

use crate::{
    fixture::Fixture,
    lanes::{in_lanes, is_long},
    play::{
        Killed::{self, Api, Nobody, Postgres},
        When::{At, Working},
        quote,
    },
};

/// The processing time, a deadline, a look-up or two, a lease.
const ENDED_WITHIN: Duration = Duration::from_secs(100);
/// Longer than what a dead database refuses takes to be refused.
const REFUSED_WITHIN: Duration = Duration::from_secs(2);

/// How a hold that was to be ticketed ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Paid,
    Told,
    /// Its supplier let it go, unless it was paid just before.
    PaidOrLapsed,
}

use End::{Paid, PaidOrLapsed, Told};

#[rustfmt::skip]
const ROWS: &[(&str, &str, Killed, End)] = &[
    // call     fault             killed                         end
    ("ticket", "",                Nobody,                        Paid),
    ("ticket", "",                Api(At("auto:begun")),         Paid),
    ("ticket", "",                Api(At("ticket:opened")),      Paid),
    ("ticket", "",                Api(At("ticket:answered")),    Paid),
    ("ticket", "",                Api(At("close:decided")),      Paid),
    ("ticket", "",                Postgres(At("auto:begun")),    Paid),
    ("ticket", "",                Postgres(At("ticket:answered")), Paid),
    ("ticket", "",                Postgres(At("close:decided")), Paid),
    ("ticket", "slow:2600",       Nobody,                        Paid),
    ("ticket", "slow:2600",       Api(Working),                  Paid),
    ("ticket", "slow:1000",       Postgres(Working),             Paid),
    ("ticket", "status:422",      Nobody,                        Told),
    // A refusal that nobody could write down is found out to have been none, and it is tried again.
    ("ticket", "status:422",      Api(At("ticket:answered")),    Paid),
    ("ticket", "status:422",      Api(At("close:decided")),      Paid),
    ("ticket", "rate_limited",    Nobody,                        Paid),
    ("ticket", "rate_limited",    Api(At("ticket:answered")),    Paid),
    ("ticket", "status:500",      Nobody,                        Paid),
    ("ticket", "drop_before",     Nobody,                        Paid),
    ("ticket", "drop_before",     Api(At("ticket:answered")),    Paid),
    ("ticket", "drop_after",      Nobody,                        Paid),
    ("ticket", "drop_after",      Api(At("ticket:answered")),    Paid),
    ("ticket", "drop_after",      Postgres(At("close:decided")), Paid),
];

/// What only TripJack does.
#[rustfmt::skip]
const ROWS_AT_TRIPJACK: &[(&str, &str, Killed, End)] = &[
    ("ticket", "pending:2",       Nobody,                        Paid),
    ("ticket", "pending:2",       Api(At("ticket:answered")),    Paid),
    ("book",   "lapses:1",        Nobody,                        PaidOrLapsed),
    ("book",   "lapses:1",        Api(At("auto:begun")),         PaidOrLapsed),
];

/// Rows that are played at once: they mostly wait.
const AT_ONCE: usize = 6;

type Row = (SupplierKind, &'static str, &'static str, Killed, End);

async fn auto_ticket_at(at: SupplierKind) {
    // What does not depend on who sells is played at Duffel; elsewhere what goes well, and what is lost.
    let is_played = |(_, fault, killed, _): &&(&str, &str, Killed, End)| {
        is_long()
            || at == SupplierKind::Duffel
            || ["", "drop_after"].contains(fault) && [Nobody, Api(At("ticket:answered"))].contains(killed)
    };
    let others = match at {
        SupplierKind::TripJack => ROWS_AT_TRIPJACK,
        SupplierKind::Duffel | SupplierKind::LiteApi | SupplierKind::Hotelbeds => &[],
    };
    let rows = others.iter().chain(ROWS.iter().filter(is_played));
    let mut rows: Vec<Row> = rows.map(|&(call, fault, killed, end)| (at, call, fault, killed, end)).collect();
    // The supplier is closed for what is new from there on: nothing comes after it.
    if is_long() || at == SupplierKind::Duffel {
        rows.push((at, "ticket", "deposit_empty", Nobody, Paid));
    }
    let wrong =
        in_lanes(rows, AT_ONCE, &[], |fixture, agent, _, row| Box::pin(play(fixture, agent, *row))).await;
    assert!(wrong.is_empty(), "\n  {}\n", wrong.join("\n  "));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hold_at_duffel_is_ticketed_once_or_people_are_told() {
    auto_ticket_at(SupplierKind::Duffel).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hold_at_tripjack_is_ticketed_once_or_people_are_told() {
    auto_ticket_at(SupplierKind::TripJack).await;
}

/// Plays a row; everything that is not as it must be.
async fn play(fixture: &mut Fixture, agent: &Person, (at, call, fault, killed, end): Row) -> Vec<String> {
    let agent = agent.at(&fixture.crash_target.url);
    if call == "book" {
        fixture.supplier.next_at(at.into(), call, fault, 1).await;
    }
    let reference = held(&agent, at).await;
    if call == "ticket" && !fault.is_empty() {
        fixture.supplier.next_at(at.into(), call, fault, 1).await;
    }
    // The half hour before its limit has begun.
    let near = format!(
        "update supplier_orders o set pay_by = now() + interval '20 minutes' from bookings b
         where (b.org_id, b.id) = (o.org_id, o.booking_id) and b.booking_ref = '{reference}'"
    );
    fixture.sql(&near).await;
    if let Api(At(moment)) | Postgres(At(moment)) = killed {
        fixture.crash_target.arm(moment).await;
    }
    agent.put(&format!("/flights/bookings/{reference}/auto-ticket"), &json!({ "enabled": true })).await.ok();
    strike(fixture, killed).await;
    let mut wrong = ended(fixture, &reference, end).await;
    wrong.extend(fixture.books.wrongs().await);
    fixture.supplier.all_is_well().await;
    wrong
}

async fn held(agent: &Person, at: SupplierKind) -> String {
    let trip = one_way("DEL", "BOM").by("ZZ");
    loop {
        let mut order = agent.order(&quote(agent, at, &trip).await, &trip);
        (order["hold"], order["allow_duplicate"]) = (true.into(), true.into());
        let booked = agent.book(&order).await;
        // What could not be sent in time was not sent at all.
        if booked.status != 503 {
            let booked: Value = booked.ok();
            return booked["booking_ref"].as_str().unwrap().to_owned();
        }
    }
}

/// Kills whom it says at its moment, which is armed, and lets life go on.
pub async fn strike(fixture: &mut Fixture, killed: Killed) {
    let (Api(when) | Postgres(when)) = killed else { return };
    match when {
        At(_) => fixture.crash_target.reached().await,
        // The fault is taken by the call that it strikes: from then on the supplier works on it.
        Working => {
            while !fixture.supplier.waiting().await.is_empty() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        }
    }
    if matches!(killed, Api(_)) {
        return fixture.restart().await;
    }
    fixture.kill_postgres().await;
    if when != Working {
        fixture.crash_target.go().await;
        // A database that came back at once would take what this row is to lose, and nobody tells that it was lost.
        tokio::time::sleep(REFUSED_WITHIN).await;
    }
    fixture.revive_postgres().await;
}

/// Waits until the booking has ended so; what is otherwise.
async fn ended(fixture: &Fixture, reference: &str, end: End) -> Vec<String> {
    let state = format!(
        "select concat_ws(' ', b.status, o.status, o.hold_state,
            (select count(*) || ' paid' from effects e
                where (e.org_id, e.booking_id, e.kind, e.state) = (b.org_id, b.id, 'ticket', 'done')),
            (select count(*) || ' told' from events v
                where (v.org_id, v.entity_id, v.action) = (b.org_id, b.booking_ref, 'ticket.auto_refused')),
            (select count(*) || ' left' from hold_reminders r
                where (r.org_id, r.booking_id) = (b.org_id, b.id) and r.told_at is null))
         from bookings b join supplier_orders o on (o.org_id, o.booking_id) = (b.org_id, b.id)
         where b.booking_ref = '{reference}'"
    );
    let expected: &[&str] = match end {
        Paid => &["confirmed confirmed paid 1 paid 0 told 0 left"],
        Told => &["confirmed held held 0 paid 1 told 0 left", "confirmed held held 0 paid 1 told 1 left"],
        // Whether that was seen by the payment, or before.
        PaidOrLapsed => &[
            "confirmed confirmed paid 1 paid 0 told 0 left",
            "cancelled cancelled lapsed 0 paid 0 told 0 left",
            "cancelled cancelled lapsed 0 paid 1 told 0 left",
        ],
    };
    // What is tried again in a minute is tried again now, and what is looked at later is looked at now.
    let hurry =
        "update booking_holds h set due_at = now() where due_at > now() and auto_ticket_since is not null
        and not exists (select 1 from effects e where (e.org_id, e.booking_id) = (h.org_id, h.booking_id)
            and e.state = 'open')";
    let began = Instant::now();
    loop {
        let now = fixture.books.lines(&state).await;
        let is_expected = now.first().is_some_and(|now| expected.contains(&now.as_str()));
        if is_expected && fixture.books.under_way().await.is_empty() {
            return Vec::new();
        }
        if began.elapsed() > ENDED_WITHIN {
            return vec![format!("ended as {now:?}")];
        }
        fixture.sql(hurry).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

/// Killed before the reminder is committed, and after it: it is told once.
#[tokio::test(flavor = "multi_thread")]
async fn each_reminder_is_told_once_whoever_is_killed() {
    let mut fixture = Fixture::new(&[]).await;
    let agent = fixture.agent("arjun").await;
    for Seller { kind: at, .. } in Seller::of_flights() {
        let mut reminded = Reminded::hold(&fixture, &agent, at).await;
        for killed in [Api(At("hold:told")), Postgres(At("hold:told")), Api(At("hold:followed-up")), Nobody] {
            assert_eq!(reminded.once_more(&mut fixture, killed).await, None, "{killed:?} at {at:?}");
        }
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reminder_that_is_told_again_is_found() {
    let mut fixture = Fixture::new(&["bug:forget-the-reminder"]).await;
    let agent = fixture.agent("arjun").await;
    let mut reminded = Reminded::hold(&fixture, &agent, SupplierKind::Duffel).await;
    let wrong = reminded.once_more(&mut fixture, Nobody).await;
    assert!(wrong.is_some_and(|wrong| wrong.contains("times instead of 1")));
    fixture.end().await;
}

/// A hold of which reminders are told.
struct Reminded {
    reference: String,
    /// How often it should have been told.
    times: u32,
}

impl Reminded {
    async fn hold(fixture: &Fixture, agent: &Person, at: SupplierKind) -> Self {
        Self { reference: held(&agent.at(&fixture.crash_target.url), at).await, times: 0 }
    }

    /// One more reminder is due, and somebody is killed; what is wrong after that.
    async fn once_more(&mut self, fixture: &mut Fixture, killed: Killed) -> Option<String> {
        if let Api(At(moment)) | Postgres(At(moment)) = killed {
            fixture.crash_target.arm(moment).await;
        }
        // As if it had been planned so.
        let due = format!(
            "insert into hold_reminders (org_id, booking_id, number, kind, due_at)
                 select h.org_id, h.booking_id, {}, 'expiring', now() {};
             {}",
            100 + self.times,
            self.of_booking("booking_holds h, bookings b"),
            self.looked_at(),
        );
        fixture.sql(&due).await;
        strike(fixture, killed).await;
        self.times += 1;
        let began = Instant::now();
        while self.told(fixture).await < self.times {
            if began.elapsed() > ENDED_WITHIN {
                return Some("it is not told".to_owned());
            }
            fixture.sql(&self.looked_at()).await;
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        // Whoever looks once more tells nothing. While somebody looks it is due again when their lease ends.
        fixture.sql(&self.looked_at()).await;
        let due = format!(
            "select h.due_at::text {} and h.due_at < now() + interval '45 seconds'",
            self.of_booking("booking_holds h, bookings b")
        );
        while !fixture.books.lines(&due).await.is_empty() && self.told(fixture).await == self.times {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let told = self.told(fixture).await;
        (told != self.times).then(|| format!("told {told} times instead of {}", self.times))
    }

    fn of_booking(&self, tables: &str) -> String {
        let reference = &self.reference;
        format!(
            "from {tables} where (b.org_id, b.id) = (h.org_id, h.booking_id) and b.booking_ref = '{reference}'"
        )
    }

    /// That the hold is due to be looked at.
    fn looked_at(&self) -> String {
        format!("update booking_holds h set due_at = now() {}", self.of_booking("bookings b"))
    }

    async fn told(&self, fixture: &Fixture) -> u32 {
        let told = format!(
            "select count(*)::text from events where entity_id = '{}' and action = 'booking.hold_expiring'",
            self.reference
        );
        fixture.books.lines(&told).await.concat().parse().unwrap()
    }
}
