//! A row of a table as a type: its fields are its columns, read and written by their names.

use chrono::{DateTime, Utc};
use serde_json::Value as Json;

use crate::database::Row;
use crate::error::Result;
use crate::value::Value;

/// A type whose fields are the columns of a table.
pub(crate) trait Record: Sized {
    /// The columns, in the order of the fields.
    const COLUMNS: &'static [&'static str];

    fn read(row: &Row) -> Result<Self>;

    /// The values of the columns.
    fn values(&self) -> Vec<Value<'_>>;
}

/// What a column can hold.
pub(crate) trait Column: Sized {
    fn read(row: &Row, column: &str) -> Result<Self>;

    fn value(&self) -> Value<'_>;
}

/// Declares a type and makes it a [`Record`].
macro_rules! record {
    ($(#[$meta:meta])* pub struct $name:ident { $($(#[$about:meta])* pub $field:ident: $type:ty,)+ }) => {
        $(#[$meta])*
        pub struct $name {
            $($(#[$about])* pub $field: $type,)+
        }

        impl $crate::record::Record for $name {
            const COLUMNS: &'static [&'static str] = &[$(stringify!($field)),+];

            fn read(row: &$crate::database::Row) -> Result<Self, $crate::error::StoreError> {
                Ok(Self { $($field: $crate::record::Column::read(row, stringify!($field))?,)+ })
            }

            fn values(&self) -> Vec<$crate::value::Value<'_>> {
                vec![$($crate::record::Column::value(&self.$field)),+]
            }
        }
    };
}
pub(crate) use record;

/// Declares what a store offers about one thing, reached by a function of that name.
macro_rules! handle {
    ($name:ident, $function:ident, $about:literal) => {
        #[doc = $about]
        #[derive(Debug, Clone, Copy)]
        pub struct $name<'a>(pub(crate) &'a $crate::store::Store);

        impl $crate::store::Store {
            #[doc = $about]
            pub fn $function(&self) -> $name<'_> {
                $name(self)
            }
        }
    };
}
pub(crate) use handle;

/// What every handle offers whose records belong to an organisation: one by its id, and all.
macro_rules! owned {
    ($handle:ident, $record:ident, $id:ident, $table:literal, $order:literal) => {
        impl $handle<'_> {
            /// The one with this id.
            #[async_recursion::async_recursion]
            pub async fn get(
                &self,
                organisation: &OrganisationId,
                id: &$id,
            ) -> $crate::error::Result<Option<$record>> {
                let sql =
                    concat!("SELECT * FROM ", $table, " WHERE id = $1 AND organisation_id = $2");
                self.0.database.find(sql, &values![id, organisation]).await
            }

            /// All of an organisation.
            #[async_recursion::async_recursion]
            pub async fn list(
                &self,
                organisation: &OrganisationId,
            ) -> $crate::error::Result<Vec<$record>> {
                let sql = concat!(
                    "SELECT * FROM ",
                    $table,
                    " WHERE organisation_id = $1 ORDER BY ",
                    $order
                );
                self.0.database.list(sql, &values![organisation]).await
            }
        }
    };
}
pub(crate) use owned;

/// The same of sets, which have names: one by its name, and removing one.
macro_rules! named {
    ($handle:ident, $record:ident, $id:ident, $table:literal, $what:literal) => {
        $crate::record::owned!($handle, $record, $id, $table, "name, id");

        impl $handle<'_> {
            /// The one with this name; the oldest if there are several.
            #[async_recursion::async_recursion]
            pub async fn find(
                &self,
                organisation: &OrganisationId,
                name: &str,
            ) -> $crate::error::Result<Option<$record>> {
                let sql = concat!(
                    "SELECT * FROM ",
                    $table,
                    " WHERE name = $1 AND organisation_id = $2 \
                     ORDER BY created_at, id LIMIT 1"
                );
                self.0.database.find(sql, &values![name, organisation]).await
            }

            /// Removes one with what is in it; refused when a run used it.
            #[async_recursion::async_recursion]
            pub async fn delete(
                &self,
                organisation: &OrganisationId,
                id: &$id,
            ) -> $crate::error::Result<()> {
                let sql =
                    concat!("DELETE FROM ", $table, " WHERE id = $1 AND organisation_id = $2");
                self.0.database.change(sql, &values![id, organisation], ($what, id)).await
            }
        }
    };
}
pub(crate) use named;

/// Makes types that a database knows columns, given how a value is made of them.
macro_rules! columns {
    ($($type:ty => |$own:ident| $value:expr;)+) => {$(
        impl Column for $type {
            fn read(row: &Row, column: &str) -> Result<Self> {
                row.get(column)
            }

            fn value(&self) -> Value<'_> {
                let $own = self;
                Value::from($value)
            }
        }
    )+};
}

columns! {
    String => |text| text.as_str();
    Option<String> => |text| text.as_deref();
    i64 => |number| *number;
    Option<i64> => |number| *number;
    f64 => |number| *number;
    Option<f64> => |number| *number;
    bool => |is_so| *is_so;
    DateTime<Utc> => |time| *time;
    Option<DateTime<Utc>> => |time| *time;
}

impl Column for Option<Json> {
    fn read(row: &Row, column: &str) -> Result<Self> {
        row.json(column)
    }

    fn value(&self) -> Value<'_> {
        Value::from(self)
    }
}
