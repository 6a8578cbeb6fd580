//! What adapters read of recorded answers, added up beside what the answers say: the tests of `hotels` have this file, too.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use wayfare_domain::Money;
use wayfare_stub_server::did_not_run;

/// How many amounts there are in each currency, and what they come to.
type Amounts = BTreeMap<String, (usize, Decimal)>;

#[derive(Debug, Default)]
pub struct Sums {
    ours: Amounts,
    theirs: Amounts,
}

impl Sums {
    pub fn add(&mut self, ours: Money, currency: &str, amount: Decimal) {
        let both =
            [(&mut self.ours, ours.currency().code(), ours.amount()), (&mut self.theirs, currency, amount)];
        for (sums, currency, amount) in both {
            let (count, sum) = sums.entry(currency.to_owned()).or_default();
            *count += 1;
            *sum += amount;
        }
    }

    pub fn compare(&self, what: &str) {
        println!("{what}: {self:?}");
        assert_eq!(self.ours, self.theirs, "{what}");
        if self.ours.is_empty() {
            did_not_run(&format!("no file of WAYFARE_RECORDINGS has {what}"));
        }
    }
}
