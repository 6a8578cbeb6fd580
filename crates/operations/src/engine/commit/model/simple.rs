//! The second ledger: whole numbers, one work after the other.

use std::collections::HashMap;

/// A wallet as the model knows it, in paise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Simple {
    pub(super) balance: i64,
    pub(super) held: i64,
    pub(super) credit: i64,
    pub(super) active: bool,
    pub(super) entries: i64,
}

/// What somebody asks.
#[derive(Clone, Debug)]
pub(super) enum Ask {
    /// From outside into a wallet.
    TopUp { to: usize, amount: i64, key: String },
    /// From one wallet to another, without credit.
    Allocate {
        from: usize,
        to: usize,
        amount: i64,
        key: String,
    },
    /// Out of a wallet, with credit.
    Spend { from: usize, amount: i64, key: String },
    /// Out of a wallet, frozen or not.
    Deduct { from: usize, amount: i64, key: String },
    /// A purchase is opened: money is held.
    Open {
        by: usize,
        amount: i64,
        reference: String,
    },
    /// A purchase is closed.
    Close { reference: String, booked: bool },
    /// It is ruled that more comes back of a purchase, or that a debit note is paid.
    Rule {
        reference: String,
        is_refund: bool,
        amount: i64,
        key: String,
    },
}

impl Ask {
    pub(super) fn key(&self) -> Option<&str> {
        match self {
            Self::TopUp { key, .. }
            | Self::Allocate { key, .. }
            | Self::Spend { key, .. }
            | Self::Deduct { key, .. }
            | Self::Rule { key, .. } => Some(key),
            Self::Open { .. } | Self::Close { .. } => None,
        }
    }
}

/// What came of it, as far as callers are told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Moved {
        from: Option<i64>,
        to: Option<i64>,
        repeated: bool,
    },
    /// Available and required.
    Refused(i64, i64),
    OtherMovement,
    Opened,
    /// The status of the booking.
    Completed(&'static str),
    /// Whether money moved, and whether it was ruled before.
    Ruled {
        moved: bool,
        repeated: bool,
    },
    /// It can't be ruled.
    NotRuled,
    /// Nobody knows.
    Lost,
}

#[derive(Clone, Debug)]
pub(super) struct Purchase {
    pub(super) by: usize,
    pub(super) amount: i64,
    pub(super) status: &'static str,
    /// What was paid for it, less what came back.
    pub(super) left: i64,
}

/// The second ledger.
#[derive(Default)]
pub(super) struct Model {
    pub(super) wallets: Vec<Simple>,
    pub(super) made: HashMap<String, (Ask, Outcome)>,
    pub(super) purchases: HashMap<String, Purchase>,
}

impl Model {
    pub(super) fn step(&mut self, ask: &Ask) -> Outcome {
        match ask {
            Ask::TopUp { to, amount, key } => self.moved(ask, key, None, Some(*to), *amount, i64::MAX),
            Ask::Allocate {
                from,
                to,
                amount,
                key,
            } => {
                let wallet = &self.wallets[*from];
                let available = if wallet.active {
                    (wallet.balance - wallet.held).max(0)
                } else {
                    0
                };
                self.moved(ask, key, Some(*from), Some(*to), *amount, available)
            }
            Ask::Deduct { from, amount, key } => {
                let wallet = &self.wallets[*from];
                let available = (wallet.balance - wallet.held).max(0);
                self.moved(ask, key, Some(*from), None, *amount, available)
            }
            Ask::Spend { from, amount, key } => {
                let available = self.wallets[*from].spendable();
                self.moved(ask, key, Some(*from), None, *amount, available)
            }
            Ask::Open {
                by,
                amount,
                reference,
            } => {
                let available = self.wallets[*by].spendable();
                if available < *amount {
                    return Outcome::Refused(available, *amount);
                }
                self.wallets[*by].held += amount;
                let purchase = Purchase {
                    by: *by,
                    amount: *amount,
                    status: "pending",
                    left: *amount,
                };
                self.purchases.insert(reference.clone(), purchase);
                Outcome::Opened
            }
            Ask::Close { reference, booked } => {
                let purchase = self.purchases.get_mut(reference).unwrap();
                if purchase.status == "pending" {
                    let wallet = &mut self.wallets[purchase.by];
                    wallet.held -= purchase.amount;
                    if *booked {
                        wallet.balance -= purchase.amount;
                        wallet.entries += 1;
                    }
                    purchase.status = if *booked { "confirmed" } else { "failed" };
                }
                Outcome::Completed(purchase.status)
            }
            Ask::Rule {
                reference,
                is_refund,
                amount,
                key,
            } => self.ruled(ask, reference, *is_refund, *amount, key),
        }
    }

    fn ruled(&mut self, ask: &Ask, reference: &str, is_refund: bool, amount: i64, key: &str) -> Outcome {
        if let Some((first, outcome)) = self.made.get(key) {
            return match outcome {
                Outcome::Ruled { moved, .. } if format!("{first:?}") == format!("{ask:?}") => {
                    Outcome::Ruled {
                        moved: *moved,
                        repeated: true,
                    }
                }
                _ => Outcome::OtherMovement,
            };
        }
        let purchase = self.purchases.get_mut(reference).unwrap();
        let wallet = &mut self.wallets[purchase.by];
        if purchase.status != "confirmed" || is_refund && purchase.left < amount {
            return Outcome::NotRuled;
        }
        let moved = is_refund || wallet.spendable() >= amount;
        if moved {
            let change = if is_refund { amount } else { -amount };
            wallet.balance += change;
            wallet.entries += 1;
            purchase.left -= change;
        }
        let outcome = Outcome::Ruled {
            moved,
            repeated: false,
        };
        self.made.insert(key.to_owned(), (ask.clone(), outcome.clone()));
        outcome
    }

    pub(super) fn moved(
        &mut self,
        ask: &Ask,
        key: &str,
        from: Option<usize>,
        to: Option<usize>,
        amount: i64,
        available: i64,
    ) -> Outcome {
        if let Some((first, outcome)) = self.made.get(key) {
            return match outcome {
                Outcome::Moved { from, to, .. } if format!("{first:?}") == format!("{ask:?}") => {
                    Outcome::Moved {
                        from: *from,
                        to: *to,
                        repeated: true,
                    }
                }
                _ => Outcome::OtherMovement,
            };
        }
        if available < amount {
            return Outcome::Refused(available, amount);
        }
        let mut after = |place: Option<usize>, change: i64| {
            place.map(|place| {
                let wallet = &mut self.wallets[place];
                wallet.balance += change;
                wallet.entries += 1;
                wallet.balance
            })
        };
        let outcome = Outcome::Moved {
            from: after(from, -amount),
            to: after(to, amount),
            repeated: false,
        };
        self.made.insert(key.to_owned(), (ask.clone(), outcome.clone()));
        outcome
    }
}

impl Simple {
    pub(super) fn spendable(&self) -> i64 {
        if self.active {
            self.balance - self.held + self.credit
        } else {
            0
        }
    }
}
