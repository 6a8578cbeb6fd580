//! The bodies of packages and their assignments.

use rust_decimal::Decimal;
use serde_json::json;
use wayfare_domain::PackageId;
use wayfare_operations::pricing::packages::{
    Draft, Figures, LONGEST_DESCRIPTION, LONGEST_NAME, MOST_PRICE_RANGES,
};
use wayfare_pricing::{ApplyOn, Markup, MarkupKind, PriceRange};

use super::examples::{self, Example};
use crate::form::{Form, FromForm};

/// `POST /org/packages` and `PUT /org/packages/{id}`.
pub struct FlightPackage(pub Draft);

impl FromForm for FlightPackage {
    fn read(form: &mut Form<'_>) -> Option<Self> {
        draft(form, ApplyOn::Fare, |_| Some(Vec::new())).map(Self)
    }

    fn examples() -> Vec<Example> {
        examples::flight_package()
    }
}

/// `POST /org/hotel-packages` and `PUT /org/hotel-packages/{id}`.
pub struct HotelPackage(pub Draft);

impl FromForm for HotelPackage {
    fn read(form: &mut Form<'_>) -> Option<Self> {
        draft(form, ApplyOn::Total, price_ranges).map(Self)
    }

    fn examples() -> Vec<Example> {
        examples::hotel_package()
    }
}

/// `POST` of an assignment.
pub struct Assignment(pub PackageId);

impl FromForm for Assignment {
    fn read(form: &mut Form<'_>) -> Option<Self> {
        let id = form.text("package_id", 64);
        form.note("package_id", || json!({ "format": "uuid" }));
        let id = id?.parse().ok();
        if id.is_none() {
            form.fault("package_id", "must be a UUID");
        }
        id.map(Self)
    }

    fn examples() -> Vec<Example> {
        examples::assignment()
    }
}

fn draft(
    form: &mut Form<'_>,
    default_apply_on: ApplyOn,
    price_ranges: impl FnOnce(&mut Form<'_>) -> Option<Vec<PriceRange>>,
) -> Option<Draft> {
    let name = form.text("name", LONGEST_NAME);
    let description = form.short_text("description", LONGEST_DESCRIPTION);
    let (kind, value) = markup(form);
    let apply_on = match form.has("markup_apply_on") {
        true => form.word("markup_apply_on"),
        false => Some(default_apply_on),
    };
    let priority = form.number("priority", i32::MIN..=i32::MAX);
    let is_active = form.boolean("is_active");
    let price_ranges = price_ranges(form);
    let figures = Figures {
        kind,
        value,
        price_ranges: price_ranges.as_deref().unwrap_or_default(),
    };
    let faults = figures.check(form.currency());
    form.append(faults);
    Some(Draft {
        name: name?,
        description: description.unwrap_or_default(),
        markup: Markup {
            kind: kind?,
            value: value?,
            apply_on: apply_on?,
        },
        priority: priority.unwrap_or_default(),
        is_active,
        price_ranges: price_ranges?,
    })
}

fn markup(form: &mut Form<'_>) -> (Option<MarkupKind>, Option<Decimal>) {
    let kind = form.word("markup_type");
    let value = figure(form, "markup_value");
    (kind, form.required("markup_value", value))
}

/// The bands in the order of the request; none when one of them can't be read.
fn price_ranges(form: &mut Form<'_>) -> Option<Vec<PriceRange>> {
    if !form.has("price_ranges") {
        return Some(Vec::new());
    }
    let ranges = form.list("price_ranges", 0..=MOST_PRICE_RANGES, price_range)?;
    let ranges = ranges.into_iter().zip(0..);
    Some(
        ranges
            .map(|(range, sort_order)| PriceRange { sort_order, ..range })
            .collect(),
    )
}

fn price_range(form: &mut Form<'_>) -> Option<PriceRange> {
    let min_amount = figure(form, "min_amount");
    let min_amount = form.required("min_amount", min_amount);
    let max_amount = figure(form, "max_amount");
    let max_is_read = max_amount.is_some() || !form.has("max_amount");
    let (kind, value) = markup(form);
    let range = PriceRange {
        min_amount: min_amount?,
        max_amount,
        kind: kind?,
        value: value?,
        sort_order: 0,
    };
    max_is_read.then_some(range)
}

/// A number with its digits; zero has none but itself, in the database too.
fn figure(form: &mut Form<'_>, name: &str) -> Option<Decimal> {
    let figure = form.decimal(name)?;
    Some(if figure.is_zero() { Decimal::ZERO } else { figure })
}
