//! What of an order is at fault, as the source of an error says: `/passengers/0/given_name` is `passengers[0].first_name`.

use wayfare_supply::RefusalKind;

use super::wire;

/// What the error's place says that it is about.
pub(super) fn kind(error: &wire::Error) -> RefusalKind {
    let parts = parts(error);
    let has = |name| parts.contains(&name);
    if has("identity_documents") {
        match error.code.as_deref() {
            Some("validation_required") => RefusalKind::PapersMissing,
            _ => RefusalKind::PapersInvalid,
        }
    } else if has("passengers") {
        RefusalKind::Traveller
    } else {
        RefusalKind::Other
    }
}

/// The field in the words of our API: travellers count by their `pax_index`, as they are sent.
pub(super) fn field(error: &wire::Error) -> Option<String> {
    let parts = parts(error);
    let at = parts.iter().position(|part| *part == "passengers")?;
    let place: usize = parts.get(at + 1)?.parse().ok()?;
    let of_traveller = parts.get(at + 2..).unwrap_or_default();
    let named = |name: &str| format!("passengers[{place}].{name}");
    Some(match of_traveller {
        // The passport is sent before all others, which share their fields' names.
        ["identity_documents", at, ..] if at.parse::<usize>().is_ok_and(|at| at > 0) => {
            format!("passengers[{place}]")
        }
        ["identity_documents", .., "unique_identifier"] => named("document.number"),
        ["identity_documents", .., "expires_on"] => named("document.expires_on"),
        ["identity_documents", .., "issuing_country_code"] => named("document.issuing_country"),
        ["identity_documents", ..] => named("document"),
        ["given_name"] => named("first_name"),
        ["family_name"] => named("last_name"),
        ["born_on"] => named("dob"),
        ["title"] => named("title"),
        ["gender"] => named("gender"),
        ["loyalty_programme_accounts", ..] => named("loyalty"),
        ["email"] => "contact_email".to_owned(),
        ["phone_number"] => "contact_phone".to_owned(),
        _ => format!("passengers[{place}]"),
    })
}

/// The pointer's parts; none where the source is an airline or says something else.
fn parts(error: &wire::Error) -> Vec<&str> {
    let pointer = error.source.as_ref().and_then(|source| source.get("pointer"));
    let pointer = pointer.and_then(|pointer| pointer.as_str()).unwrap_or_default();
    pointer.split(['/', '.']).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The code and the place of an error, what kind it is, and its field.
    const FAULTS: &str = "\
validation_required | /passengers/0/identity_documents | PapersMissing passengers[0].document
validation_format | /data/passengers/1/identity_documents/0/expires_on | PapersInvalid passengers[1].document.expires_on
validation_format | /passengers/0/identity_documents/0/unique_identifier | PapersInvalid passengers[0].document.number
validation_format | /passengers/0/identity_documents/1/unique_identifier | PapersInvalid passengers[0]
validation_length | /passengers/2/family_name | Traveller passengers[2].last_name
validation_format | /passengers/0/email | Traveller contact_email
validation_required | /passengers | Traveller -
validation_required | /metadata | Other -
validation_required |  | Other -";

    #[test]
    fn a_pointer_is_told_in_the_words_of_our_api() {
        let told = |error: serde_json::Value| {
            let error: wire::Error = serde_json::from_value(error).unwrap();
            format!("{:?} {}", kind(&error), field(&error).as_deref().unwrap_or("-"))
        };
        for line in FAULTS.lines() {
            let [code, pointer, expected] = line.split(" | ").collect::<Vec<_>>().try_into().unwrap();
            assert_eq!(told(json!({ "code": code, "source": { "pointer": pointer } })), expected, "{line}");
        }
        assert_eq!(told(json!({ "source": "some_airline" })), "Other -");
    }
}
