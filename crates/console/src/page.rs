//! A page: what is round it, and how it becomes an answer.

use std::fmt;

use actix_web::{HttpRequest, HttpResponse, http::StatusCode};
use askama::{Template, filters::HtmlSafe};
use wayfare_client::{OwnProfile, enums::OperatorRole};

use crate::{
    assets::{Asset, Assets},
    failure::Failure,
    side::{Area, Entry, Side},
    vocabulary,
};

/// What a browser is answered: a page, or what became of it instead.
pub type Answer = Result<HttpResponse, Failure>;

/// The cookie with how pages look: `light`, `dark`, or nothing for what the machine says.
pub const THEME: &str = "wayfare-theme";

pub struct Shell {
    pub side: Side,
    pub title: String,
    /// Which entry of the bar it belongs to.
    pub area: Area,
    /// Who is logged in, if that was asked.
    pub person: Option<Person>,
    /// Whether there is a session, good or not.
    pub is_signed: bool,
    /// How many notifications they have not read.
    pub unread: i64,
    /// How pages look, where somebody has said so.
    pub theme: Option<&'static str>,
    pub is_sandbox: bool,
    pub assets: &'static Assets,
}

/// What stands in the head of every page.
#[derive(Template)]
#[template(path = "part/head.html")]
pub struct Head<'a> {
    shell: &'a Shell,
}

impl HtmlSafe for Head<'_> {}

/// What stands above the page itself.
#[derive(Template)]
#[template(path = "part/bar.html")]
pub struct Opening<'a> {
    shell: &'a Shell,
}

impl HtmlSafe for Opening<'_> {}

pub struct Person {
    pub name: String,
    /// The first letters of it.
    pub initials: String,
    pub role: String,
    /// Whether they see the agency's money.
    pub is_admin: bool,
    /// What an operator may do; none of an agency's people.
    pub operator: Option<OperatorRole>,
}

impl Person {
    pub fn new(name: &str, role: &str, is_admin: bool) -> Self {
        let words = name.split_whitespace();
        let initials: String = words.filter_map(|word| word.chars().next()).take(2).collect();
        let (name, initials, role) = (name.to_owned(), initials.to_uppercase(), role.to_owned());
        Self { name, initials, role, is_admin, operator: None }
    }
}

impl Shell {
    pub fn signed(self, user: &OwnProfile, unread: i64) -> Self {
        let person = Person::new(&user.name, vocabulary::role(&user.role), user.role.is_admin());
        Self { person: Some(person), unread, ..self }
    }

    pub fn head(&self) -> Head<'_> {
        Head { shell: self }
    }

    pub fn opening(&self) -> Opening<'_> {
        Opening { shell: self }
    }

    /// Where the console's pages are found.
    pub fn base(&self) -> &'static str {
        self.side.base()
    }

    /// Whether the bar shows this entry.
    pub fn shows(&self, entry: &Entry) -> bool {
        entry.area != Area::Agency || self.is_admin()
    }

    pub fn is_operator(&self) -> bool {
        self.side == Side::Operator
    }

    /// Where a style or script is found.
    pub fn at(&self, asset: &Asset) -> String {
        format!("{}/assets/{}", self.base(), asset.name)
    }

    /// Whether it is an operator who rules on incidents and bookings, and closes suppliers.
    pub fn may_rule(&self) -> bool {
        self.has_role(&[OperatorRole::Desk, OperatorRole::Admin])
    }

    /// Whether it is an operator who moves money, and sets terms, contracts and rates.
    pub fn may_move_money(&self) -> bool {
        self.has_role(&[OperatorRole::Finance, OperatorRole::Admin])
    }

    fn has_role(&self, roles: &[OperatorRole]) -> bool {
        let role = self.person.as_ref().and_then(|person| person.operator.as_ref());
        role.is_some_and(|role| roles.contains(role))
    }

    /// Whether it is an admin who looks.
    pub fn is_admin(&self) -> bool {
        self.person.as_ref().is_some_and(|person| person.is_admin)
    }
}

pub fn theme(request: &HttpRequest) -> Option<&'static str> {
    let cookie = request.cookie(THEME)?;
    ["light", "dark"].into_iter().find(|theme| *theme == cookie.value())
}

/// Whether a part of a page is wanted and no whole one.
pub fn wants_part(request: &HttpRequest) -> bool {
    request.headers().contains_key("hx-request")
}

/// 200 with this page, or this part of one.
pub fn html(template: &impl Template) -> Answer {
    html_with(StatusCode::OK, template)
}

/// 422 with this page, which says what is wrong with what was typed.
pub fn unprocessable(template: &impl Template) -> Answer {
    html_with(StatusCode::UNPROCESSABLE_ENTITY, template)
}

pub fn html_with(status: StatusCode, template: &impl Template) -> Answer {
    Ok(answer_of(status, part(template)?))
}

/// A page, or a part of one, that is made already.
pub fn answer_of(status: StatusCode, Part(text): Part) -> HttpResponse {
    HttpResponse::build(status).content_type("text/html; charset=utf-8").body(text)
}

/// A part of a page, which a template has made: it is not escaped again.
pub struct Part(String);

impl HtmlSafe for Part {}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Part {
    pub fn text(&self) -> &str {
        &self.0
    }
}

/// A template's text, for a part within another one.
pub fn part(template: &impl Template) -> Result<Part, Failure> {
    template.render().map(Part).map_err(|error| Failure::broken(&error.to_string()))
}

/// Parts of a list, of which one is shown.
#[derive(Template)]
#[template(path = "part/tabs.html")]
pub struct Tabs {
    label: &'static str,
    /// Where each is found, what it is called, and whether it is the one.
    tabs: Vec<(String, &'static str, bool)>,
}

impl HtmlSafe for Tabs {}

impl Tabs {
    /// These words, each with its name, where this one is shown.
    pub fn of(
        label: &'static str,
        words: &[(&'static str, &'static str)],
        current: &str,
        address: impl Fn(&str) -> String,
    ) -> Self {
        let tab = |(word, name): &(&'static str, &'static str)| (address(word), *name, *word == current);
        Self { label, tabs: words.iter().map(tab).collect() }
    }
}

/// Where one stands in a list, and where one can go from there.
#[derive(Template)]
#[template(path = "part/pager.html")]
pub struct Pager {
    pub page: u32,
    pub pages: i64,
    pub total: i64,
    /// The page before.
    pub before: Option<String>,
    pub next: Option<String>,
}

impl HtmlSafe for Pager {}

impl Pager {
    /// Of this page of a list that is found at this address, which has a query already.
    pub fn of<T>(page: &wayfare_client::Page<T>, address: &str) -> Self {
        let at = |number: u32| format!("{address}&page={number}");
        Self {
            page: page.page,
            pages: page.total_pages.max(1),
            total: page.total,
            before: (page.page > 1).then(|| at(page.page - 1)),
            next: (i64::from(page.page) < page.total_pages).then(|| at(page.page + 1)),
        }
    }
}

/// How something stands: a shape, a colour and a word.
#[derive(Template)]
#[template(path = "part/status.html")]
pub struct Status {
    /// `ok`, `warn`, `bad`, `info`, or nothing.
    pub tone: &'static str,
    pub shape: &'static str,
    pub word: String,
}

impl HtmlSafe for Status {}

impl Status {
    pub fn new(tone: &'static str, shape: &'static str, word: impl Into<String>) -> Self {
        Self { tone, shape, word: word.into() }
    }
}
