//! JSON as programs write it: members in another order, blanks and line ends between them, letters escaped.

use serde_json::Value;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Style {
    /// Members from the last name to the first.
    pub reversed: bool,
    /// What stands between all that can be set apart: blanks and line ends.
    pub between: &'static str,
    /// Letters beyond ASCII, and slashes, as escapes.
    pub escaped: bool,
}

impl Style {
    pub fn and(self, other: Self) -> Self {
        Self {
            reversed: self.reversed || other.reversed,
            between: if other.between.is_empty() { self.between } else { other.between },
            escaped: self.escaped || other.escaped,
        }
    }

    pub fn write(self, value: &Value) -> String {
        let mut text = String::new();
        self.push(value, &mut text);
        text
    }

    fn push(self, value: &Value, text: &mut String) {
        match value {
            Value::String(letters) => self.push_text(letters, text),
            Value::Array(items) => {
                text.push('[');
                for (place, item) in items.iter().enumerate() {
                    self.set_apart(place, text);
                    self.push(item, text);
                }
                text.push_str(self.between);
                text.push(']');
            }
            Value::Object(members) => {
                text.push('{');
                let mut members: Vec<_> = members.iter().collect();
                if self.reversed {
                    members.reverse();
                }
                for (place, (name, member)) in members.into_iter().enumerate() {
                    self.set_apart(place, text);
                    self.push_text(name, text);
                    text.push_str(self.between);
                    text.push(':');
                    text.push_str(self.between);
                    self.push(member, text);
                }
                text.push_str(self.between);
                text.push('}');
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => text.push_str(&value.to_string()),
        }
    }

    fn set_apart(self, place: usize, text: &mut String) {
        if place > 0 {
            text.push_str(self.between);
            text.push(',');
        }
        text.push_str(self.between);
    }

    fn push_text(self, letters: &str, text: &mut String) {
        let quoted = Value::from(letters).to_string();
        if !self.escaped {
            text.push_str(&quoted);
            return;
        }
        for letter in quoted.chars() {
            match letter {
                '/' => text.push_str("\\/"),
                _ if letter.is_ascii() => text.push(letter),
                _ => {
                    let mut units = [0; 2];
                    for unit in letter.encode_utf16(&mut units) {
                        text.push_str(&format!("\\u{unit:04x}"));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_in_any_style_says_the_same() {
        let document = r#"{"a":[1.10,"Café 🛫 \"x\"/y",{}],"b":{"c":null,"d":true},"e":[]}"#;
        let value: Value = serde_json::from_str(document).unwrap();
        assert_eq!(Style::default().write(&value), document);
        for reversed in [false, true] {
            for between in ["", " ", "\r\n\t"] {
                for escaped in [false, true] {
                    let style = Style { reversed, between, escaped };
                    let text = style.write(&value);
                    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value, "{text}");
                    assert_eq!(text.is_ascii(), escaped, "{text}");
                }
            }
        }
        let reversed = Style { reversed: true, ..Style::default() };
        assert!(reversed.write(&value).starts_with(r#"{"e":[],"b":{"d":true,"#));
    }
}
