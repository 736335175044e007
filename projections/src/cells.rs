//! Rows as `COPY` reads them in its text form, straight from what they are told of: a struct is a row, and its fields are the
//! columns in the table's own order.

use std::fmt::Write;

use serde::ser::{Error as _, Impossible, SerializeStruct};
use serde::{Serialize, Serializer};
use serde_json::Error;

/// A value that a column holds as JSON.
pub(crate) struct Json<T>(pub T);

impl<T: Serialize> Serialize for Json<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&serde_json::to_string(&self.0).map_err(S::Error::custom)?)
    }
}

/// Spells a struct as these columns, without the end of the line. Fields that are others, or in another order, are a fault.
pub(crate) fn spell(copied: &mut String, columns: &'static [&'static str], row: &impl Serialize) -> Result<(), Error> {
    row.serialize(Spelling { copied, columns: Some(columns) })
}

/// A row where there are columns, and else a cell.
struct Spelling<'a> {
    copied: &'a mut String,
    columns: Option<&'static [&'static str]>,
}

/// The fields of a row, in turn.
struct Fields<'a> {
    copied: &'a mut String,
    columns: &'static [&'static str],
    nth: usize,
}

impl SerializeStruct for Fields<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        if self.columns.get(self.nth) != Some(&name) {
            return Err(Error::custom(format_args!(
                "the row tells {name} in place {}, and the table has it elsewhere",
                self.nth
            )));
        }
        if self.nth > 0 {
            self.copied.push('\t');
        }
        self.nth += 1;
        value.serialize(Spelling { copied: self.copied, columns: None })
    }

    fn end(self) -> Result<(), Error> {
        match self.columns.get(self.nth) {
            None => Ok(()),
            Some(column) => Err(Error::custom(format_args!("the row does not tell {column}"))),
        }
    }
}

/// What no column holds as it is; [`Json`] spells it.
fn no_cell(what: &str) -> Error {
    Error::custom(format_args!("{what} is no cell"))
}

macro_rules! written {
    ($($name:ident: $kind:ty),+) => {
        $(fn $name(self, value: $kind) -> Result<(), Error> {
            // Writing to a string does not fail.
            let _ = write!(self.copied, "{value}");
            Ok(())
        })+
    };
}

impl<'a> Serializer for Spelling<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Impossible<(), Error>;
    type SerializeTuple = Impossible<(), Error>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Impossible<(), Error>;
    type SerializeStruct = Fields<'a>;
    type SerializeStructVariant = Impossible<(), Error>;

    written!(serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64);
    written!(serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64);

    fn serialize_f32(self, _: f32) -> Result<(), Error> {
        Err(no_cell("a number that is not whole"))
    }

    fn serialize_f64(self, _: f64) -> Result<(), Error> {
        Err(no_cell("a number that is not whole"))
    }

    fn serialize_char(self, value: char) -> Result<(), Error> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, text: &str) -> Result<(), Error> {
        escape(self.copied, text);
        Ok(())
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<(), Error> {
        Err(no_cell("a heap of bytes"))
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.copied.push_str("\\N");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Error> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(self, _: &str, _: u32, variant: &str, _: &T) -> Result<(), Error> {
        Err(no_cell(variant))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, Error> {
        Err(no_cell("a list"))
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Error> {
        Err(no_cell("a tuple"))
    }

    fn serialize_tuple_struct(self, name: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Error> {
        Err(no_cell(name))
    }

    fn serialize_tuple_variant(self, _: &str, _: u32, variant: &str, _: usize) -> Result<Self::SerializeTupleVariant, Error> {
        Err(no_cell(variant))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Error> {
        Err(no_cell("a map"))
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Fields<'a>, Error> {
        match self.columns {
            Some(columns) => Ok(Fields { copied: self.copied, columns, nth: 0 }),
            None => Err(no_cell(name)),
        }
    }

    fn serialize_struct_variant(self, _: &str, _: u32, variant: &str, _: usize) -> Result<Self::SerializeStructVariant, Error> {
        Err(no_cell(variant))
    }
}

/// As the text form of `COPY` wants it: the four characters that mean something there get a backslash.
fn escape(copied: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| matches!(byte, b'\\' | b'\t' | b'\n' | b'\r')) {
        copied.push_str(&rest[..at]);
        copied.push_str(match rest.as_bytes()[at] {
            b'\t' => "\\t",
            b'\n' => "\\n",
            b'\r' => "\\r",
            _ => "\\\\",
        });
        rest = &rest[at + 1..];
    }
    copied.push_str(rest);
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const COLUMNS: &[&str] = &["id", "there", "held"];

    #[derive(Serialize)]
    struct Row<I, T, H> {
        id: I,
        there: T,
        held: H,
    }

    fn spelled(row: &impl Serialize) -> Result<String, String> {
        let mut copied = String::new();
        spell(&mut copied, COLUMNS, row).map_err(|error| error.to_string())?;
        Ok(copied)
    }

    #[test]
    fn cells_are_spelled_as_copy_reads_them() {
        let row = Row { id: "a\tb\nc\rd\\e ü", there: true, held: None::<u64> };
        assert_eq!(spelled(&row).unwrap(), "a\\tb\\nc\\rd\\\\e ü\ttrue\t\\N");
        let row = Row { id: "\\N", there: -12_i64, held: Some(Json(json!({"a": "x\ny"}))) };
        assert_eq!(spelled(&row).unwrap(), "\\\\N\t-12\t{\"a\":\"x\\\\ny\"}");
        let row = Row { id: Value::Null, there: json!("word"), held: chrono::DateTime::UNIX_EPOCH };
        assert_eq!(spelled(&row).unwrap(), "\\N\tword\t1970-01-01T00:00:00Z");
    }

    #[test]
    fn a_row_that_is_not_the_tables_is_told() {
        #[derive(Serialize)]
        struct Short {
            id: u8,
        }
        #[derive(Serialize)]
        struct Turned {
            there: u8,
            id: u8,
        }
        assert!(spelled(&Short { id: 1 }).unwrap_err().contains("does not tell there"));
        assert!(spelled(&Turned { there: 1, id: 1 }).unwrap_err().contains("there in place 0"));
        for (wrong, what) in [(json!([1]), "a list"), (json!({}), "a map"), (json!(0.5), "not whole")] {
            let refused = spelled(&Row { id: wrong, there: 1, held: 1 }).unwrap_err();
            assert!(refused.contains(what), "{refused}");
        }
    }
}
