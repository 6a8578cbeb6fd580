//! The statements that PostgreSQL refused, out of its log: by server and message, since callers may see none of them.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::PathBuf,
};

/// What begins a statement in the log, below the error that it met.
const STATEMENT: &str = "STATEMENT:  ";

/// The log, and how far it was read.
pub struct Log {
    path: PathBuf,
    from: u64,
}

/// A refusal: whose statement, what PostgreSQL said, and how the statement begins.
type Refusal = (String, String, String);

impl Log {
    pub fn of(path: PathBuf) -> Self {
        Self { path, from: 0 }
    }

    /// What was refused since the last time, each with how often.
    pub fn since(&mut self) -> BTreeMap<Refusal, usize> {
        let mut file = File::open(&self.path).unwrap();
        file.seek(SeekFrom::Start(self.from)).unwrap();
        let mut bytes = Vec::new();
        self.from += u64::try_from(file.read_to_end(&mut bytes).unwrap()).unwrap();
        refusals(&String::from_utf8_lossy(&bytes))
    }
}

fn refusals(text: &str) -> BTreeMap<Refusal, usize> {
    let mut refusals = BTreeMap::new();
    let mut last: Option<(String, String)> = None;
    for line in text.lines() {
        let said = ["ERROR:  ", "FATAL:  "].iter().find_map(|level| line.split_once(level));
        if let Some((prefix, said)) = said {
            *refusals.entry(of(last.take(), "")).or_default() += 1;
            // Day, time and zone come before the name.
            let who = prefix.split_whitespace().nth(3).unwrap_or_default().trim_end_matches(':');
            last = Some((who.to_owned(), said.to_owned()));
        } else if let Some((_, statement)) = line.split_once(STATEMENT) {
            let statement: String = statement.chars().take(120).collect();
            *refusals.entry(of(last.take(), &statement)).or_default() += 1;
        }
    }
    *refusals.entry(of(last, "")).or_default() += 1;
    refusals.remove(&of(None, ""));
    refusals
}

fn of(last: Option<(String, String)>, statement: &str) -> Refusal {
    let (who, said) = last.unwrap_or_default();
    (who, said, statement.to_owned())
}
