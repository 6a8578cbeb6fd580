//! Reports: files of a period, made in the background.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::vocabulary::{BookingStatus, ProductKind, RefType, ReportStatus, ReportType, TransactionType};

/// A report that is wanted.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ReportRequest"))]
pub struct NewReport {
    /// What the report is of.
    #[serde(rename = "type")]
    pub kind: ReportType,
    /// The first day, `YYYY-MM-DD`, in the agency's time zone.
    pub period_start: NaiveDate,
    /// The last day, `YYYY-MM-DD`, in the agency's time zone; at most 366 days in all.
    pub period_end: NaiveDate,
    /// Which rows the report has.
    pub filters: ReportFilters,
}
body! { NewReport of(kind: ReportType, period_start: NaiveDate, period_end: NaiveDate) { filters: ReportFilters } }

/// Which rows a report has, each as far as its type knows it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReportFilters {
    /// Rows of one user, at `/org/reports`. For `wallet` that agent's wallet instead of the organization's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    /// Rows of bookings that stand there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<BookingStatus>,
    /// Rows of flights, or of hotels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub product: Option<ProductKind>,
    /// Rows of one supplier, by its code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supplier: Option<String>,
    /// Why the money moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ref_type: Option<RefType>,
    /// Rows that came in, or that went out.
    #[serde(rename = "type")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<TransactionType>,
}
body! { ReportFilters {
    agent_id: &str, status: BookingStatus, product: ProductKind, supplier: &str, ref_type: RefType,
    side: TransactionType,
} }

/// A report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Report {
    /// Its id.
    pub id: Uuid,
    /// What the report is of.
    #[serde(rename = "type")]
    pub kind: ReportType,
    /// Where it stands.
    pub status: ReportStatus,
    /// How much of it is made, per cent; null where that is not known.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 100)))]
    pub progress: Option<i16>,
    /// How many rows it has so far, all of them when it is ready; null where that is not known.
    pub rows: Option<i64>,
    /// The first instant of the period, UTC.
    pub period_start: DateTime<Utc>,
    /// The first instant after the period, UTC.
    pub period_end: DateTime<Utc>,
    /// The user who asked for it.
    pub requested_by: Uuid,
    /// What they are, of every role.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["org_user"])))]
    pub requester_type: String,
    /// The agency's id.
    pub org_id: Uuid,
    /// When it was asked for, UTC.
    pub created_at: DateTime<Utc>,
    /// Where the file is fetched; null while there is none.
    pub file_url: Option<String>,
    /// When the file was made; null until then.
    pub generated_at: Option<DateTime<Utc>>,
    /// Until when the file can be fetched; null until it is ready.
    pub expires_at: Option<DateTime<Utc>>,
}
