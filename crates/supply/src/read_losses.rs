//! What is lost where suppliers' answers are read: counted by supplier and field, so that somebody learns of it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// So many fields are told apart for each supplier; whatever else is lost is counted as one more.
const MOST_FIELDS: usize = 200;
/// The field of what is counted beyond them.
const OTHER_FIELDS: &str = "other";
/// An example is cut here.
const LONGEST_EXAMPLE: usize = 100;

thread_local! {
    /// Whose answers are being read on this thread, the innermost last.
    static READING: RefCell<Vec<Arc<ReadLosses>>> = const { RefCell::new(Vec::new()) };
}

/// How something of an answer is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
pub enum LossKind {
    /// An amount had more digits than its currency has.
    Rounded,
    /// A part could not be read, and was left out.
    LeftOut,
    /// A part is not there that always was.
    Missing,
    /// A word that nobody here knows.
    UnknownWord,
    /// A part that is told twice says two things.
    Mismatch,
}

impl LossKind {
    /// As it is counted and shown.
    pub fn label(self) -> &'static str {
        match self {
            Self::Rounded => "rounded",
            Self::LeftOut => "left_out",
            Self::Missing => "missing",
            Self::UnknownWord => "unknown_word",
            Self::Mismatch => "mismatch",
        }
    }
}

/// What was lost of one field of a supplier's answers since the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedLoss {
    /// Where in the answer, in the supplier's words and without numbers of places: `order.amount`.
    pub field: String,
    /// Whether it was left out, rounded, missing, or an unknown word.
    pub kind: LossKind,
    /// How often.
    pub count: u64,
    /// What came the first time.
    pub example: String,
}

/// Notes that something is lost of the answer that is being read ([`crate::SupplierHttp::reading`]). `field` has no numbers of
/// places, and `example` names nobody.
pub fn note_loss(kind: LossKind, field: &str, example: impl Display) {
    let losses = READING.with_borrow(|reading| reading.last().cloned());
    if let Some(losses) = losses {
        losses.count(field, kind, &example);
    }
}

/// What is read so, and what is lost in it. Nobody else counts that.
pub fn losses_in<T>(read: impl FnOnce() -> T) -> (T, Vec<CountedLoss>) {
    let losses = Arc::new(ReadLosses::of("nobody"));
    let content = losses.reading(read);
    (content, losses.all())
}

/// What was lost of one supplier's answers.
#[derive(Debug)]
pub(crate) struct ReadLosses {
    supplier: String,
    counted: Mutex<BTreeMap<(String, LossKind), Counted>>,
}

#[derive(Debug)]
struct Counted {
    count: u64,
    example: String,
}

impl ReadLosses {
    pub fn of(supplier: &str) -> Self {
        Self { supplier: supplier.to_owned(), counted: Mutex::default() }
    }

    /// Reads an answer of the supplier: what is lost in it is counted here.
    pub fn reading<T>(self: &Arc<Self>, read: impl FnOnce() -> T) -> T {
        struct Ended;
        impl Drop for Ended {
            fn drop(&mut self) {
                READING.with_borrow_mut(Vec::pop);
            }
        }
        READING.with_borrow_mut(|reading| reading.push(self.clone()));
        let _ended = Ended;
        read()
    }

    fn count(&self, field: &str, kind: LossKind, example: &dyn Display) {
        let mut all = self.counted();
        let mut place = (field.to_owned(), kind);
        if all.len() >= MOST_FIELDS && !all.contains_key(&place) {
            place.0 = OTHER_FIELDS.to_owned();
        }
        if let Some(counted) = all.get_mut(&place) {
            counted.count += 1;
            return;
        }
        let example: String = example.to_string().chars().take(LONGEST_EXAMPLE).collect();
        tracing::warn!(
            supplier = self.supplier,
            field,
            kind = kind.label(),
            example,
            "something of a supplier's answers is lost"
        );
        all.insert(place, Counted { count: 1, example });
    }

    pub fn all(&self) -> Vec<CountedLoss> {
        let all = self.counted();
        let losses = all.iter().map(|((field, kind), counted)| CountedLoss {
            field: field.clone(),
            kind: *kind,
            count: counted.count,
            example: counted.example.clone(),
        });
        losses.collect()
    }

    fn counted(&self) -> MutexGuard<'_, BTreeMap<(String, LossKind), Counted>> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_counted_for_the_supplier_whose_answer_is_read() {
        let (duffel, tripjack) = (Arc::new(ReadLosses::of("duffel")), Arc::new(ReadLosses::of("tripjack")));
        note_loss(LossKind::LeftOut, "documents", "of no answer");
        duffel.reading(|| {
            note_loss(LossKind::Rounded, "total_amount", "10.005");
            tripjack.reading(|| note_loss(LossKind::Rounded, "order.amount", "7.001"));
            note_loss(LossKind::Rounded, "total_amount", "20.005");
            note_loss(LossKind::LeftOut, "documents", "x".repeat(500));
        });
        let broken = std::panic::catch_unwind(|| duffel.reading(|| panic!("unreadable")));
        assert!(broken.is_err());
        note_loss(LossKind::LeftOut, "documents", "of no answer");
        let shown = |losses: &ReadLosses| {
            let all = losses.all().into_iter();
            all.map(|loss| (loss.field, loss.kind.label(), loss.count, loss.example.len()))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            shown(&duffel),
            [
                ("documents".to_owned(), "left_out", 1, LONGEST_EXAMPLE),
                ("total_amount".to_owned(), "rounded", 2, 6)
            ]
        );
        assert_eq!(shown(&tripjack), [("order.amount".to_owned(), "rounded", 1, 5)]);
    }

    #[test]
    fn no_answer_can_make_up_fields_without_end() {
        let losses = ReadLosses::of("duffel");
        for number in 0..1_000 {
            losses.count(&format!("field {number}"), LossKind::LeftOut, &"");
        }
        let counted = losses.all();
        assert_eq!(counted.len(), MOST_FIELDS + 1);
        assert_eq!(counted.iter().map(|loss| loss.count).sum::<u64>(), 1_000);
    }
}
