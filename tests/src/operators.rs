//! Those who speak to the operator's API.

use std::sync::Arc;

use reqwest::{Client, Method, RequestBuilder};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};
use wayfare_domain::OperatorRole;
use wayfare_operations::{
    Platform,
    access::operators::accounts::{self, NewOperator},
};

use crate::{
    Reply,
    http_client::{http_client, try_send},
};

#[derive(Clone)]
pub struct OperatorDoor {
    /// Where it answers, without `/operator/v1`.
    pub base_url: String,
    platform: Arc<Platform>,
    client: Client,
}

#[derive(Clone)]
pub struct OperatorPerson {
    door: OperatorDoor,
    /// With what they prove who they are.
    pub token: Option<String>,
    pub id: String,
    pub password: SecretString,
}

impl OperatorDoor {
    pub(crate) fn at(base_url: String, platform: Arc<Platform>) -> Self {
        Self { base_url, platform, client: http_client() }
    }

    /// A new operator of this name and role, logged in.
    pub async fn operator(&self, username: &str, role: OperatorRole) -> OperatorPerson {
        let new =
            NewOperator { username: username.to_owned(), name: format!("{username} of the platform"), role };
        let (operator, password) = accounts::add_oneself(&self.platform.access, new).await.unwrap();
        OperatorPerson { id: operator.id.to_string(), password, ..self.nobody() }.logged_in(username).await
    }

    /// Somebody without a token.
    pub fn nobody(&self) -> OperatorPerson {
        OperatorPerson {
            door: self.clone(),
            token: None,
            id: String::new(),
            password: SecretString::default(),
        }
    }
}

impl OperatorPerson {
    /// The same person with another password.
    #[must_use]
    pub fn with_password(self, password: &str) -> Self {
        Self { password: password.into(), ..self }
    }

    /// The same person in a new session.
    pub async fn logged_in(&self, username: &str) -> Self {
        let body = json!({ "username": username, "password": self.password.expose_secret() });
        let begun = self.post("/sessions", &body).await.succeeds(201);
        Self { token: begun["token"].as_str().map(str::to_owned), ..self.clone() }
    }

    /// The same with another token, or none.
    #[must_use]
    pub fn with_token(&self, token: Option<&str>) -> Self {
        Self { token: token.map(str::to_owned), ..self.clone() }
    }

    pub async fn confirm(&self) -> Reply {
        self.post("/sessions/current/confirm", &json!({ "password": self.password.expose_secret() })).await
    }

    /// A request of theirs, to be filled and sent.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.door.client.request(method, format!("{}/operator/v1{path}", self.door.base_url));
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    /// Sends a request; its answer is as the document and the catalogue of errors say.
    pub async fn send(&self, request: RequestBuilder) -> Reply {
        try_send(&self.door.client, request).await.unwrap()
    }

    /// `GET`.
    pub async fn get(&self, path: &str) -> Reply {
        self.send(self.request(Method::GET, path)).await
    }

    /// `POST` with a JSON body.
    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        self.send(self.request(Method::POST, path).json(body)).await
    }

    /// `PUT` with a JSON body.
    pub async fn put(&self, path: &str, body: &Value) -> Reply {
        self.send(self.request(Method::PUT, path).json(body)).await
    }

    /// `DELETE`.
    pub async fn delete(&self, path: &str) -> Reply {
        self.send(self.request(Method::DELETE, path)).await
    }

    /// `POST` with a JSON body under an idempotency key.
    pub async fn post_with_key(&self, path: &str, key: &str, body: &Value) -> Reply {
        self.send(self.request(Method::POST, path).json(body).header("Idempotency-Key", key)).await
    }
}
