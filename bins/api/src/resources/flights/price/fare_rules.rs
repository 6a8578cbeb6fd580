//! What the offers of a price say of giving them back and changing them, all together.

use rust_decimal::Decimal;
use wayfare_contract::flights::PriceRules;
use wayfare_domain::{Currency, Money};
use wayfare_flights::{FeeKind, Journey, Offer};

use wayfare_search_response::flights::other_currency_fees;

use crate::resources::common::amount;

/// What one offer says, its fees in the wallet's currency, or in their own where that is not the fare's.
struct OfferRules {
    route: String,
    refundable: Option<bool>,
    cancel_fee: Option<Money>,
    changeable: Option<bool>,
    change_fee: Option<Money>,
    no_show_fee: Option<Money>,
    incomparable_fees: Vec<(FeeKind, Money)>,
}

impl OfferRules {
    fn of(offer: &Offer, rate: Decimal, currency: Currency) -> Self {
        let policy = &offer.fare.refund;
        let of_fare = offer.charge.total.currency();
        let shown = |fee: Option<Money>| match fee? {
            fee if fee.currency() == of_fare => fee.converted(rate, currency).ok(),
            fee => Some(fee),
        };
        let routes: Vec<String> = offer.journeys.iter().filter_map(route).collect();
        Self {
            route: routes.join(" / "),
            refundable: policy.refundable,
            cancel_fee: shown(policy.cancel_fee),
            changeable: policy.changeable,
            change_fee: shown(policy.change_fee),
            no_show_fee: shown(policy.no_show_fee),
            incomparable_fees: policy.incomparable_fees.clone(),
        }
    }

    fn sentences(&self) -> String {
        let said = |allowed: Option<bool>, what: &str, kind: FeeKind, fee: Option<Money>| {
            let in_several = self.incomparable_fees.iter().filter(|(of, _)| *of == kind);
            let fees: Vec<String> =
                fee.into_iter().chain(in_several.map(|(_, fee)| *fee)).map(with_code).collect();
            match allowed {
                Some(true) if fees.is_empty() => format!("{what} before departure."),
                Some(true) => format!("{what} before departure for {}.", fees.join(" or ")),
                Some(false) => format!("Not {} before departure.", what.to_lowercase()),
                None => format!("The supplier does not say whether it is {}.", what.to_lowercase()),
            }
        };
        let mut text = format!(
            "{} {}",
            said(self.refundable, "Refundable", FeeKind::Cancellation, self.cancel_fee),
            said(self.changeable, "Changeable", FeeKind::DateChange, self.change_fee)
        );
        if let Some(fee) = self.no_show_fee {
            text.push_str(&format!(" Not showing up costs {}.", with_code(fee)));
        }
        text
    }
}

fn route(leg: &Journey) -> Option<String> {
    let (first, last) = leg.segments.first().zip(leg.segments.last())?;
    Some(format!("{}-{}", first.origin, last.destination))
}

fn with_code(amount: Money) -> String {
    format!("{amount} {}", amount.currency().code())
}

/// `offers` come with their exchange rates to `currency`. Of several, each is told with its route: all is refundable when each
/// is, and costs what all cost, where each says so.
pub fn rules<'a>(offers: impl Iterator<Item = (&'a Offer, Decimal)>, currency: Currency) -> PriceRules {
    let mut others = Vec::new();
    let told: Vec<OfferRules> = offers
        .map(|(offer, rate)| {
            others.extend(other_currency_fees(offer));
            OfferRules::of(offer, rate, currency)
        })
        .collect();
    let sum = |fee: fn(&OfferRules) -> Option<Money>| {
        let fees: Vec<Money> = told.iter().map(fee).collect::<Option<_>>()?;
        Money::sum(currency, fees).ok().map(amount)
    };
    let sentences: Vec<String> = match told.as_slice() {
        [only] => vec![only.sentences()],
        all => {
            let routed = |rules: &OfferRules| format!("{}: {}", rules.route, rules.sentences());
            all.iter().map(routed).collect()
        }
    };
    PriceRules {
        is_refundable: each(told.iter().map(|rules| rules.refundable)),
        cancellation_fee: sum(|rules| rules.cancel_fee),
        change_fee: sum(|rules| rules.change_fee),
        rule_text: sentences.join(" "),
        other_currency_fees: others,
    }
}

/// Whether it is so of each: one that is not decides, and one that is not known leaves it open.
fn each(all: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let both = |one: Option<bool>, other: Option<bool>| match (one, other) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        (None, _) | (_, None) => None,
    };
    all.reduce(both).flatten()
}

#[cfg(test)]
mod tests {
    use wayfare_contract::Amount;
    use wayfare_flights::{Charge, FareDetails, RefundPolicy, Segment};

    use super::*;

    fn gbp(pence: i64) -> Money {
        Money::rounded(Decimal::new(pence, 2), Currency::GBP)
    }

    fn offer(route: (&str, &str), refund: RefundPolicy) -> Offer {
        let time = "2026-04-01T10:00:00".parse().unwrap();
        let segment = Segment::new("ZZ", "1", [route.0, route.1], [time, time]);
        let charge = Charge { base: gbp(0), taxes: gbp(0), total: gbp(0), commission: None };
        let journey = Journey { segments: vec![segment], duration_minutes: None };
        Offer {
            fare: FareDetails { refund, ..FareDetails::default() }.into(),
            ..Offer::new("off", vec![journey], charge)
        }
    }

    fn policy(
        refund: (Option<bool>, Option<i64>),
        change: (Option<bool>, Option<i64>),
        no_show: Option<i64>,
    ) -> RefundPolicy {
        RefundPolicy {
            refundable: refund.0,
            cancel_fee: refund.1.map(gbp),
            changeable: change.0,
            change_fee: change.1.map(gbp),
            no_show_fee: no_show.map(gbp),
            incomparable_fees: Vec::new(),
        }
    }

    /// At a hundred rupees for a pound, and fifty for the second offer's.
    fn told(offers: &[Offer]) -> PriceRules {
        let rates = [Decimal::ONE_HUNDRED, Decimal::from(50)];
        rules(offers.iter().zip(rates), Currency::INR)
    }

    fn amounts(rules: &PriceRules) -> (Option<bool>, Option<String>, Option<String>) {
        let text = |amount: &Option<Amount>| amount.as_ref().map(|amount| amount.0.to_string());
        (rules.is_refundable, text(&rules.cancellation_fee), text(&rules.change_fee))
    }

    #[test]
    fn one_offer_is_told_in_the_wallets_currency() {
        let yes = policy((Some(true), Some(2_500)), (Some(false), None), Some(100));
        let rules = told(&[offer(("DEL", "BOM"), yes)]);
        assert_eq!(amounts(&rules), (Some(true), Some("2500.00".into()), None));
        assert_eq!(
            rules.rule_text,
            "Refundable before departure for 2500.00 INR. Not changeable before departure. Not showing up costs \
             100.00 INR."
        );
        let rules = told(&[offer(("DEL", "BOM"), RefundPolicy::default())]);
        assert_eq!(amounts(&rules), (None, None, None));
        assert_eq!(
            rules.rule_text,
            "The supplier does not say whether it is refundable. The supplier does not say whether it is changeable."
        );
    }

    #[test]
    fn fees_in_several_currencies_are_told_in_each_and_in_no_amount() {
        let dollars = Money::rounded(Decimal::from(40), Currency::USD);
        let both = RefundPolicy {
            incomparable_fees: vec![(FeeKind::DateChange, gbp(3_000)), (FeeKind::DateChange, dollars)],
            ..policy((Some(false), None), (Some(true), None), None)
        };
        let rules = told(&[offer(("DEL", "BOM"), both)]);
        assert_eq!(amounts(&rules), (Some(false), None, None));
        assert_eq!(
            rules.rule_text,
            "Not refundable before departure. Changeable before departure for 30.00 GBP or 40.00 USD."
        );
        let others = serde_json::to_string(&rules.other_currency_fees).unwrap();
        assert_eq!(
            others,
            r#"[{"type":"date_change","amount":30.00,"currency":"GBP"},{"type":"date_change","amount":40.00,"currency":"USD"}]"#
        );
    }

    #[test]
    fn several_offers_are_refundable_when_each_is_and_cost_what_all_cost() {
        let yes = |fee| policy((Some(true), fee), (Some(true), Some(1_000)), None);
        let out = offer(("DEL", "BOM"), yes(Some(2_500)));
        let rules = told(&[out.clone(), offer(("BOM", "DEL"), yes(Some(1_000)))]);
        assert_eq!(amounts(&rules), (Some(true), Some("3000.00".into()), Some("1500.00".into())));
        assert_eq!(
            rules.rule_text,
            "DEL-BOM: Refundable before departure for 2500.00 INR. Changeable before departure for 1000.00 INR. \
             BOM-DEL: Refundable before departure for 500.00 INR. Changeable before departure for 500.00 INR."
        );
        let unsaid = offer(("BOM", "DEL"), policy((None, None), (Some(true), None), None));
        let no = offer(("BOM", "DEL"), policy((Some(false), None), (None, None), None));
        assert_eq!(amounts(&told(&[out.clone(), unsaid.clone()])), (None, None, None));
        assert_eq!(amounts(&told(&[out, no.clone()])), (Some(false), None, None));
        assert_eq!(amounts(&told(&[unsaid, no])), (Some(false), None, None));
    }
}
