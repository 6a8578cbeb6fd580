//! Tokens: renewed in time, once for all who wait, and never twice with the same one.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;
use wayfare_client::{Amount, Client, Error, Session};

use crate::far_end::{Act, FarEnd, ok, quick, refusal, tokens};

fn wallet() -> Act {
    ok(json!({
        "id": "00000000-0000-7000-8000-000000000003", "owner_id": "00000000-0000-7000-8000-000000000001",
        "owner_type": "user", "balance": "1000.00".parse::<Amount>().unwrap(), "currency": "INR", "credit_limit": 0, "is_active": true,
    }))
}

fn denied() -> Act {
    refusal(401, "invalid credentials")
}

const REFRESH: &str = "POST /api/v1/auth/refresh";
const WALLET: &str = "GET /api/v1/wallet";

#[tokio::test]
async fn one_refresh_serves_all_who_wait() {
    let far_end = FarEnd::that(|asked| match asked.header("authorization") {
        None => tokens("second", 3600),
        Some("bearer second") => wallet(),
        Some(_) => denied(),
    });
    let far_end = far_end.await;
    let session = far_end.session().await;
    let calls = (0..20).map(|_| {
        let session = session.clone();
        async move { session.wallet().read().await }
    });
    for answered in join_all(calls).await {
        assert_eq!(answered.unwrap().balance.to_string(), "1000.00");
    }
    let asked = far_end.asked();
    let refreshes: Vec<_> = asked.iter().filter(|asked| asked.line == REFRESH).collect();
    assert_eq!(refreshes.len(), 1);
    assert_eq!(refreshes[0].body, r#"{"refresh_token":"refresh-first"}"#);
    assert_eq!(refreshes[0].header("authorization"), None);
    let last = asked.last().unwrap();
    assert_eq!(last.header("authorization"), Some("bearer second"));
}

#[tokio::test]
async fn a_token_near_its_end_is_renewed_before_it_is_used() {
    // The log-in's token lasts an hour, the next one no time at all.
    let far_end = FarEnd::start([denied(), tokens("second", 0), tokens("third", 3600), wallet()]).await;
    let session = far_end.session().await;
    session.wallet().read().await.unwrap();
    assert_eq!(far_end.lines(), [WALLET, REFRESH, REFRESH, WALLET]);
}

#[tokio::test]
async fn a_401_to_a_fresh_token_is_the_answer() {
    let far_end = FarEnd::start([denied(), tokens("second", 3600), denied()]).await;
    let session = far_end.session().await;
    assert_eq!(session.wallet().read().await.unwrap_err().status(), Some(401));
    assert_eq!(far_end.lines(), [WALLET, REFRESH, WALLET]);
}

#[tokio::test]
async fn a_session_that_is_over_is_not_knocked_at_again() {
    let far_end = FarEnd::start([denied(), denied()]).await;
    let session = far_end.session().await;
    for _ in 0..3 {
        let error = session.wallet().read().await.unwrap_err();
        assert!(matches!(error, Error::SessionEnded), "{error}");
    }
    assert_eq!(far_end.lines(), [WALLET, REFRESH]);
}

#[tokio::test]
async fn a_refresh_token_that_may_be_spent_is_not_shown_again_while_the_access_token_lasts() {
    let acts = [
        denied(),
        // Good for four seconds, and due when a tenth of them is left.
        tokens("second", 4),
        wallet(),
        Act::Hang,
        wallet(),
        wallet(),
        tokens("third", 3600),
        wallet(),
    ];
    let far_end = FarEnd::start(acts).await;
    let session = far_end.session().await;
    session.wallet().read().await.unwrap();
    tokio::time::sleep(Duration::from_millis(3_620)).await;
    session.wallet().read().await.unwrap();
    session.wallet().read().await.unwrap();
    assert_eq!(
        far_end.lines(),
        [WALLET, REFRESH, WALLET, REFRESH, WALLET, WALLET]
    );
    tokio::time::sleep(Duration::from_millis(500)).await;
    session.wallet().read().await.unwrap();
    assert_eq!(far_end.lines()[6..], [REFRESH, WALLET]);
}

#[tokio::test]
async fn an_effect_keeps_its_key_over_a_renewal_and_its_doubt_over_a_401() {
    let far_end = FarEnd::start([Act::Hang, denied(), denied()]).await;
    let session = far_end.session().await;
    let error = session.keyed("k1").flights().cancel("FA-1").await.unwrap_err();
    let Error::Unknown {
        idempotency_key,
        because,
    } = error
    else {
        panic!("{error}")
    };
    assert_eq!(idempotency_key.as_deref(), Some("k1"));
    assert!(matches!(*because, Error::SessionEnded));
}

#[tokio::test]
async fn who_gives_up_waiting_takes_no_token_along() {
    let Act::Reply(_, _, renewed) = tokens("second", 3600) else {
        panic!()
    };
    let late = Act::Late(Duration::from_millis(200), renewed);
    let far_end = FarEnd::start([denied(), late, wallet()]).await;
    let session = far_end.session().await;
    let waiting = session.clone();
    let call = tokio::spawn(async move { waiting.wallet().read().await });
    while far_end.asked().len() < 2 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    call.abort();
    session.wallet().read().await.unwrap();
    let last = far_end.asked().pop().unwrap();
    assert_eq!(last.header("authorization"), Some("bearer second"));
}

#[tokio::test]
async fn a_log_out_ends_all_clones() {
    let far_end = FarEnd::start([ok(json!(null))]).await;
    let session = far_end.session().await;
    let clone = session.clone();
    session.log_out().await.unwrap();
    assert!(matches!(clone.wallet().read().await, Err(Error::SessionEnded)));
    assert_eq!(far_end.asked()[0].body, r#"{"refresh_token":"refresh-first"}"#);
}

#[tokio::test]
async fn secrets_are_not_printed() {
    fn is_shared<T: Send + Sync + Clone + 'static>(_: &T) {}
    let far_end = FarEnd::start([]).await;
    let session = far_end.session().await;
    is_shared(&session);
    let printed = format!(
        "{session:?} {:?} {:?}",
        session.flights(),
        far_end.client(quick())
    );
    assert!(printed.contains("asha"), "{printed}");
    for secret in ["first", "correct horse"] {
        assert!(!printed.contains(secret), "{printed}");
    }
    is_shared(&Client::new("http://localhost").unwrap());
    let future = async move { Session::clone(&session).wallet().read().await };
    tokio::spawn(future).await.unwrap().unwrap_err();
}
