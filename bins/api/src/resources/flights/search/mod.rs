//! Searches of flights, answered at once or as a stream.

mod bodies;
mod events;

use std::{convert::Infallible, iter};

use actix_web::{HttpRequest, HttpResponse, body::SizedStream, http::header::ContentType};
use futures_util::stream;
use wayfare_contract::flights::FlightsFound;
use wayfare_operations::{
    Caller, Error,
    flights::{self, SearchRequest},
};
use wayfare_search_response::flights::{SearchResponseBuilder, Sending};

use self::events::Events;
use crate::http::{
    App,
    extract::{self, Ask, Body},
    reply::{self, Replied, Reply, WithMessage},
};

/// `POST /flights/search`.
pub async fn search(
    app: App,
    request: HttpRequest,
    ask: Ask<Caller, Body<SearchRequest>>,
) -> Replied<WithMessage<FlightsFound>> {
    let logos = &extract::options(&request)?.airline_logos;
    let mut search = flights::Search::begin(&app.flights, &ask.who, ask.what.0).await?;
    let mut snapshot = SearchResponseBuilder::of(&search, logos);
    while let Some(arrival) = search.next().await {
        snapshot.add(arrival).map_err(Error::from)?;
    }
    let answer = snapshot.answer(search.duration()).map_err(Error::from)?;
    let before = reply::envelope_start(&reply::offers_found(snapshot.count()));
    let mut sending = Sending::new(before, answer, "}");
    let size = sending.size(&snapshot);
    let chunks = iter::from_fn(move || sending.next(&snapshot));
    let body = SizedStream::new(size, stream::iter(chunks.map(Ok::<_, Infallible>)));
    Ok(Reply::of(HttpResponse::Ok().content_type(ContentType::json()).body(body)))
}

/// `POST /flights/search/stream`.
pub async fn search_stream(
    app: App,
    request: HttpRequest,
    ask: Ask<Caller, Body<SearchRequest>>,
) -> Replied<Events> {
    let options = extract::options(&request)?;
    let search = flights::Search::begin(&app.flights, &ask.who, ask.what.0).await?;
    Ok(events::events(search, options))
}
