//! How TripJack's far end meets calls about orders, and what these calls are.

use serde_json::Value;

use crate::tripjack_bodies::{acknowledged, error};
use wayfare_stub_server::{Reply, reply};

pub const DETAILS: &str = "POST /oms/v1/booking-details";
pub const BOOK: &str = "POST /oms/v1/air/book";
pub const VALIDATE: &str = "POST /oms/v1/air/fare-validate";
pub const CONFIRM: &str = "POST /oms/v1/air/confirm-book";
pub const UNHOLD: &str = "POST /oms/v1/air/unhold";
pub const CHARGES: &str = "POST /oms/v1/air/amendment/amendment-charges";
pub const SUBMIT: &str = "POST /oms/v1/air/amendment/submit-amendment";
pub const AMENDMENT: &str = "POST /oms/v1/air/amendment/amendment-details";

pub const REISSUES: &str = "POST /fms/v1/reissue/poll/searchquery-list";
pub const REISSUE_FLIGHTS: &str = "POST /fms/v1/reissue/poll/search";
pub const REISSUE_REVIEW: &str = "POST /fms/v1/reissue/review";
pub const REISSUE: &str = "POST /oms/v1/air/amendment/auto-reissue";

pub fn ok(body: &Value) -> Reply {
    reply(200, body.to_string())
}

pub fn taken() -> Reply {
    reply(200, acknowledged())
}

pub fn refusal(text: &str) -> Reply {
    reply(400, error(400, "1", text))
}
