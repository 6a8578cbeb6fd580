//! The service as tests of the client prepare it: the API's envelopes, log-ins, and who speaks to it.

use std::time::Duration;

use serde_json::{Value, json};
use wayfare_client::{Client, Retries, Session};
use wayfare_stub_server::{Reply, Request, SideReply, StubServer, patience, reply};

/// A whole answer in the API's success envelope.
pub fn ok(data: Value) -> Reply {
    answer(200, &json!({ "success": true, "data": data }))
}

/// A whole answer.
pub fn answer(status: u16, body: &Value) -> Reply {
    reply(status, body.to_string())
}

/// A refusal in the API's envelope.
pub fn refusal(status: u16, text: &str) -> Reply {
    answer(status, &json!({ "success": false, "error": text }))
}

/// The answer of a log-in or refresh whose access token has this name.
pub fn tokens(name: &str, seconds: u64) -> Reply {
    let user = json!({
        "id": "00000000-0000-7000-8000-000000000001", "username": "asha", "email": "asha@sunrise.example",
        "name": "Asha Rao", "role": "agent", "status": "active",
        "org_id": "00000000-0000-7000-8000-000000000002", "sub_agent_id": "WF7K2M9Q-A0001",
    });
    let tokens = json!({
        "access_token": name, "refresh_token": format!("refresh-{name}"), "expires_in_seconds": seconds,
    });
    ok(json!({ "user": user, "tokens": tokens, "agent_id": "WF7K2M9Q" }))
}

/// A service that gives these replies in order; log-ins are answered beside them.
pub async fn service(replies: impl IntoIterator<Item = Reply>) -> StubServer {
    StubServer::with_side(replies, log_in()).await
}

/// One that decides each reply by the request.
pub async fn service_that(replies: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> StubServer {
    StubServer::deciding(replies, log_in()).await
}

fn log_in() -> [SideReply; 1] {
    [("/auth/login", tokens("first", 3600))]
}

/// Somebody who speaks to it, with quick retries.
pub async fn session(stub: &StubServer) -> Session {
    client(stub, quick()).log_in("WF7K2M9Q", "asha", "correct horse 7").await.unwrap()
}

pub fn client(stub: &StubServer, retries: Retries) -> Client {
    let builder = Client::builder(&stub.base_url).retries(retries);
    let patience = patience(&stub.base_url);
    builder.timeout(patience).silence(patience).build().unwrap()
}

/// Four tries without long pauses.
pub fn quick() -> Retries {
    let ms = Duration::from_millis;
    Retries::default().attempts(4).pauses(ms(5), ms(20)).patience(Duration::from_secs(10))
}
