//! Lists: page by page, or all of it as a stream.

use std::{marker::PhantomData, sync::Arc};

use futures_util::{StreamExt, TryStreamExt, stream, stream::BoxStream};
use serde::{Deserialize, de::DeserializeOwned};
use uuid::Uuid;
use wayfare_boxed::boxed;
use wayfare_contract::Meta;

use crate::{
    Session,
    call::Ask,
    error::{Error, Result},
};

/// A list of the service, not read yet.
#[must_use = "a list is read with `page` or `stream`"]
pub struct List<T> {
    session: Session,
    path: Vec<String>,
    query: Vec<(&'static str, String)>,
    per_page: u32,
    items: PhantomData<fn() -> T>,
}

/// A page of a list.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Page<T> {
    /// What is on it.
    pub items: Vec<T>,
    /// Its number, from 1.
    pub page: u32,
    /// How many items a page has, but for the last one.
    pub per_page: u32,
    /// How many items all pages have.
    pub total: i64,
    /// How many pages there are.
    pub total_pages: i64,
}

#[derive(Deserialize)]
struct Answer<T> {
    data: Vec<T>,
    meta: Meta,
}

#[boxed]
impl<T: DeserializeOwned + Send + 'static> List<T> {
    pub(crate) fn of(session: &Session, path: &[&str], query: Vec<(&'static str, String)>) -> Self {
        Self {
            session: session.clone(),
            path: path.iter().map(|part| (*part).to_owned()).collect(),
            query,
            per_page: 20,
            items: PhantomData,
        }
    }

    /// How many items a page has: 1 to 100, 20 unless told otherwise.
    pub fn per_page(mut self, items: u32) -> Self {
        self.per_page = items;
        self
    }

    /// What is older than this item, newest first; without effect on lists that are not read on so (see `docs/API.md`, *Lists*).
    pub fn before(mut self, id: Uuid) -> Self {
        self.query.push(("before", id.to_string()));
        self
    }

    /// What is newer than this item, oldest first, so that the last one is where to go on; likewise.
    pub fn after(mut self, id: Uuid) -> Self {
        self.query.push(("after", id.to_string()));
        self
    }

    /// A page, counted from 1; empty beyond the last one.
    pub async fn page(&self, number: u32) -> Result<Page<T>> {
        let mut query = self.query.clone();
        query.push(("page", number.to_string()));
        query.push(("per_page", self.per_page.to_string()));
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        let Answer { data, meta } = self.session.whole(Ask::get(&path).query(query)).await?;
        Ok(Page {
            items: data,
            page: meta.page,
            per_page: meta.per_page,
            total: meta.total,
            total_pages: meta.total_pages,
        })
    }

    /// All items, page after page as they are read. Lists begin with what is newest, and pages are counted: what is added
    /// meanwhile moves the rest on, so that an item may come twice; what leaves the list meanwhile moves the rest up, so
    /// that as many others may be left out. Nothing leaves a list of all bookings, refunds or transactions; bookings leave
    /// a list of one status when they change it. What has to see each of them once asks for one page after the other
    /// [before](Self::before) the last item that it has seen, or reads [`crate::Events`], which leaves nothing out.
    pub fn stream(self) -> BoxStream<'static, Result<T>> {
        let list = Arc::new(self);
        let pages = stream::try_unfold(Some(1), move |next| {
            let list = list.clone();
            async move {
                let Some(number) = next else { return Ok::<_, Error>(None) };
                let page = list.page(number).await?;
                let following = (i64::from(number) < page.total_pages).then_some(number + 1);
                Ok(Some((stream::iter(page.items.into_iter().map(Ok)), following)))
            }
        });
        pages.try_flatten().boxed()
    }
}
