//! Pictures of the main screens for the documentation, 1280 × 800, light; or of the screens that are named.

use std::{fs, path::Path};

use wayfare_tests::browser::Looked;

use crate::{screens, stage::Stage};

pub fn take(stage: &Stage, folder: &Path) -> Looked<String> {
    fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    let chosen = &stage.options.screens;
    let count = screens::each(
        stage,
        |screen| match chosen.is_empty() {
            true => screen.has_picture,
            false => chosen.iter().any(|name| name == screen.name),
        },
        |screen, page| {
            if !chosen.is_empty() {
                page.resize(1280, 1400)?;
                page.evaluate(
                    "document.querySelectorAll('main details').forEach((one) => { one.open = true; })",
                )?;
            }
            // Nothing is under the pointer, and nothing blinks.
            page.point((0.0, 0.0))?;
            page.evaluate("document.activeElement?.blur(); window.scrollTo(0, 0)")?;
            let file = folder.join(format!("{}.png", screen.name));
            fs::write(file, page.picture()?).map_err(|error| error.to_string())
        },
    )?;
    Ok(format!("{count} in {}", folder.display()))
}
