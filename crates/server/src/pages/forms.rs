//! Forms as browsers send them: pairs in order, and files.

use std::collections::BTreeMap;

use assize_engine::compliance::evaluate::NamedFile;
use axum::extract::{Form, Multipart, Query};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Redirect, Response};

use crate::error::{AppError, Result};

/// The pairs of a form, in order: names may repeat.
pub(super) type Pairs = Form<Vec<(String, String)>>;
/// The pairs of a query, in order: names may repeat.
pub(super) type QueryPairs = Query<Vec<(String, String)>>;

/// The value of a name; empty if there is none.
pub(super) fn value<'a>(pairs: &'a [(String, String)], name: &str) -> &'a str {
    pairs.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value.as_str())
}

/// All values of a name.
pub(super) fn values(pairs: &[(String, String)], name: &str) -> Vec<String> {
    let own = pairs.iter().filter(|(known, _)| known == name);
    own.map(|(_, value)| value.clone()).collect()
}

/// What somebody wrote section by section, in fields named `section.ID`.
pub(super) fn sections(form: &[(String, String)]) -> BTreeMap<String, String> {
    let section = |(field, text): &(String, String)| {
        Some((field.strip_prefix("section.")?.to_owned(), text.replace("\r\n", "\n")))
    };
    form.iter().filter_map(section).collect()
}

/// A number that may be left out; what is none is refused with its words.
pub(super) fn number(text: &str, what: &str) -> Result<Option<f64>> {
    match text.trim() {
        "" => Ok(None),
        text => match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Some(number)),
            _ => Err(AppError::bad_input(format!("{what}: `{text}` is not a number"))),
        },
    }
}

/// Goes on to a page, which tells a word.
pub(super) fn go(address: &str, told: &str) -> Redirect {
    Redirect::to(&format!("{address}?told={told}"))
}

/// A table as a file to keep.
pub(super) fn table(name: &str, bytes: Vec<u8>) -> Response {
    let attachment = format!("attachment; filename=\"{name}\"");
    let headers =
        [(CONTENT_TYPE, "text/csv; charset=utf-8"), (CONTENT_DISPOSITION, attachment.as_str())];
    (headers, bytes).into_response()
}

/// What came of a form with files.
#[derive(Debug, Default)]
pub(super) struct Upload {
    /// Plain fields.
    pub(super) fields: Vec<(String, String)>,
    /// Files with the name of their field; empty ones are left out.
    files: Vec<(String, NamedFile)>,
}

impl Upload {
    /// Reads all of it; the body's limit holds.
    pub(super) async fn read(mut form: Multipart) -> Result<Self> {
        let mut upload = Self::default();
        let refused = |error: axum::extract::multipart::MultipartError| {
            AppError::new(error.status(), "invalid_input", error.body_text())
        };
        while let Some(field) = form.next_field().await.map_err(refused)? {
            let name = field.name().unwrap_or_default().to_owned();
            match field.file_name().map(ToOwned::to_owned) {
                Some(file) => {
                    let bytes = field.bytes().await.map_err(refused)?.into();
                    // A browser sends an empty part for a field without a file.
                    if !file.is_empty() {
                        // Only the last part: a path would say where the file lay.
                        let file = file.rsplit(['/', '\\']).next().unwrap_or("file").to_owned();
                        upload.files.push((name, NamedFile { name: file, bytes }));
                    }
                }
                None => upload.fields.push((name, field.text().await.map_err(refused)?)),
            }
        }
        Ok(upload)
    }

    /// The files of a field.
    pub(super) fn files(&mut self, name: &str) -> Vec<NamedFile> {
        let (own, others) =
            std::mem::take(&mut self.files).into_iter().partition(|(field, _)| field == name);
        self.files = others;
        let own: Vec<(String, NamedFile)> = own;
        own.into_iter().map(|(_, file)| file).collect()
    }

    /// The one file of a field.
    pub(super) fn file(&mut self, name: &str) -> Option<NamedFile> {
        self.files(name).into_iter().next()
    }

    /// The one file of a field, which stays.
    pub(super) fn peek(&self, name: &str) -> Option<&NamedFile> {
        self.files.iter().find(|(field, _)| field == name).map(|(_, file)| file)
    }
}
