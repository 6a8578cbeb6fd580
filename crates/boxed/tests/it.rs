//! Signatures whose futures are boxed.

use futures_util::FutureExt;
use wayfare_boxed::boxed;

struct Named<'a>(&'a str);

impl<'a> From<&'a str> for Named<'a> {
    fn from(text: &'a str) -> Self {
        Self(text)
    }
}

/// It fails with another error than those that it awaits.
#[boxed]
pub async fn longest(
    texts: &mut Vec<&str>,
    other: Named<'_>,
    (least, _): (usize, bool),
) -> Result<usize, String> {
    let length = async { "7".parse::<usize>() }.await.map_err(|error| error.to_string())?;
    if texts.is_empty() {
        return Err("nothing".to_owned());
    }
    texts.retain(|text| text.len() >= least);
    Ok(length.max(other.0.len()))
}

/// The result borrows.
#[boxed]
pub async fn first(text: &str) -> Option<&str> {
    text.split(' ').next()
}

#[boxed]
pub async fn joined<'a>(one: &'a str, other: impl Into<Named<'_>>, mut count: u32) -> (&'a str, String) {
    count += 1;
    (one, format!("{} {count}", other.0))
}

struct Names<'a>(&'a [&'a str]);

#[boxed]
impl Names<'_> {
    pub async fn has(&self, name: &str) -> bool {
        self.find(name).await.is_some()
    }

    pub async fn end(self) -> usize {
        self.0.len()
    }

    async fn find(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|known| *known == name)
    }
}

#[test]
fn a_boxed_future_borrows_what_its_arguments_do() {
    let text = "a bc".to_owned();
    let mut texts = vec!["a", &text];
    let found = longest(&mut texts, Named("by name"), (2, true)).now_or_never().unwrap();
    assert_eq!((found, texts), (Ok(7), vec!["a bc"]));
    assert_eq!(first(&text).now_or_never().unwrap(), Some("a"));
    assert_eq!(joined(&text, "b", 1).now_or_never().unwrap(), ("a bc", "b 2".to_owned()));
    let names = Names(&["a", "b"]);
    assert!(names.has("b").now_or_never().unwrap());
    assert_eq!(names.end().now_or_never().unwrap(), 2);
}

/// A function that is passed on takes a reference of any lifetime.
#[test]
fn a_boxed_function_takes_whatever_lives_long_enough() {
    fn of_each(
        texts: &[String],
        read: impl for<'a> Fn(&'a str) -> futures_util::future::BoxFuture<'a, Option<&'a str>>,
    ) -> usize {
        texts.iter().filter_map(|text| read(text).now_or_never().unwrap()).map(str::len).sum()
    }
    assert_eq!(of_each(&["a b".to_owned(), "cd".to_owned()], first), 3);
}
