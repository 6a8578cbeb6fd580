//! The users of an agency.

use actix_web::web::Path;
use wayfare_domain::{Faults, Role, Standing, UserId};
use wayfare_operations::{
    PortalAdmin,
    idempotency::IdempotencyKey,
    users::{self, Changes, UserFilter},
};

use super::{App, user_id};
use crate::{
    bodies,
    extract::{Ask, Body, Keyed, Nothing, QueryPairs},
    once::once,
    reply::{Replied, data, done, list as page_of},
    views::identity::{User, UserRow},
};

/// `GET /org/users`.
///
/// # Errors
/// As the error table says.
pub async fn list(app: App, ask: Ask<PortalAdmin, QueryPairs>) -> Replied {
    let mut faults = Faults::default();
    let page = ask.what.page(&mut faults);
    let filter = UserFilter {
        role: ask.what.word::<Role>("role", &mut faults),
        standing: ask.what.word::<Standing>("status", &mut faults),
    };
    let page = faults.or(page)?;
    page_of(
        users::list(&app, ask.who.admin(), filter, page).await?,
        UserRow::from,
    )
}

/// `POST /org/users`.
///
/// # Errors
/// As the error table says.
pub async fn create(app: App, ask: Ask<PortalAdmin, Keyed<Body<bodies::NewUser>>>) -> Replied {
    let (Body(bodies::NewUser(new)), key) = (ask.what.body, ask.what.key);
    let admin = ask.who.admin();
    let first =
        async |key: Option<&IdempotencyKey>| data(User::from(users::create(&app, admin, new, key).await?));
    let look = async |id: UserId| data(User::from(users::get(&app, admin, id).await?));
    once(&app, admin.caller(), key, first, look).await
}

/// `GET /org/users/{id}`.
///
/// # Errors
/// As the error table says.
pub async fn get(app: App, ask: Ask<PortalAdmin, Nothing>, id: Path<String>) -> Replied {
    data(User::from(
        users::get(&app, ask.who.admin(), user_id(&id)?).await?,
    ))
}

/// `PUT /org/users/{id}`.
///
/// # Errors
/// As the error table says.
pub async fn change(app: App, ask: Ask<PortalAdmin, Body<bodies::UserChanges>>, id: Path<String>) -> Replied {
    let Body(bodies::UserChanges(changes)) = ask.what;
    data(User::from(
        users::change(&app, ask.who.admin(), user_id(&id)?, changes).await?,
    ))
}

/// `DELETE /org/users/{id}`.
///
/// # Errors
/// As the error table says.
pub async fn delete(app: App, ask: Ask<PortalAdmin, Nothing>, id: Path<String>) -> Replied {
    users::delete(&app, ask.who.admin(), user_id(&id)?).await?;
    done("user deleted")
}

/// `PUT /org/users/{id}/suspend`.
///
/// # Errors
/// As the error table says.
pub async fn suspend(app: App, ask: Ask<PortalAdmin, Nothing>, id: Path<String>) -> Replied {
    let changes = Changes {
        standing: Some(Standing::Suspended),
        ..Changes::default()
    };
    users::change(&app, ask.who.admin(), user_id(&id)?, changes).await?;
    done("user suspended")
}

/// `PUT /org/users/{id}/activate`.
///
/// # Errors
/// As the error table says.
pub async fn activate(app: App, ask: Ask<PortalAdmin, Nothing>, id: Path<String>) -> Replied {
    let changes = Changes {
        standing: Some(Standing::Active),
        ..Changes::default()
    };
    users::change(&app, ask.who.admin(), user_id(&id)?, changes).await?;
    done("user activated")
}
