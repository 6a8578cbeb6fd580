//! Texts, codes and numbers of flights as suppliers write them.

/// Characters as HTML has them: what must be escaped there, the first blank, and letters beyond ASCII.
pub(crate) fn with_entities(text: &str) -> Option<String> {
    // What is HTML already would say its tags instead of having them.
    if text.contains(['<', '>']) {
        return None;
    }
    let mut odd = String::with_capacity(text.len() * 2);
    let mut has_blank = false;
    for letter in text.chars() {
        match letter {
            '&' => odd.push_str("&amp;"),
            '"' => odd.push_str("&quot;"),
            '\'' => odd.push_str("&#39;"),
            'é' => odd.push_str("&eacute;"),
            'ü' => odd.push_str("&uuml;"),
            'ñ' => odd.push_str("&ntilde;"),
            '’' => odd.push_str("&rsquo;"),
            '–' => odd.push_str("&ndash;"),
            ' ' if !has_blank => {
                has_blank = true;
                odd.push_str("&#32;");
            }
            _ if !letter.is_ascii() => odd.push_str(&format!("&#x{:X};", u32::from(letter))),
            _ => odd.push(letter),
        }
    }
    (odd != text).then_some(odd)
}

pub(crate) fn with_blanks(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| format!(" {text} "))
}

/// A number of a flight with four digits.
pub(crate) fn with_leading_zeros(number: &str) -> Option<String> {
    let is_short = number.len() < 4 && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_short.then(|| format!("{number:0>4}"))
}

/// Capitals as small letters, and the other way.
pub(crate) fn in_other_case(code: &str) -> Option<String> {
    let other = |letter: char| match letter.is_ascii_uppercase() {
        true => letter.to_ascii_lowercase(),
        false => letter.to_ascii_uppercase(),
    };
    let odd: String = code.chars().map(other).collect();
    (odd != code).then_some(odd)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_written_otherwise() {
        type Change = fn(&str) -> Option<String>;
        let cases: [(Change, &str, Option<&str>); 9] = [
            (with_entities, "Hotel & Spa", Some("Hotel&#32;&amp; Spa")),
            (with_entities, "Café", Some("Caf&eacute;")),
            (with_entities, "Šibenik", Some("&#x160;ibenik")),
            (with_entities, "Plaza", None),
            (with_leading_zeros, "117", Some("0117")),
            (with_leading_zeros, "1234", None),
            (with_leading_zeros, "12A", None),
            (in_other_case, "DEL", Some("del")),
            (in_other_case, "economy", Some("ECONOMY")),
        ];
        for (change, text, odd) in cases {
            assert_eq!(change(text).as_deref(), odd, "{text}");
        }
    }
}
