//! The HTTP client of tests, one for the process: each that is built reads the machine's certificates.

use std::sync::LazyLock;

use reqwest::{Client, RequestBuilder};

use crate::{Reply, catalogue, contract};

/// A copy of it. It keeps no connection: on a busy machine a server may close one just as it is used again, and another test
/// has another runtime.
pub(crate) fn http_client() -> Client {
    static CLIENT: LazyLock<Client> =
        LazyLock::new(|| Client::builder().pool_max_idle_per_host(0).build().unwrap());
    CLIENT.clone()
}

/// Sends a request; its answer is as the document and the catalogue of errors say.
pub(crate) async fn try_send(client: &Client, request: RequestBuilder) -> reqwest::Result<Reply> {
    let request = request.build()?;
    let (method, path) = (request.method().clone(), request.url().path().to_owned());
    let answer = client.execute(request).await?;
    let reply = Reply {
        asked: format!("{method} {path}"),
        status: answer.status().as_u16(),
        headers: answer.headers().clone(),
        text: answer.text().await?,
    };
    catalogue::holds(&reply);
    contract::check(&method, &path, reply.status, &reply.headers, &reply.text);
    Ok(reply)
}
