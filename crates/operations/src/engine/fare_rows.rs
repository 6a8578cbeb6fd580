//! The rows of the fare ledger: one for each supplier order, under its own supplier and locator (D-380).

use chrono::{DateTime, Utc};
use wayfare_domain::{FareKind, FareTransactionId, Money, ProductKind, TransferId};
use wayfare_pricing::{Paid, Sale, SoldChange, Totals};
use wayfare_store::{
    JsonText,
    booking::bookings::{Booking, Order},
    money::fare_ledger::FareTransaction,
};

use crate::{Core, RefundTerms, Result, money::posting_rules, order_content::order_content};

pub(crate) struct Fares {
    pub public_fare: Money,
    pub agent_fare: Money,
    /// What moved on the wallet beside it.
    pub ancillary: Money,
    pub agent_commission: Money,
    pub markup: Money,
    /// What the supplier's account got, or gave below zero.
    pub supplier_amount: Money,
    /// The transfer on the wallet; none where nothing moved.
    pub transfer: Option<TransferId>,
}

/// A row of this order's. What was sold before orders had rows of their own stands under the booking's locator.
///
/// # Errors
/// When the order is no JSON.
pub(crate) fn row(
    core: &Core,
    booking: &Booking<()>,
    order: &Order<JsonText>,
    kind: FareKind,
    fares: Fares,
    at: DateTime<Utc>,
) -> Result<FareTransaction> {
    // A lone order's locator is the booking's.
    let content = order.content.as_ref().filter(|_| booking.sales.len() > 1);
    let locator = content.map(order_content(booking.kind).locator).transpose()?;
    let pnr = locator.filter(|locator| !locator.is_empty());
    Ok(FareTransaction {
        id: FareTransactionId::new(&core.clock),
        organization: booking.organization,
        booking: booking.id,
        reference: booking.reference.clone(),
        product: booking.kind,
        kind: Some(kind),
        number: Some(order.number),
        pnr: pnr.unwrap_or_else(|| booking.summary.pnr.clone()),
        provider: order.supplier.clone(),
        user: booking.user,
        user_name: booking.user_name.clone(),
        public_fare: fares.public_fare,
        agent_fare: fares.agent_fare,
        ancillary: fares.ancillary,
        agent_commission: fares.agent_commission,
        markup: fares.markup,
        supplier_amount: Some(fares.supplier_amount),
        issued_at: at,
        transfer: fares.transfer,
    })
}

/// An order is sold.
pub(crate) fn sold(sale: &Sale, transfer: Option<TransferId>) -> Result<Fares> {
    let currency = sale.price.total().currency();
    let totals = Totals::of(std::slice::from_ref(sale), currency)?;
    Ok(Fares {
        public_fare: totals.public_fare,
        agent_fare: totals.agent_fare,
        ancillary: totals.ancillary,
        agent_commission: totals.agent_commission.unwrap_or(Money::zero(currency)),
        markup: totals.markup,
        supplier_amount: match transfer {
            Some(_) => posting_rules::owed(sale)?,
            None => Money::zero(currency),
        },
        transfer,
    })
}

/// The flights of an order are changed: all of it is fare, and the supplier's (D-388).
pub(crate) fn changed(change: &SoldChange, transfer: Option<TransferId>) -> Result<Fares> {
    let total = change.total()?;
    let zero = Money::zero(total.currency());
    Ok(Fares {
        public_fare: total,
        agent_fare: total,
        ancillary: zero,
        agent_commission: zero,
        markup: zero,
        supplier_amount: total,
        transfer,
    })
}

/// The negative row: commission and public fare go back in the share that the supplier gives back of what it was paid
/// (P-24, P-84). As in the row of the sale, the agent fare is without what was bought beside it (P-11), of which the
/// same share comes back. The markup is what the ledger takes off its account: all of it, unless nothing is left for the wallet.
pub(crate) fn given_back(
    kind: ProductKind,
    paid: &Paid,
    terms: &RefundTerms,
    transfer: Option<TransferId>,
) -> Result<Fares> {
    let zero = Money::zero(paid.total.currency());
    let share = |part: Money| terms.share_of(part, paid).map(Money::negated);
    let agent_fare = terms.refund_to_wallet.plus(share(paid.ancillary)?)?;
    let agent_fare = agent_fare.at_least(zero)?;
    let markup = match terms.refund_to_wallet.is_zero() {
        true => zero,
        false => paid.markup.negated(),
    };
    Ok(Fares {
        public_fare: share(paid.public_fare)?,
        agent_fare: agent_fare.negated(),
        ancillary: terms.refund_to_wallet.minus(agent_fare)?.negated(),
        agent_commission: share(paid.agent_commission)?,
        markup,
        supplier_amount: posting_rules::owed_less(kind, paid, terms)?.negated(),
        transfer,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rust_decimal::Decimal;
    use wayfare_domain::{Clock, Currency, WalletId};
    use wayfare_ledger::{Account, Side};
    use wayfare_pricing::{Asked, Fee, Rules, SoldAncillary, Terms};

    use super::*;
    use crate::money::refund_terms::Returned;

    /// Currencies of no, two and three digits.
    const CURRENCIES: [Currency; 4] = [Currency::JPY, Currency::INR, Currency::USD, Currency::KWD];

    /// Amounts in the smallest unit: base, taxes, commission, fee, and what is bought beside the fare.
    fn sale(currency: Currency, (base, taxes, commission, fee, beside): (u32, u32, u32, u32, u32)) -> Sale {
        let digits = wayfare_domain::minor_units(currency);
        let money = |units: u32| Money::exact(Decimal::new(units.into(), digits), currency).unwrap();
        let asked = Asked {
            commission: Some(money(commission.min(base))),
            ..Asked::of("duffel", money(base), money(taxes))
        };
        let rules = Rules {
            terms: Terms {
                service_fee: Fee::Flat(money(fee)),
                gst_percent: Decimal::from(18),
                ..Terms::none(currency)
            },
            ..Rules::none(currency)
        };
        let mut sale = Sale::new(&rules, &asked, Decimal::ONE).unwrap();
        if beside > 0 {
            sale.ancillaries.push(SoldAncillary {
                traveller: 0,
                kind: "SEAT".to_owned(),
                code: "1A".to_owned(),
                name: String::new(),
                segments: Vec::new(),
                quantity: 1,
                supplier_total: money(beside),
                total: money(beside),
            });
        }
        sale
    }

    fn total(currency: Currency, rows: &[Fares], part: fn(&Fares) -> Money) -> Money {
        Money::sum(currency, rows.iter().map(part)).unwrap()
    }

    fn amounts() -> impl Strategy<Value = (u32, u32, u32, u32, u32)> {
        let some = || 0..1_000_003_u32;
        (1..1_000_003_u32, some(), some(), 0..999_u32, prop_oneof![Just(0), some()])
    }

    fn kinds() -> impl Strategy<Value = ProductKind> {
        prop_oneof![Just(ProductKind::Flight), Just(ProductKind::Hotel)]
    }

    proptest! {
        #[test]
        fn the_rows_of_a_booking_add_up_to_it(
            which in 0..CURRENCIES.len(), orders in prop::collection::vec(amounts(), 1..=4), kept in 0..=100_u32, kind in kinds(),
        ) {
            let currency = CURRENCIES[which];
            let sales: Vec<Sale> = orders.into_iter().map(|order| sale(currency, order)).collect();
            let (wallet, transfer) = (WalletId::new(&Clock::system()), Some(TransferId::new(&Clock::system())));
            let rows: Vec<Fares> = sales.iter().map(|sale| sold(sale, transfer).unwrap()).collect();
            let whole = Totals::of(&sales, currency).unwrap();
            prop_assert_eq!(total(currency, &rows, |row| row.public_fare), whole.public_fare);
            prop_assert_eq!(total(currency, &rows, |row| row.agent_fare), whole.agent_fare);
            prop_assert_eq!(total(currency, &rows, |row| row.ancillary), whole.ancillary);
            prop_assert_eq!(total(currency, &rows, |row| row.markup), whole.markup);
            let earned = whole.agent_commission.unwrap_or(Money::zero(currency));
            prop_assert_eq!(total(currency, &rows, |row| row.agent_commission), earned);
            let legs = posting_rules::booking_legs(wallet, &sales, currency).unwrap();
            let owed = legs.iter().filter(|leg| matches!(leg.account, Account::Supplier(_)));
            let owed = owed.map(|leg| match leg.side {
                Side::Credit => leg.amount,
                Side::Debit => leg.amount.negated(),
            });
            prop_assert_eq!(total(currency, &rows, |row| row.supplier_amount), Money::sum(currency, owed).unwrap());

            // Whatever its supplier keeps, what comes back of an order is what its row says, on the wallet and at the supplier.
            for (sale, row) in sales.iter().zip(&rows) {
                let charged = sale.supplier_due().unwrap();
                let refund = charged.times(Decimal::new((100 - kept).into(), 2)).unwrap();
                let paid = Paid::of(sale).unwrap();
                let terms = RefundTerms::of(&paid, Returned { charged, refund }).unwrap();
                let back = given_back(kind, &paid, &terms, transfer).unwrap();
                let moved = back.agent_fare.plus(back.ancillary).unwrap();
                prop_assert_eq!(moved, terms.refund_to_wallet.negated());
                let legs = posting_rules::refund_legs(wallet, (kind, &sale.supplier), &paid, &terms).unwrap();
                let taken = legs.iter().filter(|leg| matches!(leg.account, Account::Supplier(_)));
                let taken = Money::sum(currency, taken.map(|leg| leg.amount.negated())).unwrap();
                prop_assert_eq!(back.supplier_amount, taken);
                if kept == 0 {
                    prop_assert_eq!(back.supplier_amount, row.supplier_amount.negated());
                    prop_assert_eq!(back.public_fare, row.public_fare.negated());
                    prop_assert_eq!(back.agent_commission, row.agent_commission.negated());
                }
            }
        }

        /// However an order is given back, part by part: what its parts cost is what it cost, what comes back of them is never
        /// more, and all of it where its supplier keeps nothing; each part's row and legs say the same.
        #[test]
        fn the_parts_of_an_order_add_up_to_it(
            which in 0..CURRENCIES.len(), order in amounts(), cuts in prop::collection::vec(1..=60_u32, 0..6), kept in 0..=100_u32,
            kind in kinds(),
        ) {
            let currency = CURRENCIES[which];
            let sale = sale(currency, order);
            let whole = Paid::of(&sale).unwrap();
            let wallet = WalletId::new(&Clock::system());
            let mut parts: Vec<Paid> = Vec::new();
            for percent in cuts {
                let left = whole.without(&parts).unwrap();
                let due = whole.supplier_due.times(Decimal::new(percent.into(), 2)).unwrap();
                let part = whole.part(due.at_most(left.supplier_due).unwrap(), &left).unwrap();
                parts.push(part);
            }
            let last = whole.without(&parts).unwrap();
            parts.push(last);
            let sum = |of: fn(&Paid) -> Money| {
                Money::sum(of(&whole).currency(), parts.iter().map(of)).unwrap()
            };
            for of in [
                |paid: &Paid| paid.supplier_due, |paid: &Paid| paid.total, |paid: &Paid| paid.ancillary,
                |paid: &Paid| paid.net, |paid: &Paid| paid.public_fare, |paid: &Paid| paid.agent_commission,
                |paid: &Paid| paid.commission, |paid: &Paid| paid.markup, |paid: &Paid| paid.service_fee,
                |paid: &Paid| paid.gst, |paid: &Paid| paid.platform_charge,
            ] {
                prop_assert_eq!(sum(of), of(&whole));
            }
            prop_assert!(parts.iter().all(|part| !part.net.is_negative() && !part.total.is_negative()));
            let mut refunded = Money::zero(currency);
            let mut legs_of_wallet = Money::zero(currency);
            for part in &parts {
                let charged = part.supplier_due;
                let refund = charged.times(Decimal::new((100 - kept).into(), 2)).unwrap();
                let terms = RefundTerms::of(part, Returned { charged, refund }).unwrap();
                let row = given_back(kind, part, &terms, None).unwrap();
                prop_assert_eq!(row.agent_fare.plus(row.ancillary).unwrap(), terms.refund_to_wallet.negated());
                let legs = posting_rules::refund_legs(wallet, (kind, "duffel"), part, &terms).unwrap();
                let own = legs.iter().filter(|leg| leg.account.wallet().is_some());
                legs_of_wallet = own.fold(legs_of_wallet, |sum, leg| sum.plus(leg.amount).unwrap());
                refunded = refunded.plus(terms.refund_to_wallet).unwrap();
            }
            prop_assert_eq!(legs_of_wallet, refunded);
            prop_assert!(!whole.net.minus(refunded).unwrap().is_negative());
            if kept == 0 {
                prop_assert_eq!(refunded, whole.net);
            }
        }
    }
}
