//! The feed of an agency's events.

use wayfare_operations::{Admin, events::feed};

use super::App;
use crate::{
    extract::{Ask, Query},
    queries::FeedPlace,
    reply::{Data, Replied, data},
    views::webhooks::Feed,
};

/// `GET /events`.
///
/// # Errors
/// As the error table says.
pub async fn read(app: App, ask: Ask<Admin, Query<FeedPlace>>) -> Replied<Data<Feed>> {
    let Query(FeedPlace { after, limit }) = ask.what;
    data(Feed::from(feed::read(&app, &ask.who, after, limit).await?))
}
