//! How TripJack's far end meets calls about orders, and what these calls are.

use serde_json::Value;

use crate::tripjack_bodies::{acknowledged, error};
use wayfare_stub_server::{Reply, StubServer, reply};

pub const DETAILS: &str = "POST /oms/v1/booking-details";
pub const BOOK: &str = "POST /oms/v1/air/book";
pub const VALIDATE: &str = "POST /oms/v1/air/fare-validate";
pub const CONFIRM: &str = "POST /oms/v1/air/confirm-book";
pub const UNHOLD: &str = "POST /oms/v1/air/unhold";
pub const CHARGES: &str = "POST /oms/v1/air/amendment/amendment-charges";
pub const SUBMIT: &str = "POST /oms/v1/air/amendment/submit-amendment";
pub const AMENDMENT: &str = "POST /oms/v1/air/amendment/amendment-details";

pub fn ok(body: &Value) -> Reply {
    reply(200, body.to_string())
}

pub fn taken() -> Reply {
    reply(200, acknowledged())
}

pub fn refusal(text: &str) -> Reply {
    reply(400, error(400, "1", text))
}

pub fn lines(stub: &StubServer) -> Vec<String> {
    stub.requests().into_iter().map(|asked| asked.line).collect()
}

/// Whatever leaves it open whether an effect happened.
pub fn doubts() -> Vec<Reply> {
    vec![
        reply(500, error(500, "1", "Internal")),
        reply(504, "<h1>slow</h1>"),
        reply(200, error(500, "1", "Internal")),
        reply(400, error(400, "1", "Booking already exists")),
        reply(200, error(400, "1", "Duplicate request")),
        reply(400, "<h1>no</h1>"),
        reply(302, ""),
        reply(200, ""),
        reply(200, "{}"),
        reply(200, acknowledged().replace('}', "")),
        Reply::Cut(200, acknowledged()),
        Reply::Hang,
        Reply::Silence,
    ]
}
