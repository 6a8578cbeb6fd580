//! A6: one session in two tabs.

use wayfare_tests::browser::Looked;

use crate::stage::{AGENT, Stage};

/// How many requests each tab sends, some at once.
const REQUESTS: usize = 100;

pub fn check(stage: &Stage) -> Looked<String> {
    let first = stage.page_of(AGENT)?;
    let second = first.beside();
    second.open(&stage.url("/console/wallet"))?;
    // Begun in one tab before it is waited for in the other.
    let ask = format!(
        "window.wayfareAsked = (async () => {{ const paths = ['', '/flights', '/bookings', '/wallet', '/me', '/notifications']; \
         const bad = []; const one = async () => {{ const path = '/console' + paths[Math.floor(Math.random() * paths.length)]; \
         const answer = await fetch(path); if (!answer.ok || answer.redirected) bad.push(path + ' ' + answer.status + ' ' + answer.url); }}; \
         for (let turn = 0; turn < {REQUESTS} / 5; turn += 1) await Promise.all([one(), one(), one(), one(), one()]); \
         return bad; }})(); true"
    );
    for tab in [&first, &second] {
        tab.evaluate(&ask)?;
    }
    for tab in [&first, &second] {
        let bad = tab.evaluate("window.wayfareAsked")?;
        if bad.as_array().is_none_or(|bad| !bad.is_empty()) {
            return Err(format!("some requests failed: {bad}"));
        }
    }
    first.click(".menu > summary")?;
    first.click("form[action='/console/logout'] button")?;
    first.is_at("/console/login")?;
    second.click("nav a[href='/console/bookings']")?;
    second.is_at("/console/login?to=%2Fconsole%2Fbookings")?;
    Ok(format!("{} requests, nobody was logged out; the log-out ended both", 2 * REQUESTS))
}
