//! Log-in, sessions and access tokens.

mod access_tokens;
mod browser_sessions;
mod login;
mod login_flood;
mod sessions;
