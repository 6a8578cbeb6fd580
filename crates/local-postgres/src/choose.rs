//! Chooses the programs for a cluster: those of its version, or the first that are new enough, or fetched ones.

use std::path::Path;

use crate::binaries::{Binaries, bins_in, version};
use crate::error::{Error, FetchError, OLDEST_MAJOR, io};
use crate::layout::Layout;
use crate::settings::Settings;
use crate::user::RunUser;
use crate::{cluster, fetch};

/// The programs for the cluster of `layout`: of its version when it exists, else the first that is new
/// enough; fetched when there are none.
pub(crate) async fn choose(
    settings: &Settings,
    layout: &Layout,
    user: Option<&RunUser>,
) -> Result<Binaries, Error> {
    let needed = cluster::major(layout)?;
    let fits = |major: u32| needed.map_or(major >= OLDEST_MAJOR, |needed| needed == major);
    if let Some(bin) = &settings.bin {
        return named(bin, layout, needed, user).await;
    }
    let fetched = settings.download.iter();
    let fetched = fetched.flat_map(|download| bins_in(&download.cache, "postgresql-"));
    let mut found = Vec::new();
    for place in settings.search.iter().cloned().chain(fetched) {
        match Binaries::in_folder(&place, user).await {
            Ok(binaries) if fits(binaries.major) => return Ok(binaries),
            Ok(other) => found.push(other.major),
            Err(error @ Error::NoPrivilege(_)) => return Err(error),
            Err(error) => tracing::debug!(%error, "passed over"),
        }
    }
    match (&settings.download, needed) {
        (Some(download), needed)
            if needed.is_none_or(|major| version(&download.version).starts_with(&[major])) =>
        {
            fetch::fetch(download, user).await
        }
        (_, Some(major)) => Err(wrong_major(layout, major, &found)),
        (_, None) => Err(Error::NoBinaries(FetchError::SwitchedOff)),
    }
}

/// The folder the caller named, and no other.
async fn named(
    bin: &Path,
    layout: &Layout,
    needed: Option<u32>,
    user: Option<&RunUser>,
) -> Result<Binaries, Error> {
    let path = std::path::absolute(bin).map_err(io("resolve", bin))?;
    let binaries = Binaries::in_folder(&path, user).await?;
    match needed {
        Some(major) if major != binaries.major => Err(wrong_major(layout, major, &[binaries.major])),
        None if binaries.major < OLDEST_MAJOR => {
            let reason =
                format!("it is version {}, and {OLDEST_MAJOR} is the oldest that does", binaries.major);
            Err(Error::UnusableBinaries { path, reason })
        }
        _ => Ok(binaries),
    }
}

fn wrong_major(layout: &Layout, major: u32, found: &[u32]) -> Error {
    let found: Vec<String> = found.iter().map(u32::to_string).collect();
    Error::WrongMajor {
        path: layout.data.clone(),
        major,
        found: match found.is_empty() {
            true => "none".to_owned(),
            false => found.join(", "),
        },
    }
}
