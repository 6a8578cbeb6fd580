//! All that is in a Redis, for tests that look for what must not be there.

use std::io::Read;

use flate2::read::DeflateDecoder;

use crate::TestRedis;

impl TestRedis {
    /// All that is in it: of each key every value, and what was packed as it is unpacked, too.
    pub fn all(&self) -> Vec<(String, Vec<u8>)> {
        let mut connection = redis::Client::open(self.url()).unwrap().get_connection().unwrap();
        let mut ask = |command: &str, key: &str, rest: &[&str]| -> redis::Value {
            redis::cmd(command).arg(key).arg(rest).query(&mut connection).unwrap()
        };
        let keys: Vec<String> = redis::from_redis_value(ask("KEYS", "*", &[])).unwrap();
        let mut all = Vec::new();
        for key in keys {
            let kind: String = redis::from_redis_value(ask("TYPE", &key, &[])).unwrap();
            let value = match kind.as_str() {
                "string" => ask("GET", &key, &[]),
                "list" => ask("LRANGE", &key, &["0", "-1"]),
                "hash" => ask("HGETALL", &key, &[]),
                "set" => ask("SMEMBERS", &key, &[]),
                "zset" => ask("ZRANGE", &key, &["0", "-1"]),
                // It has expired meanwhile.
                "none" => continue,
                kind => panic!("{key} is a {kind}"),
            };
            let mut parts = Vec::new();
            bytes(value, &mut parts);
            for part in parts {
                let mut unpacked = Vec::new();
                // What is not packed does not unpack to its end.
                let _ = DeflateDecoder::new(&*part).read_to_end(&mut unpacked);
                all.extend([(key.clone(), part), (key.clone(), unpacked)]);
            }
        }
        all
    }
}

fn bytes(value: redis::Value, all: &mut Vec<Vec<u8>>) {
    match value {
        redis::Value::BulkString(bytes) => all.push(bytes),
        redis::Value::SimpleString(text) => all.push(text.into_bytes()),
        redis::Value::Array(values) => values.into_iter().for_each(|value| bytes(value, all)),
        _ => {}
    }
}
