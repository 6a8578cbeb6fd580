//! What a package would make of a price: a draft with an example; and any price that is tried, with its trace.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use wayfare_domain::{Amount, Currency};
use wayfare_operations::pricing::{
    packages::Draft,
    preview::{Example as PriceExample, Preview},
};
use wayfare_pricing::{ApplyOn, Price, Step};

use super::bodies::{FlightPackageBody, HotelPackageBody, draft, figure, price_ranges};
use crate::{
    http::json_body::{Example, FromJson, JsonObject},
    resources::common::CurrencyCode,
};

/// The longest code of a supplier.
const LONGEST_SUPPLIER: usize = 64;

/// `POST /org/packages/preview`.
pub struct FlightPreviewBody(pub Draft, pub PriceExample);

impl FromJson for FlightPreviewBody {
    const NAME: &str = "FlightPackagePreviewRequest";

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let draft = draft(body, ApplyOn::Fare, |_| Some(Vec::new()));
        let example = example(body);
        Some(Self(draft?, example?))
    }

    fn examples() -> Vec<Example> {
        with_examples(FlightPackageBody::examples())
    }
}

/// `POST /org/hotel-packages/preview`.
pub struct HotelPreviewBody(pub Draft, pub PriceExample);

impl FromJson for HotelPreviewBody {
    const NAME: &str = "HotelPackagePreviewRequest";

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let draft = draft(body, ApplyOn::Total, price_ranges);
        let example = example(body);
        Some(Self(draft?, example?))
    }

    fn examples() -> Vec<Example> {
        with_examples(HotelPackageBody::examples())
    }
}

/// Packages with what is to be priced.
fn with_examples(packages: Vec<Example>) -> Vec<Example> {
    let examples = [
        json!({ "base": 4500, "taxes": 900, "commission": 225, "supplier": "duffel" }),
        json!({ "base": 4500 }),
    ];
    let with = |((name, mut body), example): (Example, Value)| {
        if let Some(fields) = body.as_object_mut() {
            fields.insert("example".to_owned(), example);
        }
        (name, body)
    };
    packages.into_iter().zip(examples).map(with).collect()
}

fn example(body: &mut JsonObject<'_>) -> Option<PriceExample> {
    let example = body.object("example", asked);
    body.required("example", example)
}

/// What a supplier might ask.
pub fn asked(body: &mut JsonObject<'_>) -> Option<PriceExample> {
    let base = amount(body, "base");
    let base = body.required("base", base);
    let taxes = amount(body, "taxes").unwrap_or_default();
    let commission = amount(body, "commission");
    let supplier = body.short_text("supplier", LONGEST_SUPPLIER);
    Some(PriceExample { supplier, base: base?, taxes, commission, ..PriceExample::default() })
}

fn amount(body: &mut JsonObject<'_>, name: &str) -> Option<rust_decimal::Decimal> {
    let amount = figure(body, name)?;
    body.note(name, || json!({ "minimum": 0 }));
    if amount.is_sign_negative() {
        body.fault(name, "must be 0 or greater");
        return None;
    }
    Some(amount)
}

/// A price that is tried, and how it comes about.
#[derive(Serialize, JsonSchema)]
pub struct PricePreview {
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    price: ExamplePrice,
    trace: Vec<TraceStep>,
}

/// All parts of a price.
#[derive(Serialize, JsonSchema)]
struct ExamplePrice {
    base_fare: Amount,
    taxes: Amount,
    total: Amount,
    commission: Amount,
    markup: Amount,
    public_fare: Amount,
    agent_commission: Option<Amount>,
    service_fee: Amount,
    gst_on_service_fee: Amount,
    platform_charge: Amount,
    agent_fare: Amount,
}

/// One line of a calculation.
#[derive(Serialize, JsonSchema)]
struct TraceStep {
    part: String,
    rule: String,
    inputs: Vec<TraceInput>,
    exact: Amount,
    result: Amount,
}

/// A figure that a line starts from.
#[derive(Serialize, JsonSchema)]
struct TraceInput {
    name: String,
    value: Amount,
}

impl From<Preview> for PricePreview {
    fn from(preview: Preview) -> Self {
        Self {
            currency: preview.price.currency(),
            price: ExamplePrice::from(&preview.price),
            trace: preview.trace.steps.into_iter().map(TraceStep::from).collect(),
        }
    }
}

impl From<&Price> for ExamplePrice {
    fn from(price: &Price) -> Self {
        Self {
            base_fare: price.base().number(),
            taxes: price.taxes().number(),
            total: price.total().number(),
            commission: price.commission().number(),
            markup: price.markup().number(),
            public_fare: price.public_fare().number(),
            agent_commission: price.agent_commission().map(|earned| earned.number()),
            service_fee: price.service_fee().number(),
            gst_on_service_fee: price.gst().number(),
            platform_charge: price.platform_charge().number(),
            agent_fare: price.agent_fare().number(),
        }
    }
}

impl From<Step> for TraceStep {
    fn from(step: Step) -> Self {
        let inputs = step.inputs.into_iter().map(|input| TraceInput { name: input.name, value: input.value });
        Self {
            part: step.symbol,
            rule: step.rule,
            inputs: inputs.collect(),
            exact: step.exact,
            result: step.result,
        }
    }
}
