//! A year of two servers, played in minutes: their clock and their suppliers' jumps to whatever is due next. Agencies sell,
//! airlines change, hotels and suppliers cancel, the operator rules. The watch keeps its intervals and budgets, and month by
//! month every book comes to the same.
//!
//! `just simulate-year` plays 365 days with 2,000 bookings and writes what they came to.

mod intervals;
mod months;
mod people;
mod plan;
mod report;

use std::{
    collections::{BTreeMap, HashMap},
    env,
    sync::Arc,
    time::Instant,
};

use chrono::{DateTime, Datelike, Duration, NaiveDate, Utc};
use rust_decimal::Decimal;
use serde_json::json;
use wayfare_operations::{Platform, events::feed, worker};
use wayfare_tests::{Seller, Supplier, World, WorldOptions};

use intervals::{Looks, STEP};
use months::Month;
use people::{Bought, Heard, Shop};
use plan::{Decision, Fate, Part, Sale, Size, Wanted};

const SEED: u64 = 20_270_115;
const AGENCIES: usize = 3;

#[derive(Clone, Debug)]
enum Task {
    Sale(Box<Sale>),
    Fate(Bought),
    /// Agents and the operator look at what is open.
    Desks,
    MonthEnds(NaiveDate),
}

struct Year {
    world: World,
    other: Arc<Platform>,
    servers: [String; 2],
    shops: Vec<Shop>,
    agenda: BTreeMap<(DateTime<Utc>, usize), Task>,
    ends: DateTime<Utc>,
    decisions: HashMap<String, Decision>,
    heard: Heard,
    looks: Looks,
    tended: DateTime<Utc>,
    months: Vec<Month>,
    told: Told,
}

#[derive(Debug, Default)]
struct Told {
    steps: usize,
    decisions: usize,
    incidents: usize,
    collected: usize,
    fates: BTreeMap<&'static str, usize>,
    sold: BTreeMap<&'static str, usize>,
}

#[tokio::test(flavor = "multi_thread")]
async fn a_year_of_two_servers_adds_up_month_by_month() {
    let asked = |name: &str| env::var(name).ok().map(|given| given.parse::<u32>().unwrap());
    let size = Size {
        days: asked("WAYFARE_SIMULATED_DAYS").unwrap_or(40).into(),
        bookings: asked("WAYFARE_SIMULATED_BOOKINGS").unwrap_or(64).try_into().unwrap(),
    };
    let began = Instant::now();
    let mut year = Year::open(size).await;
    year.play().await;
    year.is_over().await;
    let report = report::of(&year, size, began.elapsed().as_secs());
    println!("{report}");
    if let Ok(path) = env::var("WAYFARE_SIMULATED_REPORT") {
        std::fs::write(&path, report).unwrap_or_else(|error| panic!("{path}: {error}"));
    }
}

impl Year {
    async fn open(size: Size) -> Self {
        let options = WorldOptions::of(Seller::all()).frozen();
        let mut world = World::with(options.clone()).await;
        // Each answer of a supplier has three oddities of its own.
        let odd = json!({ "drawn": 3, "seed": SEED });
        Supplier::at(world.sandbox_url().to_owned()).is_odd(&odd).await;
        let other = options.platform(world.database.database.clone(), world.sandbox_url());
        let servers = [world.base_url.clone(), world.another_process(&options)];
        let mut shops = Vec::new();
        for which in 0..AGENCIES {
            shops.push(Shop::open(&world, which).await);
        }
        let now = world.now();
        let ends = now + Duration::days(size.days);
        let mut year = Self {
            world,
            other,
            servers,
            shops,
            agenda: BTreeMap::new(),
            ends,
            decisions: HashMap::new(),
            heard: Heard::default(),
            looks: Looks::default(),
            tended: now,
            months: Vec::new(),
            told: Told::default(),
        };
        for sale in plan::sales(size, AGENCIES, now, SEED) {
            year.plan(sale.at, Task::Sale(Box::new(sale)));
        }
        for day in 1..=size.days {
            year.plan(now + Duration::days(day) - Duration::hours(2), Task::Desks);
        }
        let mut first = now.with_timezone(&months::ZONE).date_naive().with_day(1).unwrap();
        while months::instant(first) < ends {
            year.plan(months::instant(months::next(first)), Task::MonthEnds(first));
            first = months::next(first);
        }
        year
    }

    fn plan(&mut self, at: DateTime<Utc>, task: Task) {
        let place = self.agenda.len() + self.told.steps * 10_000;
        self.agenda.insert((at, place), task);
    }

    async fn play(&mut self) {
        while let Some(next) = self.next().await {
            let now = self.world.now();
            self.world.clock.advance((next - now).max(STEP));
            self.told.steps += 1;
            self.work().await;
            self.looks.compare(&self.world).await;
            while let Some(entry) = self.agenda.first_entry() {
                if entry.key().0 > self.world.now() {
                    break;
                }
                let task = entry.remove();
                self.carry_out(task).await;
            }
        }
    }

    /// The next instant at which anything is due; none when all is over.
    async fn next(&self) -> Option<DateTime<Utc>> {
        let due =
            "select coalesce(extract(epoch from min(next_poll_at))::bigint::text, '') from supplier_orders";
        let seconds = self.world.lines(due).await.concat().parse::<i64>().ok();
        let look = seconds.and_then(|seconds| DateTime::from_timestamp(seconds + 1, 0));
        let task = self.agenda.keys().next().map(|(at, _)| *at);
        look.into_iter().chain(task).min()
    }

    /// Both servers do what is due, at the same time.
    async fn work(&mut self) {
        let is_hour_over = self.world.now() - self.tended >= Duration::hours(1);
        tokio::join!(work(&self.world.platform, is_hour_over), work(&self.other, is_hour_over));
        if is_hour_over {
            self.tended = self.world.now();
            self.looks.keep_to_budgets(&self.world).await;
        }
    }

    async fn carry_out(&mut self, task: Task) {
        let server = self.servers[self.told.steps % 2].clone();
        match task {
            Task::Sale(sale) => {
                let bought = self.shops[sale.agency].sell(&self.world, &server, &sale).await;
                *self.told.fates.entry(name(sale.fate)).or_default() += 1;
                let supplier = match &sale.wanted {
                    Wanted::Flight { supplier, .. } => supplier,
                    Wanted::Stay(search) => search.supplier,
                };
                *self.told.sold.entry(supplier).or_default() += 1;
                if let Fate::PutOff { decision, .. } = sale.fate {
                    self.decisions.insert(bought.reference.clone(), decision);
                }
                if sale.fate != Fate::AsSold {
                    self.plan(sale.fated_at, Task::Fate(bought));
                }
            }
            Task::Fate(bought) => {
                let shop = &mut self.shops[bought.agency];
                people::happen(&self.world, shop, &server, &bought, &mut self.heard).await;
                if let Fate::PartGivenBack { then_rest: true, .. } = bought.fate {
                    let fate = Fate::GivenBack;
                    self.plan(self.world.now() + Duration::hours(6), Task::Fate(Bought { fate, ..bought }));
                }
            }
            Task::Desks => {
                let decisions = &self.decisions;
                for shop in &mut self.shops {
                    let decided = shop.decide(&server, |reference| {
                        decisions.get(reference).copied().unwrap_or(Decision::Nothing)
                    });
                    self.told.decisions += decided.await;
                }
                self.told.incidents += people::rule_on_incidents(&self.world).await;
            }
            Task::MonthEnds(first) => {
                self.told.collected += months::collect(&self.world).await;
                let end = months::next(first);
                let month = months::close(&self.world, &mut self.shops, &self.heard, first, end).await;
                println!("{} is closed: {month:?}", first.format("%Y-%m"));
                self.months.push(month);
            }
        }
    }

    /// Nothing is left to do, and no money is set aside.
    async fn is_over(&mut self) {
        assert!(self.world.now() >= self.ends);
        let watched = "select supplier_order_id from supplier_orders where next_poll_at is not null";
        assert_eq!(self.world.lines(watched).await, Vec::<String>::new());
        self.world.is_settled().await;
        self.world.books_agree().await;
        let sold: Decimal = self.months.iter().map(|month| month.spent.ledger).sum();
        assert!(sold > Decimal::ZERO);
    }
}

async fn work(platform: &Platform, is_hour_over: bool) {
    worker::recover_due(platform).await.unwrap();
    worker::sweep_due(platform).await.unwrap();
    worker::poll_due_orders(platform).await.unwrap();
    worker::watch_due_orders(platform).await.unwrap();
    if is_hour_over {
        worker::recheck_due(platform).await.unwrap();
        worker::follow_up_watch(platform).await.unwrap();
        worker::follow_up_holds(platform).await.unwrap();
        worker::follow_up_changes(&platform.core).await.unwrap();
        feed::publish_due(&platform.core).await.unwrap();
        worker::remove_old(platform).await.unwrap();
    }
}

fn name(fate: Fate) -> &'static str {
    match fate {
        Fate::AsSold => "as sold",
        Fate::GivenBack => "given back",
        Fate::PartGivenBack { part: Part::Journey, .. } => "a journey given back",
        Fate::PartGivenBack { .. } => "a traveller's part given back",
        Fate::Moved => "flown a day later",
        Fate::PutOff { .. } => "put off by the airline",
        Fate::EndedBySupplier { .. } => "ended by its supplier",
        Fate::HotelTells => "the hotel tells its number",
        Fate::Charged { .. } => "charged later",
        Fate::WrittenOff(_) => "charged later, written off",
        Fate::Goodwill(_) => "given back later",
    }
}
