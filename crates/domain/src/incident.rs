//! What is said of incidents: what an operator has to look at because the service can't settle it by itself.

crate::word_enum! {
    /// What is out of order.
    pub enum IncidentKind {
        /// A step is open past the deadline: nobody knows what became of it at its supplier.
        OutcomeUnknown,
        /// An order was made at the supplier although its booking had failed: nobody pays for it.
        OrderWithoutBooking,
        /// The supplier charged another total than it had quoted.
        OtherTotal,
        /// A supplier keeps a part of an order that was given back because its booking had failed: nobody is charged for it.
        PenaltyKept,
        /// The supplier has cancelled an order that stood, and nobody had asked for it.
        CancelledBySupplier,
        /// The supplier gave another amount back than it had quoted.
        OtherRefund,
    }

    /// What the operator has ruled.
    pub enum IncidentOutcome {
        /// The supplier did it.
        Done,
        /// Nothing happened at the supplier.
        Refused,
        /// It was handled outside of the service.
        #[strum(serialize = "noted")]
        #[serde(rename = "noted")]
        Acknowledged,
    }

    /// Who closed an exception.
    pub enum ClosedBy {
        /// Nobody: the outcome became known after all.
        Itself,
        /// The operator's resolution.
        Operator,
    }
}
