//! Webhooks: where events are sent to, their secret, and how their deliveries went.

use actix_web::{
    http::StatusCode,
    web::{self, Path, ServiceConfig},
};
use askama::Template;
use secrecy::ExposeSecret;
use uuid::Uuid;
use wayfare_client::{
    Error,
    enums::DeliveryStatus,
    webhooks::{Delivery, EVENT_TYPES, Webhook, WebhookDraft, WebhookWithSecret},
};

use super::{ROWS, id, new_key, refused};
use crate::{
    BASE,
    day::Moment,
    failure::{Failure, Words, words_of},
    filters,
    form::{Fields, Wrongs},
    page::{self, Answer, Pager, Shell, Status, Tabs},
    see_other,
    session::Signed,
    side::Area,
};

/// Which deliveries, with the name of their tab.
const TABS: [(&str, &str); 4] =
    [("", "All"), ("pending", "Under way"), ("delivered", "Delivered"), ("failed", "Given up")];

pub fn mount(config: &mut ServiceConfig) {
    let at = |rest: &str| web::resource(format!("/agency/webhooks{rest}"));
    config
        .service(at("").get(list).post(create))
        .service(at("/new").get(new))
        .service(at("/{id}").get(show).post(change))
        .service(at("/{id}/delete").post(delete))
        .service(at("/{id}/test").post(test))
        .service(at("/{id}/rotate").post(rotate))
        .service(at("/{id}/deliveries/{delivery}").post(redeliver));
}

#[derive(Template)]
#[template(path = "agency/webhooks.html")]
struct ListPage {
    shell: Shell,
    rows: Vec<Webhook>,
    done: &'static str,
}

/// Which events it gets.
fn events(webhook: &Webhook) -> String {
    match webhook.event_types.len() {
        0 => "All".to_owned(),
        count => format!("{count} of {}", EVENT_TYPES.len()),
    }
}

fn standing(webhook: &Webhook) -> Status {
    match (webhook.is_active, &webhook.disabled_reason) {
        (true, _) => Status::new("ok", "●", "On"),
        (false, None) => Status::new("", "○", "Off"),
        (false, Some(_)) => Status::new("bad", "!", "Switched off by the service"),
    }
}

/// `GET /console/agency/webhooks`.
async fn list(signed: Signed, fields: Fields) -> Answer {
    let webhooks = signed.session.webhooks();
    let (shell, all) = futures_util::try_join!(signed.shell("Webhooks", Area::Webhooks), webhooks.list())?;
    page::html(&ListPage {
        shell,
        rows: all,
        done: match fields.get("done") {
            "deleted" => "The webhook is deleted.",
            _ => "",
        },
    })
}

/// What a webhook is to be, as it was typed.
struct WebhookForm {
    url: String,
    description: String,
    is_active: bool,
    events: Vec<EventBox>,
}

struct EventBox {
    name: &'static str,
    is_chosen: bool,
}

impl WebhookForm {
    fn of(url: &str, description: &str, is_active: bool, chosen: impl Fn(&str) -> bool) -> Self {
        let event = |name: &&'static str| EventBox { name, is_chosen: chosen(name) };
        Self {
            url: url.to_owned(),
            description: description.to_owned(),
            is_active,
            events: EVENT_TYPES.iter().map(event).collect(),
        }
    }

    fn typed(fields: &Fields) -> Self {
        let chosen = |name: &str| fields.all("event_types").any(|one| one == name);
        Self::of(fields.get("url"), fields.get("description"), fields.is_ticked("is_active"), chosen)
    }

    fn draft(&self) -> WebhookDraft {
        let chosen = self.events.iter().filter(|event| event.is_chosen);
        WebhookDraft {
            description: self.description.clone(),
            event_types: chosen.map(|event| event.name.to_owned()).collect(),
            is_active: Some(self.is_active),
            ..WebhookDraft::of(&self.url)
        }
    }
}

#[derive(Template)]
#[template(path = "agency/webhook_new.html")]
struct NewPage {
    shell: Shell,
    form: WebhookForm,
    key: String,
    wrongs: Wrongs,
}

async fn new_page(signed: &Signed, form: WebhookForm, wrongs: Wrongs) -> Result<NewPage, Failure> {
    // Whoever may not make a webhook sees no form.
    let webhooks = signed.session.webhooks();
    let (shell, _) = futures_util::try_join!(signed.shell("A new webhook", Area::Webhooks), webhooks.list())?;
    Ok(NewPage { shell, form, key: new_key(), wrongs })
}

/// `GET /console/agency/webhooks/new`.
async fn new(signed: Signed) -> Answer {
    let form = WebhookForm::of("", "", true, |_| false);
    page::html(&new_page(&signed, form, Wrongs::default()).await?)
}

#[derive(Template)]
#[template(path = "agency/webhook_secret.html")]
struct SecretPage {
    shell: Shell,
    id: Uuid,
    url: String,
    secret: String,
    before: Option<Moment>,
}

/// The secret, this once: the answer to the form itself, so that it stands under no address.
async fn secret_page(signed: &Signed, made: &WebhookWithSecret) -> Answer {
    page::html(&SecretPage {
        shell: signed.shell("The secret", Area::Webhooks).await?,
        id: made.webhook.id,
        url: made.webhook.url.clone(),
        secret: made.secret.expose_secret().to_owned(),
        before: made.previous_secret_until.map(Moment::of),
    })
}

/// `POST /console/agency/webhooks`, under the form's key, so that a form that comes twice makes one and tells its secret
/// again.
async fn create(signed: Signed, fields: Fields) -> Answer {
    let session = signed.session.keyed(fields.key()?);
    let form = WebhookForm::typed(&fields);
    let error = match session.webhooks().create(&form.draft()).await {
        Ok(made) => return secret_page(&signed, &made.answer).await,
        Err(error) => error,
    };
    let wrongs = refused(&error, "url", at_field).ok_or(error)?;
    let shown = new_page(&signed, form, wrongs).await?;
    page::html_with(StatusCode::UNPROCESSABLE_ENTITY, &shown)
}

/// A field's name on the page: what is wrong with one event stands at all of them.
fn at_field(field: &str) -> String {
    let name = field.split('[').next().unwrap_or(field);
    name.to_owned()
}

#[derive(Template)]
#[template(path = "agency/webhook.html")]
struct WebhookPage {
    shell: Shell,
    webhook: Webhook,
    status: Status,
    form: WebhookForm,
    tabs: Tabs,
    rows: Vec<Delivery>,
    pager: Pager,
    key: String,
    wrongs: Wrongs,
    refused: Option<Words>,
    done: &'static str,
}

fn state(delivery: &Delivery) -> Status {
    match &delivery.status {
        DeliveryStatus::Pending => Status::new("info", "◐", "Under way"),
        DeliveryStatus::Delivered => Status::new("ok", "●", "Delivered"),
        DeliveryStatus::Failed => Status::new("bad", "✕", "Given up"),
        other => Status::new("", "?", other.as_str()),
    }
}

/// What it was answered, and how long that took.
fn answer(delivery: &Delivery) -> String {
    let took = delivery.duration_ms.map(|took| format!(" in {took} ms")).unwrap_or_default();
    match delivery.response_status {
        Some(status) => format!("{status}{took}"),
        None if delivery.attempts == 0 => "Not tried yet".to_owned(),
        None => format!("No answer{took}"),
    }
}

async fn webhook_page(signed: &Signed, id: Uuid, fields: &Fields) -> Result<WebhookPage, Failure> {
    let wanted = fields.one_of("status", &TABS).unwrap_or_default();
    let webhooks = signed.session.webhooks();
    let status = (!wanted.is_empty()).then(|| DeliveryStatus::from(wanted));
    let deliveries = webhooks.deliveries(id, status).per_page(ROWS);
    let (shell, all, page) = futures_util::try_join!(
        signed.shell("Webhook", Area::Webhooks),
        webhooks.list(),
        deliveries.page(fields.number("page").unwrap_or(1))
    )?;
    let webhook = all.into_iter().find(|webhook| webhook.id == id);
    let webhook = webhook.ok_or(Failure::NoPage)?;
    let address = |word: &str| format!("{BASE}/agency/webhooks/{id}?status={word}");
    let chosen = |name: &str| webhook.event_types.iter().any(|one| one == name);
    Ok(WebhookPage {
        shell,
        status: standing(&webhook),
        form: WebhookForm::of(&webhook.url, &webhook.description, webhook.is_active, chosen),
        webhook,
        tabs: Tabs::of("Which deliveries", &TABS, wanted, address),
        pager: Pager::of(&page, &address(wanted)),
        rows: page.items,
        key: new_key(),
        wrongs: Wrongs::default(),
        refused: None,
        done: match fields.get("done") {
            "saved" => "The webhook is saved.",
            "tested" => "A webhook.test is on its way: look at the deliveries.",
            "sent" => "The event is sent again.",
            _ => "",
        },
    })
}

/// `GET /console/agency/webhooks/{id}`.
async fn show(signed: Signed, webhook: Path<String>, fields: Fields) -> Answer {
    page::html(&webhook_page(&signed, id(&webhook)?, &fields).await?)
}

/// `POST /console/agency/webhooks/{id}`: all of it.
async fn change(signed: Signed, webhook: Path<String>, fields: Fields) -> Answer {
    let id = id(&webhook)?;
    let form = WebhookForm::typed(&fields);
    let error = match signed.session.webhooks().replace(id, &form.draft()).await {
        Ok(_) => return Ok(see_other(&format!("{BASE}/agency/webhooks/{id}?done=saved"))),
        Err(error) => error,
    };
    let wrongs = refused(&error, "url", at_field).ok_or(error)?;
    let shown = WebhookPage { form, wrongs, ..webhook_page(&signed, id, &Fields::default()).await? };
    page::html_with(StatusCode::UNPROCESSABLE_ENTITY, &shown)
}

/// `POST /console/agency/webhooks/{id}/delete`. What is gone already, is: the form came twice.
async fn delete(signed: Signed, webhook: Path<String>) -> Answer {
    match signed.session.webhooks().delete(id(&webhook)?).await {
        Err(error) if !error.is_not_found() => Err(error.into()),
        _ => Ok(see_other(&format!("{BASE}/agency/webhooks?done=deleted"))),
    }
}

/// Back to the webhook, which says what was done or why it was not.
async fn back<T>(signed: &Signed, id: Uuid, outcome: Result<T, Error>, done: &str) -> Answer {
    match outcome {
        Ok(_) => Ok(see_other(&format!("{BASE}/agency/webhooks/{id}?done={done}"))),
        Err(error) if matches!(error.status(), Some(400 | 409 | 422)) => {
            let shown = WebhookPage {
                refused: Some(words_of(&error)),
                ..webhook_page(signed, id, &Fields::default()).await?
            };
            page::html_with(StatusCode::CONFLICT, &shown)
        }
        Err(error) => Err(error.into()),
    }
}

/// `POST /console/agency/webhooks/{id}/test`, under the form's key.
async fn test(signed: Signed, webhook: Path<String>, fields: Fields) -> Answer {
    let id = id(&webhook)?;
    let session = signed.session.keyed(fields.key()?);
    back(&signed, id, session.webhooks().test(id).await, "tested").await
}

/// `POST /console/agency/webhooks/{id}/rotate`, under the form's key: a form that comes twice makes one new secret.
async fn rotate(signed: Signed, webhook: Path<String>, fields: Fields) -> Answer {
    let id = id(&webhook)?;
    let session = signed.session.keyed(fields.key()?);
    match session.webhooks().rotate_secret(id).await {
        Ok(made) => secret_page(&signed, &made.answer).await,
        outcome @ Err(_) => back(&signed, id, outcome, "").await,
    }
}

/// `POST /console/agency/webhooks/{id}/deliveries/{delivery}`, under the form's key: sends it again.
async fn redeliver(signed: Signed, path: Path<(String, String)>, fields: Fields) -> Answer {
    let (webhook, delivery) = (id(&path.0)?, id(&path.1)?);
    let session = signed.session.keyed(fields.key()?);
    let outcome = session.webhooks().redeliver(webhook, delivery).await;
    back(&signed, webhook, outcome, "sent").await
}
