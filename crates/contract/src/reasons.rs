//! The words of a refusal's reason, where a supplier or the time of an offer is the reason.

#[cfg(feature = "schema")]
use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::word_list::words;

words! {
    /// Why it did not come to be.
    ReasonCode {
        /// The supplier no longer sells the offer.
        SoldOut = "sold_out",
        /// The time of the offer or of its price is over.
        OfferExpired = "offer_expired",
        /// The price is not the one that was agreed to.
        PriceChanged = "price_changed",
        /// A traveller's document is missing.
        PapersMissing = "papers_missing",
        /// A traveller's document is not accepted.
        PapersInvalid = "papers_invalid",
        /// Something else about a traveller is not accepted.
        TravellerInvalid = "traveller_invalid",
        /// The airline or the supplier has such a booking already.
        DuplicateAtAirline = "duplicate_at_airline",
        /// The offers are not sold together.
        NotCombinable = "not_combinable",
        /// The time for a change or a cancellation is over.
        TooLate = "too_late",
        /// The order does not allow it.
        NotChangeable = "not_changeable",
        /// The supplier does not sell to this agency, or to nobody for now.
        NotForSale = "not_for_sale",
        /// The supplier said no to something else.
        Refused = "refused",
        /// The supplier can't be asked now.
        Unavailable = "unavailable",
    }
    /// What helps.
    Retry {
        /// Search again.
        Search = "search",
        /// Price again.
        Price = "price",
        /// Correct what is at fault.
        Fix = "fix",
        /// Look whether it is there already.
        Look = "look",
        /// Take another offer.
        OtherOffer = "other_offer",
        /// Ask the operator.
        CallUs = "call_us",
        /// Wait, and try again.
        Later = "later",
    }
}
