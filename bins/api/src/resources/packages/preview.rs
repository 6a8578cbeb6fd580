//! What a package would make of a price: a draft with an example.

use std::marker::PhantomData;

use serde_json::json;
use wayfare_contract::Previewed;
use wayfare_operations::pricing::{packages::Draft, preview::Example as PriceExample};

use super::{
    bodies::{draft, figure},
    product::Packaged,
};
use crate::http::json_body::{FromJson, JsonObject};

/// The longest code of a supplier.
const LONGEST_SUPPLIER: usize = 64;

/// `POST /org/packages/preview`, and the same of hotel packages.
pub struct PreviewBody<P>(pub Draft, pub PriceExample, pub PhantomData<P>);

impl<P: Packaged> FromJson for PreviewBody<P> {
    const NAME: &str = P::PREVIEW;
    type Declared = Previewed<P::Declared>;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let draft = draft::<P>(body);
        let example = example(body);
        Some(Self(draft?, example?, PhantomData))
    }
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
