//! A4: nothing moves under the pointer while suppliers answer one after the other.

use serde_json::Value;
use wayfare_tests::browser::Looked;

use crate::{
    journey,
    stage::{AGENT, Stage},
};

/// When the second and the third supplier answer.
const LATE: [&str; 2] = ["slow:1500", "slow:3000"];

/// Follows the card: where it is at each message and each frame.
const FOLLOW: &str = "(() => { const card = document.querySelector('.offer'); \
    const seen = []; const note = () => { const at = card.getBoundingClientRect(); \
    seen.push(card.isConnected ? [at.x, at.y, card.querySelector('.leg').textContent].join(' ') : 'gone'); }; \
    window.wayfareSeen = { seen, messages: 0, closed: false }; \
    document.addEventListener('htmx:sse:before:message', () => { window.wayfareSeen.messages += 1; note(); setTimeout(note); }); \
    document.addEventListener('htmx:sse:close', () => { window.wayfareSeen.closed = true; }); \
    const frame = () => { note(); requestAnimationFrame(frame); }; frame(); \
    const at = card.querySelector('.legs').getBoundingClientRect(); return [at.x + 8, at.y + 8]; })()";

pub fn check(stage: &Stage) -> Looked<String> {
    let mut page = stage.page_of(AGENT)?;
    for late in LATE {
        stage.wait(stage.world.next_at("tripjack", "search", late));
    }
    page.open(&stage.url(&journey::search_path(35, stage).replace("&wait=1", "")))?;
    page.has(".offer")?;
    let at = page.evaluate(FOLLOW)?;
    let place = |index: usize| at[index].as_f64().unwrap_or_default();
    page.click_at((place(0), place(1)))?;
    page.wait("the end of the stream", "window.wayfareSeen.closed")?;
    let seen = page.evaluate("[...new Set(window.wayfareSeen.seen)]")?;
    let messages = page.number("window.wayfareSeen.messages")?;
    if seen.as_array().map(Vec::len) != Some(1) {
        return Err(format!("the card was at {seen}"));
    }
    if messages < 2.0 {
        return Err(format!("only {messages} messages came after the first card"));
    }
    // What came is not lost: it waits behind a button.
    let before = page.evaluate("document.querySelector('#results').textContent")?;
    page.click("#more a")?;
    page.wait("all suppliers", "document.querySelector('.progress .pulse') === null")?;
    let after = page.evaluate("document.querySelector('#results').textContent")?;
    if before == after || before == Value::Null {
        return Err("what came later is not shown".to_owned());
    }
    journey::is_clean(&mut page, &stage.world.base_url)?;
    Ok(format!("{messages} messages came, the card stood still"))
}
