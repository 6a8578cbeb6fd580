//! A crate's integration tests are one program, which names all its files: each further one would link everything again.

use std::fs;

use crate::{fail_if_any, metadata};

/// The crates whose tests want a program for each of their few files, since they link next to nothing.
const SMALL: &[&str] = &["wayfare-ledger", "wayfare-pricing"];

#[test]
fn the_tests_of_a_crate_are_one_program() {
    let metadata = metadata();
    let many = metadata.workspace_packages().into_iter().filter_map(|package| {
        let programs = package.targets.iter().filter(|target| target.is_test()).count();
        // The package of the tests has one for each subject.
        let may_be_many = package.name.as_str() == "wayfare-tests" || SMALL.contains(&package.name.as_str());
        (programs > 1 && !may_be_many).then(|| format!("{} has {programs}", package.name))
    });
    fail_if_any(&many.collect::<Vec<String>>());
}

/// With `autotests = false` a file that nobody names would never run.
#[test]
fn no_file_of_tests_is_forgotten() {
    let mut forgotten = Vec::new();
    for package in metadata().workspace_packages() {
        for target in package.targets.iter().filter(|target| target.is_test()) {
            let main = target.src_path.as_std_path();
            if !main.ends_with("main.rs") {
                continue;
            }
            let text = fs::read_to_string(main).unwrap();
            for entry in fs::read_dir(main.parent().unwrap()).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
                let is_module =
                    path.extension().is_some_and(|end| end == "rs") || path.join("mod.rs").exists();
                if is_module && name != "main" && !text.contains(&format!("mod {name};")) {
                    forgotten.push(format!("{} is not named in {}", path.display(), main.display()));
                }
            }
        }
    }
    fail_if_any(&forgotten);
}
