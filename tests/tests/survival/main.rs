//! Whatever is killed, and whatever the supplier does: no booking is lost, nothing is charged twice, nobody is told
//! what is not so. Real processes, ended by SIGKILL.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may panic, and so may its helpers"
)]

// Tests start in the order of their names; the first ones take longest.
mod a_simulated_year;
mod answers;
mod bugs;
mod crash_table;
mod crash_target;
mod crowd;
mod faults;
mod fixture;
mod holds;
mod journey_changes;
mod lanes;
mod leases;
mod operator;
mod people;
mod play;
mod reports;
mod rulings;
mod stays;
mod supplier_cancels;
mod supplier_hooks;
mod users;
mod webhooks;
