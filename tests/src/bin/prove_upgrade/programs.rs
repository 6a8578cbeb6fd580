//! The programs of an old revision, built in a work tree of its own.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

const PROGRAMS: [&str; 2] = ["wayfare", "wayfarectl"];

/// `wayfare` and `wayfarectl` of one version, in one folder.
pub struct Programs {
    folder: PathBuf,
}

impl Programs {
    pub fn in_folder(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Those of this revision, which are built unless they were before.
    pub fn of_revision(revision: &str, release: bool) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap();
        let commit = git(&root, &["rev-parse", "--verify", &format!("{revision}^{{commit}}")]);
        let profile = if release { "release" } else { "debug" };
        let all = root.join("target/prove-upgrade");
        let folder = all.join(format!("{}-{profile}", commit.get(..12).unwrap()));
        if !PROGRAMS.iter().all(|program| folder.join(program).exists()) {
            // What one build leaves of dependencies serves the next.
            build(&root, &all.join("source"), &commit, &all.join("build"), release);
            fs::create_dir_all(&folder).unwrap();
            for program in PROGRAMS {
                fs::copy(all.join("build").join(profile).join(program), folder.join(program)).unwrap();
            }
        }
        Self { folder }
    }

    pub fn server(&self) -> PathBuf {
        self.folder.join("wayfare")
    }

    pub fn operator(&self) -> PathBuf {
        self.folder.join("wayfarectl")
    }

    /// What the server says of its version.
    pub fn version(&self) -> String {
        run(Command::new(self.server()).arg("--version"))
    }
}

fn build(root: &Path, source: &Path, commit: &str, target: &Path, release: bool) {
    let place = source.to_str().unwrap();
    // Of a run that was ended.
    if source.exists() {
        git(root, &["worktree", "remove", "--force", place]);
    }
    git(root, &["worktree", "prune"]);
    git(root, &["worktree", "add", "--quiet", "--detach", place, commit]);
    let mut cargo = Command::new("cargo");
    cargo
        .args(["build", "--quiet", "--locked", "-p", "wayfare-api", "-p", "wayfare-ctl"])
        .args(release.then_some("--release"))
        .current_dir(source)
        .env("CARGO_TARGET_DIR", target)
        // That revision names its own.
        .env_remove("RUSTUP_TOOLCHAIN");
    println!("builds {commit}");
    let built = cargo.status().unwrap();
    git(root, &["worktree", "remove", "--force", place]);
    assert!(built.success(), "{commit} can't be built: {built}");
}

fn git(root: &Path, arguments: &[&str]) -> String {
    run(Command::new("git").arg("-C").arg(root).args(arguments))
}

/// What a program that must succeed has printed.
pub fn run(program: &mut Command) -> String {
    let output = program.output().unwrap_or_else(|error| panic!("{program:?}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program:?}: {said}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}
