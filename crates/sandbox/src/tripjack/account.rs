//! `GET /ums/v1/user-detail`: the agency's money with TripJack.

use actix_web::web::Data;
use rust_decimal::Decimal;
use serde_json::json;

use super::failure::{Answer, done};
use super::wire::Money;
use crate::server::World;

/// What the agency began with, in whole units of the currency.
const DEPOSIT: i64 = 50_000_000;

/// The balances.
pub(super) async fn show(world: Data<World>) -> Answer {
    let tariff = &world.tariff;
    let balance = tariff.rounded(Decimal::from(DEPOSIT));
    Ok(done(json!({
        "userId": "600001",
        "totalBalance": Money(balance),
        "walletBalance": Money(balance),
        "creditBalance": Money(tariff.zero()),
        "totalOutStanding": Money(tariff.zero()),
    })))
}
