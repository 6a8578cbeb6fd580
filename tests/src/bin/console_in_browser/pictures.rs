//! Pictures of the main screens for the documentation: 1280 × 800, light.

use std::{fs, path::Path};

use wayfare_tests::browser::Looked;

use crate::{screens, stage::Stage};

/// Takes them into this folder.
pub fn take(stage: &Stage, folder: &Path) -> Looked<String> {
    fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    let count = screens::each(
        stage,
        |screen| screen.has_picture,
        |screen, page| {
            // Nothing is under the pointer, and nothing blinks.
            page.point((0.0, 0.0))?;
            page.evaluate("document.activeElement?.blur(); window.scrollTo(0, 0)")?;
            let file = folder.join(format!("{}.png", screen.name));
            fs::write(file, page.picture()?).map_err(|error| error.to_string())
        },
    )?;
    Ok(format!("{count} in {}", folder.display()))
}
