//! Where tests kill the process, and bugs that they plant to prove that they would be found.
//!
//! Without the feature `failpoints` both are nothing: no registry, no check, no switch that somebody could turn.

/// A moment at which something was just done. A test's process may be told to report it and wait there for its end.
pub(crate) fn moment(name: &str) {
    #[cfg(feature = "failpoints")]
    fail::eval(name, |_| ());
    let _ = name;
}

/// Whether a test has planted this bug.
pub(crate) fn seeded_bug(bug: &str) -> bool {
    #[cfg(feature = "failpoints")]
    return fail::eval(bug, |_| ()).is_some();
    #[cfg(not(feature = "failpoints"))]
    {
        let _ = bug;
        false
    }
}
