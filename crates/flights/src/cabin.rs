//! The classes of travel.

wayfare_domain::word_enum! { closed
    /// The class of travel.
    #[derive(Hash)]
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
