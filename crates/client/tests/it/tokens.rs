//! Tokens: renewed in time, once for all who wait, and never twice with the same one.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use futures_util::future::join_all;
use serde_json::json;
use tokio::{sync::Notify, time::timeout};
use wayfare_client::{Amount, Client, Error, Result, Session, Wallet};

use crate::stub::{client, ok, quick, refusal, service, service_that, session, tokens};
use wayfare_stub_server::{Reply, StubServer};

fn wallet() -> Reply {
    ok(json!({
        "id": "00000000-0000-7000-8000-000000000003", "owner_id": "00000000-0000-7000-8000-000000000001",
        "owner_type": "user", "balance": "1000.00".parse::<Amount>().unwrap(), "currency": "INR", "credit_limit": 0, "is_active": true,
    }))
}

fn denied() -> Reply {
    refusal(401, "invalid credentials")
}

const REFRESH: &str = "POST /api/v1/auth/refresh";
const WALLET: &str = "GET /api/v1/wallet";

/// When the token of a log-in, which lasts an hour, is due to be renewed.
const DUE: Duration = Duration::from_secs(3540);

/// So much time passes, at once.
async fn later(wait: Duration) {
    tokio::time::pause();
    tokio::time::advance(wait).await;
    tokio::time::resume();
}

async fn twenty(session: &Session) -> Vec<Result<Wallet>> {
    let calls = (0..20).map(|_| {
        let session = session.clone();
        async move { session.wallet().read().await }
    });
    join_all(calls).await
}

fn refreshes(stub: &StubServer) -> usize {
    stub.lines().iter().filter(|line| *line == REFRESH).count()
}

/// Waits until there were so many refreshes; more are wrong.
async fn seen(stub: &StubServer, count: usize) {
    let reached = async {
        while refreshes(stub) < count {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    timeout(Duration::from_secs(60), reached).await.unwrap();
    assert_eq!(refreshes(stub), count);
}

#[tokio::test]
async fn one_refresh_serves_all_who_wait() {
    let stub = service_that(|asked| match asked.header("authorization") {
        None => tokens("second", 3600),
        Some("Bearer second") => wallet(),
        Some(_) => denied(),
    });
    let stub = stub.await;
    let session = session(&stub).await;
    for answered in twenty(&session).await {
        assert_eq!(answered.unwrap().balance.to_string(), "1000.00");
    }
    let asked = stub.requests();
    let refreshes: Vec<_> = asked.iter().filter(|asked| asked.line == REFRESH).collect();
    assert_eq!(refreshes.len(), 1);
    assert_eq!(refreshes[0].text, r#"{"refresh_token":"refresh-first"}"#);
    assert_eq!(refreshes[0].header("authorization"), None);
    let last = asked.last().unwrap();
    assert_eq!(last.header("authorization"), Some("Bearer second"));
}

#[tokio::test]
async fn a_token_near_its_end_is_renewed_before_it_is_used() {
    // The log-in's token lasts an hour, the next one no time at all.
    let stub = service([denied(), tokens("second", 0), tokens("third", 3600), wallet()]).await;
    let session = session(&stub).await;
    session.wallet().read().await.unwrap();
    assert_eq!(stub.lines(), [WALLET, REFRESH, REFRESH, WALLET]);
}

#[tokio::test]
async fn a_401_to_a_fresh_token_is_the_answer() {
    let stub = service([denied(), tokens("second", 3600), denied()]).await;
    let session = session(&stub).await;
    assert_eq!(session.wallet().read().await.unwrap_err().status(), Some(401));
    assert_eq!(stub.lines(), [WALLET, REFRESH, WALLET]);
}

#[tokio::test]
async fn a_session_that_is_over_is_not_knocked_at_again() {
    let stub = service([denied(), denied()]).await;
    let session = session(&stub).await;
    for _ in 0..3 {
        let error = session.wallet().read().await.unwrap_err();
        assert!(matches!(error, Error::SessionEnded), "{error}");
    }
    assert_eq!(stub.lines(), [WALLET, REFRESH]);
}

#[tokio::test]
async fn calls_go_on_while_a_token_that_lasts_is_renewed() {
    let Reply::Whole(_, renewed) = tokens("second", 3600) else { panic!() };
    let release = Arc::new(Notify::new());
    let held = Reply::Held(release.clone(), renewed);
    let stub = service_that(move |asked| match asked.line.as_str() {
        REFRESH => held.clone(),
        _ => wallet(),
    });
    let stub = stub.await;
    let session = session(&stub).await;
    later(DUE).await;
    session.wallet().read().await.unwrap();
    seen(&stub, 1).await;
    release.notify_one();
    let renewed = async {
        while stub.requests().pop().unwrap().header("authorization") != Some("Bearer second") {
            session.wallet().read().await.unwrap();
        }
    };
    timeout(Duration::from_secs(60), renewed).await.unwrap();
    assert_eq!(refreshes(&stub), 1);
}

#[tokio::test]
async fn a_refresh_that_is_refused_is_tried_again_a_while_later() {
    let stub = service_that(|asked| match asked.line.as_str() {
        REFRESH => refusal(503, "not ready"),
        _ => wallet(),
    });
    let stub = stub.await;
    let session = session(&stub).await;
    later(DUE).await;
    for _ in 0..3 {
        assert!(twenty(&session).await.iter().all(Result::is_ok));
        seen(&stub, 1).await;
    }
    later(Duration::from_secs(11)).await;
    assert!(twenty(&session).await.iter().all(Result::is_ok));
    seen(&stub, 2).await;
}

#[tokio::test]
async fn a_refresh_token_that_may_be_spent_is_not_shown_again_while_the_access_token_lasts() {
    let stub = service_that({
        let again = AtomicBool::new(false);
        move |asked| match asked.line.as_str() {
            REFRESH if again.swap(true, Ordering::Relaxed) => tokens("second", 3600),
            REFRESH => Reply::Hang,
            _ => wallet(),
        }
    });
    let stub = stub.await;
    let session = session(&stub).await;
    later(DUE).await;
    assert!(twenty(&session).await.iter().all(Result::is_ok));
    seen(&stub, 1).await;
    later(Duration::from_secs(30)).await;
    assert!(twenty(&session).await.iter().all(Result::is_ok));
    later(Duration::from_secs(30)).await;
    session.wallet().read().await.unwrap();
    let lines = stub.lines();
    assert_eq!(lines[40..], [WALLET, REFRESH, WALLET]);
    assert_eq!(stub.requests()[42].header("authorization"), Some("Bearer second"));
}

#[tokio::test]
async fn a_refresh_that_fails_fails_for_all_who_wait() {
    let stub = service([Reply::Hang, tokens("second", 3600), wallet()]).await;
    let session = session(&stub).await;
    later(Duration::from_secs(3600)).await;
    for answered in twenty(&session).await {
        let error = answered.unwrap_err();
        assert!(matches!(error, Error::Unreachable { .. }), "{error}");
    }
    assert_eq!(stub.lines(), [REFRESH]);
    session.wallet().read().await.unwrap();
    assert_eq!(stub.lines(), [REFRESH, REFRESH, WALLET]);

    // So it is for those whose token the service does not take.
    let stub = service_that(|asked| match asked.line.as_str() {
        REFRESH => refusal(503, "not ready"),
        _ => denied(),
    });
    let stub = stub.await;
    let session = crate::stub::session(&stub).await;
    for answered in twenty(&session).await {
        assert_eq!(answered.unwrap_err().status(), Some(503));
    }
    assert_eq!(refreshes(&stub), 1);
}

#[tokio::test]
async fn what_was_never_sent_is_not_unknown() {
    let stub = service([Reply::Hang]).await;
    let session = session(&stub).await;
    later(Duration::from_secs(3600)).await;
    let error = session.flights().cancel("FA-1").await.unwrap_err();
    assert!(matches!(error, Error::Unreachable { .. }), "{error}");
    assert_eq!(stub.lines(), [REFRESH]);
}

#[tokio::test]
async fn an_effect_keeps_its_key_over_a_renewal_and_its_doubt_over_a_401() {
    let stub = service([Reply::Hang, denied(), denied()]).await;
    let session = session(&stub).await;
    let error = session.keyed("k1").flights().cancel("FA-1").await.unwrap_err();
    let Error::Unknown { idempotency_key, because } = error else { panic!("{error}") };
    assert_eq!(idempotency_key.as_deref(), Some("k1"));
    assert!(matches!(*because, Error::SessionEnded));
}

#[tokio::test]
async fn who_gives_up_waiting_takes_no_token_along() {
    let Reply::Whole(_, renewed) = tokens("second", 3600) else { panic!() };
    let release = Arc::new(Notify::new());
    let held = Reply::Held(release.clone(), renewed);
    let stub = service_that(move |asked| match asked.header("authorization") {
        None => held.clone(),
        Some("Bearer second") => wallet(),
        Some(_) => denied(),
    });
    let stub = stub.await;
    let session = session(&stub).await;
    let waiting = session.clone();
    let call = tokio::spawn(async move { waiting.wallet().read().await });
    while stub.requests().len() < 2 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    call.abort();
    release.notify_one();
    session.wallet().read().await.unwrap();
    assert_eq!(refreshes(&stub), 1);
}

#[tokio::test]
async fn a_log_out_ends_all_clones() {
    let stub = service([ok(json!(null))]).await;
    let session = session(&stub).await;
    let clone = session.clone();
    session.log_out().await.unwrap();
    assert!(matches!(clone.wallet().read().await, Err(Error::SessionEnded)));
    assert_eq!(stub.requests()[0].text, r#"{"refresh_token":"refresh-first"}"#);
}

#[tokio::test]
async fn secrets_are_not_printed() {
    fn is_shared<T: Send + Sync + Clone + 'static>(_: &T) {}
    let stub = service([]).await;
    let session = session(&stub).await;
    is_shared(&session);
    let printed = format!("{session:?} {:?} {:?}", session.flights(), client(&stub, quick()));
    assert!(printed.contains("asha"), "{printed}");
    for secret in ["first", "correct horse"] {
        assert!(!printed.contains(secret), "{printed}");
    }
    is_shared(&Client::new("http://localhost").unwrap());
    let future = async move { Session::clone(&session).wallet().read().await };
    tokio::spawn(future).await.unwrap().unwrap_err();
}
