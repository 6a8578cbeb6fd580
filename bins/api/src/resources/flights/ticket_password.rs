//! The ticket password, which some agencies ask for before anything is bought.

use actix_web::HttpRequest;
use secrecy::SecretString;
use wayfare_operations::{
    Caller,
    agency::settings::{self, BookingSettings, TicketPasswordPassed},
};

use crate::http::{App, extract, rate_limit::Limited, refusal::Refusal};

/// That the password is given where the agency asks for it. It may be guessed at: each try takes from the bucket of secrets.
///
/// # Errors
/// 429 when that is empty; without a password, or with a wrong one.
pub async fn pass(
    app: &App,
    request: &HttpRequest,
    caller: &Caller,
    settings: BookingSettings,
    given: Option<SecretString>,
) -> Result<TicketPasswordPassed, Refusal> {
    if let Some(passed) = settings.without_password() {
        return Ok(passed);
    }
    extract::options(request)?.limits.check(request, Limited::Secret(caller.user())).await?;
    Ok(settings::check_ticket_password(&app.access, caller, given).await?)
}
