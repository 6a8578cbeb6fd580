//! What each passenger pays of an offer: by type, exact in sum.

use serde::{Deserialize, Serialize};
use wayfare_domain::{Money, MoneyError, Party, PassengerType};

/// One line of the party's price: `count` passengers of this type at exactly these amounts each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassengerShare {
    /// Adult, child or infant: suppliers price by type.
    pub kind: PassengerType,
    /// How many travellers pay just this.
    pub count: u32,
    /// Base fare of one traveller, in the supplier's currency.
    pub base: Money,
    /// Taxes of one traveller, in the supplier's currency.
    pub taxes: Money,
    /// The taxes of one by the supplier's codes, adding up to them; empty where it doesn't say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tax_parts: Vec<TaxPart>,
}

/// One tax or fee among a passenger's taxes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaxPart {
    /// The supplier's code (`YQ`).
    pub code: String,
    /// Of one passenger.
    pub amount: Money,
}

/// Splits amounts that are known for the party only: equal shares for each head, exact in sum. Where a share
/// is not exact in the currency there are rows that differ by one minor unit (P-103).
pub fn shares(base: Money, taxes: Money, party: Party) -> Vec<PassengerShare> {
    let heads = party.types().zip(base.split(party.size())).zip(taxes.split(party.size()));
    // One for each type, unless shares differ.
    let kinds = [party.adults, party.children, party.infants];
    let mut rows: Vec<PassengerShare> = Vec::with_capacity(kinds.iter().filter(|count| **count > 0).count());
    for ((kind, base), taxes) in heads {
        match rows.last_mut() {
            Some(row) if (row.kind, row.base, row.taxes) == (kind, base, taxes) => row.count += 1,
            _ => rows.push(PassengerShare { kind, count: 1, base, taxes, tax_parts: Vec::new() }),
        }
    }
    rows
}

/// What passengers pay for several offers together. Where all are for the same people a row is what theirs come to,
/// traveller by traveller; else each offer has rows of its own.
///
/// # Errors
/// [`MoneyError`] when currencies differ or amounts exceed what a decimal holds.
pub fn joined(offers: &[&[PassengerShare]]) -> Result<Vec<PassengerShare>, MoneyError> {
    let mut sums: Vec<PassengerShare> = Vec::new();
    for (place, offer) in offers.iter().enumerate() {
        let heads = heads(offer);
        if place == 0 {
            sums = heads;
        } else if sums.iter().map(|head| head.kind).eq(heads.iter().map(|head| head.kind)) {
            for (sum, head) in sums.iter_mut().zip(heads) {
                sum.add(&head)?;
            }
        } else {
            return Ok(offers.concat());
        }
    }
    Ok(rows(sums))
}

/// One row for each traveller, by type.
fn heads(shares: &[PassengerShare]) -> Vec<PassengerShare> {
    let head = |share: &PassengerShare| PassengerShare { count: 1, ..share.clone() };
    let mut heads: Vec<PassengerShare> =
        shares.iter().flat_map(|share| (0..share.count).map(move |_| head(share))).collect();
    heads.sort_by_key(|head| head.kind);
    heads
}

/// Travellers of one type with the same amounts are one row.
fn rows(heads: Vec<PassengerShare>) -> Vec<PassengerShare> {
    let mut rows: Vec<PassengerShare> = Vec::new();
    for head in heads {
        let is_like = |row: &PassengerShare| {
            (row.kind, row.base, row.taxes, &row.tax_parts)
                == (head.kind, head.base, head.taxes, &head.tax_parts)
        };
        match rows.last_mut() {
            Some(row) if is_like(row) => row.count += 1,
            _ => rows.push(head),
        }
    }
    rows
}

impl PassengerShare {
    fn add(&mut self, other: &Self) -> Result<(), MoneyError> {
        self.base = self.base.plus(other.base)?;
        self.taxes = self.taxes.plus(other.taxes)?;
        // Parts that one of them doesn't tell would no longer add up.
        if self.tax_parts.is_empty() || other.tax_parts.is_empty() {
            self.tax_parts.clear();
            return Ok(());
        }
        for part in &other.tax_parts {
            match self.tax_parts.iter_mut().find(|known| known.code == part.code) {
                Some(known) => known.amount = known.amount.plus(part.amount)?,
                None => self.tax_parts.push(part.clone()),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rust_decimal::Decimal;
    use wayfare_domain::Currency;

    #[test]
    fn a_partys_total_is_shared_out_to_the_last_paisa() {
        let inr = |paise| Money::rounded(Decimal::new(paise, 2), Currency::INR);
        let party = Party { adults: 2, children: 1, infants: 0 };
        let rows = shares(inr(10_000), inr(900), party);
        let read: Vec<_> = rows
            .iter()
            .map(|row| (row.kind.as_ref(), row.count, row.base.to_string(), row.taxes.to_string()))
            .collect();
        assert_eq!(
            read,
            [("ADT", 2, "33.33".into(), "3.00".into()), ("CHD", 1, "33.34".into(), "3.00".to_owned())]
        );
    }
}
