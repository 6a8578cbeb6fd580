//! The suppliers' simulator, from which benchmarks record what their stub suppliers say.

use std::net::Ipv4Addr;

use wayfare_sandbox::{Running, Sandbox, Settings};

use crate::Result;

/// A sandbox of this seed on a port of its own.
pub(crate) async fn start(seed: u64) -> Result<Running> {
    let settings =
        Settings { bind: (Ipv4Addr::LOCALHOST, 0).into(), data_dir: None, seed, currency: "INR".to_owned() };
    Ok(Sandbox::start(settings).await?)
}
