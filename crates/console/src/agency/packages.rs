//! Packages: the list, the editor, and who has which, for flights and for hotels alike.

use uuid::Uuid;
use wayfare_client::{AgentAllocation, Error};

use super::{
    id,
    package::{Draft, MOST_BANDS, Package, Product, band_field},
    preview,
};
use crate::{page::Part, prelude::*, trace::Example};

pub const KINDS: [(&str, &str); 2] = [("percent", "Per cent"), ("flat", "An amount")];
pub const OF_WHAT: [(&str, &str); 3] =
    [("fare", "The base fare"), ("total", "The whole price"), ("commission", "The commission")];
/// Fields of a band that are typed, and their names.
const BAND: [(&str, &str); 3] = [("min_amount", "From"), ("max_amount", "Below"), ("markup_value", "Markup")];
/// Empty bands behind those that there are.
const MORE_BANDS: usize = 2;

pub fn mount(config: &mut ServiceConfig) {
    let at = |rest: &str| web::resource(format!("/agency/{{place:packages|hotel-packages}}{rest}"));
    config
        .service(at("").get(list).post(create))
        .service(at("/new").get(new))
        .service(at("/preview").post(preview_draft))
        .service(at("/{id}").get(show).post(change))
        .service(at("/{id}/delete").post(delete))
        .service(at("/{id}/assign").post(assign))
        .service(at("/{id}/unassign").post(unassign));
}

fn product(place: &str) -> Product {
    match place == Product::Hotels.place() {
        true => Product::Hotels,
        false => Product::Flights,
    }
}

#[derive(Template)]
#[template(path = "agency/packages.html")]
struct ListPage {
    shell: Shell,
    product: Product,
    rows: Vec<Package>,
    /// Which agent has which.
    assigned: Vec<(Uuid, Uuid)>,
    currency: String,
    done: &'static str,
}

impl ListPage {
    /// Who has it.
    fn who(&self, package: &Package) -> String {
        let agents = match self.assigned.iter().filter(|(_, id)| *id == package.id).count() {
            0 => None,
            1 => Some("1 agent".to_owned()),
            count => Some(format!("{count} agents")),
        };
        let agency = package.is_applied.then(|| "The agency".to_owned());
        agency.into_iter().chain(agents).collect::<Vec<_>>().join(", ")
    }
}

fn status(package: &Package) -> Status {
    match package.is_active() {
        true => Status::new("ok", "●", "Counts"),
        false => Status::new("", "○", "Does not count"),
    }
}

/// `GET /console/agency/packages` and `…/hotel-packages`.
async fn list(signed: Signed, place: Path<String>, fields: Fields) -> Answer {
    let product = product(&place);
    let wallet = signed.session.organization_wallet();
    let (shell, own, packages, assigned) = futures_util::try_join!(
        signed.shell(product.title(), product.area()),
        wallet.read(),
        product.list(&signed.session),
        product.assignments(&signed.session)
    )?;
    page::html(&ListPage {
        shell,
        product,
        rows: packages,
        assigned,
        currency: own.currency,
        done: fields.done(&[("deleted", "The package is deleted. Nobody has it any more.")]),
    })
}

struct Editor {
    product: Product,
    typed: Fields,
    currency: String,
}

impl Editor {
    /// How many bands can be typed.
    fn bands(&self) -> usize {
        match self.product {
            Product::Flights => 0,
            Product::Hotels => (bands_of(&self.typed) + MORE_BANDS).min(MOST_BANDS),
        }
    }

    /// What a percentage is taken of.
    fn of_what(&self) -> &str {
        match (self.typed.get("markup_apply_on"), self.product) {
            ("", Product::Flights) => "fare",
            ("", Product::Hotels) => "total",
            (typed, _) => typed,
        }
    }
}

/// How many bands a form has: up to the last one in which something stands.
fn bands_of(typed: &Fields) -> usize {
    let stands =
        |number: &usize| BAND.iter().any(|(name, _)| typed.given(&band_field(*number, name)).is_some());
    (0..MOST_BANDS).filter(stands).max().map_or(0, |number| number + 1)
}

#[derive(Template)]
#[template(path = "agency/package_new.html")]
struct NewPage {
    shell: Shell,
    editor: Editor,
    results: Part,
    wrongs: Wrongs,
}

async fn new_page(
    signed: &Signed,
    product: Product,
    typed: Fields,
    wrongs: Wrongs,
    shown: Option<Example>,
) -> Result<NewPage> {
    let typed = with_usual(typed);
    let wallet = signed.session.organization_wallet();
    // Whoever may not make a package sees no form.
    let (shell, own, _) = futures_util::try_join!(
        signed.shell("A new package", product.area()),
        wallet.read(),
        product.assignments(&signed.session)
    )?;
    Ok(NewPage {
        shell,
        results: results(signed, product, &typed, shown).await?,
        editor: Editor { product, typed, currency: own.currency },
        wrongs,
    })
}

/// What was typed, with the usual example where none was.
fn with_usual(typed: Fields) -> Fields {
    match typed.has("example_base") {
        true => typed,
        false => typed.over(Fields::of(preview::USUAL)),
    }
}

/// What the example comes to, as a part of the page.
async fn results(signed: &Signed, product: Product, typed: &Fields, shown: Option<Example>) -> Result<Part> {
    let shown = match shown {
        Some(shown) => shown,
        None => preview::of(signed, product, typed).await?,
    };
    page::part(&shown)
}

/// `POST /console/agency/packages/preview`: the part alone while somebody types, the whole form for the button. Nothing is
/// stored.
async fn preview_draft(signed: Signed, request: HttpRequest, place: Path<String>, fields: Fields) -> Answer {
    let product = product(&place);
    let shown = preview::of(&signed, product, &fields).await?;
    match page::wants_part(&request) {
        true => page::html(&shown),
        false => with_example(&signed, product, fields, shown).await,
    }
}

/// The page of a form that was sent to see its example: as it was typed, and nothing is stored.
async fn with_example(signed: &Signed, product: Product, typed: Fields, shown: Example) -> Answer {
    match typed.given("package") {
        None => page::html(&new_page(signed, product, typed, Wrongs::default(), Some(shown)).await?),
        Some(package) => {
            let sent = Some((typed, Wrongs::default()));
            page::html(&package_page(signed, product, id(&package)?, sent, Some(shown)).await?)
        }
    }
}

/// `GET /console/agency/packages/new`.
async fn new(signed: Signed, place: Path<String>) -> Answer {
    let typed = Fields::of([("is_active", "yes")]);
    page::html(&new_page(&signed, product(&place), typed, Wrongs::default(), None).await?)
}

/// Reads a form and sends it: what came of it, or what is wrong.
async fn send<T>(
    fields: &Fields,
    write: impl AsyncFnOnce(&Draft) -> Result<T, Error>,
) -> Result<T, Rejected> {
    let mut wrongs = Wrongs::default();
    let Some(draft) = Draft::typed(fields, MOST_BANDS, &mut wrongs) else {
        return Err(Rejected::Form(wrongs));
    };
    write(&draft).await.map_err(|error| {
        let wrongs = Wrongs::refused(error, "name");
        wrongs
            .map_or_else(Rejected::Failure, |wrongs| Rejected::Form(wrongs.renamed(|field| draft.at(field))))
    })
}

/// Why a form was not taken.
enum Rejected {
    Form(Wrongs),
    Failure(Failure),
}

/// `POST /console/agency/packages`, under the form's key, so that a form that comes twice makes one package.
async fn create(signed: Signed, place: Path<String>, fields: Fields) -> Answer {
    let product = product(&place);
    let session = signed.session.keyed(fields.key()?);
    let outcome = send(&fields, async |draft| product.create(&session, draft).await).await;
    match outcome {
        Ok(id) => Ok(see_other(&address(product, id, "added"))),
        Err(Rejected::Failure(failure)) => Err(failure),
        Err(Rejected::Form(wrongs)) => {
            page::unprocessable(&new_page(&signed, product, fields, wrongs, None).await?)
        }
    }
}

fn address(product: Product, id: Uuid, done: &str) -> String {
    format!("{BASE}/agency/{}/{id}?done={done}", product.place())
}

#[derive(Template)]
#[template(path = "agency/package.html")]
struct PackagePage {
    shell: Shell,
    package: Package,
    agents: Vec<AgentAllocation>,
    /// Who has which package, and what that is called.
    has: Vec<(Uuid, Uuid, String)>,
    editor: Editor,
    results: Part,
    wrongs: Wrongs,
    done: &'static str,
}

impl PackagePage {
    /// The package that an agent has, and its name.
    fn has(&self, agent: &AgentAllocation) -> Option<&(Uuid, Uuid, String)> {
        self.has.iter().find(|(known, ..)| *known == agent.agent_id)
    }

    fn has_this(&self, agent: &AgentAllocation) -> bool {
        self.has(agent).is_some_and(|(_, package, _)| *package == self.package.id)
    }
}

async fn package_page(
    signed: &Signed,
    product: Product,
    id: Uuid,
    sent: Option<(Fields, Wrongs)>,
    shown: Option<Example>,
) -> Result<PackagePage> {
    let wallet = signed.session.organization_wallet();
    let (shell, own, packages, assigned, agents) = futures_util::try_join!(
        signed.shell("Package", product.area()),
        wallet.read(),
        product.list(&signed.session),
        product.assignments(&signed.session),
        wallet.agents()
    )?;
    let has = assigned.into_iter().filter_map(|(agent, of)| {
        let named = packages.iter().find(|package| package.id == of)?;
        Some((agent, of, named.draft.name.clone()))
    });
    let has = has.collect();
    let package = packages.into_iter().find(|package| package.id == id).ok_or(Failure::NoPage)?;
    let (typed, wrongs) = sent.unwrap_or_else(|| (package.typed(), Wrongs::default()));
    let typed = with_usual(typed);
    Ok(PackagePage {
        shell,
        package,
        agents,
        has,
        results: results(signed, product, &typed, shown).await?,
        editor: Editor { product, typed, currency: own.currency },
        wrongs,
        done: "",
    })
}

/// `GET /console/agency/packages/{id}`.
async fn show(signed: Signed, path: Path<(String, String)>, fields: Fields) -> Answer {
    let (product, id) = (product(&path.0), id(&path.1)?);
    let done = fields.done(&[
        ("added", "The package is added. Nobody has it yet."),
        ("saved", "The package is saved. New prices are computed with it."),
        ("assigned", "It is given. New prices are computed with it."),
        ("unassigned", "It is taken away."),
    ]);
    page::html(&PackagePage { done, ..package_page(&signed, product, id, None, None).await? })
}

/// `POST /console/agency/packages/{id}`: all of it.
async fn change(signed: Signed, path: Path<(String, String)>, fields: Fields) -> Answer {
    let (product, id) = (product(&path.0), id(&path.1)?);
    let outcome = send(&fields, async |draft| product.replace(&signed.session, id, draft).await);
    match outcome.await {
        Ok(()) => Ok(see_other(&address(product, id, "saved"))),
        Err(Rejected::Failure(failure)) => Err(failure),
        Err(Rejected::Form(wrongs)) => {
            page::unprocessable(&package_page(&signed, product, id, Some((fields, wrongs)), None).await?)
        }
    }
}

/// `POST /console/agency/packages/{id}/delete`. What is gone already, is: the form came twice.
async fn delete(signed: Signed, path: Path<(String, String)>) -> Answer {
    let product = product(&path.0);
    match product.delete(&signed.session, id(&path.1)?).await {
        Err(error) if !error.is_not_found() => Err(error.into()),
        _ => Ok(see_other(&format!("{BASE}/agency/{}?done=deleted", product.place()))),
    }
}

/// The agent that a form names; none for the agency.
fn agent(fields: &Fields) -> Result<Option<Uuid>> {
    fields.given("agent").map(|agent| id(&agent)).transpose()
}

/// `POST /console/agency/packages/{id}/assign`, under the form's key.
async fn assign(signed: Signed, path: Path<(String, String)>, fields: Fields) -> Answer {
    let (product, id) = (product(&path.0), id(&path.1)?);
    let session = signed.session.keyed(fields.key()?);
    product.assign(&session, id, agent(&fields)?).await?;
    Ok(see_other(&address(product, id, "assigned")))
}

/// `POST /console/agency/packages/{id}/unassign`. What is taken away already, is: the form came twice.
async fn unassign(signed: Signed, path: Path<(String, String)>, fields: Fields) -> Answer {
    let (product, id) = (product(&path.0), id(&path.1)?);
    match product.unassign(&signed.session, agent(&fields)?).await {
        Err(error) if !error.is_not_found() => Err(error.into()),
        _ => Ok(see_other(&address(product, id, "unassigned"))),
    }
}
