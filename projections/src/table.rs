//! A table of a projection.

use crate::place::SCHEMA;

/// One table of a projection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Table {
    /// With its version: `runs_v1`. The view of this name shows the generation that serves; the tables behind it have the
    /// number of their generation at the end.
    pub name: &'static str,
    /// The columns of its primary key.
    pub key: &'static [&'static str],
    /// Every column.
    pub columns: &'static [&'static str],
    /// The statements that make it, with its primary key and comments, under the name of the view.
    pub ddl: &'static str,
    /// The statements that make its other indexes, which are made when it is filled.
    pub indexes: &'static str,
}

impl Table {
    /// What reads name.
    pub fn view(&self) -> String {
        format!("{SCHEMA}.{}", self.name)
    }
}
