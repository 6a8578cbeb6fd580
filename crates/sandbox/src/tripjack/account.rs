//! `GET /ums/v1/user-detail`: the agency's money with TripJack.

use actix_web::web::Data;
use rust_decimal::Decimal;
use serde_json::json;

use super::World;
use super::bookings::Booking;
use super::errors::{ApiResult, done};
use crate::json::Number;

/// What the agency began with, in whole units of the currency. It may be overdrawn.
const DEPOSIT: i64 = 50_000_000;

/// The balances: the deposit without what was paid, and with what came back.
pub(super) async fn show(world: Data<World>) -> ApiResult {
    let (tariff, now) = (&world.tariff, world.clock.now());
    let mut balance = tariff.rounded(Decimal::from(DEPOSIT));
    for order in world.orders.of::<Booking>() {
        let booking = &order.booking;
        if booking.paid_at.is_some() {
            balance -= booking.total();
        }
        balance += booking.refunded(now);
    }
    let balances = json!({
        "totalBalance": Number(balance),
        "walletBalance": Number(balance),
        "creditBalance": Number(tariff.zero()),
    });
    // Clients of the API read them at one place or the other.
    Ok(done(json!({
        "user": { "userId": "600001", "bs": balances },
        "userId": "600001",
        "totalBalance": Number(balance),
        "walletBalance": Number(balance),
        "creditBalance": Number(tariff.zero()),
        "totalOutStanding": Number(tariff.zero()),
    })))
}
