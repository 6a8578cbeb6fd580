//! `wayfarectl booking show`.

use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value};
use wayfare_domain::BookingRef;
use wayfare_operations::{
    access::operators::By,
    operator::desk::{self, Also, ShownBooking},
};

use super::failure;
use crate::{
    installation::Installation,
    output::{Done, Line, Output, Report},
    suppliers::KnownSuppliers,
};

/// Which booking, and what of it.
#[derive(Args)]
pub struct Show {
    /// The booking
    reference: BookingRef,
    /// What its suppliers answered, without what may be about people; the agency's audit log tells it
    #[arg(long)]
    answers: bool,
    /// Whom it is for, and all that suppliers answered; the agency's audit log tells it
    #[arg(long)]
    people: bool,
}

impl Show {
    /// Does it.
    pub async fn run(self, suppliers: &KnownSuppliers, installation: Installation, output: Output) -> Done {
        let also = Also { people: self.people, answers: self.answers };
        let work = installation.with_platform(async |platform| {
            let passed_on = |code: &str, raw| suppliers.passed_on(code, raw);
            let shown = desk::show(platform, By::command_line(), &self.reference, also, passed_on).await;
            output.print(&PrintedBooking(shown.map_err(|error| failure(error, &self.reference))?))
        });
        work.await
    }
}

#[derive(Serialize)]
#[serde(transparent)]
struct PrintedBooking(ShownBooking);

impl Report for PrintedBooking {
    fn lines(&self) -> Vec<Line<'_>> {
        let shown = &self.0;
        let mut lines: Vec<Line<'_>> = vec![("booking", members_of(&shown.booking, &["orders"]).into())];
        let orders = shown.booking.get("orders").and_then(Value::as_array);
        let orders = orders.into_iter().flatten();
        lines.extend(orders.map(|order| ("order", text(order).into())));
        lines.extend(shown.happened.iter().map(|one| ("happened", happened(one).into())));
        if let Some(people) = &shown.people {
            let told = serde_json::to_value(people).unwrap_or_default();
            lines.push(("people", told.to_string().into()));
        }
        let answers = shown.answers.iter().flatten();
        lines.extend(answers.map(|answer| ("answer", answer.to_string().into())));
        lines
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Object(members) => members_of(members, &[]),
        other => other.to_string(),
    }
}

fn happened(one: &Map<String, Value>) -> String {
    let named = |name: &str| one.get(name).map(text).unwrap_or_default();
    format!("{} {} {}", named("at"), named("what"), members_of(one, &["at", "what"]))
}

fn members_of(members: &Map<String, Value>, without: &[&str]) -> String {
    let told = members
        .iter()
        .filter(|(name, value)| !value.is_null() && !without.contains(&name.as_str()))
        .map(|(name, value)| match value {
            Value::String(text) => format!("{name}={text}"),
            other => format!("{name}={other}"),
        });
    told.collect::<Vec<_>>().join(" ")
}
