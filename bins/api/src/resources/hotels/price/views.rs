//! The answer of a hotel price call.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use wayfare_domain::{Amount, Currency, Money, MoneyError, QuoteId};
use wayfare_hotels::{HotelFee, MealPlan};
use wayfare_operations::{
    Error,
    hotels::{Breakdown, Priced},
};

use crate::resources::{
    common::CurrencyCode,
    hotels::{
        common::{PolicyView, fees},
        search::views::AgentPrice,
    },
};

/// A promised price.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "HotelPrice")]
pub struct PriceResult {
    price_id: QuoteId,
    hotel_id: String,
    #[schemars(extend("enum" = ["PRICE_VERIFIED"]))]
    status: &'static str,
    expires_at: DateTime<Utc>,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    pricing_breakdown: BreakdownView,
    agent_price: AgentPrice,
    public_markup: Amount,
    #[serde(skip_serializing_if = "Option::is_none")]
    price_change: Option<Change>,
    rooms: Vec<PricedRoom>,
    pay_at_hotel_fees: Amount,
    #[schemars(with = "Option<CurrencyCode>")]
    pay_at_hotel_fees_currency: Option<Currency>,
    cancellation_policy: PolicyView,
    remarks: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "HotelPriceChange")]
struct Change {
    old_total: Amount,
    new_total: Amount,
    #[serde(skip_serializing_if = "Option::is_none")]
    old_agent_fare: Option<Amount>,
    new_agent_fare: Amount,
}

#[derive(Serialize, JsonSchema)]
struct PricedRoom {
    room_id: String,
    rate_id: String,
    quantity: u16,
    name: String,
    meal_plan: MealPlan,
    refundable: Option<bool>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "HotelPriceBreakdown")]
struct BreakdownView {
    room_charges: RoomCharges,
    taxes: Taxes,
    fees: Fees,
    discounts: Discounts,
    total_before_discount: Amount,
    total_discount: Amount,
    total_after_discount: Amount,
    grand_total: Amount,
}

#[derive(Serialize, JsonSchema)]
struct RoomCharges {
    nights: u32,
    rate_per_night: Amount,
    subtotal: Amount,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "HotelTaxes")]
struct Taxes {
    total_taxes: Amount,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "HotelFees")]
struct Fees {
    service_charge: Amount,
    resort_fee: Amount,
    total_fees: Amount,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "HotelDiscounts")]
struct Discounts {
    loyalty_discount: Amount,
    total_discounts: Amount,
}

impl BreakdownView {
    fn of(parts: &Breakdown, nights: u32) -> Result<Self, MoneyError> {
        let before = parts.before_discounts()?.number();
        let mut a_night = parts.rooms.split(usize::try_from(nights.max(1)).unwrap_or(1));
        Ok(Self {
            room_charges: RoomCharges {
                nights,
                rate_per_night: a_night.next().unwrap_or(parts.rooms).number(),
                subtotal: parts.rooms.number(),
            },
            taxes: Taxes { total_taxes: parts.taxes.number() },
            fees: Fees {
                service_charge: parts.service_charge.number(),
                resort_fee: parts.resort_fee.number(),
                total_fees: parts.fees.number(),
            },
            discounts: Discounts {
                // No supplier tells one apart.
                loyalty_discount: Money::zero(parts.total.currency()).number(),
                total_discounts: parts.discounts.number(),
            },
            total_before_discount: before,
            total_discount: parts.discounts.number(),
            total_after_discount: parts.total.number(),
            grand_total: parts.total.number(),
        })
    }
}

impl TryFrom<Priced> for PriceResult {
    type Error = Error;
    fn try_from(priced: Priced) -> Result<Self, Error> {
        let Priced { quote, totals, breakdown, change } = priced;
        let content = quote.content;
        let at_hotel: Vec<HotelFee> = content.fees_at_hotel().cloned().collect();
        let (fee, fee_currency) = fees(&at_hotel);
        let remarks = content.remarks();
        Ok(Self {
            price_id: quote.id,
            hotel_id: content.hotel_id().to_string(),
            status: "PRICE_VERIFIED",
            expires_at: quote.expires_at,
            currency: content.currency,
            pricing_breakdown: BreakdownView::of(&breakdown, content.query.nights())?,
            agent_price: AgentPrice::from(&totals),
            public_markup: totals.public_markup()?.number(),
            price_change: change.map(|change| Change {
                old_total: change.old_total.number(),
                new_total: change.new_total.number(),
                old_agent_fare: change.old_agent_fare.map(Money::number),
                new_agent_fare: change.new_agent_fare.number(),
            }),
            rooms: content
                .rates
                .into_iter()
                .map(|quoted| PricedRoom {
                    room_id: quoted.rate.room_id,
                    rate_id: quoted.rate_id,
                    quantity: quoted.rate.rooms,
                    name: quoted.rate.room_name,
                    meal_plan: quoted.rate.meal_plan,
                    refundable: quoted.rate.policy.refundable,
                })
                .collect(),
            pay_at_hotel_fees: Amount(fee),
            pay_at_hotel_fees_currency: fee_currency,
            cancellation_policy: PolicyView::of(
                content.policy,
                content.time_zone,
                quote.created_at,
                Some(&content.sale),
            )?,
            remarks,
        })
    }
}
