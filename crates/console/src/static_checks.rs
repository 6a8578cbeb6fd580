//! What can be said of styles, scripts and templates without serving them.

use std::{collections::BTreeMap, fs, path::PathBuf};

use sha2::{Digest, Sha256};

use crate::{assets::ASSETS, side::Side};

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn templates() -> Vec<(String, String)> {
    let mut folders = vec![folder("templates")];
    let mut found = Vec::new();
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => found.push((path.display().to_string(), fs::read_to_string(path).unwrap())),
            }
        }
    }
    found
}

#[test]
fn scripts_of_others_are_as_they_were_published() {
    let sums = fs::read_to_string(folder("vendor/CHECKSUMS")).unwrap();
    let mut count = 0;
    for line in sums.lines() {
        let (sum, name) = line.split_once("  ").unwrap();
        let found = Sha256::digest(fs::read(folder("vendor").join(name)).unwrap());
        let found: String = found.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(found, sum, "{name}");
        count += 1;
    }
    let scripts = fs::read_dir(folder("vendor")).unwrap().filter(|entry| {
        let name = entry.as_ref().unwrap().file_name();
        let name = name.to_string_lossy();
        name.ends_with(".js") || name.ends_with(".css")
    });
    assert_eq!(scripts.count(), count);
}

/// What a bar shows beside its entries has keys, too (`part/bar.html`).
#[test]
fn each_entry_of_a_bar_has_keys_of_its_own_that_the_script_knows() {
    let script = fs::read_to_string(folder("assets/console.js")).unwrap();
    for side in [Side::Agency, Side::Operator] {
        let mut taken = vec!["g n", "g p"];
        for entry in side.bar() {
            assert!(!taken.contains(&entry.keys), "{}: {} is taken", entry.name, entry.keys);
            taken.push(entry.keys);
            let known = script.matches(&format!("['{}', ", entry.keys)).count();
            assert_eq!(known, 1, "{}: {} in KEYS of the script", entry.name, entry.keys);
        }
    }
}

#[test]
fn no_template_needs_more_than_the_policy_allows() {
    let templates = templates();
    assert!(templates.len() > 20);
    for (name, text) in templates {
        for forbidden in [
            " style=",
            "<style",
            " onclick",
            " onload",
            " onsubmit",
            " onchange",
            "hx-on",
            "javascript:",
            "js:",
            "http://",
            "https://",
            "src=\"//",
            "href=\"//",
        ] {
            let text = text.replace("http://www.w3.org", "");
            assert!(!text.contains(forbidden), "{name} has {forbidden}");
        }
        // What is not escaped is data in a script element, or written in a template.
        let parts: Vec<&str> = text.split("|safe").collect();
        for part in &parts[..parts.len() - 1] {
            let inner = part.rsplit("{{").next().unwrap_or_default().trim();
            assert!(["plot.data", "kind"].contains(&inner), "{name}: {inner}");
        }
    }
}

/// A total is shown by [`crate::sums::Sums`] alone, whose lines a test adds up on every page that it reads: a page that shows
/// one otherwise would not be added up.
#[test]
fn every_total_is_shown_by_its_lines() {
    for (name, text) in templates() {
        let is_sums = name.ends_with("part/sums.html");
        for mark in ["class=\"sums", "class=\"total", "data-sum", "data-total", "<tfoot"] {
            assert!(is_sums || !text.contains(mark), "{name} has {mark}");
        }
        // Figures side by side are told apart from what they come to.
        let cards = text.split("<dl class=\"cards\">").skip(1);
        let cards: String = cards.filter_map(|rest| rest.split("</dl>").next()).collect();
        for total in ["Total", "total", "Available balance", "You pay", "Refund"] {
            assert!(!cards.contains(&format!("<dt>{total}")), "{name}: {total}");
        }
    }
}

/// What is swapped into is on the page, or in what comes into it.
#[test]
fn every_target_is_there() {
    let all: String = templates().into_iter().map(|(_, text)| text).collect();
    for part in all.split("hx-target=\"#").skip(1) {
        let id = part.split('"').next().unwrap();
        assert!(all.contains(&format!("id=\"{id}\"")), "{id}");
    }
}

#[test]
fn what_travels_is_small() {
    let all = &*ASSETS;
    for (name, bytes, most) in [
        ("styles", all.style.packed.len(), 12_000),
        ("scripts", all.script.packed.len(), 22_000),
        ("scripts of the plot", all.script.packed.len() + all.plot_script.packed.len(), 45_000),
    ] {
        assert!((1..most).contains(&bytes), "{name}: {bytes} bytes");
    }
    let own = fs::read_to_string(folder("assets/console.js")).unwrap();
    let packed = {
        use flate2::{Compression, write::GzEncoder};
        use std::io::Write;
        let mut packer = GzEncoder::new(Vec::new(), Compression::best());
        packer.write_all(own.as_bytes()).unwrap();
        packer.finish().unwrap()
    };
    assert!(packed.len() < 6_000, "{} bytes", packed.len());
}

/// The colours of a block of the styles.
fn colours(block: &str) -> BTreeMap<String, [u8; 3]> {
    let lines = block.lines().filter_map(|line| line.trim().strip_prefix("--"));
    let pairs = lines.filter_map(|line| line.trim_end_matches(';').split_once(": #"));
    pairs
        .filter(|(_, hex)| hex.len() == 6)
        .map(|(name, hex)| {
            let part = |place: usize| u8::from_str_radix(&hex[place..place + 2], 16).unwrap();
            (name.to_owned(), [part(0), part(2), part(4)])
        })
        .collect()
}

#[allow(clippy::float_arithmetic, reason = "colours are no money")]
fn luminance(colour: [u8; 3]) -> f64 {
    let part = |value: u8| {
        let value = f64::from(value) / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    let [red, green, blue] = colour.map(part);
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

#[allow(clippy::float_arithmetic, reason = "colours are no money")]
fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// WCAG 2.2 AA: 4.5 for texts, 3 for controls.
#[test]
fn everything_can_be_read_in_both_themes() {
    let styles = include_str!("../assets/tokens.css");
    let block = |begin: &str| {
        let from = styles.find(begin).unwrap();
        let rest = &styles[from..];
        colours(&rest[..rest.find('}').unwrap()])
    };
    let (light, machine, dark) =
        (block("  :root {"), block(":root:not([data-theme=\"light\"])"), block(":root[data-theme=\"dark\"]"));
    assert_eq!(machine, dark, "dark is one theme");
    assert_eq!(light.keys().collect::<Vec<_>>(), dark.keys().collect::<Vec<_>>());
    for theme in [&light, &dark] {
        for (text, ground, least) in [
            ("text", "bg", 4.5),
            ("text", "surface", 4.5),
            ("text", "raised", 4.5),
            ("muted", "bg", 4.5),
            ("muted", "surface", 4.5),
            ("muted", "raised", 4.5),
            ("accent", "bg", 4.5),
            ("accent", "surface", 4.5),
            ("on-accent", "accent", 4.5),
            ("ok", "ok-ground", 4.5),
            ("warn", "warn-ground", 4.5),
            ("bad", "bad-ground", 4.5),
            ("info", "info-ground", 4.5),
            ("bad", "bg", 4.5),
            ("ok", "bg", 4.5),
            ("warn", "bg", 4.5),
            ("text", "ok-ground", 4.5),
            ("text", "warn-ground", 4.5),
            ("text", "bad-ground", 4.5),
            ("text", "info-ground", 4.5),
            ("control", "bg", 3.0),
            ("control", "surface", 3.0),
        ] {
            let found = contrast(theme[text], theme[ground]);
            assert!(found >= least, "{text} on {ground}: {found:.2}");
        }
    }
}
