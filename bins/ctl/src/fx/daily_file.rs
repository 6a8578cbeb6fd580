//! The daily file's text, out of a file or over HTTP, as long as it is of a size that it can have.

use std::{error::Error, time::Duration};

use reqwest::{Client, StatusCode, redirect::Policy};
use tokio::{fs::File, io::AsyncReadExt};
use wayfare_operations::operator::LONGEST_DAILY_FILE;

use crate::output::Failure;

/// The whole of it, from the first byte sent to the last one read.
const PATIENCE: Duration = Duration::from_secs(30);

/// The text of the file at this path or address.
///
/// # Errors
/// When it can't be had, or is no such file.
pub async fn read(place: &str) -> Result<String, Failure> {
    let is_address = ["http://", "https://"].iter().any(|scheme| place.starts_with(scheme));
    let bytes = match is_address {
        true => fetch(place, PATIENCE).await,
        false => open(place).await,
    };
    let bytes = bytes.and_then(|bytes| match bytes.len() {
        0..=LONGEST_DAILY_FILE => Ok(bytes),
        _ => Err(format!("it is larger than {} KiB, which no daily file is", LONGEST_DAILY_FILE / 1024)),
    });
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).map_err(|error| error.to_string()));
    text.map_err(|reason| Failure::Failed(format!("{place}: {reason}")))
}

/// At most one byte more than is allowed.
async fn open(path: &str) -> Result<Vec<u8>, String> {
    let file = File::open(path).await.map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    let read = file.take(LONGEST_DAILY_FILE as u64 + 1).read_to_end(&mut bytes).await;
    read.map_err(|error| error.to_string())?;
    Ok(bytes)
}

/// Stops soon after more than is allowed, however much is sent.
async fn fetch(address: &str, patience: Duration) -> Result<Vec<u8>, String> {
    let client = Client::builder()
        .timeout(patience)
        // To which place it is sent on is the operator's to see.
        .redirect(Policy::none())
        .user_agent(concat!("wayfarectl/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(chain)?;
    let mut answer = client.get(address).send().await.map_err(chain)?;
    if answer.status() != StatusCode::OK {
        return Err(format!("the answer is {}", answer.status()));
    }
    let mut bytes = Vec::new();
    while let Some(part) = answer.chunk().await.map_err(chain)? {
        bytes.extend_from_slice(&part);
        if bytes.len() > LONGEST_DAILY_FILE {
            break;
        }
    }
    Ok(bytes)
}

/// The error and what is below it.
fn chain(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut below = error.source();
    while let Some(cause) = below {
        text = format!("{text}: {cause}");
        below = cause.source();
    }
    text
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use std::time::Instant;

    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn who_does_not_answer_is_not_waited_for() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/daily.xml", listener.local_addr().unwrap());
        let silent = tokio::spawn(async move {
            let _connection = listener.accept().await.unwrap();
            std::future::pending::<()>().await;
        });
        let begun = Instant::now();
        let error = fetch(&address, Duration::from_millis(200)).await.unwrap_err();
        assert!(error.contains("timed out"), "{error}");
        assert!(begun.elapsed() < Duration::from_secs(20));
        silent.abort();
    }
}
