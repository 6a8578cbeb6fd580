//! What auto_explain writes into the server's log, by statement and part.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use diesel::{QueryableByName, sql_query, sql_types::Text};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use serde_json::Value;
use wayfare_tests::{World, eventually};

/// The log of the server that a world's database is on.
pub struct Log {
    path: PathBuf,
    from: u64,
    owner: AsyncPgConnection,
}

/// A part of the log, and which processes are those of the world.
pub struct Stretch {
    text: String,
    ours: Vec<String>,
}

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

async fn lines(connection: &mut AsyncPgConnection, query: &str) -> Vec<String> {
    let lines: Vec<Line> = sql_query(query).load(connection).await.unwrap();
    lines.into_iter().map(|line| line.line).collect()
}

/// What the statements of a stretch of the log took at least, by their texts.
#[derive(Default)]
pub struct Statements(BTreeMap<String, Cost>);

#[derive(Clone, Debug, Default)]
pub struct Cost {
    /// By part; a statement without parts is one.
    pub parts: BTreeMap<String, PartCost>,
    /// How many rows its scans fetched, those that a filter threw away included.
    pub fetched: i64,
    pub by: String,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct PartCost {
    pub buffers: i64,
    /// How often an index was entered from its root, for a row that was looked up, or for a row that was written.
    pub descents: i64,
}

impl Log {
    pub async fn of(world: &World) -> Self {
        let mut owner = world.database.owner().await;
        let data = lines(&mut owner, "select current_setting('data_directory') as line").await.concat();
        Self { path: Path::new(&data).parent().unwrap().join("postgres.log"), from: 0, owner }
    }

    /// What the statements took that were sent since the last time.
    pub async fn since_the_last_time(&mut self) -> Statements {
        let mut statements = Statements::default();
        for plan in self.plans().await {
            statements.lower_one(plan["Query Text"].as_str().unwrap().to_owned(), Cost::of(&plan["Plan"]));
        }
        statements
    }

    /// How many rows were inserted, updated and deleted since the last time, by table.
    pub async fn written_since_the_last_time(&mut self) -> BTreeMap<String, i64> {
        let mut written = BTreeMap::new();
        for plan in self.plans().await {
            count_written(&plan["Plan"], &mut written);
        }
        written
    }

    async fn plans(&mut self) -> Vec<Value> {
        self.stretch().await.plans().collect()
    }

    /// What was written since the last time.
    pub async fn stretch(&mut self) -> Stretch {
        // A connection writes down what it did before it is idle.
        let busy = "select pid::text as line from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'";
        let owner = &mut self.owner;
        eventually("idle connections", async || lines(owner, busy).await.is_empty().then_some(())).await;
        let ours = "select pid::text as line from pg_stat_activity
            where datname = current_database() and usename <> current_user";
        let ours = lines(&mut self.owner, ours).await;
        let mut log = File::open(&self.path).unwrap();
        log.seek(SeekFrom::Start(self.from)).unwrap();
        let mut bytes = Vec::new();
        log.read_to_end(&mut bytes).unwrap();
        self.from += u64::try_from(bytes.len()).unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Stretch { text, ours }
    }
}

impl Stretch {
    fn plans(&self) -> impl Iterator<Item = Value> {
        // Another world may be in the middle of writing a plan of its own.
        let of_this_world = plans(&self.text).filter(|(pid, _)| self.ours.iter().any(|one| one == pid));
        of_this_world.map(|(_, json)| serde_json::from_str(&json).unwrap())
    }

    /// How many buffers all statements read, and all that those had done.
    pub fn buffers(&self) -> i64 {
        self.plans().map(|plan| buffers(&plan["Plan"])).sum()
    }

    /// The statements with the processes that carried them out, each by its first line; where `log_statement` is set.
    pub fn statements(&self) -> impl Iterator<Item = (&str, &str)> {
        self.text.lines().filter_map(|line| {
            let (head, told) = line.split_once("] LOG:  ")?;
            let (_, process) = head.split_once('[')?;
            let (how, statement) = told.split_once(": ")?;
            let is_carried_out = how == "statement" || how.starts_with("execute ");
            let is_ours = self.ours.iter().any(|one| one == process);
            (is_carried_out && is_ours).then_some((process, statement))
        })
    }
}

impl Statements {
    pub fn get(&self, text: &str) -> Option<&Cost> {
        self.0.get(text)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&String, &Cost)> {
        self.0.iter()
    }

    /// Takes the lower of what both stretches took.
    pub fn lower(&mut self, other: Self) {
        for (text, cost) in other.0 {
            self.lower_one(text, cost);
        }
    }

    fn lower_one(&mut self, text: String, cost: Cost) {
        match self.0.get_mut(&text) {
            Some(known) => known.lower(&cost),
            None => drop(self.0.insert(text, cost)),
        }
    }
}

fn count_written(node: &Value, written: &mut BTreeMap<String, i64>) {
    let rows =
        |node: &Value| node["Actual Rows"].as_i64().unwrap_or(0) * node["Actual Loops"].as_i64().unwrap_or(0);
    if let (Some(operation), Some(table)) = (node["Operation"].as_str(), node["Relation Name"].as_str()) {
        let rows = rows(&node["Plans"][0]);
        if rows > 0 {
            *written.entry(format!("{table}: {operation}")).or_default() += rows;
        }
    }
    for inner in node["Plans"].as_array().into_iter().flatten() {
        count_written(inner, written);
    }
}

/// The plans of a log, each with the process that wrote it.
fn plans(log: &str) -> impl Iterator<Item = (&str, String)> {
    let mut lines = log.lines().peekable();
    std::iter::from_fn(move || {
        loop {
            let head = lines.next()?;
            let mut json = String::new();
            while let Some(line) = lines.next_if(|line| line.starts_with('\t')) {
                json.push_str(line);
            }
            let pid = head.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
            if head.ends_with(" plan:")
                && let Some((pid, _)) = pid
            {
                return Some((pid, json));
            }
        }
    })
}

impl Cost {
    fn of(plan: &Value) -> Self {
        let mut cost = Self::default();
        cost.add(plan, "all");
        if let Some(mut all) = cost.parts.remove("all").filter(|_| cost.parts.is_empty()) {
            all.buffers = buffers(plan);
            cost.parts.insert("all".to_owned(), all);
        }
        cost
    }

    fn add(&mut self, node: &Value, part: &str) {
        let name = node["Subplan Name"].as_str().and_then(|name| name.strip_prefix("CTE "));
        let part = name.unwrap_or(part);
        if name.is_some() {
            self.parts.entry(part.to_owned()).or_default().buffers = buffers(node);
        }
        let count = |name: &str| node[name].as_i64().unwrap_or(0);
        let kind = node["Node Type"].as_str().unwrap();
        let read = self.parts.entry(part.to_owned()).or_default();
        if let Some(relation) = node["Relation Name"].as_str().filter(|_| kind.ends_with("Scan")) {
            let thrown_away = count("Rows Removed by Filter") + count("Rows Removed by Index Recheck");
            self.fetched += count("Actual Loops") * (count("Actual Rows") + thrown_away);
            let by = node["Index Name"].as_str().unwrap_or(relation);
            self.by.push_str(&format!(" {by}"));
            read.descents += count("Actual Loops") * count("Actual Rows").max(1);
        } else if kind == "ModifyTable" {
            // A table has five indexes at most, and a row of it may be returned or not.
            read.descents += 5 * node["Plans"][0]["Actual Rows"].as_i64().unwrap_or(1).max(1);
        }
        for inner in node["Plans"].as_array().into_iter().flatten() {
            self.add(inner, part);
        }
    }

    pub fn buffers(&self) -> i64 {
        self.parts.values().map(|part| part.buffers).sum()
    }

    fn lower(&mut self, other: &Self) {
        for (name, theirs) in &other.parts {
            let mine = self.parts.entry(name.clone()).or_insert(*theirs);
            mine.buffers = mine.buffers.min(theirs.buffers);
            mine.descents = mine.descents.min(theirs.descents);
        }
        if other.fetched < self.fetched {
            (self.fetched, self.by) = (other.fetched, other.by.clone());
        }
    }
}

fn buffers(node: &Value) -> i64 {
    let count = |name: &str| node[name].as_i64().unwrap_or(0);
    count("Shared Hit Blocks") + count("Shared Read Blocks")
}
