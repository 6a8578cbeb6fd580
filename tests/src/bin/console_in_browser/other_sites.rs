//! A7: a form that another site sends is refused, whether the browser says from where by `Sec-Fetch-Site` or only by `Origin`.

use wayfare_tests::{
    PASSWORD,
    browser::{Looked, Page},
};

use crate::stage::{AGENT, Stage};

/// What the form would change: every notification is read.
const PATH: &str = "/console/notifications/read-all";

pub fn check(stage: &Stage) -> Looked<String> {
    let page = stage.page_of(AGENT)?;
    let before = unread(stage, &page)?;
    if before < 1.0 {
        return Err("there is nothing that the form could change".to_owned());
    }
    // Another port is another origin of the same site; another name is another site.
    let same_site = stage.world.sandbox_url().to_owned();
    let other_site = same_site.replace("127.0.0.1", "localhost");
    for site in [&same_site, &other_site] {
        posted(stage, &page, site)?;
    }
    // Of a browser that does not tell.
    let status = stage.wait(by_origin(stage, &same_site))?;
    if status != 403 {
        return Err(format!("a form with another Origin was answered with {status}"));
    }
    let after = unread(stage, &page)?;
    if after < before {
        return Err(format!("{before} notifications were not read, now {after}"));
    }
    // The same form of our own page does it.
    page.open(&stage.url("/console/notifications"))?;
    page.click(&format!("form[action='{PATH}'] button"))?;
    page.wait(
        "no unread notification",
        "document.readyState === 'complete' && !document.querySelector('.tag')",
    )?;
    Ok("another port, another host and another Origin are refused, our own page is not".to_owned())
}

/// How many notifications are new to whoever looks.
fn unread(stage: &Stage, page: &Page) -> Looked<f64> {
    page.open(&stage.url("/console/notifications"))?;
    page.number("document.querySelectorAll('.tag').length")
}

/// Sends the form from a page of that site.
fn posted(stage: &Stage, page: &Page, site: &str) -> Looked {
    page.open(&format!("{site}/_sandbox/faults"))?;
    page.evaluate(&format!(
        "document.body.innerHTML = `<form method=post action='{}'></form>`; document.forms[0].submit()",
        stage.url(PATH)
    ))?;
    page.is_at(PATH)?;
    let told = page.text("document.body.innerText")?;
    match told.contains("another site") || told.contains("Another site") {
        true => Ok(()),
        false => Err(format!("a form of {site} was answered with {told:.200}")),
    }
}

/// The status of the form with a cookie that is good and the header `Origin` alone.
async fn by_origin(stage: &Stage, origin: &str) -> Looked<u16> {
    let told = |error: reqwest::Error| error.to_string();
    let client =
        reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().map_err(told)?;
    let form = format!(
        "agency={}&username={AGENT}&password={}&to=",
        stage.agency.code.as_ref(),
        PASSWORD.replace(' ', "+")
    );
    let post =
        |path: &str| client.post(stage.url(path)).header("content-type", "application/x-www-form-urlencoded");
    let begun = post("/console/login").body(form).send().await.map_err(told)?;
    let cookie = begun.headers().get("set-cookie").ok_or("no log-in")?;
    let cookie = cookie.to_str().unwrap_or_default().split(';').next().unwrap_or_default();
    let sent = post(PATH).header("cookie", cookie).header("origin", origin).send();
    Ok(sent.await.map_err(told)?.status().as_u16())
}
