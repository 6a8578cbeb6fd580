//! Notifications of whoever is signed in.

use actix_web::web::Path;
use wayfare_contract::{Notification, Unread};
use wayfare_domain::ListRequest;
use wayfare_operations::{Person, events::notifications};

use super::common::record_id;
use crate::http::{
    App,
    extract::{Ask, Nothing, Query},
    reply::{DataReply, Message, Paged, Replied, data, message, paged},
};

/// `GET /notifications`.
pub async fn list(app: App, ask: Ask<Person, Query<ListRequest>>) -> Replied<Paged<Notification>> {
    let Query(page) = ask.what;
    paged(notifications::list(&app.core, &ask.who, page).await?.map(notification))
}

/// `GET /notifications/unread-count`.
pub async fn unread_count(app: App, ask: Ask<Person, Nothing>) -> DataReply<Unread> {
    data(Unread { unread: notifications::unread(&app.core, &ask.who).await? })
}

/// `PUT /notifications/{id}/read`.
pub async fn read(app: App, ask: Ask<Person, Nothing>, id: Path<String>) -> Replied<Message> {
    notifications::read(&app.core, &ask.who, record_id(&id)?).await?;
    message("notification marked as read")
}

/// `PUT /notifications/read-all`.
pub async fn read_all(app: App, ask: Ask<Person, Nothing>) -> Replied<Message> {
    notifications::read_all(&app.core, &ask.who).await?;
    message("all notifications marked as read")
}

fn notification(told: notifications::Notification) -> Notification {
    Notification {
        id: told.id.uuid(),
        kind: told.kind,
        title: told.title,
        message: told.message,
        data: told.data,
        is_read: told.read_at.is_some(),
        read_at: told.read_at,
        created_at: told.created_at,
    }
}
