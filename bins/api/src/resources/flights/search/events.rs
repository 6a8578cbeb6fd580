//! The search stream: `results` after each supplier, then `done`, each with a complete answer.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use actix_web::{
    HttpResponse,
    http::header::{self, ContentEncoding},
    web::Bytes,
};
use futures_util::{Stream, stream};
use tokio::{sync::watch, time::timeout};
use wayfare_operations::flights::Search;
use wayfare_search_response::flights::{Answer, SearchResponseBuilder, Sending};

#[cfg(test)]
use crate::http::operation::{Described, Operation};
use crate::http::{
    options::ServerOptions,
    reply::{self, Reply},
};

/// After so long without an event a comment is sent: proxies keep the connection then, and a client that has left is
/// noticed, with whom the search ends.
const KEEP_ALIVE: Duration = Duration::from_secs(2);

/// The answer whose events come as the search goes on. It ends when the server stops, without `done`.
pub fn events(search: Search, options: &ServerOptions) -> Reply<Events> {
    let events = Events {
        snapshot: SearchResponseBuilder::of(&search, &options.airline_logos),
        search,
        stopping: options.stopping.clone(),
        sending: VecDeque::new(),
        is_done: false,
    };
    let response = HttpResponse::Ok()
        .content_type("text/event-stream")
        .insert_header((header::CACHE_CONTROL, "no-cache, no-transform"))
        .insert_header(("X-Accel-Buffering", "no"))
        // Not like other answers: see `event_coding`.
        .insert_header(ContentEncoding::Identity)
        .streaming(events.stream());
    Reply::of(response)
}

/// What is sent as long as the search goes on.
pub struct Events {
    search: Search,
    snapshot: SearchResponseBuilder,
    stopping: watch::Receiver<bool>,
    /// Events that are still to be sent. The snapshot stays as it is until then.
    sending: VecDeque<Sending<Arc<Answer>>>,
    is_done: bool,
}

#[cfg(test)]
impl Described for Events {
    fn describe(operation: &mut Operation<'_>) {
        let text = "Server-sent events: `results` after each supplier and `done` last. The `data:` line of each is a \
                    whole answer as `POST /flights/search` gives it. Comments keep the connection alive.";
        operation.answers(
            200,
            "text/event-stream",
            serde_json::json!({ "type": "string", "description": text }),
        );
    }
}

impl Events {
    fn stream(self) -> impl Stream<Item = serde_json::Result<Bytes>> {
        stream::try_unfold(self, async |mut events| {
            let chunk = events.next().await?;
            Ok(chunk.map(|chunk| (chunk, events)))
        })
    }

    async fn next(&mut self) -> serde_json::Result<Option<Bytes>> {
        if let Some(chunk) = self.next_chunk() {
            return Ok(Some(chunk));
        }
        if self.is_done {
            return Ok(None);
        }
        let arrived = tokio::select! {
            biased;
            // A sender that is gone has not said that the server stops.
            Ok(_) = self.stopping.wait_for(|stopping| *stopping) => return Ok(None),
            arrived = timeout(KEEP_ALIVE, self.search.next()) => arrived,
        };
        match arrived {
            Err(_) => return Ok(Some(Bytes::from_static(b": keep-alive\n\n"))),
            Ok(Some(arrival)) => {
                self.snapshot.add(arrival)?;
                let data = self.data()?;
                let found = reply::offers_found(self.snapshot.count());
                self.event("results", &found, Arc::clone(&data));
                if self.search.is_over() {
                    self.finish(data);
                }
            }
            // Nobody was asked.
            Ok(None) => {
                let data = self.data()?;
                self.finish(data);
            }
        }
        Ok(self.next_chunk())
    }

    /// The next bytes of the first event that has any left.
    fn next_chunk(&mut self) -> Option<Bytes> {
        while let Some(event) = self.sending.front_mut() {
            if let Some(chunk) = event.next(&self.snapshot) {
                return Some(chunk);
            }
            self.sending.pop_front();
        }
        None
    }

    fn data(&self) -> serde_json::Result<Arc<Answer>> {
        self.snapshot.answer(self.search.duration()).map(Arc::new)
    }

    fn finish(&mut self, data: Arc<Answer>) {
        self.event("done", "search complete", data);
        self.is_done = true;
    }

    /// An event around data, which has no line break.
    fn event(&mut self, name: &str, message: &str, data: Arc<Answer>) {
        let opening = format!("event: {name}\ndata: {}", reply::envelope_start(message));
        self.sending.push_back(Sending::new(opening, data, "}\n\n"));
    }
}
