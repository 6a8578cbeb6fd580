//! The API's words as they read: each list has a word and its name.

use wayfare_client::enums::Role;

/// Roles of an agency's people.
pub const ROLES: [(&str, &str); 2] = [("agent", "Agent"), ("org_admin", "Admin")];

/// What a word is called; one that is newer than this program stands for itself.
pub fn name_of<'a>(names: &'a [(&str, &str)], word: &'a str) -> &'a str {
    names.iter().find(|(known, _)| *known == word).map_or(word, |(_, name)| name)
}

pub fn role(role: &Role) -> &str {
    name_of(&ROLES, role.as_str())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use wayfare_client::enums::{
        ApplyOn, BookingStatus, Cabin, ChangeKind, FareKind, FeeType, IncidentKind, MarkupType, OperatorRole,
        PassengerType, PendingWhat, Period, ProductKind, RefType, RefundStatus, ReportType, RequirementKind,
        RulingKind, Standing, StepKind, TransactionType,
    };
    use wayfare_domain::{AlarmKind, EventKind};

    use super::*;
    use crate::{
        agency, audit_log, booked, flights, flights::papers::PAPERS, operator, refunds, timeline, wallet,
    };

    type Words = &'static [&'static str];
    type Names = &'static [(&'static str, &'static str)];
    /// How a word reads.
    type Name = fn(&str) -> String;

    #[test]
    fn each_word_of_the_api_stands_in_its_list() {
        // The last column: what no list offers, and what is no word of the API.
        let lists: [(Names, Words, Words); 20] = [
            (&ROLES, Role::WORDS, &[]),
            (&agency::fares::KINDS, FareKind::WORDS, &["write_off"]),
            (&agency::fares::PERIODS, Period::WORDS, &[]),
            (&agency::packages::KINDS, MarkupType::WORDS, &[]),
            (&agency::packages::OF_WHAT, ApplyOn::WORDS, &[]),
            (&agency::reports::KINDS, ReportType::WORDS, &[]),
            (&agency::reports::PRODUCTS, ProductKind::WORDS, &[]),
            (&agency::reports::STATES, BookingStatus::WORDS, &[]),
            (&agency::transactions::KINDS, TransactionType::WORDS, &[]),
            (&agency::transactions::REASONS, RefType::WORDS, &[]),
            (&agency::users::STANDINGS, Standing::WORDS, &[]),
            (&flights::CABINS, Cabin::WORDS, &[]),
            (&operator::desk_forms::RULINGS, RulingKind::WORDS, &[]),
            (&operator::incidents::KINDS, IncidentKind::WORDS, &[]),
            (&operator::people::ROLES, OperatorRole::WORDS, &[]),
            (&operator::signed::ROLES, OperatorRole::WORDS, &[]),
            (&operator::terms::CONTRACT_KINDS, MarkupType::WORDS, &[]),
            (&operator::terms::KINDS, MarkupType::WORDS, &[]),
            (&operator::terms::PRODUCTS, ProductKind::WORDS, &[]),
            (&refunds::TABS, RefundStatus::WORDS, &[""]),
        ];
        for (names, words, exceptions) in lists {
            let listed: BTreeSet<&str> = names.iter().map(|(word, _)| *word).collect();
            let known: BTreeSet<&str> = words.iter().copied().collect();
            let differing: Vec<_> = listed.symmetric_difference(&known).copied().collect();
            assert_eq!(differing, exceptions, "{names:?}");
        }
        let form = include_str!("../templates/agency/user_new.html");
        for (_, name) in ROLES {
            assert!(form.contains(&format!(" {} ", name.to_lowercase())), "the form tells nothing of {name}");
        }
        let kinds: BTreeSet<&str> = audit_log::KINDS.into_iter().collect();
        assert_eq!(kinds, EventKind::entities());
        // What a fare may want stands elsewhere on the form, too; and a membership nobody demands.
        let elsewhere = ["passport", "date_of_birth", "gst", "emergency_contact", "loyalty"];
        let wanted: BTreeSet<&str> = PAPERS.map(|(what, ..)| what).into_iter().chain(elsewhere).collect();
        assert_eq!(wanted, RequirementKind::WORDS.iter().copied().collect());
    }

    #[test]
    fn each_word_of_the_api_has_a_name_which_newer_ones_have_not() {
        let names: [(Words, Name); 12] = [
            (AlarmKind::WORDS, |word| operator::overview::alarm(word).1.to_owned()),
            (AlarmKind::WORDS, |word| operator::supplier_words::alarm(word).to_owned()),
            (BookingStatus::WORDS, |word| booked::status(&BookingStatus::from(word)).word),
            (ChangeKind::WORDS, |word| {
                flights::airline_changes::kind_name(&ChangeKind::from(word)).to_owned()
            }),
            (FeeType::WORDS, |word| flights::search::fee_name(&FeeType::from(word)).to_owned()),
            (PassengerType::WORDS, |word| {
                let kind = PassengerType::from(word);
                flights::order::Seat { number: 0, kind, held_by: None }.kind_name().to_owned()
            }),
            (PendingWhat::WORDS, |word| flights::booking::under_way(&PendingWhat::from(word)).to_owned()),
            (RefType::WORDS, |word| wallet::why(&RefType::from(word)).to_owned()),
            (RefundStatus::WORDS, |word| refunds::status(&RefundStatus::from(word)).word),
            (Standing::WORDS, |word| agency::users::standing(&Standing::from(word)).word),
            (StepKind::WORDS, |word| operator::evidence::step_name(word).to_owned()),
            (StepKind::WORDS, |word| timeline::step_name(&StepKind::from(word)).to_owned()),
        ];
        for (words, name) in names {
            for word in words {
                let named = name(word);
                assert!(named != *word && named != name("of_a_newer_server"), "{word}");
            }
        }
        for kind in EventKind::of_timelines() {
            assert!(timeline::event(kind.text()).is_some(), "{kind:?}");
        }
    }
}
