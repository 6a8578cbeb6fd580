//! What a package would make of a price: an example is priced with a draft and explained, and nothing is written.

use futures_util::try_join;
use wayfare_boxed::boxed;
use wayfare_domain::{Faults, PackageId};
use wayfare_pricing::{Level, Package as PricingPackage, Rules, Trace};
use wayfare_store::pricing::{contracts, terms};

use super::Draft;
use crate::{
    Core, PortalAdmin, Result,
    pricing::preview::{self, Example, Preview},
};

/// What stands in the place of a contract's rule: what the operator agreed with a supplier is theirs (D-530).
const CONTRACT: &str = "the operator's contract with the supplier";

/// Prices an example with a draft in the place of the agency's package, by the terms and contracts of now: two statements.
///
/// # Errors
/// [`crate::Error::Invalid`] for a draft or an example that can't be.
#[boxed]
pub async fn preview(core: &Core, admin: &PortalAdmin, draft: &Draft, example: &Example) -> Result<Preview> {
    let (organization, currency) = (admin.caller().organization(), admin.caller().currency());
    draft.check(currency)?;
    let connection = core.database.connection().await?;
    let (terms, contracts) =
        try_join!(terms::of(&connection, organization, currency), contracts::of(&connection, organization))?;
    let rules = Rules { package: (draft.is_active != Some(false)).then(|| package(draft)), terms, contracts };
    Ok(priced(&rules, example)?)
}

/// The draft as if it were the agency's.
fn package(draft: &Draft) -> PricingPackage {
    PricingPackage {
        id: PackageId::from_uuid(uuid::Uuid::nil()),
        name: draft.name.clone(),
        level: Level::Agency,
        markup: draft.markup,
        price_ranges: draft.price_ranges.clone(),
    }
}

/// The trace has no contract's figures.
fn priced(rules: &Rules, example: &Example) -> Result<Preview, Faults> {
    let preview = preview::priced(rules, example)?;
    Ok(Preview { trace: without_contracts(rules, preview.trace), ..preview })
}

/// The trace as an agency reads it: a contract's line has its result, and not how it came about; the draft has no id.
fn without_contracts(rules: &Rules, mut trace: Trace) -> Trace {
    let contracts: Vec<String> = rules.contracts.iter().map(ToString::to_string).collect();
    let package = rules.package.as_ref().map(ToString::to_string);
    for step in &mut trace.steps {
        if contracts.contains(&step.rule) {
            CONTRACT.clone_into(&mut step.rule);
            step.inputs.clear();
            step.exact = step.result;
        } else if let Some(package) = &package {
            step.rule = step.rule.replace(package, "this package");
        }
    }
    trace
}

#[cfg(test)]
mod tests {
    use rust_decimal::{Decimal, dec};
    use wayfare_domain::Currency;
    use wayfare_pricing::{ApplyOn, Contract, Markup, MarkupKind};

    use super::*;

    fn rules() -> Rules {
        let markup = Markup { kind: MarkupKind::Percent, value: dec!(10), apply_on: ApplyOn::Fare };
        let draft = Draft {
            name: "Corporate".to_owned(),
            description: String::new(),
            markup,
            priority: 0,
            is_active: None,
            price_ranges: Vec::new(),
        };
        let contract = Contract {
            supplier: "duffel".to_owned(),
            airline: None,
            cabin: None,
            kind: MarkupKind::Percent,
            value: dec!(7.3),
        };
        Rules { package: Some(package(&draft)), contracts: vec![contract], ..Rules::none(Currency::INR) }
    }

    fn example(base: Decimal) -> Example {
        Example { supplier: Some("duffel".to_owned()), base, taxes: dec!(900), ..Example::default() }
    }

    #[test]
    fn a_contracts_line_has_its_result_and_no_figures() {
        let preview = priced(&rules(), &example(dec!(4500))).unwrap();
        assert_eq!(preview.price.public_fare().amount(), dec!(5850));
        let text = preview.trace.to_string();
        assert!(text.contains(CONTRACT) && text.contains("328.5"), "{text}");
        assert!(!text.contains("7.3 %") && !text.contains("duffel"), "{text}");
        assert!(text.contains("this package"), "{text}");
        assert!(!text.contains("00000000-"), "{text}");
    }
}
