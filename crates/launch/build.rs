//! Names the commit that is built: `WAYFARE_COMMIT`, else what git says. Git is asked in release builds alone, since whoever works
//! on the code would wait for the programs after each commit, and it need not be there.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=WAYFARE_COMMIT");
    let given = env::var("WAYFARE_COMMIT").ok().filter(|commit| !commit.is_empty());
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = given.or_else(|| is_release.then(of_git).flatten());
    println!("cargo:rustc-env=WAYFARE_COMMIT={}", commit.as_deref().unwrap_or("unknown"));
}

/// The commit that is checked out, if this is a clone and git is there.
fn of_git() -> Option<String> {
    let folder = git(&["rev-parse", "--absolute-git-dir"])?;
    // Each commit and each checkout adds a line to the second.
    for name in ["HEAD", "logs/HEAD"] {
        let path = Path::new(&folder).join(name);
        if path.exists() {
            println!("cargo:rerun-if-changed={}", path.display());
        }
    }
    git(&["rev-parse", "--short=12", "HEAD"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
}
