//! Names of travellers as airlines' systems give them back.

use deunicode::deunicode;

pub(crate) type Name = (String, String);

/// What the machine-readable zone of a passport writes for letters that ASCII lacks (ICAO 9303, part 3, section 6).
const PASSPORT_LETTERS: [(char, &str); 7] =
    [('Ä', "AE"), ('Ö', "OE"), ('Ü', "UE"), ('Å', "AA"), ('Æ', "AE"), ('Ø', "OE"), ('Þ', "TH")];

fn both((given, family): &Name, change: impl Fn(&str) -> String) -> Option<Name> {
    let odd = (change(given), change(family));
    (odd != (given.clone(), family.clone())).then_some(odd)
}

/// Capitals of ASCII, without apostrophes, with a blank for a hyphen.
fn airline_letters(name: &str, letters: &[(char, &str)]) -> String {
    let capitals = name.to_uppercase();
    let mut odd = String::new();
    for letter in capitals.chars() {
        match letters.iter().find(|(from, _)| *from == letter) {
            Some((_, to)) => odd.push_str(to),
            None => odd.push(letter),
        }
    }
    let ascii = deunicode(&odd).to_uppercase();
    let plain: String = ascii
        .chars()
        .filter(|letter| *letter != '\'' && *letter != '`' && *letter != '.')
        .map(|letter| if letter == '-' { ' ' } else { letter })
        .collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `José D’Arcy` as `JOSE DARCY`.
pub(crate) fn in_capitals(name: &Name) -> Option<Name> {
    both(name, |text| airline_letters(text, &[]))
}

/// `Müller` as `MUELLER`.
pub(crate) fn as_in_passports(name: &Name) -> Option<Name> {
    both(name, |text| airline_letters(text, &PASSPORT_LETTERS))
}

/// The title behind the given name: `DARCY MR`.
pub(crate) fn with_title(name: &Name, title: &str) -> Option<Name> {
    let (given, family) = in_capitals(name).unwrap_or_else(|| name.clone());
    let title = deunicode(title).to_uppercase().replace('.', "");
    (!title.is_empty()).then(|| (format!("{given} {title}"), family))
}

/// The title behind the given name without a blank: `DARCYMR`.
pub(crate) fn with_title_joined(name: &Name, title: &str) -> Option<Name> {
    let (given, family) = in_capitals(name).unwrap_or_else(|| name.clone());
    let title = deunicode(title).to_uppercase().replace('.', "");
    (!title.is_empty()).then(|| (format!("{given}{title}"), family))
}

/// Without blanks and hyphens: `ANNEMARIE`.
pub(crate) fn joined(name: &Name) -> Option<Name> {
    both(name, |text| airline_letters(text, &[]).replace(' ', ""))
}

/// At most so many letters of each.
const LONGEST: usize = 24;

pub(crate) fn cut(name: &Name) -> Option<Name> {
    both(name, |text| text.chars().take(LONGEST).collect())
}

pub(crate) fn exchanged((given, family): &Name) -> Option<Name> {
    (given != family).then(|| (family.clone(), given.clone()))
}

/// "First name unknown", where there is only one name.
pub(crate) fn with_unknown_first((given, family): &Name) -> Option<Name> {
    let is_one = given.is_empty() || given.eq_ignore_ascii_case(family) || family.is_empty();
    let only = if family.is_empty() { given } else { family };
    is_one.then(|| ("FNU".to_owned(), only.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(given: &str, family: &str) -> Name {
        (given.to_owned(), family.to_owned())
    }

    #[test]
    fn names_come_back_as_airlines_write_them() {
        type Respelling = fn(&Name) -> Option<Name>;
        let cases: [(Respelling, Name, Option<Name>); 10] = [
            (in_capitals, name("Siobhán", "O’Brien-Smith"), Some(name("SIOBHAN", "OBRIEN SMITH"))),
            (in_capitals, name("José", "D'Arcy"), Some(name("JOSE", "DARCY"))),
            (in_capitals, name("ASHA", "RAO"), None),
            (as_in_passports, name("Jürgen", "Müller"), Some(name("JUERGEN", "MUELLER"))),
            (joined, name("Anne-Marie", "Da Costa"), Some(name("ANNEMARIE", "DACOSTA"))),
            (cut, name("Venkatanarasimharajuvaripeta", "Rao"), Some(name("Venkatanarasimharajuvari", "Rao"))),
            (cut, name("Asha", "Rao"), None),
            (exchanged, name("Asha", "Rao"), Some(name("Rao", "Asha"))),
            (with_unknown_first, name("Mira", "Mira"), Some(name("FNU", "Mira"))),
            (with_unknown_first, name("Asha", "Rao"), None),
        ];
        for (change, from, odd) in cases {
            assert_eq!(change(&from), odd, "{from:?}");
        }
        assert_eq!(with_title(&name("Asha", "Rao"), "Mrs"), Some(name("ASHA MRS", "RAO")));
        assert_eq!(with_title_joined(&name("Asha", "Rao"), "ms"), Some(name("ASHAMS", "RAO")));
        assert_eq!(with_title(&name("Asha", "Rao"), ""), None);
    }
}
