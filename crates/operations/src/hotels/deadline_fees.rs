//! What giving a stay back costs the wallet and the guests, where its supplier keeps so much.

use wayfare_domain::Money;
use wayfare_pricing::{Paid, Sale};

use crate::{RefundTerms, Result, money::refund_terms::Returned};

/// What giving a stay back costs, in the wallet's currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeadlineFees {
    /// What does not come back to the wallet of what it paid.
    pub agent_fee: Money,
    /// What the guests bear of their price: as much of it as the supplier keeps of its own.
    pub guest_fee: Money,
}

/// Where the supplier keeps `fee`, as a cancellation would be settled. None where that is in another currency than what it was
/// sold in: nobody knows then before the supplier says so.
pub fn deadline_fees(sale: &Sale, fee: Money) -> Result<Option<DeadlineFees>> {
    let paid = Paid::of(sale)?;
    let charged = paid.supplier_due;
    if fee.currency() != charged.currency() {
        return Ok(None);
    }
    let fee = fee.at_most(charged)?;
    let refund = charged.minus(fee)?;
    let terms = RefundTerms::of(&paid, Returned { charged, refund })?;
    let (kept, total) = (terms.cancellation_charge, paid.total);
    let guest_fee = match kept == total {
        true => paid.public_fare,
        false => {
            let share = kept.amount().checked_div(total.amount()).unwrap_or_default();
            paid.public_fare.times(share)?.at_most(paid.public_fare)?
        }
    };
    Ok(Some(DeadlineFees { agent_fee: paid.payable()?.minus(terms.refund_to_wallet)?, guest_fee }))
}

#[cfg(test)]
mod tests {
    use rust_decimal::dec;
    use wayfare_domain::{Currency, PackageId};
    use wayfare_pricing::{ApplyOn, Asked, Level, Markup, MarkupKind, Package, Rules};

    use super::*;

    fn rupees(amount: rust_decimal::Decimal) -> Money {
        Money::exact(amount, Currency::INR).unwrap()
    }

    /// A stay of 3,336.12 with a markup of 12 per cent on it and a commission of 128.32.
    fn sold() -> Sale {
        let rules = Rules {
            package: Some(Package {
                id: PackageId::from_uuid(uuid::Uuid::nil()),
                name: "Hotels".to_owned(),
                level: Level::Agency,
                markup: Markup { kind: MarkupKind::Percent, value: dec!(12), apply_on: ApplyOn::Total },
                price_ranges: Vec::new(),
            }),
            ..Rules::none(Currency::INR)
        };
        let asked = Asked {
            commission: Some(rupees(dec!(128.32))),
            ..Asked::of("liteapi", rupees(dec!(3000)), rupees(dec!(336.12)))
        };
        Sale::new(&rules, &asked, dec!(1)).unwrap()
    }

    #[test]
    fn guests_bear_as_much_of_their_price_as_the_supplier_keeps_of_its_own() {
        let sale = sold();
        assert_eq!(sale.price.public_fare(), rupees(dec!(3736.45)));
        for (kept, guest_fee) in [
            (dec!(0), dec!(0)),
            (dec!(1668.06), dec!(1868.23)),
            (dec!(3336.12), dec!(3736.45)),
            (dec!(9999), dec!(3736.45)),
        ] {
            let fees = deadline_fees(&sale, rupees(kept)).unwrap().unwrap();
            assert_eq!(fees.guest_fee, rupees(guest_fee), "{kept}");
            assert!(fees.agent_fee.amount() <= sale.payable().unwrap().amount(), "{kept}");
        }
        let dollars = Money::exact(dec!(40), Currency::USD).unwrap();
        assert_eq!(deadline_fees(&sale, dollars).unwrap(), None);
    }
}
