//! Forms: what was typed, and what is wrong with it. What was typed survives every failure.

use actix_web::{
    FromRequest, HttpRequest,
    dev::Payload,
    http::{Method, StatusCode},
    web::{Form, Query},
};
use askama::{Template, filters::HtmlSafe};
use chrono::NaiveDate;
use futures_util::future::{FutureExt, LocalBoxFuture, ready};
use uuid::Uuid;
use wayfare_client::{Amount, Error, FieldFault};

use crate::failure::{Failure, sentence};

/// A key for a new form.
pub fn new_key() -> String {
    Uuid::new_v4().to_string()
}

/// What a form sends, or the query of an address says, in its order.
#[derive(Clone, Debug, Default)]
pub struct Fields(pub Vec<(String, String)>);

/// Of a form that is posted, else of the address.
impl FromRequest for Fields {
    type Error = actix_web::Error;
    type Future = LocalBoxFuture<'static, Result<Self, actix_web::Error>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        if request.method() == Method::POST {
            let sent = Form::<Vec<(String, String)>>::from_request(request, payload);
            return sent.map(|sent| sent.map(|pairs| Self(pairs.into_inner()))).boxed_local();
        }
        let asked = Query::<Vec<(String, String)>>::from_request(request, payload).into_inner();
        ready(asked.map(|pairs| Self(pairs.into_inner()))).boxed_local()
    }
}

impl Fields {
    /// Of these names and what stands under them.
    pub fn of<N: Into<String>, V: Into<String>>(pairs: impl IntoIterator<Item = (N, V)>) -> Self {
        Self(pairs.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }

    /// With these below: what was typed goes before what stands.
    #[must_use]
    pub fn over(mut self, stands: Self) -> Self {
        self.0.extend(stands.0);
        self
    }

    /// Whether the form had this field, whatever stands in it.
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(field, _)| field == name)
    }

    /// What stands in a field, without blanks at its ends; empty where it is not there.
    pub fn get(&self, name: &str) -> &str {
        let found = self.0.iter().find(|(field, _)| field == name);
        found.map_or("", |(_, value)| value.trim())
    }

    /// What stands in a field, with blanks at its ends: a password may have them.
    pub fn exact(&self, name: &str) -> String {
        let found = self.0.iter().find(|(field, _)| field == name);
        found.map(|(_, value)| value.clone()).unwrap_or_default()
    }

    /// What stands in a field without blanks at its ends, if anything does.
    pub fn given(&self, name: &str) -> Option<String> {
        Some(self.get(name).to_owned()).filter(|value| !value.is_empty())
    }

    /// The key that the form was made with, under which its effect is carried out once; without one it is no form of ours.
    pub fn key(&self) -> Result<String, Failure> {
        self.given("key").ok_or(Failure::NoPage)
    }

    /// The same of a form that is shown again, or that of a new one.
    pub fn key_or_new(&self) -> String {
        self.given("key").unwrap_or_else(new_key)
    }

    /// Everything that was chosen under a name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let chosen = self.0.iter().filter(move |(field, _)| field == name);
        chosen.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    /// Whether this was chosen under a name.
    pub fn is_chosen(&self, name: &str, value: &str) -> bool {
        self.all(name).any(|one| one == value)
    }

    /// A number; none for anything else.
    pub fn number<N: std::str::FromStr>(&self, name: &str) -> Option<N> {
        self.get(name).parse().ok()
    }

    /// The word of a tab, or of a choice, that stands in a field; none for any other word.
    pub fn one_of(&self, name: &str, known: &[(&'static str, &'static str)]) -> Option<&'static str> {
        let found = known.iter().find(|(word, _)| *word == self.get(name));
        found.map(|(word, _)| *word)
    }

    pub fn is_ticked(&self, name: &str) -> bool {
        !self.get(name).is_empty()
    }

    /// What is said of what was done, by the word of it in the address; nothing for any other word.
    pub fn done(&self, texts: &[(&str, &'static str)]) -> &'static str {
        let found = texts.iter().find(|(word, _)| *word == self.get("done"));
        found.map_or("", |(_, text)| text)
    }

    pub fn amount(&self, name: &str, wrongs: &mut Wrongs) -> Option<Amount> {
        let typed = self.given(name)?;
        let amount = typed.replace(',', "").parse().ok();
        if amount.is_none() {
            wrongs.add(name, "Is not an amount: write it as 1250.50");
        }
        amount
    }

    /// The same of an amount that has to be there.
    pub fn needed_amount(&self, name: &str, wrongs: &mut Wrongs) -> Option<Amount> {
        if self.given(name).is_none() {
            wrongs.add(name, "How much?");
        }
        self.amount(name, wrongs)
    }

    pub fn day(&self, name: &str, wrongs: &mut Wrongs) -> Option<NaiveDate> {
        let typed = self.given(name)?;
        let day = typed.parse().ok();
        if day.is_none() {
            wrongs.add(name, "Is not a day: write it as 2027-01-31");
        }
        day
    }

    /// The query that says what stands in these fields.
    pub fn query(&self, names: &[&'static str]) -> String {
        let given = names.iter().filter_map(|name| Some((*name, self.given(name)?)));
        serde_urlencoded::to_string(given.collect::<Vec<_>>()).unwrap_or_default()
    }

    /// Whether any of these fields says something.
    pub fn says_something(&self, names: &[&'static str]) -> bool {
        names.iter().any(|name| self.given(name).is_some())
    }
}

/// A field of a form, and what is wrong with it.
#[derive(Template)]
#[template(path = "part/field.html")]
pub struct TextField<'a> {
    id: &'a str,
    label: &'a str,
    value: &'a str,
    error: &'a str,
    /// Attributes, as they are written in templates.
    kind: &'static str,
    /// Its classes.
    more: &'static str,
    hint: &'a str,
}

impl HtmlSafe for TextField<'_> {}

pub fn text<'a>(
    id: &'a str,
    label: &'a str,
    value: &'a str,
    error: &'a str,
    kind: &'static str,
    more: &'static str,
    hint: &'a str,
) -> TextField<'a> {
    TextField { id, label, value, error, kind, more, hint }
}

/// A list of a form, of which one can be chosen.
#[derive(Template)]
#[template(path = "part/choose.html")]
pub struct ChoiceField<'a> {
    id: &'static str,
    label: &'static str,
    /// Words and their names.
    options: Vec<(&'a str, &'a str)>,
    chosen: &'a str,
    error: &'a str,
    more: &'static str,
    /// What nothing is called; empty where something has to be chosen.
    nothing: &'static str,
}

impl HtmlSafe for ChoiceField<'_> {}

pub fn choose<'a>(
    id: &'static str,
    label: &'static str,
    options: &'a [(impl AsRef<str>, impl AsRef<str>)],
    chosen: &'a str,
    error: &'a str,
    more: &'static str,
    nothing: &'static str,
) -> ChoiceField<'a> {
    let options = options.iter().map(|(word, name)| (word.as_ref(), name.as_ref())).collect();
    ChoiceField { id, label, options, chosen, error, more, nothing }
}

/// What is wrong with a form. It shows itself as the list above it.
#[derive(Clone, Debug, Default, Template)]
#[template(path = "part/summary.html")]
pub struct Wrongs(Vec<Wrong>);

impl HtmlSafe for Wrongs {}

/// A field, and what is wrong with it.
#[derive(Clone, Debug)]
pub struct Wrong {
    /// The field's name, which is its id on the page.
    pub field: String,
    pub text: String,
}

impl Wrongs {
    pub fn add(&mut self, field: &str, text: impl Into<String>) {
        self.0.push(Wrong { field: field.to_owned(), text: text.into() });
    }

    /// This alone.
    pub fn one(field: &str, text: impl Into<String>) -> Self {
        Self(vec![Wrong { field: field.to_owned(), text: text.into() }])
    }

    /// What the API says of the fields.
    pub fn of(error: &Error) -> Self {
        let wrong = |fault: FieldFault| Wrong { text: sentence(&fault.reason), field: fault.field };
        Self(error.field_faults().into_iter().map(wrong).collect())
    }

    /// What the API says against a form. What it names no field for stands at this one.
    ///
    /// # Errors
    /// What says nothing of the form.
    pub fn refused(error: Error, field: &str) -> Result<Self, Failure> {
        let Error::Refused { status: 400 | 402 | 409 | 422, ref text, .. } = error else {
            return Err(error.into());
        };
        let named = Self::of(&error);
        Ok(if named.is_empty() { Self::one(field, sentence(text)) } else { named })
    }

    /// The same with fields of other names.
    #[must_use]
    pub fn renamed(self, name: impl Fn(&str) -> String) -> Self {
        let renamed = |wrong: Wrong| Wrong { field: name(&wrong.field), ..wrong };
        Self(self.0.into_iter().map(renamed).collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Of the page that shows them: 422 where there are any.
    pub fn status(&self) -> StatusCode {
        match self.is_empty() {
            true => StatusCode::OK,
            false => StatusCode::UNPROCESSABLE_ENTITY,
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Wrong> {
        self.0.iter()
    }

    /// What is wrong with this field; empty where nothing is.
    pub fn of_field(&self, name: &str) -> &str {
        let found = self.0.iter().find(|wrong| wrong.field == name);
        found.map_or("", |wrong| wrong.text.as_str())
    }
}

/// What a field is called where what is wrong with it is listed.
pub fn label(field: &str) -> String {
    let traveller = field.strip_prefix("passengers[").and_then(|rest| rest.split_once("]."));
    if let Some((number, rest)) = traveller {
        let number = number.parse::<u32>().map_or(1, |number| number + 1);
        return format!("Traveller {number}, {}", words(rest).to_lowercase());
    }
    let guest = field.strip_prefix("rooms[").and_then(|rest| rest.split_once("]."));
    if let Some((room, rest)) = guest {
        let room = room.parse::<u32>().map_or(1, |number| number + 1);
        let of_guest = rest.strip_prefix("guests[").and_then(|rest| rest.split_once("]."));
        return match of_guest {
            Some((guest, rest)) => {
                let guest = guest.parse::<u32>().map_or(1, |number| number + 1);
                format!("Room {room}, guest {guest}, {}", words(rest).to_lowercase())
            }
            None => format!("Room {room}, {}", words(rest).to_lowercase()),
        };
    }
    words(field)
}

fn words(field: &str) -> String {
    let name = field.rsplit('.').next().unwrap_or(field);
    // Where a page has a field more than once, what it belongs to stands behind its name.
    let name = name.split('-').next().unwrap_or(name);
    let plain = match name {
        "dob" => "date of birth",
        "again" => "new password, again",
        "from" => "from where",
        "to" => "to where",
        "out" => "day",
        "back" => "day back",
        other => other,
    };
    sentence(&plain.replace('_', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_called_as_people_call_them() {
        for (field, expected) in [
            ("passengers[0].first_name", "Traveller 1, first name"),
            ("passengers[1].document.expires_on", "Traveller 2, expires on"),
            ("passengers[2].dob", "Traveller 3, date of birth"),
            ("contact_email", "Contact email"),
            ("rooms[0].children_ages", "Room 1, children ages"),
            ("rooms[1].guests[0].first_name", "Room 2, guest 1, first name"),
        ] {
            assert_eq!(label(field), expected);
        }
    }

    #[test]
    fn days_and_amounts_are_read_or_told() {
        let field = |value: &str| Fields::of([("a", value)]);
        let mut wrongs = Wrongs::default();
        assert_eq!(field("2027-01-31").day("a", &mut wrongs), NaiveDate::from_ymd_opt(2027, 1, 31));
        assert_eq!(field("1,250.50").amount("a", &mut wrongs), "1250.50".parse().ok());
        assert_eq!((field("").day("a", &mut wrongs), field("").amount("a", &mut wrongs)), (None, None));
        assert!(wrongs.is_empty());
        assert_eq!(field("31.1.").day("a", &mut wrongs), None);
        assert_eq!(wrongs.of_field("a"), "Is not a day: write it as 2027-01-31");
        assert_eq!(field("many").amount("a", &mut wrongs), None);
        assert_eq!(wrongs.iter().count(), 2);
    }

    #[test]
    fn what_was_typed_is_read_by_name() {
        let fields = Fields::of([("a", " x "), ("b", ""), ("c", "1"), ("c", "2")]);
        assert_eq!((fields.get("a"), fields.given("b"), fields.get("z")), ("x", None, ""));
        assert_eq!(fields.all("c").collect::<Vec<_>>(), ["1", "2"]);
        assert_eq!(fields.number::<u8>("c"), Some(1));
    }

    #[test]
    fn what_is_refused_stands_at_its_field() {
        let error = |status: u16, text: &str| Error::Refused {
            status,
            text: text.to_owned(),
            data: None,
            request_id: None,
            retry_after: None,
        };
        let wrongs = Wrongs::refused(error(422, "code=422, message=[{amount must be there}]"), "x").unwrap();
        assert_eq!(wrongs.renamed(|field| format!("{field}-1")).of_field("amount-1"), "Must be there");
        assert_eq!(Wrongs::refused(error(400, "too little"), "x").unwrap().of_field("x"), "Too little");
        for status in [403, 404, 429, 503] {
            assert!(Wrongs::refused(error(status, "no"), "x").is_err(), "{status}");
        }
    }
}
