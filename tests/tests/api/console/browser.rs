//! A browser without scripts: it keeps a cookie, follows what forms answer, and finds fields in pages.

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

    pub fn leads_to(&self) -> String {
        assert_eq!(self.status, 303, "{}", self.text);
        self.headers[header::LOCATION].to_str().unwrap().to_owned()
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
                let value = rest.split('"').next().unwrap();
                (name.to_owned(), unescaped(value))
            })
            .collect()
    }
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

    /// Somebody of the agency, logged in.
    pub async fn signed(world: &World, agency: &Agency, username: &str) -> Self {
        let form =
            [("agency", agency.code.as_ref()), ("username", username), ("password", PASSWORD), ("to", "")];
        Self::of(world).logged_in("/console", &form).await
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
