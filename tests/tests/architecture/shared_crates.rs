//! The two programs are built of the same crates with the same features: whoever builds the second compiles nothing again.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    process::Command,
};

use crate::{fail_if_any, root};

/// The crates that this package is built of, each with the features that it is built with; one that is
/// built for build scripts, too, has several.
fn crates(package: &str) -> BTreeMap<String, BTreeSet<String>> {
    let tree = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()))
        .args(["tree", "--offline", "--package", package, "--edges", "normal,build"])
        .args(["--prefix", "none", "--no-dedupe", "--format", "{p}|{f}"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let lines = String::from_utf8(tree.stdout).unwrap();
    let mut crates: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, features) in lines.lines().filter_map(|line| line.split_once('|')) {
        crates.entry(name.to_owned()).or_default().insert(features.to_owned());
    }
    crates
}

#[test]
fn what_both_programs_are_built_of_is_built_once() {
    let server = crates("wayfare-api");
    let twice: Vec<String> = crates("wayfare-ctl")
        .into_iter()
        .filter_map(|(name, features)| {
            let of_server = server.get(&name)?;
            // What one of them has more may be the features for macros and build scripts.
            (features != *of_server).then(|| {
                format!("{name} has {features:?} in wayfarectl and {of_server:?} in the server: name it in bins/ctl/Cargo.toml")
            })
        })
        .collect();
    fail_if_any(&twice);
}
