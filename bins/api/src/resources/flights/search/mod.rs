//! Searches of flights, answered at once or as a stream.

mod bodies;
mod json_interner;
pub mod response;
mod stream;
pub mod views;

use actix_web::HttpRequest;
use wayfare_operations::{
    Caller, Error,
    flights::{self, SearchRequest},
};

use self::{response::SearchResponseBuilder, stream::Events};
use crate::http::{
    App,
    extract::{self, Ask, Body},
    reply::{self, Replied, WithMessage},
};

/// `POST /flights/search`.
pub async fn search(
    app: App,
    request: HttpRequest,
    ask: Ask<Caller, Body<SearchRequest>>,
) -> Replied<WithMessage<SearchResponseBuilder>> {
    let logos = &extract::options(&request)?.airline_logos;
    let mut search = flights::Search::begin(&app, &ask.who, ask.what.0).await?;
    let mut snapshot = SearchResponseBuilder::of(&search, logos);
    while let Some(arrival) = search.next().await {
        snapshot.add(arrival).map_err(Error::from)?;
    }
    let found = reply::offers_found(snapshot.count());
    reply::printed(&found, |body| snapshot.write(search.duration(), body))
}

/// `POST /flights/search/stream`.
pub async fn search_stream(
    app: App,
    request: HttpRequest,
    ask: Ask<Caller, Body<SearchRequest>>,
) -> Replied<Events> {
    let options = extract::options(&request)?;
    let search = flights::Search::begin(&app, &ask.who, ask.what.0).await?;
    Ok(stream::events(search, options))
}
