//! Operators, for those who look after them.

use actix_web::web::Path;
use wayfare_contract::operator::{self as contract, Operator, OperatorWithPassword};
use wayfare_domain::{AccountStatus, OperatorRole};
use wayfare_operations::access::operators::{
    ConfirmedAdmin, OperatorAdmin, OperatorProof,
    accounts::{self, LONGEST_NAME, LONGEST_USERNAME, NewOperator, OperatorChange},
};

use crate::{
    http::{
        App,
        extract::{Ask, Body, Nothing},
        json_body::{FromJson, JsonObject},
        reply::{DataReply, data},
    },
    resources::common::record_id,
};

/// `GET /operators`.
pub async fn list(app: App, _: Ask<OperatorAdmin, Nothing>) -> DataReply<Vec<Operator>> {
    data(accounts::list(&app.core).await?)
}

/// `POST /operators`.
pub async fn add(
    app: App,
    ask: Ask<ConfirmedAdmin, Body<NewOperator>>,
) -> DataReply<OperatorWithPassword, 201> {
    let Body(new) = ask.what;
    let (operator, password) = accounts::add(&app.access, ask.who.by(), new).await?;
    data(OperatorWithPassword { operator: accounts::shown(operator), password })
}

/// `PUT /operators/{id}`.
pub async fn change(
    app: App,
    ask: Ask<ConfirmedAdmin, Body<OperatorChange>>,
    id: Path<String>,
) -> DataReply<Operator> {
    let Body(change) = ask.what;
    let changed = accounts::change(&app.core, ask.who.by(), record_id(&id)?, change).await?;
    data(accounts::shown(changed))
}

/// `POST /operators/{id}/reset-password`.
pub async fn reset_password(
    app: App,
    ask: Ask<ConfirmedAdmin, Nothing>,
    id: Path<String>,
) -> DataReply<OperatorWithPassword> {
    let (operator, password) = accounts::reset_password(&app.access, ask.who.by(), record_id(&id)?).await?;
    data(OperatorWithPassword { operator: accounts::shown(operator), password })
}

impl FromJson for NewOperator {
    const NAME: &str = "AddOperatorRequest";
    type Declared = contract::NewOperator;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let username = body.text("username", LONGEST_USERNAME);
        let name = body.label("name", LONGEST_NAME);
        let role = body.word::<OperatorRole>("role");
        Some(Self { username: username?, name: name?, role: role? })
    }
}

impl FromJson for OperatorChange {
    const NAME: &str = "ChangeOperatorRequest";
    type Declared = contract::OperatorChange;

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
}
