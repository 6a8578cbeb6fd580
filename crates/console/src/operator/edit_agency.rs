//! What admins change of an agency: its name, its calendar, from whom it buys, and from where its people log in.

use actix_web::{http::StatusCode, web::Path};
use askama::Template;
use wayfare_client::operator::{Agency, AgencyChange};

use super::signed::{OperatorSigned, refused};
use crate::{
    failure::Failure,
    form::{Fields, Wrongs},
    page::{self, Answer, Shell},
    see_other,
    side::Area,
};

#[derive(Template)]
#[template(path = "operator/edit_agency.html")]
struct EditPage {
    shell: Shell,
    code: String,
    title: String,
    name: String,
    timezone: String,
    tier: String,
    suppliers: String,
    is_whitelisted: bool,
    whitelist: String,
    wrongs: Wrongs,
}

async fn read(signed: &OperatorSigned, code: &str) -> Result<(Shell, Agency), Failure> {
    let shell = signed.shell("Change an agency", Area::Agencies);
    Ok(futures_util::try_join!(shell, signed.session.agency(code))?)
}

/// `GET /operator/agencies/{code}/edit`.
pub async fn show(signed: OperatorSigned, code: Path<String>) -> Answer {
    let (shell, agency) = read(&signed, &code).await?;
    page::html(&EditPage {
        shell,
        code: agency.agent_id,
        title: agency.name.clone(),
        name: agency.name,
        timezone: agency.timezone,
        tier: agency.subscription_type,
        suppliers: match agency.suppliers {
            None => "all".to_owned(),
            Some(codes) if codes.is_empty() => "none".to_owned(),
            Some(codes) => codes.join(" "),
        },
        is_whitelisted: agency.ip_whitelist_enabled,
        whitelist: agency.whitelist.join("\n"),
        wrongs: Wrongs::default(),
    })
}

/// What is typed, against what stands.
fn change(fields: &Fields, agency: &Agency) -> AgencyChange {
    let typed = fields.exact("whitelist");
    let typed: Vec<String> = typed.split_whitespace().map(str::to_owned).collect();
    let suppliers = fields.get("suppliers");
    let codes = suppliers.split([' ', ',']).filter(|code| !code.is_empty());
    let gone = agency.whitelist.iter().filter(|one| !typed.contains(one));
    AgencyChange {
        name: Some(fields.get("name").to_owned()),
        subscription_type: Some(fields.get("subscription_type").to_owned()),
        timezone: Some(fields.get("timezone").to_owned()),
        currency: None,
        ip_whitelist_enabled: Some(fields.is_ticked("whitelisted")),
        whitelist_remove: gone.cloned().collect(),
        whitelist_add: typed.into_iter().filter(|one| !agency.whitelist.contains(one)).collect(),
        suppliers: match suppliers {
            "all" => None,
            "none" => Some(Vec::new()),
            _ => Some(codes.map(str::to_owned).collect()),
        },
        all_suppliers: (suppliers == "all").then_some(true),
    }
}

/// `POST /operator/agencies/{code}/edit`.
pub async fn save(signed: OperatorSigned, code: Path<String>, fields: Fields) -> Answer {
    let (shell, agency) = read(&signed, &code).await?;
    let error = match signed.session.change_agency(&code, &change(&fields, &agency)).await {
        Ok(_) => return Ok(see_other(&format!("/operator/agencies/{code}?done=standing"))),
        Err(error) => error,
    };
    let mut wrongs = Wrongs::default();
    for wrong in refused(error)?.iter() {
        let field = match wrong.field.split('[').next().unwrap_or_default() {
            "whitelist_add" | "whitelist_remove" => "whitelist",
            other => other,
        };
        wrongs.add(field, wrong.text.clone());
    }
    let shown = EditPage {
        shell,
        code: agency.agent_id,
        title: agency.name,
        name: fields.get("name").to_owned(),
        timezone: fields.get("timezone").to_owned(),
        tier: fields.get("subscription_type").to_owned(),
        suppliers: fields.get("suppliers").to_owned(),
        is_whitelisted: fields.is_ticked("whitelisted"),
        whitelist: fields.exact("whitelist"),
        wrongs,
    };
    page::html_with(StatusCode::UNPROCESSABLE_ENTITY, &shown)
}
