//! What the operator rules about money after the sale, and what rows of the fare ledger stand for.

crate::word_enum! {
    /// What a row of the fare ledger stands for.
    pub enum FareKind {
        /// An order was sold.
        Sale,
        /// It was given back, by whomever.
        Refund,
        /// More came back of it, by the operator's ruling.
        Adjustment,
        /// The agency had its flights changed at its supplier.
        Change,
        /// Its supplier charged for it after the sale, and the agency paid.
        DebitNote,
        /// Its supplier charged for it, and the operator bears that: agencies never see it.
        WriteOff,
    }

    /// What the operator rules about an order of a booking.
    pub enum RulingKind {
        /// Its supplier cancelled it by itself and gives so much back, in its own currency.
        SupplierCancelled,
        /// So much more comes back to the wallet.
        Refund,
        /// The supplier has charged so much after the sale (ADM), and the wallet pays.
        DebitNote,
        /// The supplier has charged so much, and the operator bears it.
        WriteOff,
    }

    /// How far a ruling is.
    pub enum RulingState {
        /// It is carried out.
        Done,
        /// A debit note that the wallet did not cover: it waits, and nothing has moved.
        Due,
        /// A debit note that was due, and waits no more: nothing has moved.
        Withdrawn,
    }
}

crate::word_enum! { closed
    /// Whether the operator's own fees come back, of an order that its supplier has cancelled.
    pub enum FeesRuling {
        /// They do.
        Return,
        /// The operator keeps them.
        Keep,
    }
}
