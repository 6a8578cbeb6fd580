//! Reports.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use wayfare_domain::{OrganizationId, ReportId, ReportKind, ReportStatus, Scope, UserId};
use wayfare_operations::reports;

use crate::routes::BASE;

/// A report.
#[derive(Serialize, JsonSchema)]
pub struct Report {
    id: ReportId,
    #[serde(rename = "type")]
    kind: ReportKind,
    status: ReportStatus,
    period_start: DateTime<Utc>,
    period_end: DateTime<Utc>,
    requested_by: UserId,
    /// Of both roles (P-73).
    requester_type: &'static str,
    org_id: OrganizationId,
    created_at: DateTime<Utc>,
    file_url: Option<String>,
    generated_at: Option<DateTime<Utc>>,
    expires_at: Option<DateTime<Utc>>,
}

impl Report {
    /// As it stands now.
    pub fn at(now: DateTime<Utc>, report: reports::Report) -> Self {
        let desk = match report.scope {
            Scope::Organization(_) => "/org/reports",
            Scope::User(..) => "/reports",
        };
        let file_url = report
            .has_file(now)
            .then(|| format!("{BASE}{desk}/{}/download", report.id));
        Self {
            id: report.id,
            kind: report.kind,
            status: report.status,
            period_start: report.period_start,
            period_end: report.period_end,
            requested_by: report.requested_by,
            requester_type: "org_user",
            org_id: report.scope.organization(),
            created_at: report.created_at,
            file_url,
            generated_at: report.generated_at,
            expires_at: report.expires_at,
        }
    }
}
