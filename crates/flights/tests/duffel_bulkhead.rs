//! The gate before a supplier, seen from its far end: what still arrives there when it fails, asks to be left alone
//! or has no seat free.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use crate::duffel_bodies::*;
use crate::lookups::as_named;
use crate::sandboxed::{LASTS, Stage};
use chrono::TimeDelta;
use wayfare_domain::Clock;
use wayfare_flights::duffel::Duffel;
use wayfare_flights::{FlightSupplier, Offers, OrderMode, SupplierOrder};
use wayfare_stub_server::{Reply, StubServer, patience, reply};
use wayfare_supply::{Answer, Limits, Method, Outage, Purpose, SupplierHttp};

static LIMITS: LazyLock<Limits> = LazyLock::new(|| {
    Limits::default().with(|limits| (limits.calls_at_once, limits.failures_to_open) = (4, 3))
});

fn nothing_found() -> Reply {
    reply(200, found(&[]))
}

fn limited_duffel(stub: &StubServer, limits: Limits) -> (Duffel, Clock) {
    let (clock, mut config) = (clock(), config(stub, TOKEN));
    config.limits = limits;
    (Duffel::new(SupplierHttp::new(config, clock.clone()).unwrap()), clock)
}

async fn search(duffel: &Duffel) -> Answer<Offers> {
    duffel.search(&query(&[("LHR", "EDI")])).await
}

async fn find(duffel: &Duffel) -> Answer<Option<SupplierOrder>> {
    duffel.find(as_named(Some("ord_1"), &booking(OrderMode::Instant))).await
}

async fn book(duffel: &Duffel) -> Answer<SupplierOrder> {
    duffel.book(&booking(OrderMode::Instant)).await
}

fn outage<T: std::fmt::Debug>(answer: Answer<T>) -> Outage {
    match answer {
        Answer::Unavailable(outage) => outage,
        other => panic!("{other:?}"),
    }
}

/// Waits until so many requests have come.
async fn has_requests(stub: &StubServer, count: usize) {
    while stub.requests().len() < count {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// That each kind of call is turned away, and when to come back.
async fn all_turned_away(duffel: &Duffel, seconds: u64, reason: &str) {
    let outages = [outage(search(duffel).await), outage(find(duffel).await), outage(book(duffel).await)];
    for outage in outages {
        assert_eq!(outage.retry_after, Some(Duration::from_secs(seconds)));
        assert!(outage.reason.contains(reason), "{}", outage.reason);
    }
}

#[tokio::test]
async fn a_supplier_that_keeps_failing_is_left_alone_and_then_tried_with_one_call() {
    for act in [
        reply(500, ""),
        reply(503, error("api_error", "service_unavailable", "Later.")),
        Reply::Cut(200, found(&[])),
        Reply::Hang,
        Reply::Silence,
    ] {
        let replies = [act.clone(), act.clone(), act.clone(), act.clone(), nothing_found()];
        let stub = duffel_stub(replies).await;
        let (duffel, clock) = limited_duffel(&stub, *LIMITS);
        for _ in 0..3 {
            assert!(matches!(search(&duffel).await, Answer::Unknown(_)), "{act:?}");
        }
        all_turned_away(&duffel, 10, "keeps failing").await;
        clock.advance(TimeDelta::seconds(9));
        all_turned_away(&duffel, 1, "keeps failing").await;
        assert_eq!(stub.requests().len(), 3, "{act:?}");

        clock.advance(TimeDelta::seconds(1));
        assert!(matches!(search(&duffel).await, Answer::Unknown(_)), "{act:?}");
        all_turned_away(&duffel, 10, "keeps failing").await;
        assert_eq!(stub.requests().len(), 4, "{act:?}");

        clock.advance(TimeDelta::seconds(10));
        assert!(matches!(search(&duffel).await, Answer::Done(_)), "{act:?}");
        assert_eq!(stub.requests().len(), 5, "{act:?}");
    }
}

#[tokio::test]
async fn a_refused_connection_is_a_failure() {
    let (duffel, _clock) = limited_duffel(&StubServer::nobody().await, *LIMITS);
    for _ in 0..3 {
        let outage = outage(search(&duffel).await);
        assert_eq!(outage.retry_after, None, "{}", outage.reason);
    }
    all_turned_away(&duffel, 10, "keeps failing").await;
}

#[tokio::test]
async fn refusals_and_answers_that_only_the_adapter_can_not_read_are_no_failures() {
    let replies = [
        reply(422, error("validation_error", "validation_format", "What?")),
        reply(401, error("authentication_error", "access_token_not_found", "Who?")),
        reply(404, "<h1>no</h1>"),
        reply(200, "{"),
        reply(500, ""),
        reply(500, ""),
        reply(422, error("airline_error", "airline_unknown", "Hm.")),
        reply(500, ""),
        reply(500, ""),
        nothing_found(),
    ];
    let stub = duffel_stub(replies).await;
    let (duffel, _clock) = limited_duffel(&stub, *LIMITS);
    for _ in 0..9 {
        assert!(!matches!(search(&duffel).await, Answer::Done(_)));
    }
    assert!(matches!(search(&duffel).await, Answer::Done(_)));
    assert_eq!(stub.requests().len(), 10);
}

#[tokio::test]
async fn a_supplier_that_is_rate_limiting_is_left_alone_for_as_long_as_it_says() {
    for (header, seconds) in [
        ("retry-after: 7", 7),
        ("retry-after: Sun, 01 Mar 2026 12:00:30 GMT", 30),
        ("ratelimit-reset: Sun, 01 Mar 2026 12:00:12 GMT", 12),
        ("x-plain: 1", 1),
    ] {
        let slower = error("rate_limit_error", "rate_limit_exceeded", "Slower.");
        let stub = duffel_stub([Reply::WithHeader(429, header.to_owned(), slower), nothing_found()]).await;
        let (duffel, clock) = limited_duffel(&stub, *LIMITS);
        let told = outage(book(&duffel).await);
        assert_eq!(told.retry_after, Some(Duration::from_secs(seconds)), "{header}");
        all_turned_away(&duffel, seconds, "rate limiting").await;
        assert_eq!(stub.requests().len(), 1, "{header}");
        clock.advance(TimeDelta::try_seconds(i64::try_from(seconds).unwrap()).unwrap());
        assert!(matches!(search(&duffel).await, Answer::Done(_)), "{header}");
        assert_eq!(stub.requests().len(), 2, "{header}");
    }
}

#[tokio::test]
async fn of_many_calls_after_the_pause_one_is_the_probe() {
    let replies = [reply(500, ""), reply(500, ""), reply(500, ""), Reply::Silence];
    let stub = duffel_stub(replies).await;
    let (duffel, clock) = limited_duffel(&stub, *LIMITS);
    for _ in 0..3 {
        assert!(matches!(search(&duffel).await, Answer::Unknown(_)));
    }
    clock.advance(TimeDelta::seconds(10));
    let (one, two, three) = tokio::join!(search(&duffel), find(&duffel), book(&duffel));
    assert!(matches!(one, Answer::Unknown(_)), "the probe: {one:?}");
    assert_eq!(
        (outage(two).retry_after, outage(three).retry_after),
        (Some(LIMITS.open_for), Some(LIMITS.open_for))
    );
    assert_eq!(stub.requests().len(), 4);
}

#[tokio::test]
async fn a_probe_that_is_given_up_makes_room_for_the_next() {
    let replies = [reply(500, ""), reply(500, ""), reply(500, ""), Reply::Silence, nothing_found()];
    let stub = duffel_stub(replies).await;
    let (duffel, clock) = limited_duffel(&stub, *LIMITS);
    for _ in 0..3 {
        assert!(matches!(search(&duffel).await, Answer::Unknown(_)));
    }
    clock.advance(TimeDelta::seconds(10));
    let probe = tokio::spawn({
        let duffel = duffel.clone();
        async move { search(&duffel).await }
    });
    has_requests(&stub, 4).await;
    probe.abort();
    assert!(probe.await.unwrap_err().is_cancelled());
    assert!(matches!(search(&duffel).await, Answer::Done(_)));
    assert_eq!(stub.requests().len(), 5);
}

#[tokio::test]
async fn searches_that_crowd_in_leave_seats_for_effects_and_look_ups() {
    let crowd = [Reply::Silence, Reply::Silence, Reply::Silence];
    let served = [reply(200, answer(&order())), reply(201, answer(&order()))];
    let stub = duffel_stub(crowd.into_iter().chain(served)).await;
    let (duffel, _clock) = limited_duffel(&stub, *LIMITS);
    let crowd: Vec<_> = (0..5)
        .map(|_| {
            let duffel = duffel.clone();
            tokio::spawn(async move { search(&duffel).await })
        })
        .collect();
    has_requests(&stub, 3).await;
    assert!(matches!(find(&duffel).await, Answer::Done(Some(_))));
    assert!(matches!(book(&duffel).await, Answer::Done(_)));
    let mut turned_away = 0;
    for search in crowd {
        match search.await.unwrap() {
            Answer::Unknown(_) => {}
            unsent => {
                assert_eq!(outage(unsent).retry_after, Some(Duration::from_secs(1)));
                turned_away += 1;
            }
        }
    }
    assert_eq!((turned_away, stub.requests().len()), (2, 5), "no seat, nothing sent");
}

#[tokio::test]
async fn an_effect_without_a_seat_is_not_sent_late() {
    let limits = LIMITS.with(|limits| limits.calls_at_once = 2);
    let stub = duffel_stub([Reply::Silence, Reply::Silence]).await;
    let (duffel, _clock) = limited_duffel(&stub, limits);
    let (one, two, three) = tokio::join!(book(&duffel), book(&duffel), book(&duffel));
    assert!(matches!((one, two), (Answer::Unknown(_), Answer::Unknown(_))));
    assert!(outage(three).reason.contains("too many calls"));
    assert_eq!(stub.requests().len(), 2);
}

#[tokio::test]
async fn the_time_an_effect_waited_for_its_seat_counts_towards_its_deadline() {
    let limits = LIMITS.with(|limits| limits.calls_at_once = 2);
    // How long the one takes that waits; a busy machine may not let it end as soon as it could.
    let mut took = Vec::new();
    let wait = Duration::from_millis(600);
    for _ in 0..4 {
        let stub = duffel_stub([Reply::Silence, Reply::Silence, Reply::Silence]).await;
        let (duffel, _clock) = limited_duffel(&stub, limits);
        let others = async { tokio::join!(book(&duffel), book(&duffel)) };
        // They are given up, which frees their seats.
        let others = tokio::time::timeout(wait, others);
        let waits = async {
            tokio::task::yield_now().await;
            let begun = Instant::now();
            (book(&duffel).await, begun.elapsed())
        };
        let (_, (late, so_long)) = tokio::join!(others, waits);
        // It may not have got its seat in time, on a machine that is too busy to free it.
        if let Answer::Unknown(_) = late {
            assert!(so_long >= patience(&stub.base_url), "{so_long:?}");
            took.push(so_long - patience(&stub.base_url));
        }
    }
    assert!(took.iter().any(|more| *more < wait / 2), "{took:?}");
}

#[tokio::test]
async fn whatever_goes_wrong_at_the_supplier_it_is_left_alone_and_heals() {
    for fault in ["status:500", "status:504", "drop_before", "drop_after", LASTS] {
        let stage = Stage::open(*LIMITS).await;
        let order = stage.held().await;
        // One more than it takes: the last shows whether anything arrives.
        stage.next("ticket", fault, 4).await;
        for _ in 0..3 {
            is_unknown(stage.duffel.ticket(&order.1.id, &order.0, order.1.total).await, fault);
        }
        all_turned_away(&stage.duffel, 10, "keeps failing").await;
        let unsent = stage.duffel.ticket(&order.1.id, &order.0, order.1.total).await;
        assert_eq!(outage(unsent).retry_after, Some(LIMITS.open_for), "{fault}");
        assert_eq!(stage.waiting().await, 1, "{fault}: nothing arrived while it was open");

        stage.pass(10);
        done(search(&stage.duffel).await);
        done(stage.duffel.find_ticketed(&order.1.id, &order.0).await);
    }
}

#[tokio::test]
async fn the_sandbox_is_left_alone_while_it_is_rate_limiting() {
    let stage = Stage::open(*LIMITS).await;
    stage.next("search", "rate_limited", 2).await;
    outage(search(&stage.duffel).await);
    all_turned_away(&stage.duffel, 1, "rate limiting").await;
    assert_eq!(stage.waiting().await, 1);
    stage.pass(1);
    outage(search(&stage.duffel).await);
    stage.pass(1);
    done(search(&stage.duffel).await);
}

#[tokio::test]
async fn what_can_be_done_without_neither_opens_the_breaker_nor_keeps_it_closed() {
    let failing = || Reply::Whole(500, String::new());
    let fine = || reply(200, "{}");
    // An aside that fails counts for nothing, and so does one that is answered between failures.
    let replies = [failing(), failing(), failing(), fine(), failing(), failing(), fine(), failing()];
    let stub = duffel_stub(replies).await;
    let mut config = config(&stub, TOKEN);
    config.limits = *LIMITS;
    let http = SupplierHttp::new(config, clock()).unwrap();
    let send = async |purpose| http.send(http.request(Method::GET, "/"), purpose).await;
    for _ in 0..LIMITS.failures_to_open {
        assert!(matches!(send(Purpose::BestEffort).await, Answer::Unknown(_)));
    }
    assert!(matches!(send(Purpose::Question).await, Answer::Done(_)));
    assert!(matches!(send(Purpose::Question).await, Answer::Unknown(_)));
    assert!(matches!(send(Purpose::Question).await, Answer::Unknown(_)));
    assert!(matches!(send(Purpose::BestEffort).await, Answer::Done(_)));
    assert!(matches!(send(Purpose::Question).await, Answer::Unknown(_)));
    outage(send(Purpose::Question).await);
    assert_eq!(stub.requests().len(), 8);
}
