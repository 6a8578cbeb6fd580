//! What a fare costs each traveller, part by part, and what of it TripJack gives back to the agency.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::World;
use crate::airlines::Style;
use crate::fares;
use crate::itinerary::{Bundle, Journey, PassengerType, Traveller};
use crate::json::Number;
use crate::rng::Rng;
use crate::tariff::Tariff;

/// What a fare that is sold for both ways together costs of a fare that is not, in thousandths.
const SPECIAL_RETURN_PERMILLE: u32 = 930;
/// Income tax that is withheld of a commission, in thousandths.
const TDS_PERMILLE: u32 = 50;

/// The price of a bundle for one traveller of a kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PaxPrice {
    pub(super) base: Decimal,
    taxes: Vec<(String, Decimal)>,
    commission: Option<Commission>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Commission {
    gross: Decimal,
    /// Income tax that is withheld of it, below zero.
    tds: Decimal,
}

impl Commission {
    fn of(tariff: &Tariff, base: Decimal, permille: u32) -> Self {
        let gross = tariff.permille(base, permille);
        Self { gross, tds: -tariff.permille(gross, TDS_PERMILLE) }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Price {
    /// By kind, adults first, with how many there are.
    pub(super) by_kind: Vec<(PassengerType, u32, PaxPrice)>,
}

impl PaxPrice {
    fn of(world: &World, bundle: &Bundle, kind: PassengerType, is_special: bool) -> Self {
        let tariff = &world.tariff;
        let charges = fares::charges(world.seed, tariff, bundle, kind);
        let (base, sales_tax) = if is_special {
            (
                tariff.permille(charges.base, SPECIAL_RETURN_PERMILLE),
                tariff.permille(charges.sales_tax, SPECIAL_RETURN_PERMILLE),
            )
        } else {
            (charges.base, charges.sales_tax)
        };
        let flights = || bundle.journeys.iter().flat_map(Journey::flights);
        let crosses_borders = flights().any(|flight| flight.from.iso_country != flight.to.iso_country);
        let fuel = if crosses_borders { tariff.permille(charges.airport_tax, 600) } else { tariff.zero() };
        let management_fee = tariff.of_cents(18);
        let mut taxes = vec![
            ("AGST".to_owned(), sales_tax),
            ("OT".to_owned(), charges.airport_tax - fuel),
            ("MF".to_owned(), management_fee),
            ("MFT".to_owned(), tariff.permille(management_fee, 180)),
        ];
        if fuel > Decimal::ZERO {
            taxes.push(("YQ".to_owned(), fuel));
        }
        if bundle.airline.style == Style::Network {
            taxes.push(("YR".to_owned(), flights().map(|_| tariff.of_cents(200)).sum::<Decimal>()));
        }
        let mut rng = Rng::of(world.seed, &format!("commission/{}", bundle.airline.code));
        let permille = rng.between(10, 50);
        let pays = kind != PassengerType::Infant && !rng.one_in(4);
        Self { base, taxes, commission: pays.then(|| Commission::of(tariff, base, permille)) }
    }

    fn move_by(&mut self, tariff: &Tariff, percent: Decimal) {
        self.base = tariff.moved(self.base, percent);
        for (_, tax) in &mut self.taxes {
            *tax = tariff.moved(*tax, percent);
        }
        self.commission = self.commission.map(|commission| Commission {
            gross: tariff.moved(commission.gross, percent),
            tds: tariff.moved(commission.tds, percent),
        });
    }

    pub(super) fn tax(&self) -> Decimal {
        self.taxes.iter().map(|(_, tax)| *tax).sum()
    }

    pub(super) fn total(&self) -> Decimal {
        self.base + self.tax()
    }

    /// Base, taxes and totals, as members of a traveller's fare. Commissions are sent at the review and not before.
    pub(super) fn members(&self, with_commission: bool) -> Map<String, Value> {
        Sum::of([(1, self)]).members(with_commission)
    }
}

impl Price {
    /// The price of a bundle for a party, after it moved.
    pub(super) fn of(
        world: &World,
        bundle: &Bundle,
        party: &[Traveller],
        is_special: bool,
        percents: &[Decimal],
    ) -> Self {
        let priced = |kind: PassengerType| {
            let number = u32::try_from(kind.number_in(party)).ok().filter(|number| *number > 0)?;
            let price = PaxPrice::of(world, bundle, kind, is_special);
            Some((kind, number, price))
        };
        let price = Self { by_kind: PassengerType::ALL.into_iter().filter_map(priced).collect() };
        percents.iter().fold(price, |price, percent| price.moved(&world.tariff, *percent))
    }

    /// The price after it moved by so many percent, part by part.
    pub(super) fn moved(mut self, tariff: &Tariff, percent: Decimal) -> Self {
        for (.., price) in &mut self.by_kind {
            price.move_by(tariff, percent);
        }
        self
    }

    pub(super) fn total(&self) -> Decimal {
        self.by_kind.iter().map(|(_, number, price)| price.total() * Decimal::from(*number)).sum()
    }
}

/// What several fares cost a party together, extras included, in the words of `totalFareDetail`.
pub(super) fn total_detail<'a>(prices: impl IntoIterator<Item = &'a Price>, extras: Decimal) -> Value {
    let each = prices.into_iter().flat_map(|price| &price.by_kind).map(|(_, number, price)| (*number, price));
    let mut sum = Sum::of(each);
    if extras > Decimal::ZERO {
        sum.extras = Some(extras);
    }
    Value::Object(sum.members(true))
}

/// What several fares cost one traveller together.
pub(super) fn pax_detail<'a>(prices: impl IntoIterator<Item = &'a PaxPrice>) -> Value {
    let each = prices.into_iter().map(|price| (1, price));
    Value::Object(Sum::of(each).members(true))
}

/// That a price is another than before, where it is.
pub(super) fn fare_alert(before: Decimal, now: Decimal) -> Option<Value> {
    let alert = json!([{ "oldFare": Number(before), "newFare": Number(now), "type": "FAREALERT" }]);
    (before != now).then_some(alert)
}

#[derive(Default)]
struct Sum {
    base: Decimal,
    taxes: Vec<(String, Decimal)>,
    commission: Option<Commission>,
    extras: Option<Decimal>,
}

impl Sum {
    fn of<'a>(prices: impl IntoIterator<Item = (u32, &'a PaxPrice)>) -> Self {
        let mut sum = Self::default();
        for (number, price) in prices {
            let number = Decimal::from(number);
            sum.base += price.base * number;
            for (code, tax) in &price.taxes {
                match sum.taxes.iter_mut().find(|(known, _)| known == code) {
                    Some((_, total)) => *total += *tax * number,
                    None => sum.taxes.push((code.clone(), *tax * number)),
                }
            }
            if let Some(commission) = price.commission {
                let before =
                    sum.commission.unwrap_or(Commission { gross: Decimal::ZERO, tds: Decimal::ZERO });
                sum.commission = Some(Commission {
                    gross: before.gross + commission.gross * number,
                    tds: before.tds + commission.tds * number,
                });
            }
        }
        sum
    }

    fn members(&self, with_commission: bool) -> Map<String, Value> {
        let tax: Decimal = self.taxes.iter().map(|(_, tax)| *tax).sum();
        let total = self.base + tax + self.extras.unwrap_or_default();
        let mut parts: Map<String, Value> = Map::new();
        let mut taxes = Map::new();
        for (code, tax) in &self.taxes {
            taxes.insert(code.clone(), json!(Number(*tax)));
        }
        parts.insert("TAF".to_owned(), Value::Object(taxes));
        let mut costs =
            json!({ "BF": Number(self.base), "TAF": Number(tax), "TF": Number(total), "NF": Number(total) });
        if let (Some(commission), true) = (self.commission, with_commission) {
            let net = commission.gross + commission.tds;
            let commission_body = json!({ "OT": Number(commission.gross), "TDS": Number(commission.tds) });
            parts.insert("NCM".to_owned(), commission_body);
            if let Value::Object(costs) = &mut costs {
                costs.insert("NCM".to_owned(), json!(Number(net)));
                costs.insert("NF".to_owned(), json!(Number(total - net)));
            }
        }
        if let (Some(extras), Value::Object(costs)) = (self.extras, &mut costs) {
            costs.insert("SSRP".to_owned(), json!(Number(extras)));
        }
        Map::from_iter([("fC".to_owned(), costs), ("afC".to_owned(), Value::Object(parts))])
    }
}
