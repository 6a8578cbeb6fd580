//! What is sent again, under which key, and what is said in the end.

use std::time::{Duration, Instant};

use serde_json::json;
use wayfare_client::{Amount, Client, Error, Outcome, ProfileChange, Retries, enums::BookingStatus};

use crate::stub::{answer, client, ok, quick, refusal, service, session};
use wayfare_stub_server::{Reply, StubServer};

const REF: &str = "FA-7K2M9QX4";

fn cancelled() -> serde_json::Value {
    let refund: Amount = "4810.50".parse().unwrap();
    json!({
        "booking_ref": REF, "status": "cancelled", "cancellation_charge": 0, "provider_refund_amount": refund,
        "platform_charges": 0, "refund_to_wallet": refund, "currency": "INR", "new_field": 1,
    })
}

fn keys(stub: &StubServer) -> Vec<String> {
    let asked = stub.requests();
    let keys = asked.iter().map(|asked| asked.header("idempotency-key").unwrap().to_owned());
    keys.collect()
}

#[tokio::test]
async fn an_effect_whose_answer_is_lost_is_sent_again_under_the_same_key() {
    let replayed = Reply::WithHeader(
        200,
        "Idempotency-Replayed: true\r\nX-Request-Id: r7".to_owned(),
        json!({ "success": true, "data": cancelled() }).to_string(),
    );
    let running = refusal(409, "a request with this idempotency key is still running");
    let replies = [
        Reply::Hang,
        Reply::Cut(200, "{\"success\":true".to_owned()),
        Reply::Whole(502, "<html>bad gateway</html>".to_owned()),
        running.clone(),
        running.clone(),
        running,
        replayed,
    ];
    let stub = service(replies).await;
    let cancelled = session(&stub).await.flights().cancel(REF).await.unwrap();
    assert!(cancelled.replayed);
    assert_eq!(cancelled.request_id.as_deref(), Some("r7"));
    let done = cancelled.answer.done().unwrap();
    assert_eq!(
        (done.status, done.amounts.refund_to_wallet.to_string().as_str()),
        (BookingStatus::Cancelled, "4810.50")
    );
    let keys = keys(&stub);
    assert_eq!(keys.len(), 7);
    assert!(keys.iter().all(|key| *key == cancelled.idempotency_key));
    assert!(stub.requests().iter().all(|asked| asked.text == "{}"));
}

#[tokio::test]
async fn each_effect_has_a_key_of_its_own_unless_the_caller_gives_one() {
    let stub = service((0..3).map(|_| ok(cancelled()))).await;
    let session = session(&stub).await;
    let first = session.flights().cancel(REF).await.unwrap();
    let second = session.flights().cancel(REF).await.unwrap();
    let given = session.keyed("desk-7").flights().cancel(REF).await.unwrap();
    assert_ne!(first.idempotency_key, second.idempotency_key);
    assert_eq!(given.idempotency_key, "desk-7");
    assert_eq!(keys(&stub), [first.idempotency_key, second.idempotency_key, "desk-7".to_owned()]);
    let wrong = session.keyed("a\nb").flights().cancel(REF).await;
    assert!(matches!(wrong, Err(Error::Invalid { .. })));
}

#[tokio::test]
async fn an_effect_without_any_answer_is_unknown_and_carries_its_key() {
    let stub = service([Reply::Hang, Reply::Hang, Reply::Hang, Reply::Hang, ok(cancelled())]).await;
    let session = session(&stub).await;
    let error = session.flights().cancel(REF).await.unwrap_err();
    let Error::Unknown { idempotency_key: Some(key), .. } = error else { panic!("{error}") };
    assert_eq!(stub.requests().len(), 4);
    let asked_again = session.keyed(&key).flights().cancel(REF).await.unwrap();
    assert_eq!(asked_again.idempotency_key, key);
    assert!(keys(&stub).iter().all(|one| *one == key));
}

#[tokio::test]
async fn what_somebody_else_says_settles_nothing() {
    for status in [302, 400, 404, 408] {
        let page = Reply::Whole(status, "<html>default backend</html>".to_owned());
        let stub = service([Reply::Hang, page]).await;
        let error = session(&stub).await.flights().cancel(REF).await.unwrap_err();
        assert_eq!(stub.requests().len(), 2);
        let Error::Unknown { idempotency_key: Some(key), because } = error else { panic!("{error}") };
        assert_eq!(because.status(), Some(status));
        assert!(keys(&stub).iter().all(|one| *one == key));
    }
}

#[tokio::test]
async fn json_of_a_gateway_is_not_the_services_word() {
    let gateways = json!({ "timestamp": 1, "status": 503, "error": "Service Unavailable" });
    let stub = service([answer(503, &gateways), ok(cancelled())]).await;
    let cancelled = session(&stub).await.flights().cancel(REF).await.unwrap();
    assert!(cancelled.answer.done().is_some());

    let wont = json!({ "status": 404, "error": "Not Found" });
    let stub = service([Reply::Hang, answer(404, &wont)]).await;
    let error = session(&stub).await.flights().cancel(REF).await.unwrap_err();
    assert!(matches!(error, Error::Unknown { .. }), "{error}");
}

#[tokio::test]
async fn an_answer_that_nobody_can_read_is_no_refusal() {
    let page = Reply::WithHeader(200, "X-Request-Id: r9".to_owned(), "<html>Welcome</html>".to_owned());
    let less = ok(json!({ "id": 7 }));
    let stub = service([page.clone(), page, less]).await;
    let session = session(&stub).await;
    let error = session.flights().cancel(REF).await.unwrap_err();
    let Error::Unknown { because, .. } = &error else { panic!("{error}") };
    assert!(matches!(**because, Error::Unreadable { status: 200, .. }));
    assert_eq!(error.request_id(), Some("r9"));
    let error = session.wallet().read().await.unwrap_err();
    assert!(matches!(error, Error::Unreadable { .. }), "{error}");
    let error = session.wallet().read().await.unwrap_err();
    assert!(error.to_string().contains("data.id"), "{error}");
    assert_eq!(stub.requests().len(), 3, "none of them was sent again");
}

#[tokio::test]
async fn a_503_to_an_effect_is_the_callers_to_decide_and_to_a_read_is_not() {
    let text = "supplier is temporarily unavailable, please try again";
    let busy = || {
        let body = json!({ "success": false, "error": text }).to_string();
        Reply::WithHeader(503, "Retry-After: 0".to_owned(), body)
    };
    let penalty = json!({
        "booking_ref": REF, "pnr": "ABC123", "total_paid": 3, "penalty": 1, "platform_charges": 0,
        "change_penalties": 0, "waived": 0, "refund_amount": 2, "currency": "INR",
    });
    let stub = service([busy(), busy(), ok(penalty)]).await;
    let session = session(&stub).await;
    let error = session.flights().cancel(REF).await.unwrap_err();
    assert!(matches!(&error, Error::Refused { status: 503, text: told, .. } if told == text), "{error}");
    assert_eq!(session.flights().penalty(REF).await.unwrap().pnr, "ABC123");
}

#[tokio::test]
async fn a_429_is_waited_out_for_as_long_as_it_asks() {
    let wait = |seconds: u64| {
        let body = json!({ "success": false, "error": "too many requests" }).to_string();
        Reply::WithHeader(429, format!("Retry-After: {seconds}"), body)
    };
    let stub = service([wait(1), ok(cancelled()), wait(60)]).await;
    let session = session(&stub).await;
    let begun = Instant::now();
    session.flights().cancel(REF).await.unwrap();
    assert!(begun.elapsed() >= Duration::from_secs(1));
    // Longer than patience lasts: the caller is told at once.
    let error = session.flights().cancel(REF).await.unwrap_err();
    assert!(matches!(
        error,
        Error::Refused { status: 429, retry_after: Some(wait), .. } if wait == Duration::from_secs(60)
    ));
    assert!(begun.elapsed() < Duration::from_secs(50));
}

#[tokio::test]
async fn a_wait_without_end_is_not_waited() {
    let body = json!({ "success": false, "error": "too many requests" }).to_string();
    let for_ever = Reply::WithHeader(429, format!("Retry-After: {}", u64::MAX), body);
    let stub = service([for_ever]).await;
    let client = client(&stub, quick().pauses(Duration::from_secs(1), Duration::from_millis(20)));
    let session = client.log_in("WF7K2M9Q", "asha", "correct horse 7").await.unwrap();
    let error = session.flights().cancel(REF).await.unwrap_err();
    assert_eq!(error.status(), Some(429));
    assert_eq!(stub.requests().len(), 1);
}

#[tokio::test]
async fn who_is_not_there_was_sent_nothing() {
    let gone = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let client = Client::builder(gone).retries(quick()).build().unwrap();
    let error = client.log_in("A", "b", "c").await.unwrap_err();
    assert!(matches!(error, Error::Unreachable { .. }), "{error}");
    for wrong in
        ["", "not an address", "ftp://example.com", "https://example.com/?a=b", "https://example.com/#a"]
    {
        assert!(matches!(Client::new(wrong), Err(Error::Invalid { .. })), "{wrong}");
    }
}

#[test]
fn an_address_with_a_password_is_refused_and_not_printed() {
    for address in [
        "https://asha:sesame@example.com",
        "https://sesame@example.com",
        "https://:sesame@example.com",
        "ftp://asha:sesame@example.com",
        "https://asha:sesame@",
    ] {
        let builder = Client::builder(address);
        let printed = format!("{builder:?}");
        let error = builder.build().unwrap_err();
        assert!(matches!(error, Error::Invalid { .. }), "{error}");
        assert!(!format!("{printed} {error} {error:?}").contains("sesame"), "{error}");
    }
}

#[tokio::test]
async fn what_sets_something_is_sent_again_and_what_can_only_be_done_once_is_not() {
    let user = json!({
        "id": "00000000-0000-7000-8000-000000000001", "username": "asha", "email": "asha@sunrise.example",
        "name": "Asha", "phone": "", "role": "auditor", "status": "active",
        "org_id": "00000000-0000-7000-8000-000000000002", "sub_agent_id": "A", "created_at": "2026-03-01T09:30:00Z",
    });
    let stub = service([
        Reply::Silence,
        ok(user),
        Reply::Hang,
        refusal(429, "too many requests"),
        Reply::Hang,
        Reply::Hang,
        refusal(409, "no"),
    ])
    .await;
    let session = session(&stub).await;
    let changed = session.profile().change(&ProfileChange::default()).await.unwrap();
    assert_eq!(changed.role.as_str(), "auditor", "a word that is new is kept");
    let id = changed.id;
    for sent in [3, 5] {
        let error = session.users().delete(id).await.unwrap_err();
        assert!(matches!(error, Error::Unknown { idempotency_key: None, .. }), "{error}");
        assert_eq!(stub.requests().len(), sent);
    }
    // Without a key the service can't know the first try: what it says of the second is not said of that.
    let error = session.profile().change(&ProfileChange::default()).await.unwrap_err();
    let Error::Unknown { because, .. } = error else { panic!("{error}") };
    assert_eq!(because.status(), Some(409));
}

#[tokio::test]
async fn a_refusal_tells_all_that_the_service_told() {
    let body = json!({ "success": false, "error": "booking key has already been used", "data": { "booking_ref": REF } });
    let used = Reply::WithHeader(409, "X-Request-Id: r1".to_owned(), body.to_string());
    let fields = "code=422, message=[{markup_value must be between 0 and 100}]";
    let stub = service([used, refusal(422, fields), refusal(402, "insufficient"), refusal(404, "no")]).await;
    let session = session(&stub).await;
    let error = session.flights().cancel(REF).await.unwrap_err();
    assert_eq!((error.status(), error.booking_ref(), error.request_id()), (Some(409), Some(REF), Some("r1")));
    let error = session.flights().cancel(REF).await.unwrap_err();
    assert_eq!(error.field_faults()[0].field, "markup_value");
    assert!(session.flights().cancel(REF).await.unwrap_err().is_insufficient_funds());
    assert_eq!(session.flight_packages().assigned().await.unwrap(), None);
    assert_eq!(stub.requests().len(), 4, "a refusal is not argued with");
}

#[tokio::test]
async fn what_is_pending_is_a_value() {
    let pending = json!({
        "success": true, "message": "booking cancellation is pending",
        "data": { "booking_ref": REF, "status": "PENDING" },
    });
    let tickets = json!({ "success": true, "data": { "ticket_numbers": [], "status": "PENDING" } });
    let moved = json!({ "success": true, "data": { "new_booking": { "booking_ref": "FA-NEW" } } });
    let stub = service([answer(202, &pending), answer(202, &tickets), answer(202, &moved)]).await;
    let session = session(&stub).await;
    let flights = session.flights();
    let Outcome::Pending(cancel) = flights.cancel(REF).await.unwrap().answer else { panic!() };
    assert_eq!(cancel.message.as_deref(), Some("booking cancellation is pending"));
    let request = wayfare_client::flights::TicketRequest::of(rust_decimal::Decimal::ONE);
    let Outcome::Pending(ticket) = flights.issue_ticket(REF, &request).await.unwrap().answer else {
        panic!()
    };
    let to = wayfare_client::flights::Reschedule::to(["fk_1"]);
    let Outcome::Pending(moved) = flights.reschedule(REF, &to).await.unwrap().answer else { panic!() };
    assert_eq!([cancel.booking_ref, ticket.booking_ref, moved.booking_ref], [REF, REF, "FA-NEW"]);
    let error = flights.wait_until_settled(REF, Duration::ZERO).await.unwrap_err();
    assert_eq!(error.status(), Some(599));
}

#[tokio::test]
async fn whoever_wants_no_retries_gets_none() {
    let stub = service([Reply::Hang, ok(cancelled())]).await;
    let client = client(&stub, Retries::none());
    let session = client.log_in("WF7K2M9Q", "asha", "correct horse 7").await.unwrap();
    let error = session.flights().cancel(REF).await.unwrap_err();
    assert!(matches!(error, Error::Unknown { .. }), "{error}");
    assert_eq!(stub.requests().len(), 1);
}

#[tokio::test]
async fn what_a_reference_has_in_it_stays_in_its_place() {
    let stub = service([refusal(404, "resource not found")]).await;
    let session = session(&stub).await;
    assert!(session.flights().booking("a/b?c=d e").await.unwrap_err().is_not_found());
    assert_eq!(stub.lines(), ["GET /api/v1/flights/bookings/a%2Fb%3Fc=d%20e"]);
}

#[tokio::test]
async fn a_reference_that_is_no_part_of_a_path_is_not_asked_for() {
    let stub = service([]).await;
    let session = session(&stub).await;
    let flights = session.flights();
    for none in ["", ".", "..", "\t..", ".\r\n.", "FA-1\n"] {
        let asked = flights.booking(none).await.unwrap_err();
        let cancelled = flights.cancel(none).await.unwrap_err();
        for error in [asked, cancelled] {
            assert!(matches!(error, Error::Invalid { .. }), "{none:?}: {error}");
        }
    }
    assert_eq!(stub.lines(), Vec::<String>::new());
}
