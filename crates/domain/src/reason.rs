//! Why something that needed a supplier did not come to be, in words for programs.

crate::word_enum! {
    /// Why it did not come to be.
    pub enum ReasonCode {
        /// The supplier no longer sells the offer.
        SoldOut,
        /// The time of the offer or of its price is over.
        OfferExpired,
        /// The price is not the one that was agreed to.
        PriceChanged,
        /// A traveller's document is missing.
        PapersMissing,
        /// A traveller's document is not accepted.
        PapersInvalid,
        /// Something else about a traveller is not accepted.
        TravellerInvalid,
        /// The airline or the supplier has such a booking already.
        DuplicateAtAirline,
        /// The offers are not sold together.
        NotCombinable,
        /// The time for a change or a cancellation is over.
        TooLate,
        /// The order does not allow it.
        NotChangeable,
        /// The supplier does not sell to this agency, or to nobody for now.
        NotForSale,
        /// The supplier said no to something else.
        Refused,
        /// The supplier can't be asked now.
        Unavailable,
    }

    /// What helps.
    pub enum Retry {
        /// Search again.
        Search,
        /// Price again.
        Price,
        /// Correct what is at fault.
        Fix,
        /// Look whether it is there already.
        Look,
        /// Take another offer.
        OtherOffer,
        /// Ask the operator.
        CallUs,
        /// Wait, and try again.
        Later,
    }
}

impl ReasonCode {
    /// A sentence for people.
    pub fn text(self) -> &'static str {
        match self {
            Self::SoldOut => "The supplier no longer sells this offer.",
            Self::OfferExpired => "The time of this offer is over.",
            Self::PriceChanged => "The price is no longer the one that was agreed to.",
            Self::PapersMissing => "A traveller's document is missing.",
            Self::PapersInvalid => "A traveller's document is not accepted.",
            Self::TravellerInvalid => "The details of a traveller or guest are not accepted.",
            Self::DuplicateAtAirline => "The airline or the supplier has such a booking already.",
            Self::NotCombinable => "These offers are not sold together.",
            Self::TooLate => "The time for this is over.",
            Self::NotChangeable => "The order does not allow this.",
            Self::NotForSale => "This supplier does not sell to you now.",
            Self::Refused => "The supplier has refused this.",
            Self::Unavailable => "The supplier can't be asked now.",
        }
    }

    /// What helps.
    pub fn retry(self) -> Retry {
        match self {
            Self::SoldOut | Self::OfferExpired => Retry::Search,
            Self::PriceChanged => Retry::Price,
            Self::PapersMissing | Self::PapersInvalid | Self::TravellerInvalid => Retry::Fix,
            Self::DuplicateAtAirline => Retry::Look,
            Self::NotCombinable | Self::NotForSale | Self::Refused => Retry::OtherOffer,
            Self::TooLate | Self::NotChangeable => Retry::CallUs,
            Self::Unavailable => Retry::Later,
        }
    }
}
