//! What happened that concerns whoever is logged in.

use actix_web::{
    HttpResponse,
    web::{self, Query, ServiceConfig},
};
use askama::Template;
use wayfare_client::Notification;

use crate::{
    BASE,
    day::Moment,
    failure::Failure,
    form::Fields,
    page::{self, Pager, Shell},
    see_other,
    session::Signed,
};

pub fn mount(config: &mut ServiceConfig) {
    config
        .service(web::resource("/notifications").get(show))
        .service(web::resource("/notifications/read-all").post(read_all));
}

#[derive(Template)]
#[template(path = "notifications.html")]
struct NotificationsPage {
    shell: Shell,
    rows: Vec<Row>,
    pager: Pager,
}

struct Row {
    title: String,
    message: String,
    at: Moment,
    is_read: bool,
    booking: Option<String>,
}

impl Row {
    fn of(one: Notification) -> Self {
        let booking = one.data.get("booking_ref").and_then(|value| value.as_str());
        Self {
            booking: booking.map(str::to_owned),
            title: one.title,
            message: one.message,
            at: Moment::of(one.created_at),
            is_read: one.is_read,
        }
    }
}

/// `GET /console/notifications`.
async fn show(signed: Signed, query: Query<Vec<(String, String)>>) -> Result<HttpResponse, Failure> {
    let number = Fields(query.into_inner()).number("page").unwrap_or(1);
    let list = signed.session.notifications().list().per_page(25);
    let (shell, list) =
        futures_util::try_join!(signed.shell("Notifications", "notifications"), list.page(number))?;
    page::html(&NotificationsPage {
        shell,
        pager: Pager::of(&list, &format!("{BASE}/notifications?")),
        rows: list.items.into_iter().map(Row::of).collect(),
    })
}

/// `POST /console/notifications/read-all`.
async fn read_all(signed: Signed) -> Result<HttpResponse, Failure> {
    signed.session.notifications().mark_all_read().await?;
    Ok(see_other(&format!("{BASE}/notifications")))
}
