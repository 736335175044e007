//! The choices of a manifest's option sources, asked of the game.

use leasehold_link::wire::{ChoiceTold, Kind, OptionsAsked, OptionsTold};
use leasehold_module::{Choice, Failure, Manifest, Options};
use leasehold_sidecar::{Ways, nonsense};

/// Most choices that are passed on.
const MOST: usize = 1_000;
/// Most characters of a value, a label or a heading.
const LONGEST: usize = 200;

/// A source that is not searchable is asked for everything, and searched here.
pub async fn list(manifest: &Manifest, ways: &Ways, request: &Options) -> Result<Vec<Choice>, Failure> {
    let source = manifest.option_sources.iter().find(|source| source.id == request.source);
    let none = || Failure::refused("no_such_source", format!("there is no option source {}", request.source));
    let source = source.ok_or_else(none)?;
    let scope = request.scope.as_deref().or_else(|| ways.scopes().next());
    let nowhere = || Failure::refused("no_link", "no game that offers it is linked");
    let sidecar = ways.to(scope.ok_or_else(nowhere)?)?;
    let body = OptionsAsked { source: source.id.clone(), q: request.q.clone().filter(|_| source.searchable) };
    let reply = sidecar.command(Kind::OptionsList, &body, None).await?;
    let told: OptionsTold = reply.fields().map_err(|error| nonsense(Kind::OptionsList, &format!("no choices: {error}")))?;
    let choices = told.choices.into_iter().filter(is_fit).map(choice);
    let kept: Box<dyn Iterator<Item = Choice> + Send> =
        if source.searchable { Box::new(choices) } else { Box::new(choices.filter(|choice| request.keeps(choice))) };
    Ok(kept.take(MOST).collect())
}

fn is_fit(told: &ChoiceTold) -> bool {
    let fits = |text: &str| (1..=LONGEST).contains(&text.chars().count()) && !text.contains(char::is_control);
    fits(&told.value) && fits(&told.label) && told.group.as_deref().is_none_or(fits)
}

fn choice(told: ChoiceTold) -> Choice {
    Choice { value: told.value, label: told.label, group: told.group }
}
