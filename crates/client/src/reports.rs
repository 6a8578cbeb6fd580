//! Reports: asked for, made in the background, downloaded (docs/API.md, Reports).

use std::time::Duration;

use uuid::Uuid;
use wayfare_boxed::boxed;
use wayfare_contract::{NewReport, Report};

use crate::{
    Keyed, Session,
    call::Ask,
    download::{CsvStyle, Download},
    enums::ReportStatus,
    error::Result,
    list::List,
    waiting::until,
};

/// Reports: the organization's for its admins, or the caller's own.
#[derive(Clone, Copy, Debug)]
pub struct Reports<'a> {
    session: &'a Session,
    /// What their paths begin with.
    path: &'static [&'static str],
}

impl Session {
    /// The caller's own reports: of what they did themselves.
    pub fn reports(&self) -> Reports<'_> {
        Reports { session: self, path: &["reports"] }
    }

    /// The organization's reports, for its admins.
    pub fn organization_reports(&self) -> Reports<'_> {
        Reports { session: self, path: &["org", "reports"] }
    }
}

#[boxed]
impl Reports<'_> {
    /// `POST /org/reports` or `POST /reports`: queued when it is answered.
    pub async fn create(&self, new: &NewReport) -> Result<Keyed<Report>> {
        let ask = self.session.effect(self.path);
        self.session.keyed_data(ask.body(new)?).await
    }

    /// `GET /org/reports` or `GET /reports`, newest first.
    pub fn list(&self) -> List<Report> {
        List::of(self.session, self.path, Vec::new())
    }

    /// Reads the list, ever more seldom, until the report is ready or was given up. [`crate::Error::Overdue`] when it is
    /// neither then, or is not among the newest hundred any more.
    pub async fn wait_until_made(&self, id: Uuid, within: Duration) -> Result<Report> {
        let reports = *self;
        until(within, "the report", move || async move {
            let newest = reports.list().per_page(100).page(1).await?;
            let made =
                |report: &Report| !matches!(report.status, ReportStatus::Queued | ReportStatus::Processing);
            Ok(newest.items.into_iter().find(|report| report.id == id).filter(made))
        })
        .await
    }

    /// `GET /org/reports/{id}/download` or `GET /reports/{id}/download`: the file. 400 while it isn't ready.
    pub async fn download(&self, id: Uuid) -> Result<Download> {
        self.download_as(id, CsvStyle::default()).await
    }

    /// The same, written in this style; Wayfare's addition.
    pub async fn download_as(&self, id: Uuid, style: CsvStyle) -> Result<Download> {
        let id = id.to_string();
        let path: Vec<&str> = self.path.iter().copied().chain([id.as_str(), "download"]).collect();
        let response = self.session.open(Ask::get(&path).query(style.query())).await?;
        Ok(Download::of(response, self.session.client().inner.silence))
    }
}
