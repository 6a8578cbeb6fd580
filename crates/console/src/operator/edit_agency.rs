//! What admins change of an agency: its name, its calendar, from whom it buys, and from where its people log in.

use wayfare_client::{
    enums::Subscription,
    operator::{Agency, AgencyChange},
};

use super::signed::OperatorSigned;
use crate::prelude::*;

#[derive(Template)]
#[template(path = "operator/edit_agency.html")]
struct EditPage {
    shell: Shell,
    agency: Agency,
    typed: Fields,
    wrongs: Wrongs,
}

async fn read(signed: &OperatorSigned, code: &str) -> Result<(Shell, Agency)> {
    let shell = signed.shell("Change an agency", Area::Agencies);
    Ok(futures_util::try_join!(shell, signed.session.agency(code))?)
}

/// What stands in the form of an agency as it is.
fn stands(agency: &Agency) -> Fields {
    let suppliers = match &agency.suppliers {
        None => "all".to_owned(),
        Some(codes) if codes.is_empty() => "none".to_owned(),
        Some(codes) => codes.join(" "),
    };
    let whitelisted = if agency.ip_whitelist_enabled { "yes" } else { "" };
    let pairs = [
        ("name", agency.name.clone()),
        ("timezone", agency.timezone.clone()),
        ("subscription_type", agency.subscription_type.to_string()),
        ("suppliers", suppliers),
        ("whitelisted", whitelisted.to_owned()),
        ("whitelist", agency.whitelist.join("\n")),
    ];
    Fields::of(pairs)
}

/// `GET /operator/agencies/{code}/edit`.
pub async fn show(signed: OperatorSigned, code: Path<String>) -> Answer {
    let (shell, agency) = read(&signed, &code).await?;
    page::html(&EditPage { shell, typed: stands(&agency), agency, wrongs: Wrongs::default() })
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
        subscription_type: Some(Subscription::from(fields.get("subscription_type"))),
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
    let Err(error) = signed.session.change_agency(&code, &change(&fields, &agency)).await else {
        return Ok(see_other(&format!("/operator/agencies/{code}?done=standing")));
    };
    let wrongs =
        Wrongs::refused(error, "")?.renamed(|field| match field.split('[').next().unwrap_or_default() {
            "whitelist_add" | "whitelist_remove" => "whitelist".to_owned(),
            other => other.to_owned(),
        });
    page::unprocessable(&EditPage { shell, agency, typed: fields, wrongs })
}
