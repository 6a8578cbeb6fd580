//! The feed: what happened in an organization, in order and without gaps (docs/API.md, feed and webhooks).

use chrono::{DateTime, Utc};
use futures_util::{StreamExt, TryStreamExt, stream, stream::BoxStream};
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;
use wayfare_boxed::boxed;

use crate::{
    Session,
    call::Ask,
    error::{Error, Result},
    session::part_of_session,
};

/// Something that happened, as the feed tells it and as webhooks bring it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Event {
    /// Its id: the same each time it comes.
    pub id: Uuid,
    /// What: `booking.confirmed`.
    #[serde(rename = "type")]
    pub kind: String,
    /// When, UTC.
    pub timestamp: DateTime<Utc>,
    /// About what.
    pub data: Value,
    /// Its number in the feed, from 1 without gaps; a webhook does not bring it.
    pub sequence: Option<u64>,
}

/// A part of the feed.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct FeedPart {
    /// In order.
    pub events: Vec<Event>,
    /// After which number to read on.
    pub next: u64,
    /// Whether there are more already.
    pub has_more: bool,
}

part_of_session! {
    /// The feed, for admins.
    Events, events
}

#[boxed]
impl Events<'_> {
    /// `GET /events`: what comes after this number, at most so many, 1 to 500; none = from the oldest that is kept. 410
    /// for a place that is not kept any more.
    pub async fn read(&self, after: Option<u64>, limit: u16) -> Result<FeedPart> {
        read(self.0, after, limit).await
    }

    /// All that comes after this number and is there now. Remember the last `sequence` to go on from.
    pub fn stream(&self, after: Option<u64>) -> BoxStream<'static, Result<Event>> {
        let session = self.0.clone();
        let parts = stream::try_unfold(Some(after), move |next| {
            let session = session.clone();
            async move {
                let Some(after) = next else {
                    return Ok::<_, Error>(None);
                };
                let part = read(&session, after, 500).await?;
                let following = part.has_more.then_some(Some(part.next));
                Ok(Some((stream::iter(part.events.into_iter().map(Ok)), following)))
            }
        });
        parts.try_flatten().boxed()
    }
}

async fn read(session: &Session, after: Option<u64>, limit: u16) -> Result<FeedPart> {
    let after = after.map(|number| ("after", number.to_string()));
    let query = after.into_iter().chain([("limit", limit.to_string())]);
    session.data(Ask::get(&["events"]).query(query.collect())).await
}
