//! Which statements the service prepares, seen between it and PostgreSQL: their texts and the types of their parameters, as it
//! sends them. Only where `WAYFARE_RECORD_STATEMENTS` names a file to append them to; `just record-statements` does it.

use std::{
    collections::BTreeSet,
    env, fs,
    fs::{File, OpenOptions},
    io::{BufReader, ErrorKind, Read, Write},
    net::Shutdown,
    os::unix::net::{UnixListener, UnixStream},
    path::PathBuf,
    sync::{LazyLock, Mutex, OnceLock},
    thread,
};

use serde_json::json;

/// Where the statements are appended to, one line of JSON each.
const FILE: &str = "WAYFARE_RECORD_STATEMENTS";
/// What PostgreSQL names its socket.
const SOCKET: &str = ".s.PGSQL.5432";
/// What a client asks before it says who it is: whether it may speak TLS, or GSSAPI. Its start follows, without a letter, too.
const QUESTIONS: [u32; 2] = [80_877_103, 80_877_104];
/// The letter of a message that has a statement prepared.
const PARSE: u8 = b'P';

/// A text and PostgreSQL's numbers of its parameters' types.
type Prepared = (String, Vec<u32>);

static SEEN: LazyLock<Mutex<BTreeSet<Prepared>>> = LazyLock::new(Mutex::default);

/// The same database, through the recorder where statements are recorded.
pub fn through(url: &str) -> String {
    if env::var_os(FILE).is_none() {
        return url.to_owned();
    }
    let (user, rest) = url.split_once('@').unwrap();
    let (host, database) = rest.rsplit_once('/').unwrap();
    format!("{user}@{}/{database}", recorder(&host.replace("%2F", "/")))
}

/// The recorder before the server whose socket is in this folder, which a process has one of: its folder, as URLs name it.
fn recorder(server: &str) -> &'static str {
    static FOLDER: OnceLock<String> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = env::temp_dir().join(format!("wayfare-recorder-{}", std::process::id()));
        // Left by a process that had our number.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        let listener = UnixListener::bind(folder.join(SOCKET)).unwrap();
        let server = PathBuf::from(server).join(SOCKET);
        thread::spawn(move || {
            for client in listener.incoming() {
                let (client, server) = (client.unwrap(), UnixStream::connect(&server).unwrap());
                let (mut answers, mut to_client) = (server.try_clone().unwrap(), client.try_clone().unwrap());
                thread::spawn(move || {
                    let _ = std::io::copy(&mut answers, &mut to_client);
                    let _ = to_client.shutdown(Shutdown::Both);
                });
                thread::spawn(move || {
                    pass_on(client, &server);
                    let _ = server.shutdown(Shutdown::Write);
                });
            }
        });
        folder.to_str().unwrap().replace('/', "%2F")
    })
}

/// Passes on what a client says, to its end.
fn pass_on(client: UnixStream, mut server: &UnixStream) {
    let mut client = BufReader::with_capacity(1 << 16, client);
    let mut has_begun = false;
    while let Some(message) = next(&mut client, has_begun) {
        if !has_begun {
            let code = message.get(4..8).unwrap().try_into().unwrap();
            has_begun = !QUESTIONS.contains(&u32::from_be_bytes(code));
        } else if message.first() == Some(&PARSE) {
            note(message.get(5..).unwrap());
        }
        if server.write_all(&message).is_err() {
            return;
        }
    }
}

/// The next message as it came: a letter, which the first ones lack, its length without the letter, and the rest.
fn next(client: &mut impl Read, has_letter: bool) -> Option<Vec<u8>> {
    let mut message = vec![0; 4 + usize::from(has_letter)];
    match client.read_exact(&mut message) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return None,
        Err(error) => {
            eprintln!("a client's connection ended: {error}");
            return None;
        }
    }
    let length = message.last_chunk().copied().map(u32::from_be_bytes).unwrap();
    let begun = message.len();
    message.resize(begun + length as usize - 4, 0);
    client.read_exact(message.get_mut(begun..).unwrap()).ok()?;
    Some(message)
}

/// Takes down what is prepared: a name and the text, each ended by a zero, and the types.
fn note(parse: &[u8]) {
    let mut parts = parse.splitn(3, |byte| *byte == 0);
    let (_, text, types) = (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap());
    let text = String::from_utf8(text.to_vec()).unwrap();
    if text.starts_with(crate::books::ASKED) {
        return;
    }
    let types = types.get(2..).unwrap().chunks_exact(4);
    let types: Vec<u32> = types.map(|oid| u32::from_be_bytes(oid.try_into().unwrap())).collect();
    let mut seen = SEEN.lock().unwrap();
    if seen.insert((text.clone(), types.clone())) {
        static TO: LazyLock<Mutex<File>> = LazyLock::new(|| {
            let path = env::var_os(FILE).unwrap();
            Mutex::new(OpenOptions::new().append(true).create(true).open(path).unwrap())
        });
        let line = format!("{}\n", json!({ "text": text, "types": types }));
        TO.lock().unwrap().write_all(line.as_bytes()).unwrap();
    }
}
