//! The permits of one supplier: what many agencies may have under way there at once, so that none takes all of it.
//!
//! An agency's questions take at most its share of the permits for questions that nobody else holds. So there is always some
//! left for whoever comes next, though nobody gives anything back; with a share of one half, `n` agencies that ask as much as
//! they may each come to hold an `n + 1`-th. Who waits is served in turn: first the agency that holds the fewest, and of its
//! calls the oldest.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;
use wayfare_domain::OrganizationId;

use crate::Limits;

/// So many calls of one agency may wait at once: more than can be served in the time that a call waits.
const LONGEST_QUEUE: usize = 1024;

tokio::task_local! {
    static AGENCY: OrganizationId;
    static WATCHING: ();
}

/// Does this for an agency: of the calls to suppliers in it each counts as the agency's, unless another task sends it. Calls
/// that nobody is named for are the operator's own: they have no share, and have their turn as an agency has.
pub async fn on_behalf_of<T>(agency: OrganizationId, work: impl Future<Output = T>) -> T {
    AGENCY.scope(agency, work).await
}

/// Does this for the watch: what is asked in it, nobody waits for ([`crate::Purpose::Watch`]), unless another task asks it.
pub async fn watching<T>(work: impl Future<Output = T>) -> T {
    WATCHING.scope((), work).await
}

/// Whether this task watches orders.
pub(crate) fn is_watching() -> bool {
    WATCHING.try_with(|()| ()).is_ok()
}

/// For whom this task asks suppliers; none when it is for ourselves.
pub(crate) fn asking_agency() -> Option<OrganizationId> {
    AGENCY.try_with(|agency| *agency).ok()
}

/// What is under way at a supplier, for the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PermitUse {
    /// How many permits are taken.
    pub taken: usize,
    /// How many calls wait for one.
    pub waiting: usize,
    /// How many calls, since the start, got none in time and were not sent.
    pub turned_away: u64,
    /// Those of them whose agency had its share, while permits were free.
    pub beyond_share: u64,
}

#[derive(Debug)]
pub(crate) struct Permits {
    all: usize,
    /// Of them, those that questions may take.
    for_questions: usize,
    /// Those that the watch may take.
    for_watch: usize,
    /// An agency's, in percent.
    share: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    taken: Taken,
    /// Who has a permit.
    by_agency: HashMap<Option<OrganizationId>, Taken>,
    /// In the order in which they came.
    waiting: BTreeMap<u64, Waiting>,
    last_number: u64,
    turned_away: u64,
    beyond_share: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Taken {
    all: usize,
    by_questions: usize,
    by_watch: usize,
}

#[derive(Debug)]
struct Waiting {
    call: Call,
    turn: oneshot::Sender<()>,
}

/// A call as far as permits go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    pub agency: Option<OrganizationId>,
    pub kind: Kind,
}

/// What a call is for, as far as permits go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Somebody wants to know, and can ask again.
    Question,
    /// Nobody waits for it.
    Watch,
    /// It changes something, or tells what became of that.
    Needed,
}

/// A permit, or a place in the queue for one; both are given up when it is dropped.
#[derive(Debug)]
pub(crate) struct Permit<'a> {
    permits: &'a Permits,
    call: Call,
    number: u64,
}

impl Permits {
    pub fn new(limits: Limits) -> Self {
        let all = usize::try_from(limits.calls_at_once).unwrap_or(usize::MAX);
        Self {
            all,
            for_questions: (all / 4 * 3 + all % 4 * 3 / 4).max(1),
            for_watch: (all / 8).max(1),
            share: limits.agency_share.into(),
            state: Mutex::default(),
        }
    }

    /// Waits for a permit. None when too many calls of the agency wait already.
    pub async fn take(&self, call: Call) -> Option<Permit<'_>> {
        let (turn, called) = oneshot::channel();
        // From here on it gives up its place, or its permit, when nobody waits for this any more.
        let permit = self.queue(call, turn)?;
        called.await.ok()?;
        Some(permit)
    }

    fn queue(&self, call: Call, turn: oneshot::Sender<()>) -> Option<Permit<'_>> {
        let mut state = self.state();
        let theirs = state.waiting.values();
        if theirs.filter(|other| other.call.agency == call.agency).count() >= LONGEST_QUEUE {
            state.turned_away += 1;
            return None;
        }
        state.last_number += 1;
        let number = state.last_number;
        state.waiting.insert(number, Waiting { call, turn });
        self.serve(&mut state);
        Some(Permit { permits: self, call, number })
    }

    /// Whether a permit is free for such a call, though its agency has its share.
    pub fn is_beyond_share(&self, call: Call) -> bool {
        let state = self.state();
        self.is_free(&state, call) && !self.is_within_share(&state, call)
    }

    pub fn in_use(&self) -> PermitUse {
        let state = self.state();
        PermitUse {
            taken: state.taken.all,
            waiting: state.waiting.len(),
            turned_away: state.turned_away,
            beyond_share: state.beyond_share,
        }
    }

    /// Calls up everybody who can have a permit now.
    fn serve(&self, state: &mut State) {
        while let Some(number) = self.next(state) {
            let Some(Waiting { call, turn }) = state.waiting.remove(&number) else { return };
            state.count(call, |taken| taken + 1);
            // Whoever does not wait any more gives it back when it drops what it has.
            let _ = turn.send(());
        }
    }

    fn next(&self, state: &State) -> Option<u64> {
        if state.taken.all >= self.all {
            return None;
        }
        let may_go = |waiting: &Waiting| {
            self.is_free(state, waiting.call) && self.is_within_share(state, waiting.call)
        };
        let waiting = state.waiting.iter();
        let turns = waiting
            .filter(|(_, waiting)| may_go(waiting))
            .map(|(number, waiting)| (state.taken_by(waiting.call.agency).all, *number));
        turns.min().map(|(_, number)| number)
    }

    fn is_free(&self, state: &State, call: Call) -> bool {
        let taken = state.taken;
        taken.all < self.all
            && match call.kind {
                Kind::Question => taken.by_questions < self.for_questions,
                Kind::Watch => taken.by_watch < self.for_watch,
                Kind::Needed => true,
            }
    }

    fn is_within_share(&self, state: &State, call: Call) -> bool {
        if call.kind != Kind::Question || call.agency.is_none() {
            return true;
        }
        let theirs = state.taken_by(call.agency).by_questions;
        let of_others = state.taken.by_questions - theirs;
        let left = self.for_questions.saturating_sub(of_others);
        theirs < (left.saturating_mul(self.share) / 100).max(1)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn taken_by(&self, agency: Option<OrganizationId>) -> Taken {
        self.by_agency.get(&agency).copied().unwrap_or_default()
    }

    fn count(&mut self, call: Call, change: impl Fn(usize) -> usize) {
        let theirs = self.by_agency.entry(call.agency).or_default();
        for taken in [&mut self.taken, &mut *theirs] {
            taken.all = change(taken.all);
            match call.kind {
                Kind::Question => taken.by_questions = change(taken.by_questions),
                Kind::Watch => taken.by_watch = change(taken.by_watch),
                Kind::Needed => {}
            }
        }
        if *theirs == Taken::default() {
            self.by_agency.remove(&call.agency);
        }
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        let mut state = self.permits.state();
        if state.waiting.remove(&self.number).is_none() {
            state.count(self.call, |taken| taken.saturating_sub(1));
            self.permits.serve(&mut state);
            return;
        }
        let is_free = self.permits.is_free(&state, self.call);
        state.turned_away += 1;
        state.beyond_share += u64::from(is_free);
    }
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;

    use futures_util::FutureExt;
    use wayfare_domain::Clock;

    use super::*;

    /// Eight, six of which questions may take.
    fn permits(agency_share: u8) -> Permits {
        Permits::new(Limits { calls_at_once: 8, agency_share, ..Limits::default() })
    }

    fn agencies<const COUNT: usize>() -> [Option<OrganizationId>; COUNT] {
        std::array::from_fn(|_| Some(OrganizationId::new(&Clock::system())))
    }

    fn question(agency: Option<OrganizationId>) -> Call {
        Call { agency, kind: Kind::Question }
    }

    fn effect(agency: Option<OrganizationId>) -> Call {
        Call { agency, kind: Kind::Needed }
    }

    /// What is there for it at once.
    fn at_once(permits: &Permits, call: Call) -> Option<Permit<'_>> {
        permits.take(call).now_or_never().flatten()
    }

    /// As many as it gets at once.
    fn all_at_once(permits: &Permits, call: Call) -> Vec<Permit<'_>> {
        std::iter::from_fn(|| at_once(permits, call)).collect()
    }

    type Queued<'a> = Pin<Box<dyn Future<Output = Option<Permit<'a>>> + 'a>>;

    /// One that waits.
    fn queued(permits: &Permits, call: Call) -> Queued<'_> {
        let mut waiting: Queued<'_> = Box::pin(permits.take(call));
        assert!((&mut waiting).now_or_never().is_none());
        waiting
    }

    #[test]
    fn each_who_comes_finds_something_however_much_those_before_have_taken() {
        let permits = permits(50);
        let mut taken = Vec::new();
        let counts = agencies::<4>().map(|agency| {
            let theirs = all_at_once(&permits, question(agency));
            let count = theirs.len();
            taken.extend(theirs);
            count
        });
        assert_eq!(counts, [3, 1, 1, 1]);
        assert_eq!(permits.in_use().taken, 6);
        let [last] = agencies();
        assert!(at_once(&permits, question(last)).is_none());
        // Effects have the rest.
        assert_eq!(all_at_once(&permits, effect(last)).len(), 2);
        drop(taken);
        assert_eq!(permits.in_use().taken, 0);
        assert!(permits.state().by_agency.is_empty());
    }

    #[test]
    fn a_share_of_all_is_none_and_our_own_questions_have_none() {
        let [agency] = agencies();
        assert_eq!(all_at_once(&permits(100), question(agency)).len(), 6);
        assert_eq!(all_at_once(&permits(50), question(None)).len(), 6);
        assert_eq!(all_at_once(&permits(50), effect(agency)).len(), 8);
        assert_eq!(all_at_once(&permits(1), question(agency)).len(), 1);
    }

    #[test]
    fn who_holds_the_fewest_is_next_and_of_theirs_the_oldest() {
        let permits = permits(100);
        let [eager, patient] = agencies();
        let mut held = all_at_once(&permits, question(eager));
        let mut waiting: Vec<Queued<'_>> =
            [eager, eager, patient, patient, eager].map(|agency| queued(&permits, question(agency))).into();
        let mut served = Vec::new();
        while !waiting.is_empty() {
            drop(held.remove(0));
            let next = waiting.iter_mut().enumerate().find_map(|(place, waiting)| {
                let permit = waiting.now_or_never()?;
                Some((place, permit.unwrap()))
            });
            let (place, permit) = next.unwrap();
            drop(waiting.remove(place));
            served.push((permit.call.agency == patient, permit.number));
            held.push(permit);
        }
        let order: Vec<bool> = served.iter().map(|(is_patient, _)| *is_patient).collect();
        assert_eq!(order, [true, true, false, false, false]);
        let of_patient: Vec<u64> = served[..2].iter().map(|(_, number)| *number).collect();
        let of_eager: Vec<u64> = served[2..].iter().map(|(_, number)| *number).collect();
        assert!(of_patient.is_sorted() && of_eager.is_sorted(), "{served:?}");
    }

    #[test]
    fn who_gives_up_leaves_nothing_behind() {
        let permits = permits(50);
        let [agency, other] = agencies();
        let held = all_at_once(&permits, question(agency));
        drop(queued(&permits, question(agency)));
        let counted = permits.in_use();
        assert_eq!((counted.waiting, counted.turned_away, counted.beyond_share), (0, 2, 2));
        // It was called up and did not wait any more.
        let waiting = queued(&permits, question(agency));
        drop(held);
        drop(waiting);
        assert_eq!(permits.in_use().taken, 0);
        assert_eq!(all_at_once(&permits, question(other)).len(), 3);
    }

    #[test]
    fn so_many_may_wait_and_no_more() {
        let permits = permits(50);
        let [agency, other] = agencies();
        let _held = all_at_once(&permits, question(agency));
        let waiting: Vec<_> = (0..LONGEST_QUEUE).map(|_| queued(&permits, question(agency))).collect();
        let refused = permits.take(question(agency)).now_or_never();
        assert!(refused.is_some_and(|permit| permit.is_none()), "it waits");
        assert_eq!(permits.in_use().waiting, LONGEST_QUEUE);
        assert!(at_once(&permits, question(other)).is_some());
        drop(waiting);
        assert_eq!(permits.in_use().waiting, 0);
    }

    #[test]
    fn the_watch_takes_an_eighth_and_leaves_the_rest_to_those_who_wait() {
        let permits = permits(50);
        let watch = Call { agency: None, kind: Kind::Watch };
        let [agency] = agencies();
        let held = all_at_once(&permits, watch);
        assert_eq!(held.len(), 1);
        let waiting = queued(&permits, watch);
        assert_eq!(all_at_once(&permits, effect(agency)).len(), 7);
        drop(waiting);
        drop(held);
        assert_eq!(all_at_once(&permits, watch).len(), 1);
        // However few there are, one is the watch's.
        let few = Permits::new(Limits { calls_at_once: 2, ..Limits::default() });
        assert_eq!(all_at_once(&few, watch).len(), 1);
    }

    #[tokio::test]
    async fn whom_a_task_asks_for_is_known_in_it_alone() {
        let [agency] = agencies();
        assert_eq!(asking_agency(), None);
        let seen = on_behalf_of(agency.unwrap(), async { asking_agency() }).await;
        assert_eq!((seen, asking_agency()), (agency, None));
    }
}
