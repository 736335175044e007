//! A projection of the tests' own: one row an event of a run, in any version, and of any education.

use leasehold_projections::{EventFault, Folded, Folding, LoggedEvent, Memory, Place, Projection, ProjectionFault, Rows, Table};
use serde::Serialize;
use sqlx::PgConnection;

/// One version of it.
pub struct Counted {
    version: u32,
    tables: &'static [Table],
    /// An event type that this program does not know.
    ignorant_of: Option<&'static str>,
}

impl Counted {
    pub fn version(version: u32) -> Self {
        let name: &'static str = format!("counted_v{version}").leak();
        let ddl = format!(
            "create table projections.{name} (id text not null, position bigint not null,
             constraint {name}_pkey primary key (position))"
        );
        let indexes = format!("create index {name}_by_id on projections.{name} (id)").leak();
        let table = Table { name, key: &["position"], columns: &["id", "position"], ddl: ddl.leak(), indexes };
        Self { version, tables: vec![table].leak(), ignorant_of: None }
    }

    pub fn ignorant_of(self, event_type: &'static str) -> Self {
        Self { ignorant_of: Some(event_type), ..self }
    }
}

impl Projection for Counted {
    fn name(&self) -> &'static str {
        "counted"
    }

    fn version(&self) -> u32 {
        self.version
    }

    fn tables(&self) -> &'static [Table] {
        self.tables
    }

    fn streams(&self) -> &'static [&'static str] {
        &["run"]
    }

    fn folder(&self, _: Memory) -> Box<dyn Folding> {
        Box::new(Counting { table: self.tables[0], ignorant_of: self.ignorant_of, rows: Rows::default() })
    }
}

#[derive(Serialize)]
struct Row<'a> {
    id: &'a str,
    position: u64,
}

struct Counting {
    table: Table,
    ignorant_of: Option<&'static str>,
    rows: Rows,
}

impl Folding for Counting {
    fn fold<'a>(&'a mut self, _: &'a mut PgConnection, _: Place, events: &'a [&'a LoggedEvent]) -> Folded<'a> {
        Box::pin(async move {
            for event in events {
                let position = event.position;
                if self.ignorant_of == Some(event.event_type.as_str()) {
                    return Err(ProjectionFault::Event { position, source: EventFault::NeverBegun("what this program knows") });
                }
                let row = Row { id: &event.aggregate_id, position };
                self.rows.put(&self.table, &row).map_err(|source| ProjectionFault::Event { position, source })?;
            }
            Ok(())
        })
    }

    fn rows(&mut self) -> Result<Rows, ProjectionFault> {
        Ok(std::mem::take(&mut self.rows))
    }
}
