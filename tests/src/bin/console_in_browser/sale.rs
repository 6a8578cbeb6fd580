//! A1: from the log-in to the ticket number, while one supplier takes its time.

use wayfare_tests::browser::Looked;

use crate::{
    journey,
    stage::{AGENT, Stage},
};

/// How late one supplier answers: the other's offers have to be shown before.
const LATE: &str = "slow:2500";

pub fn check(stage: &Stage) -> Looked<String> {
    let mut page = stage.page_of(AGENT)?;
    page.click("nav a[href='/console/flights']")?;
    stage.wait(stage.world.next_times_at("tripjack", "search", LATE, 2));
    journey::search(&page)?;
    page.has(".offer .fare .button")?;
    // The first card stands while others are still asked.
    let early = page.number("document.querySelectorAll('.offer').length")?;
    page.wait("progress", "document.querySelector('.progress .pulse') !== null")?;
    page.wait(
        "the last supplier's answer",
        "document.querySelector('#results .progress .pulse') === null && document.querySelectorAll('.progress .status').length > 1",
    )?;
    let late = page.number("document.querySelectorAll('.offer').length")?;
    // A filter cuts from what is kept.
    page.click("#filters input[name=stops]")?;
    page.wait("filtered cards", "document.querySelector('#filters input[name=stops]').checked")?;
    page.wait(
        "less cards",
        "[...document.querySelectorAll('.offer .path')].every((path) => !path.textContent.includes('stop') || \
         path.textContent.includes('Nonstop'))",
    )?;
    journey::select(&page)?;
    journey::fill_travellers(&page)?;
    let reference = journey::book(&page)?;
    let ticket = journey::ticket(&page)?;
    journey::is_clean(&mut page, &stage.world.base_url)?;
    Ok(format!(
        "{early} cards stood before the second supplier answered, {late} after; {reference}, ticket {ticket}"
    ))
}
