//! What happened that concerns whoever is logged in.

use wayfare_client::Notification;

use crate::prelude::*;

pub fn mount(config: &mut ServiceConfig) {
    config
        .service(web::resource("/notifications").get(show))
        .service(web::resource("/notifications/read-all").post(read_all));
}

#[derive(Template)]
#[template(path = "notifications.html")]
struct NotificationsPage {
    shell: Shell,
    rows: Vec<Notification>,
    pager: Pager,
}

/// The booking that it is about.
fn booking(one: &Notification) -> Option<&str> {
    one.data.get("booking_ref")?.as_str()
}

/// `GET /console/notifications`.
async fn show(signed: Signed, fields: Fields) -> Answer {
    let number = fields.number("page").unwrap_or(1);
    let list = signed.session.notifications().list().per_page(25);
    let (shell, list) =
        futures_util::try_join!(signed.shell("Notifications", Area::Elsewhere), list.page(number))?;
    page::html(&NotificationsPage {
        shell,
        pager: Pager::of(&list, &format!("{BASE}/notifications?")),
        rows: list.items,
    })
}

/// `POST /console/notifications/read-all`.
async fn read_all(signed: Signed) -> Answer {
    signed.session.notifications().mark_all_read().await?;
    Ok(see_other(&format!("{BASE}/notifications")))
}
