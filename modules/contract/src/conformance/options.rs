//! The choices that a form shows.

use std::collections::BTreeSet;

use super::Obligation::OffersChoices;
use super::asking::Trial;
use crate::{Choice, OptionSource, Options, OptionsAnswer};

pub async fn check(trial: &mut Trial<'_>, source: &OptionSource) {
    let before = trial.world().await;
    let all = match ask(trial, source, None).await {
        OptionsAnswer::Choices(choices) => choices,
        OptionsAnswer::Failed(failure) => {
            return trial.owes(OffersChoices, &source.id, false, || format!("its game is there, and it fails: {failure:?}"));
        }
    };
    let values: BTreeSet<&str> = all.iter().map(|choice| choice.value.as_str()).collect();
    let distinct = values.len() == all.len() && !all.is_empty();
    trial.owes(OffersChoices, &source.id, distinct, || "it offers nothing, or one value twice".into());
    let said = all.iter().all(|choice| !choice.label.trim().is_empty());
    trial.owes(OffersChoices, &source.id, said, || "a choice has no label".into());
    if let Some(first) = all.first() {
        let OptionsAnswer::Choices(found) = ask(trial, source, Some(first.label.to_uppercase())).await else { return };
        let kept = found.contains(first) && found.iter().all(|choice: &Choice| all.contains(choice));
        trial.owes(OffersChoices, &source.id, kept, || format!("a search for {:?} does not find it", first.label));
        let none = ask(trial, source, Some("no such thing, ever".into())).await;
        let empty = none == OptionsAnswer::Choices(Vec::new());
        trial.owes(OffersChoices, &source.id, empty, || "a search for nothing finds something".into());
    }
    trial.owes_same(OffersChoices, &source.id, &before, || "asking for choices changes the world".into()).await;
}

async fn ask(trial: &Trial<'_>, source: &OptionSource, q: Option<String>) -> OptionsAnswer {
    let request = Options { source: source.id.clone(), scope: Some(trial.bench.scope().to_owned()), q };
    trial.bench.module().options(request).await
}
