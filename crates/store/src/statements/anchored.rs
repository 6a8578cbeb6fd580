//! Lists that are read on from a row of theirs.

/// The boxed query without what stands up to its anchor, by the column of ids that orders it.
macro_rules! beyond {
    ($query:expr, $id:expr, $anchor:expr) => {
        match $anchor {
            None => $query,
            Some(wayfare_domain::Anchor::Before(id)) => $query.filter($id.lt(id)),
            Some(wayfare_domain::Anchor::After(id)) => $query.filter($id.gt(id)),
        }
    };
}

/// The boxed query in its order: newest first, or away from the row after which it is read on.
macro_rules! ordered {
    ($query:expr, $id:expr, $anchor:expr) => {
        match $anchor {
            Some(wayfare_domain::Anchor::After(_)) => $query.order($id.asc()),
            Some(wayfare_domain::Anchor::Before(_)) | None => $query.order($id.desc()),
        }
    };
}

pub(crate) use {beyond, ordered};
