//! A desk of the operator: the listener with the operator's API and screens, and whoever works there.

use secrecy::ExposeSecret;
use tokio::sync::watch;
use wayfare_api::{ConsoleOptions, ServerOptions, serve_operator};
use wayfare_domain::OperatorRole;
use wayfare_operations::access::operators::accounts::{self, NewOperator};
use wayfare_tests::{World, listen, server_options};

use crate::console::browser::Browser;

pub struct Desk<'a> {
    world: &'a World,
    pub url: String,
    _stopping: watch::Sender<bool>,
}

impl<'a> Desk<'a> {
    /// Serves it beside the world's API.
    pub fn of(world: &'a World) -> Self {
        Self::found_at(world, None)
    }

    /// The same where browsers find it at this address.
    pub fn found_at(world: &'a World, public_url: Option<url::Url>) -> Self {
        let stopping = watch::Sender::new(false);
        let options = ServerOptions {
            console: Some(ConsoleOptions { public_url, ..ConsoleOptions::default() }),
            ..server_options(stopping.subscribe())
        };
        let (listener, url) = listen();
        tokio::spawn(serve_operator(world.platform.clone(), listener, options).unwrap());
        Self { world, url, _stopping: stopping }
    }

    /// Adds an operator; their password.
    pub async fn add(&self, username: &str, role: OperatorRole) -> String {
        let new =
            NewOperator { username: username.to_owned(), name: format!("{username} <of the desk>"), role };
        let (_, password) = accounts::add_oneself(&self.world.platform.access, new).await.unwrap();
        password.expose_secret().to_owned()
    }

    pub async fn signed(&self, username: &str, role: OperatorRole) -> Browser {
        self.log_in(username, &self.add(username, role).await).await
    }

    pub async fn log_in(&self, username: &str, password: &str) -> Browser {
        let form = [("username", username), ("password", password), ("to", "")];
        Browser::at(&self.url).logged_in("/operator", &form).await
    }
}
