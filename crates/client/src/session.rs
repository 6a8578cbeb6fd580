//! A session: somebody who is logged in, and the tokens that prove it.

use std::{fmt, sync::Arc, time::Duration};

use reqwest::{Method, Response};
use secrecy::SecretString;
use serde::de::DeserializeOwned;
use tokio::{sync::Mutex, task::JoinHandle, time::Instant};
use uuid::Uuid;
use wayfare_boxed::boxed;
use wayfare_contract::{BrowserSession, Credentials, LogIn, RefreshToken, Refreshed, SessionUser};

use crate::{
    Client,
    call::{Ask, Effect, Envelope, Keyed, NoData, RawAnswer, Take},
    error::{Error, Result, cause},
    retries::{Effort, Failure, Trial},
};

/// A part of the API: its type, and the method of a session that leads to it.
macro_rules! part_of_session {
    ($(#[$doc:meta])* $part:ident, $method:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $part<'a>(&'a $crate::Session);

        impl $crate::Session {
            $(#[$doc])*
            pub fn $method(&self) -> $part<'_> {
                $part(self)
            }
        }
    };
}

pub(crate) use part_of_session;

/// How long before its end a token is renewed, at most; a tenth of its life where that is less.
const MARGIN: Duration = Duration::from_secs(60);

/// How long after a renewal that failed the next one is begun, while the access token lasts.
const PAUSE: Duration = Duration::from_secs(10);

/// Somebody who is logged in. Cheap to clone; all clones share their tokens, which are renewed by themselves while calls go
/// on, and once for all calls that have to wait for it: a refresh token that came a second time would end the session.
#[derive(Clone)]
pub struct Session {
    shared: Arc<Shared>,
    key: Option<String>,
}

struct Shared {
    client: Client,
    /// Who logged in; nobody knows behind a token that was given elsewhere.
    who: Option<(SessionUser, String)>,
    /// One token that is never renewed, in the place of those below.
    fixed: Option<SecretString>,
    /// Held for moments only.
    tokens: Mutex<Tokens>,
    /// Held by whoever shows the refresh token to the service, until it is known what came of it.
    refreshing: Mutex<()>,
}

struct Tokens {
    access: SecretString,
    refresh: SecretString,
    /// When the access token is due to be renewed: at its end where the refresh token was sent and nobody answered. It
    /// may be spent then, and only an access token that is over is worth sending it again, since that ends the session
    /// if it is.
    due: Instant,
    end: Instant,
    /// Counts renewals, those that failed as well.
    renewals: u64,
    /// Why the last one failed.
    failure: Option<Error>,
    /// The service does not renew the session any more.
    ended: bool,
}

impl Tokens {
    fn of(pair: wayfare_contract::Tokens, renewals: u64) -> Self {
        let now = Instant::now();
        let life = Duration::from_secs(pair.expires_in_seconds.try_into().unwrap_or_default());
        Self {
            access: pair.access_token,
            refresh: pair.refresh_token,
            due: now + life.saturating_sub(MARGIN.min(life / 10)),
            end: now + life,
            renewals,
            failure: None,
            ended: false,
        }
    }
}

fn credentials(agent_id: &str, username: &str, password: SecretString) -> Credentials {
    Credentials { agent_id: agent_id.to_owned(), username: username.to_owned(), password }
}

impl Client {
    /// Begins a session. It renews its tokens by itself for as long as it is used at least once in 30 days.
    ///
    /// # Errors
    /// 401 for wrong credentials or whoever is suspended, 403 from outside the organization's whitelist; see [`Error`].
    pub async fn log_in(
        &self,
        agent_id: &str,
        username: &str,
        password: impl Into<SecretString>,
    ) -> Result<Session> {
        let body = credentials(agent_id, username, password.into());
        // A log-in that nobody heard of is a session that nobody uses.
        let ask = Ask::of(Method::POST, &["auth", "login"], Effort::Read).body(&body)?;
        let logged_in: LogIn = self.tell(&ask).await?;
        Ok(Session::begin(self.clone(), logged_in))
    }

    /// `POST /auth/sessions`: begins a session with one token, which several programs or tabs can share.
    ///
    /// # Errors
    /// As of [`Client::log_in`].
    pub async fn begin_browser_session(
        &self,
        agent_id: &str,
        username: &str,
        password: impl Into<SecretString>,
    ) -> Result<BrowserSession> {
        let body = credentials(agent_id, username, password.into());
        let ask = Ask::of(Method::POST, &["auth", "sessions"], Effort::Read).body(&body)?;
        self.tell(&ask).await
    }

    /// A session whose token was given before and is never renewed: [`Error::SessionEnded`] when it is over. Nothing is
    /// asked until it is used.
    pub fn with_token(&self, token: impl Into<SecretString>) -> Session {
        let nothing = wayfare_contract::Tokens {
            access_token: SecretString::default(),
            refresh_token: SecretString::default(),
            expires_in_seconds: 0,
        };
        Session {
            shared: Arc::new(Shared {
                client: self.clone(),
                who: None,
                fixed: Some(token.into()),
                tokens: Mutex::new(Tokens::of(nothing, 0)),
                refreshing: Mutex::new(()),
            }),
            key: None,
        }
    }
}

#[boxed]
impl Session {
    pub(crate) fn begin(client: Client, logged_in: LogIn) -> Self {
        Self {
            shared: Arc::new(Shared {
                client,
                who: Some((logged_in.user, logged_in.agent_id)),
                fixed: None,
                tokens: Mutex::new(Tokens::of(logged_in.tokens, 0)),
                refreshing: Mutex::new(()),
            }),
            key: None,
        }
    }

    /// Who is logged in, as they were then; none of a session with a token ([`Client::with_token`]).
    pub fn user(&self) -> Option<&SessionUser> {
        self.shared.who.as_ref().map(|(user, _)| user)
    }

    /// The public code of their organization; none of a session with a token.
    pub fn agent_id(&self) -> Option<&str> {
        self.shared.who.as_ref().map(|(_, agent_id)| agent_id.as_str())
    }

    /// The same session whose next effect is sent under this key (1 to 255 printable ASCII characters), to ask again what
    /// became of it, or to have it carried out once over restarts of the caller. A key is for one request: another one
    /// under it is refused (422). Without this, each effect has a fresh key of its own.
    #[must_use]
    pub fn keyed(&self, idempotency_key: impl Into<String>) -> Self {
        Self { key: Some(idempotency_key.into()), ..self.clone() }
    }

    /// Ends the session, for all of its clones.
    ///
    /// # Errors
    /// See [`Error`]; a session that had ended already is none.
    pub async fn log_out(self) -> Result<()> {
        if self.shared.fixed.is_some() {
            let ask = Ask::delete(&["auth", "sessions", "current"]);
            return match self.done(ask).await {
                Err(Error::SessionEnded) => Ok(()),
                ended => ended,
            };
        }
        let _refreshing = self.shared.refreshing.lock().await;
        let refresh = {
            let mut tokens = self.shared.tokens.lock().await;
            tokens.ended = true;
            tokens.refresh.clone()
        };
        let body = RefreshToken { refresh_token: refresh };
        let ask = Ask::of(Method::POST, &["auth", "logout"], Effort::Once).body(&body)?;
        let mut trial = Trial::begin();
        let answered: Result<RawAnswer, Failure> = self.client().carry_out(&ask, None, &mut trial).await;
        match answered.map_err(|failure| trial.last_word(failure, &ask.effort)) {
            Err(error) if error.status() != Some(401) => Err(error),
            _ => Ok(()),
        }
    }

    pub(crate) fn client(&self) -> &Client {
        &self.shared.client
    }

    /// An effect's request, under the caller's key or a fresh one.
    pub(crate) fn effect(&self, path: &[&str]) -> Ask {
        let fresh = || Uuid::new_v4().to_string();
        let key = self.key.clone().unwrap_or_else(fresh);
        Ask::of(Method::POST, path, Effort::Keyed(key))
    }

    /// An answer's data.
    pub(crate) async fn data<T: DeserializeOwned>(&self, ask: Ask) -> Result<T> {
        let envelope: Envelope<T> = self.whole(ask).await?;
        Ok(envelope.data)
    }

    /// That it was done.
    pub(crate) async fn done(&self, ask: Ask) -> Result<()> {
        self.whole::<NoData>(ask).await.map(drop)
    }

    /// An answer's whole body.
    pub(crate) async fn whole<T: DeserializeOwned>(&self, ask: Ask) -> Result<T> {
        self.call::<RawAnswer>(&ask).await?.read(&ask)
    }

    /// An effect that is done when it is answered.
    pub(crate) async fn keyed_data<T: DeserializeOwned>(&self, ask: Ask) -> Result<Keyed<T>> {
        let answer: RawAnswer = self.call(&ask).await?;
        let envelope: Envelope<T> = answer.read(&ask)?;
        Ok(answer.keyed(&ask, envelope.data))
    }

    /// An effect that is done when it is answered, and answered without data.
    pub(crate) async fn keyed_done(&self, ask: Ask) -> Result<Keyed<()>> {
        let answer: RawAnswer = self.call(&ask).await?;
        answer.read::<NoData>(&ask)?;
        Ok(answer.keyed(&ask, ()))
    }

    /// An effect at a supplier.
    pub(crate) async fn outcome<T: DeserializeOwned>(&self, ask: Ask, booking_ref: &str) -> Effect<T> {
        let answer: RawAnswer = self.call(&ask).await?;
        let outcome = answer.outcome(&ask, booking_ref)?;
        Ok(answer.keyed(&ask, outcome))
    }

    /// An answer that is read as it comes.
    pub(crate) async fn open(&self, ask: Ask) -> Result<Response> {
        self.call(&ask).await
    }

    async fn call<T: Take>(&self, ask: &Ask) -> Result<T> {
        let mut trial = Trial::begin();
        if let Some(token) = &self.shared.fixed {
            let answered = self.client().carry_out(ask, Some(token), &mut trial).await;
            return answered.map_err(|failure| match failure.status() {
                Some(401) => Error::SessionEnded,
                _ => trial.last_word(failure, &ask.effort),
            });
        }
        let (token, renewals) = self.token().await?;
        let refused = match self.client().carry_out(ask, Some(&token), &mut trial).await {
            Ok(answer) => return Ok(answer),
            Err(failure) => failure,
        };
        if refused.status() != Some(401) {
            return Err(trial.last_word(refused, &ask.effort));
        }
        // The token is over sooner than it said: the service knows better. Once is enough, a fresh one is not wrong.
        let last_word = |error| trial.last_word(error, &ask.effort);
        self.renew(renewals).await.map_err(last_word)?;
        let (token, _) = self.token().await.map_err(last_word)?;
        let answered = self.client().carry_out(ask, Some(&token), &mut trial).await;
        answered.map_err(|failure| trial.last_word(failure, &ask.effort))
    }

    /// A token that is good for a while, and how many renewals were before.
    async fn token(&self) -> Result<(SecretString, u64)> {
        let renewals = {
            let mut tokens = self.shared.tokens.lock().await;
            if tokens.ended {
                return Err(Error::SessionEnded);
            }
            let now = Instant::now();
            if now < tokens.end {
                if now >= tokens.due {
                    // What is still good is used meanwhile, and whoever comes next begins no other renewal.
                    tokens.due = tokens.end;
                    drop(self.begin_renewal(tokens.renewals));
                }
                return Ok((tokens.access.clone(), tokens.renewals));
            }
            tokens.renewals
        };
        self.renew(renewals).await?;
        let tokens = self.shared.tokens.lock().await;
        Ok((tokens.access.clone(), tokens.renewals))
    }

    /// The next pair of tokens after so many renewals.
    async fn renew(&self, renewals: u64) -> Result<()> {
        self.begin_renewal(renewals).await.map_err(|error| Error::Unreachable { cause: cause(error) })?
    }

    /// Renews in a task of its own: a caller who gives up must not take a token along that the service has spent already.
    fn begin_renewal(&self, renewals: u64) -> JoinHandle<Result<()>> {
        let shared = self.shared.clone();
        tokio::spawn(async move { shared.renew(renewals).await })
    }
}

impl Shared {
    async fn renew(&self, renewals: u64) -> Result<()> {
        let _refreshing = self.refreshing.lock().await;
        let refresh = {
            let mut tokens = self.tokens.lock().await;
            if tokens.ended {
                return Err(Error::SessionEnded);
            }
            if tokens.renewals != renewals {
                // Whoever came first has done it for all, or failed for all.
                return tokens.failure.clone().map_or(Ok(()), Err);
            }
            tokens.due = tokens.end;
            tokens.refresh.clone()
        };
        let body = RefreshToken { refresh_token: refresh };
        let ask = Ask::of(Method::POST, &["auth", "refresh"], Effort::Once).body(&body)?;
        let renewed = self.client.tell::<Refreshed>(&ask).await;
        let mut tokens = self.tokens.lock().await;
        let error = match renewed {
            Ok(renewed) => {
                *tokens = Tokens::of(renewed.tokens, renewals + 1);
                return Ok(());
            }
            Err(error) if error.status() == Some(401) => {
                tokens.ended = true;
                return Err(Error::SessionEnded);
            }
            // Nobody knows what became of the refresh token. What it was renewed for was not sent.
            Err(Error::Unknown { because, .. }) => *because,
            Err(error) => {
                tokens.due = Instant::now() + PAUSE;
                error
            }
        };
        tokens.renewals += 1;
        tokens.failure = Some(error.clone());
        Err(error)
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("agent_id", &self.agent_id())
            .field("username", &self.user().map(|user| &user.username))
            .finish_non_exhaustive()
    }
}
