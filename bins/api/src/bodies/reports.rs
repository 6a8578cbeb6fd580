//! The body of a report.

use std::str::FromStr;

use serde_json::json;
use strum::VariantNames;
use wayfare_domain::ReportKind;
use wayfare_operations::reports::{self, ReportFilters};

use super::examples::{self, Example};
use crate::http::json_body::{Form, FromForm};

/// `POST /org/reports` and `POST /reports`.
pub struct NewReport(pub reports::NewReport);

impl FromForm for NewReport {
    fn read(form: &mut Form<'_>) -> Option<Self> {
        let kind = form.word::<ReportKind>("type");
        let first_day = form.date("period_start");
        let last_day = form.date("period_end");
        if let (Some(first_day), Some(last_day)) = (first_day, last_day) {
            form.append(reports::check_period(first_day, last_day));
        }
        let filters = form.object("filters", |form| Some(filters(form)));
        Some(Self(reports::NewReport {
            kind: kind?,
            first_day: first_day?,
            last_day: last_day?,
            filters: filters.unwrap_or_default(),
        }))
    }

    fn examples() -> Vec<Example> {
        examples::report()
    }
}

fn filters(form: &mut Form<'_>) -> ReportFilters {
    let agent_id = form.optional_text("agent_id").map(|id| id.parse().ok());
    form.note("agent_id", || json!({ "format": "uuid" }));
    if agent_id == Some(None) {
        form.fault("agent_id", "must be a UUID");
    }
    ReportFilters {
        agent_id: agent_id.flatten(),
        status: optional_word(form, "status"),
        product: optional_word(form, "product"),
        supplier: form.short_text("supplier", 64),
        ref_type: optional_word(form, "ref_type"),
        side: optional_word(form, "type"),
    }
}

fn optional_word<T: FromStr + VariantNames>(form: &mut Form<'_>, name: &str) -> Option<T> {
    form.has(name).then(|| form.word(name)).flatten()
}
