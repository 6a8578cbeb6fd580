//! The price of a stay as it is shown: its parts, its rooms, and what giving it back costs.

use rust_decimal::Decimal;
use wayfare_client::{Amount, Wallet, hotels::HotelPrice};

use super::{guests::HotelQuote, policy::PolicyView, rates, stay::Stay};
use crate::{
    day::{self, Moment},
    money::money,
};

/// A price.
pub struct QuoteView {
    /// The hotel's name.
    pub hotel: String,
    /// The days: from, to.
    pub days: (String, String),
    /// Nights and rooms.
    pub about: String,
    /// What is booked: how many of which room, and what is served.
    pub rooms: Vec<(String, String)>,
    /// What the wallet pays.
    pub payable: String,
    /// What the guest pays.
    pub public: String,
    /// Lines of what the stay costs.
    pub parts: Vec<(&'static str, String)>,
    /// Lines of what the agency pays.
    pub agency: Vec<(&'static str, String)>,
    /// What is paid at the hotel, in no total.
    pub at_hotel: Vec<String>,
    /// Until when the price holds.
    pub until: Moment,
    /// What giving it back costs.
    pub policy: PolicyView,
    /// What has to be told to guests.
    pub remarks: Vec<String>,
    /// What can be spent before it.
    pub wallet: String,
    /// What is left then; none where it does not reach.
    pub after: Option<String>,
    /// What it moved from and to since it was shown, and the difference.
    pub moved: Option<(String, String, String)>,
}

/// What the wallet pays.
fn payable(price: &HotelPrice) -> Amount {
    let agent = price.agent_price.as_ref();
    agent.map_or(price.pricing_breakdown.grand_total, |agent| agent.agent_fare)
}

impl QuoteView {
    /// Of a price, with the wallet that pays it.
    pub fn of(quote: &HotelQuote, stay: &Stay, wallet: &Wallet) -> Self {
        let price = &quote.price;
        let text = |amount: Amount| money(amount, &price.currency);
        let total = payable(price).0;
        let spendable = wallet.spendable.unwrap_or(wallet.balance).0;
        let public = price.agent_price.as_ref().map(|agent| agent.public_fare);
        let day = |day: &str| day.parse().map(day::day).unwrap_or_default();
        Self {
            hotel: quote.hotel.name.clone(),
            days: (day(&stay.check_in), day(&stay.check_out)),
            about: stay.about(),
            rooms: price
                .rooms
                .iter()
                .map(|room| {
                    (
                        format!("{} × {}", room.quantity, room.name),
                        rates::board(&room.meal_plan).to_owned(),
                    )
                })
                .collect(),
            payable: text(total.into()),
            public: text(public.unwrap_or(price.pricing_breakdown.grand_total)),
            parts: parts(price),
            agency: agency(price),
            at_hotel: at_hotel(quote),
            until: Moment::of(price.expires_at),
            policy: PolicyView::of(price.cancellation_policy.as_ref()),
            remarks: price.remarks.clone(),
            wallet: text(spendable.into()),
            after: (spendable >= total).then(|| text((spendable - total).into())),
            moved: price.price_change.as_ref().map(|change| {
                let difference = change.new_total.0 - change.old_total.0;
                let sign = if difference > Decimal::ZERO { "+" } else { "" };
                let difference = format!("{sign}{}", text(difference.into()));
                (text(change.old_total), text(change.new_total), difference)
            }),
        }
    }
}

fn parts(price: &HotelPrice) -> Vec<(&'static str, String)> {
    let parts = &price.pricing_breakdown;
    let discount = -parts.discounts.total_discounts.0;
    let lines = [
        ("Rooms", parts.room_charges.subtotal),
        ("Taxes", parts.taxes.total_taxes),
        ("Fees", parts.fees.total_fees),
        ("Discounts", discount.into()),
    ];
    let told = lines.into_iter().filter(|(_, amount)| !amount.0.is_zero());
    told.map(|(name, amount)| (name, money(amount, &price.currency)))
        .collect()
}

fn agency(price: &HotelPrice) -> Vec<(&'static str, String)> {
    let Some(agent) = &price.agent_price else {
        return Vec::new();
    };
    let lines = [
        ("Price for you", Some(agent.agent_fare)),
        ("of it service fee", Some(agent.service_fee)),
        ("of it tax on the fee", Some(agent.gst_on_service_fee)),
        ("of it platform charge", Some(agent.platform_charge)),
        ("You earn", agent.agent_commission),
    ];
    let told = lines
        .into_iter()
        .filter_map(|(name, amount)| Some((name, amount?)));
    told.filter(|(_, amount)| !amount.0.is_zero())
        .map(|(name, amount)| (name, money(amount, &agent.currency)))
        .collect()
}

/// What is paid at the hotel: the sum that was promised, else the lines of the rates.
fn at_hotel(quote: &HotelQuote) -> Vec<String> {
    let lines: Vec<String> = quote
        .hotel
        .rooms
        .iter()
        .flat_map(|room| rates::at_hotel(&room.pricing))
        .collect();
    let price = &quote.price;
    let sum = price
        .pay_at_hotel_fees
        .zip(price.pay_at_hotel_fees_currency.as_deref());
    let sum = sum.filter(|(amount, _)| lines.is_empty() && !amount.0.is_zero());
    let sum = sum.map(|(amount, currency)| money(amount, currency));
    lines.into_iter().chain(sum).collect()
}
