//! The own profile, password and figures.

use actix_web::{HttpRequest, web::Path};
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use uuid::Uuid;
use wayfare_contract::{ChangePassword, OwnProfile};
use wayfare_domain::Amount;
use wayfare_operations::{
    Caller,
    access::{own_profile, sessions, users},
};

use super::{common::record_id, users::bodies::OwnChangesBody};
use crate::http::{
    App,
    extract::{self, Ask, Body, Nothing},
    json_body::{Declaration, Example, FromJson, JsonObject},
    rate_limit::Limited,
    reply::{Data, Message, Replied, data, message},
};

/// `GET /me`.
pub async fn own(ask: Ask<Caller, Nothing>) -> Replied<Data<OwnProfile>> {
    data(users::own_profile(ask.who.account().clone()))
}

/// `PUT /me`.
pub async fn change_profile(app: App, ask: Ask<Caller, Body<OwnChangesBody>>) -> Replied<Data<OwnProfile>> {
    let Body(OwnChangesBody(changes)) = ask.what;
    let account = own_profile::change(&app.core, &ask.who, changes).await?;
    data(users::own_profile(account))
}

/// `PUT /me/password`.
pub async fn change_password(
    app: App,
    request: HttpRequest,
    ask: Ask<Caller, Body<ChangePassword>>,
) -> Replied<Message> {
    let (caller, Body(ChangePassword { current_password, new_password })) = (ask.who, ask.what);
    let limits = &extract::options(&request)?.limits;
    limits.check(&request, Limited::Secret(caller.user())).await?;
    own_profile::change_password(&app.access, &caller, current_password, new_password).await?;
    message("password changed successfully")
}

/// `GET /me/stats`.
pub async fn stats(app: App, ask: Ask<Caller, Nothing>) -> Replied<Data<Stats>> {
    data(Stats::from(own_profile::stats(&app.core, &ask.who).await?))
}

/// `GET /me/sessions`.
pub async fn sessions(app: App, ask: Ask<Caller, Nothing>) -> Replied<Data<Vec<OwnSession>>> {
    let own = sessions::list(&app.core, &ask.who).await?;
    let current = ask.who.session().uuid();
    let view = |session| OwnSession::of(session, current);
    data(own.into_iter().map(view).collect::<Vec<_>>())
}

/// `DELETE /me/sessions/{id}`.
pub async fn end_session(app: App, ask: Ask<Caller, Nothing>, id: Path<String>) -> Replied<Message> {
    sessions::end(&app.core, &ask.who, record_id(&id)?).await?;
    message("session ended")
}

impl FromJson for ChangePassword {
    const NAME: &str = "ChangePasswordRequest";

    fn declaration() -> Option<Declaration> {
        Declaration::of::<Self>()
    }

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let current = body.secret("current_password");
        let new = body.secret("new_password");
        Some(Self { current_password: current?.into(), new_password: new?.into() })
    }

    fn examples() -> Vec<Example> {
        let body =
            json!({ "current_password": "correct horse battery", "new_password": "staple of another horse" });
        vec![("passwords", body)]
    }
}

/// A user's own figures, in the currency of their wallet.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OwnStats")]
pub struct Stats {
    total_bookings: i64,
    confirmed_bookings: i64,
    cancelled_bookings: i64,
    total_spent: Amount,
    total_ancillaries: Amount,
    total_commissions: Amount,
    wallet_balance: Amount,
}

impl From<own_profile::Stats> for Stats {
    fn from(stats: own_profile::Stats) -> Self {
        let own_profile::Stats { activity, wallet_balance } = stats;
        Self {
            total_bookings: activity.bookings,
            confirmed_bookings: activity.confirmed,
            cancelled_bookings: activity.cancelled,
            total_spent: activity.spent.number(),
            total_ancillaries: activity.ancillaries.number(),
            total_commissions: activity.commissions.number(),
            wallet_balance: wallet_balance.number(),
        }
    }
}

/// One of the caller's sessions.
#[derive(Serialize, JsonSchema)]
pub struct OwnSession {
    id: Uuid,
    created_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    idle_until: Option<DateTime<Utc>>,
    user_agent: String,
    ip_address: String,
    is_current: bool,
}

impl OwnSession {
    fn of(session: sessions::OwnSession, current: Uuid) -> Self {
        Self {
            is_current: session.id == current,
            id: session.id,
            created_at: session.created_at,
            ends_at: session.expires_at,
            idle_until: session.idle_until,
            user_agent: session.user_agent.unwrap_or_default(),
            ip_address: session.address.unwrap_or_default(),
        }
    }
}
