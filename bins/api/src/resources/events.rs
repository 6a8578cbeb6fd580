//! The feed of an agency's events.

use wayfare_contract::FeedPart;
use wayfare_operations::{Admin, events::feed};

use crate::http::{
    App,
    extract::{Ask, Query},
    query::{FromQuery, Parameters},
    reply::{DataReply, data},
};

/// `GET /events`.
pub async fn read(app: App, ask: Ask<Admin, Query<FeedPlace>>) -> DataReply<FeedPart> {
    let Query(FeedPlace { after, limit }) = ask.what;
    data(feed::read(&app.core, &ask.who, after, limit).await?)
}

/// A part of the feed.
pub struct FeedPlace {
    /// After which event it begins; without it, with the first that is kept.
    pub after: Option<i64>,
    /// How many events are wanted.
    pub limit: u32,
}

impl FromQuery for FeedPlace {
    fn read(query: &mut Parameters) -> Self {
        Self { after: query.place("after"), limit: query.number("limit", 100, 500) }
    }
}
