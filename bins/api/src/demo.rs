//! The loopback demo: one agency with money, and what the start tells of it.

use std::{
    fs,
    io::Write,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use rust_decimal::{Decimal, dec};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use serde_json::json;
use wayfare_domain::{Currency, OperatorRole, Role, Tier, random_code};
use wayfare_operations::{
    Error, Platform,
    access::operators::{
        By,
        accounts::{self, NewOperator},
    },
    operator::{self, NewAgency, NewUser},
};

const ORGANIZATION_MONEY: Decimal = dec!(1000000);
const AGENT_MONEY: Decimal = dec!(250000);

/// The demo agency as programs read it, in `demo.json` (P-34).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Demo {
    /// Where the API answers.
    pub base_url: String,
    /// Where the sandbox suppliers answer; empty when there are none.
    pub sandbox_url: String,
    /// The agency's public code.
    pub agent_id: String,
    /// An `org_admin` and an `agent`.
    pub users: Vec<DemoUser>,
    /// Who may log in for the operator, where that can be done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operator: Option<DemoOperator>,
}

/// The operator's first user.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DemoOperator {
    /// Where the operator's API answers; empty where it does not.
    pub base_url: String,
    /// The username.
    pub username: String,
    /// Random, made with the user.
    pub password: String,
}

/// Where a server answers.
#[derive(Clone, Debug)]
pub struct Addresses {
    /// The API.
    pub base_url: String,
    /// The sandbox suppliers; empty when there are none.
    pub sandbox_url: String,
    /// The operator's API, if there is one.
    pub operator_url: Option<String>,
}

/// A user of the demo agency.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DemoUser {
    /// `org_admin` or `agent`.
    pub role: Role,
    /// The username.
    pub username: String,
    /// Random, made with the agency.
    pub password: String,
}

/// Why there is no demo.
#[derive(Debug)]
pub enum DemoError {
    /// The agency could not be made.
    Operation(Error),
    /// The file could not be read or written.
    File(std::io::Error),
}

impl std::fmt::Display for DemoError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Operation(error) => write!(f, "the demo agency could not be made: {error}"),
            Self::File(error) => write!(f, "demo.json: {error}"),
        }
    }
}

impl std::error::Error for DemoError {}

impl From<Error> for DemoError {
    fn from(error: Error) -> Self {
        Self::Operation(error)
    }
}

impl From<std::io::Error> for DemoError {
    fn from(error: std::io::Error) -> Self {
        Self::File(error)
    }
}

/// The demo agency: the one of `demo.json`, or a new one with money in both wallets. The file then tells where
/// API and sandbox are now.
///
/// # Errors
/// When the agency can't be made or the file can't be written.
pub async fn ensure(platform: &Platform, data_dir: &Path, at: Addresses) -> Result<Demo, DemoError> {
    let path = demo_file(data_dir);
    let kept = match fs::read(&path) {
        Ok(bytes) => Some(serde_json::from_slice::<Demo>(&bytes).map_err(std::io::Error::other)?),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(error.into()),
    };
    let demo = match kept {
        Some(demo) => demo,
        None => make(platform).await?,
    };
    let demo = Demo {
        base_url: at.base_url,
        sandbox_url: at.sandbox_url,
        operator: operator_user(platform, demo.operator, at.operator_url).await?,
        ..demo
    };
    write(&path, &demo)?;
    Ok(demo)
}

/// The operator's user of the file, or a new one where there is an API for them.
async fn operator_user(
    platform: &Platform,
    kept: Option<DemoOperator>,
    url: Option<String>,
) -> Result<Option<DemoOperator>, Error> {
    if let Some(kept) = kept {
        let base_url = url.unwrap_or_default();
        return Ok(Some(DemoOperator { base_url, ..kept }));
    }
    let Some(base_url) = url else { return Ok(None) };
    let new = NewOperator {
        username: "operator".to_owned(),
        name: "Om Operator".to_owned(),
        role: OperatorRole::Admin,
    };
    match accounts::add_oneself(&platform.access, new).await {
        Ok((added, password)) => Ok(Some(DemoOperator {
            base_url,
            username: added.username,
            password: password.expose_secret().to_owned(),
        })),
        // Somebody has added one of this name at the command line, and knows the password.
        Err(Error::Taken(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

fn demo_file(data_dir: &Path) -> PathBuf {
    data_dir.join("demo.json")
}

async fn make(platform: &Platform) -> Result<Demo, Error> {
    let admin = DemoUser { role: Role::OrgAdmin, username: "admin".to_owned(), password: random_code(16) };
    let agent = DemoUser { role: Role::Agent, username: "agent".to_owned(), password: random_code(16) };
    let (agency, _) = operator::create_agency(
        platform,
        By::command_line(),
        NewAgency {
            name: "Demo Travels".to_owned(),
            email: "demo@agency.example".to_owned(),
            country: "IN".to_owned(),
            tier: Tier::Full,
            currency: Currency::INR,
            time_zone: wayfare_domain::Zone::KOLKATA,
            admin: person(&admin, "Asha Admin"),
        },
    )
    .await?;
    operator::create_user(platform, By::command_line(), &agency.code, person(&agent, "Arjun Agent")).await?;
    operator::top_up(platform, By::command_line(), &agency.code, None, ORGANIZATION_MONEY).await?;
    operator::top_up(platform, By::command_line(), &agency.code, Some(&agent.username), AGENT_MONEY).await?;
    Ok(Demo {
        base_url: String::new(),
        sandbox_url: String::new(),
        agent_id: agency.code.to_string(),
        users: vec![admin, agent],
        operator: None,
    })
}

fn person(user: &DemoUser, name: &str) -> NewUser {
    NewUser {
        username: user.username.clone(),
        email: format!("{}@agency.example", user.username),
        name: name.to_owned(),
        phone: String::new(),
        password: SecretString::from(user.password.clone()),
        role: user.role,
    }
}

/// Only for its owner's eyes, whole or not at all.
fn write(path: &Path, demo: &Demo) -> std::io::Result<()> {
    let new = path.with_extension("json.new");
    let _ = fs::remove_file(&new);
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new)?;
    serde_json::to_writer_pretty(&mut file, demo)?;
    file.write_all(b"\n")?;
    file.sync_all()?;
    fs::rename(new, path)
}

impl Demo {
    /// What a person reads when the server is ready: where browsers find it, who may log in, and the first call of a
    /// program. What comes after it is in the walkthroughs. All that programs need to know is in this data folder's file.
    pub fn greeting(&self, data_dir: &Path, has_console: bool) -> String {
        let base_url = &self.base_url;
        let mut lines = vec![format!("Wayfare is ready: {base_url}")];
        if has_console {
            lines.push(format!("In a browser: {base_url}/console"));
        }
        lines.extend(self.operator.as_ref().and_then(|operator| operator.line(has_console)));
        lines.push(format!("Agency {}, where these may log in:", self.agent_id));
        lines.extend(self.users.iter().map(DemoUser::line));
        lines.push(format!(
            "The API, to read and to try out: {base_url}/docs, line by line in docs/WALKTHROUGH.md"
        ));
        if !self.sandbox_url.is_empty() {
            lines.push(format!("Sandbox suppliers: {}", self.sandbox_url));
        }
        lines.push(format!("The same for programs: {}", demo_file(data_dir).display()));
        if let Some(user) = self.users.last() {
            lines.push(format!("A first call: {}", self.log_in(user)));
        }
        lines.join("\n")
    }

    /// The line that logs in as this user.
    fn log_in(&self, user: &DemoUser) -> String {
        let body = json!({ "agent_id": self.agent_id, "username": user.username, "password": user.password });
        let url = format!("{}/api/v1/auth/login", self.base_url);
        format!("curl -s {url} -H 'Content-Type: application/json' -d '{body}'")
    }
}

impl DemoOperator {
    /// Where the operator logs in; nothing where nobody can.
    fn line(&self, has_console: bool) -> Option<String> {
        let Self { base_url, username, password } = self;
        let path = if has_console { "operator" } else { "operator/v1" };
        let line = format!("For the operator: {base_url}/{path}, {username}, password {password}");
        (!base_url.is_empty()).then_some(line)
    }
}

impl DemoUser {
    fn line(&self) -> String {
        let Self { role, username, password } = self;
        format!("  {:<10} {username:<8} password {password}", role.as_ref())
    }
}
