//! Packages: the list, the editor, and who has which, for flights and for hotels alike.

use actix_web::{
    HttpRequest,
    http::StatusCode,
    web::{self, Path, ServiceConfig},
};
use askama::Template;
use uuid::Uuid;
use wayfare_client::{AgentAllocation, Error};

use super::{
    Choice, choices, id, new_key,
    package::{Draft, MOST_BANDS, Package, Product, band_field, typed, words},
    preview, refused,
};
use crate::{
    BASE,
    failure::Failure,
    form::{Fields, Wrongs},
    page::{self, Answer, Part, Shell, Status},
    see_other,
    session::Signed,
    trace::Example,
};

const KINDS: [(&str, &str); 2] = [("percent", "Per cent"), ("flat", "An amount")];
const OF_WHAT: [(&str, &str); 3] =
    [("fare", "The base fare"), ("total", "The whole price"), ("commission", "The commission")];
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
    place: &'static str,
    title: &'static str,
    rows: Vec<Line>,
    done: &'static str,
}

struct Line {
    id: Uuid,
    name: String,
    description: String,
    markup: String,
    bands: usize,
    who: String,
    status: Status,
}

fn line(package: &Package, assigned: &[(Uuid, Uuid)], currency: &str) -> Line {
    let agents = assigned.iter().filter(|(_, id)| *id == package.id).count();
    let mut who = Vec::new();
    if package.is_applied {
        who.push("The agency".to_owned());
    }
    match agents {
        0 => {}
        1 => who.push("1 agent".to_owned()),
        count => who.push(format!("{count} agents")),
    }
    Line {
        id: package.id,
        name: package.name.clone(),
        description: package.description.clone(),
        markup: words(&package.markup, &package.apply_on, currency),
        bands: package.bands.len(),
        who: who.join(", "),
        status: match package.is_active {
            true => Status::new("ok", "●", "Counts"),
            false => Status::new("", "○", "Does not count"),
        },
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
        place: product.place(),
        title: product.title(),
        rows: packages.iter().map(|package| line(package, &assigned, &own.currency)).collect(),
        done: match fields.get("done") {
            "deleted" => "The package is deleted. Nobody has it any more.",
            _ => "",
        },
    })
}

struct Editor {
    typed: Fields,
    kinds: Vec<Choice>,
    of_what: Vec<Choice>,
    bands: Vec<Band>,
    has_bands: bool,
    currency: String,
}

struct Band {
    number: usize,
    fields: [BandField; 3],
    kind_field: String,
    kinds: Vec<Choice>,
}

/// A field of a band: its name on the page, what it is called, what stands in it and what is wrong with it.
struct BandField {
    field: String,
    name: &'static str,
    value: String,
    wrong: String,
}

impl Editor {
    fn of(product: Product, typed: Fields, wrongs: &Wrongs, currency: String) -> Self {
        let filled = bands_of(&typed);
        let count = match product.has_bands() {
            true => (filled + MORE_BANDS).min(MOST_BANDS),
            false => 0,
        };
        let usual = match product {
            Product::Flights => "fare",
            Product::Hotels => "total",
        };
        let of_what = typed.given("markup_apply_on").unwrap_or_else(|| usual.to_owned());
        let band = |number: usize| {
            let field = |name: &str, label: &'static str| {
                let field = band_field(number, name);
                BandField {
                    value: typed.get(&field).to_owned(),
                    wrong: wrongs.of_field(&field).to_owned(),
                    field,
                    name: label,
                }
            };
            let kind_field = band_field(number, "markup_type");
            Band {
                number: number + 1,
                fields: [
                    field("min_amount", "From"),
                    field("max_amount", "Below"),
                    field("markup_value", "Markup"),
                ],
                kinds: choices(KINDS, typed.get(&kind_field)),
                kind_field,
            }
        };
        Self {
            kinds: choices(KINDS, typed.get("markup_type")),
            of_what: choices(OF_WHAT, &of_what),
            bands: (0..count).map(band).collect(),
            has_bands: product.has_bands(),
            typed,
            currency,
        }
    }
}

/// How many bands a form has: up to the last one in which something stands.
fn bands_of(typed: &Fields) -> usize {
    let stands = |number: &usize| {
        ["min_amount", "max_amount", "markup_value"]
            .iter()
            .any(|name| typed.given(&band_field(*number, name)).is_some())
    };
    (0..MOST_BANDS).filter(stands).max().map_or(0, |number| number + 1)
}

#[derive(Template)]
#[template(path = "agency/package_new.html")]
struct NewPage {
    shell: Shell,
    place: &'static str,
    editor: Editor,
    results: Part,
    key: String,
    wrongs: Wrongs,
}

async fn new_page(
    signed: &Signed,
    product: Product,
    typed: Fields,
    wrongs: Wrongs,
    shown: Option<Example>,
) -> Result<NewPage, Failure> {
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
        place: product.place(),
        results: results(signed, product, &typed, shown).await?,
        editor: Editor::of(product, typed, &wrongs, own.currency),
        key: new_key(),
        wrongs,
    })
}

/// What was typed, with the usual example where none was.
fn with_usual(mut typed: Fields) -> Fields {
    let has_example = typed.0.iter().any(|(name, _)| name == "example_base");
    if !has_example {
        let usual = preview::USUAL.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        typed.0.extend(usual);
    }
    typed
}

/// What the example comes to, as a part of the page.
async fn results(
    signed: &Signed,
    product: Product,
    typed: &Fields,
    shown: Option<Example>,
) -> Result<Part, Failure> {
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
    let typed = Fields(vec![("is_active".to_owned(), "yes".to_owned())]);
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
        let wrongs = refused(&error, "name", |field| draft.at(field));
        wrongs.map_or_else(|| Rejected::Failure(error.into()), Rejected::Form)
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
            let shown = new_page(&signed, product, fields, wrongs, None).await?;
            page::html_with(StatusCode::UNPROCESSABLE_ENTITY, &shown)
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
    place: &'static str,
    entity: &'static str,
    id: Uuid,
    name: String,
    is_active: bool,
    is_applied: bool,
    key: String,
    agents: Vec<Agent>,
    editor: Editor,
    results: Part,
    wrongs: Wrongs,
    done: &'static str,
}

struct Agent {
    id: Uuid,
    name: String,
    /// The name of the package that they have.
    has: Option<String>,
    is_this: bool,
    key: String,
}

async fn package_page(
    signed: &Signed,
    product: Product,
    id: Uuid,
    sent: Option<(Fields, Wrongs)>,
    shown: Option<Example>,
) -> Result<PackagePage, Failure> {
    let wallet = signed.session.organization_wallet();
    let (shell, own, packages, assigned, agents) = futures_util::try_join!(
        signed.shell("Package", product.area()),
        wallet.read(),
        product.list(&signed.session),
        product.assignments(&signed.session),
        wallet.agents()
    )?;
    let package = packages.iter().find(|package| package.id == id);
    let package = package.ok_or(Failure::NoPage)?;
    let name_of = |id: Uuid| {
        let found = packages.iter().find(|package| package.id == id);
        found.map(|package| package.name.clone())
    };
    let agent = |agent: &AgentAllocation| {
        let own = assigned.iter().find(|(user, _)| *user == agent.agent_id);
        Agent {
            id: agent.agent_id,
            name: agent.name.clone(),
            has: own.and_then(|(_, package)| name_of(*package)),
            is_this: own.is_some_and(|(_, package)| *package == id),
            key: new_key(),
        }
    };
    let (fields, wrongs) = sent.unwrap_or_else(|| (typed(package), Wrongs::default()));
    let fields = with_usual(fields);
    Ok(PackagePage {
        shell,
        place: product.place(),
        entity: product.entity(),
        id,
        name: package.name.clone(),
        is_active: package.is_active,
        is_applied: package.is_applied,
        key: new_key(),
        agents: agents.iter().map(agent).collect(),
        results: results(signed, product, &fields, shown).await?,
        editor: Editor::of(product, fields, &wrongs, own.currency),
        wrongs,
        done: "",
    })
}

/// `GET /console/agency/packages/{id}`.
async fn show(signed: Signed, path: Path<(String, String)>, fields: Fields) -> Answer {
    let (product, id) = (product(&path.0), id(&path.1)?);
    let mut shown = package_page(&signed, product, id, None, None).await?;
    shown.done = match fields.get("done") {
        "added" => "The package is added. Nobody has it yet.",
        "saved" => "The package is saved. New prices are computed with it.",
        "assigned" => "It is given. New prices are computed with it.",
        "unassigned" => "It is taken away.",
        _ => "",
    };
    page::html(&shown)
}

/// `POST /console/agency/packages/{id}`: all of it.
async fn change(signed: Signed, path: Path<(String, String)>, fields: Fields) -> Answer {
    let (product, id) = (product(&path.0), id(&path.1)?);
    let outcome = send(&fields, async |draft| product.replace(&signed.session, id, draft).await);
    match outcome.await {
        Ok(()) => Ok(see_other(&address(product, id, "saved"))),
        Err(Rejected::Failure(failure)) => Err(failure),
        Err(Rejected::Form(wrongs)) => {
            let shown = package_page(&signed, product, id, Some((fields, wrongs)), None).await?;
            page::html_with(StatusCode::UNPROCESSABLE_ENTITY, &shown)
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
fn agent(fields: &Fields) -> Result<Option<Uuid>, Failure> {
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
