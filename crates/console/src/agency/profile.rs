//! The agency itself: its profile, its settings, and from where its people may come.

use wayfare_client::{OrganizationChange, OrganizationProfile, Setting, enums::Subscription};

use crate::prelude::*;

const TICKET_PASSWORD: &str = "ticket_password";

pub fn mount(config: &mut ServiceConfig) {
    config
        .service(web::resource("/agency/profile").get(show).post(change))
        .service(web::resource("/agency/settings").post(set));
}

/// A setting that is known: its key, its name, what it means, and the words that it takes, where these are few.
type Known = (&'static str, &'static str, &'static str, &'static [(&'static str, &'static str)]);

const ON_OFF: &[(&str, &str)] = &[("false", "No"), ("true", "Yes")];
const KNOWN: [Known; 8] = [
    (
        "book_mode",
        "How flights are booked",
        "Where a booking does not say it itself.",
        &[("instant", "Ticketed at once"), ("hold", "Held, where that is possible")],
    ),
    (
        "hold_reminder_hours",
        "Reminders of holds",
        "Hours before a hold must be paid, with commas: 24,6,1. The word none: never.",
        &[],
    ),
    (
        "airline_change_minutes",
        "Changes by airlines",
        "From how many minutes on a change of times is notified, 0 to 1440; 15 unless set.",
        &[],
    ),
    (
        "low_balance_alert",
        "Low balance",
        "Admins are notified when a wallet can spend less than this amount.",
        &[],
    ),
    ("people_kept_days", "Names are kept for", "Days after the journey, 30 to 2555.", &[]),
    ("papers_kept_days", "Papers are kept for", "Days after the journey, 1 to 400.", &[]),
    (TICKET_PASSWORD, "Ticket password", "4 to 128 characters. It is never shown.", &[]),
    (
        "ticket_password_enabled",
        "Ask for the ticket password",
        "Before flights are booked or rescheduled.",
        ON_OFF,
    ),
];

#[derive(Template)]
#[template(path = "agency/profile.html")]
struct ProfilePage {
    shell: Shell,
    profile: OrganizationProfile,
    typed: Fields,
    address: String,
    settings: Vec<Line>,
    wrongs: Wrongs,
    done: &'static str,
}

/// A setting with a form of its own.
struct Line {
    key: String,
    /// Its field on the page: a key of theirs may be the name of another field.
    field: String,
    name: String,
    hint: &'static str,
    value: String,
    is_secret: bool,
    is_set: bool,
    words: &'static [(&'static str, &'static str)],
}

fn field(key: &str) -> String {
    format!("setting.{key}")
}

fn lines(settings: &[Setting]) -> Vec<Line> {
    let value = |key: &str| {
        let found = settings.iter().find(|setting| setting.key == key);
        found.map(|setting| setting.value.clone())
    };
    let known = KNOWN.iter().map(|(key, name, hint, words)| {
        let (value, is_secret) = (value(key), *key == TICKET_PASSWORD);
        let first = words.first().map_or("", |(word, _)| *word);
        Line {
            key: (*key).to_owned(),
            field: field(key),
            name: (*name).to_owned(),
            hint,
            is_set: value.is_some(),
            words,
            value: value.filter(|_| !is_secret).unwrap_or_else(|| first.to_owned()),
            is_secret,
        }
    });
    let others = settings.iter().filter(|setting| !KNOWN.iter().any(|(key, ..)| *key == setting.key));
    let others = others.map(|setting| Line {
        key: setting.key.clone(),
        field: field(&setting.key),
        name: setting.key.clone(),
        hint: "Of your own programs.",
        value: setting.value.clone(),
        is_secret: false,
        is_set: true,
        words: &[],
    });
    known.chain(others).collect()
}

async fn page_of(signed: &Signed) -> Result<ProfilePage> {
    let (organization, own) = (signed.session.organization(), signed.session.profile());
    let (shell, profile, settings, sessions) = futures_util::try_join!(
        signed.shell("Profile of the agency", Area::Profile),
        organization.profile(),
        organization.settings(),
        own.sessions()
    )?;
    let current = sessions.into_iter().find(|session| session.is_current);
    Ok(ProfilePage {
        shell,
        typed: Fields::of([
            ("name", &profile.name),
            ("email", &profile.email),
            ("phone", &profile.phone),
            ("address", &profile.address),
            ("country", &profile.country),
        ]),
        profile,
        address: current.map(|session| session.ip_address).unwrap_or_default(),
        settings: lines(&settings),
        wrongs: Wrongs::default(),
        done: "",
    })
}

/// `GET /console/agency/profile`.
async fn show(signed: Signed, fields: Fields) -> Answer {
    let done = fields.done(&[("profile", "The profile is saved."), ("setting", "The setting is saved.")]);
    page::html(&ProfilePage { done, ..page_of(&signed).await? })
}

/// `POST /console/agency/profile`.
async fn change(signed: Signed, fields: Fields) -> Answer {
    let change = OrganizationChange::default().name(fields.get("name")).email(fields.get("email"));
    let change = change.phone(fields.get("phone")).address(fields.get("address"));
    let change = change.country(fields.get("country"));
    let Err(error) = signed.session.organization().change_profile(&change).await else {
        return Ok(see_other(&format!("{BASE}/agency/profile?done=profile")));
    };
    let wrongs = Wrongs::refused(error, "name")?;
    page::unprocessable(&ProfilePage { typed: fields, wrongs, ..page_of(&signed).await? })
}

/// `POST /console/agency/settings`: one of them; the same twice is the same.
async fn set(signed: Signed, fields: Fields) -> Answer {
    let key = fields.get("setting").to_owned();
    let at = field(&key);
    // Blanks at its ends belong to a password.
    let value = match key == TICKET_PASSWORD {
        true => fields.exact(&at),
        false => fields.get(&at).to_owned(),
    };
    let Err(error) = signed.session.organization().set(&key, &value).await else {
        return Ok(see_other(&format!("{BASE}/agency/profile?done=setting")));
    };
    let wrongs = Wrongs::refused(error, &at)?.renamed(|_| at.clone());
    let mut shown = page_of(&signed).await?;
    for line in shown.settings.iter_mut().filter(|line| line.key == key && !line.is_secret) {
        line.value.clone_from(&value);
    }
    shown.wrongs = wrongs;
    page::unprocessable(&shown)
}
