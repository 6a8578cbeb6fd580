//! What every answer says of how it was made.

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::World;

/// Of interest to Hotelbeds' own people; a caller quotes the token when asking them.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Audit {
    process_time: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    timestamp: Option<String>,
    request_host: &'static str,
    server_id: &'static str,
    environment: &'static str,
    release: &'static str,
    #[serde(flatten)]
    traced: Option<Traced>,
}

#[derive(Debug, Serialize)]
struct Traced {
    token: String,
    internal: String,
}

impl Audit {
    pub(super) fn of_booking(world: &World) -> Self {
        Self { timestamp: Some(written(world.clock.now())), ..Self::of_refusal(&token()) }
    }

    /// Of a success of the content API, which has no token.
    pub(super) fn of_content(world: &World) -> Self {
        Self { traced: None, ..Self::of_booking(world) }
    }

    pub(super) fn of_refusal(token: &str) -> Self {
        Self {
            process_time: "1",
            timestamp: None,
            request_host: "127.0.0.1",
            server_id: "sandbox",
            environment: "[sandbox]",
            release: "",
            traced: Some(Traced { token: token.to_owned(), internal: "0||||".to_owned() }),
        }
    }
}

/// 32 hexadecimal digits of chance.
pub(super) fn token() -> String {
    format!("{:032X}", rand::random::<u128>())
}

fn written(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%d %H:%M:%S%.3f").to_string()
}
