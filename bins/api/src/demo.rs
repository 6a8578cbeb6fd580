//! The loopback demo: one agency with money, and the curl lines that show the main job.

use std::{
    fs,
    io::Write,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use chrono::{Duration, Utc};
use rust_decimal::{Decimal, dec};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use wayfare_domain::{Currency, Role, Tier, random_code};
use wayfare_operations::{
    Error, Platform,
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
pub async fn ensure(
    platform: &Platform,
    data_dir: &Path,
    base_url: String,
    sandbox_url: String,
) -> Result<Demo, DemoError> {
    let path = demo_file(data_dir);
    let kept = match fs::read(&path) {
        Ok(bytes) => Some(serde_json::from_slice::<Demo>(&bytes).map_err(std::io::Error::other)?),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(error.into()),
    };
    let demo = match kept {
        Some(demo) => Demo {
            base_url,
            sandbox_url,
            ..demo
        },
        None => make(platform, base_url, sandbox_url).await?,
    };
    write(&path, &demo)?;
    Ok(demo)
}

fn demo_file(data_dir: &Path) -> PathBuf {
    data_dir.join("demo.json")
}

async fn make(platform: &Platform, base_url: String, sandbox_url: String) -> Result<Demo, Error> {
    let admin = DemoUser {
        role: Role::OrgAdmin,
        username: "admin".to_owned(),
        password: random_code(16),
    };
    let agent = DemoUser {
        role: Role::Agent,
        username: "agent".to_owned(),
        password: random_code(16),
    };
    let (agency, _) = operator::create_agency(
        platform,
        NewAgency {
            name: "Demo Travels".to_owned(),
            email: "demo@agency.example".to_owned(),
            country: "IN".to_owned(),
            tier: Tier::Full,
            currency: Currency::INR,
            time_zone: chrono_tz::Asia::Kolkata,
            admin: person(&admin, "Asha Admin"),
        },
    )
    .await?;
    operator::create_user(platform, &agency.code, person(&agent, "Arjun Agent")).await?;
    operator::top_up(platform, &agency.code, None, ORGANIZATION_MONEY).await?;
    operator::top_up(platform, &agency.code, Some(&agent.username), AGENT_MONEY).await?;
    Ok(Demo {
        base_url,
        sandbox_url,
        agent_id: agency.code.to_string(),
        users: vec![admin, agent],
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
    let mut file = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&new)?;
    serde_json::to_writer_pretty(&mut file, demo)?;
    file.write_all(b"\n")?;
    file.sync_all()?;
    fs::rename(new, path)
}

impl Demo {
    /// What a person reads when the server is ready: who may come in, and lines to paste that search (first as a
    /// stream), price, book and cancel a flight, and then a hotel. All that programs need to know is in this data
    /// folder's file. Where there is a console, its address is named, too.
    #[allow(
        clippy::disallowed_methods,
        reason = "the days after a month are for a person to paste"
    )]
    pub fn tour(&self, data_dir: &Path, has_console: bool) -> String {
        let [day, leaving] = [30, 32].map(|days| (Utc::now() + Duration::days(days)).format("%Y-%m-%d"));
        let Self {
            base_url, agent_id, ..
        } = self;
        let agent = self.users.iter().find(|user| user.role == Role::Agent);
        let (username, password) =
            agent.map_or(("", ""), |user| (user.username.as_str(), user.password.as_str()));
        let users: String = self
            .users
            .iter()
            .map(|user| {
                format!(
                    "  {:<10} {:<8} password {}\n",
                    user.role.as_ref(),
                    user.username,
                    user.password
                )
            })
            .collect();
        let file = demo_file(data_dir);
        let file = file.display();
        let console = match has_console {
            true => format!("In a browser, as one of those below: {base_url}/console\n"),
            false => String::new(),
        };
        let sandbox = if self.sandbox_url.is_empty() {
            String::new()
        } else {
            format!("Sandbox suppliers: {}\n", self.sandbox_url)
        };
        format!(
            r#"
Wayfare is ready: {base_url}
The API, to read and to try out: {base_url}/docs
{console}{sandbox}Agency {agent_id}
{users}The same for programs: {file}

Paste these lines one after the other to log in, search, price, book and cancel, a flight and then a hotel:

API={base_url}/api/v1
TOKEN=$(curl -s $API/auth/login -H 'Content-Type: application/json' -d '{{"agent_id":"{agent_id}","username":"{username}","password":"{password}"}}' | grep -o '"access_token":"[^"]*"' | cut -d'"' -f4)
SEARCH='{{"search_params":{{"trip_type":"ONE_WAY","passengers":{{"adults":1}},"cabin_class":"ECONOMY"}},"slices":[{{"origin":"DEL","destination":"BOM","departure_date":"{day}"}}]}}'
curl -sN $API/flights/search/stream -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d "$SEARCH" | cut -c -150
OFFER=$(curl -s $API/flights/search -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d "$SEARCH" | grep -o '"offer_id":"[^"]*"' | tail -n 1 | cut -d'"' -f4); echo "offer $OFFER"
PRICED=$(curl -s $API/flights/price -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d "{{\"offer_ids\":[\"$OFFER\"],\"adults\":1}}"); echo "$PRICED"
KEY=$(echo "$PRICED" | grep -o '"bk_[^"]*"' | head -n 1 | tr -d '"')
BOOKED=$(curl -s $API/flights/book -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d "{{\"booking_keys\":[\"$KEY\"],\"contact_email\":\"traveller@agency.example\",\"contact_phone\":\"9812345678\",\"contact_country_code\":\"91\",\"passengers\":[{{\"pax_index\":1,\"type\":\"ADT\",\"title\":\"Ms\",\"first_name\":\"Meera\",\"last_name\":\"Shah\",\"gender\":\"F\",\"dob\":\"1990-04-12\"}}]}}"); echo "$BOOKED"
REF=$(echo "$BOOKED" | grep -o '"booking_ref":"[^"]*"' | cut -d'"' -f4)
curl -s $API/wallet -H "Authorization: Bearer $TOKEN"; echo
curl -s -X POST $API/flights/bookings/$REF/penalty -H "Authorization: Bearer $TOKEN"; echo
curl -s -X POST $API/flights/bookings/$REF/cancel -H "Authorization: Bearer $TOKEN"; echo
curl -s $API/wallet -H "Authorization: Bearer $TOKEN"; echo
STAY='"check_in":"{day}","check_out":"{leaving}"'
FOUND=$(curl -s $API/hotels/search -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d "{{$STAY,\"rooms\":[{{\"adults\":2}}],\"location\":{{\"type\":\"city\",\"name\":\"Mumbai\"}},\"filters\":{{\"refundable_only\":true}},\"sort\":{{\"field\":\"price\"}},\"pagination\":{{\"per_page\":1}}}}"); echo "$FOUND" | cut -c -150
found() {{ echo "$FOUND" | grep -o "\"$1\":\"[^\"]*\"" | tail -n 1; }}
HOTEL=$(found hotel_id); RATE=$(found room_id),$(found rate_id); echo "hotel $HOTEL"
PRICED=$(curl -s $API/hotels/price -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d "{{$(found search_id),$HOTEL,\"room_selections\":[{{$RATE}}]}}"); echo "$PRICED"
PRICE=$(echo "$PRICED" | grep -o '"price_id":"[^"]*"')
BOOKED=$(curl -s $API/hotels/book -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d "{{$PRICE,$HOTEL,$STAY,\"rooms\":[{{$RATE,\"guests\":[{{\"type\":\"adult\",\"title\":\"Ms\",\"first_name\":\"Meera\",\"last_name\":\"Shah\"}},{{\"type\":\"adult\",\"title\":\"Mr\",\"first_name\":\"Kabir\",\"last_name\":\"Shah\"}}]}}],\"contact\":{{\"first_name\":\"Meera\",\"last_name\":\"Shah\",\"email\":\"traveller@agency.example\",\"phone\":\"+919812345678\"}}}}"); echo "$BOOKED"
REF=$(echo "$BOOKED" | grep -o '"booking_ref":"[^"]*"' | cut -d'"' -f4)
curl -s $API/hotels/bookings/$REF/voucher -H "Authorization: Bearer $TOKEN"; echo
curl -s $API/wallet -H "Authorization: Bearer $TOKEN"; echo
curl -s -X POST $API/hotels/bookings/$REF/penalty -H "Authorization: Bearer $TOKEN"; echo
curl -s -X POST $API/hotels/bookings/$REF/cancel -H "Authorization: Bearer $TOKEN"; echo
curl -s $API/wallet -H "Authorization: Bearer $TOKEN"; echo
"#
        )
    }
}
