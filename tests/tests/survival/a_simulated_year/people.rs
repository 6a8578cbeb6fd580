//! Who works in that time: agents who sell and decide, the operator who rules, and suppliers and hotels that act by themselves.

use std::collections::BTreeMap;

use chrono::{Duration, NaiveDate};
use rust_decimal::{Decimal, dec};
use serde_json::{Value, json};
use wayfare_domain::{BookingRef, FeesRuling, IncidentKind, PageRequest, RulingKind, RulingState};
use wayfare_operations::{
    Incident,
    access::operators::By,
    engine::incidents::{self, TakeOver},
    operator::{
        self, TermsChange, Transfer, WalletOf,
        desk::{self, RulingRequest},
    },
};
use wayfare_pricing::MarkupKind;
use wayfare_tests::{Agency, Person, Pick, World, amount};

use super::plan::{Decision, Fate, Part, Sale, Wanted};

/// An agency with one agent, who pays from a wallet of their own.
pub struct Shop {
    pub agency: Agency,
    pub admin: Person,
    agent: Person,
}

/// A wallet is filled up to this before each sale.
const ENOUGH: Decimal = Decimal::from_parts(400_000, 0, 0, false, 0);

#[derive(Clone, Debug)]
pub struct Bought {
    pub agency: usize,
    pub reference: String,
    /// The supplier's own id of the order.
    pub order: String,
    pub fate: Fate,
    /// From where to where it is flown first, and when; none of a stay.
    pub journey: Option<(&'static str, &'static str, NaiveDate)>,
}

/// What suppliers did about money that no interface of theirs tells: the operator hears it by telephone and rules.
#[derive(Clone, Debug, Default)]
pub struct Heard {
    /// By the supplier's id of the order: charged after the sale, what came back after it taken off.
    pub charged: Vec<(String, Decimal)>,
    /// Flights that were to be changed and whose fares cannot be.
    pub not_changeable: usize,
}

impl Shop {
    /// One of the agencies: each has its own way to earn something.
    pub async fn open(world: &World, which: usize) -> Self {
        let agency = world.agency().await;
        let admin = agency.admin("0").await;
        let agent = agency.agent("arjun", "0").await;
        let shop = Self { agency, admin, agent };
        match which % 3 {
            0 => {
                shop.earns(
                    &json!({ "markup_type": "percent", "markup_value": 4.5, "markup_apply_on": "total" }),
                )
                .await;
            }
            1 => {
                shop.earns(&json!({ "markup_type": "flat", "markup_value": 333.33 })).await;
                let terms = TermsChange {
                    service_fee: Some((MarkupKind::Flat, dec!(100))),
                    gst: Some(dec!(18)),
                    platform_charge: Some(dec!(25)),
                    ..TermsChange::default()
                };
                operator::set_terms(&world.platform, By::command_line(), &shop.agency.code, terms)
                    .await
                    .unwrap();
            }
            _ => {
                shop.earns(
                    &json!({ "markup_type": "percent", "markup_value": 37.5, "markup_apply_on": "commission" }),
                )
                .await;
            }
        }
        shop
    }

    /// This markup is on all that it sells.
    async fn earns(&self, markup: &Value) {
        for packages in ["/org/packages", "/org/hotel-packages"] {
            let mut package = markup.clone();
            package["name"] = json!("All");
            let made = self.admin.post(packages, &package).await.succeeds(201);
            let assign = json!({ "package_id": made["id"] });
            self.admin.post(&format!("{packages}/assign"), &assign).await.ok();
        }
    }

    /// The agent, whose token may have expired since, at this server.
    pub async fn agent(&mut self, server: &str) -> Person {
        self.agent = self.agency.log_in("arjun").await;
        self.agent.at(server)
    }

    /// The admin, whose token may have expired since.
    pub async fn admin(&mut self) -> &Person {
        self.admin = self.agency.log_in("asha").await;
        &self.admin
    }

    pub async fn top_up(&self, world: &World, amount: Decimal) {
        self.transfer(world, Transfer::TopUp, amount).await;
    }

    async fn transfer(&self, world: &World, transfer: Transfer, amount: Decimal) {
        let wallet = WalletOf { agency: self.agency.code.clone(), username: Some("arjun".to_owned()) };
        operator::transfer(&world.platform, By::command_line(), &wallet, transfer, amount, None, None)
            .await
            .unwrap();
    }

    pub async fn sell(&mut self, world: &World, server: &str, sale: &Sale) -> Bought {
        let agent = self.agent(server).await;
        self.fill(world, &agent).await;
        let (reference, journey) = match &sale.wanted {
            Wanted::Flight { supplier, trip } => {
                let offer = agent.dearest_of(supplier, trip).await;
                let offer = offer.unwrap_or_else(|| panic!("{supplier} sells nothing: {trip:?}"));
                let priced = agent.price(&offer).await.ok();
                let mut order = agent.order(&priced, trip);
                if sale.has_bag {
                    order["passengers"][0]["ancillaries"] = cheapest_bag(&priced);
                }
                let booked = agent.book(&order).await.ok();
                assert_eq!(booked["status"], "CONFIRMED", "{booked}");
                let (from, to, days) = trip.slices[0];
                let day = (world.now() + Duration::days(days)).date_naive();
                (booked["booking_ref"].as_str().unwrap().to_owned(), Some((from, to, day)))
            }
            Wanted::Stay(search) => {
                let pick = match sale.fate {
                    Fate::GivenBack => Pick::Free,
                    // Where a hotel dictates its price, what it costs there is not what it was sold for.
                    Fate::EndedBySupplier { .. } if search.supplier == "hotelbeds" => Pick::WithCommission,
                    _ => Pick::Cheapest,
                };
                (agent.buy_stay(search, pick).await.reference, None)
            }
        };
        let order = format!(
            "select o.supplier_order_id from supplier_orders o
             join bookings b on (b.org_id, b.id) = (o.org_id, o.booking_id) where b.booking_ref = '{reference}'"
        );
        Bought { agency: sale.agency, order: world.line(&order).await, reference, fate: sale.fate, journey }
    }

    /// The wallet has enough for what is bought next.
    async fn fill(&self, world: &World, agent: &Person) {
        let missing = ENOUGH - agent.balance().await;
        if missing > Decimal::ZERO {
            self.top_up(world, missing).await;
        }
    }

    /// The agent gives a part of it back.
    async fn give_part_back(&mut self, server: &str, bought: &Bought, part: Part) {
        let agent = self.agent(server).await;
        let part = match part {
            Part::Journey => json!({ "journeys": [0] }),
            Part::Traveller => json!({ "passengers": ["2"] }),
        };
        let path = format!("/flights/bookings/{}/cancel", bought.reference);
        agent.post(&path, &part).await.says(200, "part of the booking cancelled");
    }

    /// The agent has it flown a day later; whether its fare can be changed.
    async fn have_moved(&mut self, world: &World, server: &str, bought: &Bought) -> bool {
        let agent = self.agent(server).await;
        self.fill(world, &agent).await;
        let (from, to, day) = bought.journey.unwrap();
        let path = |what: &str| format!("/flights/bookings/{}/{what}", bought.reference);
        let wish = json!({
            "origin": from, "destination": to, "new_date": day + Duration::days(1), "journey": 0, "include_changes": true,
        });
        let found = agent.post(&path("reschedule-avail"), &wish).await.ok();
        let mut changes = found.as_array().unwrap().iter();
        let Some(change) = changes.find(|one| one["way"] == "change") else { return false };
        let body = json!({ "fare_keys": [change["fare_key"]] });
        let moved = agent.post(&path("reschedule"), &body).await.ok();
        assert_eq!(moved["new_booking"]["status"], "CONFIRMED", "{moved}");
        assert_eq!(moved["cancellation"]["status"], "not_needed", "{moved}");
        true
    }

    async fn give_back(&mut self, server: &str, bought: &Bought) {
        let agent = self.agent(server).await;
        if bought.journey.is_none() {
            agent.cancel_stay(&bought.reference).await.ok();
        } else {
            agent.cancels(&bought.reference).await;
        }
    }

    /// The agent decides about what airlines have changed.
    pub async fn decide(&mut self, server: &str, decision: impl Fn(&str) -> Decision) -> usize {
        let agent = self.agent(server).await;
        let open = agent.get("/flights/changes?state=open&per_page=100").await.json();
        let mut decided = 0;
        for change in open["data"].as_array().unwrap() {
            let reference = change["booking_ref"].as_str().unwrap();
            let path = format!("/flights/bookings/{reference}/changes/{}", change["id"].as_str().unwrap());
            let answer = match decision(reference) {
                Decision::Accept => agent.post(&format!("{path}/accept"), &json!({})).await,
                Decision::Refund => agent.post(&format!("{path}/refuse"), &json!({ "wish": "refund" })).await,
                Decision::Nothing => continue,
            };
            // What the airline would keep a part of waits for the operator, who has heard of it already.
            assert!([200, 202, 409].contains(&answer.status), "{reference}: {}", answer.text);
            decided += 1;
        }
        decided
    }
}

/// The cheapest bag that is sold with what was priced, as a traveller wants it.
fn cheapest_bag(priced: &Value) -> Value {
    let sold = priced["ancillaries"].as_array().unwrap().iter();
    let bags = sold.filter(|one| one["type"] == "BAGGAGE");
    let cheapest = bags.min_by_key(|bag| amount(&bag["price"]));
    cheapest.map_or(
        json!([]),
        |bag| json!([{ "type": "BAGGAGE", "code": bag["code"], "segment_id": bag["segment_id"] }]),
    )
}

/// What was planned for a booking happens.
pub async fn happen(world: &World, shop: &mut Shop, server: &str, bought: &Bought, heard: &mut Heard) {
    let paid = paid_there(world, &bought.order).await;
    match bought.fate {
        Fate::AsSold => {}
        Fate::PartGivenBack { part, .. } => shop.give_part_back(server, bought, part).await,
        Fate::Moved => {
            if !shop.have_moved(world, server, bought).await {
                heard.not_changeable += 1;
            }
        }
        Fate::GivenBack => shop.give_back(server, bought).await,
        Fate::PutOff { minutes, .. } => world.airline_puts_off(&bought.order, minutes).await,
        Fate::EndedBySupplier { percent } => {
            let back = (paid.amount * Decimal::from(percent) / Decimal::ONE_HUNDRED).round_dp(2);
            world.supplier_ends(&bought.order, Some(&back.to_string()), true).await;
        }
        Fate::HotelTells => world.hotel_tells(&bought.order, &["HC-4711"]).await,
        Fate::Charged { amount, is_covered } => {
            if !is_covered {
                let left = shop.agent(server).await.balance().await;
                shop.transfer(world, Transfer::Deduct, left).await;
            }
            let made = rule(world, &bought.reference, RulingKind::DebitNote, amount, None).await;
            assert_eq!(made == RulingState::Due, !is_covered, "{bought:?}");
            heard.charged.push((bought.order.clone(), amount));
        }
        Fate::WrittenOff(amount) => {
            rule(world, &bought.reference, RulingKind::WriteOff, amount, None).await;
            heard.charged.push((bought.order.clone(), amount));
        }
        Fate::Goodwill(amount) => {
            let amount = amount.min(paid.amount);
            rule(world, &bought.reference, RulingKind::Refund, amount, None).await;
            heard.charged.push((bought.order.clone(), -amount));
        }
    }
}

/// The operator rules on what waits; how many there were.
pub async fn rule_on_incidents(world: &World) -> usize {
    let all = PageRequest { page: 1, per_page: 100 };
    let open = incidents::list(&world.platform.core, false, all).await.unwrap().items;
    for incident in &open {
        settle(world, incident).await;
    }
    open.len()
}

async fn settle(world: &World, incident: &Incident) {
    let reference = incident.booking_ref.to_string();
    let order = format!(
        "select o.supplier_order_id from supplier_orders o
         join bookings b on (b.org_id, b.id) = (o.org_id, o.booking_id) where b.booking_ref = '{reference}'"
    );
    let order = world.line(&order).await;
    match incident.kind {
        IncidentKind::CancelledBySupplier => {}
        // The airline owes all of it, and gives it back when it is called.
        IncidentKind::InvoluntaryRefund => world.supplier_ends(&order, None, true).await,
        _ => panic!("{incident:?}"),
    }
    // Hotelbeds speaks of what it charges, and the incident of the price, which may be more.
    let back = match &incident.details["refund"]["amount"] {
        Value::Null => paid_there(world, &order).await.refunded,
        said => amount(said),
    };
    rule(world, &reference, RulingKind::SupplierCancelled, back, Some(incident)).await;
}

async fn rule(
    world: &World,
    reference: &str,
    kind: RulingKind,
    amount: Decimal,
    incident: Option<&Incident>,
) -> RulingState {
    let request = RulingRequest {
        number: 1,
        kind,
        amount,
        fees: FeesRuling::Return,
        from_loss: false,
        amount_again: Some(amount),
        take_over: TakeOver::No,
        note: "the supplier's desk, by telephone".to_owned(),
        incident: incident.map(|incident| incident.id),
        key: None,
    };
    let made =
        desk::rule(&world.platform, By::command_line(), &BookingRef::from(reference.to_owned()), request)
            .await;
    made.unwrap_or_else(|error| panic!("{kind:?} of {reference}: {error}")).ruling.state
}

/// What a supplier's books say of an order.
#[derive(Debug)]
pub struct PaidThere {
    pub amount: Decimal,
    pub refunded: Decimal,
}

/// The suppliers' books, order by order.
pub async fn suppliers_books(world: &World) -> BTreeMap<String, PaidThere> {
    let orders = world.supplier_orders().await;
    orders.iter().map(|order| (text(&order["id"]), paid(order))).collect()
}

async fn paid_there(world: &World, order: &str) -> PaidThere {
    let found = suppliers_books(world).await.remove(order);
    found.unwrap_or_else(|| panic!("no supplier has order {order}"))
}

fn paid(order: &Value) -> PaidThere {
    PaidThere { amount: amount(&order["amount"]), refunded: amount(&order["refunded"]) }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}
