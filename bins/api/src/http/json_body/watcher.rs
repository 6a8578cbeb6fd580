//! Who watches how a body is read: whoever makes the document, which tests do. Nobody else does, so that nothing of a schema
//! is in the server.

use serde_json::Value;

#[cfg(test)]
use super::shape::Shape;

/// Where it is noted what is read, when the document is made.
#[cfg(test)]
#[derive(Default)]
pub struct Watcher<'a>(pub Option<&'a mut Shape>);

#[cfg(test)]
impl Watcher<'_> {
    fn see(&mut self, note: impl FnOnce(&mut Shape)) {
        if let Some(shape) = self.0.as_deref_mut() {
            note(shape);
        }
    }

    /// A field is looked for.
    pub fn looked_for(&mut self, name: &str) {
        self.see(|shape| shape.name(name));
    }

    /// A field is needed.
    pub fn needed(&mut self, name: &str) {
        self.see(|shape| shape.need(name));
    }

    /// A field is read of which this is known.
    pub fn note(&mut self, name: &str, keywords: impl FnOnce() -> Value) {
        self.see(|shape| shape.note(name, keywords()));
    }

    /// A field is read of which nothing else is known.
    pub fn note_only(&mut self, name: &str, keywords: impl FnOnce() -> Value) {
        self.see(|shape| shape.note_only(name, keywords()));
    }

    /// A field is read that is an object, or one of a list of objects, of which this is known: who watches that.
    pub fn inner(&mut self, name: &str, keywords: impl FnOnce() -> Value, kind: &str) -> Watcher<'_> {
        Watcher(self.0.as_deref_mut().map(|shape| shape.inner(name, keywords(), kind)))
    }
}

/// Nobody.
#[cfg(not(test))]
#[derive(Default)]
pub struct Watcher<'a>(std::marker::PhantomData<&'a ()>);

#[cfg(not(test))]
impl Watcher<'_> {
    pub fn looked_for(&mut self, _: &str) {}

    pub fn needed(&mut self, _: &str) {}

    pub fn note(&mut self, _: &str, _: impl FnOnce() -> Value) {}

    pub fn note_only(&mut self, _: &str, _: impl FnOnce() -> Value) {}

    pub fn inner(&mut self, _: &str, _: impl FnOnce() -> Value, _: &str) -> Self {
        Self::default()
    }
}
