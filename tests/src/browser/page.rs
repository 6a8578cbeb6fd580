//! One page of a browser: where it is led, what is typed and pressed there, and what it shows, asks and complains of.

use std::{
    path::Path,
    thread,
    time::{Duration, Instant},
};

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use super::{Browser, Looked};

/// What runs in each page before its own scripts.
const WATCH: &str = include_str!("watch.js");
/// How long a page may take to become what is waited for.
const PATIENCE: Duration = Duration::from_secs(20);
const PAUSE: Duration = Duration::from_millis(10);

/// A page. It is closed with the value.
pub struct Page {
    browser: Browser,
    context: Value,
    session: String,
    /// What was asked for since [`Page::forget`].
    requests: Vec<Request>,
    problems: Vec<String>,
}

/// Something that a page has asked for.
#[derive(Clone, Debug)]
pub struct Request {
    id: String,
    pub url: String,
    /// `Document`, `Stylesheet`, `Script`, `Fetch`, …
    pub kind: String,
    /// What came over the wire, heads included.
    pub bytes: u64,
}

impl Drop for Page {
    fn drop(&mut self) {
        // The browser may be gone.
        let _ = self.tell("Page.close", json!({}));
    }
}

impl Page {
    pub(super) fn new(browser: Browser, context: Value, session: String) -> Self {
        let page = Self { browser, context, session, requests: Vec::new(), problems: Vec::new() };
        for (method, params) in [
            ("Page.enable", json!({})),
            ("Page.bringToFront", json!({})),
            ("Runtime.enable", json!({})),
            ("Log.enable", json!({})),
            ("Network.enable", json!({})),
            ("Runtime.addBinding", json!({ "name": "wayfareTells" })),
            ("Page.addScriptToEvaluateOnNewDocument", json!({ "source": WATCH })),
            // Several pages are looked at at once.
            ("Emulation.setFocusEmulationEnabled", json!({ "enabled": true })),
        ] {
            page.tell(method, params).unwrap();
        }
        page
    }

    #[must_use]
    pub fn beside(&self) -> Self {
        self.browser.page_in(self.context.clone())
    }

    /// A command of the protocol.
    pub fn tell(&self, method: &str, params: Value) -> Looked<Value> {
        self.browser.pipe.borrow_mut().tell(&self.session, method, &params)
    }

    /// Goes there and waits until all of it is there.
    pub fn open(&self, url: &str) -> Looked {
        let opened = self.tell("Page.navigate", json!({ "url": url }))?;
        match opened["errorText"].as_str() {
            Some(error) => Err(format!("{url}: {error}")),
            None => self.is_loaded(),
        }
    }

    /// Asks for the page again, as F5 does: a form that led to it is sent again.
    pub fn reload(&self) -> Looked {
        self.evaluate("window.wayfareOld = true")?;
        self.tell("Page.reload", json!({}))?;
        self.wait("a reloaded page", "!window.wayfareOld")?;
        self.is_loaded()
    }

    fn is_loaded(&self) -> Looked {
        self.wait("a whole page", "document.readyState === 'complete'").map(drop)
    }

    /// What an expression is in the page; of a promise, what it becomes.
    pub fn evaluate(&self, expression: &str) -> Looked<Value> {
        let params = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let evaluated = self.tell("Runtime.evaluate", params)?;
        match &evaluated["exceptionDetails"] {
            Value::Null => Ok(evaluated["result"]["value"].clone()),
            thrown => Err(format!("{} in {expression:.120}", thrown["exception"]["description"])),
        }
    }

    /// The text that an expression is.
    pub fn text(&self, expression: &str) -> Looked<String> {
        let value = self.evaluate(expression)?;
        let text = value.as_str().map(str::to_owned);
        text.ok_or_else(|| format!("{value} for the text {expression}"))
    }

    /// The number that an expression is.
    pub fn number(&self, expression: &str) -> Looked<f64> {
        let value = self.evaluate(expression)?;
        let number = value.as_f64();
        number.ok_or_else(|| format!("{value} for the number {expression}"))
    }

    /// Waits until an expression is something, also while the page goes elsewhere; what it is.
    pub fn wait(&self, what: &str, expression: &str) -> Looked<Value> {
        let begun = Instant::now();
        loop {
            // Of a page that is just left there is no answer.
            let seen = self.evaluate(expression);
            match seen {
                Ok(value) if ![Value::Null, json!(false), json!(""), json!(0)].contains(&value) => {
                    return Ok(value);
                }
                seen if begun.elapsed() > PATIENCE => {
                    let place = self
                        .evaluate("location.href + ': ' + document.querySelector('main, body')?.innerText");
                    let place = place.unwrap_or_default();
                    let place: String = place.as_str().unwrap_or_default().chars().take(400).collect();
                    return Err(format!("no {what} within {PATIENCE:?} ({seen:?}) at {place}"));
                }
                _ => thread::sleep(PAUSE),
            }
        }
    }

    /// Waits for an element.
    pub fn has(&self, selector: &str) -> Looked {
        self.wait(selector, &format!("document.querySelector({}) !== null", json!(selector))).map(drop)
    }

    /// Waits until the page is at a path that begins so, and all of it is there.
    pub fn is_at(&self, path: &str) -> Looked {
        let expression = format!(
            "(location.pathname + location.search).startsWith({}) && document.readyState === 'complete'",
            json!(path)
        );
        self.wait(path, &expression).map(drop)
    }

    /// The middle of an element, once it is there and in sight.
    pub fn middle(&self, selector: &str) -> Looked<(f64, f64)> {
        let expression = format!(
            "(() => {{ const found = document.querySelector({}); if (!found) return null; \
             found.scrollIntoView({{ block: 'nearest', behavior: 'instant' }}); const at = found.getBoundingClientRect(); \
             return at.width > 0 && [at.x + at.width / 2, at.y + at.height / 2]; }})()",
            json!(selector)
        );
        let at = self.wait(selector, &expression)?;
        Ok((at[0].as_f64().unwrap_or_default(), at[1].as_f64().unwrap_or_default()))
    }

    /// The pointer goes there.
    pub fn point(&self, (x, y): (f64, f64)) -> Looked {
        self.tell("Input.dispatchMouseEvent", json!({ "type": "mouseMoved", "x": x, "y": y })).map(drop)
    }

    /// Clicks where the pointer is to be.
    pub fn click_at(&self, (x, y): (f64, f64)) -> Looked {
        self.point((x, y))?;
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
            self.tell("Input.dispatchMouseEvent", event)?;
        }
        Ok(())
    }

    /// Clicks an element once it is there.
    pub fn click(&self, selector: &str) -> Looked {
        self.click_at(self.middle(selector)?)
    }

    /// Types into the element that has the focus, key by key.
    pub fn type_text(&self, text: &str) -> Looked {
        text.chars().try_for_each(|letter| self.press(&letter.to_string()))
    }

    /// Clicks a field and types there, in the place of what it has.
    pub fn fill(&self, selector: &str, text: &str) -> Looked {
        self.click(selector)?;
        self.evaluate(&format!("document.querySelector({}).select?.()", json!(selector)))?;
        self.type_text(text)
    }

    /// Chooses a file of this machine in a field for files, as its dialog would.
    pub fn choose_file(&self, selector: &str, path: &Path) -> Looked {
        let expression = format!("document.querySelector({})", json!(selector));
        let found = self.tell("Runtime.evaluate", json!({ "expression": expression }))?;
        let field = &found["result"]["objectId"];
        self.tell("DOM.setFileInputFiles", json!({ "objectId": field, "files": [path] })).map(drop)
    }

    /// Presses a key: a letter, or `Enter`, `Tab`, `Escape`, `Space`, `ArrowDown`.
    pub fn press(&self, key: &str) -> Looked {
        let (name, code, text) = match key {
            "Enter" => ("Enter", 13, "\r"),
            "Tab" => ("Tab", 9, ""),
            "Escape" => ("Escape", 27, ""),
            "ArrowDown" => ("ArrowDown", 40, ""),
            "Space" => (" ", 32, " "),
            letter => (letter, letter_code(letter), letter),
        };
        let kind = if text.is_empty() { "rawKeyDown" } else { "keyDown" };
        let down = json!({ "type": kind, "key": name, "text": text, "windowsVirtualKeyCode": code,
                           "nativeVirtualKeyCode": code });
        self.tell("Input.dispatchKeyEvent", down)?;
        let up = json!({ "type": "keyUp", "key": name, "windowsVirtualKeyCode": code });
        self.tell("Input.dispatchKeyEvent", up).map(drop)
    }

    /// So wide and high.
    pub fn resize(&self, width: u32, height: u32) -> Looked {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.tell("Emulation.setDeviceMetricsOverride", size).map(drop)
    }

    /// As on a machine with these colours, `light` or `dark`, and without motion.
    pub fn colours(&self, scheme: &str) -> Looked {
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ]);
        self.tell("Emulation.setEmulatedMedia", json!({ "features": features })).map(drop)
    }

    /// A picture of what is in sight, as PNG.
    pub fn picture(&self) -> Looked<Vec<u8>> {
        let picture = self.tell("Page.captureScreenshot", json!({ "format": "png" }))?;
        let text = picture["data"].as_str().unwrap_or_default();
        BASE64_STANDARD.decode(text).map_err(|error| error.to_string())
    }

    /// How far what was seen has moved by itself, as `CLS` counts.
    pub fn shift(&self) -> Looked<f64> {
        self.number("window.wayfareShift")
    }

    /// What was asked for since [`Page::forget`].
    pub fn requests(&mut self) -> Vec<Request> {
        self.read_events();
        self.requests.clone()
    }

    /// What the page's policy forbade, its scripts threw and its console shows as an error since [`Page::forget`].
    pub fn problems(&mut self) -> Vec<String> {
        self.read_events();
        self.problems.clone()
    }

    /// Forgets what was asked for and what went wrong.
    pub fn forget(&mut self) {
        self.read_events();
        self.requests.clear();
        self.problems.clear();
    }

    fn read_events(&mut self) {
        let events = self.browser.pipe.borrow_mut().events(&self.session);
        for event in events {
            let told = &event["params"];
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            match event["method"].as_str().unwrap_or_default() {
                "Network.requestWillBeSent" => self.requests.push(Request {
                    id: text(&told["requestId"]),
                    url: text(&told["request"]["url"]),
                    kind: text(&told["type"]),
                    bytes: 0,
                }),
                "Network.loadingFinished" => {
                    let id = told["requestId"].as_str().unwrap_or_default();
                    let asked = self.requests.iter_mut().rev().find(|asked| asked.id == id);
                    if let Some(asked) = asked {
                        asked.bytes = told["encodedDataLength"].as_f64().map_or(0, whole);
                    }
                }
                "Runtime.bindingCalled" => {
                    self.problems.push(format!("policy: {}", text(&told["payload"])));
                }
                "Runtime.exceptionThrown" => {
                    let thrown = &told["exceptionDetails"];
                    self.problems
                        .push(format!("thrown: {} {}", thrown["text"], thrown["exception"]["description"]));
                }
                "Runtime.consoleAPICalled" if ["error", "assert"].contains(&text(&told["type"]).as_str()) => {
                    self.problems.push(format!("console: {}", told["args"]));
                }
                "Log.entryAdded" if told["entry"]["level"] == "error" => {
                    let entry = &told["entry"];
                    self.problems.push(format!("log: {} {}", entry["text"], entry["url"]));
                }
                _ => {}
            }
        }
    }
}

/// The code of the key that has a letter or digit; of others it matters to nobody.
fn letter_code(letter: &str) -> u32 {
    let letter = letter.chars().next().unwrap_or_default();
    match letter.is_ascii_alphanumeric() {
        true => letter.to_ascii_uppercase().into(),
        false => 0,
    }
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts of bytes are small and whole"
)]
fn whole(number: f64) -> u64 {
    number as u64
}
