//! Options of the engine on the command line.

use warcab::engine::error::{Code, Failure, quote};
use warcab::engine::options::{Opt, Settings};

use super::{Trouble, usage};

/// Options of the engine, for those whose GUI cannot set them.
#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// Set an option of the engine, as in --option Hash=256; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
}

impl Options {
    /// The settings with the options in force.
    pub(super) fn apply(&self, mut settings: Settings) -> Result<Settings, Trouble> {
        for text in &self.options {
            let bad = |what: String| usage(Failure::new(Code::BadValue, what));
            let (name, value) = text
                .split_once('=')
                .ok_or_else(|| bad(format!("--option {}: expected NAME=VALUE", quote(text))))?;
            let option = Opt::find(name.trim()).ok_or_else(|| {
                let names: Vec<_> = warcab::engine::options::OPTIONS
                    .iter()
                    .map(|option| option.name)
                    .collect();
                bad(format!(
                    "--option {}: expected one of {}",
                    quote(name),
                    names.join(", ")
                ))
            })?;
            option.read(&mut settings, Some(value)).map_err(usage)?;
        }
        Ok(settings)
    }
}
