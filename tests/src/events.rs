//! Server-sent events as they come.

use std::time::Instant;

use reqwest::Response;
use serde_json::Value;
use wayfare_stub_server::Decoder;

use crate::{contract, examples};

#[derive(Clone, Debug)]
pub struct Event {
    pub name: String,
    pub data: Value,
    pub at: Instant,
}

pub struct Events {
    answer: Response,
    decoder: Decoder,
    text: String,
    /// So many bytes came over the wire.
    pub bytes: usize,
    pub comments: usize,
}

impl Events {
    /// Those of this answer, which must be a stream of events.
    pub fn of(answer: Response) -> Self {
        let header = |name: &str| answer.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(header("content-type").as_deref(), Some("text/event-stream"));
        assert_eq!(header("cache-control").as_deref(), Some("no-cache, no-transform"));
        assert_eq!(header("vary").as_deref(), Some("accept-encoding"));
        let decoder = Decoder::of(header("content-encoding").as_deref());
        Self { answer, decoder, text: String::new(), bytes: 0, comments: 0 }
    }

    /// How they are coded.
    pub fn coding(&self) -> &'static str {
        self.decoder.coding()
    }

    fn came(&mut self, chunk: &[u8]) {
        self.bytes += chunk.len();
        self.text.push_str(std::str::from_utf8(&self.decoder.decode(chunk)).unwrap());
    }

    pub async fn next(&mut self) -> Option<Event> {
        loop {
            while let Some((block, rest)) = self.text.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.text = rest;
                if block.starts_with(':') {
                    self.comments += 1;
                    continue;
                }
                examples::offer("streamFlightSearch", 200, false, &format!("{block}\n"));
                let (name, data) = block.split_once('\n').unwrap_or_else(|| panic!("{block}"));
                let data = serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap();
                contract::check_event(&data);
                return Some(Event {
                    name: name.strip_prefix("event: ").unwrap().to_owned(),
                    data,
                    at: Instant::now(),
                });
            }
            // A connection that was cut is an end too.
            match self.answer.chunk().await {
                Ok(Some(chunk)) => self.came(&chunk),
                _ => {
                    assert!(self.text.is_empty(), "an event broke off: {}", self.text);
                    return None;
                }
            }
        }
    }

    /// Reads until so many comments have come, before an event does.
    pub async fn comes_to_comments(&mut self, count: usize) {
        while self.comments < count {
            let chunk = self.answer.chunk().await.unwrap().unwrap();
            self.came(&chunk);
            while let Some((block, rest)) = self.text.split_once("\n\n") {
                assert!(block.starts_with(':'), "{block}");
                self.text = rest.to_owned();
                self.comments += 1;
            }
        }
    }

    pub async fn rest(mut self) -> Vec<Event> {
        let mut all = Vec::new();
        while let Some(event) = self.next().await {
            all.push(event);
        }
        all
    }
}
