//! Ways to debit a wallet, each with all rows of a posted transfer: the transfer with its unique key, an entry for each
//! leg, the wallet's numbered and hashed, and the wallet's balance.
#![allow(
    clippy::disallowed_methods,
    reason = "the baselines know nothing of the service, its clock and its ids"
)]

mod baseline;
mod books;
mod ours;

pub use baseline::Baseline;
pub use books::Books;
pub use ours::Ours;

use crate::Result;

/// So many wallets are there; the first is the hot one.
pub const WALLETS: usize = 10_000;
/// So many connections has the pool of each way.
pub const CONNECTIONS: usize = 16;

/// A way to take one rupee out of a wallet.
pub trait Debit {
    /// Takes it out of the wallet of this number.
    #[allow(async_fn_in_trait, reason = "the callers of a benchmark stay on one thread")]
    async fn debit(&self, wallet: usize) -> Result<()>;
}
