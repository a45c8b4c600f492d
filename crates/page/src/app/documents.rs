//! Documents: the sets, one set, one document, and files that are brought.

use assize_wire::number::counted;
use assize_wire::workplace::{
    DocumentRow, DocumentSetRow, DocumentSetView, DocumentView, UploadReport,
};
use maud::{Markup, html};

use super::address::{address, encoded};
use super::parts::{crumbs, empty, grouped, head, plain, rename_set, sentence};
use crate::bars::badge;
use crate::document::flowing;

const PATH: &str = "/documents";
/// What a browser offers to choose from.
pub(super) const ACCEPT: &str = ".txt,.md,.html,.htm,.pdf,.docx";

/// All sets that are in use, or all that are archived.
pub fn list(sets: &[DocumentSetRow], is_archived: bool, can_write: bool) -> Markup {
    let acts = html! {
        @if is_archived { a class="button" href=(PATH) { "Show active sets" } }
        @else { a class="button" href={ (PATH) "?archived=yes" } { "Archived sets" } }
    };
    html! {
        (head(if is_archived { "Archived document sets" } else { "Documents" }, &html! { "Files that are evaluated against criteria, in sets." }, &acts))
        div class="stack" {
            section class="box" {
                @if sets.is_empty() && is_archived { (empty("No archived sets", "A set that is archived is hidden from lists; runs that used it are not affected.", &html! {})) }
                @else if sets.is_empty() { (empty("No documents yet", "Add files below: PDF, Word, HTML, Markdown or plain text.", &html! {})) }
                @else { div class="scroll" tabindex="0" { table class="list stack-phone" data-keys="rows" {
                    thead { tr { th scope="col" { "Set" } th class="n" scope="col" { "Documents" } th scope="col" { "Contains" } th class="n" scope="col" { "Runs" } th scope="col" { "Made" } } }
                    tbody { @for set in sets { (set_row(set)) } }
                } } }
            }
            @if can_write && !is_archived { section class="box" {
                header { h2 { "Add a document set" } span class="sub" { "PDF, Word, HTML, Markdown or text; what cannot be read is named" } }
                (files_form(PATH, &html! { div class="field" { label for="name" { "Name" } input id="name" name="name" maxlength="100" required; } }))
            } }
        }
    }
}

fn set_row(set: &DocumentSetRow) -> Markup {
    let path = format!("{PATH}/{}", set.id);
    html! {
        tr data-row {
            th scope="row" { a class="main" href=(path) { bdi { (plain(&set.name)) } } }
            td class="n" data-name="Documents" { (set.documents) }
            td class="sub" data-name="Contains" {
                @for (place, (name, id)) in set.first.iter().enumerate() {
                    @if place > 0 { ", " }
                    a href={ (path) "/" (id) } { bdi { (plain(name)) } }
                }
                @if set.documents > set.first.len() { " and " (set.documents - set.first.len()) " more" }
            }
            td class="n" data-name="Runs" { (set.runs) }
            td class="sub" data-name="Made" { time datetime=(set.created_at.to_rfc3339()) { (set.created_at.format("%-d %b %Y, %H:%M")) } }
        }
    }
}

/// One set with its documents; after files were brought, what became of them.
pub fn set(found: &DocumentSetView, upload: Option<&UploadReport>, can_write: bool) -> Markup {
    let set = &found.set;
    let path = format!("{PATH}/{}", set.id);
    let acts = html! {
        @if can_write {
            a class="button" href={ (path) "/edit" } { "Rename" }
            form method="post" action={ (path) "/archive" } {
                input type="hidden" name="on" value=(if set.is_archived { "no" } else { "yes" });
                button class="button" { @if set.is_archived { "Restore" } @else { "Archive" } }
            }
        }
        @if !set.is_archived && set.documents > 0 { a class="button main" href={ "/runs/new?instrument=compliance&documents=" (encoded(&set.name)) } { "Evaluate" } }
    };
    let sub = html! {
        (counted(set.documents, "document", "documents")) " · used by " (counted(set.runs, "run", "runs"))
        @if set.is_archived { " · archived" }
    };
    html! {
        (crumbs(&[("Documents", PATH.to_owned())], &set.name))
        (head(&set.name, &sub, &acts))
        div class="stack" {
            @if let Some(upload) = upload { (uploaded(upload)) }
            section class="box" {
                (filters(found, &path))
                @if found.documents.is_empty() { (empty("Nothing here", "No document of this set matches.", &html! {})) }
                @else { div class="scroll" tabindex="0" { table class="list stack-phone" data-keys="rows" {
                    thead { tr { th scope="col" { "Document" } th scope="col" { "Version" } th scope="col" { "Size" } th scope="col" { "Findings" } th scope="col" { "Runs" } th scope="col" { "Added" } } }
                    tbody { @for document in &found.documents { (row(document, &path)) } }
                } } }
                @if found.from > 0 || found.next.is_some() { div class="pager" {
                    @if found.from > 0 { a class="button small" rel="prev" href=(paged(found, &path, found.from.saturating_sub(found.documents.len().max(100)))) { "← Previous" } } @else { span {} }
                    @if let Some(next) = found.next { a class="button small" rel="next" href=(paged(found, &path, next)) { "Next →" } }
                } }
            }
            @if can_write && !set.is_archived { section class="box" {
                header { h2 { "Add files" } span class="sub" { "A file of a name that is there becomes its next version; earlier runs keep theirs" } }
                (files_form(&path, &html! {}))
            } }
        }
    }
}

/// Files for a set. A script sends them one by one and fills in what is hidden here; without it they
/// are sent together.
fn files_form(action: &str, fields: &Markup) -> Markup {
    html! {
        form class="in stack" method="post" action=(action) enctype="multipart/form-data" data-files {
            div class="row" {
                (fields)
                div class="field" { label for="files" { "Files" } input id="files" name="files" type="file" multiple accept=(ACCEPT) required; }
                button class="button main" { "Add" }
            }
            div class="stack tight" hidden data-progress {
                p class="sub" role="status" {}
                progress max="1" aria-label="Upload" {}
                div data-told {}
                div class="chips" { button class="button" type="button" hidden data-again { "Send the rest again" } a class="button main" hidden data-done { "Show documents" } }
            }
        }
    }
}

fn uploaded(upload: &UploadReport) -> Markup {
    let (added, refused) = (upload.documents.len(), upload.refused.len());
    html! {
        section class="box" role="status" {
            header {
                h2 { "Upload of " (counted(added + refused, "file", "files")) }
                span class="sub" { (added) " added" @if refused > 0 { ", " (refused) " not" } }
            }
            @if refused > 0 || !upload.notices.is_empty() { div class="in" { (remarks(upload)) } }
        }
    }
}

/// What is to be said about single files: why one was not added, what another became.
fn remarks(upload: &UploadReport) -> Markup {
    html! {
        @for file in &upload.refused { p { bdi { (plain(&file.name)) } " " (badge("not added", "red")) " " span class="sub" { (sentence(&file.reason)) } } }
        @for notice in &upload.notices { p class="sub" { (sentence(notice)) } }
    }
}

/// What became of one of several files that are sent one by one, and where the set is.
pub fn one_of_several(set: &str, upload: &UploadReport) -> Markup {
    html! { div data-set={ (PATH) "/" (set) } data-added=(upload.documents.len()) { (remarks(upload)) } }
}

fn filters(found: &DocumentSetView, path: &str) -> Markup {
    html! {
        form class="in row" method="get" action=(path) {
            input type="hidden" name="only" value=(found.only);
            div class="field" { label for="search" { "Search documents" } input id="search" name="search" type="search" value=(found.search); }
            button class="button" { "Search" }
            div class="chips" { @for (kind, count) in &found.counts {
                @let words = match kind.as_str() { "findings" => "Findings", "unused" => "Never judged", "archived" => "Archived", _ => "All" };
                a class="chip" href=(address(path, &[("only", kind), ("search", &found.search)])) aria-current=[(*kind == found.only).then_some("true")] { (words) " " (count) }
            } }
        }
    }
}

fn paged(found: &DocumentSetView, path: &str, from: usize) -> String {
    let from = from.to_string();
    address(path, &[("only", &found.only), ("search", &found.search), ("from", &from)])
}

fn row(document: &DocumentRow, path: &str) -> Markup {
    let entry = &document.entry;
    html! {
        tr data-row {
            th scope="row" { a class="main" href={ (path) "/" (entry.id) } { bdi { (plain(&entry.name)) } } }
            td data-name="Version" { "v" (entry.version) }
            td class="nowrap" data-name="Size" { @match entry.bytes { Some(bytes) => { (size(bytes)) } None => { "unknown" } } }
            td data-name="Findings" { @if document.findings.is_empty() { span class="sub" { "none" } } @else { (badge(&counted(document.findings.len(), "finding", "findings"), "red")) } }
            td data-name="Runs" { (runs(&document.runs)) }
            td class="sub" data-name="Added" { time datetime=(entry.created_at.to_rfc3339()) { (entry.created_at.format("%-d %b %Y, %H:%M")) } }
        }
    }
}

/// The newest runs by number, and how many there are besides.
fn runs(numbers: &[i64]) -> Markup {
    const SHOWN: usize = 3;
    html! {
        @if numbers.is_empty() { span class="sub" { "never judged" } }
        @for (place, run) in numbers.iter().take(SHOWN).enumerate() { @if place > 0 { ", " } a href={ "/eval/" (run) } { "#" (run) } }
        @if numbers.len() > SHOWN { span class="sub" { " and " (numbers.len() - SHOWN) " more" } }
    }
}

fn size(bytes: i64) -> String {
    let kilobytes = bytes.max(0).unsigned_abs().div_ceil(1_000);
    format!("{} kB", grouped(kilobytes))
}

/// One document: its findings, where it was judged, its versions and how its text begins.
pub fn one(found: &DocumentView, problem: Option<&str>, can_write: bool) -> Markup {
    let (entry, set) = (&found.row.entry, format!("{PATH}/{}", found.set.0));
    let path = format!("{set}/{}", entry.id);
    let sub = html! {
        "Version " (entry.version) " · " (grouped(found.words as u64)) " words"
        @if let Some(pages) = found.pages { " · " (counted(pages, "page", "pages")) }
        @if found.row.is_archived { " · archived" }
    };
    let acts = html! {
        a class="button" href={ "/api/v1/documents/" (entry.id) "/original" } { "Download" }
    };
    html! {
        (crumbs(&[("Documents", PATH.to_owned()), (&found.set.1, set.clone())], &entry.name))
        (head(&entry.name, &sub, &acts))
        div class="stack" {
            @if let Some(problem) = problem { div class="notice bad" role="alert" { p { (sentence(problem)) } } }
            @for finding in &found.row.findings { div class="notice bad" { p { (sentence(finding)) } } }
            section class="box" {
                header { h2 { "Versions" } span class="sub" { "Each run keeps the version it judged" } }
                div class="scroll" tabindex="0" { table class="list stack-phone" {
                    thead { tr { th scope="col" { "Version" } th scope="col" { "Size" } th scope="col" { "Runs" } th scope="col" { "Added" } } }
                    tbody { @for (version, numbers) in &found.versions { tr {
                        th scope="row" { "v" (version.version) }
                        td data-name="Size" { @match version.bytes { Some(bytes) => { (size(bytes)) } None => { "unknown" } } }
                        td data-name="Runs" { (runs(numbers)) }
                        td class="sub" data-name="Added" { time datetime=(version.created_at.to_rfc3339()) { (version.created_at.format("%-d %b %Y, %H:%M")) } }
                    } } }
                } }
            }
            @if can_write { (changes(found, &path)) }
            section class="box" {
                header { h2 { @if found.is_whole { "Text" } @else { "Beginning of the text" } } @if !found.is_whole { a href={ "/api/v1/documents/" (entry.id) "/text" } { "Whole text" } } }
                div class="doc" dir="auto" tabindex="0" role="region" aria-label="Document" { (flowing(&entry.name, &found.text, &[])) @if !found.is_whole { "…" } }
            }
        }
    }
}

fn changes(found: &DocumentView, path: &str) -> Markup {
    let used = found.row.runs.len();
    html! {
        section class="box" {
            header { h2 { "Change" } }
            form class="in row" method="post" action={ (path) "/replace" } enctype="multipart/form-data" {
                div class="field" { label for="file" { "Replace by" } input id="file" name="file" type="file" accept=(ACCEPT) required; }
                button class="button" { "Replace" }
            }
            form class="in row" method="post" action={ (path) "/rename" } {
                div class="field" { label for="name" { "Name" } input id="name" name="name" maxlength="200" required value=(found.row.entry.name); }
                button class="button" { "Rename" }
            }
            @if used == 0 {
                form class="in row" method="post" action={ (path) "/delete" } { p class="sub" { "No run used it: it can be deleted with all its versions." } button class="button" { "Delete" } }
            } @else {
                form class="in row" method="post" action={ (path) "/archive" } {
                    input type="hidden" name="on" value=(if found.row.is_archived { "no" } else { "yes" });
                    p class="sub" { (counted(used, "run keeps", "runs keep")) " it, so it cannot be deleted. Archived, it is left out of lists and new runs." }
                    button class="button" { @if found.row.is_archived { "Restore" } @else { "Archive" } }
                }
            }
        }
    }
}

/// A form for another name of a set.
pub fn rename(set: &DocumentSetRow, typed: &str, problem: Option<&str>) -> Markup {
    rename_set(("document set", "Documents", PATH), (&set.id, &set.name), typed, problem)
}
