//! Who works for the platform, and what they may do. For admins.

use secrecy::ExposeSecret;
use wayfare_client::{
    enums::{OperatorRole, Standing},
    operator::{NewOperator, Operator, OperatorChange, OperatorWithPassword},
};

use super::signed::OperatorSigned;
use crate::prelude::*;

/// Roles as they are stored, with what whoever has one may do.
pub const ROLES: [(&str, &str); 4] = [
    ("viewer", "Viewer: reads all"),
    ("desk", "Desk: rules on incidents and bookings, closes suppliers"),
    ("finance", "Finance: moves money, sets terms, contracts and rates"),
    ("admin", "Admin: all of it, and operators and agencies"),
];

#[derive(Template)]
#[template(path = "operator/people.html")]
struct PeoplePage {
    shell: Shell,
    rows: Vec<Operator>,
    typed: Fields,
    wrongs: Wrongs,
    secret: Option<(String, String)>,
    done: &'static str,
}

fn standing(operator: &Operator) -> Status {
    match operator.status == Standing::Active {
        true => Status::new("ok", "●", "Active"),
        false => Status::new("bad", "✕", "Suspended"),
    }
}

async fn page_of(signed: &OperatorSigned, fields: &Fields) -> Result<PeoplePage> {
    let operators = signed.session.operators();
    let (shell, all) = futures_util::try_join!(signed.shell("Operators", Area::Elsewhere), operators)?;
    let typed = fields.clone();
    Ok(PeoplePage { shell, rows: all, typed, wrongs: Wrongs::default(), secret: None, done: "" })
}

/// `GET /operator/people`.
pub async fn show(signed: OperatorSigned, fields: Fields) -> Answer {
    let done = fields.done(&[("changed", "It is changed. Their sessions have what they may do now.")]);
    page::html(&PeoplePage { done, ..page_of(&signed, &Fields::default()).await? })
}

/// The page with a password that is told once: it is in no address and in no history.
async fn told(signed: &OperatorSigned, with: OperatorWithPassword) -> Answer {
    let secret = Some((with.operator.username, with.password.expose_secret().to_owned()));
    page::html(&PeoplePage { secret, ..page_of(signed, &Fields::default()).await? })
}

async fn again(signed: &OperatorSigned, fields: &Fields, wrongs: Wrongs) -> Answer {
    page::unprocessable(&PeoplePage { wrongs, ..page_of(signed, fields).await? })
}

/// `POST /operator/people`: adds somebody.
pub async fn add(signed: OperatorSigned, fields: Fields) -> Answer {
    let new = NewOperator {
        username: fields.get("username").to_owned(),
        name: fields.get("name").to_owned(),
        role: OperatorRole::from(fields.get("role")),
    };
    match signed.session.add_operator(&new).await {
        Ok(added) => told(&signed, added).await,
        Err(error) => again(&signed, &fields, Wrongs::refused(error, "")?).await,
    }
}

/// `POST /operator/people/{id}`: another role, another standing, or another password.
pub async fn change(signed: OperatorSigned, id: Path<String>, fields: Fields) -> Answer {
    let id = id.parse().map_err(|_| Failure::NoPage)?;
    let change = match fields.get("act") {
        "reset-password" => {
            let with = signed.session.reset_operator_password(id).await?;
            return told(&signed, with).await;
        }
        "role" => OperatorChange::default().role(OperatorRole::from(fields.get("new_role"))),
        "suspend" => OperatorChange::default().status(Standing::Suspended),
        "activate" => OperatorChange::default().status(Standing::Active),
        _ => return Err(Failure::NoPage),
    };
    match signed.session.change_operator(id, &change).await {
        Ok(_) => Ok(see_other("/operator/people?done=changed")),
        Err(error) => again(&signed, &Fields::default(), Wrongs::refused(error, "")?).await,
    }
}
