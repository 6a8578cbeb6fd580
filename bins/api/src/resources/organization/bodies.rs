//! Changes of the profile and of settings, and which entries of the audit log are wanted.

use serde_json::json;
use wayfare_domain::is_email;
use wayfare_operations::agency::{audit_log::AuditFilter, profile::ProfileChange};

use crate::http::{
    json_body::{Example, Form, FromForm, like_an_email},
    query::{FromQuery, Parameters},
};

/// `PUT /org/profile`.
pub struct ProfileBody(pub ProfileChange);

impl FromForm for ProfileBody {
    fn read(form: &mut Form<'_>) -> Option<Self> {
        let name = form.short_text("name", 200);
        if name.as_deref() == Some("") {
            form.fault("name", "must not be empty");
        }
        let email = form.short_text("email", 254);
        form.note("email", like_an_email);
        if email.as_deref().is_some_and(|email| !is_email(email)) {
            form.fault("email", "must be an e-mail address");
        }
        let phone = form.short_text("phone", 32);
        let address = form.short_text("address", 500);
        let country = form.short_text("country", 2);
        Some(Self(ProfileChange {
            name,
            email,
            phone,
            address,
            country: country.map(|code| code.to_ascii_uppercase()),
        }))
    }

    fn examples() -> Vec<Example> {
        let body = json!({
            "name": "Sunrise Travels",
            "email": "desk@sunrise.example",
            "phone": "+911123456789",
            "address": "12 Janpath, New Delhi",
            "country": "IN",
        });
        vec![("profile", body)]
    }
}

/// `PUT /org/settings`.
pub struct SettingBody {
    /// Which.
    pub key: String,
    /// What it becomes, to the letter: it may be a secret.
    pub value: String,
}

impl FromForm for SettingBody {
    fn read(form: &mut Form<'_>) -> Option<Self> {
        let key = form.text("key", 64);
        let value = form.secret("value");
        Some(Self {
            key: key?,
            value: value?,
        })
    }

    fn examples() -> Vec<Example> {
        vec![("setting", json!({ "key": "invoice_prefix", "value": "SUN-" }))]
    }
}

impl FromQuery for AuditFilter {
    fn read(query: &mut Parameters) -> Self {
        Self {
            actor: query.id("actor_id"),
            entity_type: query.text("entity_type"),
            action: query.text("action"),
            from: query.date("from"),
            to: query.date("to"),
        }
    }
}
