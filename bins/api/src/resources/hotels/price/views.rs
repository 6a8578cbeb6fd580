//! The answer of a hotel price call.

use wayfare_contract::{
    Amount,
    flights::PriceChange,
    hotels::{Discounts, HotelFees, HotelPrice, HotelTaxes, PricedRoom, PricingBreakdown, RoomCharges},
};
use wayfare_domain::{Money, MoneyError};
use wayfare_hotels::HotelFee;
use wayfare_operations::{
    Error,
    hotels::{Breakdown, Priced},
};
use wayfare_search_response::hotels::{agent_price_of, fees};

use crate::resources::{
    common::{amount, code},
    hotels::common::policy,
};

fn pricing_breakdown(parts: &Breakdown, nights: u32) -> Result<PricingBreakdown, MoneyError> {
    let before = amount(parts.before_discounts()?);
    let mut a_night = parts.rooms.split(usize::try_from(nights.max(1)).unwrap_or(1));
    Ok(PricingBreakdown {
        room_charges: RoomCharges {
            nights,
            rate_per_night: amount(a_night.next().unwrap_or(parts.rooms)),
            subtotal: amount(parts.rooms),
        },
        taxes: HotelTaxes { total_taxes: amount(parts.taxes) },
        fees: HotelFees {
            service_charge: amount(parts.service_charge),
            resort_fee: amount(parts.resort_fee),
            total_fees: amount(parts.fees),
        },
        discounts: Discounts {
            // No supplier tells one apart.
            loyalty_discount: amount(Money::zero(parts.total.currency())),
            total_discounts: amount(parts.discounts),
        },
        total_before_discount: before,
        total_discount: amount(parts.discounts),
        total_after_discount: amount(parts.total),
        grand_total: amount(parts.total),
    })
}

/// A promised price.
///
/// # Errors
/// When its amounts don't add up.
pub fn price(priced: Priced) -> Result<HotelPrice, Error> {
    let Priced { quote, totals, breakdown, change } = priced;
    let content = quote.content;
    let at_hotel: Vec<HotelFee> = content.fees_at_hotel().cloned().collect();
    let (fee, fee_currency) = fees(&at_hotel);
    let remarks = content.remarks();
    Ok(HotelPrice {
        price_id: quote.id.uuid(),
        hotel_id: content.hotel_id().to_string(),
        status: "PRICE_VERIFIED".to_owned(),
        expires_at: quote.expires_at,
        currency: code(content.currency),
        pricing_breakdown: pricing_breakdown(&breakdown, content.query.nights())?,
        agent_price: agent_price_of(&totals),
        public_markup: amount(totals.public_markup()?),
        price_change: change.map(|change| PriceChange {
            old_total: amount(change.old_total),
            new_total: amount(change.new_total),
            old_agent_fare: change.old_agent_fare.map(amount),
            new_agent_fare: amount(change.new_agent_fare),
        }),
        rooms: content
            .rates
            .into_iter()
            .map(|quoted| PricedRoom {
                room_id: quoted.rate.room_id,
                rate_id: quoted.rate_id,
                quantity: quoted.rate.rooms,
                name: quoted.rate.room_name,
                meal_plan: quoted.rate.meal_plan.as_ref().into(),
                refundable: quoted.rate.policy.refundable,
            })
            .collect(),
        pay_at_hotel_fees: Amount(fee),
        pay_at_hotel_fees_currency: fee_currency.map(code),
        cancellation_policy: policy(
            content.policy,
            content.time_zone,
            quote.created_at,
            Some(&content.sale),
        )?,
        remarks,
    })
}
