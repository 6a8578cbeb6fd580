//! A desk of the operator: the listener with the operator's API and screens, and whoever works there.

use std::{net::TcpListener, time::Duration};

use secrecy::ExposeSecret;
use tokio::sync::watch;
use wayfare_api::{AirlineLogos, ConsoleOptions, RateLimits, RequestMetrics, ServerOptions, serve_operator};
use wayfare_domain::OperatorRole;
use wayfare_operations::access::operators::accounts::{self, NewOperator};
use wayfare_tests::World;

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
            limits: RateLimits::off(),
            metrics: RequestMetrics::default(),
            trusted_proxies: Vec::new(),
            operator_hosts: Vec::new(),
            slowest_request: Duration::from_secs(15),
            workers: 1,
            stopping: stopping.subscribe(),
            started: watch::channel(true).1,
            shutdown: Duration::from_secs(1),
            airline_logos: AirlineLogos::default(),
            console: Some(ConsoleOptions { public_url, ..ConsoleOptions::default() }),
        };
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
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
        let password = self.add(username, role).await;
        self.log_in(username, &password).await
    }

    pub async fn log_in(&self, username: &str, password: &str) -> Browser {
        let form = [("username", username), ("password", password), ("to", "")];
        Browser::at(&self.url).logged_in("/operator", &form).await
    }
}
