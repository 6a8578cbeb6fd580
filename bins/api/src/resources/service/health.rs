//! Whether the process lives and whether it can work.

use schemars::JsonSchema;
use serde::Serialize;

use crate::http::{
    App,
    refusal::Refusal,
    reply::{Bare, Replied, bare},
};

/// That it does.
#[derive(Serialize, JsonSchema)]
pub struct Health {
    #[schemars(extend("enum" = ["ok"]))]
    status: &'static str,
}

const WELL: Health = Health { status: "ok" };

/// `GET /health/live`: the process answers.
pub async fn live() -> Replied<Bare<Health>> {
    bare(WELL)
}

/// `GET /health/ready`: the database answers and is up to date.
///
/// # Errors
/// 503 while it is not.
pub async fn ready(app: App) -> Replied<Bare<Health>> {
    if let Err(error) = app.ready().await {
        tracing::warn!(%error, "not ready");
        return Err(Refusal::not_ready());
    }
    bare(WELL)
}
