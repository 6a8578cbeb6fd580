//! A3: a sale without a mouse. At each stop the focus is somewhere, seen and not covered; no swap takes it away.

use serde_json::json;
use wayfare_tests::{
    PASSWORD,
    browser::{Looked, Page},
};

use crate::{
    journey,
    stage::{AGENT, Stage},
};

/// So many stops are passed at most on the way to one.
const STOPS: usize = 120;
/// What is wrong with where the focus is.
const FOCUS: &str = "(() => { const at = document.activeElement; if (!at || at === document.body) return 'nowhere'; \
    const style = getComputedStyle(at), box = at.getBoundingClientRect(); \
    const bar = document.querySelector('.bar'); \
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2); \
    const covered = bar && !bar.contains(at) && bar.contains(top); \
    const seen = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1; \
    const inside = box.bottom > 0 && box.top < innerHeight; \
    return seen && inside && !covered ? '' : `${seen ? '' : 'not seen '}${inside ? '' : 'outside '}${covered ? 'covered ' : ''}${at.outerHTML.slice(0, 90)}`; })()";
/// Counts swaps, and notes those after which the focus is nowhere or elsewhere.
const SWAPS: &str = "window.wayfareSwaps = { count: 0, lost: [] }; let held = null; \
    document.addEventListener('htmx:before:swap', () => { held = document.activeElement; }); \
    document.addEventListener('htmx:after:swap', () => { window.wayfareSwaps.count += 1; \
    const now = document.activeElement; \
    if (held && held !== document.body && now !== held && (!now || now === document.body)) window.wayfareSwaps.lost.push(held.outerHTML.slice(0, 90)); }); true";

pub fn check(stage: &Stage) -> Looked<String> {
    let mut page = stage.browser.page();
    page.resize(1280, 800)?;
    page.open(&stage.url("/console"))?;
    let mut stops = 0;
    for (id, text) in [("#agency", stage.agency.code.as_ref()), ("#username", AGENT), ("#password", PASSWORD)]
    {
        stops += tab_to(&page, id)?;
        page.type_text(text)?;
    }
    page.press("Enter")?;
    page.wait("a start", "location.pathname === '/console' && document.readyState === 'complete'")?;
    page.type_text("gf")?;
    page.is_at("/console/flights")?;
    page.press("/")?;
    for (id, text) in [("#from", "delhi"), ("#to", "mumbai")] {
        stops += tab_to(&page, id)?;
        page.type_text(text)?;
        page.has(&format!("{id}-list:not([hidden]) li[aria-selected=true]"))?;
        page.press("Enter")?;
    }
    page.evaluate(SWAPS)?;
    // A form is sent by Enter in any of its fields.
    page.press("Enter")?;
    page.has(".offer")?;
    page.evaluate(SWAPS)?;
    page.wait("all suppliers", "document.querySelector('#results .progress .pulse') === null")?;
    stops += narrow(&page)?;
    let swaps = page.number("window.wayfareSwaps.count")?;
    let lost = page.evaluate("window.wayfareSwaps.lost")?;
    if lost != json!([]) {
        return Err(format!("a swap took the focus from {lost}"));
    }
    page.press("j")?;
    stops += tab_to(&page, ".fare .button")?;
    page.press("Enter")?;
    page.is_at("/console/flights/quote")?;
    stops += travellers(&page)?;
    page.is_at("/console/flights/check")?;
    stops += tab_to(&page, "form[action='/console/flights/book'] .button.primary")?;
    page.press("Enter")?;
    let reference = journey::booked(&page)?;
    let ticket = journey::ticket(&page)?;
    journey::is_clean(&mut page, &stage.world.base_url)?;
    Ok(format!("{stops} stops, {swaps} swaps; {reference}, ticket {ticket}"))
}

fn narrow(page: &Page) -> Looked<usize> {
    page.press("f")?;
    let mut stops = tab_to(page, "#filters input[name=stops]")?;
    for (key, done) in [("Space", 1), ("Space", 2)] {
        page.press(key)?;
        page.wait("a swap", &format!("window.wayfareSwaps.count >= {done}"))?;
        focused(page)?;
    }
    stops += tab_to(page, "nav.tabs a[hx-get*='sort=fastest']")?;
    page.press("Enter")?;
    page.wait("a swap", "window.wayfareSwaps.count >= 3")?;
    focused(page)?;
    Ok(stops)
}

fn travellers(page: &Page) -> Looked<usize> {
    let mut stops = tab_to(page, &journey::by_id("passengers[0].title"))?;
    page.type_text("Ms")?;
    for (id, text) in journey::TRAVELLER {
        stops += tab_to(page, &journey::by_id(id))?;
        page.type_text(text)?;
        if id == "passengers[0].last_name" {
            stops += tab_to(page, &journey::by_id("passengers[0].dob"))?;
            // Day and month are the same, whichever comes first.
            page.type_text("04041990")?;
        }
    }
    page.press("Enter")?;
    Ok(stops)
}

/// Presses Tab until the focus is at such an element; how many stops that took.
fn tab_to(page: &Page, selector: &str) -> Looked<usize> {
    let is_there = format!("document.activeElement?.matches({}) === true", json!(selector));
    for stop in 0..STOPS {
        if page.evaluate(&is_there)? == true {
            focused(page)?;
            return Ok(stop);
        }
        page.press("Tab")?;
        focused(page)?;
    }
    Err(format!("no Tab leads to {selector}"))
}

/// That the focus is somewhere and seen.
fn focused(page: &Page) -> Looked {
    match page.text(FOCUS)? {
        wrong if wrong.is_empty() => Ok(()),
        wrong => Err(format!("the focus is {wrong} at {}", page.text("location.pathname")?)),
    }
}
