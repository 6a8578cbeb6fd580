//! Every screen, each a line: how it is come to. A new screen is looked at by all checks once it has its line here.

use wayfare_tests::browser::{Looked, Page};

use crate::{
    journey,
    stage::{ADMIN, AGENT, Stage},
};

/// A screen.
pub struct Screen {
    /// What it is called.
    pub name: &'static str,
    /// Who looks at it.
    pub who: Who,
    /// How it is come to.
    pub way: Way,
    /// Whether it is one of those whose pictures are in the documentation.
    pub has_picture: bool,
}

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Who {
    /// Somebody who has not logged in.
    Nobody,
    /// An agent.
    Agent,
    /// An admin of the agency.
    Admin,
}

/// How a screen is come to.
pub enum Way {
    /// By its address.
    At(&'static str),
    /// By these steps, which start at any page of the console.
    By(fn(&Stage, &Page) -> Looked),
}

/// An address.
const fn at(name: &'static str, who: Who, path: &'static str) -> Screen {
    Screen {
        name,
        who,
        way: Way::At(path),
        has_picture: false,
    }
}

/// Steps.
const fn by(name: &'static str, who: Who, steps: fn(&Stage, &Page) -> Looked) -> Screen {
    Screen {
        name,
        who,
        way: Way::By(steps),
        has_picture: false,
    }
}

impl Screen {
    const fn pictured(self) -> Self {
        Self {
            has_picture: true,
            ..self
        }
    }

    /// Leads the page there.
    pub fn come(&self, stage: &Stage, page: &Page) -> Looked {
        match self.way {
            Way::At(path) => page.open(&stage.url(path)),
            Way::By(steps) => steps(stage, page),
        }
        .map_err(|error| format!("{}: {error}", self.name))
    }
}

/// All of them.
pub const SCREENS: &[Screen] = &[
    at("login", Who::Nobody, "/console/login").pictured(),
    by("login-refused", Who::Nobody, refused_login),
    at("today", Who::Agent, "/console").pictured(),
    at("today-of-an-admin", Who::Admin, "/console"),
    by("menu", Who::Agent, menu),
    by("keys", Who::Agent, keys),
    at("flights", Who::Agent, "/console/flights"),
    at(
        "flights-wrong",
        Who::Agent,
        "/console/flights?from=Delhi&to=nowhere",
    ),
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
    at("bookings", Who::Agent, "/console/bookings").pictured(),
    at("bookings-none", Who::Agent, "/console/bookings?q=FA-00000000"),
    at("wallet", Who::Admin, "/console/wallet").pictured(),
    at("wallet-of-an-agent", Who::Agent, "/console/wallet"),
    at("notifications", Who::Agent, "/console/notifications").pictured(),
    at("me", Who::Agent, "/console/me").pictured(),
    at("not-found", Who::Agent, "/console/nothing"),
    at("not-theirs", Who::Agent, "/console/bookings/FA-00000000"),
];

/// Lets a look be taken at every screen that is wanted, by whom it is for.
pub fn each(
    stage: &Stage,
    is_wanted: impl Fn(&Screen) -> bool,
    mut look: impl FnMut(&Screen, &mut Page) -> Looked,
) -> Looked<usize> {
    let mut count = 0;
    for who in [Who::Nobody, Who::Agent, Who::Admin] {
        let mut wanted = SCREENS
            .iter()
            .filter(|screen| screen.who == who && is_wanted(screen))
            .peekable();
        if wanted.peek().is_none() {
            continue;
        }
        let mut page = match who {
            Who::Nobody => stage.browser.page(),
            Who::Agent => stage.page_of(AGENT)?,
            Who::Admin => stage.page_of(ADMIN)?,
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
    for (field, text) in [
        ("#agency", "NOBODY"),
        ("#username", "nobody"),
        ("#password", "wrong"),
    ] {
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
