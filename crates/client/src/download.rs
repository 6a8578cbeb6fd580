//! What is read as it comes: files, and the bytes of event streams.

use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream, stream::BoxStream};
use reqwest::{
    Response,
    header::{CONTENT_DISPOSITION, CONTENT_TYPE},
};
use tokio::time::timeout;
use wayfare_boxed::boxed;

use crate::{
    call::header,
    error::{Error, Result, cause},
};

/// How a CSV file is written; Wayfare's addition. The default is as it is made: commas, UTC, no mark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CsvStyle {
    /// With a byte order mark, by which spreadsheets know that letters are in UTF-8.
    pub has_mark: bool,
    /// What stands between cells.
    pub separator: CsvSeparator,
    /// Instants by the agency's clocks, with their offset.
    pub has_agency_times: bool,
}

/// What stands between the cells of a CSV file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum CsvSeparator {
    /// `,`
    #[default]
    Comma,
    /// `;`, where the comma is in numbers.
    Semicolon,
    /// A tab.
    Tab,
}

impl CsvStyle {
    /// As a spreadsheet opens it right where cells are separated by commas.
    pub fn for_spreadsheets() -> Self {
        Self { has_mark: true, has_agency_times: true, ..Self::default() }
    }

    pub(crate) fn query(self) -> Vec<(&'static str, String)> {
        let separator = match self.separator {
            CsvSeparator::Comma => None,
            CsvSeparator::Semicolon => Some("semicolon"),
            CsvSeparator::Tab => Some("tab"),
        };
        let all = [
            ("bom", self.has_mark.then_some("true")),
            ("separator", separator),
            ("times", self.has_agency_times.then_some("agency")),
        ];
        let given = all.into_iter().filter_map(|(name, word)| Some((name, word?.to_owned())));
        given.collect()
    }
}

/// A file that is being sent. It is never held as a whole, unless by [`Download::into_bytes`].
pub struct Download {
    /// What the service calls it.
    pub file_name: Option<String>,
    /// Its type: `text/csv; charset=utf-8`.
    pub content_type: Option<String>,
    bytes: BoxStream<'static, Result<Bytes>>,
}

#[boxed]
impl Download {
    pub(crate) fn of(response: Response, silence: Duration) -> Self {
        let disposition = header(response.headers(), CONTENT_DISPOSITION.as_str());
        let named = disposition.and_then(|text| text.split("filename=").nth(1));
        Self {
            file_name: named.map(|name| name.trim_matches('"').to_owned()),
            content_type: header(response.headers(), CONTENT_TYPE.as_str()).map(str::to_owned),
            bytes: as_it_comes(response, silence),
        }
    }

    /// Its bytes as they come. A file that breaks off ends with [`Error::CutOff`].
    pub fn into_stream(self) -> BoxStream<'static, Result<Bytes>> {
        self.bytes
    }

    /// All of its bytes.
    pub async fn into_bytes(self) -> Result<Vec<u8>> {
        let gather = |mut all: Vec<u8>, bytes: Bytes| async move {
            all.extend_from_slice(&bytes);
            Ok(all)
        };
        self.bytes.try_fold(Vec::new(), gather).await
    }
}

/// The body's bytes, for as long as they keep coming.
pub(crate) fn as_it_comes(response: Response, silence: Duration) -> BoxStream<'static, Result<Bytes>> {
    let body = response.bytes_stream().boxed();
    let bytes = stream::try_unfold(body, move |mut body| async move {
        match timeout(silence, body.next()).await {
            Ok(Some(Ok(bytes))) => Ok(Some((bytes, body))),
            Ok(Some(Err(error))) => Err(Error::CutOff { cause: cause(error) }),
            Ok(None) => Ok(None),
            Err(elapsed) => Err(Error::CutOff { cause: cause(elapsed) }),
        }
    });
    bytes.boxed()
}
