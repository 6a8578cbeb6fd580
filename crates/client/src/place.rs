//! Where in an answer something is wrong: found by walking its text, so that no type is compiled for it.

use std::fmt::Write;

/// What is open before the error.
enum Open {
    /// An object, at the member of this name once there is one.
    Object(Option<String>),
    /// A list, at the item of this number.
    List(usize),
}

/// The error with its place before it, where it has one: `data.items[3].amount: invalid type …`.
pub(crate) fn placed(json: &[u8], error: &serde_json::Error) -> String {
    let mut lines = json.split_inclusive(|byte| *byte == b'\n');
    let before: usize = lines.by_ref().take(error.line().saturating_sub(1)).map(<[u8]>::len).sum();
    let mut place = String::new();
    for open in open_at(json, before + error.column()) {
        let _ = match open {
            Open::Object(None) => Ok(()),
            Open::Object(Some(name)) if place.is_empty() => place.write_str(&name),
            Open::Object(Some(name)) => write!(place, ".{name}"),
            Open::List(number) => write!(place, "[{number}]"),
        };
    }
    match place.as_str() {
        "" => error.to_string(),
        place => format!("{place}: {error}"),
    }
}

fn open_at(json: &[u8], end: usize) -> Vec<Open> {
    let mut open = Vec::new();
    let mut bytes = json.iter().copied().take(end);
    while let Some(byte) = bytes.next() {
        match byte {
            b'{' => open.push(Open::Object(None)),
            b'[' => open.push(Open::List(0)),
            b'}' | b']' => drop(open.pop()),
            b',' => match open.last_mut() {
                Some(Open::Object(name)) => *name = None,
                Some(Open::List(number)) => *number += 1,
                None => {}
            },
            b'"' => {
                let text = string(&mut bytes);
                if let Some(Open::Object(name @ None)) = open.last_mut() {
                    *name = Some(text);
                }
            }
            _ => {}
        }
    }
    open
}

/// The rest of a string as it is written.
fn string(bytes: &mut impl Iterator<Item = u8>) -> String {
    let mut text = Vec::new();
    while let Some(byte) = bytes.next().filter(|byte| *byte != b'"') {
        text.push(byte);
        if byte == b'\\' {
            text.extend(bytes.next());
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only read")]
    struct Answer {
        data: Vec<Item>,
        total: Option<u32>,
    }

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only read")]
    struct Item {
        id: String,
        #[serde(default)]
        inner: Option<Box<Item>>,
    }

    #[test]
    fn an_error_names_its_place() {
        for (json, expected) in [
            (
                r#"{"data":[{"id":"a,]}\""},{"id":5}]}"#,
                "data[1].id: invalid type: integer `5`, expected a string",
            ),
            ("{\"data\":[],\n\n \"total\": \"x\"}", "total: invalid type: string \"x\", expected u32"),
            (r#"{"data":[{"id":"a","inner":{"x":[1,2]}}]}"#, "data[0].inner: missing field `id`"),
            (r#"{"data":[{"x":{}}],"total":1}"#, "data[0]: missing field `id`"),
            (r#"{"data":{"id":1}}"#, "data: invalid type: map, expected a sequence"),
            (r#"{"data":[{"id":"a","id":"b"}]}"#, "data[0].id: duplicate field `id`"),
            (r#"{"total":1}"#, "missing field `data`"),
            ("", "EOF while parsing a value"),
        ] {
            let error = serde_json::from_str::<Answer>(json).err().unwrap();
            let placed = placed(json.as_bytes(), &error);
            assert!(placed.starts_with(&format!("{expected} at line ")), "{placed}");
        }
    }
}
