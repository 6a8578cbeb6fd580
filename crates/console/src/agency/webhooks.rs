//! Webhooks: where events are sent to, their secret, and how their deliveries went.

use secrecy::ExposeSecret;
use uuid::Uuid;
use wayfare_client::{
    Error,
    enums::DeliveryStatus,
    webhooks::{Delivery, EVENT_TYPES, Webhook, WebhookDraft, WebhookWithSecret},
};

use super::{ROWS, id};
use crate::{
    failure::{Words, is_refusal, words_of},
    page::Tabs,
    prelude::*,
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
    page::html(&ListPage { shell, rows: all, done: fields.done(&[("deleted", "The webhook is deleted.")]) })
}

/// What stands in the form of a webhook.
fn stands(webhook: &Webhook) -> Fields {
    let named = [("url", &webhook.url), ("description", &webhook.description)];
    let events = webhook.event_types.iter().map(|event| ("event_types", event));
    let stands = Fields::of(named.into_iter().chain(events));
    match webhook.is_active {
        true => stands.over(Fields::of([("is_active", "yes")])),
        false => stands,
    }
}

/// The events that it can choose, by their names.
fn event_types() -> Vec<&'static str> {
    let mut all = EVENT_TYPES.to_vec();
    all.sort_unstable();
    all
}

/// What a webhook is to be, as it was typed.
fn draft(typed: &Fields) -> WebhookDraft {
    let chosen = event_types().into_iter().filter(|event| typed.is_chosen("event_types", event));
    WebhookDraft {
        description: typed.get("description").to_owned(),
        event_types: chosen.map(str::to_owned).collect(),
        is_active: Some(typed.is_ticked("is_active")),
        ..WebhookDraft::of(typed.get("url"))
    }
}

#[derive(Template)]
#[template(path = "agency/webhook_new.html")]
struct NewPage {
    shell: Shell,
    typed: Fields,
    wrongs: Wrongs,
}

async fn new_page(signed: &Signed, typed: Fields, wrongs: Wrongs) -> Result<NewPage> {
    // Whoever may not make a webhook sees no form.
    let webhooks = signed.session.webhooks();
    let (shell, _) = futures_util::try_join!(signed.shell("A new webhook", Area::Webhooks), webhooks.list())?;
    Ok(NewPage { shell, typed, wrongs })
}

/// `GET /console/agency/webhooks/new`.
async fn new(signed: Signed) -> Answer {
    let typed = Fields::of([("is_active", "yes")]);
    page::html(&new_page(&signed, typed, Wrongs::default()).await?)
}

#[derive(Template)]
#[template(path = "agency/webhook_secret.html")]
struct SecretPage {
    shell: Shell,
    made: WebhookWithSecret,
}

/// The secret, this once: the answer to the form itself, so that it stands under no address.
async fn secret_page(signed: &Signed, made: WebhookWithSecret) -> Answer {
    page::html(&SecretPage { shell: signed.shell("The secret", Area::Webhooks).await?, made })
}

/// `POST /console/agency/webhooks`, under the form's key, so that a form that comes twice makes one and tells its secret
/// again.
async fn create(signed: Signed, fields: Fields) -> Answer {
    let session = signed.session.keyed(fields.key()?);
    let error = match session.webhooks().create(&draft(&fields)).await {
        Ok(made) => return secret_page(&signed, made.answer).await,
        Err(error) => error,
    };
    let wrongs = Wrongs::refused(error, "url")?.renamed(at_field);
    page::unprocessable(&new_page(&signed, fields, wrongs).await?)
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
    typed: Fields,
    tabs: Tabs,
    rows: Vec<Delivery>,
    pager: Pager,
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

async fn webhook_page(signed: &Signed, id: Uuid, fields: &Fields) -> Result<WebhookPage> {
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
    Ok(WebhookPage {
        shell,
        typed: stands(&webhook),
        webhook,
        tabs: Tabs::of("Which deliveries", &TABS, wanted, address),
        pager: Pager::of(&page, &address(wanted)),
        rows: page.items,
        wrongs: Wrongs::default(),
        refused: None,
        done: fields.done(&[
            ("saved", "The webhook is saved."),
            ("tested", "A webhook.test is on its way: look at the deliveries."),
            ("sent", "The event is sent again."),
        ]),
    })
}

/// `GET /console/agency/webhooks/{id}`.
async fn show(signed: Signed, webhook: Path<String>, fields: Fields) -> Answer {
    page::html(&webhook_page(&signed, id(&webhook)?, &fields).await?)
}

/// `POST /console/agency/webhooks/{id}`: all of it.
async fn change(signed: Signed, webhook: Path<String>, fields: Fields) -> Answer {
    let id = id(&webhook)?;
    let Err(error) = signed.session.webhooks().replace(id, &draft(&fields)).await else {
        return Ok(see_other(&format!("{BASE}/agency/webhooks/{id}?done=saved")));
    };
    let wrongs = Wrongs::refused(error, "url")?.renamed(at_field);
    let shown = webhook_page(&signed, id, &Fields::default()).await?;
    page::unprocessable(&WebhookPage { typed: fields, wrongs, ..shown })
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
        Err(error) if is_refusal(&error) => {
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
        Ok(made) => secret_page(&signed, made.answer).await,
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
