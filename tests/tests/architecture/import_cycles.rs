//! No modules of a crate use each other in a circle.
//!
//! Compared are neighbours, at each level: the files and folders of one folder. What a file uses counts for the folder
//! that it is in, and what is used in a folder counts as the folder. A file and the folder's own `mod.rs` are no
//! neighbours: a module may use what stands around it, and what it is made of.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

use crate::{
    Source, by_package, fail_if_any,
    modules::{Path, Use, uses},
    sources,
};

/// Which neighbours use which, in each folder.
type Neighbours = BTreeMap<Path, BTreeMap<String, BTreeMap<String, Use>>>;

fn neighbours(uses: Vec<Use>) -> Neighbours {
    let mut neighbours = Neighbours::new();
    for one in uses {
        let common = one.from.iter().zip(&one.to).take_while(|(from, to)| from == to).count();
        let (Some(from), Some(to)) = (one.from.get(common), one.to.get(common)) else { continue };
        let folder = neighbours.entry(one.from[..common].to_vec()).or_default();
        folder.entry(to.clone()).or_default();
        folder.entry(from.clone()).or_default().entry(to.clone()).or_insert(one);
    }
    neighbours
}

/// Tarjan's: groups of which each member leads to each other.
struct Circles<'graph> {
    graph: &'graph BTreeMap<String, BTreeMap<String, Use>>,
    /// When each was first seen, and the earliest that it leads back to.
    seen: BTreeMap<&'graph str, (usize, usize)>,
    open: Vec<&'graph str>,
    found: Vec<BTreeSet<&'graph str>>,
}

impl<'graph> Circles<'graph> {
    fn of(graph: &'graph BTreeMap<String, BTreeMap<String, Use>>) -> Vec<BTreeSet<&'graph str>> {
        let mut circles = Self { graph, seen: BTreeMap::new(), open: Vec::new(), found: Vec::new() };
        for name in graph.keys() {
            if !circles.seen.contains_key(name.as_str()) {
                circles.visit(name);
            }
        }
        circles.found
    }

    fn visit(&mut self, name: &'graph str) -> usize {
        let first = self.seen.len();
        self.seen.insert(name, (first, first));
        self.open.push(name);
        let mut back = first;
        for next in self.graph[name].keys() {
            if !self.seen.contains_key(next.as_str()) {
                back = back.min(self.visit(next));
            } else if self.open.contains(&next.as_str()) {
                back = back.min(self.seen[next.as_str()].0);
            }
        }
        self.seen.insert(name, (first, back));
        if back == first {
            let start = self.open.iter().position(|open| *open == name).unwrap();
            let group: BTreeSet<&str> = self.open.split_off(start).into_iter().collect();
            self.found.extend((group.len() > 1).then_some(group));
        }
        back
    }
}

/// Every circle of a crate, each with the uses that make it.
fn circles(package: &str, sources: &[&Source]) -> Vec<String> {
    let mut told = Vec::new();
    for (folder, graph) in &neighbours(uses(sources)) {
        for group in Circles::of(graph) {
            let place: Path = [package.to_owned()].iter().chain(folder).cloned().collect();
            let mut text =
                format!("{}: {}", place.join("::"), group.iter().copied().collect::<Vec<_>>().join(", "));
            for from in &group {
                let inside = graph[*from].iter().filter(|(to, _)| group.contains(to.as_str()));
                for (to, one) in inside {
                    write!(text, "\n      {from} -> {to}: {}", one.written).unwrap();
                }
            }
            told.push(text);
        }
    }
    told
}

#[test]
fn no_modules_use_each_other_in_a_circle() {
    let sources = sources();
    let found: Vec<String> =
        by_package(&sources).iter().flat_map(|(package, sources)| circles(package, sources)).collect();
    fail_if_any(&found);
}

#[test]
fn a_circle_is_found_through_folders_re_exports_and_macros() {
    let source = |modules: &str, text: &str| Source {
        group: "crates".to_owned(),
        package: "one".to_owned(),
        path: format!("{modules}.rs"),
        modules: modules.split('/').filter(|name| !name.is_empty()).map(str::to_owned).collect(),
        text: text.to_owned(),
    };
    let of = |sources: &[Source]| circles("one", &sources.iter().collect::<Vec<_>>());
    let root = source("", "mod a; mod b; mod c; pub use b::deep::Thing;");
    let deep = source("b/deep", "pub struct Thing; fn f() { println!(\"{}\", crate::c::f()); }");
    let folder = source("b", "mod deep; use deep::Thing; pub struct Own;");
    let found = of(&[
        root,
        folder,
        deep,
        source("a", "use crate::c;"),
        source("c", "use crate::Thing; use crate::b; mod inner { use super::super::a::X; }"),
    ]);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].starts_with("one: a, b, c\n"), "{found:#?}");
    // What an attribute names is used as well, in its tokens or in a text.
    for attribute in [r#"#[error("at most {}", crate::b::MOST)]"#, r#"#[serde(with = "super::b")]"#] {
        let found = of(&[
            source("", "mod a; mod b;"),
            source("a", &format!("enum Error {{ {attribute} TooMany(u8) }}")),
            source("b", "pub const MOST: u8 = 1; fn f() -> crate::a::Error { todo!() }"),
        ]);
        assert_eq!(found.len(), 1, "{attribute}: {found:#?}");
    }
    // A folder and what it is made of may know each other, and tests may know everything.
    let found = of(&[
        source("", "mod a; mod b;"),
        source("a", "mod part; use part::Part; use crate::b::B; pub struct Own;"),
        source("a/part", "use super::Own; pub struct Part;"),
        source("b", "pub struct B; #[cfg(test)] mod tests { use crate::a::Own; }"),
    ]);
    assert_eq!(found, [""; 0]);
}
