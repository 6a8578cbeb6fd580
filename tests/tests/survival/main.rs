//! Whatever is killed, and whatever the supplier does: no booking is lost, nothing is charged twice, nobody is told
//! what is not so. Real processes, ended by SIGKILL.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may panic, and so may its helpers"
)]

mod answers;
mod crowd;
mod doomed;
mod faults;
mod operator;
mod place;
mod planted;
mod play;
mod reports;
mod stays;
mod table;
mod users;
mod webhooks;
