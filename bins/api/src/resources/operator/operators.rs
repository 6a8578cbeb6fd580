//! Operators, for those who look after them.

use actix_web::web::Path;
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use serde_json::json;
use wayfare_domain::{AccountStatus, OperatorId, OperatorRole};
use wayfare_operations::access::operators::{
    ConfirmedAdmin, Operator, OperatorAdmin, OperatorProof,
    accounts::{self, LONGEST_NAME, LONGEST_USERNAME, NewOperator, OperatorChange},
};

use crate::{
    http::{
        App,
        extract::{Ask, Body, Nothing},
        json_body::{Example, FromJson, JsonObject},
        reply::{Data, Replied, data},
    },
    resources::common::record_id,
};

/// `GET /operators`.
pub async fn list(app: App, _: Ask<OperatorAdmin, Nothing>) -> Replied<Data<Vec<OperatorView>>> {
    let all = accounts::list(&app).await?;
    data(all.into_iter().map(OperatorView::from).collect::<Vec<_>>())
}

/// `POST /operators`.
pub async fn add(
    app: App,
    ask: Ask<ConfirmedAdmin, Body<NewOperator>>,
) -> Replied<Data<OperatorWithPassword, 201>> {
    let Body(new) = ask.what;
    data(OperatorWithPassword::from(accounts::add(&app, ask.who.by(), new).await?))
}

/// `PUT /operators/{id}`.
pub async fn change(
    app: App,
    ask: Ask<ConfirmedAdmin, Body<OperatorChange>>,
    id: Path<String>,
) -> Replied<Data<OperatorView>> {
    let Body(change) = ask.what;
    let changed = accounts::change(&app, ask.who.by(), record_id(&id)?, change).await?;
    data(OperatorView::from(changed))
}

/// `POST /operators/{id}/reset-password`.
pub async fn reset_password(
    app: App,
    ask: Ask<ConfirmedAdmin, Nothing>,
    id: Path<String>,
) -> Replied<Data<OperatorWithPassword>> {
    let reset = accounts::reset_password(&app, ask.who.by(), record_id(&id)?).await?;
    data(OperatorWithPassword::from(reset))
}

impl FromJson for NewOperator {
    const NAME: &str = "AddOperatorRequest";

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let username = body.text("username", LONGEST_USERNAME);
        let name = body.label("name", LONGEST_NAME);
        let role = body.word::<OperatorRole>("role");
        Some(Self { username: username?, name: name?, role: role? })
    }

    fn examples() -> Vec<Example> {
        let body = json!({ "username": "meera", "name": "Meera Iyer", "role": "desk" });
        vec![("operator", body)]
    }
}

impl FromJson for OperatorChange {
    const NAME: &str = "ChangeOperatorRequest";

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let role = match body.has("role") {
            true => body.word::<OperatorRole>("role"),
            false => None,
        };
        let status = match body.has("status") {
            true => body.word::<AccountStatus>("status"),
            false => None,
        };
        Some(Self { role, status })
    }

    fn examples() -> Vec<Example> {
        vec![("role", json!({ "role": "finance" })), ("standing", json!({ "status": "suspended" }))]
    }
}

/// An operator.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Operator")]
pub struct OperatorView {
    id: OperatorId,
    username: String,
    name: String,
    role: OperatorRole,
    status: AccountStatus,
    created_at: DateTime<Utc>,
    last_login_at: Option<DateTime<Utc>>,
}

impl From<Operator> for OperatorView {
    fn from(operator: Operator) -> Self {
        Self {
            id: operator.id,
            username: operator.username,
            name: operator.name,
            role: operator.role,
            status: operator.status,
            created_at: operator.created_at,
            last_login_at: operator.last_login_at,
        }
    }
}

/// An operator with the password that is told once.
#[derive(Serialize, JsonSchema)]
pub struct OperatorWithPassword {
    #[serde(flatten)]
    operator: OperatorView,
    /// Told once: nobody can read it afterwards.
    password: String,
}

impl From<(Operator, SecretString)> for OperatorWithPassword {
    fn from((operator, password): (Operator, SecretString)) -> Self {
        Self { operator: operator.into(), password: password.expose_secret().to_owned() }
    }
}
