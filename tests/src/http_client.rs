//! The HTTP client of tests, one for the process: each that is built reads the machine's certificates.

use std::sync::LazyLock;

use reqwest::Client;

/// A copy of it. It keeps no connection: on a busy machine a server may close one just as it is used again, and another test
/// has another runtime.
pub(crate) fn http_client() -> Client {
    static CLIENT: LazyLock<Client> =
        LazyLock::new(|| Client::builder().pool_max_idle_per_host(0).build().unwrap());
    CLIENT.clone()
}
