//! What the operator sets for an agency's prices: its terms, and what suppliers leave by contract. It holds for the very
//! next request: nothing of it is kept in memory.

use diesel_async::AsyncConnection;
use futures_util::try_join;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use strum::VariantNames;
use wayfare_boxed::boxed;
use wayfare_contract::{
    Amount,
    operator::{AgencyContract, AgencyTerms, ListedContract},
    vocabulary::MarkupType,
};
use wayfare_domain::{AgencyCode, Currency, EventKind, Faults, Money, ProductKind};
use wayfare_flights::Cabin;
use wayfare_pricing::{Contract, Fee, MarkupKind, RateSource, Rules, Terms};
use wayfare_store::pricing::{contracts, exchange_rates, package_assignments, terms};

use super::{agencies::lock, agency_of, note};
use crate::{
    Error, Platform, Result,
    access::operators::{By, ConfirmedFinance},
    pricing::{
        exchange_rates::StoredRates,
        preview::{self, Example, Preview},
    },
};

/// What changes of an agency's terms; what is none stays. Amounts are in the agency's currency.
#[derive(Clone, Copy, Debug, Default)]
pub struct TermsChange {
    /// The service fee per offer: an amount, or per cent of the supplier's total.
    pub service_fee: Option<(MarkupKind, Decimal)>,
    /// GST, per cent of the service fee.
    pub gst: Option<Decimal>,
    /// The platform's charge per offer.
    pub platform_charge: Option<Decimal>,
    /// The least commission; 0 sets no bound.
    pub min_commission: Option<Decimal>,
    /// The largest commission; 0 sets no bound.
    pub max_commission: Option<Decimal>,
}

/// What a contract is for. Upper and lower case of airline and cabin are one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Covered {
    pub supplier: String,
    /// Only offers of this airline (IATA code); none: of any.
    pub airline: Option<String>,
    /// Only this cabin, by the API's word (`ECONOMY`); none: any.
    pub cabin: Option<String>,
}

/// A contract as it is to be: what it is for, and what the supplier leaves by it.
#[derive(Clone, Debug)]
pub struct ContractDraft {
    pub covered: Covered,
    /// Flat or per cent of B.
    pub kind: MarkupKind,
    /// The amount in the agency's currency, or the percentage.
    pub value: Decimal,
}

/// What is tried before it is set, at what a supplier might ask.
#[derive(Clone, Debug)]
pub struct PriceDraft {
    pub terms: TermsChange,
    pub contract: Option<ContractDraft>,
    /// Whose package of the agency counts.
    pub product: ProductKind,
    /// The currency in which the supplier asks; none: the agency's.
    pub currency: Option<Currency>,
    pub example: Example,
}

/// The agency's terms.
///
/// # Errors
/// [`Error::NotFound`] for an unknown agency.
#[boxed]
pub async fn terms(platform: &Platform, code: &AgencyCode) -> Result<AgencyTerms> {
    let mut connection = platform.core.database.connection().await?;
    let agency = agency_of(&mut connection, code).await?;
    Ok(shown_terms(code, &terms::of(&connection, agency.id, agency.currency).await?))
}

fn shown_terms(code: &AgencyCode, terms: &Terms) -> AgencyTerms {
    let (service_fee_type, service_fee) = match terms.service_fee {
        Fee::Flat(fee) => (MarkupType::Flat, fee.amount()),
        Fee::Percent(percent) => (MarkupType::Percent, percent),
    };
    AgencyTerms {
        agent_id: code.to_string(),
        service_fee_type,
        service_fee: Amount(service_fee),
        gst_percent: Amount(terms.gst_percent),
        platform_charge: Amount(terms.platform_charge.amount()),
        min_commission: Amount(terms.min_commission.amount()),
        max_commission: Amount(terms.max_commission.amount()),
        currency: terms.platform_charge.currency().code().to_owned(),
    }
}

/// Changes the agency's terms, all of it or nothing, and returns what they are now.
///
/// # Errors
/// [`Error::NotFound`] for an unknown agency; [`Error::Invalid`] names what can't be.
#[boxed]
pub async fn set_terms(
    platform: &Platform,
    by: By<ConfirmedFinance>,
    code: &AgencyCode,
    change: TermsChange,
) -> Result<AgencyTerms> {
    let mut connection = platform.core.database.connection().await?;
    connection
        .transaction(async |connection| {
            let agency = lock(connection, code).await?;
            let before = terms::of(connection, agency.id, agency.currency).await?;
            let after = changed(before, change, agency.currency)?;
            if after != before {
                terms::put(connection, agency.id, &after, platform.core.clock.now()).await?;
                let entity_id = agency.id.to_string();
                let values = (Some(terms_audit_value(&before)), terms_audit_value(&after));
                note(platform, by.actor(), connection, agency.id, EventKind::TermsUpdated, entity_id, values)
                    .await?;
            }
            Ok::<_, Error>(shown_terms(code, &after))
        })
        .await
}

fn changed(before: Terms, change: TermsChange, currency: Currency) -> Result<Terms, Faults> {
    let mut faults = Faults::default();
    let mut after = before;
    match change.service_fee {
        None => {}
        Some((MarkupKind::Flat, fee)) => {
            let fee = amount(&mut faults, "service_fee", fee, currency);
            after.service_fee = fee.map_or(after.service_fee, Fee::Flat);
        }
        Some((MarkupKind::Percent, percent)) => {
            let fee = percentage(&mut faults, "service_fee_percent", percent);
            after.service_fee = fee.map_or(after.service_fee, Fee::Percent);
        }
    }
    if let Some(percent) = change.gst {
        after.gst_percent = percentage(&mut faults, "gst", percent).unwrap_or(after.gst_percent);
    }
    for (field, stated, of) in [
        ("platform_charge", change.platform_charge, &mut after.platform_charge),
        ("min_commission", change.min_commission, &mut after.min_commission),
        ("max_commission", change.max_commission, &mut after.max_commission),
    ] {
        if let Some(stated) = stated {
            *of = amount(&mut faults, field, stated, currency).unwrap_or(*of);
        }
    }
    let Terms { min_commission: least, max_commission: most, .. } = after;
    if faults.is_empty() && !most.is_zero() && most.amount() < least.amount() {
        let reason = format!("must be 0, for no bound, or at least the min_commission of {least}");
        faults.add("max_commission", reason);
    }
    faults.or(after)
}

fn amount(faults: &mut Faults, field: &str, stated: Decimal, currency: Currency) -> Option<Money> {
    match Money::exact(stated, currency) {
        Ok(amount) if !amount.is_negative() => return Some(amount),
        Ok(_) => faults.add(field, "must be 0 or greater"),
        Err(error) => faults.add(field, error.to_string()),
    }
    None
}

fn percentage(faults: &mut Faults, field: &str, stated: Decimal) -> Option<Decimal> {
    if (Decimal::ZERO..=Decimal::ONE_HUNDRED).contains(&stated) {
        return Some(stated);
    }
    faults.add(field, "must be between 0 and 100");
    None
}

fn terms_audit_value(terms: &Terms) -> Value {
    let (kind, value) = match terms.service_fee {
        Fee::Flat(fee) => (MarkupKind::Flat, Amount(fee.amount())),
        Fee::Percent(percent) => (MarkupKind::Percent, Amount(percent)),
    };
    json!({
        "service_fee_type": kind,
        "service_fee": value,
        "gst_percent": Amount(terms.gst_percent),
        "platform_charge": terms.platform_charge.number(),
        "min_commission": terms.min_commission.number(),
        "max_commission": terms.max_commission.number(),
        "currency": terms.platform_charge.currency(),
    })
}

/// The contracts for this agency, or for all, the oldest agency first.
///
/// # Errors
/// [`Error::NotFound`] for an unknown agency.
#[boxed]
pub async fn contracts(platform: &Platform, code: Option<&AgencyCode>) -> Result<Vec<ListedContract>> {
    let mut connection = platform.core.database.connection().await?;
    let organization = match code {
        Some(code) => Some(agency_of(&mut connection, code).await?.id),
        None => None,
    };
    Ok(contracts::listed(&mut connection, organization).await?.into_iter().map(listed).collect())
}

fn listed(listed: contracts::ListedContract) -> ListedContract {
    let AgencyContract { agent_id, supplier, airline, cabin, kind, value } =
        shown(&listed.agency, listed.contract);
    let value = match kind {
        // A stored zero has lost its decimals.
        MarkupType::Flat => Amount(Money::rounded(value.0, listed.currency).amount()),
        _ => value,
    };
    let currency = listed.currency.code().to_owned();
    ListedContract {
        agent_id,
        supplier,
        airline,
        cabin,
        kind,
        value,
        currency,
        updated_at: listed.updated_at,
    }
}

fn shown(code: &AgencyCode, contract: Contract) -> AgencyContract {
    AgencyContract {
        agent_id: code.to_string(),
        supplier: contract.supplier,
        airline: contract.airline,
        cabin: contract.cabin,
        kind: contract.kind.as_ref().into(),
        value: Amount(contract.value),
    }
}

/// Sets what a supplier leaves for the agency's bookings, per cent of B (of a hotel room: without taxes and fees) or an
/// amount in its currency, in the place of one that covers exactly the same, and returns it. Whether
/// the supplier is configured is not asked: a contract may come before its supplier.
///
/// # Errors
/// [`Error::NotFound`] for an unknown agency; [`Error::Invalid`] names what can't be.
#[boxed]
pub async fn set_contract(
    platform: &Platform,
    by: By<ConfirmedFinance>,
    code: &AgencyCode,
    covered: Covered,
    kind: MarkupKind,
    value: Decimal,
) -> Result<AgencyContract> {
    let draft = ContractDraft { covered, kind, value };
    let mut connection = platform.core.database.connection().await?;
    connection
        .transaction(async |connection| {
            let agency = lock(connection, code).await?;
            let contract = draft.agreed(agency.currency)?;
            let agreed = contracts::of(connection, agency.id).await?;
            let before = agreed.into_iter().find(|other| are_of_the_same(other, &contract));
            if before.as_ref() != Some(&contract) {
                contracts::put(connection, agency.id, &contract, platform.core.clock.now()).await?;
                let entity_id = contract.supplier.clone();
                let before = before.as_ref().map(contract_audit_value);
                let values = (before, contract_audit_value(&contract));
                note(platform, by.actor(), connection, agency.id, EventKind::ContractSet, entity_id, values)
                    .await?;
            }
            Ok::<_, Error>(shown(code, contract))
        })
        .await
}

/// Ends the agency's contract that covers exactly this, and returns it; none when there is none.
///
/// # Errors
/// [`Error::NotFound`] for an unknown agency; [`Error::Invalid`] names what can't be.
#[boxed]
pub async fn remove_contract(
    platform: &Platform,
    by: By<ConfirmedFinance>,
    code: &AgencyCode,
    covered: Covered,
) -> Result<Option<AgencyContract>> {
    let mut faults = Faults::default();
    let covered = covered.in_words(&mut faults);
    let covered = faults.or(covered)?;
    let mut connection = platform.core.database.connection().await?;
    connection
        .transaction(async |connection| {
            let agency = lock(connection, code).await?;
            let agreed = contracts::of(connection, agency.id).await?;
            let Some(ended) = agreed.into_iter().find(|contract| covered.is_of(contract)) else {
                return Ok(None);
            };
            contracts::remove(connection, agency.id, &ended).await?;
            let entity_id = ended.supplier.clone();
            let values = (Some(contract_audit_value(&ended)), Value::Null);
            note(platform, by.actor(), connection, agency.id, EventKind::ContractRemoved, entity_id, values)
                .await?;
            Ok::<_, Error>(Some(shown(code, ended)))
        })
        .await
}

/// Prices an example for the agency as if this were set already, with the agency's own package and the rates of now, and
/// says how. Nothing is written.
///
/// # Errors
/// [`Error::NotFound`] for an unknown agency; [`Error::Invalid`] names what can't be, as fields of `terms`, `contract`
/// and `example`.
#[boxed]
pub async fn preview_price(platform: &Platform, code: &AgencyCode, draft: PriceDraft) -> Result<Preview> {
    let mut connection = platform.core.database.connection().await?;
    let agency = agency_of(&mut connection, code).await?;
    let (package, terms, contracts, stored) = try_join!(
        package_assignments::applied(&connection, agency.id, None, draft.product),
        terms::of(&connection, agency.id, agency.currency),
        contracts::of(&connection, agency.id),
        exchange_rates::all(&connection),
    )?;
    drop(connection);
    let mut rules = Rules { package, terms, contracts };
    let mut faults = Faults::default();
    let below = |part: &'static str| move |field: &str| format!("{part}.{field}");
    match changed(rules.terms, draft.terms, agency.currency) {
        Ok(terms) => rules.terms = terms,
        Err(wrong) => faults.append(wrong.renamed(below("terms"))),
    }
    match draft.contract.map(|contract| contract.agreed(agency.currency)) {
        None => {}
        Some(Ok(contract)) => {
            rules.contracts.retain(|other| !are_of_the_same(other, &contract));
            rules.contracts.push(contract);
        }
        Some(Err(wrong)) => faults.append(wrong.renamed(below("contract"))),
    }
    let currency = draft.currency.unwrap_or(agency.currency);
    let rates = StoredRates::new(&stored, platform.core.rates.clone());
    let rate = rates.rate(currency, agency.currency).unwrap_or_else(|_| {
        let reason = format!("has no exchange rate to {}", agency.currency.code());
        faults.add("example.currency", reason);
        Decimal::ONE
    });
    faults.or(())?;
    Ok(preview::sold(&rules, &draft.example, currency, rate)?)
}

/// Whether two contracts are for the same supplier, airline and cabin: one takes the place of the other.
fn are_of_the_same(one: &Contract, other: &Contract) -> bool {
    (&one.supplier, &one.airline, &one.cabin) == (&other.supplier, &other.airline, &other.cabin)
}

impl ContractDraft {
    /// It as it is agreed, if it can be one of an agency with this currency.
    fn agreed(self, currency: Currency) -> Result<Contract, Faults> {
        let mut faults = Faults::default();
        let covered = self.covered.in_words(&mut faults);
        let value = match self.kind {
            MarkupKind::Percent => percentage(&mut faults, "percent", self.value),
            MarkupKind::Flat => amount(&mut faults, "flat", self.value, currency).map(Money::amount),
        };
        faults.or(Contract {
            supplier: covered.supplier,
            airline: covered.airline,
            cabin: covered.cabin,
            kind: self.kind,
            value: value.unwrap_or_default(),
        })
    }
}

impl Covered {
    /// The same as it is written everywhere else.
    fn in_words(self, faults: &mut Faults) -> Self {
        let letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte);
        if self.supplier.is_empty() || !self.supplier.bytes().all(letter) {
            faults.add("supplier", "must be a supplier's code, like duffel");
        }
        let upper = |text: Option<String>| text.map(|text| text.to_ascii_uppercase());
        let (airline, cabin) = (upper(self.airline), upper(self.cabin));
        let is_airline =
            |code: &String| code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if airline.as_ref().is_some_and(|code| !is_airline(code)) {
            faults.add("airline", "must be an airline's code of 2 letters, like BA");
        }
        if cabin.as_ref().is_some_and(|cabin| cabin.parse::<Cabin>().is_err()) {
            faults.add("cabin", format!("must be one of {}", Cabin::VARIANTS.join(", ")));
        }
        Self { airline, cabin, ..self }
    }

    fn is_of(&self, contract: &Contract) -> bool {
        (&self.supplier, &self.airline, &self.cabin)
            == (&contract.supplier, &contract.airline, &contract.cabin)
    }
}

fn contract_audit_value(contract: &Contract) -> Value {
    json!({
        "supplier": contract.supplier,
        "airline": contract.airline,
        "cabin": contract.cabin,
        "commission_type": contract.kind,
        "commission": Amount(contract.value),
    })
}
