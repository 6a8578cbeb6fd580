//! What holds for every price, whatever the rules and the amounts are.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic, and so may its helpers")]

use proptest::{option, prelude::*, sample::select};
use rust_decimal::{Decimal, dec};
use wayfare_domain::{Currency, Money, PackageId};
use wayfare_pricing::{
    ApplyOn, Asked, Contract, Fee, Level, Markup, MarkupKind, Package, Price, PriceRange, Rules, Sale, Terms,
    Totals,
};

const CURRENCIES: [Currency; 4] = [Currency::INR, Currency::JPY, Currency::KWD, Currency::USD];

/// What a supplier asks, with everything of its own.
#[derive(Clone, Debug)]
struct Ask {
    airline: Option<&'static str>,
    cabin: Option<&'static str>,
    base: Money,
    taxes: Money,
    commission: Option<Money>,
}

impl Ask {
    fn asked(&self) -> Asked<'_> {
        Asked {
            supplier: "duffel",
            airline: self.airline,
            cabin: self.cabin,
            together: None,
            base: self.base,
            taxes: self.taxes,
            commission: self.commission,
        }
    }
}

/// From nothing to more than money has digits for, tiny ones as often as huge ones.
fn amount(currency: Currency) -> impl Strategy<Value = Money> + Clone {
    let units = wayfare_domain::minor_units(currency);
    prop_oneof![
        1 => Just(0),
        4 => 0..1_000_i64,
        8 => 0..10_000_000_i64,
        1 => 0..i64::MAX,
    ]
    .prop_map(move |minor| Money::rounded(Decimal::new(minor, units), currency))
}

fn percent() -> impl Strategy<Value = Decimal> + Clone {
    (0..1_000_000_i64).prop_map(|digits| Decimal::new(digits, 4))
}

fn kind_and_value(currency: Currency) -> impl Strategy<Value = (MarkupKind, Decimal)> + Clone {
    prop_oneof![
        amount(currency).prop_map(|money| (MarkupKind::Flat, money.amount())),
        percent().prop_map(|value| (MarkupKind::Percent, value)),
    ]
}

fn packages(currency: Currency) -> impl Strategy<Value = Package> {
    let range = (amount(currency), option::of(amount(currency)), kind_and_value(currency), 0..9).prop_map(
        |(min, max, (kind, value), sort_order)| PriceRange {
            min_amount: min.amount(),
            max_amount: max.map(Money::amount),
            kind,
            value,
            sort_order,
        },
    );
    let apply_on = select(vec![ApplyOn::Commission, ApplyOn::Fare, ApplyOn::Total]);
    let ranges = prop::collection::vec(range, 0..3);
    (kind_and_value(currency), apply_on, ranges).prop_map(|((kind, value), apply_on, price_ranges)| Package {
        id: "0197a9f0-0000-7000-8000-000000000001".parse::<PackageId>().unwrap(),
        name: "any".to_owned(),
        level: Level::Agent,
        markup: Markup { kind, value, apply_on },
        price_ranges,
    })
}

fn contracts(currency: Currency) -> impl Strategy<Value = Contract> {
    (
        option::of(select(vec!["BA", "AI"])),
        option::of(select(vec!["ECONOMY", "BUSINESS"])),
        kind_and_value(currency),
    )
        .prop_map(|(airline, cabin, (kind, value))| Contract {
            supplier: "duffel".to_owned(),
            airline: airline.map(str::to_owned),
            cabin: cabin.map(str::to_owned),
            kind,
            value,
        })
}

fn rules(currency: Currency) -> impl Strategy<Value = Rules> {
    let fee = prop_oneof![amount(currency).prop_map(Fee::Flat), percent().prop_map(Fee::Percent)];
    let bound = || prop_oneof![Just(Money::zero(currency)), amount(currency)];
    let terms = (fee, percent(), amount(currency), bound(), bound()).prop_map(
        |(service_fee, gst_percent, platform_charge, min_commission, max_commission)| Terms {
            service_fee,
            gst_percent,
            platform_charge,
            min_commission,
            max_commission,
        },
    );
    let contracts = prop::collection::vec(contracts(currency), 0..4);
    (option::of(packages(currency)), terms, contracts).prop_map(|(package, terms, contracts)| Rules {
        package,
        terms,
        contracts,
    })
}

fn asks(currency: Currency) -> impl Strategy<Value = Ask> {
    let tenth = amount(currency).prop_map(|money| money.times(dec!(0.1)).unwrap());
    (
        option::of(select(vec!["BA", "AI"])),
        option::of(select(vec!["ECONOMY", "BUSINESS"])),
        amount(currency),
        prop_oneof![4 => amount(currency), 1 => tenth.clone().prop_map(Money::negated)],
        option::of(tenth),
    )
        .prop_map(|(airline, cabin, base, taxes, commission)| Ask {
            airline,
            cabin,
            base,
            taxes,
            commission,
        })
}

/// Rules and what a supplier asks, in one currency.
fn cases() -> impl Strategy<Value = (Rules, Ask)> {
    select(CURRENCIES.to_vec()).prop_flat_map(|currency| (rules(currency), asks(currency)))
}

fn rates() -> impl Strategy<Value = Decimal> {
    (1..10_000_000_000_i64, 2..10_u32).prop_map(|(digits, scale)| Decimal::new(digits, scale))
}

/// Everything that a price promises of itself.
fn check(price: &Price) -> Result<(), TestCaseError> {
    let zero = Money::zero(price.currency());
    let earned = price.agent_commission().unwrap_or(zero);
    prop_assert_eq!(
        price.agent_fare().plus(earned).unwrap(),
        price.public_fare().plus(price.platform_charges().unwrap()).unwrap()
    );
    prop_assert_eq!(price.total(), price.base().plus(price.taxes()).unwrap());
    let marked_up = price.total().plus(price.markup()).unwrap();
    prop_assert!([price.total(), marked_up].contains(&price.public_fare()));
    prop_assert!(earned.amount() <= price.public_fare().amount());
    prop_assert!(price.commission().amount() <= price.total().amount());
    for part in [
        price.base(),
        price.total(),
        price.commission(),
        price.markup(),
        price.public_fare(),
        earned,
        price.service_fee(),
        price.gst(),
        price.platform_charge(),
        price.agent_fare(),
    ] {
        prop_assert!(!part.is_negative());
        prop_assert_eq!(part.currency(), price.currency());
        prop_assert_eq!(Money::exact(part.amount(), part.currency()), Ok(part));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn every_price_adds_up_and_none_is_below_zero((rules, ask) in cases()) {
        if let Ok(price) = rules.price(&ask.asked()) {
            check(&price)?;
            prop_assert_eq!(price.agent_commission().is_some(), rules.package.is_some());
        }
    }

    #[test]
    fn an_explanation_is_of_the_same_price((rules, ask) in cases(), rate in rates()) {
        let explained = rules.explain(&ask.asked());
        prop_assert_eq!(rules.price(&ask.asked()), explained.clone().map(|(price, _)| price));
        if let Ok((price, trace)) = explained {
            let last = trace.steps.last().unwrap();
            prop_assert_eq!((last.symbol.as_str(), last.result), ("agent fare", price.agent_fare().number()));
            for step in &trace.steps {
                prop_assert_eq!(Money::rounded(step.exact.0, trace.currency).number(), step.result);
            }
        }
        let sale = Sale::new(&rules, &ask.asked(), rate);
        let explained = Sale::explained(&rules, &ask.asked(), rate);
        prop_assert_eq!(sale, explained.map(|sale| Sale { trace: None, ..sale }));
    }

    #[test]
    fn more_markup_never_lowers_the_public_fare_nor_raises_the_commission(
        (rules, ask) in cases(),
        more in 0..10_000_000_i64,
    ) {
        let mut rules = rules;
        let before = rules.price(&ask.asked());
        let Some(package) = &mut rules.package else { return Ok(()) };
        package.markup.value += Decimal::new(more, 2);
        for range in &mut package.price_ranges {
            range.value += Decimal::new(more, 2);
        }
        if let (Ok(before), Ok(after)) = (before, rules.price(&ask.asked())) {
            prop_assert!(after.public_fare().amount() >= before.public_fare().amount());
            prop_assert!(after.markup().amount() >= before.markup().amount());
            let (earned, earned_before) = (after.agent_commission().unwrap(), before.agent_commission().unwrap());
            // A minimum above the public fare gives as much as that is, and so grows with it.
            prop_assert!(earned.amount() <= earned_before.amount() || earned_before == before.public_fare());
        }
    }

    #[test]
    fn the_order_of_contracts_and_bands_makes_no_difference((rules, ask) in cases()) {
        let mut turned = rules.clone();
        // Two that are alike can't be told apart: the database has one of a kind.
        turned.contracts.sort_by_key(|contract| (contract.airline.clone(), contract.cabin.clone()));
        turned.contracts.dedup_by_key(|contract| (contract.airline.clone(), contract.cabin.clone()));
        if let Some(package) = &mut turned.package {
            package.price_ranges.sort_by_key(|range| range.sort_order);
            package.price_ranges.dedup_by_key(|range| range.sort_order);
        }
        let straight = turned.price(&ask.asked());
        turned.contracts.reverse();
        if let Some(package) = &mut turned.package {
            package.price_ranges.reverse();
        }
        prop_assert_eq!(straight, turned.price(&ask.asked()));
    }

    #[test]
    fn the_order_of_sales_makes_no_difference_to_what_they_come_to(
        asked in prop::collection::vec(asks(Currency::INR), 0..6),
        rules in rules(Currency::INR),
        turn in 0..6_usize,
    ) {
        let mut sales: Vec<Sale> =
            asked.iter().filter_map(|ask| Sale::new(&rules, &ask.asked(), Decimal::ONE).ok()).collect();
        let totals = Totals::of(&sales, Currency::INR).unwrap();
        let right = totals.public_fare.plus(totals.platform_charges().unwrap()).unwrap();
        let earned = totals.agent_commission.unwrap_or(Money::zero(Currency::INR));
        prop_assert_eq!(totals.agent_fare.plus(earned).unwrap(), right);
        prop_assert_eq!(totals.total, totals.base.plus(totals.taxes).unwrap());
        sales.reverse();
        let places = sales.len().max(1);
        sales.rotate_left(turn % places);
        prop_assert_eq!(Totals::of(&sales, Currency::INR), Ok(totals));
    }

    #[test]
    fn what_is_stored_is_read_back_with_every_digit((rules, ask) in cases(), rate in rates()) {
        if let Ok(sale) = Sale::explained(&rules, &ask.asked(), rate) {
            let text = serde_json::to_string(&sale).unwrap();
            prop_assert_eq!(&serde_json::from_str::<Sale>(&text).unwrap(), &sale);
            // As it goes into a column and comes out.
            let value = serde_json::to_value(&sale).unwrap();
            prop_assert_eq!(serde_json::from_value::<Sale>(value).unwrap(), sale);
        }
    }

    #[test]
    fn whatever_is_read_back_adds_up(
        (rules, ask) in cases(),
        part in select(vec!["base", "taxes", "markup", "public_fare", "agent_commission", "gst"]),
        other in -1_000..1_000_i64,
        currency in select(vec![None, Some("USD")]),
    ) {
        if let Ok(price) = rules.price(&ask.asked()) {
            let mut stored = serde_json::to_value(price).unwrap();
            if let Some(part) = stored.get_mut(part).and_then(|part| part.as_object_mut()) {
                part.insert("amount".to_owned(), other.into());
                if let Some(code) = currency {
                    part.insert("currency".to_owned(), code.into());
                }
            }
            if let Ok(read) = serde_json::from_value::<Price>(stored) {
                check(&read)?;
            }
        }
    }

    #[test]
    fn a_price_shown_in_another_currency_keeps_all_that_is_true_of_it(
        (rules, ask) in cases(),
        rate in rates(),
        currency in select(CURRENCIES.to_vec()),
    ) {
        if let Ok(price) = rules.price(&ask.asked())
            && let Ok(shown) = price.shown_in(rate, currency)
        {
            check(&shown)?;
            prop_assert_eq!(shown.currency(), currency);
            prop_assert_eq!(shown.agent_commission().is_some(), price.agent_commission().is_some());
            if price.public_fare() == price.total() {
                prop_assert_eq!(shown.public_fare(), shown.total());
            }
            let once = |part: Money| part.converted(rate, currency).unwrap();
            prop_assert_eq!(shown.base(), once(price.base()));
            prop_assert_eq!(shown.taxes(), once(price.taxes()));
            prop_assert_eq!(shown.markup(), once(price.markup()));
            prop_assert_eq!(shown.service_fee(), once(price.service_fee()));
            prop_assert_eq!(shown.gst(), once(price.gst()));
            prop_assert_eq!(shown.platform_charge(), once(price.platform_charge()));
        }
    }
}
