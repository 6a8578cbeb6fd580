//! The live example beside a package's form: what the package would make of a price, and how.

use wayfare_client::{Error, PriceExample, PricePreview};

use super::{
    amount,
    package::{Draft, MOST_BANDS, Product},
    refused,
};
use crate::{
    failure::Failure,
    form::{Fields, Wrongs},
    session::Signed,
    trace::{self, Example},
};

/// What is priced where nothing else was typed.
pub const USUAL: [(&str, &str); 3] =
    [("example_base", "4500"), ("example_taxes", "900"), ("example_commission", "225")];

/// What the form and its example come to.
pub async fn of(signed: &Signed, product: Product, fields: &Fields) -> Result<Example, Failure> {
    let mut wrongs = Wrongs::default();
    let draft = Draft::typed(fields, MOST_BANDS, &mut wrongs);
    let mut number = |name: &str| amount(fields, name, &mut wrongs);
    let example = PriceExample {
        base: number("example_base").unwrap_or_default(),
        taxes: number("example_taxes").unwrap_or_default(),
        commission: number("example_commission"),
        supplier: fields.given("example_supplier"),
    };
    let Some(draft) = draft.filter(|_| wrongs.is_empty()) else {
        return Ok(Example::wrong(wrongs));
    };
    match ask(signed, product, &draft, &example).await {
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
            let wrongs = refused(&error, "name", at).ok_or(error)?;
            Ok(Example::wrong(wrongs))
        }
    }
}

async fn ask(
    signed: &Signed,
    product: Product,
    draft: &Draft,
    example: &PriceExample,
) -> Result<PricePreview, Error> {
    match product {
        Product::Flights => {
            let packages = signed.session.flight_packages();
            packages.preview(&draft.flights(), example).await
        }
        Product::Hotels => {
            let packages = signed.session.hotel_packages();
            packages.preview(&draft.hotels(), example).await
        }
    }
}
