//! Where suppliers post their hooks, and how that is set up with those that have calls for it.

use secrecy::{ExposeSecret, SecretString};
use wayfare_domain::Clock;
use wayfare_flights::duffel::Duffel;
use wayfare_supply::{Answer, HookRegistry, SupplierHttp};

use crate::suppliers::{SupplierKind, SupplierSettings};

pub use wayfare_supply::HookAddress;

pub struct SupplierHooks {
    /// Where they are posted, below the server's address. One that signs nothing has its token there.
    pub path: String,
    /// Whether the server takes them: it knows what proves them.
    pub is_taken: bool,
    /// None where the address is agreed with the supplier's people.
    pub registry: Option<HookCalls>,
}

impl SupplierHooks {
    /// Those of this supplier.
    ///
    /// # Errors
    /// Says why it posts none, or how it can't be asked.
    pub fn of(settings: SupplierSettings) -> Result<Self, String> {
        let code = settings.config.code.clone();
        let secret = settings.config.hook_secret.as_ref();
        let is_taken = secret.is_some();
        match settings.kind {
            SupplierKind::Duffel => {
                let http = SupplierHttp::new(settings.config, Clock::system());
                let registry = Duffel::new(http.map_err(|error| error.to_string())?);
                Ok(Self {
                    path: format!("/hooks/{code}"),
                    is_taken,
                    registry: Some(HookCalls(Box::new(registry))),
                })
            }
            SupplierKind::LiteApi | SupplierKind::Hotelbeds => {
                let token = secret.ok_or("it has no `webhook_token_env` in the settings: make up a token")?;
                Ok(Self {
                    path: format!("/hooks/{code}/{}", token.expose_secret()),
                    is_taken,
                    registry: None,
                })
            }
            SupplierKind::TripJack => Err("it posts none".to_owned()),
        }
    }
}

/// The calls of a supplier that set up where it posts.
pub struct HookCalls(Box<dyn HookRegistry>);

impl HookCalls {
    /// Where it posts now.
    ///
    /// # Errors
    /// What stood in the way.
    pub async fn addresses(&self) -> Result<Vec<HookAddress>, String> {
        known(self.0.hook_addresses().await)
    }

    /// Has it post to this address; the secret, told this once.
    ///
    /// # Errors
    /// What stood in the way.
    pub async fn add(&self, url: &str) -> Result<SecretString, String> {
        known(self.0.add_hook_address(url).await)
    }

    /// Has it post something that says nothing, and waits until that was taken.
    ///
    /// # Errors
    /// What stood in the way.
    pub async fn ping(&self, id: &str) -> Result<(), String> {
        known(self.0.ping_hook_address(id).await)
    }

    /// Has it post there no more.
    ///
    /// # Errors
    /// What stood in the way.
    pub async fn remove(&self, id: &str) -> Result<(), String> {
        known(self.0.remove_hook_address(id).await)
    }
}

fn known<T>(answer: Answer<T>) -> Result<T, String> {
    match answer {
        Answer::Done(done) => Ok(done),
        failed => Err(failed.problem().unwrap_or_default().to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use std::env;

    use super::*;

    const DUFFEL: &str =
        "[[suppliers]]\ncode = 'duffel'\nkind = 'duffel'\nbase_url = 'https://api.duffel.com/'\n";

    fn suppliers(text: &str) -> Result<Vec<SupplierSettings>, String> {
        crate::suppliers::of(text.parse::<toml::Table>().unwrap().remove("suppliers").unwrap())
    }

    /// A variable that every test run has, and in which a path stands.
    const LONG_VARIABLE: &str = "CARGO_MANIFEST_DIR";

    #[test]
    fn what_proves_hooks_comes_from_a_variable_and_is_of_the_kind_that_the_supplier_needs() {
        let start = |kind: &str, line: &str| {
            let text = DUFFEL.replace("kind = 'duffel'", &format!("kind = '{kind}'"));
            let payment = if kind == "liteapi" { "payment = 'CREDIT'\n" } else { "" };
            let token = if kind == "hotelbeds" { "a:b" } else { "prod_1" };
            suppliers(&format!("{text}token = '{token}'\n{payment}{line}"))
        };
        let taken = start("duffel", &format!("webhook_secret_env = '{LONG_VARIABLE}'")).unwrap();
        let secret = taken[0].config.hook_secret.as_ref().unwrap();
        assert_eq!(secret.expose_secret(), env::var(LONG_VARIABLE).unwrap());
        assert!(!format!("{taken:?}").contains(secret.expose_secret()));
        assert!(start("duffel", "").unwrap()[0].config.hook_secret.is_none());
        for (kind, line, why) in [
            (
                "duffel",
                "webhook_secret_env = 'NO_SUCH_SECRET'".to_owned(),
                "NO_SUCH_SECRET, which is not set",
            ),
            ("duffel", "webhook_secret_env = 'CARGO_PKG_VERSION'".to_owned(), "at least 20 characters"),
            ("duffel", format!("webhook_token_env = '{LONG_VARIABLE}'"), "not for the kind `duffel`"),
            ("hotelbeds", format!("webhook_secret_env = '{LONG_VARIABLE}'"), "not for the kind `hotelbeds`"),
            // A path has slashes.
            ("liteapi", format!("webhook_token_env = '{LONG_VARIABLE}'"), "must be of letters, digits"),
            ("tripjack", format!("webhook_secret_env = '{LONG_VARIABLE}'"), "sends no hooks"),
        ] {
            let refused = start(kind, &line).unwrap_err();
            assert!(refused.contains(why), "{kind} {line}: {refused}");
        }
    }
}
