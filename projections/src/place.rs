//! Where a projection's tables lie: in a generation that is kept, or for a moment in one session.

use crate::Table;

/// The schema of all projections.
pub const SCHEMA: &str = "projections";

/// A set of a projection's tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Generation of a version, from 1. Its tables' names end in `_gN`.
    Generation(u32),
    /// Temporary tables of one session, for a comparison.
    Scratch,
}

impl Place {
    /// The table's name with its schema.
    pub fn name(self, table: &Table) -> String {
        match self {
            Self::Generation(number) => format!("{SCHEMA}.{}_g{number}", table.name),
            Self::Scratch => format!("pg_temp.{}", table.name),
        }
    }

    /// The statements that make the table here.
    pub(crate) fn ddl(self, table: &Table) -> String {
        self.rename(table, table.ddl)
    }

    /// The statements that make its further indexes here.
    pub(crate) fn indexes(self, table: &Table) -> String {
        self.rename(table, table.indexes)
    }

    fn rename(self, table: &Table, statements: &str) -> String {
        match self {
            Self::Generation(number) => statements.replace(table.name, &format!("{}_g{number}", table.name)),
            Self::Scratch => statements.replace(&table.view(), &self.name(table)),
        }
    }
}
