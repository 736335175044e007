//! How an operation is described: what is particular to it. What holds everywhere is added in one place.

/// One route, for whoever wants to call it.
#[derive(Debug, Clone, Copy)]
pub struct Operation {
    pub method: &'static str,
    pub path: &'static str,
    pub summary: &'static str,
    /// Names of query parameters; see [`super::parameters`].
    pub query: &'static [&'static str],
    pub body: Option<Body>,
    pub answers: &'static [(u16, Shape)],
    /// Status and code of refusals that are its own.
    pub problems: &'static [(u16, &'static str)],
    /// It edits a revision, which `If-Match` names.
    pub revised: bool,
}

/// What is sent: the name of a schema, and whether it may be left out.
#[derive(Debug, Clone, Copy)]
pub struct Body {
    pub schema: &'static str,
    pub required: bool,
}

/// What is answered.
#[derive(Debug, Clone, Copy)]
pub enum Shape {
    /// An object of this schema; empty: some object.
    Json(&'static str),
    /// A page of such objects.
    Page(&'static str),
    /// Text of this media type.
    Text(&'static str),
    /// Nothing.
    Empty,
}

const SOME: &[(u16, Shape)] = &[(200, Shape::Json(""))];

const fn of(method: &'static str, path: &'static str, summary: &'static str) -> Operation {
    Operation { method, path, summary, query: &[], body: None, answers: SOME, problems: &[], revised: false }
}

pub const fn get(path: &'static str, summary: &'static str) -> Operation {
    of("GET", path, summary)
}

pub const fn post(path: &'static str, summary: &'static str) -> Operation {
    of("POST", path, summary)
}

pub const fn put(path: &'static str, summary: &'static str) -> Operation {
    of("PUT", path, summary)
}

pub const fn delete(path: &'static str, summary: &'static str) -> Operation {
    of("DELETE", path, summary)
}

impl Operation {
    pub const fn query(self, query: &'static [&'static str]) -> Self {
        Self { query, ..self }
    }

    pub const fn body(self, schema: &'static str) -> Self {
        Self { body: Some(Body { schema, required: true }), ..self }
    }

    pub const fn body_if_any(self, schema: &'static str) -> Self {
        Self { body: Some(Body { schema, required: false }), ..self }
    }

    pub const fn answers(self, answers: &'static [(u16, Shape)]) -> Self {
        Self { answers, ..self }
    }

    pub const fn refuses(self, problems: &'static [(u16, &'static str)]) -> Self {
        Self { problems, ..self }
    }

    pub const fn revised(self) -> Self {
        Self { revised: true, ..self }
    }
}
