//! Whom a booking is for: sealed when it is written, opened when it is read or sent.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::Arc,
};

use serde::de::DeserializeOwned;
use serde_json::Value;
use wayfare_domain::{
    BookingId, BookingPapers, BookingRef, NameMeaning, OrganizationId, Product, ProductParts, RawAnswer,
    SealedKind, SupplierAnswerId, UserId, as_written,
};
use wayfare_store::{
    JsonText,
    booking::{
        bookings::{Booking, StoredBooking},
        people::{self, NewPeople, NewSealedRow, NewSupplierAnswer, SealedRow},
    },
};

use super::cipher::{DataKey, Place};
use crate::{
    Core, Error, Result,
    order_content::order_content,
    scrub::{NamedPeople, REMOVED},
};

/// What is said to whoever wants something done for people who are erased.
pub(crate) const ERASED: &str = "its travellers are erased";

/// The people of one booking, opened: what its suppliers are sent and its texts must not tell.
#[derive(Clone)]
pub(crate) struct BookingPeople {
    pub booking: BookingId,
    /// As their product writes them; none when they are erased.
    people: Option<JsonText>,
    papers: Arc<BookingPapers>,
    answers: Option<AnswerKey>,
    /// Not where their rows don't open.
    are_known: bool,
}

/// The key of a booking under which answers are sealed: suppliers', and those of idempotency keys.
pub(crate) type AnswerKey = Arc<DataKey>;

impl fmt::Debug for BookingPeople {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BookingPeople({})", self.booking)
    }
}

impl BookingPeople {
    /// Those of a booking of whom nothing is known.
    pub(crate) fn unknown(booking: BookingId) -> Self {
        Self { booking, people: None, papers: Arc::default(), answers: None, are_known: false }
    }

    /// Them, as their product has them.
    ///
    /// # Errors
    /// [`Error::NotSupported`] when they are erased.
    pub(crate) fn of<T: DeserializeOwned + Clone + 'static>(&self) -> Result<T> {
        let people = self.people.as_ref().ok_or(Error::NotSupported(ERASED))?;
        people.parse().map_err(unreadable)
    }

    /// All that is stored of them; null when they are erased.
    pub(crate) fn all(&self) -> Value {
        self.people.as_ref().and_then(|people| people.parse().ok()).unwrap_or_default()
    }

    /// What a supplier said, of what is stored of it; none where its key is erased.
    ///
    /// # Errors
    /// [`Error::Internal`] when it does not open.
    pub(crate) fn open_answer(&self, id: SupplierAnswerId, sealed: &[u8]) -> Result<Option<Value>> {
        let Some(key) = &self.answers else { return Ok(None) };
        let answer = serde_json::from_slice(&key.open(&of_answer(id), sealed)?);
        Ok(Some(answer.map_err(unreadable)?))
    }

    pub(crate) fn papers(&self) -> &BookingPapers {
        &self.papers
    }

    /// The key of its answers; none when they are erased, or the booking is not sealed yet.
    pub(crate) fn answers(&self) -> Option<&AnswerKey> {
        self.answers.as_ref()
    }

    pub(crate) fn named(&self) -> NamedPeople {
        NamedPeople::of([&self.all(), &self.papers.telling()])
    }

    /// The text without what it says of them; nothing of a supplier's where nobody knows whom it may name.
    pub(crate) fn scrub(&self, text: &str) -> String {
        match self.are_known {
            true => self.named().scrub(text),
            false => REMOVED.to_owned(),
        }
    }

    /// What an operator says without what it says of them; nothing of it where nobody knows whom it may name.
    pub(crate) fn scrub_note(&self, note: &str) -> String {
        match self.are_known {
            true => self.named().scrub_people(note),
            false => REMOVED.to_owned(),
        }
    }

    /// What a supplier said, to be stored; nothing of what said nothing, or where there is no key for it.
    pub(crate) fn seal_answer(&self, core: &Core, raw: &RawAnswer) -> Result<Option<NewSupplierAnswer>> {
        let Some(key) = self.answers.as_ref().filter(|_| !raw.is_nothing()) else { return Ok(None) };
        let id = SupplierAnswerId::new(&core.clock);
        let sealed = key.seal(&of_answer(id), raw.text().as_bytes())?;
        Ok(Some(NewSupplierAnswer { id, sealed: sealed.into() }))
    }
}

/// What is authenticated with a supplier's answer.
fn of_answer(id: SupplierAnswerId) -> Vec<u8> {
    [b"answer ".as_slice(), id.uuid().as_bytes()].concat()
}

/// What is authenticated with the kept answer of an idempotency key.
pub(crate) fn of_kept_answer(user: UserId, key: &str) -> Vec<u8> {
    [b"kept ".as_slice(), user.uuid().as_bytes(), key.as_bytes()].concat()
}

/// What is written of a booking: what everybody may read, and its people, sealed.
pub(crate) struct Sealed {
    /// JSON.
    pub stored: Arc<str>,
    pub people: BookingPeople,
    pub rows: NewPeople,
}

/// Seals whom a booking is for, each kind under a key of its own.
pub(crate) fn seal<P: Product>(
    core: &Core,
    organization: OrganizationId,
    booking: BookingId,
    product: P,
) -> Result<Sealed> {
    let ends_on = product.ends_on();
    let ProductParts { stored, people, papers } = product.parts();
    let names = people.as_ref().map(|people| names::<P>(core, people)).unwrap_or_default();
    let people = people.map(JsonText::keeping).transpose()?;
    let mut sealed = Vec::new();
    let mut add = |kind, content: Option<Vec<u8>>| {
        let place = Place { organization, booking, kind };
        let key = DataKey::random(place)?;
        sealed.push(NewSealedRow {
            kind,
            key: key.wrap(&core.secrets.people)?,
            sealed: content.map(|content| key.seal(b"", &content)).transpose()?,
            sealed_at: core.clock.now(),
            ends_on,
            kept_days: core.kept_days.of(kind),
        });
        Ok::<_, Error>(key)
    };
    add(SealedKind::People, Some(serde_json::to_vec(&people)?))?;
    if !papers.is_empty() {
        add(SealedKind::Papers, Some(serde_json::to_vec(&papers)?))?;
    }
    let answers = add(SealedKind::AnswerKey, None)?;
    Ok(Sealed {
        stored: serde_json::to_string(&stored)?.into(),
        people: BookingPeople {
            booking,
            people,
            papers: Arc::new(papers),
            answers: Some(Arc::new(answers)),
            are_known: true,
        },
        rows: NewPeople { rows: sealed, names },
    })
}

/// Keyed hashes of the full names, of what they mean, of the family names and of the e-mail address, each once.
pub(crate) fn names<P: Product>(core: &Core, people: &P::People) -> Vec<[u8; 32]> {
    let mut names = BTreeSet::new();
    for (last, first) in P::names(people) {
        names.insert(folded_key(core, last, Some(first)));
        names.insert(folded_key(core, last, None));
        names.insert(meaning_key(core, last, first));
    }
    let email = P::email(people);
    if !email.is_empty() {
        names.insert(email_key(core, email));
    }
    names.into_iter().collect()
}

/// By what bookings of somebody of this whole name are found, as somebody types it: `LAST/FIRST`, or the only name of who has one,
/// whatever stands beside it (`MIRA`, `/MIRA`, `MIRA/`, `MIRA/MIRA`). By its meaning (D-572), and as servers before stored it.
pub(crate) fn full_name_keys(core: &Core, typed: &str) -> Vec<[u8; 32]> {
    let (last, first) = typed.split_once('/').unwrap_or((typed, ""));
    let mut keys = vec![meaning_key(core, last, first)];
    keys.extend(former_keys(core, last, Some(first)));
    if let Some(only) = only_name(last, first) {
        // Who has one name was stored with an empty family name.
        keys.extend(former_keys(core, "", Some(only)));
    }
    keys
}

/// By what bookings of a family of this name are found.
pub(crate) fn family_name_keys(core: &Core, last: &str) -> [[u8; 32]; 2] {
    former_keys(core, last, None)
}

/// Folded to letters from a to z, and as it was written before names were folded (D-382).
fn former_keys(core: &Core, last: &str, first: Option<&str>) -> [[u8; 32]; 2] {
    let words = |name: &str| as_written(name).to_lowercase();
    let content = match first {
        Some(first) => format!("{}/{}", words(last), words(first)),
        None => words(last),
    };
    let unfolded = core.secrets.mac("name", content.as_bytes());
    [folded_key(core, last, first), unfolded]
}

/// The name of who has one, if it may be one.
fn only_name<'a>(last: &'a str, first: &'a str) -> Option<&'a str> {
    match (letters(last), letters(first)) {
        (last_letters, first_letters) if last_letters.is_empty() && first_letters.is_empty() => None,
        (last_letters, first_letters) if first_letters.is_empty() || first_letters == last_letters => {
            Some(last)
        }
        (last_letters, _) if last_letters.is_empty() => Some(first),
        _ => None,
    }
}

/// The same for all spellings of a name, with given and family name exchanged, joined or parted elsewhere.
fn meaning_key(core: &Core, last: &str, first: &str) -> [u8; 32] {
    let meaning = NameMeaning::of(first, last).key();
    core.secrets.mac("name", format!("={meaning}").as_bytes())
}

fn folded_key(core: &Core, last: &str, first: Option<&str>) -> [u8; 32] {
    let content = match first {
        Some(first) => format!("{}/{}", letters(last), letters(first)),
        None => letters(last),
    };
    core.secrets.mac("name", content.as_bytes())
}

/// The letters of a name from a to z, and nothing between them.
fn letters(name: &str) -> String {
    let plain = wayfare_reference::plain_name(name);
    plain.chars().filter(char::is_ascii_alphabetic).collect()
}

/// By what bookings that are reached by this address are found.
pub(crate) fn email_key(core: &Core, email: &str) -> [u8; 32] {
    core.secrets.mac("email", email.trim().to_lowercase().as_bytes())
}

/// A booking as it was stored, with whom it is for. Papers stay sealed.
///
/// # Errors
/// [`Error::Internal`] when its row does not open.
pub(crate) fn open<P: Product>(core: &Core, stored: StoredBooking) -> Result<Booking<P>> {
    open_with_papers(core, stored, None)
}

/// The same for whoever can do without people: where the row does not open the booking has none, as if they were erased. The
/// operator reads of it in the log (D-208).
///
/// # Errors
/// When what was bought can't be read.
pub(crate) fn open_if_it_opens<P: Product>(core: &Core, stored: StoredBooking) -> Result<Booking<P>> {
    read(core, stored, None, |opened, booking| {
        Ok(opened.unwrap_or_else(|error| {
            tracing::error!(%error, %booking, "the people of a booking don't open");
            None
        }))
    })
}

/// A booking with the papers of this row.
///
/// # Errors
/// [`Error::Internal`] when a row does not open.
pub(crate) fn open_with_papers<P: Product>(
    core: &Core,
    stored: StoredBooking,
    papers: Option<&SealedRow>,
) -> Result<Booking<P>> {
    read(core, stored, papers, |opened, _| opened)
}

/// What stands in the place of people, of this booking, that were opened or not.
type Opened<P> = fn(Result<Option<P>>, &BookingRef) -> Result<Option<P>>;

fn read<P: Product>(
    core: &Core,
    stored: StoredBooking,
    papers: Option<&SealedRow>,
    opened: Opened<P::People>,
) -> Result<Booking<P>> {
    let StoredBooking { booking, product, people } = stored;
    let Some(row) = people else {
        // Written before people were sealed.
        return Ok(booking.with(product.parse().map_err(unreadable)?));
    };
    let place = |kind| Place { organization: booking.organization, booking: booking.id, kind };
    let people = opened(content(core, place(SealedKind::People), &row), &booking.reference)?;
    let papers = papers.map(|row| content(core, place(SealedKind::Papers), row)).transpose()?;
    let parts =
        ProductParts { stored: product.parse()?, people, papers: papers.flatten().unwrap_or_default() };
    let mut booking = booking.with(P::of_parts(parts));
    booking.people_erased_at = row.erased_at;
    Ok(booking)
}

/// What a row holds; none when it is erased.
fn content<T: DeserializeOwned>(core: &Core, place: Place, row: &SealedRow) -> Result<Option<T>> {
    let Some((wrapped, sealed)) = &row.content else { return Ok(None) };
    let key = DataKey::unwrap(&core.secrets.people, place, wrapped)?;
    let content = serde_json::from_slice(&key.open(b"", sealed)?);
    Ok(Some(content.map_err(unreadable)?))
}

/// What is told of what opens and is not what it should be: the reader's own words would quote it.
pub(crate) fn unreadable(_: serde_json::Error) -> Error {
    Error::Internal("what is stored of people can't be read".to_owned())
}

/// The key of a booking's answers, of this row; none when it is erased.
///
/// # Errors
/// [`Error::Internal`] when the row does not open.
pub(crate) fn answer_key(
    core: &Core,
    organization: OrganizationId,
    booking: BookingId,
    row: &SealedRow,
) -> Result<Option<AnswerKey>> {
    let place = Place { organization, booking, kind: SealedKind::AnswerKey };
    let wrapped = row.content.as_ref().map(|(wrapped, _)| wrapped);
    let key = wrapped.map(|wrapped| DataKey::unwrap(&core.secrets.people, place, wrapped));
    Ok(key.transpose()?.map(Arc::new))
}

/// The people of a booking that is there: one statement, two of one that is not sealed yet.
///
/// # Errors
/// [`Error::Internal`] when a row does not open.
pub(crate) async fn load(
    core: &Core,
    organization: OrganizationId,
    booking: BookingId,
) -> Result<BookingPeople> {
    let mut connection = core.database.connection().await?;
    let found: BTreeMap<&str, SealedRow> = people::of(&connection, organization, booking)
        .await?
        .into_iter()
        .map(|(kind, row)| (kind.into(), row))
        .collect();
    let of = |kind: SealedKind| {
        let place = Place { organization, booking, kind };
        (place, found.get(kind.as_ref()))
    };
    let (place, row) = of(SealedKind::People);
    let people = match row {
        Some(row) => content(core, place, row)?,
        None => {
            let (kind, product) = people::product(&mut connection, organization, booking).await?;
            (order_content(kind).people_of_old)(product)?
        }
    };
    let (place, row) = of(SealedKind::Papers);
    let papers = row.map(|row| content(core, place, row)).transpose()?;
    let (_, row) = of(SealedKind::AnswerKey);
    let answers = row.map(|row| answer_key(core, organization, booking, row)).transpose()?;
    Ok(BookingPeople {
        booking,
        people,
        papers: Arc::new(papers.flatten().unwrap_or_default()),
        answers: answers.flatten(),
        are_known: true,
    })
}
