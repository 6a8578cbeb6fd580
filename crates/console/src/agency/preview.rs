//! The live example beside a package's form: what the package would make of a price, and how.

use wayfare_client::PriceExample;

use super::package::{Draft, MOST_BANDS, Product};
use crate::{
    prelude::*,
    trace::{self, Example},
};

/// What is priced where nothing else was typed.
pub const USUAL: [(&str, &str); 3] =
    [("example_base", "4500"), ("example_taxes", "900"), ("example_commission", "225")];

/// What the form and its example come to.
pub async fn of(signed: &Signed, product: Product, fields: &Fields) -> Result<Example> {
    let mut wrongs = Wrongs::default();
    let draft = Draft::typed(fields, MOST_BANDS, &mut wrongs);
    let mut number = |name: &str| fields.amount(name, &mut wrongs);
    let example = PriceExample {
        base: number("example_base").unwrap_or_default(),
        taxes: number("example_taxes").unwrap_or_default(),
        commission: number("example_commission"),
        supplier: fields.given("example_supplier"),
    };
    let Some(draft) = draft.filter(|_| wrongs.is_empty()) else { return Ok(Example::wrong(wrongs)) };
    match product.preview(&signed.session, &draft, &example).await {
        Ok(preview) => {
            let sums =
                [trace::customer_price, trace::agency_price, trace::earnings].map(|sums| sums(&preview));
            Ok(Example::of(&preview, sums.into()))
        }
        Err(error) => {
            let at = |field: &str| match field.strip_prefix("example.") {
                Some(name) => format!("example_{name}"),
                None => draft.at(field),
            };
            Ok(Example::wrong(Wrongs::refused(error, "name")?.renamed(at)))
        }
    }
}
