//! Names the commit that is built and its day: `WAYFARE_COMMIT` and `WAYFARE_COMMIT_DATE`, else what git says. Git is asked for the
//! commit in release builds alone, since whoever works on the code would wait for the programs after each commit, and it need not
//! be there. When it is built stands nowhere: the same commit gives the same program.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    let given = |name: &str| {
        println!("cargo:rerun-if-env-changed={name}");
        env::var(name).ok().filter(|text| !text.is_empty())
    };
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = given("WAYFARE_COMMIT").or_else(|| is_release.then(of_git).flatten());
    let date = given("WAYFARE_COMMIT_DATE").or_else(|| date_in_git(commit.as_deref()?));
    for (name, text) in [("WAYFARE_COMMIT", commit), ("WAYFARE_COMMIT_DATE", date)] {
        println!("cargo:rustc-env={name}={}", text.as_deref().unwrap_or("unknown"));
    }
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

/// The day on which it was committed, in UTC, so that it is the same wherever it is built.
fn date_in_git(commit: &str) -> Option<String> {
    git(&[
        "show",
        "--no-patch",
        "--format=%cd",
        "--date=format-local:%Y-%m-%d",
        &format!("{commit}^{{commit}}"),
    ])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).env("TZ", "UTC").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
}
