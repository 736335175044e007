use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::reservation::{ReservationCommand, Slug, slug_id};
use leasehold_aggregates::series::{Arc, Series, SeriesCommand};

use super::SeriesStanding;
use crate::engine::again::again;
use crate::engine::streams::{Loaded, load};
use crate::engine::{Act, Engine, Fault, mint};

impl Engine {
    /// Makes a series, its slug reserved for ever.
    pub async fn create_series(&self, act: &Act, slug: &str, arc: &Arc) -> Result<SeriesStanding, Fault> {
        let id = mint::made_by(act.command_id, "series").to_string();
        let create = || again(self, || self.try_create_series(act, &id, slug, arc));
        let told = async |done: crate::log::Appended| {
            let standing = self.series(&id).await?;
            Ok(SeriesStanding { position: done.last, ..standing })
        };
        self.once(act, create, told).await
    }

    async fn try_create_series(&self, act: &Act, id: &str, slug: &str, arc: &Arc) -> Result<SeriesStanding, Fault> {
        let taken: Loaded<Slug> = load(&self.log, &slug_id("series", slug)).await?;
        let take = taken.state.decide(ReservationCommand::Take { by: id.to_owned() }).map_err(Fault::refused)?;
        let mut series: Loaded<Series> = load(&self.log, id).await?;
        let create = SeriesCommand::Create { slug: slug.to_owned(), arc: arc.clone() };
        let created = series.state.decide(create).map_err(Fault::refused)?;

        let mut append = act.append(&self.recorded_by());
        append.writes = vec![series.write(&created)?, taken.write(&take)?];
        let appended = self.log.append(append).await?;
        let revision = series.sequence + created.len() as u64;
        for event in created {
            series.state.apply(event);
        }
        Ok(SeriesStanding { id: id.to_owned(), series: series.state, revision, definitions: 0, position: appended.last })
    }
}
