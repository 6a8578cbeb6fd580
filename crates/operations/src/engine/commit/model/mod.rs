//! The committers beside a second, simple model of the ledger: thousands of random commands, many at once, with connections
//! that are cut in between. The model only knows whole numbers and is stepped in the order in which they were asked;
//! every answer must be the one that it expects.
//!
//! `WAYFARE_MODEL_SEED` replays a run, `WAYFARE_MODEL_STEPS` makes it longer (`just model-ledger`).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test can only fail"
)]

mod after_sale;
mod one_wallet;
mod real;
mod simple;

pub(in crate::engine) use real::{made, platform, sold};

use std::{cell::Cell, env, time::Duration};

use futures_util::future::join_all;
use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use wayfare_domain::{BookingRef, RulingKind};
use wayfare_ledger::{Account, Reason};
use wayfare_store::booking::steps::Step;

use self::{
    after_sale::BegunStep,
    real::{AGENTS, Real, rupees},
    simple::{AfterSale, Ask, Model, Outcome, Simple},
};
use crate::{
    Platform,
    money::wallet_transfer::{AccountRef, SpendLimit, WalletTransfer},
    operator,
};

const STEPS: usize = 160;
const AT_ONCE: usize = 24;

struct Run {
    random: StdRng,
    real: Real,
    model: Model,
    count: usize,
}

impl Run {
    fn asks(&mut self) -> Vec<Ask> {
        let many = self.random.random_range(1..=AT_ONCE);
        (0..many).map(|_| self.ask()).collect()
    }

    fn ask(&mut self) -> Ask {
        self.count += 1;
        let random = &mut self.random;
        let (from, to) = (random.random_range(0..=AGENTS), random.random_range(1..=AGENTS));
        let amount = random.random_range(1..=40_000);
        let key = format!("model:{}", self.count);
        match random.random_range(0..100) {
            0..15 => Ask::TopUp { to: from, amount, key },
            15..28 if from != to => Ask::Allocate { from, to, amount, key },
            28..37 => Ask::Spend { from, amount, key },
            37..42 => Ask::Deduct { from, amount, key },
            42..50 => self.again(),
            50..67 => Ask::Open { by: from, amount, reference: format!("FA-M{:07}", self.count) },
            67..75 => self.ruling(amount, key),
            75..84 => match self.ending() {
                Some(ending) => ending,
                None => self.closing(),
            },
            _ => self.closing(),
        }
    }

    /// About any purchase that was opened in a step before, whatever became of it.
    fn ruling(&mut self, amount: i64, key: String) -> Ask {
        use RulingKind::{DebitNote, Refund, SupplierCancelled, WriteOff};
        let mut references: Vec<&String> = self.real.steps.keys().collect();
        references.sort_unstable();
        let Some(reference) = references.choose(&mut self.random).copied().cloned() else {
            return self.ask();
        };
        let kinds = [Refund, Refund, DebitNote, DebitNote, WriteOff, SupplierCancelled];
        let kind = *kinds.choose(&mut self.random).unwrap();
        let due = self.model.purchases[&reference].due;
        let amount = match kind {
            // Most suppliers give all of it back.
            SupplierCancelled if due > 0 && self.random.random_bool(0.6) => due,
            _ => amount / 3 + 1,
        };
        Ask::Rule { reference, kind, amount, key }
    }

    /// A movement that was made before, now and then with another amount.
    fn again(&mut self) -> Ask {
        let mut keys: Vec<&String> = self.model.made.keys().collect();
        keys.sort_unstable();
        let Some(key) = keys.choose(&mut self.random) else { return self.ask() };
        let mut ask = self.model.made[*key].0.clone();
        if self.random.random_bool(0.2)
            && let Ask::TopUp { amount, .. } | Ask::Spend { amount, .. } = &mut ask
        {
            *amount += 1;
        }
        ask
    }

    /// Any purchase that was opened in a step before, closed or not.
    fn closing(&mut self) -> Ask {
        let mut references: Vec<&String> = self.real.steps.keys().collect();
        references.sort_unstable();
        let open: Vec<_> = references
            .iter()
            .filter(|reference| self.model.purchases[**reference].status == "pending")
            .collect();
        let chosen = if self.random.random_bool(0.9) {
            open.choose(&mut self.random).map(|reference| **reference)
        } else {
            references.choose(&mut self.random).copied()
        };
        match chosen.cloned() {
            Some(reference) => Ask::Close { reference, booked: self.random.random_bool(0.6) },
            None => self.ask(),
        }
    }

    /// Now and then a wallet is frozen, or gets another credit line.
    async fn change_a_wallet(&mut self) {
        let place = self.random.random_range(0..=AGENTS);
        let wallet = &mut self.model.wallets[place];
        wallet.active = self.random.random_bool(0.8);
        let least = (wallet.held - wallet.balance).max(0);
        wallet.credit = least + self.random.random_range(0..=20_000);
        let statement = format!(
            "update wallets set is_active = {}, credit_limit = {} where owner_id = '{}'",
            wallet.active,
            rupees(wallet.credit).amount(),
            self.real.owner(place).uuid(),
        );
        self.real.run(&statement).await;
    }

    async fn step(&mut self) {
        if self.random.random_bool(0.2) {
            self.change_a_wallet().await;
        }
        let asks = self.asks();
        self.real.promise(&asks).await;
        for begin in self.begins() {
            let (outcome, step) = self.real.carry_out(&begin).await;
            self.compare(&begin, outcome, step, false).await;
        }
        let cut = self.random.random_bool(0.15);
        let after = Duration::from_micros(self.random.random_range(0..8_000));
        let real = &self.real;
        let crash = async {
            if cut {
                tokio::time::sleep(after).await;
                real.run(
                    "select pg_terminate_backend(pid) from pg_stat_activity
                     where datname = current_database() and pid <> pg_backend_pid()",
                )
                .await;
            }
        };
        let opens = asks.iter().map(async |ask| real.carry_out(ask).await);
        let (outcomes, ()) = tokio::join!(join_all(opens), crash);
        for (ask, (outcome, step)) in asks.iter().zip(outcomes) {
            self.compare(ask, outcome, step, cut).await;
        }
        self.agree().await;
    }

    async fn compare(&mut self, ask: &Ask, outcome: Outcome, step: Option<Step>, cut: bool) {
        match (ask, step) {
            (Ask::Open { reference, .. }, Some(step)) => {
                self.real.steps.insert(reference.clone(), step);
            }
            (Ask::Begin { name, reference, what }, Some(step)) => {
                let sold = self.model.purchases[reference].sold;
                let begun = BegunStep { what: *what, sold, step };
                self.real.begun.insert(name.clone(), begun);
            }
            _ => {}
        }
        if outcome == Outcome::Lost {
            assert!(cut, "{ask:?} was lost though nothing was cut");
            let known = ask.key().is_some_and(|key| self.model.made.contains_key(key));
            if known || !self.real.happened(ask).await {
                return;
            }
            let expected = self.model.step(ask);
            assert!(
                !matches!(expected, Outcome::Refused(..) | Outcome::OtherMovement | Outcome::NotRuled),
                "{ask:?} was carried out, expected {expected:?}"
            );
            return;
        }
        let expected = self.model.step(ask);
        assert_eq!(outcome, expected, "{ask:?}, the {}th", self.count);
    }

    /// That every wallet is what the model says.
    async fn agree(&self) {
        for (place, expected) in self.model.wallets.iter().enumerate() {
            let same = format!(
                "select 1 from wallets where owner_id = '{}' and balance = {} and held = {} and credit_limit = {} \
                 and is_active = {} and sequence = {}",
                self.real.owner(place).uuid(),
                rupees(expected.balance).amount(),
                rupees(expected.held).amount(),
                rupees(expected.credit).amount(),
                expected.active,
                expected.entries,
            );
            assert!(
                self.real.finds(&same).await,
                "wallet {place} is not {expected:?} after {} works",
                self.count
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_committers_do_what_a_simple_ledger_does() {
    let number = |name: &str| env::var(name).ok().map(|value| value.parse::<u64>().expect("a number"));
    let seed = number("WAYFARE_MODEL_SEED").unwrap_or_else(|| rand::rng().random_range(0..1_000_000));
    let steps = number("WAYFARE_MODEL_STEPS").map_or(STEPS, |steps| usize::try_from(steps).unwrap());
    println!("WAYFARE_MODEL_SEED={seed} WAYFARE_MODEL_STEPS={steps}");
    let real = Real::new(seed).await;
    let wallet = Simple { balance: 0, held: 0, credit: 0, active: true, entries: 0 };
    let mut run = Run {
        random: StdRng::seed_from_u64(seed),
        real,
        model: Model { wallets: vec![wallet; AGENTS + 1], ..Model::default() },
        count: 0,
    };
    for _ in 0..steps {
        run.step().await;
    }
    let ended = |is_it: fn(&AfterSale) -> bool| {
        let begun = run.model.begun.values();
        begun.filter(|one| !one.is_open && is_it(&one.what)).count()
    };
    let given_back = ended(|what| matches!(what, AfterSale::GiveBack { .. }));
    let changed = ended(|what| matches!(what, AfterSale::Change { .. }));
    println!(
        "{} works, {} movements made, {given_back} parts and {changed} changes ended",
        run.count,
        run.model.made.len()
    );
    assert!(given_back > steps / 20 && changed > steps / 20);
    let report = operator::verify_ledger(&run.real.platform, |_| {}).await.unwrap();
    assert_eq!(report.problems, Vec::<String>::new());
    let entries: i64 = run.model.wallets.iter().map(|wallet| wallet.entries).sum();
    assert_eq!(report.entries, entries);
}

#[tokio::test(flavor = "multi_thread")]
async fn several_processes_write_for_one_agency() {
    const RUPEES: i64 = 300;
    let real = Real::new(u64::MAX).await;
    let platforms = [real.platform.clone(), real.beside(), real.beside()];
    let move_it = async |platform: &Platform, from, to, amount, key: String| {
        let wallet_transfer = WalletTransfer {
            organization: real.callers[0].organization(),
            from,
            to,
            amount: rupees(amount),
            spends: SpendLimit::Balance,
            key,
            reason: Reason::Topup,
            description: "model".to_owned(),
            performed_by: None,
            audited: None,
            asked_under: None,
        };
        platform.engine.group_commit.carry_out(wallet_transfer).await
    };
    let outside = || AccountRef::Platform(Account::Funding);
    let purse = |wallet: usize| AccountRef::WalletOf(real.owner(wallet));
    move_it(&platforms[0], outside(), purse(0), RUPEES * 100, "first".to_owned()).await.unwrap();
    // Twice as many as there is money for, and back and forth between the same two wallets.
    let spent = join_all((0..2 * RUPEES).map(async |number| {
        let platform = &platforms[usize::try_from(number).unwrap() % platforms.len()];
        let there = move_it(platform, purse(0), purse(1), 1, format!("there {number}"));
        let back = move_it(platform, purse(1), purse(0), 1, format!("back {number}"));
        let spent = move_it(platform, purse(0), outside(), 100, format!("spent {number}"));
        let (_, _, spent) = tokio::join!(there, back, spent);
        spent.is_ok()
    }))
    .await;
    let spent = i64::try_from(spent.into_iter().filter(|spent| *spent).count()).unwrap();
    let left = "select 1 from wallets where owner_type = 'org' and balance + (select balance from wallets \
        where owner_type = 'user' and sequence > 0) = ";
    assert!(real.finds(&format!("{left} {}", RUPEES - spent)).await, "{spent} were spent");
    assert!((RUPEES - 7..=RUPEES).contains(&spent), "{spent} were spent");
    let report = operator::verify_ledger(&real.platform, |_| {}).await.unwrap();
    assert_eq!(report.problems, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reference_that_another_booking_has_is_drawn_anew() {
    let mut real = Real::new(u64::MAX - 9).await;
    let ask = |reference: &str| Ask::Open { by: 0, amount: 10_000, reference: reference.to_owned() };
    real.promise(&[ask("FA-TAKEN001"), ask("FA-OTHER001"), ask("FA-OTHER002")]).await;
    let fund = Ask::TopUp { to: 0, amount: 100_000, key: "fund".to_owned() };
    real.carry_out(&fund).await;
    let first = real.open(0, 10_000, "FA-TAKEN001").await.unwrap();

    let draws = Cell::new(0);
    let taken_once = |drawn: BookingRef| {
        draws.set(draws.get() + 1);
        match draws.get() {
            1 => "FA-TAKEN001".to_owned(),
            _ => drawn.to_string(),
        }
    };
    let second = real.open_as(0, 10_000, "FA-OTHER001", taken_once).await.unwrap();
    assert_eq!(draws.get(), 2);
    assert_ne!(second.booking, first.booking);
    let holds_both = "select 1 from wallets where owner_type = 'org' and held = 200.00";
    assert!(real.finds(holds_both).await, "one hold for each");

    // Whoever draws nothing else is told so, and pays nothing.
    let always_taken = real.open_as(0, 10_000, "FA-OTHER002", |_| "FA-TAKEN001".to_owned()).await;
    let error = always_taken.unwrap_err();
    assert!(error.to_string().contains("bookings_booking_ref_key"), "{error}");
    assert!(real.finds(holds_both).await, "nothing is held for it");
    let report = operator::verify_ledger(&real.platform, |_| {}).await.unwrap();
    assert_eq!(report.problems, Vec::<String>::new());
}
