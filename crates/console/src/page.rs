//! A page: what is round it, and how it becomes an answer.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode};
use askama::Template;
use wayfare_client::{User, enums::Role};

use crate::{
    assets::{Asset, Assets},
    failure::Failure,
    side::Side,
};

/// The cookie with how pages look: `light`, `dark`, or nothing for what the machine says.
pub const THEME: &str = "wayfare-theme";

pub struct Shell {
    pub side: Side,
    pub title: String,
    /// Which entry of the bar it belongs to.
    pub area: &'static str,
    /// Who is logged in, if that was asked.
    pub person: Option<Person>,
    /// Whether there is a session, good or not.
    pub is_signed: bool,
    /// How many notifications they have not read.
    pub unread: u64,
    /// How pages look, where somebody has said so.
    pub theme: Option<&'static str>,
    pub is_sandbox: bool,
    pub assets: &'static Assets,
}

pub struct Person {
    pub name: String,
    /// The first letters of it.
    pub initials: String,
    pub role: &'static str,
    /// Whether they see the agency's money.
    pub is_admin: bool,
}

impl Person {
    fn of(user: &User) -> Self {
        let is_admin = user.role == Role::OrgAdmin;
        Self::new(&user.name, if is_admin { "Admin" } else { "Agent" }, is_admin)
    }

    pub fn new(name: &str, role: &'static str, is_admin: bool) -> Self {
        let words = name.split_whitespace();
        let initials: String = words.filter_map(|word| word.chars().next()).take(2).collect();
        Self { name: name.to_owned(), initials: initials.to_uppercase(), role, is_admin }
    }
}

impl Shell {
    pub fn signed(self, user: &User, unread: u64) -> Self {
        Self { person: Some(Person::of(user)), unread, ..self }
    }

    /// Where the console's pages are found.
    pub fn base(&self) -> &'static str {
        self.side.base()
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
        self.has_role(&["Desk", "Admin"])
    }

    /// Whether it is an operator who moves money, and sets terms, contracts and rates.
    pub fn may_move_money(&self) -> bool {
        self.has_role(&["Finance", "Admin"])
    }

    fn has_role(&self, roles: &[&str]) -> bool {
        let person = self.person.as_ref();
        person.is_some_and(|person| roles.contains(&person.role))
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
pub fn html(template: &impl Template) -> Result<HttpResponse, Failure> {
    html_with(StatusCode::OK, template)
}

pub fn html_with(status: StatusCode, template: &impl Template) -> Result<HttpResponse, Failure> {
    let text = template.render().map_err(|error| Failure::broken(&error.to_string()))?;
    Ok(HttpResponse::build(status).content_type("text/html; charset=utf-8").body(text))
}

/// A template's text, for a part within another one.
pub fn part(template: &impl Template) -> Result<String, Failure> {
    template.render().map_err(|error| Failure::broken(&error.to_string()))
}

/// Where one stands in a list, and where one can go from there.
pub struct Pager {
    pub page: u32,
    pub pages: u32,
    pub total: u64,
    /// The page before.
    pub before: Option<String>,
    pub next: Option<String>,
}

impl Pager {
    /// Of this page of a list that is found at this address, which has a query already.
    pub fn of<T>(page: &wayfare_client::Page<T>, address: &str) -> Self {
        let at = |number: u32| format!("{address}&page={number}");
        Self {
            page: page.page,
            pages: page.total_pages.max(1),
            total: page.total,
            before: (page.page > 1).then(|| at(page.page - 1)),
            next: (page.page < page.total_pages).then(|| at(page.page + 1)),
        }
    }
}

/// How something stands: a shape, a colour and a word.
pub struct Status {
    /// `ok`, `warn`, `bad`, `info`, or nothing.
    pub tone: &'static str,
    pub shape: &'static str,
    pub word: String,
}

impl Status {
    pub fn new(tone: &'static str, shape: &'static str, word: impl Into<String>) -> Self {
        Self { tone, shape, word: word.into() }
    }
}
