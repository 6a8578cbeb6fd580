//! An agency's terms and contracts, with a live example: what they would make of a price, before anything is saved.

use std::cmp::Reverse;

use wayfare_client::{
    Amount, AuditFilter, Error,
    enums::{Cabin, MarkupType, ProductKind},
    operator::{
        Agency, AgencyTerms, ContractDraft, ContractOf, ListedContract, PriceDraft, SupplierAsks, TermsChange,
    },
};

use super::{audit_logs, signed::OperatorSigned};
use crate::{
    audit_log::Row,
    flights::CABINS,
    page::Part,
    prelude::*,
    trace::{self, Example},
};

pub const KINDS: [(&str, &str); 2] = [("flat", "An amount"), ("percent", "Per cent")];
pub const CONTRACT_KINDS: [(&str, &str); 2] = [("percent", "Per cent"), ("flat", "An amount")];
pub const PRODUCTS: [(&str, &str); 2] = [("flight", "A flight"), ("hotel", "A stay")];

/// What is priced where nothing else was typed.
const USUAL: [(&str, &str); 2] = [("example_base", "10000"), ("example_taxes", "900")];

/// So many changes are shown.
const CHANGES: u32 = 20;

/// Figures of the terms, which are all sent.
const FIGURES: [&str; 5] =
    ["service_fee", "gst_percent", "platform_charge", "min_commission", "max_commission"];

pub fn mount(config: &mut ServiceConfig) {
    config
        .service(web::resource("/agencies/{code}/terms").get(show).post(save))
        .service(web::resource("/agencies/{code}/terms/preview").post(preview))
        .service(web::resource("/agencies/{code}/contracts").post(set_contract))
        .service(web::resource("/agencies/{code}/contracts/end").post(end_contract));
}

#[derive(Template)]
#[template(path = "operator/terms.html")]
struct TermsPage {
    shell: Shell,
    agency: Agency,
    currency: String,
    typed: Fields,
    contracts: Vec<ListedContract>,
    history: Vec<Row>,
    results: Part,
    wrongs: Wrongs,
    done: &'static str,
}

fn plain(amount: Amount) -> String {
    amount.0.normalize().to_string()
}

/// What stands in the form: the terms as they are, with what was typed over them.
fn with_typed(terms: &AgencyTerms, typed: Fields) -> Fields {
    if typed.has("service_fee") {
        return typed;
    }
    let stands = Fields::of([
        ("service_fee_type", terms.service_fee_type.to_string()),
        ("service_fee", plain(terms.service_fee)),
        ("gst_percent", plain(terms.gst_percent)),
        ("platform_charge", plain(terms.platform_charge)),
        ("min_commission", plain(terms.min_commission)),
        ("max_commission", plain(terms.max_commission)),
    ]);
    typed.over(stands).over(Fields::of(USUAL))
}

/// What stands of a contract that is to be changed, where the address names it.
fn with_contract(contracts: &[ListedContract], typed: Fields) -> Fields {
    let of = contract_of(&typed);
    let found = contracts
        .iter()
        .find(|one| (&one.supplier, &one.airline, &one.cabin) == (&of.supplier, &of.airline, &of.cabin));
    let Some(contract) = found.filter(|_| !typed.has("contract_value")) else { return typed };
    // An offer that it is for is tried.
    let stands = [
        ("contract_kind", Some(contract.kind.to_string())),
        ("contract_value", Some(plain(contract.value))),
        ("example_supplier", Some(contract.supplier.clone())),
        ("example_airline", contract.airline.clone()),
        ("example_cabin", contract.cabin.clone()),
    ];
    typed.over(Fields::of(stands.into_iter().filter_map(|(name, value)| Some((name, value?)))))
}

/// Who set terms and contracts last, newest first.
async fn history(signed: &OperatorSigned, code: &str) -> Result<Vec<Row>, Error> {
    let about = |kind: &str| {
        let filter = AuditFilter { entity_type: Some(kind.to_owned()), ..AuditFilter::default() };
        signed.session.agency_audit_logs(code, &filter).per_page(CHANGES)
    };
    let (terms, contracts) = (about("terms"), about("contract"));
    let (terms, contracts) = futures_util::try_join!(terms.page(1), contracts.page(1))?;
    let mut entries = [terms.items, contracts.items].concat();
    // Ids sort by time.
    entries.sort_by_key(|named| Reverse(named.entry.id));
    entries.truncate(usize::try_from(CHANGES).unwrap_or(usize::MAX));
    let log = audit_logs::address_of(code);
    Ok(entries.iter().map(|entry| audit_logs::row(entry, &log)).collect())
}

async fn page_of(
    signed: &OperatorSigned,
    code: &str,
    typed: Fields,
    wrongs: Wrongs,
    tried: Option<Example>,
) -> Result<TermsPage> {
    let session = &signed.session;
    let (shell, agency, terms, contracts, history) = futures_util::try_join!(
        signed.shell("Terms", Area::Agencies),
        session.agency(code),
        session.terms(code),
        session.contracts(Some(code)),
        history(signed, code),
    )?;
    let typed = with_contract(&contracts, with_typed(&terms, typed));
    let tried = match tried {
        Some(tried) => tried,
        None => try_out(signed, code, &typed).await?,
    };
    Ok(TermsPage {
        shell,
        agency,
        currency: terms.currency,
        typed,
        contracts,
        history,
        results: page::part(&tried)?,
        wrongs,
        done: "",
    })
}

/// `GET /operator/agencies/{code}/terms`; with a contract's supplier, airline and cabin that one stands in its form.
async fn show(signed: OperatorSigned, code: Path<String>, typed: Fields) -> Answer {
    let done = typed.done(&[
        ("terms", "The terms are saved. They count from the agency's very next request on."),
        ("contract", "The contract is set. It counts from the agency's very next request on."),
        ("ended", "The contract is over."),
    ]);
    page::html(&TermsPage { done, ..page_of(&signed, &code, typed, Wrongs::default(), None).await? })
}

async fn again(signed: &OperatorSigned, code: &str, typed: Fields, wrongs: Wrongs) -> Answer {
    page::unprocessable(&page_of(signed, code, typed, wrongs, None).await?)
}

fn terms_of(fields: &Fields, wrongs: &mut Wrongs) -> TermsChange {
    let [service_fee, gst_percent, platform_charge, min_commission, max_commission] = FIGURES.map(|name| {
        if fields.given(name).is_none() {
            wrongs.add(name, "How much? Type 0 for none");
        }
        fields.amount(name, wrongs)
    });
    TermsChange {
        service_fee_type: Some(MarkupType::from(fields.get("service_fee_type"))),
        service_fee,
        gst_percent,
        platform_charge,
        min_commission,
        max_commission,
    }
}

fn contract_of(fields: &Fields) -> ContractOf {
    ContractOf {
        supplier: fields.get("contract_supplier").to_owned(),
        airline: fields.given("contract_airline"),
        cabin: fields.given("contract_cabin"),
    }
}

fn draft_of(fields: &Fields, wrongs: &mut Wrongs) -> ContractDraft {
    for (name, text) in [("contract_supplier", "With which supplier?"), ("contract_value", "How much?")] {
        if fields.given(name).is_none() {
            wrongs.add(name, text);
        }
    }
    let ContractOf { supplier, airline, cabin } = contract_of(fields);
    ContractDraft {
        supplier,
        airline,
        cabin,
        kind: MarkupType::from(fields.get("contract_kind")),
        value: fields.amount("contract_value", wrongs).unwrap_or_default(),
    }
}

/// Where what the API says of a contract's field stands on the page.
fn at_contract(field: &str) -> String {
    match field {
        "supplier" | "airline" | "cabin" | "kind" | "value" => format!("contract_{field}"),
        other => other.to_owned(),
    }
}

/// Where what the API says of a field of what is tried stands on the page.
fn at_tried(field: &str) -> String {
    match field.split_once('.') {
        Some(("terms", name)) => name.to_owned(),
        Some((part @ ("contract" | "example"), name)) => format!("{part}_{name}"),
        _ => field.to_owned(),
    }
}

/// What the form and its example come to.
async fn try_out(signed: &OperatorSigned, code: &str, fields: &Fields) -> Result<Example> {
    let mut wrongs = Wrongs::default();
    let has_contract =
        fields.given("contract_supplier").is_some() && fields.given("contract_value").is_some();
    let terms = terms_of(fields, &mut wrongs);
    let contract = has_contract.then(|| draft_of(fields, &mut wrongs));
    let mut number = |name: &str| fields.amount(name, &mut wrongs);
    let example = SupplierAsks {
        base: number("example_base").unwrap_or_default(),
        taxes: number("example_taxes").unwrap_or_default(),
        commission: number("example_commission"),
        supplier: fields.given("example_supplier"),
        airline: fields.given("example_airline"),
        cabin: fields.given("example_cabin").map(|word| Cabin::from(word.as_str())),
        currency: fields.given("example_currency").map(|code| code.to_ascii_uppercase()),
    };
    if !wrongs.is_empty() {
        return Ok(Example::wrong(wrongs));
    }
    let product = fields.given("example_product").map(|word| ProductKind::from(word.as_str()));
    let draft = PriceDraft { terms, contract, product, example };
    match signed.session.preview_price(code, &draft).await {
        Ok(preview) => {
            let sums = [trace::customer_price, trace::agency_price, trace::earnings, trace::platform_share];
            Ok(Example::of(&preview, sums.map(|sums| sums(&preview)).into()))
        }
        Err(error) => Ok(Example::wrong(Wrongs::refused(error, "")?.renamed(at_tried))),
    }
}

/// `POST /operator/agencies/{code}/terms/preview`: the part alone while somebody types, the whole form for the button. Nothing
/// is stored.
async fn preview(signed: OperatorSigned, request: HttpRequest, code: Path<String>, fields: Fields) -> Answer {
    let tried = try_out(&signed, &code, &fields).await?;
    match page::wants_part(&request) {
        true => page::html(&tried),
        false => page::html(&page_of(&signed, &code, fields, Wrongs::default(), Some(tried)).await?),
    }
}

/// `POST /operator/agencies/{code}/terms`: all of them; a form that comes twice changes nothing more.
async fn save(signed: OperatorSigned, code: Path<String>, fields: Fields) -> Answer {
    let mut wrongs = Wrongs::default();
    let change = terms_of(&fields, &mut wrongs);
    if wrongs.is_empty() {
        match signed.session.set_terms(&code, &change).await {
            Ok(_) => return Ok(see_other(&format!("/operator/agencies/{code}/terms?done=terms"))),
            Err(error) => wrongs = Wrongs::refused(error, "")?,
        }
    }
    again(&signed, &code, fields, wrongs).await
}

/// `POST /operator/agencies/{code}/contracts`: in the place of the one for the same.
async fn set_contract(signed: OperatorSigned, code: Path<String>, fields: Fields) -> Answer {
    let mut wrongs = Wrongs::default();
    let draft = draft_of(&fields, &mut wrongs);
    if wrongs.is_empty() {
        match signed.session.set_contract(&code, &draft).await {
            Ok(_) => {
                return Ok(see_other(&format!("/operator/agencies/{code}/terms?done=contract")));
            }
            Err(error) => wrongs = Wrongs::refused(error, "")?.renamed(at_contract),
        }
    }
    again(&signed, &code, fields, wrongs).await
}

/// `POST /operator/agencies/{code}/contracts/end`. What is over already, is: the form came twice.
async fn end_contract(signed: OperatorSigned, code: Path<String>, fields: Fields) -> Answer {
    let of = contract_of(&fields);
    match signed.session.remove_contract(&code, &of).await {
        Err(error) if !error.is_not_found() => Err(error.into()),
        _ => Ok(see_other(&format!("/operator/agencies/{code}/terms?done=ended"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_api_says_stands_at_the_pages_own_fields() {
        for (field, expected) in [
            ("terms.service_fee", "service_fee"),
            ("contract.value", "contract_value"),
            ("example.currency", "example_currency"),
            ("example", "example"),
        ] {
            assert_eq!(at_tried(field), expected);
        }
        assert_eq!(at_contract("airline"), "contract_airline");
        assert_eq!(at_contract(""), "");
    }
}
