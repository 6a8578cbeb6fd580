//! Every screen, each a line: how it is come to. A new screen is looked at by all checks once it has its line here.

use serde_json::json;
use wayfare_tests::browser::{Looked, Page};

use crate::{
    journey,
    stage::{ADMIN, AGENT, Stage},
};

pub struct Screen {
    pub name: &'static str,
    pub who: Who,
    pub way: Way,
    /// Whether it is one of those whose pictures are in the documentation.
    pub has_picture: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Who {
    /// Somebody who has not logged in.
    Nobody,
    Agent,
    Admin,
    /// An operator of the platform, at their own screens.
    Operator,
}

pub enum Way {
    At(&'static str),
    /// By these steps, which start at any page of the console.
    By(fn(&Stage, &Page) -> Looked),
}

const fn at(name: &'static str, who: Who, path: &'static str) -> Screen {
    Screen { name, who, way: Way::At(path), has_picture: false }
}

const fn by(name: &'static str, who: Who, steps: fn(&Stage, &Page) -> Looked) -> Screen {
    Screen { name, who, way: Way::By(steps), has_picture: false }
}

impl Screen {
    const fn pictured(self) -> Self {
        Self { has_picture: true, ..self }
    }

    pub fn come(&self, stage: &Stage, page: &Page) -> Looked {
        match self.way {
            Way::At(path) if self.who == Who::Operator => page.open(&stage.desk.url(path)),
            Way::At(path) => page.open(&stage.url(path)),
            Way::By(steps) => steps(stage, page),
        }
        .map_err(|error| format!("{}: {error}", self.name))
    }
}

/// The lists of bookings.
const FLIGHTS: &str = "/console/bookings";
const STAYS: &str = "/console/hotels/bookings";

pub const SCREENS: &[Screen] = &[
    at("login", Who::Nobody, "/console/login").pictured(),
    by("login-refused", Who::Nobody, refused_login),
    at("today", Who::Agent, "/console").pictured(),
    at("today-of-an-admin", Who::Admin, "/console"),
    by("menu", Who::Agent, menu),
    by("keys", Who::Agent, keys),
    at("flights", Who::Agent, "/console/flights"),
    at("flights-wrong", Who::Agent, "/console/flights?from=Delhi&to=nowhere"),
    at("flights-taken", Who::Agent, "/console/flights?from=leh&to=goa"),
    by("flights-places", Who::Agent, places),
    by("flights-results", Who::Agent, results).pictured(),
    by("flights-nothing", Who::Agent, nothing),
    by("flights-rules", Who::Agent, rules),
    by("flights-quote", Who::Agent, quote).pictured(),
    by("flights-quote-wrong", Who::Agent, quote_wrong),
    by("flights-price-moved", Who::Agent, moved),
    by("flights-check", Who::Agent, check).pictured(),
    by("booking", Who::Agent, booking).pictured(),
    by("cancel", Who::Agent, cancel).pictured(),
    by("booking-failed", Who::Agent, failed),
    by("booking-cancelled", Who::Agent, cancelled),
    by("cancel-after-change", Who::Agent, cancel_after_change),
    by("decline-change", Who::Agent, decline),
    at("bookings", Who::Agent, "/console/bookings").pictured(),
    at("bookings-none", Who::Agent, "/console/bookings?q=FA-00000000"),
    at("wallet", Who::Admin, "/console/wallet").pictured(),
    at("wallet-of-an-agent", Who::Agent, "/console/wallet"),
    at("notifications", Who::Agent, "/console/notifications").pictured(),
    at("me", Who::Agent, "/console/me").pictured(),
    at("not-found", Who::Agent, "/console/nothing"),
    at("not-theirs", Who::Agent, "/console/bookings/FA-00000000"),
    by("change", Who::Agent, |stage, page| of_newest(stage, page, FLIGHTS, "/change")),
    by("extras", Who::Agent, |stage, page| of_newest(stage, page, FLIGHTS, "/extras")),
    by("print", Who::Agent, |stage, page| of_newest(stage, page, FLIGHTS, "/print")),
    at("airline-changes", Who::Agent, "/console/changes"),
    at("refunds", Who::Agent, "/console/refunds"),
    at("hotel-refunds", Who::Agent, "/console/hotels/refunds"),
    at("hotels", Who::Agent, "/console/hotels"),
    at("hotels-wrong", Who::Agent, "/console/hotels?place=nowhere&check_in=never"),
    at("hotels-taken", Who::Agent, "/console/hotels?place=kerala"),
    by("hotels-results", Who::Agent, stays).pictured(),
    by("hotel", Who::Agent, hotel).pictured(),
    by("hotels-quote", Who::Agent, stay_quote),
    by("hotels-check", Who::Agent, stay_check),
    by("hotel-booking", Who::Agent, stay_booking),
    by("voucher", Who::Agent, |stage, page| of_newest(stage, page, STAYS, "/voucher")),
    by("hotel-cancel", Who::Agent, |stage, page| of_newest(stage, page, STAYS, "/cancel")),
    at("hotel-bookings", Who::Agent, "/console/hotels/bookings"),
    at("forbidden", Who::Agent, "/console/agency/users"),
    at("agency-users", Who::Admin, "/console/agency/users"),
    at("agency-new-user", Who::Admin, "/console/agency/users/new"),
    at("agency-allocations", Who::Admin, "/console/agency/allocations"),
    at("agency-transactions", Who::Admin, "/console/agency/transactions"),
    at("agency-fares", Who::Admin, "/console/agency/fares"),
    at("agency-packages", Who::Admin, "/console/agency/packages"),
    at("agency-new-package", Who::Admin, "/console/agency/packages/new").pictured(),
    at("agency-new-hotel-package", Who::Admin, "/console/agency/hotel-packages/new"),
    at("agency-reports", Who::Admin, "/console/agency/reports"),
    at("agency-webhooks", Who::Admin, "/console/agency/webhooks"),
    at("agency-new-webhook", Who::Admin, "/console/agency/webhooks/new"),
    at("agency-audit", Who::Admin, "/console/agency/audit"),
    at("agency-profile", Who::Admin, "/console/agency/profile"),
    at("operator-overview", Who::Operator, "/operator").pictured(),
    at("operator-incidents", Who::Operator, "/operator/incidents?all=yes"),
    by("operator-incident", Who::Operator, |stage, page| stage.desk.case(page)).pictured(),
    at("operator-bookings", Who::Operator, "/operator/bookings?q={ref}"),
    at("operator-booking", Who::Operator, "/operator/bookings/{ref}"),
    at("operator-correct", Who::Operator, "/operator/bookings/{ref}/correct"),
    at("operator-ruling", Who::Operator, "/operator/bookings/{ref}/ruling"),
    at("operator-agencies", Who::Operator, "/operator/agencies"),
    at("operator-new-agency", Who::Operator, "/operator/agencies/new"),
    at("operator-agency", Who::Operator, "/operator/agencies/{agency}"),
    at("operator-edit-agency", Who::Operator, "/operator/agencies/{agency}/edit"),
    at("operator-money", Who::Operator, "/operator/agencies/{agency}/money"),
    at("operator-statement", Who::Operator, "/operator/agencies/{agency}/statement"),
    at("operator-new-user", Who::Operator, "/operator/agencies/{agency}/users/new"),
    at("operator-ledger", Who::Operator, "/operator/ledger?balance=yes"),
    at("operator-suppliers", Who::Operator, "/operator/suppliers").pictured(),
    at("operator-supplier", Who::Operator, "/operator/suppliers/duffel"),
    at("operator-terms", Who::Operator, "/operator/agencies/{agency}/terms"),
    at("operator-agency-audit", Who::Operator, "/operator/agencies/{agency}/audit"),
    at("operator-contracts", Who::Operator, "/operator/contracts"),
    at("operator-rates", Who::Operator, "/operator/rates"),
    at("operator-rates-import", Who::Operator, "/operator/rates/import"),
    by("operator-rates-checked", Who::Operator, |stage, page| stage.desk.rates_of_a_file(page)),
    at("operator-people", Who::Operator, "/operator/people"),
    at("operator-people-audit", Who::Operator, "/operator/people/audit"),
    at("operator-me", Who::Operator, "/operator/me"),
    at("operator-not-found", Who::Operator, "/operator/nothing"),
];

/// Lets a look be taken at every screen that is wanted, by whom it is for.
pub fn each(
    stage: &Stage,
    is_wanted: impl Fn(&Screen) -> bool,
    mut look: impl FnMut(&Screen, &mut Page) -> Looked,
) -> Looked<usize> {
    let mut count = 0;
    for who in [Who::Nobody, Who::Agent, Who::Admin, Who::Operator] {
        let mut wanted = SCREENS.iter().filter(|screen| screen.who == who && is_wanted(screen)).peekable();
        if wanted.peek().is_none() {
            continue;
        }
        let mut page = match who {
            Who::Nobody => stage.browser.page(),
            Who::Agent => stage.page_of(AGENT)?,
            Who::Admin => stage.page_of(ADMIN)?,
            Who::Operator => stage.desk.page(&stage.browser)?,
        };
        for screen in wanted {
            page.colours("light")?;
            page.resize(1280, 800)?;
            screen.come(stage, &page)?;
            look(screen, &mut page)?;
            count += 1;
        }
    }
    Ok(count)
}

fn refused_login(stage: &Stage, page: &Page) -> Looked {
    page.open(&stage.url("/console/login"))?;
    for (field, text) in [("#agency", "NOBODY"), ("#username", "nobody"), ("#password", "wrong")] {
        page.fill(field, text)?;
    }
    page.click("button.primary")?;
    page.has(".banner.bad")
}

fn menu(stage: &Stage, page: &Page) -> Looked {
    page.open(&stage.url("/console"))?;
    page.click(".menu > summary")?;
    page.has(".menu[open]")
}

fn keys(stage: &Stage, page: &Page) -> Looked {
    page.open(&stage.url("/console"))?;
    page.press("?")?;
    page.has("#keys[open]")
}

fn places(stage: &Stage, page: &Page) -> Looked {
    page.open(&stage.url("/console/flights"))?;
    page.fill("#from", "lond")?;
    page.has("#from-list:not([hidden]) li[aria-selected=true]")
}

fn results(stage: &Stage, page: &Page) -> Looked {
    page.open(&stage.url(&journey::search_path(30, stage)))?;
    page.has(".offer")
}

fn nothing(stage: &Stage, page: &Page) -> Looked {
    let path = journey::search_path(30, stage);
    page.open(&stage.url(&format!("{path}&airline=none")))?;
    page.has(".empty")
}

fn rules(stage: &Stage, page: &Page) -> Looked {
    results(stage, page)?;
    page.click(".fare a[hx-get*='/rules']")?;
    page.has("#dialogs dialog[open]")
}

fn quote(stage: &Stage, page: &Page) -> Looked {
    page.open(&stage.url(&journey::search_path(31, stage)))?;
    journey::select(page)
}

fn quote_wrong(stage: &Stage, page: &Page) -> Looked {
    quote(stage, page)?;
    page.click(".stack > .row .button.primary")?;
    page.is_at("/console/flights/check")?;
    page.has(".summary")
}

fn moved(stage: &Stage, page: &Page) -> Looked {
    page.open(&stage.url(&journey::search_path(33, stage)))?;
    page.has(".offer")?;
    for supplier in ["duffel", "tripjack"] {
        stage.wait(stage.world.next_at(supplier, "price", "price_changed:10"));
    }
    let selected = journey::select(page);
    stage.wait(stage.world.all_is_well());
    selected?;
    page.has("dialog[open]")
}

fn check(stage: &Stage, page: &Page) -> Looked {
    quote(stage, page)?;
    journey::fill_travellers(page)
}

fn booking(stage: &Stage, page: &Page) -> Looked {
    // Another day each time, so that nobody is booked twice on one flight.
    static DAY: std::sync::atomic::AtomicI64 = std::sync::atomic::AtomicI64::new(40);
    let day = DAY.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    page.open(&stage.url(&journey::search_path(day, stage)))?;
    journey::select(page)?;
    journey::fill_travellers(page)?;
    journey::book(page)?;
    journey::ticket(page).map(drop)
}

fn cancel(stage: &Stage, page: &Page) -> Looked {
    page.open(&stage.url("/console/bookings"))?;
    page.click("tbody a.mono")?;
    page.is_at("/console/bookings/")?;
    page.click(".side .button.danger")?;
    page.has(".amount-back")
}

/// A booking at Duffel, by the cheapest fare that gives a part back: its reference.
fn booked_at_duffel(stage: &Stage, page: &Page) -> Looked<String> {
    static DAY: std::sync::atomic::AtomicI64 = std::sync::atomic::AtomicI64::new(200);
    let day = DAY.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let path = journey::search_path(day, stage);
    page.open(&stage.url(&format!("{path}&supplier=duffel&refundable=on")))?;
    journey::select(page)?;
    journey::fill_travellers(page)?;
    let reference = journey::book(page)?;
    journey::ticket(page)?;
    Ok(reference)
}

fn failed(stage: &Stage, page: &Page) -> Looked {
    page.open(&stage.url(&journey::search_path(34, stage)))?;
    journey::select(page)?;
    journey::fill_travellers(page)?;
    for supplier in ["duffel", "tripjack"] {
        stage.wait(stage.world.next_at(supplier, "book", "sold_out"));
    }
    page.click("form[action='/console/flights/book'] .button.primary")?;
    let refused = page.has(".banner.bad");
    stage.wait(stage.world.all_is_well());
    refused?;
    of_newest(stage, page, FLIGHTS, "")
}

fn cancelled(stage: &Stage, page: &Page) -> Looked {
    let reference = booked_at_duffel(stage, page)?;
    stage.wait(async {
        stage.agency.log_in(AGENT).await.cancels(&reference).await;
    });
    page.open(&stage.url(&format!("/console/bookings/{reference}")))
}

fn cancel_after_change(stage: &Stage, page: &Page) -> Looked {
    let reference = booked_at_duffel(stage, page)?;
    stage.wait(async {
        let agent = stage.agency.log_in(AGENT).await;
        let leg = &agent.booking(&reference).await["itinerary"]["legs"][0];
        let day = (stage.world.now() + chrono::Duration::days(90)).date_naive();
        let wanted = json!({
            "origin": leg["origin"], "destination": leg["destination"], "new_date": day, "journey": 0,
            "include_changes": true,
        });
        let path = |what: &str| format!("/flights/bookings/{reference}/{what}");
        let found = agent.post(&path("reschedule-avail"), &wanted).await.ok();
        let change = found.as_array().unwrap().iter().find(|one| one["way"] == "change");
        let to = json!({ "fare_keys": [change.unwrap()["fare_key"]], "journeys": [0] });
        agent.post(&path("reschedule"), &to).await.ok();
    });
    page.open(&stage.url(&format!("/console/bookings/{reference}/cancel")))
}

fn decline(stage: &Stage, page: &Page) -> Looked {
    let reference = booked_at_duffel(stage, page)?;
    stage.wait(async {
        let agent = stage.agency.log_in(AGENT).await;
        let order = agent.booking(&reference).await["provider_ref"].clone();
        stage.world.airline_puts_off(order.as_str().unwrap(), 95).await;
        agent.get(&format!("/flights/bookings/{reference}/retrieve")).await.ok();
    });
    page.open(&stage.url(&format!("/console/bookings/{reference}")))?;
    page.click("a.danger[href*='/changes/']")?;
    page.has("input[name=quoted]")
}

/// A screen of the newest booking of this list.
fn of_newest(stage: &Stage, page: &Page, list: &str, screen: &str) -> Looked {
    page.open(&stage.url(list))?;
    let address = page.text("document.querySelector('tbody a.mono').getAttribute('href')")?;
    page.open(&stage.url(&format!("{address}{screen}")))
}

fn stays(stage: &Stage, page: &Page) -> Looked {
    // Other days each time, so that nobody is booked twice in one hotel.
    static DAY: std::sync::atomic::AtomicI64 = std::sync::atomic::AtomicI64::new(30);
    let day = DAY.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    page.open(&stage.url(&journey::stays_path(day, stage)))?;
    page.has(".offer.stay")
}

fn hotel(stage: &Stage, page: &Page) -> Looked {
    stays(stage, page)?;
    page.click(".offer.stay .button.primary")?;
    page.is_at("/console/hotels/hotel")
}

fn stay_quote(stage: &Stage, page: &Page) -> Looked {
    hotel(stage, page)?;
    page.click(".fare .button, form[action='/console/hotels/quote'] .button.primary")?;
    page.is_at("/console/hotels/quote")
}

fn stay_check(stage: &Stage, page: &Page) -> Looked {
    stay_quote(stage, page)?;
    journey::fill_guests(page)
}

fn stay_booking(stage: &Stage, page: &Page) -> Looked {
    stay_check(stage, page)?;
    page.click("form[action='/console/hotels/book'] .button.primary")?;
    page.is_at("/console/hotels/bookings/HTL-")
}
