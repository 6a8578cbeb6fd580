//! Prices: tariffs, currencies and quotes.

mod currencies;
mod quotes;
mod tariffs;
