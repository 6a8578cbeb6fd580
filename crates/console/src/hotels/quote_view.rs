//! The price of a stay as it is shown: its parts, its rooms, and what giving it back costs.

use wayfare_client::{Amount, hotels::HotelPrice};

use super::{guests::HotelQuote, policy::PolicyView, rates, stay::Stay};
use crate::{
    prelude::*,
    sale::{Balance, Buyer},
};

#[derive(Template)]
#[template(path = "hotels/price_card.html")]
pub struct PriceCard<'a> {
    pub payable: String,
    quote: &'a HotelQuote,
    stay: &'a Stay,
    balance: Balance,
}

fn payable(price: &HotelPrice) -> Amount {
    let agent = price.agent_price.as_ref();
    agent.map_or(price.pricing_breakdown.grand_total, |agent| agent.agent_fare)
}

fn public(price: &HotelPrice) -> Amount {
    let agent = price.agent_price.as_ref();
    agent.map_or(price.pricing_breakdown.grand_total, |agent| agent.public_fare)
}

/// A day that was typed.
fn day(typed: &str) -> String {
    typed.parse().map(crate::day::day).unwrap_or_default()
}

impl<'a> PriceCard<'a> {
    /// Of a price, for whoever pays it.
    pub fn of(quote: &'a HotelQuote, stay: &'a Stay, buyer: &Buyer) -> Self {
        let (total, currency) = (payable(&quote.price), &quote.price.currency);
        let balance = Balance::of(buyer, total.0, currency);
        Self { payable: money(total, currency), quote, stay, balance }
    }

    fn policy(&self) -> PolicyView {
        let price = &self.quote.price;
        PolicyView::for_agency(price.cancellation_policy.as_ref(), &price.currency)
    }
}

/// What the customer pays: rooms, taxes and fees less discounts, with the agency's markup.
fn customer(price: &HotelPrice) -> Sums {
    let parts = &price.pricing_breakdown;
    let public = public(price);
    let markup = public.0 - parts.grand_total.0;
    Sums::of(&price.currency)
        .small()
        .part("Rooms", parts.room_charges.subtotal)
        .part("Taxes", parts.taxes.total_taxes)
        .part("Fees", parts.fees.total_fees)
        .less("Discounts", parts.discounts.total_discounts)
        .part("Agency markup", price.public_markup.map_or(markup, |markup| markup.0))
        .total("Customer price", public)
}

/// What the agency pays: the customer's price less what it earns, with the platform's fees.
fn agency(price: &HotelPrice) -> Option<Sums> {
    let agent = price.agent_price.as_ref()?;
    let sums = Sums::of(&agent.currency)
        .small()
        .line("Customer price", agent.public_fare)
        .less("Your commission", agent.agent_commission.unwrap_or_default())
        .part("Service fee", agent.service_fee)
        .part("GST on the service fee", agent.gst_on_service_fee)
        .part("Platform fee", agent.platform_charge)
        .total("You pay", agent.agent_fare);
    Some(sums)
}

/// What is paid at the hotel: the sum that was promised, else the lines of the rates.
fn at_hotel(quote: &HotelQuote) -> Vec<String> {
    let lines: Vec<String> =
        quote.hotel.rooms.iter().flat_map(|room| rates::at_hotel(&room.pricing)).collect();
    let price = &quote.price;
    let sum = price.pay_at_hotel_fees.zip(price.pay_at_hotel_fees_currency.as_deref());
    let sum = sum.filter(|(amount, _)| lines.is_empty() && !amount.0.is_zero());
    let sum = sum.map(|(amount, currency)| money(amount, currency));
    lines.into_iter().chain(sum).collect()
}
