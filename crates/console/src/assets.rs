//! Styles and scripts: part of the program, under names with a hash of what is in them, so that browsers keep them for ever.

use std::{io::Write, sync::LazyLock};

use actix_web::web::Bytes;
use flate2::{Compression, write::GzEncoder};
use sha2::{Digest, Sha256};

const STYLES: [&str; 4] = [
    include_str!("../assets/tokens.css"),
    include_str!("../assets/base.css"),
    include_str!("../assets/components.css"),
    include_str!("../assets/pages.css"),
];
/// htmx first: what comes behind it extends it.
const SCRIPTS: [&str; 3] = [
    include_str!("../vendor/htmx.min.js"),
    include_str!("../vendor/hx-sse.min.js"),
    include_str!("../assets/console.js"),
];
const PLOT_SCRIPTS: [&str; 2] =
    [include_str!("../vendor/uplot.iife.min.js"), include_str!("../assets/plot.js")];

pub static ASSETS: LazyLock<Assets> = LazyLock::new(|| Assets {
    style: Asset::of("console", "css", "text/css; charset=utf-8", &STYLES),
    script: Asset::of("console", "js", "text/javascript; charset=utf-8", &SCRIPTS),
    plot_style: Asset::of(
        "plot",
        "css",
        "text/css; charset=utf-8",
        &[include_str!("../vendor/uplot.min.css")],
    ),
    plot_script: Asset::of("plot", "js", "text/javascript; charset=utf-8", &PLOT_SCRIPTS),
    icon: Asset::of("icon", "svg", "image/svg+xml", &[include_str!("../assets/icon.svg")]),
});

pub struct Assets {
    pub style: Asset,
    pub script: Asset,
    pub plot_style: Asset,
    pub plot_script: Asset,
    pub icon: Asset,
}

pub struct Asset {
    /// Behind the last slash of its address.
    pub name: String,
    pub content_type: &'static str,
    pub plain: Bytes,
    pub packed: Bytes,
}

impl Asset {
    fn of(stem: &str, end: &str, content_type: &'static str, parts: &[&str]) -> Self {
        let text = parts.join("\n");
        let hash = Sha256::digest(&text);
        let hash: String = hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let name = format!("{stem}-{hash}.{end}");
        let mut packer = GzEncoder::new(Vec::new(), Compression::best());
        let packed = packer.write_all(text.as_bytes()).and_then(|()| packer.finish());
        Self { name, content_type, packed: packed.unwrap_or_default().into(), plain: text.into() }
    }
}
