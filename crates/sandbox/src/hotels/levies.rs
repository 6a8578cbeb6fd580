//! What states, cities and houses take beside the price: within it, or at the hotel in the money of the country.

use std::collections::HashMap;
use std::sync::LazyLock;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use wayfare_domain::Currency;

use super::hotel::{Hotel, Style};
use super::rooms::{Guests, Stay};
use crate::rng::Rng;
use crate::tariff::{self, Tariff};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Levy {
    /// The state's, always within the price.
    SalesTax,
    /// The city's, for each adult and night, at the hotel.
    CityTax,
    /// The house's, for each room and night, at the hotel.
    ResortFee,
}

impl Levy {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::SalesTax => "VAT/GST",
            Self::CityTax => "City tax",
            Self::ResortFee => "Resort fee",
        }
    }
}

/// What a room's guests pay at the hotel, for the whole stay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DueThere {
    pub(crate) levy: Levy,
    pub(crate) amount: Decimal,
    /// Of the hotel's country, where the tariff knows it; else US dollars.
    pub(crate) currency: String,
}

/// The money of each country that the tariff has a currency for.
static LOCAL: LazyLock<HashMap<String, Tariff>> = LazyLock::new(|| {
    let mut local = HashMap::new();
    for tariff in tariff::all() {
        let countries = Currency::from_code(tariff.currency).map(Currency::used_by).unwrap_or_default();
        for country in countries {
            local.entry(country.to_string()).or_insert(tariff);
        }
    }
    local
});

impl Hotel {
    /// The state's share of a price that holds it, in thousandths of the price without it.
    pub(super) fn sales_tax(&self) -> u32 {
        let rates = [50, 70, 100, 120, 180, 200];
        let mut rng = Rng::of(self.seed, &format!("sales tax/{}", self.city.country));
        rng.pick(&rates).copied().unwrap_or(100)
    }

    pub(crate) fn local_money(&self) -> Option<Tariff> {
        LOCAL.get(self.city.country).copied().or_else(|| Tariff::in_currency("USD"))
    }

    pub(super) fn due_there(&self, stay: Stay, guests: &Guests) -> Vec<DueThere> {
        let Some(money) = self.local_money() else { return Vec::new() };
        let nights = Decimal::from(stay.number_of_nights());
        let due = |levy, us_cents: u32, number: u8| DueThere {
            levy,
            amount: money.of_cents(us_cents.into()) * Decimal::from(number) * nights,
            currency: money.currency.to_owned(),
        };
        let mut city = Rng::of(self.seed, &format!("city tax/{}", self.city.code));
        let mut all = Vec::new();
        if city.one_in(2) {
            all.push(due(Levy::CityTax, city.between(100, 450), guests.adults));
        }
        let mut house = self.rng("resort fee");
        if self.style == Style::Resort && house.one_in(2) {
            all.push(due(Levy::ResortFee, house.between(1_200, 3_900), 1));
        }
        all
    }
}
