//! Posting rules: who gets what when a booking is paid, and who gives what when it is given back.

use wayfare_domain::{Currency, Money, ProductKind, WalletId};
use wayfare_ledger::{Account, Leg};
use wayfare_pricing::{Paid, Sale, Totals};

use crate::{Error, Result, money::refund_terms::RefundTerms};

/// The legs of a paid booking: the wallet pays, the suppliers are owed T − K, the rest is split. None when
/// nothing is paid.
pub(crate) fn booking_legs(wallet: WalletId, sales: &[Sale], currency: Currency) -> Result<Vec<Leg>> {
    let totals = Totals::of(sales, currency)?;
    let mut split = Split::new(currency);
    for sale in sales {
        split.credit(Account::Supplier(sale.supplier.clone()), owed(sale)?)?;
    }
    split.credit(Account::Markup, totals.markup)?;
    split.credit(Account::ServiceFee, totals.service_fee)?;
    split.credit(Account::Gst, totals.gst)?;
    split.credit(Account::PlatformCharge, totals.platform_charge)?;
    split.balance(Leg::debit(Account::Wallet(wallet), totals.payable()?))
}

/// What a supplier is owed for an order: T, its ancillaries and changes, less K.
pub(crate) fn owed(sale: &Sale) -> Result<Money> {
    Ok(sale.supplied()?.minus(sale.price.commission())?)
}

/// By how much less a supplier is owed when it gives back so much, be it more than it was paid. A flight's commission stays with the
/// agency and the platform, so it is not given a second time. A stay's supplier charges the price less the commission: it gives back
/// the same share of that as of the price (D-656).
pub(crate) fn owed_less(kind: ProductKind, paid: &Paid, terms: &RefundTerms) -> Result<Money> {
    let returned = match kind {
        ProductKind::Flight => {
            let returned = terms.provider_refund_amount.minus(paid.commission)?;
            returned.at_least(Money::zero(returned.currency()))?
        }
        ProductKind::Hotel => terms.share_of(paid.total.minus(paid.commission)?, paid)?,
    };
    Ok(returned.plus(terms.surplus)?)
}

/// The legs of a service that was added to a booking: all of it is owed to the supplier.
pub(crate) fn service_legs(wallet: WalletId, supplier: &str, amount: Money) -> Result<Vec<Leg>> {
    let mut split = Split::new(amount.currency());
    split.credit(Account::Supplier(supplier.to_owned()), amount)?;
    split.balance(Leg::debit(Account::Wallet(wallet), amount))
}

/// The legs of a change of flights: its supplier gets all that the wallet pays, or gives what the wallet gets.
pub(crate) fn change_legs(wallet: WalletId, supplier: &str, amount: Money) -> Result<Vec<Leg>> {
    if !amount.is_negative() {
        return service_legs(wallet, supplier, amount);
    }
    let mut split = Split::new(amount.currency());
    split.credit(Account::Supplier(supplier.to_owned()), amount)?;
    split.balance(Leg::credit(Account::Wallet(wallet), amount.negated()))
}

/// The legs of a refund: the wallet gets it, from what the supplier gives back and the markup; what those
/// don't cover, or leave over, is the platform's commission. Where nothing is left for the wallet, the markup stays.
pub(crate) fn refund_legs(
    wallet: WalletId,
    (kind, supplier): (ProductKind, &str),
    paid: &Paid,
    terms: &RefundTerms,
) -> Result<Vec<Leg>> {
    let mut split = Split::new(paid.total.currency());
    let owed_less = owed_less(kind, paid, terms)?;
    split.credit(Account::Supplier(supplier.to_owned()), owed_less.negated())?;
    if terms.refund_to_wallet.is_zero() {
        split.credit(Account::Commission, owed_less)?;
        return Ok(split.legs);
    }
    split.credit(Account::Markup, paid.markup.negated())?;
    if terms.platform_charges.is_zero() {
        split.credit(Account::ServiceFee, paid.service_fee.negated())?;
        split.credit(Account::Gst, paid.gst.negated())?;
        split.credit(Account::PlatformCharge, paid.platform_charge.negated())?;
    }
    split.balance(Leg::credit(Account::Wallet(wallet), terms.refund_to_wallet))
}

/// Legs on the platform's side, which the wallet's leg must balance.
struct Split {
    legs: Vec<Leg>,
    credited: Money,
}

impl Split {
    fn new(currency: Currency) -> Self {
        Self { legs: Vec::new(), credited: Money::zero(currency) }
    }

    /// A credit; a negative one is a debit, none at all is no leg.
    fn credit(&mut self, account: Account, amount: Money) -> Result<()> {
        self.credited = self.credited.plus(amount)?;
        if amount.is_positive() {
            self.legs.push(Leg::credit(account, amount));
        } else if amount.is_negative() {
            self.legs.push(Leg::debit(account, amount.negated()));
        }
        Ok(())
    }

    /// The legs with the wallet's in front; what is left over is the platform's commission.
    fn balance(mut self, wallet: Leg) -> Result<Vec<Leg>> {
        if wallet.amount.is_negative() {
            return Err(Error::Internal("a wallet's leg can't be negative".to_owned()));
        }
        if wallet.amount.is_zero() {
            return Ok(Vec::new());
        }
        let due = match wallet.side {
            wayfare_ledger::Side::Debit => wallet.amount,
            wayfare_ledger::Side::Credit => wallet.amount.negated(),
        };
        let rest = due.minus(self.credited)?;
        self.credit(Account::Commission, rest)?;
        self.legs.insert(0, wallet);
        Ok(self.legs)
    }
}

#[cfg(test)]
mod tests {
    use rust_decimal::{Decimal, dec};
    use wayfare_domain::{Clock, PackageId, TransferId};
    use wayfare_ledger::{Reason, Transfer};
    use wayfare_pricing::{ApplyOn, Asked, Fee, Level, Markup, MarkupKind, Package, Rules, Terms};

    use super::*;
    use crate::money::refund_terms::Returned;

    fn inr(amount: Decimal) -> Money {
        Money::rounded(amount, Currency::INR)
    }

    /// 4000 + 810.50, commission 120; a markup of 5 % of the fare; a fee of 100 with 18 % GST; a charge of 25.
    fn sale(packaged: bool) -> Sale {
        let asked = Asked {
            commission: Some(inr(dec!(120))),
            ..Asked::of("duffel", inr(dec!(4000)), inr(dec!(810.50)))
        };
        let package = Package {
            id: PackageId::new(&Clock::system()),
            name: "Monsoon".to_owned(),
            level: Level::Agency,
            markup: Markup { kind: MarkupKind::Percent, value: dec!(5), apply_on: ApplyOn::Fare },
            price_ranges: Vec::new(),
        };
        let rules = Rules {
            package: packaged.then_some(package),
            terms: Terms {
                service_fee: Fee::Flat(inr(dec!(100))),
                gst_percent: dec!(18),
                platform_charge: inr(dec!(25)),
                ..Terms::none(Currency::INR)
            },
            contracts: Vec::new(),
        };
        Sale {
            supplier: "duffel".to_owned(),
            supplier_total: Money::rounded(dec!(45.70), Currency::GBP),
            exchange_rate: dec!(105.26),
            price: rules.price(&asked).unwrap(),
            trace: None,
            ancillaries: Vec::new(),
            changes: Vec::new(),
        }
    }

    const FLIGHT: (ProductKind, &str) = (ProductKind::Flight, "duffel");
    const STAY: (ProductKind, &str) = (ProductKind::Hotel, "hotelbeds");

    fn paid() -> Paid {
        Paid::of(&sale(true)).unwrap()
    }

    /// The legs as an accountant reads them; that they balance is proven by making the transfer.
    fn read(legs: Vec<Leg>) -> Vec<String> {
        let clock = Clock::system();
        let id = TransferId::new(&clock);
        let legs_of = legs.clone();
        Transfer::new(id, "k".into(), Reason::Booking, None, String::new(), None, legs_of, clock.now())
            .unwrap();
        let name = |leg: &Leg| leg.account.wallet().map_or(leg.account.to_string(), |_| "wallet".to_owned());
        legs.iter().map(|leg| format!("{} {} {}", name(leg), leg.side.as_ref(), leg.amount)).collect()
    }

    fn terms(refund: Decimal, charged: Decimal, unpaid_hold: bool) -> RefundTerms {
        let gbp = |amount| Money::rounded(amount, Currency::GBP);
        let returned = Returned { charged: gbp(charged), refund: gbp(refund) };
        match unpaid_hold {
            true => RefundTerms::of_unpaid_hold(&paid()).unwrap(),
            false => RefundTerms::of(&paid(), returned).unwrap(),
        }
    }

    #[test]
    fn a_booking_is_split_among_all_who_get_a_part() {
        let wallet = WalletId::new(&Clock::system());
        assert_eq!(
            read(booking_legs(wallet, &[sale(true)], Currency::INR).unwrap()),
            [
                "wallet debit 5033.50",
                "supplier:duffel credit 4690.50",
                "markup credit 200.00",
                "service_fee credit 100.00",
                "gst credit 18.00",
                "platform_charge credit 25.00",
            ]
        );
        // Without a package the platform keeps the supplier's commission.
        assert_eq!(
            read(booking_legs(wallet, &[sale(false)], Currency::INR).unwrap()),
            [
                "wallet debit 4953.50",
                "supplier:duffel credit 4690.50",
                "service_fee credit 100.00",
                "gst credit 18.00",
                "platform_charge credit 25.00",
                "commission credit 120.00",
            ]
        );
    }

    #[test]
    fn a_refund_takes_back_what_was_split_but_not_the_platforms_charges() {
        let wallet = WalletId::new(&Clock::system());
        // The supplier keeps 10.00 of 45.70 pounds: 1052.60 rupees.
        let part = terms(dec!(35.70), dec!(45.70), false);
        assert_eq!(part.cancellation_charge, inr(dec!(1052.60)));
        assert_eq!(part.provider_refund_amount, inr(dec!(3757.90)));
        assert_eq!(part.platform_charges, inr(dec!(143)));
        assert_eq!(part.refund_to_wallet, inr(dec!(3837.90)));
        assert_eq!(
            read(refund_legs(wallet, FLIGHT, &paid(), &part).unwrap()),
            ["wallet credit 3837.90", "supplier:duffel debit 3637.90", "markup debit 200.00",]
        );
    }

    #[test]
    fn what_the_supplier_keeps_is_all_some_or_none_to_the_last_paisa() {
        for (refund, charged, charge) in [
            (dec!(0), dec!(45.70), dec!(4810.50)),
            (dec!(45.70), dec!(45.70), dec!(0)),
            // Booked cheaper than quoted, and all of it given back: nobody kept anything.
            (dec!(40), dec!(40), dec!(0)),
            // More than was charged is no negative penalty.
            (dec!(50), dec!(45.70), dec!(0)),
        ] {
            assert_eq!(
                terms(refund, charged, false).cancellation_charge,
                inr(charge),
                "{refund} of {charged}"
            );
        }
    }

    #[test]
    fn what_is_kept_in_another_currency_than_was_quoted_is_a_share() {
        let rupees = |kept: Decimal| Returned { charged: inr(dec!(4810)), refund: inr(dec!(4810) - kept) };
        for (kept, charge) in [(dec!(0), dec!(0)), (dec!(2405), dec!(2405.25)), (dec!(4810), dec!(4810.50))] {
            let terms = RefundTerms::of(&paid(), rupees(kept)).unwrap();
            assert_eq!(terms.cancellation_charge, inr(charge), "{kept}");
        }
    }

    #[test]
    fn a_hold_that_was_never_paid_comes_back_whole() {
        let wallet = WalletId::new(&Clock::system());
        let all = terms(dec!(0), dec!(45.70), true);
        assert_eq!((all.refund_to_wallet, all.cancellation_charge), (inr(dec!(5033.50)), inr(dec!(0))));
        assert_eq!(
            read(refund_legs(wallet, FLIGHT, &paid(), &all).unwrap()),
            [
                "wallet credit 5033.50",
                "supplier:duffel debit 4690.50",
                "markup debit 200.00",
                "service_fee debit 100.00",
                "gst debit 18.00",
                "platform_charge debit 25.00",
            ]
        );
    }

    #[test]
    fn fees_come_back_where_the_supplier_cancelled_by_itself() {
        let wallet = WalletId::new(&Clock::system());
        let gbp = |amount| Money::rounded(amount, Currency::GBP);
        let terms = |refund| {
            let returned = Returned { charged: gbp(dec!(45.70)), refund: gbp(refund) };
            RefundTerms::with_fees(&paid(), returned).unwrap()
        };
        assert_eq!(terms(dec!(45.70)).refund_to_wallet, inr(dec!(5033.50)));
        assert_eq!(
            read(refund_legs(wallet, FLIGHT, &paid(), &terms(dec!(35.70))).unwrap()),
            [
                "wallet credit 3980.90",
                "supplier:duffel debit 3637.90",
                "markup debit 200.00",
                "service_fee debit 100.00",
                "gst debit 18.00",
                "platform_charge debit 25.00",
            ]
        );
    }

    /// A stay of 4,810.50 for which its supplier charges 4,690.50: it keeps its part of that.
    #[test]
    fn a_stays_supplier_keeps_its_part_of_what_it_charges() {
        let wallet = WalletId::new(&Clock::system());
        let legs =
            |refund| read(refund_legs(wallet, STAY, &paid(), &terms(refund, dec!(45.70), false)).unwrap());
        assert_eq!(
            legs(dec!(22.85)),
            [
                "wallet credit 2485.31",
                "supplier:hotelbeds debit 2345.31",
                "markup debit 200.00",
                "commission credit 60.00",
            ]
        );
        assert_eq!(legs(dec!(45.70))[1], "supplier:hotelbeds debit 4690.50");
        // All is kept: of what the agency paid, no more than the markup above the commission was not its supplier's.
        assert_eq!(legs(dec!(0)), ["wallet credit 80.00", "markup debit 200.00", "commission credit 120.00"]);
    }

    #[test]
    fn what_a_supplier_gives_back_is_posted_where_nothing_is_left_for_the_wallet() {
        let wallet = WalletId::new(&Clock::system());
        let paid = Paid::of(&sale(false)).unwrap();
        let none_left =
            |refund| RefundTerms { refund_to_wallet: inr(dec!(0)), ..terms(refund, dec!(45.70), false) };
        assert_eq!(
            read(refund_legs(wallet, STAY, &paid, &none_left(dec!(4.57))).unwrap()),
            ["supplier:hotelbeds debit 469.16", "commission credit 469.16"]
        );
        for product in [STAY, FLIGHT] {
            assert!(refund_legs(wallet, product, &paid, &none_left(dec!(0))).unwrap().is_empty());
        }
    }

    /// What a supplier gives back, for which it was charged 45.70 GBP: whether that can be told, what the wallet gets, what is beyond
    /// all that was charged, and how much less the supplier is owed.
    #[test]
    fn what_comes_back_is_told_in_the_charges_currency_or_in_the_wallets_and_never_beyond_what_was_paid() {
        let gbp = |amount: Decimal| Money::rounded(amount, Currency::GBP);
        for (refund, expected) in [
            (gbp(dec!(45.70)), Some((dec!(4890.50), dec!(0), dec!(4690.50)))),
            (gbp(dec!(40.00)), Some((dec!(4290.52), dec!(0), dec!(4090.52)))),
            (gbp(dec!(55.70)), Some((dec!(4890.50), dec!(1052.60), dec!(5743.10)))),
            (inr(dec!(4810.50)), Some((dec!(4890.50), dec!(0), dec!(4690.50)))),
            (inr(dec!(4210.52)), Some((dec!(4290.52), dec!(0), dec!(4090.52)))),
            (inr(dec!(4900)), Some((dec!(4890.50), dec!(89.50), dec!(4780.00)))),
            // Nothing is nothing in every currency.
            (Money::zero(Currency::USD), Some((dec!(80), dec!(0), dec!(0)))),
            (Money::rounded(dec!(45.70), Currency::USD), None),
            (Money::rounded(dec!(45.70), Currency::EUR), None),
        ] {
            let charged = gbp(dec!(45.70));
            let returned = Returned { charged, refund };
            assert_eq!(RefundTerms::can_be_told(&paid(), returned), expected.is_some(), "{refund:?}");
            let Some((wallet, surplus, owed)) = expected else {
                assert!(RefundTerms::of(&paid(), returned).is_err());
                continue;
            };
            let terms = RefundTerms::of(&paid(), returned).unwrap();
            let found = (
                terms.refund_to_wallet,
                terms.surplus,
                owed_less(ProductKind::Flight, &paid(), &terms).unwrap(),
            );
            assert_eq!(found, (inr(wallet), inr(surplus), inr(owed)), "{refund:?}");
            let wallet = WalletId::new(&Clock::system());
            let legs = refund_legs(wallet, FLIGHT, &paid(), &terms).unwrap();
            read(legs);
        }
    }
}
