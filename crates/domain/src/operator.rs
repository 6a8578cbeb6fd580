//! Who works for the platform at the operator's API, and what they may do there.

crate::word_enum! {
    /// What an operator may do: each may read all.
    pub enum OperatorRole {
        /// Reads.
        Viewer,
        /// Decides incidents, and corrects and rules on bookings.
        Desk,
        /// Moves money; sets terms, contracts and rates.
        Finance,
        /// Does all of it, and looks after operators and agencies.
        Admin,
    }
}

impl OperatorRole {
    /// Whether whoever has this role may do what the other one is needed for.
    pub fn covers(self, needed: Self) -> bool {
        match self {
            Self::Admin => true,
            Self::Viewer | Self::Desk | Self::Finance => needed == Self::Viewer || needed == self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use OperatorRole::{Admin, Desk, Finance, Viewer};

    #[test]
    fn all_read_and_an_admin_does_all() {
        for (own, covered) in [
            (Viewer, vec![Viewer]),
            (Desk, vec![Viewer, Desk]),
            (Finance, vec![Viewer, Finance]),
            (Admin, vec![Viewer, Desk, Finance, Admin]),
        ] {
            let found = [Viewer, Desk, Finance, Admin].into_iter();
            let found: Vec<_> = found.filter(|needed| own.covers(*needed)).collect();
            assert_eq!(found, covered, "{own:?}");
        }
    }
}
