//! What is said of incidents: what an operator has to look at because the service can't settle it by itself.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::Money;

crate::word_enum! {
    /// What is out of order.
    pub enum IncidentKind {
        /// A step is open past the deadline: nobody knows what became of it at its supplier.
        OutcomeUnknown,
        /// An order was made at the supplier although its booking had failed: the supplier charges us, no wallet pays.
        OrderWithoutBooking,
        /// The supplier charged another total than it had quoted.
        OtherTotal,
        /// A supplier keeps a part of an order that was given back because its booking had failed: nobody is charged for it.
        PenaltyKept,
        /// The supplier has cancelled an order that stood, and nobody had asked for it.
        CancelledBySupplier,
        /// The supplier gave another amount back than it had quoted.
        OtherRefund,
        /// The supplier names the travellers of an order so that nobody can tell surely who is who: it stands, and what it has for
        /// one of them, such as a ticket, is nobody's.
        TravellersUnclear,
        /// Nobody can tell what comes back of an order that its agency wants to give back.
        RefundUnclear,
        /// An order that stands here is neither confirmed, held nor gone at its supplier, which has had its time.
        OrderUnsettled,
        /// An agency refuses what an airline changed so much that all should come back, and the supplier would keep a part.
        InvoluntaryRefund,
    }

    /// What the operator has decided: the outcome of a resolution.
    pub enum IncidentOutcome {
        /// The supplier did it.
        Done,
        /// Nothing happened at the supplier.
        Refused,
        /// It was handled outside of the service.
        #[strum(serialize = "noted")]
        #[serde(rename = "noted")]
        Acknowledged,
        /// A ruling moved the money.
        Ruled,
    }

    /// What is wrong with a supplier, for the operator alone to mend.
    #[derive(PartialOrd, Ord)]
    pub enum AlarmKind {
        /// Our account there can't pay: nothing new is sold.
        AccountEmpty,
        /// Our account there is below what the operator wants in it.
        AccountLow,
        /// It does not accept our credentials.
        Credentials,
        /// It tells us of nothing any more, though things change there.
        WebhookSilent,
        /// More orders are to be polled than it lets us.
        LooksExhausted,
        /// Something of its answers can't be read as it comes that always could.
        ReadLosses,
    }

    /// Who closed an incident, or an alarm.
    pub enum ClosedBy {
        /// Nobody: the outcome became known after all.
        Itself,
        /// The operator's resolution.
        Operator,
    }
}

/// The details of an incident [`IncidentKind::CancelledBySupplier`] that a poll of the order has raised: the order is
/// cancelled here, too, and what comes back is still to be settled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SupplierCancellation {
    /// The order's number in its booking, from 1.
    pub number: u16,
    /// The supplier's code.
    pub supplier: String,
    /// The supplier's id of the order.
    pub order_id: String,
    /// What the supplier had charged for it, in its currency.
    pub charged: Money,
    /// What the supplier gives back, in the currency that it says; none where it does not say.
    pub refund: Option<Money>,
    /// How, in its own word.
    pub refund_to: Option<String>,
    /// When it was seen first that it is cancelled, UTC.
    pub seen_at: DateTime<Utc>,
}

impl SupplierCancellation {
    /// Whether the supplier says that all comes back that it had charged.
    pub fn is_all_back(&self) -> bool {
        self.refund == Some(self.charged)
    }
}

impl IncidentOutcome {
    /// Whether nothing is left to be done once it is written: it closes its incident. The others close it when the step
    /// that they decide is completed.
    pub fn closes_at_once(self) -> bool {
        match self {
            Self::Acknowledged | Self::Ruled => true,
            Self::Done | Self::Refused => false,
        }
    }

    /// Whether the operator was told that the supplier did it: then a look-up that finds nothing proves no refusal.
    pub fn says_done(self) -> bool {
        match self {
            Self::Done => true,
            Self::Refused | Self::Acknowledged | Self::Ruled => false,
        }
    }
}
