//! The agency's users: who they are, and whether they may act.

use uuid::Uuid;
use wayfare_client::{
    Amount, Error, NewUser, User, UserChange, UserFilter, UserRow,
    enums::{Role, Standing},
};

use super::{ROWS, id};
use crate::{
    failure::{Words, is_refusal, words_of},
    prelude::*,
    vocabulary::ROLES,
};

pub const STANDINGS: [(&str, &str); 2] = [("active", "Active"), ("suspended", "Suspended")];
const FILTERS: [&str; 2] = ["role", "status"];

pub fn mount(config: &mut ServiceConfig) {
    config
        .service(web::resource("/agency/users").get(list).post(create))
        .service(web::resource("/agency/users/new").get(new))
        .service(web::resource("/agency/users/{id}").get(show).post(change))
        .service(web::resource("/agency/users/{id}/delete").get(before_delete).post(delete))
        .service(web::resource("/agency/users/{id}/{act:suspend|activate}").post(set));
}

#[derive(Template)]
#[template(path = "agency/users.html")]
struct ListPage {
    shell: Shell,
    typed: Fields,
    is_filtered: bool,
    rows: Vec<UserRow>,
    pager: Pager,
    done: &'static str,
}

pub fn standing(standing: &Standing) -> Status {
    match standing {
        Standing::Active => Status::new("ok", "●", "Active"),
        Standing::Suspended => Status::new("warn", "○", "Suspended"),
        other => Status::new("", "?", other.as_str()),
    }
}

/// `GET /console/agency/users`.
async fn list(signed: Signed, fields: Fields) -> Answer {
    let filter = UserFilter {
        role: fields.one_of("role", &ROLES).map(Role::from),
        status: fields.one_of("status", &STANDINGS).map(Standing::from),
    };
    let users = signed.session.users().list(&filter).per_page(ROWS);
    let number = fields.number("page").unwrap_or(1);
    let (shell, page) = futures_util::try_join!(signed.shell("Users", Area::Users), users.page(number))?;
    page::html(&ListPage {
        shell,
        is_filtered: fields.says_something(&FILTERS),
        pager: Pager::of(&page, &format!("{BASE}/agency/users?{}", fields.query(&FILTERS))),
        rows: page.items,
        done: fields.done(&[("deleted", "The user is deleted.")]),
        typed: fields,
    })
}

#[derive(Template)]
#[template(path = "agency/user_new.html")]
struct NewPage {
    shell: Shell,
    typed: Fields,
    wrongs: Wrongs,
}

async fn new_page(signed: &Signed, typed: Fields, wrongs: Wrongs) -> Result<NewPage> {
    // Whoever may not add a user sees no form.
    let users = signed.session.users().list(&UserFilter::default()).per_page(1);
    let (shell, _) = futures_util::try_join!(signed.shell("Add a user", Area::Users), users.page(1))?;
    Ok(NewPage { shell, typed, wrongs })
}

/// `GET /console/agency/users/new`.
async fn new(signed: Signed) -> Answer {
    page::html(&new_page(&signed, Fields::default(), Wrongs::default()).await?)
}

/// `POST /console/agency/users`, under the form's key, so that a form that comes twice adds one user.
async fn create(signed: Signed, fields: Fields) -> Answer {
    let session = signed.session.keyed(fields.key()?);
    let [username, email, name, phone] = ["username", "email", "name", "phone"].map(|name| fields.get(name));
    let (password, role) = (fields.exact("password").into(), Role::from(fields.get("role")));
    let user = NewUser::of(username, email, name, password, role).phone(phone);
    let error = match session.users().create(&user).await {
        Ok(made) => {
            return Ok(see_other(&format!("{BASE}/agency/users/{}?done=added", made.answer.id)));
        }
        Err(error) => error,
    };
    // "email is already taken" is about the e-mail address.
    let is_about_email =
        matches!(&error, Error::Refused { text, status: 409, .. } if text.starts_with("email"));
    let field = if is_about_email { "email" } else { "username" };
    let wrongs = Wrongs::refused(error, field)?;
    page::unprocessable(&new_page(&signed, fields, wrongs).await?)
}

#[derive(Template)]
#[template(path = "agency/user.html")]
struct UserPage {
    shell: Shell,
    user: User,
    typed: Fields,
    balance: Option<String>,
    wrongs: Wrongs,
    refused: Option<Words>,
    done: &'static str,
}

async fn user_page(signed: &Signed, id: Uuid) -> Result<UserPage> {
    let (users, wallet) = (signed.session.users(), signed.session.organization_wallet());
    let (shell, user, agents, own) = futures_util::try_join!(
        signed.shell("User", Area::Users),
        users.read(id),
        wallet.agents(),
        wallet.read()
    )?;
    let agent = agents.iter().find(|agent| agent.agent_id == id);
    Ok(UserPage {
        shell,
        typed: Fields::of([("name", &user.name), ("phone", &user.phone)]),
        balance: agent.map(|agent| money(agent.allocated_balance, &own.currency)),
        user,
        wrongs: Wrongs::default(),
        refused: None,
        done: "",
    })
}

/// `GET /console/agency/users/{id}`.
async fn show(signed: Signed, user: Path<String>, fields: Fields) -> Answer {
    let done = fields.done(&[
        ("added", "The user is added and may log in."),
        ("saved", "The user is saved."),
        ("suspended", "The user is suspended: logged out, and may not log in."),
        ("activated", "The user may log in again."),
    ]);
    page::html(&UserPage { done, ..user_page(&signed, id(&user)?).await? })
}

/// `POST /console/agency/users/{id}`.
async fn change(signed: Signed, user: Path<String>, fields: Fields) -> Answer {
    let id = id(&user)?;
    let change = UserChange::default().name(fields.get("name")).phone(fields.get("phone"));
    let Err(error) = signed.session.users().change(id, &change).await else {
        return Ok(see_other(&format!("{BASE}/agency/users/{id}?done=saved")));
    };
    let wrongs = Wrongs::refused(error, "name")?;
    page::unprocessable(&UserPage { typed: fields, wrongs, ..user_page(&signed, id).await? })
}

/// `POST /console/agency/users/{id}/suspend` and `…/activate`: doing it twice changes nothing.
async fn set(signed: Signed, path: Path<(String, String)>) -> Answer {
    let (id, users) = (id(&path.0)?, signed.session.users());
    let (outcome, done) = match path.1.as_str() {
        "suspend" => (users.suspend(id).await, "suspended"),
        _ => (users.activate(id).await, "activated"),
    };
    match outcome {
        Ok(()) => Ok(see_other(&format!("{BASE}/agency/users/{id}?done={done}"))),
        Err(error) if is_refusal(&error) => {
            let refused = Some(words_of(&error));
            let shown = UserPage { refused, ..user_page(&signed, id).await? };
            page::html_with(StatusCode::CONFLICT, &shown)
        }
        Err(error) => Err(error.into()),
    }
}

#[derive(Template)]
#[template(path = "agency/user_delete.html")]
struct DeletePage {
    shell: Shell,
    user: User,
    /// What is in their wallet; none of whoever has no wallet, or nothing in it.
    back: Option<String>,
    is_debt: bool,
    refused: Option<Words>,
}

async fn delete_page(signed: &Signed, id: Uuid, refused: Option<Words>) -> Result<DeletePage> {
    let (users, wallet) = (signed.session.users(), signed.session.organization_wallet());
    let (shell, user, agents, own) = futures_util::try_join!(
        signed.shell("Delete a user", Area::Users),
        users.read(id),
        wallet.agents(),
        wallet.read()
    )?;
    let agent = agents.iter().find(|agent| agent.agent_id == id);
    let left = agent.map(|agent| agent.allocated_balance.0).unwrap_or_default();
    Ok(DeletePage {
        shell,
        user,
        back: (!left.is_zero()).then(|| money(Amount(left.abs()), &own.currency)),
        is_debt: left.is_sign_negative(),
        refused,
    })
}

/// `GET /console/agency/users/{id}/delete`: nobody is deleted by looking at it.
async fn before_delete(signed: Signed, user: Path<String>) -> Answer {
    page::html(&delete_page(&signed, id(&user)?, None).await?)
}

/// `POST /console/agency/users/{id}/delete`. Who is gone already, is: the form came twice.
async fn delete(signed: Signed, user: Path<String>) -> Answer {
    let id = id(&user)?;
    match signed.session.users().delete(id).await {
        Ok(()) => Ok(see_other(&format!("{BASE}/agency/users?done=deleted"))),
        Err(error) if error.is_not_found() => Ok(see_other(&format!("{BASE}/agency/users"))),
        Err(error) if is_refusal(&error) => {
            let shown = delete_page(&signed, id, Some(words_of(&error))).await?;
            page::html_with(StatusCode::CONFLICT, &shown)
        }
        Err(error) => Err(error.into()),
    }
}
