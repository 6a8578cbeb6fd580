//! `wayfarectl keys`: a new signing key, without downtime, and the keys of people.

use std::time::Duration;

use clap::Subcommand;
use serde::Serialize;
use wayfare_launch::{Keys, people_keys};
use wayfare_operations::{SigningKey, access::login::REFRESH_SECONDS, operator::people};

use crate::{
    installation::{Installation, bytes},
    output::{Done, Failure, Line, Output, Report},
};

/// What can be done with keys.
#[derive(Subcommand)]
pub enum Command {
    /// Makes a new key that signs access tokens; a running server takes it at once, and accepts the tokens of the one
    /// before it until the last of them has ended
    Rotate,
    /// Makes a new key that wraps those of people: from now on new rows are wrapped under it. With DATABASE_URL the file is
    /// made if there is none
    RotatePeople,
    /// Wraps the keys of all sealed rows under the newest key of people, a part at a time; begin it again if it was stopped
    RewrapPeople,
    /// Removes a key of people that wraps nothing any more: what backups have under it is gone then
    DropPeople {
        /// Its number
        id: u32,
    },
}

impl Command {
    /// Carries it out.
    pub async fn run(self, installation: Installation, output: Output) -> Done {
        match self {
            Self::Rotate => rotate(&installation, output),
            Self::RotatePeople => {
                let keys = people_keys::rotate(installation.common())?;
                output.print(&PeopleRotated {
                    newest: keys.keys().last().copied().unwrap_or_default(),
                    keys: keys.len(),
                })
            }
            Self::RewrapPeople => {
                let work = installation.with_platform(async |platform| {
                    let rewrapped = people::rewrap_all(platform).await?;
                    output.print(&Rewrapped { rewrapped })
                });
                work.await
            }
            Self::DropPeople { id } => drop_people(id, installation, output).await,
        }
    }
}

async fn drop_people(id: u32, installation: Installation, output: Output) -> Done {
    let common = installation.common().clone();
    let work = installation.with_platform(async |platform| {
        let wrapped = people::keys_in_use(platform).await?.into_iter();
        let rows = wrapped.filter(|(kek_id, _)| *kek_id == id.to_string()).map(|(_, rows)| rows).sum::<i64>();
        if rows > 0 {
            let why = format!(
                "the key {id} of people still wraps {rows} rows: run `wayfarectl keys rewrap-people` first"
            );
            return Err(Failure::Failed(why));
        }
        let keys = people_keys::forget(&common, id)?;
        output.print(&PeopleRotated {
            newest: keys.keys().last().copied().unwrap_or_default(),
            keys: keys.len(),
        })
    });
    work.await
}

#[derive(Serialize)]
struct Rewrapped {
    /// How many rows.
    rewrapped: u64,
}

impl Report for Rewrapped {
    fn lines(&self) -> Vec<Line<'_>> {
        vec![("rewrapped", self.rewrapped.to_string().into())]
    }
}

#[derive(Serialize)]
struct PeopleRotated {
    /// The number of the key that wraps now.
    newest: u32,
    /// How many there are.
    keys: usize,
}

impl Report for PeopleRotated {
    fn lines(&self) -> Vec<Line<'_>> {
        vec![("newest", self.newest.to_string().into()), ("keys", self.keys.to_string().into())]
    }
}

#[derive(Serialize)]
struct Rotated {
    /// The `kid` of new tokens.
    kid: String,
    /// How many keys before it are still accepted.
    accepted: usize,
    /// When the tokens of the key before it have ended, RFC 3339.
    accepted_until: Option<String>,
}

impl Report for Rotated {
    const NAMES: &str = "kid accepted accepted_until";
}

/// Makes a new signing key.
fn rotate(installation: &Installation, output: Output) -> Done {
    let longest = Duration::from_secs(REFRESH_SECONDS.unsigned_abs());
    let keys = Keys::rotate(installation.common(), longest)?.signing;
    output.print(&Rotated {
        kid: SigningKey::new(bytes(&keys.newest), None)?.id().to_owned(),
        accepted: keys.accepted.len(),
        accepted_until: keys
            .accepted
            .first()
            .and_then(|accepted| accepted.until)
            .map(|until| until.to_rfc3339()),
    })
}
