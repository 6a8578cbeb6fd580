//! Somebody who uses the console: HTML over one connection, as a browser asks for it.

use reqwest::{header, redirect::Policy};

use crate::Result;

/// Somebody who is logged in to the console.
pub struct Browser {
    http: reqwest::Client,
    console: String,
    cookie: String,
}

impl Browser {
    /// Logs in by the console's own form.
    pub(crate) async fn log_in(base_url: &str, agency: &str, username: &str, password: &str) -> Result<Self> {
        let console = format!("{base_url}/console");
        let http = reqwest::Client::builder().redirect(Policy::none()).build()?;
        let form = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs([("agency", agency), ("username", username), ("password", password)])
            .finish();
        let answer = http
            .post(format!("{console}/login"))
            .header("sec-fetch-site", "same-origin")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(form)
            .send()
            .await?;
        let cookies = answer.headers().get_all(header::SET_COOKIE);
        let cookies = cookies.iter().filter_map(|cookie| cookie.to_str().ok());
        let session =
            cookies.filter_map(|cookie| cookie.split(';').next()).find(|cookie| cookie.contains("=wfs_"));
        let cookie =
            session.ok_or_else(|| format!("no session at the console: {}", answer.status()))?.to_owned();
        Ok(Self { http, console, cookie })
    }

    /// Opens a screen: all of its HTML.
    pub async fn open(&self, path: &str) -> Result<()> {
        let request = self.http.get(format!("{}{path}", self.console));
        let answer = request.header(header::COOKIE, &self.cookie).send().await?;
        let (status, html) = (answer.status(), answer.text().await?);
        match status.is_success() && html.contains("</html>") {
            true => Ok(()),
            false => Err(format!("{path}: {status}: {html:.300}").into()),
        }
    }
}
