//! The feed of an agency's events.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use wayfare_domain::EventId;
use wayfare_operations::{
    Admin, PublicEvent,
    events::feed::{self, FeedPart},
};

use crate::http::{
    App,
    extract::{Ask, Query},
    query::{FromQuery, Parameters},
    reply::{Data, Replied, data},
};
use crate::resources::common::EventType;

/// `GET /events`.
pub async fn read(app: App, ask: Ask<Admin, Query<FeedPlace>>) -> Replied<Data<Feed>> {
    let Query(FeedPlace { after, limit }) = ask.what;
    data(Feed::from(feed::read(&app.core, &ask.who, after, limit).await?))
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

/// A part of the feed.
#[derive(Serialize, JsonSchema)]
pub struct Feed {
    events: Vec<FeedEvent>,
    next: i64,
    has_more: bool,
}

/// An event of the feed: as it is delivered, and its number.
#[derive(Serialize, JsonSchema)]
struct FeedEvent {
    sequence: i64,
    id: EventId,
    #[serde(rename = "type")]
    #[schemars(with = "EventType")]
    kind: String,
    timestamp: DateTime<Utc>,
    #[schemars(with = "Map<String, Value>")]
    data: Value,
}

impl From<PublicEvent> for FeedEvent {
    fn from(event: PublicEvent) -> Self {
        Self {
            sequence: event.sequence,
            id: event.id,
            kind: event.kind,
            timestamp: event.at,
            data: event.data,
        }
    }
}

impl From<FeedPart> for Feed {
    fn from(part: FeedPart) -> Self {
        Self {
            events: part.events.into_iter().map(FeedEvent::from).collect(),
            next: part.next,
            has_more: part.has_more,
        }
    }
}
