//! A price by passenger type.

use wayfare_contract::{
    Amount,
    flights::{PassengerShare, Tax},
};
use wayfare_domain::Party;
use wayfare_flights::{TaxPart, joined};

use wayfare_search_response::flights::subtotal;

use crate::resources::common::amount;

/// By passenger type; of several orders for the same people what they come to together.
pub fn breakdown<'a>(
    orders: impl Iterator<Item = (Party, &'a [wayfare_flights::PassengerShare])> + Clone,
    whole: Party,
) -> Vec<PassengerShare> {
    let shares: Vec<&[wayfare_flights::PassengerShare]> = orders.clone().map(|(_, shares)| shares).collect();
    let for_the_same = orders.clone().all(|(party, _)| party == whole);
    let rows = if for_the_same { joined(&shares).ok() } else { None };
    rows.unwrap_or_else(|| shares.concat()).iter().map(share).collect()
}

fn share(share: &wayfare_flights::PassengerShare) -> PassengerShare {
    let one = wayfare_flights::PassengerShare { count: 1, ..share.clone() };
    let mut tax_breakdown: Vec<Tax> = share.tax_parts.iter().map(tax).collect();
    if tax_breakdown.is_empty() {
        tax_breakdown.push(Tax {
            code: "TAX".to_owned(),
            amount: amount(share.taxes),
            description: "taxes and fees".to_owned(),
        });
    }
    PassengerShare {
        pax_type: share.kind.as_ref().into(),
        count: share.count,
        base_per_pax: amount(share.base),
        tax_per_pax: amount(share.taxes),
        total_per_pax: Amount(subtotal(&one).0),
        tax_breakdown,
    }
}

fn tax(part: &TaxPart) -> Tax {
    let description = match part.code.as_str() {
        "YQ" => "fuel surcharge",
        "YR" => "carrier surcharge",
        "AGST" => "goods and services tax of the airline",
        "MF" => "management fee",
        "MFT" => "tax on the management fee",
        "OT" => "other taxes",
        _ => "taxes and fees",
    };
    Tax { code: part.code.clone(), amount: amount(part.amount), description: description.to_owned() }
}

#[cfg(test)]
mod tests {
    use rust_decimal::Decimal;
    use wayfare_domain::{Currency, Money, PassengerType};
    use wayfare_flights::PassengerShare as Row;

    use super::*;

    const PARTY: Party = Party { adults: 2, children: 1, infants: 0 };

    fn inr(paise: i64) -> Money {
        Money::rounded(Decimal::new(paise, 2), Currency::INR)
    }

    fn row(kind: PassengerType, count: u32, base: i64, parts: &[(&str, i64)]) -> Row {
        let part = |(code, paise): &(&str, i64)| TaxPart { code: (*code).to_owned(), amount: inr(*paise) };
        Row {
            kind,
            count,
            base: inr(base),
            taxes: inr(parts.iter().map(|(_, paise)| paise).sum()),
            tax_parts: parts.iter().map(part).collect(),
        }
    }

    /// Type, count, base, taxes, sum and the parts of each row.
    fn shown(orders: &[(Party, Vec<Row>)]) -> Vec<String> {
        let told = |share: &PassengerShare| {
            let parts: Vec<String> =
                share.tax_breakdown.iter().map(|tax| format!("{} {}", tax.code, tax.amount.0)).collect();
            format!(
                "{} {} {} {} {} [{}]",
                share.pax_type,
                share.count,
                share.base_per_pax.0,
                share.tax_per_pax.0,
                share.total_per_pax.0,
                parts.join(", ")
            )
        };
        let orders = orders.iter().map(|(party, shares)| (*party, &shares[..]));
        breakdown(orders, PARTY).iter().map(told).collect()
    }

    #[test]
    fn halves_for_the_same_people_are_added_head_by_head() {
        use PassengerType::{Adult, Child};
        let one =
            vec![row(Adult, 2, 10_000, &[("YQ", 500), ("OT", 100)]), row(Child, 1, 8_000, &[("YQ", 300)])];
        assert_eq!(
            shown(&[(PARTY, one.clone())]),
            ["ADT 2 100.00 6.00 106.00 [YQ 5.00, OT 1.00]", "CHD 1 80.00 3.00 83.00 [YQ 3.00]",]
        );
        let other = vec![
            row(Child, 1, 1_000, &[("AGST", 50)]),
            row(Adult, 1, 2_000, &[("YQ", 10)]),
            row(Adult, 1, 2_001, &[("YQ", 10)]),
        ];
        assert_eq!(
            shown(&[(PARTY, one.clone()), (PARTY, other)]),
            [
                "ADT 1 120.00 6.10 126.10 [YQ 5.10, OT 1.00]",
                "ADT 1 120.01 6.10 126.11 [YQ 5.10, OT 1.00]",
                "CHD 1 90.00 3.50 93.50 [YQ 3.00, AGST 0.50]",
            ]
        );
        let untold = vec![Row { tax_parts: Vec::new(), ..row(Adult, 2, 0, &[("", 100)]) }];
        let untold: Vec<_> = untold.into_iter().chain([row(Child, 1, 0, &[("YQ", 100)])]).collect();
        assert_eq!(
            shown(&[(PARTY, one), (PARTY, untold)]),
            ["ADT 2 100.00 7.00 107.00 [TAX 7.00]", "CHD 1 80.00 4.00 84.00 [YQ 4.00]",]
        );
    }

    #[test]
    fn orders_for_different_people_stay_apart() {
        let adult = Party { adults: 1, children: 0, infants: 0 };
        let share = vec![row(PassengerType::Adult, 1, 10_000, &[("YQ", 100)])];
        assert_eq!(
            shown(&[(adult, share.clone()), (adult, share)]),
            ["ADT 1 100.00 1.00 101.00 [YQ 1.00]"; 2]
        );
    }
}
