//! The baseline: a server that asks the same suppliers, looks at nothing, and sends as many bytes as ours.

use std::{env, process::Stdio, sync::Arc};

use futures_util::{StreamExt, stream::FuturesUnordered};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
    process::{Child, Command},
};

use super::{Searcher, StubSuppliers};
use wayfare_stub_server::http::{self, Answers, Request};

use crate::{Processor, Result};

/// What the relay asks and sends.
pub struct Relay {
    http: reqwest::Client,
    suppliers: Vec<String>,
    /// A body.
    answer: Vec<u8>,
    /// The largest event; those before it grow evenly.
    event: Vec<u8>,
}

impl Relay {
    pub(super) fn of(suppliers: Vec<String>, answer: usize, event: usize) -> Self {
        Self { http: reqwest::Client::new(), suppliers, answer: vec![b' '; answer], event: vec![b' '; event] }
    }

    async fn ask(&self, supplier: &str, body: &str) -> Result<()> {
        let mut answer = self.http.post(supplier).body(body.to_owned()).send().await?;
        let mut body = Vec::new();
        while let Some(chunk) = answer.chunk().await? {
            body.extend_from_slice(&chunk);
        }
        Ok(())
    }

    async fn event(&self, name: &str, part: usize, to: &mut TcpStream) -> Result<()> {
        let length = self.event.len() * part / self.suppliers.len().max(1);
        let mut event = format!("event: {name}\ndata: ").into_bytes();
        event.extend(self.event.get(..length).unwrap_or_default());
        event.extend(b"\n\n");
        http::chunk(to, &event).await
    }
}

impl Answers for Relay {
    async fn answer(&self, request: Request, to: &mut TcpStream) -> Result<()> {
        let asked = self.suppliers.iter().map(|url| self.ask(url, &request.text));
        let mut asked: FuturesUnordered<_> = asked.collect();
        let with_events = request.path().ends_with("/stream");
        if with_events {
            to.write_all(http::EVENTS.as_bytes()).await?;
        }
        let mut answered = 0;
        while let Some(answer) = asked.next().await {
            answer?;
            answered += 1;
            if with_events {
                self.event("results", answered, to).await?;
            }
        }
        if with_events {
            self.event("done", answered, to).await?;
            return http::chunk(to, b"").await;
        }
        to.write_all(http::head(self.answer.len()).as_bytes()).await?;
        Ok(to.write_all(&self.answer).await?)
    }
}

/// A relay in a process of its own, as the server is. It ends with the value.
pub struct RelayProcess {
    process: Child,
    url: String,
}

impl RelayProcess {
    /// Starts this very program as the relay, by its subcommand `relay`.
    pub async fn start(suppliers: &StubSuppliers, answer: usize, event: usize) -> Result<Self> {
        let mut process = Command::new(env::current_exe()?)
            .args(["relay", "--answer", &answer.to_string(), "--event", &event.to_string()])
            .args(suppliers.suppliers().map(|(url, _)| url))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let said = process.stdout.take().ok_or("a relay without output")?;
        let url = BufReader::new(said).lines().next_line().await?.ok_or("the relay did not start")?;
        Ok(Self { process, url })
    }

    /// Somebody who searches through it.
    pub fn searcher(&self, suppliers: &StubSuppliers) -> Result<Searcher> {
        Searcher::new(&self.url, "", suppliers.watch())
    }

    /// Its time on the cores.
    pub fn processor(&self) -> Result<Processor> {
        Ok(Processor::of(self.process.id().ok_or("the relay has ended")?))
    }
}

/// What a process that is nothing but a relay is told: the suppliers, and how much to send.
#[derive(clap::Args, Debug)]
pub struct RelayArgs {
    /// Bytes of an answer
    #[arg(long)]
    answer: usize,
    /// Bytes of the last event
    #[arg(long)]
    event: usize,
    /// Whom to ask
    suppliers: Vec<String>,
}

/// Is the relay, for ever; its first line says where.
pub async fn relay(arguments: RelayArgs) -> Result<()> {
    let (listener, url) = http::listen().await?;
    println!("{url}");
    http::serve(listener, Arc::new(Relay::of(arguments.suppliers, arguments.answer, arguments.event))).await
}
