//! Which programs a benchmark measures, and where it puts their data.

use std::{
    env,
    path::{Path, PathBuf},
};

use clap::Args;

use crate::{Installation, Result};

/// The options of every benchmark.
#[derive(Args, Debug)]
pub struct Place {
    /// The folder of `wayfare` and `wayfarectl`; that of this program unless given
    #[arg(long)]
    programs: Option<PathBuf>,
    /// A folder on a disk, for the data
    #[arg(long, default_value_os_t = env::temp_dir())]
    place: PathBuf,
}

impl Place {
    /// Measures an installation of its own, which is stopped and removed whatever comes of it.
    pub async fn measure(&self, work: impl AsyncFnOnce(&Installation) -> Result<()>) -> Result<()> {
        self.measure_with("", work).await
    }

    /// The same with these settings, as a settings file has them.
    pub async fn measure_with(
        &self,
        settings: &str,
        work: impl AsyncFnOnce(&Installation) -> Result<()>,
    ) -> Result<()> {
        let beside = env::current_exe()?.parent().map(PathBuf::from);
        let programs = self.programs.clone().or(beside).ok_or("no folder of programs")?;
        self.measure_programs(&programs, settings, work).await
    }

    /// The same of the programs in this folder: another build's.
    pub async fn measure_programs(
        &self,
        programs: &Path,
        settings: &str,
        work: impl AsyncFnOnce(&Installation) -> Result<()>,
    ) -> Result<()> {
        let installation = Installation::start(programs, &self.place, settings).await?;
        let measured = work(&installation).await;
        measured.and(installation.stop().await)
    }
}
