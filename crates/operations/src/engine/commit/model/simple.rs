//! The second ledger: whole numbers, one work after the other.

use std::collections::HashMap;

use wayfare_domain::RulingKind;

/// So many times what an order cost is charged of it at most (D-613).
const MOST_TIMES_THE_COST: i64 = 100;

/// A wallet as the model knows it, in paise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Simple {
    pub(super) balance: i64,
    pub(super) held: i64,
    pub(super) credit: i64,
    pub(super) active: bool,
    pub(super) entries: i64,
}

#[derive(Clone, Debug)]
pub(super) enum Ask {
    TopUp {
        to: usize,
        amount: i64,
        key: String,
    },
    /// From one wallet to another, without credit.
    Allocate {
        from: usize,
        to: usize,
        amount: i64,
        key: String,
    },
    Spend {
        from: usize,
        amount: i64,
        key: String,
    },
    Deduct {
        from: usize,
        amount: i64,
        key: String,
    },
    /// A purchase is opened: money is held.
    Open {
        by: usize,
        amount: i64,
        reference: String,
    },
    Close {
        reference: String,
        booked: bool,
    },
    /// It is ruled about the money of a purchase.
    Rule {
        reference: String,
        kind: RulingKind,
        amount: i64,
        key: String,
    },
    /// What happens to a purchase after its sale is written down, before its supplier is asked.
    Begin {
        name: String,
        reference: String,
        what: AfterSale,
    },
    /// Its supplier has done it, or refuses it.
    End {
        name: String,
        done: bool,
    },
}

/// What happens to a purchase after its sale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AfterSale {
    /// So much of it is given back, of which the supplier keeps some. The last part is all that is left.
    GiveBack { part: i64, keeps: i64, is_last: bool },
    /// It costs so much more or less at its supplier, and a penalty beside that.
    Change { difference: i64, penalty: i64 },
}

impl Ask {
    pub(super) fn key(&self) -> Option<&str> {
        match self {
            Self::TopUp { key, .. }
            | Self::Allocate { key, .. }
            | Self::Spend { key, .. }
            | Self::Deduct { key, .. }
            | Self::Rule { key, .. } => Some(key),
            Self::Open { .. } | Self::Close { .. } | Self::Begin { .. } | Self::End { .. } => None,
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
    Refused(i64, i64),
    OtherMovement,
    Opened,
    Completed(&'static str),
    /// Whether money moved, and whether it was ruled before.
    Ruled {
        moved: bool,
        repeated: bool,
    },
    NotRuled,
    Begun,
    NotBegun,
    /// Nobody knows.
    Lost,
}

#[derive(Clone, Debug)]
pub(super) struct Purchase {
    pub(super) by: usize,
    pub(super) amount: i64,
    pub(super) status: &'static str,
    /// What was paid for it, less what came back; without penalties of changes.
    pub(super) left: i64,
    /// What its supplier was to charge for it.
    pub(super) sold: i64,
    /// What of that was not given back.
    pub(super) due: i64,
    /// What debit notes and write-offs charge of it, collected or not.
    pub(super) charged: i64,
    /// Whether something is under way with it.
    pub(super) under_way: bool,
}

/// What was begun after a sale.
#[derive(Clone, Debug)]
pub(super) struct Begun {
    pub(super) reference: String,
    pub(super) what: AfterSale,
    pub(super) is_open: bool,
}

/// The second ledger.
#[derive(Default)]
pub(super) struct Model {
    pub(super) wallets: Vec<Simple>,
    pub(super) made: HashMap<String, (Ask, Outcome)>,
    pub(super) purchases: HashMap<String, Purchase>,
    pub(super) begun: HashMap<String, Begun>,
}

impl Model {
    #[allow(clippy::too_many_lines, reason = "a match with an arm for each kind of work")]
    pub(super) fn step(&mut self, ask: &Ask) -> Outcome {
        match ask {
            Ask::TopUp { to, amount, key } => self.moved(ask, key, None, Some(*to), *amount, i64::MAX),
            Ask::Allocate { from, to, amount, key } => {
                let wallet = &self.wallets[*from];
                let available = if wallet.active { (wallet.balance - wallet.held).max(0) } else { 0 };
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
            Ask::Open { by, amount, reference } => {
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
                    sold: *amount,
                    due: *amount,
                    charged: 0,
                    under_way: false,
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
            Ask::Rule { reference, kind, amount, key } => self.ruled(ask, reference, *kind, *amount, key),
            Ask::Begin { name, reference, what } => self.begin(name, reference, *what),
            Ask::End { name, done } => self.end(name, *done),
        }
    }

    fn begin(&mut self, name: &str, reference: &str, what: AfterSale) -> Outcome {
        let purchase = self.purchases.get_mut(reference).unwrap();
        let wallet = &mut self.wallets[purchase.by];
        let held = what.to_be_held();
        if held > wallet.spendable() {
            return Outcome::Refused(wallet.spendable(), held);
        }
        if purchase.status != "confirmed" || purchase.under_way {
            return Outcome::NotBegun;
        }
        wallet.held += held;
        purchase.under_way = true;
        let begun = Begun { reference: reference.to_owned(), what, is_open: true };
        self.begun.insert(name.to_owned(), begun);
        Outcome::Begun
    }

    /// What was ended before changes nothing.
    fn end(&mut self, name: &str, done: bool) -> Outcome {
        let begun = self.begun.get_mut(name).unwrap();
        let purchase = self.purchases.get_mut(&begun.reference).unwrap();
        if !std::mem::take(&mut begun.is_open) {
            return Outcome::Completed(purchase.status);
        }
        let wallet = &mut self.wallets[purchase.by];
        purchase.under_way = false;
        wallet.held -= begun.what.to_be_held();
        if done {
            let moved = match begun.what {
                AfterSale::GiveBack { part, keeps, is_last } => {
                    purchase.due -= part;
                    purchase.left -= part - keeps;
                    if is_last {
                        purchase.status = "cancelled";
                    }
                    part - keeps
                }
                AfterSale::Change { difference, penalty } => {
                    purchase.due += difference;
                    purchase.sold += difference;
                    purchase.left += difference;
                    -difference - penalty
                }
            };
            wallet.balance += moved;
            wallet.entries += i64::from(moved != 0);
        }
        Outcome::Completed(purchase.status)
    }

    fn ruled(&mut self, ask: &Ask, reference: &str, kind: RulingKind, amount: i64, key: &str) -> Outcome {
        if let Some((first, outcome)) = self.made.get(key) {
            return match outcome {
                Outcome::Ruled { moved, .. } if format!("{first:?}") == format!("{ask:?}") => {
                    Outcome::Ruled { moved: *moved, repeated: true }
                }
                _ => Outcome::OtherMovement,
            };
        }
        let purchase = self.purchases.get_mut(reference).unwrap();
        let wallet = &mut self.wallets[purchase.by];
        if !["confirmed", "cancelled"].contains(&purchase.status) {
            return Outcome::NotRuled;
        }
        // Whether money moves, and how much of it to the wallet.
        let (moved, back) = match kind {
            RulingKind::SupplierCancelled => {
                // What came back beyond the charge is the operator's: rulings of the model say each amount twice.
                let back = amount.min(purchase.due);
                let is_given_back = purchase.status == "cancelled";
                if purchase.under_way || is_given_back || back > purchase.left {
                    return Outcome::NotRuled;
                }
                purchase.status = "cancelled";
                purchase.due = 0;
                (true, back)
            }
            RulingKind::Refund if amount > purchase.left => return Outcome::NotRuled,
            RulingKind::DebitNote | RulingKind::WriteOff
                if purchase.charged + amount > purchase.sold * MOST_TIMES_THE_COST =>
            {
                return Outcome::NotRuled;
            }
            RulingKind::Refund => (true, amount),
            RulingKind::DebitNote if wallet.spendable() < amount => (false, 0),
            RulingKind::DebitNote => (true, -amount),
            RulingKind::WriteOff => (true, 0),
        };
        wallet.balance += back;
        wallet.entries += i64::from(back != 0);
        purchase.left -= back;
        if matches!(kind, RulingKind::DebitNote | RulingKind::WriteOff) {
            purchase.charged += amount;
        }
        let outcome = Outcome::Ruled { moved, repeated: false };
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
                    Outcome::Moved { from: *from, to: *to, repeated: true }
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
        let outcome = Outcome::Moved { from: after(from, -amount), to: after(to, amount), repeated: false };
        self.made.insert(key.to_owned(), (ask.clone(), outcome.clone()));
        outcome
    }
}

impl AfterSale {
    /// What is set aside for it, where it costs any.
    pub(super) fn to_be_held(self) -> i64 {
        match self {
            Self::Change { difference, penalty } => (difference + penalty).max(0),
            Self::GiveBack { .. } => 0,
        }
    }
}

impl Simple {
    pub(super) fn spendable(&self) -> i64 {
        if self.active { self.balance - self.held + self.credit } else { 0 }
    }
}
