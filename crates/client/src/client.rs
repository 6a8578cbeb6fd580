//! Where the service is, and how a call is sent to it until there is an answer.

use std::{fmt, sync::Arc, time::Duration};

use reqwest::{
    RequestBuilder, Url,
    header::{ACCEPT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue},
    redirect,
};
use secrecy::{ExposeSecret, SecretString};
use tokio::time::{sleep, timeout};

use crate::{
    Retries,
    call::{Ask, Envelope, RawAnswer, Take, refusal},
    error::{Error, Result, cause},
    retries::{Effort, Failure, Trial},
};

/// The service at one address. Cheap to clone.
#[derive(Clone)]
pub struct Client {
    pub(crate) inner: Arc<Inner>,
    /// What goes with every request beside what it needs.
    headers: HeaderMap,
    /// What every path begins with.
    root: [&'static str; 2],
}

pub(crate) struct Inner {
    pub(crate) http: reqwest::Client,
    pub(crate) base_url: Url,
    pub(crate) timeout: Duration,
    pub(crate) silence: Duration,
    pub(crate) retries: Retries,
    is_compressed: bool,
}

/// How a [`Client`] is to be.
#[derive(Clone)]
pub struct Builder {
    base_url: String,
    connect_timeout: Duration,
    timeout: Duration,
    silence: Duration,
    retries: Retries,
    user_agent: String,
    is_compressed: bool,
}

impl Client {
    /// The service at this address, without `/api/v1`, with usual time-outs and retries.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an address that is none.
    pub fn new(base_url: impl Into<String>) -> Result<Self> {
        Self::builder(base_url).build()
    }

    /// The same with other time-outs and retries.
    pub fn builder(base_url: impl Into<String>) -> Builder {
        Builder {
            base_url: base_url.into(),
            connect_timeout: Duration::from_secs(5),
            timeout: Duration::from_secs(90),
            silence: Duration::from_secs(30),
            retries: Retries::default(),
            user_agent: concat!("wayfare-client/", env!("CARGO_PKG_VERSION")).to_owned(),
            is_compressed: true,
        }
    }

    /// The same with a header that goes with every request, as a proxy adds one: for whom it calls, or what proves it. It
    /// takes the place of the client's own of that name.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a value that no header can have.
    pub fn with_header(mut self, name: &'static str, value: &str) -> Result<Self> {
        let value = HeaderValue::from_str(value)
            .map_err(|error| Error::Invalid { reason: format!("{name}: {error}") })?;
        self.headers.insert(HeaderName::from_static(name), value);
        Ok(self)
    }

    /// The same for the operator's API at this address.
    pub(crate) fn of_operator(mut self) -> Self {
        self.root = ["operator", "v1"];
        self
    }

    /// The data of an answer to somebody without a session.
    pub(crate) async fn tell<T: serde::de::DeserializeOwned>(&self, ask: &Ask) -> Result<T> {
        let mut trial = Trial::begin();
        let answer: RawAnswer = self
            .carry_out(ask, None, &mut trial)
            .await
            .map_err(|failure| trial.last_word(failure, &ask.effort))?;
        let envelope: Envelope<T> = answer.read(ask)?;
        Ok(envelope.data)
    }

    /// Sends it until there is an answer or no try is left.
    pub(crate) async fn carry_out<T: Take>(
        &self,
        ask: &Ask,
        token: Option<&SecretString>,
        trial: &mut Trial,
    ) -> Result<T, Failure> {
        loop {
            let failure = match self.send(ask, token).await {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            match trial.after(&failure, &ask.effort, &self.inner.retries) {
                Some(pause) => sleep(pause).await,
                None => return Err(failure),
            }
        }
    }

    /// One try.
    async fn send<T: Take>(&self, ask: &Ask, token: Option<&SecretString>) -> Result<T, Failure> {
        let exchange = async {
            let response = self.request(ask, token)?.send().await.map_err(unsent)?;
            let no_answer = |error: reqwest::Error| Failure::NoAnswer(cause(error));
            if response.status().is_success() {
                return T::take(response).await.map_err(no_answer);
            }
            Err(refusal(RawAnswer::take(response).await.map_err(no_answer)?))
        };
        let answered = timeout(self.inner.timeout, exchange).await;
        answered.unwrap_or_else(|elapsed| Err(Failure::NoAnswer(cause(elapsed))))
    }

    fn request(&self, ask: &Ask, token: Option<&SecretString>) -> Result<RequestBuilder, Failure> {
        let invalid =
            |reason: String| Failure::Refused { error: Error::Invalid { reason }, by_service: false };
        if let Some(part) = ask.path.iter().find(|part| !stays_a_part(part)) {
            return Err(invalid(format!("{part:?} is no part of a path")));
        }
        let mut url = self.inner.base_url.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(self.root).extend(&ask.path);
        }
        let mut request = self.inner.http.request(ask.method.clone(), url).query(&ask.query);
        request = request.headers(self.headers.clone());
        if cfg!(feature = "zstd") && ask.has_events && self.inner.is_compressed {
            request = request.header(ACCEPT_ENCODING, "zstd");
        }
        if let Some(token) = token {
            request = request.bearer_auth(token.expose_secret());
        }
        if let Effort::Keyed(key) = &ask.effort {
            let key =
                HeaderValue::from_str(key).map_err(|error| invalid(format!("idempotency key: {error}")))?;
            request = request.header("idempotency-key", key);
        }
        Ok(match &ask.body {
            Some(body) => request.header(CONTENT_TYPE, ask.content_type).body(body.clone()),
            None => request,
        })
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("base_url", &self.inner.base_url.as_str()).finish_non_exhaustive()
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the address, which may still have a password.
        f.debug_struct("Builder")
            .field("connect_timeout", &self.connect_timeout)
            .field("timeout", &self.timeout)
            .field("silence", &self.silence)
            .field("retries", &self.retries)
            .field("user_agent", &self.user_agent)
            .field("is_compressed", &self.is_compressed)
            .finish_non_exhaustive()
    }
}

impl Builder {
    /// How long a connection may take to stand; 5 s unless told otherwise.
    #[must_use]
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self
    }

    /// How long a try may take; 90 s unless told otherwise, since the service waits up to 60 s for a supplier before
    /// it answers that a booking is pending. Streams and downloads have to begin within it.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// How long a stream or a download may be silent; 30 s unless told otherwise.
    #[must_use]
    pub fn silence(mut self, silence: Duration) -> Self {
        self.silence = silence;
        self
    }

    /// How calls are tried again.
    #[must_use]
    pub fn retries(mut self, retries: Retries) -> Self {
        self.retries = retries;
        self
    }

    /// What the client calls itself; the audit log keeps it.
    #[must_use]
    pub fn user_agent(mut self, name: impl Into<String>) -> Self {
        self.user_agent = name.into();
        self
    }

    /// Asks for answers as they are, which costs neither side time: where the service is on the same machine.
    #[must_use]
    pub fn uncompressed(mut self) -> Self {
        self.is_compressed = false;
        self
    }

    /// The client.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an address that is none of `http` or `https`, or has a user, a password, a query or a
    /// fragment; for a name that is no header.
    pub fn build(self) -> Result<Client> {
        let invalid = |reason: String| Error::Invalid { reason };
        // The address is not in what is said of it: it may have a password.
        let base_url =
            Url::parse(&self.base_url).map_err(|error| invalid(format!("the address is none: {error}")))?;
        if !base_url.username().is_empty() || base_url.password().is_some() {
            return Err(invalid("the address has a user or a password".to_owned()));
        }
        if base_url.query().is_some() || base_url.fragment().is_some() {
            return Err(invalid("the address has a query or a fragment".to_owned()));
        }
        if !matches!(base_url.scheme(), "http" | "https") {
            return Err(invalid(format!("{base_url} is neither http nor https")));
        }
        let http = reqwest::Client::builder()
            .connect_timeout(self.connect_timeout)
            .user_agent(self.user_agent)
            // The service redirects nowhere, and tokens are not for anybody else.
            .redirect(redirect::Policy::none())
            .gzip(self.is_compressed)
            // Whatever other crates of the program have of it: streams are decoded here, so that one that was cut reads so.
            .no_brotli()
            .no_deflate()
            .no_zstd()
            .build()
            .map_err(|error| invalid(error.to_string()))?;
        Ok(Client {
            inner: Arc::new(Inner {
                http,
                base_url,
                timeout: self.timeout,
                silence: self.silence,
                retries: self.retries,
                is_compressed: self.is_compressed,
            }),
            headers: HeaderMap::new(),
            root: ["api", "v1"],
        })
    }
}

/// Whether a path with this part has it in its place: an address leaves out dots and line ends, so that something else
/// would be asked for.
fn stays_a_part(part: &str) -> bool {
    !matches!(part, "" | "." | "..") && !part.contains(char::is_control)
}

fn unsent(error: reqwest::Error) -> Failure {
    match error.is_connect() || error.is_builder() {
        true => Failure::NotSent(cause(error)),
        false => Failure::NoAnswer(cause(error)),
    }
}
