//! The classes of travel.

use schemars::JsonSchema;

wayfare_domain::word_enum! {
    /// The class of travel.
    #[derive(Hash, JsonSchema)]
    pub enum Cabin in "SCREAMING_SNAKE_CASE" {
        /// Economy.
        Economy,
        /// Premium economy.
        PremiumEconomy,
        /// Business.
        Business,
        /// First.
        First,
    }
}
