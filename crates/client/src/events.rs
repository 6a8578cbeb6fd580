//! The feed: what happened in an organization, in order and without gaps (docs/API.md, feed and webhooks).

use futures_util::{StreamExt, TryStreamExt, stream, stream::BoxStream};
use wayfare_boxed::boxed;
use wayfare_contract::{Event, FeedPart};

use crate::{
    Session,
    call::Ask,
    error::{Error, Result},
    session::part_of_session,
};

part_of_session! {
    /// The feed, for admins.
    Events, events
}

#[boxed]
impl Events<'_> {
    /// `GET /events`: what comes after this number, at most so many, 1 to 500; none = from the oldest that is kept. 410
    /// for a place that is not kept any more.
    pub async fn read(&self, after: Option<i64>, limit: u16) -> Result<FeedPart> {
        read(self.0, after, limit).await
    }

    /// All that comes after this number and is there now. Remember the last `sequence` to go on from.
    pub fn stream(&self, after: Option<i64>) -> BoxStream<'static, Result<Event>> {
        let session = self.0.clone();
        let parts = stream::try_unfold(Some(after), move |next| {
            let session = session.clone();
            async move {
                let Some(after) = next else { return Ok::<_, Error>(None) };
                let part = read(&session, after, 500).await?;
                let following = part.has_more.then_some(Some(part.next));
                Ok(Some((stream::iter(part.events.into_iter().map(Ok)), following)))
            }
        });
        parts.try_flatten().boxed()
    }
}

async fn read(session: &Session, after: Option<i64>, limit: u16) -> Result<FeedPart> {
    let after = after.map(|number| ("after", number.to_string()));
    let query = after.into_iter().chain([("limit", limit.to_string())]);
    session.data(Ask::get(&["events"]).query(query.collect())).await
}
