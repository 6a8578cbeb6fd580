//! Time zones of a folder, which is newer than those that are compiled in (`WAYFARE_ZONEINFO`).

use std::fs;
use std::path::Path;

use wayfare_domain::Zone;

/// No zone's file has so many bytes.
const LARGEST_FILE: u64 = 65_536;
/// `right` counts leap seconds, which nobody here does; `posix` is the same as beside it.
const NO_ZONES: [&str; 2] = ["right", "posix"];
/// The longest names have three parts: America/Argentina/Ushuaia.
const PARTS: usize = 3;

/// From now on the folder's zones hold. It is as `zic` writes it, and its `tzdata.zi` begins with its version.
///
/// # Errors
/// In words, with the folder: it can't be read, is older than what is compiled in, or has a zone that is none.
pub(crate) fn hold(folder: &Path) -> Result<(), String> {
    let list = folder.join("tzdata.zi");
    let text = fs::read_to_string(&list)
        .map_err(|error| format!("WAYFARE_ZONEINFO: {}: {error}", list.display()))?;
    let first = text.lines().next().unwrap_or_default();
    let version = first.strip_prefix("# version ").unwrap_or_default().trim();
    let mut zones = Vec::new();
    read(folder, "", PARTS, &mut zones)?;
    Zone::use_rules(version, zones)
        .map_err(|error| format!("WAYFARE_ZONEINFO: the time zones in {} {error}", folder.display()))
}

/// The zones in a folder by their names, which begin with its own, down to so many parts.
fn read(folder: &Path, prefix: &str, parts: usize, found: &mut Vec<(String, Vec<u8>)>) -> Result<(), String> {
    let unreadable =
        |path: &Path, error: &dyn std::fmt::Display| format!("WAYFARE_ZONEINFO: {}: {error}", path.display());
    for entry in fs::read_dir(folder).map_err(|error| unreadable(folder, &error))? {
        let entry = entry.map_err(|error| unreadable(folder, &error))?;
        let (path, name) = (entry.path(), entry.file_name());
        let Some(name) = name.to_str().filter(|name| !NO_ZONES.contains(name)) else { continue };
        let about = fs::metadata(&path).map_err(|error| unreadable(&path, &error))?;
        if about.is_dir() && parts > 1 {
            read(&path, &format!("{prefix}{name}/"), parts - 1, found)?;
        } else if about.is_file() && about.len() <= LARGEST_FILE {
            let data = fs::read(&path).map_err(|error| unreadable(&path, &error))?;
            // Lists of countries and the like stand beside them.
            if data.starts_with(b"TZif") {
                found.push((format!("{prefix}{name}"), data));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// A folder of this version with one file in it.
    fn folder(name: &str, first_line: &str, zone: &[u8]) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("zones-{}-{name}", std::process::id()));
        fs::create_dir_all(folder.join("Indian")).unwrap();
        fs::write(folder.join("tzdata.zi"), format!("{first_line}\n# and so on\n")).unwrap();
        fs::write(folder.join("Indian/Lemuria"), zone).unwrap();
        fs::write(folder.join("iso3166.tab"), "IN\tIndia\n").unwrap();
        folder
    }

    #[test]
    fn a_folder_that_is_older_or_broken_is_refused_with_its_reason() {
        for (name, first_line, zone, reason) in [
            ("older", "# version 2025b", &b"TZif2"[..], "are of 2025b, which is older than "),
            ("broken", "# version 2099a", b"TZif2", "can't be read of Indian/Lemuria"),
            ("empty", "# version 2099a", b"a list", "are of no zone"),
            ("nameless", "Z Indian/Lemuria", b"TZif2", "have no version such as"),
        ] {
            let folder = folder(name, first_line, zone);
            let refused = hold(&folder).unwrap_err();
            assert!(refused.starts_with("WAYFARE_ZONEINFO: ") && refused.contains(reason), "{refused}");
            fs::remove_dir_all(folder).unwrap();
        }
        assert!(hold(Path::new("/nowhere/at/all")).unwrap_err().contains("/nowhere/at/all"));
    }
}
