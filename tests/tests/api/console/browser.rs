//! A browser without scripts: it keeps a cookie, follows what forms answer, and finds fields in pages.

use std::collections::BTreeSet;

use reqwest::{Method, header};
use wayfare_tests::{Agency, PASSWORD, World};

use super::sums;

/// Somebody in front of the console.
pub struct Browser {
    http: reqwest::Client,
    base: String,
    cookie: Option<String>,
}

/// A page, and where it is.
#[derive(Debug)]
pub struct Page {
    pub status: u16,
    pub headers: header::HeaderMap,
    pub text: String,
}

impl Page {
    /// The page, which must have this on it.
    pub fn has(&self, status: u16, text: &str) -> &Self {
        assert_eq!(self.status, status, "{}", self.text);
        assert!(self.text.contains(text), "no {text:?} in {}", self.text);
        self
    }

    /// The page, which must have all of this on it.
    pub fn shows(&self, status: u16, texts: &[&str]) -> &Self {
        texts.iter().fold(self, |page, text| page.has(status, text))
    }

    /// The page from where this stands on.
    pub fn starting_at(self, text: &str) -> Self {
        let Some(from) = self.text.find(text) else { panic!("no {text} in {}", self.text) };
        Self { text: self.text[from..].to_owned(), ..self }
    }

    /// The password that the page tells once.
    pub fn password(&self) -> &str {
        self.text.split("<code>").nth(1).unwrap().split("</code>").next().unwrap()
    }

    pub fn leads_to(&self) -> String {
        assert_eq!(self.status, 303, "{}", self.text);
        self.headers[header::LOCATION].to_str().unwrap().to_owned()
    }

    /// Where the bar and the lists of pages lead from this page.
    fn ways(&self) -> impl Iterator<Item = String> {
        let ways = self.text.split("<nav ").skip(1).filter_map(|nav| nav.split("</nav>").next());
        let links = ways.flat_map(|way| way.split(" href=\"").skip(1)).filter_map(|to| to.split('"').next());
        links.filter(|link| !link.contains('?')).map(str::to_owned)
    }

    /// The first address on the page that begins so.
    pub fn link(&self, begin: &str) -> String {
        let from = self
            .text
            .find(&format!("href=\"{begin}"))
            .unwrap_or_else(|| panic!("no link {begin} in {}", self.text));
        let rest = &self.text[from + 6..];
        rest[..rest.find('"').unwrap()].replace("&#38;", "&").replace("&amp;", "&")
    }

    /// The hidden fields of the form that is sent there.
    pub fn hidden(&self, action: &str) -> Vec<(String, String)> {
        let from = self.text.find(&format!("action=\"{action}\"")).unwrap();
        let form = &self.text[from..];
        let form = &form[..form.find("</form>").unwrap()];
        let inputs = form.split("<input type=\"hidden\" name=\"").skip(1);
        inputs
            .map(|input| {
                let (name, rest) = input.split_once("\" value=\"").unwrap();
                (name.to_owned(), unescaped(rest.split('"').next().unwrap()))
            })
            .collect()
    }
}

/// The fields of a form as they are sent.
pub fn pairs(fields: &[(String, String)]) -> Vec<(&str, &str)> {
    fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
}

/// The same with another value of this one.
pub fn altered<'a>(fields: &'a [(String, String)], field: &str, value: &'a str) -> Vec<(&'a str, &'a str)> {
    pairs(fields).into_iter().map(|(name, old)| (name, if name == field { value } else { old })).collect()
}

/// The reference of the booking whose page has this address.
pub fn reference(address: &str) -> String {
    address.split('/').next_back().unwrap().split('?').next().unwrap().to_owned()
}

fn unescaped(text: &str) -> String {
    let pairs =
        [("&#60;", "<"), ("&#62;", ">"), ("&#34;", "\""), ("&#39;", "'"), ("&#38;", "&"), ("&amp;", "&")];
    pairs.iter().fold(text.to_owned(), |text, (code, letter)| text.replace(code, letter))
}

impl Browser {
    pub fn of(world: &World) -> Self {
        Self::at(&world.base_url)
    }

    /// In front of the console at this address.
    pub fn at(base: &str) -> Self {
        Self {
            http: reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap(),
            base: base.to_owned(),
            cookie: None,
        }
    }

    /// Opens all that the console with this base leads to, each of which is there; what it is.
    pub async fn follow(&self, base: &str) -> BTreeSet<String> {
        let (mut seen, mut ahead) = (BTreeSet::new(), vec![base.to_owned()]);
        while let Some(path) = ahead.pop() {
            let page = self.get(&path).await;
            match page.status {
                303 => ahead.push(page.leads_to()),
                _ => ahead.extend(page.has(200, "<main id=\"main\"").ways()),
            }
            seen.insert(path);
            ahead.retain(|path| !seen.contains(path));
        }
        seen
    }

    /// Somebody of the agency, logged in.
    pub async fn signed(world: &World, agency: &Agency, username: &str) -> Self {
        Self::signed_at(&world.base_url, agency, username).await
    }

    /// The same in front of the console at this address.
    pub async fn signed_at(base: &str, agency: &Agency, username: &str) -> Self {
        let form =
            [("agency", agency.code.as_ref()), ("username", username), ("password", PASSWORD), ("to", "")];
        Self::at(base).logged_in("/console", &form).await
    }

    /// Whoever logs in with this form at the console with this base.
    pub async fn logged_in(self, base: &str, form: &[(&str, &str)]) -> Self {
        let mut browser = self;
        let page = browser.post(&format!("{base}/login"), form).await;
        assert_eq!(page.leads_to(), base);
        let cookie = page.headers[header::SET_COOKIE].to_str().unwrap();
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
        browser.cookie = cookie.split(';').next().map(str::to_owned);
        browser
    }

    pub async fn ask(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        form: &[(&str, &str)],
    ) -> Page {
        let mut request = self.http.request(method.clone(), format!("{}{path}", self.base));
        if let Some(cookie) = &self.cookie {
            request = request.header(header::COOKIE, cookie);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if method == Method::POST {
            let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
            request = request.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded").body(body);
        }
        let response = request.send().await.unwrap();
        let page = Page {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            text: response.text().await.unwrap(),
        };
        // Whatever a test is about: what it reads adds up.
        sums::add_up(path, &page.text);
        page
    }

    pub async fn get(&self, path: &str) -> Page {
        self.ask(Method::GET, path, &[], &[]).await
    }

    pub async fn post(&self, path: &str, form: &[(&str, &str)]) -> Page {
        self.ask(Method::POST, path, &[("sec-fetch-site", "same-origin")], form).await
    }
}
