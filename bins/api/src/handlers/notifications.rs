//! What the caller is told.

use actix_web::web::Path;
use wayfare_domain::PageRequest;
use wayfare_operations::{Caller, events::notifications};

use super::{App, event_id};
use crate::{
    extract::{Ask, Nothing, Query},
    reply::{Data, Done, Listed, Replied, data, done, list as listed},
    views::notifications::{Notification, Unread},
};

/// `GET /notifications`.
///
/// # Errors
/// As the error table says.
pub async fn list(app: App, ask: Ask<Caller, Query<PageRequest>>) -> Replied<Listed<Notification>> {
    let Query(page) = ask.what;
    listed(
        notifications::list(&app, &ask.who, page).await?,
        Notification::from,
    )
}

/// `GET /notifications/unread-count`.
///
/// # Errors
/// As the error table says.
pub async fn unread_count(app: App, ask: Ask<Caller, Nothing>) -> Replied<Data<Unread>> {
    data(Unread {
        unread: notifications::unread(&app, &ask.who).await?,
    })
}

/// `PUT /notifications/{id}/read`.
///
/// # Errors
/// As the error table says.
pub async fn read(app: App, ask: Ask<Caller, Nothing>, id: Path<String>) -> Replied<Done> {
    notifications::read(&app, &ask.who, event_id(&id)?).await?;
    done("notification marked as read")
}

/// `PUT /notifications/read-all`.
///
/// # Errors
/// As the error table says.
pub async fn read_all(app: App, ask: Ask<Caller, Nothing>) -> Replied<Done> {
    notifications::read_all(&app, &ask.who).await?;
    done("all notifications marked as read")
}
