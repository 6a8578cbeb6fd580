//! Names as Duffel takes them: letters of ASCII, Latin-1 Supplement and Latin Extended-A, spaces, hyphens and
//! apostrophes, at most 20 (Duffel's reference, order passengers).

use wayfare_domain::{Faults, Traveller};

const LONGEST: usize = 20;
const LAST_LETTER: char = '\u{17f}';

/// The names that Duffel would refuse.
pub(super) fn check(travellers: &[Traveller]) -> Faults {
    let mut faults = Faults::default();
    for (place, traveller) in travellers.iter().enumerate() {
        for (field, name) in [
            ("first_name", &traveller.first_name),
            ("last_name", &traveller.last_name),
        ] {
            if let Some(reason) = refused(name) {
                faults.add(format!("passengers[{place}].{field}"), reason);
            }
        }
    }
    faults
}

fn refused(name: &str) -> Option<String> {
    if name.chars().count() > LONGEST {
        return Some(format!(
            "must have at most {LONGEST} characters for this supplier"
        ));
    }
    let printable = |c: char| " -'".contains(c) || (c.is_alphabetic() && c <= LAST_LETTER);
    (!name.chars().all(printable)).then(|| "must be in Latin letters for this supplier".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_airlines_can_print_is_taken() {
        for (name, taken) in [
            ("Łukasz-José O'Neill", true),
            ("Abcdefghijklmnopqrst", true),
            ("Abcdefghijklmnopqrstu", false),
            ("Мария", false),
            ("राम", false),
        ] {
            assert_eq!(refused(name).is_none(), taken, "{name}");
        }
    }
}
