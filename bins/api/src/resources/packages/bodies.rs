//! The bodies of packages and their assignments.

use std::marker::PhantomData;

use rust_decimal::Decimal;
use serde_json::json;
use wayfare_contract::AssignPackage;
use wayfare_domain::PackageId;
use wayfare_operations::pricing::packages::{
    Draft, Figures, LONGEST_DESCRIPTION, LONGEST_NAME, MOST_PRICE_RANGES,
};
use wayfare_pricing::{Markup, MarkupKind, PriceRange};

use super::product::Packaged;
use crate::http::json_body::{FromJson, JsonObject};

/// `POST /org/packages` and `PUT /org/packages/{id}`, and the same of hotel packages.
pub struct PackageBody<P>(pub Draft, pub PhantomData<P>);

impl<P: Packaged> FromJson for PackageBody<P> {
    const NAME: &str = P::DRAFT;
    type Declared = P::Declared;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        draft::<P>(body).map(|draft| Self(draft, PhantomData))
    }
}

/// `POST` of an assignment.
pub struct AssignmentBody(pub PackageId);

impl FromJson for AssignmentBody {
    const NAME: &str = "AssignPackageRequest";
    type Declared = AssignPackage;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let id = body.text("package_id", 64);
        body.note("package_id", || json!({ "format": "uuid" }));
        body.or_fault("package_id", id?.parse().ok(), "must be a UUID").map(Self)
    }
}

pub(super) fn draft<P: Packaged>(body: &mut JsonObject<'_>) -> Option<Draft> {
    let name = body.label("name", LONGEST_NAME);
    let description = body.free_text("description", LONGEST_DESCRIPTION);
    let (kind, value) = markup(body);
    let apply_on = match body.has("markup_apply_on") {
        true => body.word("markup_apply_on"),
        false => Some(P::APPLY_ON),
    };
    let priority = body.number("priority", i32::MIN..=i32::MAX);
    let is_active = body.boolean("is_active");
    let price_ranges = match P::HAS_PRICE_RANGES {
        true => price_ranges(body),
        false => Some(Vec::new()),
    };
    let figures = Figures { kind, value, price_ranges: price_ranges.as_deref().unwrap_or_default() };
    let faults = figures.check(body.currency());
    body.append(faults);
    Some(Draft {
        name: name?,
        description: description.unwrap_or_default(),
        markup: Markup { kind: kind?, value: value?, apply_on: apply_on? },
        priority: priority.unwrap_or_default(),
        is_active,
        price_ranges: price_ranges?,
    })
}

fn markup(body: &mut JsonObject<'_>) -> (Option<MarkupKind>, Option<Decimal>) {
    let kind = body.word("markup_type");
    let value = figure(body, "markup_value");
    (kind, body.required("markup_value", value))
}

/// The bands in the order of the request; none when one of them can't be read.
fn price_ranges(body: &mut JsonObject<'_>) -> Option<Vec<PriceRange>> {
    if !body.has("price_ranges") {
        return Some(Vec::new());
    }
    let ranges = body.list("price_ranges", 0..=MOST_PRICE_RANGES, price_range)?;
    let ranges = ranges.into_iter().zip(0..);
    Some(ranges.map(|(range, sort_order)| PriceRange { sort_order, ..range }).collect())
}

fn price_range(body: &mut JsonObject<'_>) -> Option<PriceRange> {
    let min_amount = figure(body, "min_amount");
    let min_amount = body.required("min_amount", min_amount);
    let max_amount = figure(body, "max_amount");
    let max_is_read = max_amount.is_some() || !body.has("max_amount");
    let (kind, value) = markup(body);
    let range = PriceRange { min_amount: min_amount?, max_amount, kind: kind?, value: value?, sort_order: 0 };
    max_is_read.then_some(range)
}

/// A number with its digits; zero has none but itself, in the database too.
pub(super) fn figure(body: &mut JsonObject<'_>, name: &str) -> Option<Decimal> {
    let figure = body.decimal(name)?;
    Some(if figure.is_zero() { Decimal::ZERO } else { figure })
}
