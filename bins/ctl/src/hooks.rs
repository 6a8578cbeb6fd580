//! `wayfarectl suppliers hooks`: where a supplier posts that something has happened to an order, set up where it has calls for it.

use clap::Args;
use secrecy::ExposeSecret;
use serde::Serialize;
use wayfare_launch::{SupplierHooks, SupplierSettings};

use crate::{
    output::{Done, Failure, Output, Report},
    suppliers::{self, KnownSuppliers},
};

/// What is asked for.
#[derive(Args)]
pub struct HookRequest {
    /// The supplier, by its code
    #[arg(value_parser = suppliers::code)]
    supplier: String,
    /// Where suppliers reach the server, without a path
    #[arg(long, value_name = "URL")]
    url: String,
    /// Takes the place of a webhook with another address: there is one for each mode of an account
    #[arg(long)]
    replace: bool,
}

#[derive(Serialize)]
struct HooksView {
    supplier: String,
    /// Where it posts.
    address: String,
    /// What was done.
    state: &'static str,
    /// What signs, where it was just made: nobody is told it again.
    secret: Option<String>,
    /// What is to be done now.
    next: Option<String>,
}

impl Report for HooksView {
    const NAMES: &str = "supplier address state secret next";
}

impl HookRequest {
    /// Does it.
    pub async fn run(
        self,
        suppliers: &KnownSuppliers,
        settings: Vec<SupplierSettings>,
        output: Output,
    ) -> Done {
        suppliers.check("<SUPPLIER>", [&self.supplier])?;
        let base = self.url.trim_end_matches('/');
        if !base.starts_with("https://") && !base.starts_with("http://127.0.0.1:") {
            return Err(Failure::Usage(format!(
                "--url: {base} must begin with https://, as suppliers demand"
            )));
        }
        let mut settings = settings.into_iter();
        let settings = settings.find(|settings| settings.config.code == self.supplier);
        let settings = settings.ok_or_else(|| {
            let supplier = &self.supplier;
            Failure::Failed(format!("{supplier} is played by the sandbox: nothing is set up with it"))
        })?;
        let failed = |reason: String| Failure::Failed(format!("{}: {reason}", self.supplier));
        let hooks = SupplierHooks::of(settings).map_err(failed)?;
        let address = format!("{base}{}", hooks.path);
        let (state, secret, next) = match &hooks.registry {
            Some(_) => self.set_up(&hooks, &address).await.map_err(failed)?,
            None => {
                let next =
                    "agree on this address with the supplier's people; whoever knows it can ring".to_owned();
                ("the server takes what is posted there", None, Some(next))
            }
        };
        output.print(&HooksView { supplier: self.supplier, address, state, secret, next })
    }

    async fn set_up(
        &self,
        hooks: &SupplierHooks,
        address: &str,
    ) -> Result<(&'static str, Option<String>, Option<String>), String> {
        let calls = hooks.registry.as_ref().ok_or("it has no calls for that")?;
        let present = calls.addresses().await?;
        if let Some(ours) = present.iter().find(|present| present.url == address) {
            if !hooks.is_taken {
                return Err(
                    "its webhook has this address, and the settings have no `webhook_secret_env`: where the secret is lost, \
                     remove the webhook on the supplier's dashboard and run this again"
                        .to_owned(),
                );
            }
            calls.ping(&ours.id).await?;
            return Ok(("the webhook is there, and a ping was taken", None, None));
        }
        let foreign: Vec<&str> = present.iter().map(|present| present.url.as_str()).collect();
        if !foreign.is_empty() && !self.replace {
            return Err(format!(
                "its webhook has another address: {}; with --replace this one takes its place",
                foreign.join(", ")
            ));
        }
        for other in &present {
            calls.remove(&other.id).await?;
        }
        let secret = calls.add(address).await?.expose_secret().to_owned();
        let next = "put the secret into the variable that `webhook_secret_env` names, restart the servers, and run this again: \
                    it pings";
        Ok(("the webhook was made", Some(secret), Some(next.to_owned())))
    }
}
