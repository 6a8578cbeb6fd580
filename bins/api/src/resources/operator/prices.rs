//! What decides an agency's prices: its terms, and what suppliers leave by contract; tried before it is set.

use actix_web::web::Path;
use rust_decimal::Decimal;
use serde_json::json;
use wayfare_contract::{
    PricePreview,
    operator::{self as contract, AgencyContract, AgencyTerms, ListedContract},
};
use wayfare_domain::{AgencyCode, Currency, Faults, ProductKind};
use wayfare_flights::Cabin;
use wayfare_operations::{
    Error, Platform,
    access::operators::{ConfirmedFinance, OperatorProof, Viewer},
    operator::{self, ContractDraft, Covered, PriceDraft, TermsChange},
    pricing::preview::Example as PriceExample,
};

use super::agencies::currency;
use crate::{
    http::{
        App,
        extract::{Ask, Body, Nothing, Query},
        json_body::{FromJson, JsonObject},
        query::{FromQuery, Parameters},
        reply::{DataReply, data},
    },
    resources::packages::preview::asked,
};

/// The longest code of a supplier.
const LONGEST_SUPPLIER: usize = 64;
/// The longest word of a cabin.
const LONGEST_CABIN: usize = 32;

/// `GET /agencies/{code}/terms`.
pub async fn terms(app: App, _: Ask<Viewer, Nothing>, code: Path<String>) -> DataReply<AgencyTerms> {
    let code = AgencyCode::from(code.into_inner());
    data(operator::terms(&app, &code).await?)
}

/// `PUT /agencies/{code}/terms`.
pub async fn set_terms(
    app: App,
    ask: Ask<ConfirmedFinance, Body<TermsBody>>,
    code: Path<String>,
) -> DataReply<AgencyTerms> {
    let Body(TermsBody(change)) = ask.what;
    let code = AgencyCode::from(code.into_inner());
    data(operator::set_terms(&app, ask.who.by(), &code, change).await.map_err(as_sent)?)
}

/// `GET /contracts`.
pub async fn contracts(app: App, ask: Ask<Viewer, Query<OfAgency>>) -> DataReply<Vec<ListedContract>> {
    let Query(OfAgency(agency)) = ask.what;
    data(operator::contracts(&app, agency.as_ref()).await?)
}

/// `PUT /agencies/{code}/contracts`.
pub async fn set_contract(
    app: App,
    ask: Ask<ConfirmedFinance, Body<ContractBody>>,
    code: Path<String>,
) -> DataReply<AgencyContract> {
    let Body(ContractBody(draft)) = ask.what;
    known_supplier(&app, "supplier", &draft).or(())?;
    let code = AgencyCode::from(code.into_inner());
    let ContractDraft { covered, kind, value } = draft;
    let set = operator::set_contract(&app, ask.who.by(), &code, covered, kind, value).await;
    data(set.map_err(as_sent)?)
}

/// `DELETE /agencies/{code}/contracts`.
pub async fn remove_contract(
    app: App,
    ask: Ask<ConfirmedFinance, Query<CoveredQuery>>,
    code: Path<String>,
) -> DataReply<AgencyContract> {
    let Query(CoveredQuery(covered)) = ask.what;
    let code = AgencyCode::from(code.into_inner());
    let removed = operator::remove_contract(&app, ask.who.by(), &code, covered).await?;
    data(removed.ok_or(Error::NotFound)?)
}

/// `POST /agencies/{code}/preview`.
pub async fn preview(
    app: App,
    ask: Ask<Viewer, Body<PreviewBody>>,
    code: Path<String>,
) -> DataReply<PricePreview> {
    let Body(PreviewBody(draft)) = ask.what;
    if let Some(contract) = &draft.contract {
        known_supplier(&app, "contract.supplier", contract).or(())?;
    }
    let code = AgencyCode::from(code.into_inner());
    let preview = operator::preview_price(&app, &code, draft).await;
    data(PricePreview::from(preview.map_err(as_sent)?))
}

/// That a contract is with a supplier that there is: one that is misspelt would never count (D-554).
fn known_supplier(platform: &Platform, field: &str, draft: &ContractDraft) -> Faults {
    let known = platform.suppliers.permit_use();
    if known.contains_key(draft.covered.supplier.as_str()) {
        return Faults::default();
    }
    let codes: Vec<&str> = known.into_keys().collect();
    Faults::of(field, format!("must be one of {}", codes.join(", ")))
}

/// The error with the fields at fault by the names under which they were sent.
fn as_sent(error: Error) -> Error {
    let name = |field: &str| {
        let (path, name) = field.rfind('.').map_or(("", field), |dot| field.split_at(dot + 1));
        let name = match name {
            "service_fee_percent" => "service_fee",
            "gst" => "gst_percent",
            "percent" | "flat" => "value",
            other => other,
        };
        format!("{path}{name}")
    };
    match error {
        Error::Invalid(faults) => Error::Invalid(faults.renamed(name)),
        other => other,
    }
}

/// `PUT /agencies/{code}/terms`; what is not there stays.
pub struct TermsBody(TermsChange);

impl FromJson for TermsBody {
    const NAME: &str = "SetTermsRequest";
    type Declared = contract::TermsChange;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        Some(Self(terms_change(body)))
    }
}

fn terms_change(body: &mut JsonObject<'_>) -> TermsChange {
    let (has_fee, has_kind) = (body.has("service_fee"), body.has("service_fee_type"));
    let mut change = TermsChange::default();
    if has_fee || has_kind {
        let kind = body.word("service_fee_type");
        let fee = not_negative(body, "service_fee");
        change.service_fee = kind.zip(body.required("service_fee", fee));
    }
    change.gst = not_negative(body, "gst_percent");
    change.platform_charge = not_negative(body, "platform_charge");
    change.min_commission = not_negative(body, "min_commission");
    change.max_commission = not_negative(body, "max_commission");
    change
}

/// A number of which the operation says what is wrong, once the agency's currency is known.
fn not_negative(body: &mut JsonObject<'_>, name: &str) -> Option<Decimal> {
    let number = body.decimal(name);
    body.note(name, || json!({ "minimum": 0 }));
    number
}

/// `PUT /agencies/{code}/contracts`.
pub struct ContractBody(ContractDraft);

impl FromJson for ContractBody {
    const NAME: &str = "SetContractRequest";
    type Declared = contract::ContractDraft;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        contract(body).map(Self)
    }
}

fn contract(body: &mut JsonObject<'_>) -> Option<ContractDraft> {
    let supplier = body.text("supplier", LONGEST_SUPPLIER);
    let airline = chosen_text(body, "airline", 2);
    let cabin = chosen_text(body, "cabin", LONGEST_CABIN);
    let kind = body.word("kind");
    let value = not_negative(body, "value");
    let value = body.required("value", value);
    Some(ContractDraft {
        covered: Covered { supplier: supplier?, airline, cabin },
        kind: kind?,
        value: value?,
    })
}

/// A text that says for which offers it counts, where it is said: an empty one is none of them (D-610).
fn chosen_text(body: &mut JsonObject<'_>, name: &str, longest: usize) -> Option<String> {
    body.has(name).then(|| body.text(name, longest)).flatten()
}

fn some_text(body: &mut JsonObject<'_>, name: &str, longest: usize) -> Option<String> {
    body.short_text(name, longest).filter(|text| !text.is_empty())
}

/// Which contract is ended.
pub struct CoveredQuery(Covered);

impl FromQuery for CoveredQuery {
    fn read(query: &mut Parameters) -> Self {
        Self(Covered {
            supplier: query.needed_text("supplier", LONGEST_SUPPLIER).unwrap_or_default(),
            airline: query.chosen_text("airline"),
            cabin: query.chosen_text("cabin"),
        })
    }
}

/// Of which agency; of all where none is named.
pub struct OfAgency(Option<AgencyCode>);

impl FromQuery for OfAgency {
    fn read(query: &mut Parameters) -> Self {
        Self(query.text("agency").map(AgencyCode::from))
    }
}

/// `POST /agencies/{code}/preview`.
pub struct PreviewBody(PriceDraft);

impl FromJson for PreviewBody {
    const NAME: &str = "PreviewPriceRequest";
    type Declared = contract::PriceDraft;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let terms = body.object("terms", |body| Some(terms_change(body)));
        let contract = body.object("contract", contract);
        let product = match body.has("product") {
            true => body.word("product"),
            false => Some(ProductKind::Flight),
        };
        let example = body.object("example", example);
        let (example, currency) = body.required("example", example)?;
        Some(Self(PriceDraft {
            terms: terms.unwrap_or_default(),
            contract,
            product: product?,
            currency,
            example,
        }))
    }
}

/// What a supplier might ask, and in which currency.
fn example(body: &mut JsonObject<'_>) -> Option<(PriceExample, Option<Currency>)> {
    let asked = asked(body);
    let airline = some_text(body, "airline", 2).map(|code| code.to_ascii_uppercase());
    let cabin = match body.has("cabin") {
        true => body.word::<Cabin>("cabin"),
        false => None,
    };
    let currency = match body.has("currency") {
        true => currency(body),
        false => None,
    };
    let example = PriceExample { airline, cabin: cabin.map(|cabin| cabin.as_ref().to_owned()), ..asked? };
    Some((example, currency))
}
