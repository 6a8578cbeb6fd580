//! The price of a stay as it is shown: its parts, its rooms, and what giving it back costs.

use wayfare_client::hotels::HotelPrice;

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

/// A day that was typed.
fn day(typed: &str) -> String {
    typed.parse().map(crate::day::day).unwrap_or_default()
}

impl<'a> PriceCard<'a> {
    /// Of a price, for whoever pays it.
    pub fn of(quote: &'a HotelQuote, stay: &'a Stay, buyer: &Buyer) -> Self {
        let (total, currency) = (quote.price.agent_price.agent_fare, &quote.price.currency);
        let balance = Balance::of(buyer, total.0, currency);
        Self { payable: money(total, currency), quote, stay, balance }
    }

    fn policy(&self) -> PolicyView {
        let price = &self.quote.price;
        PolicyView::for_agency(&price.cancellation_policy, &price.currency)
    }
}

/// What the customer pays: rooms, taxes and fees less discounts, with the agency's markup.
fn customer(price: &HotelPrice) -> Sums {
    let parts = &price.pricing_breakdown;
    Sums::of(&price.currency)
        .small()
        .part("Rooms", parts.room_charges.subtotal)
        .part("Taxes", parts.taxes.total_taxes)
        .part("Fees", parts.fees.total_fees)
        .less("Discounts", parts.discounts.total_discounts)
        .part("Agency markup", price.public_markup)
        .total("Customer price", price.agent_price.public_fare)
}

/// What the agency pays: the customer's price less what it earns, with the platform's fees.
fn agency(price: &HotelPrice) -> Sums {
    let agent = &price.agent_price;
    Sums::of(&agent.currency)
        .small()
        .line("Customer price", agent.public_fare)
        .less("Your commission", agent.agent_commission.unwrap_or_default())
        .part("Service fee", agent.service_fee)
        .part("GST on the service fee", agent.gst_on_service_fee)
        .part("Platform fee", agent.platform_charge)
        .total("You pay", agent.agent_fare)
}

/// What is paid at the hotel: the sum that was promised, else the lines of the rates.
fn at_hotel(quote: &HotelQuote) -> Vec<String> {
    let lines: Vec<String> =
        quote.hotel.rooms.iter().flat_map(|room| rates::at_hotel(&room.pricing)).collect();
    let price = &quote.price;
    let fees = price.pay_at_hotel_fees;
    let currency = price.pay_at_hotel_fees_currency.as_deref();
    let currency = currency.filter(|_| lines.is_empty() && !fees.0.is_zero());
    let sum = currency.map(|currency| money(fees, currency));
    lines.into_iter().chain(sum).collect()
}
