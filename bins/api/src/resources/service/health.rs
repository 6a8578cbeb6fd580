//! Whether the process lives and whether it can work.

use std::time::Duration;

use actix_web::HttpRequest;
use tokio::time::timeout;
use wayfare_contract::Health;

use crate::http::{
    App, extract,
    refusal::Refusal,
    reply::{Bare, Replied, bare},
};

/// Whoever asks whether we are ready wants to know it at once; a database that takes longer is as good as none.
const READY_PATIENCE: Duration = Duration::from_millis(1500);

fn well() -> Replied<Bare<Health>> {
    bare(Health { status: "ok".to_owned() })
}

/// `GET /health/live`: the process answers.
pub async fn live() -> Replied<Bare<Health>> {
    well()
}

/// `GET /health/ready`: the start has ended, the database answers and is up to date.
///
/// # Errors
/// 503 while it is not so, within 2 s.
pub async fn ready(app: App, request: HttpRequest) -> Replied<Bare<Health>> {
    let started = extract::options(&request)?.started.clone();
    let problem = match timeout(READY_PATIENCE, app.core.ready()).await {
        _ if !*started.borrow() => "the server starts or stops".to_owned(),
        Ok(Ok(())) => return well(),
        Ok(Err(error)) => error.to_string(),
        Err(_) => "the database has not answered in time".to_owned(),
    };
    tracing::warn!(problem, "not ready");
    Err(Refusal::not_ready())
}
