//! Changes of the profile and of settings, and which entries of the audit log are wanted.

use wayfare_contract::{OrganizationChange, SetSetting};
use wayfare_domain::is_email;
use wayfare_operations::agency::audit_log::AuditFilter;

use crate::http::{
    json_body::{FromJson, JsonObject, like_an_email},
    query::{FromQuery, Parameters},
};

/// `PUT /org/profile`.
impl FromJson for OrganizationChange {
    const NAME: &str = "UpdateOrganizationRequest";
    type Declared = Self;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let name = body.short_text("name", 200);
        if name.as_deref() == Some("") {
            body.fault("name", "must not be empty");
        }
        let name = name.and_then(|name| body.seen("name", name));
        let email = body.short_text("email", 254);
        body.note("email", like_an_email);
        if email.as_deref().is_some_and(|email| !is_email(email)) {
            body.fault("email", "must be an e-mail address");
        }
        let phone = body.short_text("phone", 32);
        let address = body.short_text("address", 500);
        let country = body.short_text("country", 2);
        Some(Self { name, email, phone, address, country: country.map(|code| code.to_ascii_uppercase()) })
    }
}

/// `PUT /org/settings`.
impl FromJson for SetSetting {
    const NAME: &str = "SetSettingRequest";
    type Declared = Self;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let key = body.text("key", 64);
        let value = body.secret("value");
        Some(Self { key: key?, value: value?.into() })
    }
}

impl FromQuery for AuditFilter {
    fn read(query: &mut Parameters) -> Self {
        Self {
            actor: query.id("actor_id"),
            entity_type: query.text("entity_type"),
            entity_id: query.text("entity_id"),
            action: query.text("action"),
            from: query.date("from"),
            to: query.date("to"),
        }
    }
}
