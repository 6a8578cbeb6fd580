//! The suppliers' simulator, from which benchmarks record what their stub suppliers say.

use wayfare_sandbox::{Running, Sandbox, Settings};

use crate::Result;

/// A sandbox of this seed on a port of its own.
pub(crate) async fn start(seed: u64) -> Result<Running> {
    Ok(Sandbox::start(Settings::of_seed(seed)).await?)
}
