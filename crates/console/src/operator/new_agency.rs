//! A new agency with its first user, and a new user of an agency.

use wayfare_client::{
    NewUser,
    enums::{Role, Subscription},
    operator::{FirstAdmin, NewAgency},
};

use super::signed::OperatorSigned;
use crate::{prelude::*, vocabulary::ROLES};

#[derive(Template)]
#[template(path = "operator/new_agency.html")]
struct NewPage {
    shell: Shell,
    /// Of which agency a user is added; none: an agency is added with its first one.
    code: Option<String>,
    fields: Fields,
    wrongs: Wrongs,
}

async fn page_of(
    signed: &OperatorSigned,
    code: Option<String>,
    fields: Fields,
    wrongs: Wrongs,
) -> Result<NewPage> {
    let title = match code {
        Some(_) => "Add a user",
        None => "Add an agency",
    };
    Ok(NewPage { shell: signed.shell(title, Area::Agencies).await?, code, fields, wrongs })
}

/// `GET /operator/agencies/new`.
pub async fn show(signed: OperatorSigned) -> Answer {
    page::html(&page_of(&signed, None, Fields::default(), Wrongs::default()).await?)
}

/// `GET /operator/agencies/{code}/users/new`.
pub async fn show_user(signed: OperatorSigned, code: Path<String>) -> Answer {
    let code = Some(code.into_inner());
    page::html(&page_of(&signed, code, Fields::default(), Wrongs::default()).await?)
}

fn user(fields: &Fields) -> NewUser {
    let [username, email, name] = ["username", "user_email", "user_name"].map(|name| fields.get(name));
    NewUser::of(username, email, name, fields.exact("password").into(), Role::from(fields.get("role")))
}

/// Fields of the user have names of their own here: an agency has a name and an e-mail address, too.
fn of_user(field: &str) -> String {
    match field {
        "name" | "email" => format!("user_{field}"),
        other => other.to_owned(),
    }
}

/// `POST /operator/agencies/new`.
pub async fn add(signed: OperatorSigned, fields: Fields) -> Answer {
    let admin = user(&fields);
    let new = NewAgency {
        name: fields.get("name").to_owned(),
        email: fields.get("email").to_owned(),
        country: fields.get("country").to_ascii_uppercase(),
        subscription_type: Subscription::from(fields.get("subscription_type")),
        currency: fields.get("currency").to_ascii_uppercase(),
        timezone: fields.get("timezone").to_owned(),
        admin: FirstAdmin {
            username: admin.username,
            email: admin.email,
            name: admin.name,
            phone: admin.phone,
            password: admin.password,
        },
    };
    match signed.session.create_agency(&new).await {
        Ok(made) => Ok(see_other(&format!("/operator/agencies/{}?done=created", made.agency.agent_id))),
        Err(error) => {
            let wrongs = Wrongs::refused(error, "")?.renamed(|field| match field.strip_prefix("admin.") {
                Some(name) => of_user(name),
                None => field.to_owned(),
            });
            page::unprocessable(&page_of(&signed, None, fields, wrongs).await?)
        }
    }
}

/// `POST /operator/agencies/{code}/users/new`.
pub async fn add_user(signed: OperatorSigned, code: Path<String>, fields: Fields) -> Answer {
    match signed.session.add_agency_user(&code, &user(&fields)).await {
        Ok(_) => Ok(see_other(&format!("/operator/agencies/{code}?done=user"))),
        Err(error) => {
            let wrongs = Wrongs::refused(error, "")?
                .renamed(|field| of_user(field.strip_prefix("admin.").unwrap_or(field)));
            page::unprocessable(&page_of(&signed, Some(code.into_inner()), fields, wrongs).await?)
        }
    }
}
