//! The steps of a sale, as somebody with a mouse takes them.

use serde_json::json;
use wayfare_tests::browser::{Looked, Page};

pub const TRAVELLER: [(&str, &str); 5] = [
    ("passengers[0].first_name", "Meera"),
    ("passengers[0].last_name", "Shah"),
    ("contact_email", "meera@example.com"),
    ("contact_country_code", "91"),
    ("contact_phone", "9812345678"),
];

/// Fills in the log-in, which the page shows.
pub fn log_in(page: &Page, agency: &str, username: &str, password: &str) -> Looked {
    page.fill("#agency", agency)?;
    page.fill("#username", username)?;
    page.fill("#password", password)?;
    page.click("button.primary")?;
    page.wait("a start", "location.pathname === '/console' && document.readyState === 'complete'").map(drop)
}

/// An element by its id, which may have dots and brackets.
pub fn by_id(id: &str) -> String {
    format!("[id=\"{id}\"]")
}

/// Searches one way, from Delhi to Mumbai, by the form.
pub fn search(page: &Page) -> Looked {
    page.is_at("/console/flights")?;
    page.click("input[name=trip][value=one]")?;
    for (id, text) in [("#from", "delhi"), ("#to", "mumbai")] {
        page.fill(id, text)?;
        page.click(&format!("{id}-list:not([hidden]) li"))?;
    }
    page.click("form.search button")
}

/// The address of a search that is made at once and shown whole.
pub fn search_path(days: i64, stage: &crate::stage::Stage) -> String {
    let day = (stage.world.now() + chrono::Duration::days(days)).date_naive();
    format!(
        "/console/flights?trip=one&from=Delhi+%28DEL%29&to=Mumbai+%28BOM%29&out={day}&adults=1&children=0&infants=0\
         &cabin=ECONOMY&wait=1"
    )
}

/// The address of a search of hotels in Mumbai that is made at once and shown whole.
pub fn stays_path(days: i64, stage: &crate::stage::Stage) -> String {
    let day = |days: i64| (stage.world.now() + chrono::Duration::days(days)).date_naive();
    let (check_in, check_out) = (day(days), day(days + 2));
    format!(
        "/console/hotels?place=Mumbai%2C+IN+%281275339%29&check_in={check_in}&check_out={check_out}&nationality=IN&rooms=1\
         &rooms%5B0%5D.adults=1&rooms%5B0%5D.children_ages=&wait=1"
    )
}

/// Fills in who stays, and goes on to the check.
pub fn fill_guests(page: &Page) -> Looked {
    let title = json!(by_id("rooms[0].guests[0].title"));
    page.evaluate(&format!("document.querySelector({title}).value = 'Mrs'"))?;
    for (id, text) in [
        ("rooms[0].guests[0].first_name", "Meera"),
        ("rooms[0].guests[0].last_name", "Shah"),
        ("contact.email", "meera@example.com"),
        ("contact.phone", "9812345678"),
    ] {
        page.fill(&by_id(id), text)?;
    }
    page.click(".stack > .row .button.primary")?;
    page.is_at("/console/hotels/check")?;
    page.has("form[action='/console/hotels/book']")
}

/// Chooses the first fare.
pub fn select(page: &Page) -> Looked {
    page.click(".fare .button")?;
    page.is_at("/console/flights/quote")
}

/// Fills in who travels, and goes on to the check.
pub fn fill_travellers(page: &Page) -> Looked {
    let title = json!(by_id("passengers[0].title"));
    page.evaluate(&format!("document.querySelector({title}).value = 'Ms'"))?;
    for (id, text) in TRAVELLER {
        page.fill(&by_id(id), text)?;
    }
    let born = by_id("passengers[0].dob");
    page.click(&born)?;
    page.evaluate(&format!("document.querySelector({}).value = '1990-04-12'", json!(born)))?;
    page.click(".stack > .row .button.primary")?;
    page.is_at("/console/flights/check")?;
    page.has("form[action='/console/flights/book']")
}

/// Books what is checked; the booking's reference.
pub fn book(page: &Page) -> Looked<String> {
    page.click("form[action='/console/flights/book'] .button.primary")?;
    booked(page)
}

/// The reference of the booking that the page shows.
pub fn booked(page: &Page) -> Looked<String> {
    page.is_at("/console/bookings/")?;
    page.text("location.pathname.split('/').pop()")
}

/// The ticket's number, once there is one.
pub fn ticket(page: &Page) -> Looked<String> {
    let number = page.wait(
        "a ticket number",
        "/\\d{6,}/.exec(document.querySelector('td[data-label=Ticket]')?.textContent ?? '')?.[0]",
    )?;
    Ok(number.as_str().unwrap_or_default().to_owned())
}

/// That nothing was forbidden, thrown or complained of, and nobody else was asked.
pub fn is_clean(page: &mut Page, own: &str) -> Looked {
    let problems = page.problems();
    if !problems.is_empty() {
        return Err(problems.join("; "));
    }
    let foreign = page.requests().into_iter().map(|asked| asked.url);
    let foreign: Vec<String> =
        foreign.filter(|url| !url.starts_with(own) && !url.starts_with("data:")).collect();
    match foreign.is_empty() {
        true => Ok(()),
        false => Err(format!("other hosts were asked: {foreign:?}")),
    }
}
