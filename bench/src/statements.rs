//! What work costs the database, counted in PostgreSQL's own log: statements, transactions, commits that write.

use std::{
    collections::HashMap,
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::PathBuf,
    time::Duration,
};

use crate::{Installation, Result};

/// Each line that is counted begins so; database, process and transaction id follow.
const MARK: &str = "counted";
/// How long the server may take to heed its settings.
const HEED: Duration = Duration::from_millis(300);

/// What some work cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Statements, `begin` and `commit` among them.
    pub statements: u64,
    /// Transactions, statements outside of any counted as one each.
    pub transactions: u64,
    /// Those that wrote something: each waits for the disk, alone or with others.
    pub commits: u64,
}

/// The log while every statement is in it.
pub struct Watch {
    control: tokio_postgres::Client,
    log: PathBuf,
    begun: u64,
}

impl Watch {
    /// Lets the server log every statement from now on: slower, so time nothing meanwhile.
    pub async fn begin(installation: &Installation) -> Result<Self> {
        // From another database, so that its own statements are not counted.
        let control = installation.connect("postgres").await?;
        for setting in [
            &format!("alter system set log_line_prefix = '{MARK} %d %p %x '"),
            "alter system set log_statement = 'all'",
            "select pg_reload_conf()",
        ] {
            control.batch_execute(setting).await?;
        }
        tokio::time::sleep(HEED).await;
        let log = installation.postgres().join("postgres.log");
        let begun = log.metadata()?.len();
        Ok(Self { control, log, begun })
    }

    /// What was done in the service's database since.
    pub async fn end(self) -> Result<Cost> {
        let mut log = File::open(&self.log)?;
        log.seek(SeekFrom::Start(self.begun))?;
        let mut text = Vec::new();
        log.read_to_end(&mut text)?;
        for setting in ["alter system reset all", "select pg_reload_conf()"] {
            self.control.batch_execute(setting).await?;
        }
        tokio::time::sleep(HEED).await;
        Ok(count(&String::from_utf8_lossy(&text)))
    }
}

fn count(log: &str) -> Cost {
    let mut cost = Cost::default();
    let mut inside = HashMap::new();
    for (process, transaction, statement) in log.lines().filter_map(statement) {
        let inside = inside.entry(process).or_insert(false);
        let word =
            statement.split_whitespace().next().unwrap_or_default().trim_end_matches(';').to_lowercase();
        cost.statements += 1;
        let wrote = match word.as_str() {
            "begin" | "start" => {
                *inside = true;
                continue;
            }
            "commit" | "rollback" => {
                *inside = false;
                word == "commit" && transaction != "0"
            }
            _ if *inside => continue,
            _ => matches!(word.as_str(), "insert" | "update" | "delete" | "with"),
        };
        cost.transactions += 1;
        cost.commits += u64::from(wrote);
    }
    cost
}

/// Process, transaction id (0 before anything was written) and statement of a line that tells of one.
fn statement(line: &str) -> Option<(&str, &str, &str)> {
    let mut words = line.strip_prefix(MARK)?.trim_start().splitn(4, ' ');
    let (database, process, transaction) = (words.next()?, words.next()?, words.next()?);
    let (how, statement) = words.next()?.strip_prefix("LOG:  ")?.split_once(": ")?;
    let counted = database == "wayfare" && (how == "statement" || how.starts_with("execute "));
    counted.then_some((process, transaction, statement))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_counted_by_connection() {
        let log = "counted wayfare 7 0 LOG:  statement: BEGIN\n\
            counted wayfare 8 0 LOG:  execute s1: SELECT 1\n\
            \tfrom a\n\
            counted wayfare 8 0 DETAIL:  parameters: $1 = 'x'\n\
            counted wayfare 7 0 LOG:  execute s2: UPDATE a set b = 1\n\
            counted postgres 9 0 LOG:  statement: select 1\n\
            counted wayfare 8 0 LOG:  execute s3: INSERT into a values (1)\n\
            counted wayfare 7 801 LOG:  statement: COMMIT\n\
            counted wayfare 8 0 LOG:  statement: begin; set local enable_seqscan = off\n\
            counted wayfare 8 0 LOG:  execute s4: select 1\n\
            counted wayfare 8 0 LOG:  execute s5: commit\n";
        assert_eq!(count(log), Cost { statements: 8, transactions: 4, commits: 2 });
    }
}
