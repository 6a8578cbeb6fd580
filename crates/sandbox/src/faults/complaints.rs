//! What a supplier says no to on demand: nothing is done, and the answer is the supplier's own error.

use serde::Serialize;
use strum::{Display, EnumString, VariantNames};

use super::{Call, Supplier};

/// What is wrong, in words that are the same for every supplier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Display, EnumString, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub(crate) enum Complaint {
    /// A traveller's document was not sent.
    PapersMissing,
    /// A traveller's document is not accepted.
    PapersRefused,
    /// The name of a traveller or guest is not accepted.
    TravellerRefused,
    Duplicate,
    /// What was chosen is not sold together.
    NotCombinable,
    TooLate,
    /// The order does not allow it.
    NotChangeable,
    /// A newer change of the airline's has replaced the one that is accepted.
    ChangeStale,
    DepositEmpty,
    Expired,
    /// Something that nobody has a word for.
    Refused,
}

impl Complaint {
    /// Whether this supplier answers such a call so.
    pub(crate) fn fits(self, supplier: Supplier, call: Call) -> bool {
        use Supplier::{Duffel, Hotelbeds, Liteapi, Tripjack};
        match self {
            Self::PapersMissing | Self::PapersRefused => {
                matches!(supplier, Duffel | Tripjack) && call == Call::Book
            }
            Self::TravellerRefused => call == Call::Book,
            Self::Duplicate | Self::Expired => matches!(call, Call::Price | Call::Book),
            Self::NotCombinable => supplier == Tripjack && call == Call::Price,
            Self::TooLate => match supplier {
                Duffel => call == Call::Ticket,
                Tripjack | Hotelbeds => call == Call::Cancel,
                Liteapi => false,
            },
            Self::NotChangeable => matches!(call, Call::CancelQuote | Call::Cancel),
            Self::ChangeStale => supplier == Duffel && call == Call::Change,
            Self::DepositEmpty => matches!(call, Call::Book | Call::Ticket | Call::AddService),
            Self::Refused => true,
        }
    }
}
