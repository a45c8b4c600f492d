//! `assize documents …`: sets of documents, with their texts and originals.

mod args;
mod edit;

use std::fmt::Write;

use anyhow::Result;
use assize_engine::ErrorKind;
use assize_engine::Workspace;
use assize_engine::compliance::documents::{Added, Offsets, ReadDocument};
use assize_engine::compliance::evaluate::NamedFile;
use assize_engine::store::{Document, DocumentEntry};
use assize_wire::text::pretty;

pub(crate) use args::Arguments;
use args::{Add, List, Show};

use super::criteria::Format;
use super::evaluate::intake;
use super::evaluate::session::{with_reader, with_workspace};
use crate::exit::{self, Done};
use crate::output::table::{columns, table};
use crate::output::{files, terminal};

/// Runs the one that was asked for.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    match arguments {
        Arguments::Add(arguments) => add(arguments),
        Arguments::List(arguments) => list(arguments),
        Arguments::Show(arguments) => show(arguments),
        Arguments::Rename(arguments) => edit::rename(arguments),
        Arguments::Archive(arguments) => edit::archive(arguments),
        Arguments::Delete(arguments) => edit::delete(arguments),
    }
}

/// A file that is refused leaves nothing behind, not even a set.
async fn add_one(workspace: &Workspace, set: &str, name: &str, bytes: Vec<u8>) -> Result<Added> {
    let read = ReadDocument::new(name, bytes)?;
    let set = workspace.make_document_set(set).await?;
    Ok(workspace.add_document(&set, &read).await?)
}

fn add(arguments: &Add) -> Result<Done> {
    with_workspace(&arguments.database, async |workspace, _| {
        let mut refused = 0;
        let mut all = Vec::new();
        for path in &arguments.files {
            match intake::documents(std::slice::from_ref(path)) {
                Ok(files) => all.extend(files),
                Err(error) => {
                    refused += 1;
                    exit::tell(&error);
                }
            }
        }
        let count = all.len() + refused;
        for NamedFile { name, bytes } in all {
            let added = add_one(&workspace, &arguments.set, &name, bytes).await;
            match added {
                Ok(added) => {
                    let name = terminal::one_line(&added.entry.name, 60);
                    files::print(&match (added.was_there, added.entry.version) {
                        (true, _) => format!("unchanged  {name}\n"),
                        (false, 1) => format!("added  {name}\n"),
                        (false, version) => format!("added  version {version} of {name}\n"),
                    })?;
                    for notice in added.notices {
                        terminal::notice(&format!("{name}: {notice}"));
                    }
                }
                Err(error) => {
                    refused += 1;
                    let kind = exit::tell(&error);
                    // Every other file would meet the same.
                    if kind == ErrorKind::Store {
                        return Ok(Done::Ended(kind));
                    }
                }
            }
        }
        anyhow::ensure!(refused == 0, "{refused} of {count} files could not be added");
        Ok(Done::Fine)
    })
}

fn list(arguments: &List) -> Result<Done> {
    with_reader(&arguments.shown.database, async |workspace| {
        let text = match &arguments.set {
            Some(name) => {
                let set = workspace.document_set(name).await?;
                let documents = if arguments.all {
                    workspace.store.documents().list(&workspace.organisation, &set.id).await?
                } else {
                    workspace.current_documents(&set).await?
                };
                entries(&documents, arguments.shown.format)
            }
            None => sets(&workspace, arguments).await?,
        };
        files::report(&text)
    })
}

fn entries(documents: &[DocumentEntry], format: Format) -> String {
    if format == Format::Json {
        return pretty(&documents);
    }
    let rows = documents.iter().map(|entry| {
        vec![
            terminal::one_line(&entry.name, 30),
            kind(&entry.media_type).to_owned(),
            entry.byte_count.map_or("–".to_owned(), |count| count.to_string()),
            entry.version.to_string(),
            entry.created_at.format("%Y-%m-%d %H:%M").to_string(),
        ]
    });
    let headings = columns("document | kind | #bytes | #version | added (UTC)");
    table(&headings, rows.collect())
}

async fn sets(workspace: &Workspace, arguments: &List) -> Result<String> {
    let all = if arguments.all {
        workspace.all_document_set_entries().await?
    } else {
        workspace.document_set_entries().await?
    };
    if arguments.shown.format == Format::Json {
        return Ok(pretty(&all));
    }
    let rows = all.iter().map(|set| {
        let made = set.created_at.format("%Y-%m-%d %H:%M").to_string();
        vec![terminal::one_line(&set.name, 40), set.documents.to_string(), made]
    });
    let headings = columns("document set | #documents | created (UTC)");
    Ok(table(&headings, rows.collect()))
}

fn show(arguments: &Show) -> Result<Done> {
    with_reader(&arguments.shown.database, async |workspace| {
        let set = workspace.document_set(&arguments.set).await?;
        let document = workspace.document(&set, &arguments.document).await?;
        if let Some(path) = &arguments.original {
            files::check(Some(path), &[])?;
            let id = &document.entry.id;
            let bytes = workspace.store.documents().original(&workspace.organisation, id).await?;
            let bytes = bytes.ok_or_else(|| anyhow::anyhow!("the original file was not stored"))?;
            files::write(path, &bytes)?;
        }
        arguments.shown.format.print(&document, |_| described(&document, arguments.text))
    })
}

fn described(document: &Document, with_text: bool) -> String {
    let Document { entry, content_text, .. } = document;
    let offsets = Offsets::of(document);
    let mut text = format!("document    {}\n", terminal::one_line(&entry.name, 60));
    let _ = writeln!(text, "kind        {}", kind(&entry.media_type));
    let _ = writeln!(text, "hash        {}", entry.content_hash.as_deref().unwrap_or("none"));
    let characters = content_text.chars().count();
    let _ = writeln!(
        text,
        "text        {characters} characters, {} paragraphs",
        offsets.paragraphs.len()
    );
    if !offsets.pages.is_empty() {
        let _ = writeln!(text, "pages       {}", offsets.pages.len());
    }
    for notice in &offsets.notices {
        let _ = writeln!(text, "note        {notice}");
    }
    if !with_text {
        return text;
    }
    if offsets.pages.is_empty() {
        let _ = writeln!(text, "\n{}", plain(content_text));
    }
    for page in &offsets.pages {
        let words: String =
            content_text.chars().skip(page.span.start).take(page.span.len()).collect();
        let _ = writeln!(text, "\n── page {} ──\n{}", page.number, plain(&words));
    }
    text
}

/// A stranger's text, without anything that a terminal would obey.
fn plain(text: &str) -> String {
    text.replace(|letter: char| letter.is_control() && letter != '\n' && letter != '\t', " ")
}

/// What people call a media type.
fn kind(media_type: &str) -> &str {
    match media_type {
        "text/plain" => "text",
        "text/markdown" => "Markdown",
        "text/html" => "HTML",
        "application/pdf" => "PDF",
        other if other.ends_with("wordprocessingml.document") => "DOCX",
        other => other,
    }
}
