//! What an aggregate is here: a pure decision and a fold.

use crate::event::StoredEvent;

/// An aggregate: `decide` says which events a command makes, `apply` folds them.
pub trait Decide: Default {
    /// The first half of a stream's name, e.g. `run`.
    const TYPE: &'static str;
    type Command;
    type Event: StoredEvent;
    type Refusal: Refusal;

    /// Which events the command makes. Synchronous and pure; an empty list is an honest no-op.
    fn decide(&self, command: Self::Command) -> Result<Vec<Self::Event>, Self::Refusal>;

    /// Folds one event. Has no rules and cannot fail.
    fn apply(&mut self, event: Self::Event);

    /// Folds a whole stream.
    fn fold(events: impl IntoIterator<Item = Self::Event>) -> Self {
        let mut state = Self::default();
        for event in events {
            state.apply(event);
        }
        state
    }
}

/// A "no" with a reason. Its `Display` says what was attempted, why not and what now, with the numbers.
pub trait Refusal: std::error::Error + Send + Sync + 'static {
    /// Stable, `snake_case`; the `code` of the problem document.
    fn code(&self) -> &'static str;
    fn kind(&self) -> RefusalKind;
    /// Where in the posted body, as a JSON pointer, if the refusal is about one place.
    fn pointer(&self) -> Option<String> {
        None
    }
}

/// What sort of no it is; the API chooses the status from it in one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefusalKind {
    /// There is no such thing.
    Missing,
    /// The state does not allow it now.
    Conflict,
    /// The caller's copy is stale.
    Stale,
    /// What was asked can never be done as asked.
    Invalid,
    /// This role may not.
    Forbidden,
}

/// Implements cqrs-es' `Aggregate` by the type's own [`Decide`], so that the library's store and test framework take it.
#[macro_export]
macro_rules! cqrs_aggregate {
    ($aggregate:ty) => {
        impl cqrs_es::Aggregate for $aggregate {
            const TYPE: &'static str = <Self as $crate::decide::Decide>::TYPE;
            type Command = <Self as $crate::decide::Decide>::Command;
            type Event = <Self as $crate::decide::Decide>::Event;
            type Error = <Self as $crate::decide::Decide>::Refusal;
            type Services = ();

            async fn handle(
                &mut self,
                command: Self::Command,
                _services: &(),
                sink: &cqrs_es::event_sink::EventSink<Self>,
            ) -> Result<(), Self::Error> {
                for event in <Self as $crate::decide::Decide>::decide(self, command)? {
                    sink.write(event, self).await;
                }
                Ok(())
            }

            fn apply(&mut self, event: Self::Event) {
                <Self as $crate::decide::Decide>::apply(self, event);
            }
        }
    };
}
