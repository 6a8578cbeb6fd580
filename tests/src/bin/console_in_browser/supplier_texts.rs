//! A8: markup in what suppliers send is shown as they wrote it, and does nothing.

use wayfare_tests::browser::{Looked, Page};

use crate::{
    journey,
    stage::{AGENT, Stage},
};

pub fn check(stage: &Stage) -> Looked<String> {
    let mut page = stage.page_of(AGENT)?;
    for supplier in ["duffel", "tripjack"] {
        for call in ["search", "price", "book", "lookup"] {
            stage.wait(stage.world.next_times_at(supplier, call, "sends_markup", 20));
        }
    }
    let seen = look(stage, &page);
    stage.wait(stage.world.all_is_well());
    let shown = seen?;
    journey::is_clean(&mut page, &stage.world.base_url)?;
    Ok(format!("shown as text on {}", shown.join(", ")))
}

fn look(stage: &Stage, page: &Page) -> Looked<Vec<&'static str>> {
    let mut shown = Vec::new();
    page.open(&stage.url(&journey::search_path(60, stage)))?;
    page.has(".offer")?;
    is_text(page, "results", &mut shown)?;
    page.click(".fare a[hx-get*='/rules']")?;
    page.has("#dialogs dialog[open]")?;
    is_text(page, "rules", &mut shown)?;
    page.press("Escape")?;
    journey::select(page)?;
    is_text(page, "quote", &mut shown)?;
    journey::fill_travellers(page)?;
    is_text(page, "check", &mut shown)?;
    journey::book(page)?;
    is_text(page, "booking", &mut shown)?;
    match shown.is_empty() {
        true => Err("no page shows what the supplier wrote".to_owned()),
        false => Ok(shown),
    }
}

/// That no markup of a supplier's became a part of the page; whether it is shown is noted.
fn is_text(page: &Page, name: &'static str, shown: &mut Vec<&'static str>) -> Looked {
    let became =
        page.evaluate("document.querySelectorAll('[onerror]').length + (document.title === 'run' ? 1 : 0)")?;
    if became != 0 {
        return Err(format!("{name}: it became a part of the page"));
    }
    if page.evaluate("document.body.textContent.includes('<img src=x onerror=')")? == true {
        shown.push(name);
    }
    Ok(())
}
