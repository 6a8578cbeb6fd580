//! Log-in, sessions and access tokens.

mod access_tokens;
mod browser_sessions;
mod keyboards;
mod login;
mod login_flood;
mod sessions;
