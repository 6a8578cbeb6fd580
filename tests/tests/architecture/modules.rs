//! Which modules of a crate use which others, read from its source files.
//!
//! A file is one module; modules that are written inside of a file are part of it, and code of tests is left out. A path
//! is followed through `use` declarations and re-exports to the file that declares what it names, so that an item which a
//! crate's root only passes on counts as a use of where it stands.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};
use syn::{
    Attribute, Item, ItemUse, LitStr, Macro, MetaList, UseTree,
    visit::{self, Visit},
};

use crate::Source;

/// A module's path from the crate's root, which has none.
pub type Path = Vec<String>;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Use {
    pub from: Path,
    pub to: Path,
    /// Where it is written, for messages.
    pub written: String,
}

#[derive(Default)]
struct File {
    source_path: String,
    declared: BTreeSet<String>,
    /// Names that it imports or passes on, and what they stand for.
    imported: BTreeMap<String, Path>,
    /// Modules of which it imports everything.
    globs: Vec<Path>,
    /// All paths that it writes, and their lines.
    written: Vec<(Path, usize)>,
}

/// All uses between the files of one crate.
pub fn uses(sources: &[&Source]) -> Vec<Use> {
    let test_modules: BTreeSet<Path> = sources.iter().flat_map(|source| test_modules(source)).collect();
    let files: BTreeMap<Path, File> = sources
        .iter()
        .filter(|source| !test_modules.iter().any(|tests| source.modules.starts_with(tests)))
        .map(|source| (source.modules.clone(), File::read(source)))
        .collect();
    let mut uses = BTreeSet::new();
    for (from, file) in &files {
        for (path, line) in &file.written {
            let to = resolve(&files, from, path, 0).filter(|to| to != from);
            uses.extend(to.map(|to| Use {
                from: from.clone(),
                to,
                written: format!("{}:{line} {}", file.source_path, path.join("::")),
            }));
        }
    }
    uses.into_iter().collect()
}

/// Modules that are compiled for tests alone.
fn test_modules(source: &Source) -> Vec<Path> {
    let file = syn::parse_file(&source.text).unwrap();
    let modules = file.items.iter().filter_map(|item| match item {
        Item::Mod(module) if is_of_tests(&module.attrs) => Some(module.ident.to_string()),
        _ => None,
    });
    modules.map(|name| source.modules.iter().cloned().chain([name]).collect()).collect()
}

fn is_of_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let condition = attribute.meta.require_list();
        attribute.path().is_ident("cfg") && condition.is_ok_and(|list| list.tokens.to_string() == "test")
    })
}

/// The file that declares what this path names, as it is written in this file. None: it is of another crate, or the
/// file's own.
fn resolve(files: &BTreeMap<Path, File>, from: &Path, path: &[String], depth: usize) -> Option<Path> {
    let (first, rest) = path.split_first()?;
    let file = files.get(from)?;
    match first.as_str() {
        // Re-exports that name each other would have no end.
        _ if depth > 20 => None,
        "crate" => walk(files, Vec::new(), rest, depth),
        "self" => walk(files, from.clone(), rest, depth),
        "super" => {
            let (_, parent) = from.split_last()?;
            let below = rest.iter().take_while(|name| *name == "super").count();
            let parent = parent.get(..parent.len().checked_sub(below)?)?;
            walk(files, parent.to_vec(), rest.get(below..)?, depth)
        }
        name => {
            let child: Path = from.iter().cloned().chain([name.to_owned()]).collect();
            if let Some(meant) = file.imported.get(name) {
                let whole: Path = meant.iter().chain(rest).cloned().collect();
                (meant.first() != Some(first)).then_some(())?;
                resolve(files, from, &whole, depth + 1)
            } else if files.contains_key(&child) {
                walk(files, child, rest, depth)
            } else {
                None
            }
        }
    }
}

/// Follows the rest of a path from a module.
fn walk(files: &BTreeMap<Path, File>, at: Path, rest: &[String], depth: usize) -> Option<Path> {
    let Some((name, further)) = rest.split_first() else { return Some(at) };
    let child: Path = at.iter().cloned().chain([name.clone()]).collect();
    let file = files.get(&at)?;
    if files.contains_key(&child) {
        return walk(files, child, further, depth);
    }
    if file.declared.contains(name) {
        return Some(at);
    }
    if let Some(meant) = file.imported.get(name) {
        let whole: Path = meant.iter().chain(further).cloned().collect();
        return resolve(files, &at, &whole, depth + 1);
    }
    let of_globs = file.globs.iter().find_map(|glob| {
        let whole: Path = glob.iter().chain(rest).cloned().collect();
        resolve(files, &at, &whole, depth + 1).filter(|found| *found != at)
    });
    of_globs.or(Some(at))
}

impl File {
    fn read(source: &Source) -> Self {
        let mut reader =
            Reader { file: Self { source_path: source.path.clone(), ..Self::default() }, inside: 0 };
        reader.visit_file(&syn::parse_file(&source.text).unwrap());
        reader.file
    }
}

struct Reader {
    file: File,
    /// In how many modules of the file itself it is.
    inside: usize,
}

impl Reader {
    /// A path as it would be written at the file's own level.
    fn note(&mut self, mut path: Path, line: usize) -> Path {
        for _ in 0..self.inside {
            if path.first().is_some_and(|name| name == "super") {
                path.remove(0);
            }
        }
        if self.inside > 0 && path.first().is_some_and(|name| !["crate", "super"].contains(&name.as_str())) {
            path.insert(0, "self".to_owned());
        }
        self.file.written.push((path.clone(), line));
        path
    }

    fn read_use(&mut self, tree: &UseTree, before: &[String], line: usize) {
        let with = |name: String| -> Path { before.iter().cloned().chain([name]).collect() };
        match tree {
            UseTree::Path(path) => self.read_use(&path.tree, &with(path.ident.to_string()), line),
            UseTree::Group(group) => group.items.iter().for_each(|item| self.read_use(item, before, line)),
            UseTree::Name(name) if name.ident == "self" => {
                self.import(before.last().cloned(), before.to_vec(), line)
            }
            UseTree::Name(name) => {
                let name = name.ident.to_string();
                self.import(Some(name.clone()), with(name), line);
            }
            UseTree::Rename(renamed) => {
                let path = match renamed.ident == "self" {
                    true => before.to_vec(),
                    false => with(renamed.ident.to_string()),
                };
                self.import(Some(renamed.rename.to_string()), path, line);
            }
            UseTree::Glob(_) => {
                let path = self.note(before.to_vec(), line);
                self.file.globs.push(path);
            }
        }
    }

    fn import(&mut self, name: Option<String>, path: Path, line: usize) {
        let path = self.note(path, line);
        if let Some(name) = name.filter(|_| self.inside == 0) {
            self.file.imported.insert(name, path);
        }
    }

    /// Paths among tokens that nobody has parsed, and in texts that are paths: `#[serde(with = "…")]`.
    fn scan(&mut self, tokens: TokenStream) {
        let mut path: Path = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    if colons != 2 {
                        path.clear();
                    }
                    path.push(name.to_string());
                    if path.len() > 1 {
                        self.note(path.clone(), name.span().start().line);
                    }
                    colons = 0;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Group(group) => {
                    self.scan(group.stream());
                    (path, colons) = (Vec::new(), 0);
                }
                TokenTree::Literal(literal) => {
                    if let Ok(named) =
                        syn::parse_str::<LitStr>(&literal.to_string()).and_then(|text| text.parse())
                    {
                        self.visit_path(&named);
                    }
                    (path, colons) = (Vec::new(), 0);
                }
                TokenTree::Punct(_) => (path, colons) = (Vec::new(), 0),
            }
        }
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast Item) {
        if is_of_tests(attributes(item)) {
            return;
        }
        let named = name(item).filter(|_| self.inside == 0);
        self.file.declared.extend(named);
        match item {
            Item::Mod(module) => {
                self.inside += 1;
                visit::visit_item_mod(self, module);
                self.inside -= 1;
            }
            _ => visit::visit_item(self, item),
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if item.leading_colon.is_none() {
            self.read_use(&item.tree, &[], item.use_token.span.start().line);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Path = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if let Some(first) = path.segments.first().filter(|_| names.len() > 1) {
            self.note(names, first.ident.span().start().line);
        }
        visit::visit_path(self, path);
    }

    fn visit_meta_list(&mut self, list: &'ast MetaList) {
        self.scan(list.tokens.clone());
        visit::visit_meta_list(self, list);
    }

    fn visit_macro(&mut self, written: &'ast Macro) {
        self.scan(written.tokens.clone());
        visit::visit_macro(self, written);
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn name(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Mod(item) if item.content.is_some() => &item.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}
