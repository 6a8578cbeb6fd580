//! A5: the server program is killed while somebody waits for the answer to Book; the page, asked for again after the
//! restart, shows the one booking.

use std::{
    env,
    fs::{self, DirBuilder, File},
    io::{self, Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    os::unix::fs::DirBuilderExt,
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;
use wayfare_sandbox::{Running, Sandbox, Settings};
use wayfare_tests::{
    Supplier,
    browser::{Looked, Page},
};

use crate::{journey, stage::Stage};

/// How long a start may take on a machine however busy.
const PATIENCE: Duration = Duration::from_secs(120);
pub fn check(stage: &Stage) -> Looked<String> {
    let sandbox = stage.wait(Sandbox::start(Settings::of_seed(1))).map_err(|error| error.to_string())?;
    let relay = Relay::to(&sandbox.base_url()).map_err(|error| error.to_string())?;
    let mut program = Program::prepare(stage, &relay.url)?;
    let checked = killed(stage, &sandbox, &relay, &mut program);
    program.end();
    stage.wait(sandbox.stop());
    checked
}

fn killed(stage: &Stage, sandbox: &Running, relay: &Relay, program: &mut Program) -> Looked<String> {
    program.start("127.0.0.1:0")?;
    let mut page = stage.browser.page();
    page.resize(1280, 800)?;
    page.open(&program.console("/console"))?;
    let [agency, username, password] = program.admin()?;
    journey::log_in(&page, &agency, &username, &password)?;
    page.open(&program.console(&journey::search_path(30, stage)))?;
    journey::select(&page)?;
    journey::fill_travellers(&page)?;
    let before = program.spendable(&page)?;

    let supplier = Supplier::at(sandbox.base_url());
    relay.is_silent.store(true, Ordering::SeqCst);
    page.evaluate(
        "setTimeout(() => document.querySelector(\"form[action='/console/flights/book'] .button.primary\").click()); true",
    )?;
    // The supplier has made the order, and nobody hears of it.
    let begun = Instant::now();
    while stage.wait(supplier.orders()).is_empty() {
        if begun.elapsed() > PATIENCE {
            return Err("nothing was ordered".to_owned());
        }
        thread::sleep(Duration::from_millis(10));
    }
    // While a form is on its way the browser tells nothing of the page, but of what was asked: an answer would lead on.
    let last = page.requests().pop().map(|asked| asked.url).unwrap_or_default();
    program.kill();
    relay.is_silent.store(false, Ordering::SeqCst);
    if !last.ends_with("/console/flights/book") {
        return Err(format!("Book was answered before the server was killed: {last}"));
    }
    let made = stage.wait(supplier.orders()).len();
    page.wait("the browser's own page of a failure", "location.href.startsWith('chrome-error:')")?;

    let address = program.address.clone();
    program.start(&address)?;
    // F5: the form is sent once more, under its key.
    page.reload()?;
    let reference = journey::booked(&page)?;
    let ticket = journey::ticket(&page)?;
    page.reload()?;
    let orders = stage.wait(supplier.orders()).len();
    page.open(&program.console("/console/bookings"))?;
    let listed = page.number("document.querySelectorAll('tbody tr').length")?;
    let after = program.spendable(&page)?;
    page.open(&program.console(&format!("/console/bookings/{reference}")))?;
    let paid = cents(&page.text("document.querySelector('.sums .total dd').textContent")?);
    if (made, orders, whole(listed)) != (1, 1, 1) {
        return Err(format!(
            "{made} orders when it was killed, {orders} after it; {listed} bookings are listed"
        ));
    }
    if before - after != paid {
        return Err(format!("{before} before and {after} after it, but {paid} was paid"));
    }
    Ok(format!("one order, one booking, one charge; {reference}, ticket {ticket}"))
}

/// The digits of an amount that a page shows, in its smallest unit.
fn cents(text: &str) -> i64 {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_default()
}

#[allow(clippy::cast_possible_truncation, reason = "a count")]
fn whole(number: f64) -> usize {
    usize::try_from(number as i64).unwrap_or_default()
}

/// The server program with a PostgreSQL of its own, in a folder of its own.
struct Program {
    file: PathBuf,
    folder: PathBuf,
    child: Option<Child>,
    /// Where it answers: `127.0.0.1:8080`.
    address: String,
}

impl Program {
    fn prepare(stage: &Stage, suppliers: &str) -> Looked<Self> {
        let told = |error: std::io::Error| error.to_string();
        let beside = env::current_exe().map_err(told)?.with_file_name("wayfare");
        let file = stage.options.program.clone().unwrap_or(beside);
        if !file.exists() {
            return Err(format!("{} is not built", file.display()));
        }
        let folder = env::temp_dir().join(format!("wayfare-console-{}", std::process::id()));
        // The private PostgreSQL runs as another user where this one is root.
        DirBuilder::new().mode(0o711).create(&folder).map_err(told)?;
        let settings = format!(
            "[[suppliers]]\ncode = 'duffel'\nkind = 'duffel'\nbase_url = '{suppliers}/duffel'\n\
             token = 'duffel_test_sandbox'\n"
        );
        fs::write(folder.join("settings.toml"), settings).map_err(told)?;
        Ok(Self { file, folder, child: None, address: String::new() })
    }

    /// Starts it and waits until it is ready.
    fn start(&mut self, bind: &str) -> Looked {
        let told = |error: std::io::Error| error.to_string();
        let out = self.folder.join("out");
        let log = self.folder.join("log");
        let child = Command::new(&self.file)
            .env("WAYFARE_DATA_DIR", self.folder.join("data"))
            .env("WAYFARE_CONFIG", self.folder.join("settings.toml"))
            .env("WAYFARE_BIND", bind)
            .env("WAYFARE_DEMO", "on")
            .env("WAYFARE_LOG", "warn")
            .env_remove("DATABASE_URL")
            .env_remove("MIGRATION_DATABASE_URL")
            .stdin(Stdio::null())
            .stdout(File::create(&out).map_err(told)?)
            .stderr(File::create(&log).map_err(told)?)
            .spawn();
        self.child = Some(child.map_err(told)?);
        let begun = Instant::now();
        loop {
            let printed = fs::read_to_string(&out).unwrap_or_default();
            let ready = printed.split("http://").nth(1);
            let address = ready.and_then(|rest| rest.split(['/', ' ', '\n']).next());
            // Whatever is printed first has its address.
            if let Some(address) = address.filter(|_| printed.contains("/console")) {
                self.address = address.to_owned();
                return Ok(());
            }
            let ended = self.child.as_mut().map(Child::try_wait);
            if !matches!(ended, Some(Ok(None))) || begun.elapsed() > PATIENCE {
                let log = fs::read_to_string(&log).unwrap_or_default();
                return Err(format!("the server does not start: {printed} {log}"));
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn console(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The demo agency's code, and username and password of its admin.
    fn admin(&self) -> Looked<[String; 3]> {
        let text = fs::read(self.folder.join("data/demo.json")).map_err(|error| error.to_string())?;
        let demo: Value = serde_json::from_slice(&text).map_err(|error| error.to_string())?;
        let users = demo["users"].as_array().cloned().unwrap_or_default();
        let admin = users.into_iter().find(|user| user["role"] == "org_admin");
        let admin = admin.ok_or("the demo agency has no admin")?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        Ok([text(&demo["agent_id"]), text(&admin["username"]), text(&admin["password"])])
    }

    /// What can be spent, as the wallet's page says to whoever uses this page.
    fn spendable(&self, page: &Page) -> Looked<i64> {
        let beside = page.beside();
        beside.open(&self.console("/console/wallet"))?;
        Ok(cents(&beside.text("document.querySelector('.figure.big .value').textContent")?))
    }

    fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Ends it with its PostgreSQL, which a server that is told to stop takes with it.
    fn end(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = rustix::process::kill_process(
                rustix::process::Pid::from_child(&child),
                rustix::process::Signal::TERM,
            );
            let _ = child.wait();
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A way to the suppliers on which answers about orders are lost while it is silent.
struct Relay {
    url: String,
    is_silent: Arc<AtomicBool>,
}

impl Relay {
    /// To a sandbox. It lasts as long as this program.
    fn to(sandbox: &str) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let url = format!("http://{}", listener.local_addr()?);
        let is_silent = Arc::new(AtomicBool::new(false));
        let (silent, to) = (is_silent.clone(), sandbox.trim_start_matches("http://").to_owned());
        thread::spawn(move || {
            for asked in listener.incoming().flatten() {
                if let Ok(answers) = TcpStream::connect(&to) {
                    pass_on(asked, answers, &silent);
                }
            }
        });
        Ok(Self { url, is_silent })
    }
}

/// Passes on what comes on one connection until it ends.
fn pass_on(asked: TcpStream, answers: TcpStream, silent: &Arc<AtomicBool>) {
    let (Ok(mut from), Ok(mut back)) = (asked.try_clone(), answers.try_clone()) else { return };
    let (mut asked, mut answers) = (asked, answers);
    let (is_lost, silent) = (Arc::new(AtomicBool::new(false)), silent.clone());
    let lost = is_lost.clone();
    thread::spawn(move || {
        let mut part = [0; 16 << 10];
        while let Ok(length @ 1..) = from.read(&mut part) {
            let text = String::from_utf8_lossy(&part[..length]);
            lost.fetch_or(
                silent.load(Ordering::SeqCst) && text.contains("POST /duffel/air/orders "),
                Ordering::SeqCst,
            );
            if answers.write_all(&part[..length]).is_err() {
                break;
            }
        }
        let _ = answers.shutdown(Shutdown::Both);
    });
    thread::spawn(move || {
        let mut part = [0; 16 << 10];
        while let Ok(length @ 1..) = back.read(&mut part) {
            if !is_lost.load(Ordering::SeqCst) && asked.write_all(&part[..length]).is_err() {
                break;
            }
        }
        let _ = asked.shutdown(Shutdown::Both);
    });
}
