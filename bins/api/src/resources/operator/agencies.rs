//! Agencies and their people, as those see and change them who look after them.

use actix_web::web::Path;
use wayfare_contract::operator::{
    self as contract, Agency, AgencyRow, AgencyUser, NewAgencyMade, NewPassword,
};
use wayfare_domain::{
    AccountStatus, AgencyCode, Currency, Faults, Network, Role, Tier, Zone, parse_currency,
};
use wayfare_operations::{
    Platform,
    access::{
        operators::{ConfirmedAdmin, OperatorProof, Viewer, accounts},
        users::{self, LONGEST_NAME, LONGEST_USERNAME, NewUser, UserFields},
    },
    operator::{self, AgencyChange, NewAgency, Suppliers},
};

use crate::http::{
    App,
    extract::{Ask, Body, Nothing},
    json_body::{FromJson, JsonObject, like_an_email},
    reply::{DataReply, Message, Replied, data, message},
};

/// More suppliers or networks than these are named by nobody.
const MOST: usize = 200;

/// `GET /agencies`.
pub async fn list(app: App, _: Ask<Viewer, Nothing>) -> DataReply<Vec<AgencyRow>> {
    let all = operator::agencies(&app).await?;
    data(all.into_iter().map(|listed| listed.row).collect::<Vec<_>>())
}

/// `POST /agencies`.
pub async fn create(app: App, ask: Ask<ConfirmedAdmin, Body<NewAgency>>) -> DataReply<NewAgencyMade, 201> {
    let Body(new) = ask.what;
    let (agency, admin) = operator::create_agency(&app, ask.who.by(), new).await?;
    let agency = operator::agency(&app, &agency.code).await?;
    data(NewAgencyMade { agency, admin: users::shown(admin) })
}

/// `GET /agencies/{code}`.
pub async fn get(app: App, _: Ask<Viewer, Nothing>, code: Path<String>) -> DataReply<Agency> {
    data(operator::agency(&app, &code_of(code)).await?)
}

/// `PUT /agencies/{code}`.
pub async fn change(
    app: App,
    ask: Ask<ConfirmedAdmin, Body<AgencyChange>>,
    code: Path<String>,
) -> DataReply<Agency> {
    let Body(change) = ask.what;
    known_suppliers(&app, &change).or(())?;
    let code = code_of(code);
    operator::change_agency(&app, ask.who.by(), &code, change).await?;
    data(operator::agency(&app, &code).await?)
}

/// `POST /agencies/{code}/suspend`.
pub async fn suspend(app: App, ask: Ask<ConfirmedAdmin, Nothing>, code: Path<String>) -> Replied<Message> {
    operator::set_agency_status(&app, ask.who.by(), &code_of(code), AccountStatus::Suspended).await?;
    message("agency suspended")
}

/// `POST /agencies/{code}/activate`.
pub async fn activate(app: App, ask: Ask<ConfirmedAdmin, Nothing>, code: Path<String>) -> Replied<Message> {
    operator::set_agency_status(&app, ask.who.by(), &code_of(code), AccountStatus::Active).await?;
    message("agency activated")
}

/// `GET /agencies/{code}/users`.
pub async fn list_users(app: App, _: Ask<Viewer, Nothing>, code: Path<String>) -> DataReply<Vec<AgencyUser>> {
    data(operator::users(&app, &code_of(code)).await?)
}

/// `POST /agencies/{code}/users`.
pub async fn add_user(
    app: App,
    ask: Ask<ConfirmedAdmin, Body<NewUser>>,
    code: Path<String>,
) -> DataReply<AgencyUser, 201> {
    let Body(new) = ask.what;
    let user = operator::create_user(&app, ask.who.by(), &code_of(code), new).await?;
    data(operator::shown_user(user))
}

/// `POST /agencies/{code}/users/{username}/suspend`.
pub async fn suspend_user(
    app: App,
    ask: Ask<ConfirmedAdmin, Nothing>,
    path: Path<(String, String)>,
) -> Replied<Message> {
    let (code, username) = path.into_inner();
    let (code, status) = (AgencyCode::from(code), AccountStatus::Suspended);
    operator::set_user_status(&app, ask.who.by(), &code, &username, status).await?;
    message("user suspended")
}

/// `POST /agencies/{code}/users/{username}/activate`.
pub async fn activate_user(
    app: App,
    ask: Ask<ConfirmedAdmin, Nothing>,
    path: Path<(String, String)>,
) -> Replied<Message> {
    let (code, username) = path.into_inner();
    let (code, status) = (AgencyCode::from(code), AccountStatus::Active);
    operator::set_user_status(&app, ask.who.by(), &code, &username, status).await?;
    message("user activated")
}

/// `POST /agencies/{code}/users/{username}/reset-password`.
pub async fn reset_password(
    app: App,
    ask: Ask<ConfirmedAdmin, Nothing>,
    path: Path<(String, String)>,
) -> DataReply<NewPassword> {
    let (code, username) = path.into_inner();
    let (code, password) = (AgencyCode::from(code), accounts::random_password());
    operator::reset_password(&app, ask.who.by(), &code, &username, password.clone()).await?;
    data(NewPassword { password })
}

fn code_of(path: Path<String>) -> AgencyCode {
    AgencyCode::from(path.into_inner())
}

/// That an agency is let buy only from suppliers that there are.
fn known_suppliers(platform: &Platform, change: &AgencyChange) -> Faults {
    let mut faults = Faults::default();
    let Some(Suppliers::These(codes)) = &change.suppliers else { return faults };
    let known = platform.suppliers.permit_use();
    for code in codes.iter().filter(|code| !known.contains_key(code.as_str())) {
        faults.add("suppliers", format!("has {code:?}, which is no supplier"));
    }
    faults
}

fn time_zone(body: &mut JsonObject<'_>) -> Option<Zone> {
    let zone = body.text("timezone", 64)?;
    body.or_fault("timezone", zone.parse().ok(), "must be a time zone such as Asia/Kolkata")
}

pub(super) fn currency(body: &mut JsonObject<'_>) -> Option<Currency> {
    let code = body.text("currency", 3)?;
    body.or_fault("currency", parse_currency(&code), "must be a 3-letter currency code")
}

fn networks(body: &mut JsonObject<'_>, name: &str) -> Vec<Network> {
    let mut read = Vec::new();
    for text in body.texts(name, MOST).unwrap_or_default() {
        match text.parse() {
            Ok(network) => read.push(network),
            Err(_) => body.fault(name, format!("has {text:?}, which is no address and no network")),
        }
    }
    read
}

/// `POST /agencies`.
impl FromJson for NewAgency {
    const NAME: &str = "CreateAgencyRequest";
    type Declared = contract::NewAgency;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let name = body.label("name", LONGEST_NAME);
        let email = body.text("email", 254);
        body.note("email", like_an_email);
        let country = body.text("country", 2);
        let tier = body.word::<Tier>("subscription_type");
        let currency = currency(body);
        let time_zone = time_zone(body);
        let admin = body.object("admin", first_admin);
        let admin = body.required("admin", admin);
        Some(Self {
            name: name?,
            email: email?,
            country: country?,
            tier: tier?,
            currency: currency?,
            time_zone: time_zone?,
            admin: admin?,
        })
    }
}

/// The first user of an agency, an admin.
fn first_admin(body: &mut JsonObject<'_>) -> Option<NewUser> {
    let username = body.text("username", LONGEST_USERNAME);
    let email = body.text("email", 254);
    body.note("email", like_an_email);
    let name = body.label("name", LONGEST_NAME);
    let password = body.secret("password");
    let phone = body.optional_text("phone");
    let fields = UserFields {
        username: username.as_deref(),
        email: email.as_deref(),
        name: name.as_deref(),
        phone: phone.as_deref(),
        password: password.as_deref(),
    };
    let path = format!("{}.", body.path());
    body.append(fields.check(&path));
    Some(NewUser {
        username: username?,
        email: email?,
        name: name?,
        phone: phone.unwrap_or_default(),
        password: password?.into(),
        role: Role::OrgAdmin,
    })
}

/// `PUT /agencies/{code}`; what is not there stays.
impl FromJson for AgencyChange {
    const NAME: &str = "ChangeAgencyRequest";
    type Declared = contract::AgencyChange;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let mut change = Self::default();
        if body.has("name") {
            change.name = body.label("name", LONGEST_NAME);
        }
        if body.has("subscription_type") {
            change.tier = body.word::<Tier>("subscription_type");
        }
        if body.has("timezone") {
            change.time_zone = time_zone(body);
        }
        if body.has("currency") {
            change.currency = currency(body);
        }
        change.whitelist_enabled = body.boolean("ip_whitelist_enabled");
        change.whitelisted = networks(body, "whitelist_add");
        change.unlisted = networks(body, "whitelist_remove");
        let of_all = body.boolean("all_suppliers");
        change.suppliers = match of_all {
            Some(true) => Some(Suppliers::All),
            Some(false) | None => body.texts("suppliers", MOST).map(Suppliers::These),
        };
        Some(change)
    }
}
