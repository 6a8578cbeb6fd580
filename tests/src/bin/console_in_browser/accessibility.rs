//! A2: what axe-core finds on every screen, in both colours and two widths; and that no screen scrolls sideways where it is
//! narrow.

use std::fs;

use serde_json::{Value, json};
use wayfare_tests::browser::{Looked, Page};

use crate::{screens, stage::Stage};

/// What axe-core is asked for: WCAG 2.2 AA with all that it stands on.
const TAGS: [&str; 6] = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"];
const LOOKS: [(&str, u32, u32); 4] =
    [("light", 1280, 800), ("dark", 320, 640), ("dark", 1280, 800), ("light", 320, 640)];

pub fn check(stage: &Stage) -> Looked<String> {
    let Some(file) = &stage.options.axe else { return Ok("SKIPPED, axe-core is not here".to_owned()) };
    let axe = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let mut found = Vec::new();
    let mut looks = 0;
    let count = screens::each(
        stage,
        |_| true,
        |screen, page| {
            page.evaluate(&format!("{axe}; true"))?;
            for (colours, width, height) in LOOKS {
                page.colours(colours)?;
                page.resize(width, height)?;
                looks += 1;
                for violation in violations(page)? {
                    found.push(format!("{} {colours} {width}: {violation}", screen.name));
                }
            }
            Ok(())
        },
    )?;
    match found.is_empty() {
        true => Ok(format!("{count} screens, {looks} looks, nothing found")),
        false => Err(format!("\n  {}", found.join("\n  "))),
    }
}

/// What axe-core finds on the page now.
fn violations(page: &Page) -> Looked<Vec<String>> {
    let options = json!({ "runOnly": { "type": "tag", "values": TAGS }, "resultTypes": ["violations"] });
    let expression = format!(
        "axe.run(document, {options}).then((found) => found.violations.flatMap((one) => one.nodes.map((node) => \
         `${{one.id}} at ${{node.target}}: ${{node.failureSummary.replaceAll('\\n', ' ')}}`)))"
    );
    let found = page.evaluate(&expression)?.as_array().cloned().unwrap_or_default();
    Ok(found.iter().filter_map(Value::as_str).map(str::to_owned).collect())
}

pub fn check_width(stage: &Stage) -> Looked<String> {
    let mut wide = Vec::new();
    let count = screens::each(
        stage,
        |_| true,
        |screen, page| {
            page.resize(320, 640)?;
            let widest = page.evaluate(
                "(() => { const room = document.documentElement.clientWidth; \
                 if (document.documentElement.scrollWidth <= room) return null; \
                 const all = [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > room + 1); \
                 return all.slice(-3).map((one) => one.outerHTML.slice(0, 120)); })()",
            )?;
            if !widest.is_null() {
                wide.push(format!("{}: {widest}", screen.name));
            }
            Ok(())
        },
    )?;
    match wide.is_empty() {
        true => Ok(format!("{count} screens")),
        false => Err(format!("\n  {}", wide.join("\n  "))),
    }
}
