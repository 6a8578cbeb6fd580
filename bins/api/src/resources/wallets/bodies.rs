//! Allocations, and which transactions are wanted.

use wayfare_contract::{Allocation, Amount};
use wayfare_operations::{
    engine::allocation::LONGEST_REASON,
    money::wallets::{SeriesRequest, WalletFilter},
};

use crate::http::{
    json_body::{FromJson, JsonObject},
    query::{FromQuery, Parameters},
};

/// `POST /org/wallet/topup/{id}`.
impl FromJson for Allocation {
    const NAME: &str = "AllocateRequest";
    type Declared = Self;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let amount = body.positive("amount");
        let description = body.free_text("description", LONGEST_REASON);
        Some(Self { amount: Amount(amount?), description: description.unwrap_or_default() })
    }
}

impl FromQuery for WalletFilter {
    fn read(query: &mut Parameters) -> Self {
        Self {
            side: query.word("type"),
            reason: query.word("ref_type"),
            from: query.date("from"),
            to: query.date("to"),
            least: query.decimal("min_amount"),
            most: query.decimal("max_amount"),
            text: query.text("search").map(|text| match text.trim() {
                "" => text,
                copied => copied.to_owned(),
            }),
        }
    }
}

impl FromQuery for SeriesRequest {
    fn read(query: &mut Parameters) -> Self {
        Self { from: query.date("from"), to: query.date("to"), points: query.number("points", 200, 500) }
    }
}
