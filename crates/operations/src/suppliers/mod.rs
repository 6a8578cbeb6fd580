//! The suppliers of this server: who they are, whether they are sold, how they do, and what they answer to questions.

pub mod accounts;
pub(crate) mod answers;
pub mod health;
pub mod look_to_book;
pub(crate) mod read_losses;
pub(crate) mod report;
