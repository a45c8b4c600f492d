//! The pages as a file: footers, bookmarks, links, fonts.

use pdf_writer::types::{ActionType, AnnotationType, PageMode};
use pdf_writer::{Content, Date, Filter, Finish, Name, Pdf, Rect, Ref, TextStr};

use super::font::compress;
use super::paper::{Mark, Paper, Place, show};
use super::style::{BODY, MARGIN, PAGE, SMALL, WIDTH};
use super::wrap::beginning;
use crate::{ExportError, Report};

/// Where the footer stands.
const FOOTER: f32 = MARGIN - 14.0;

/// The numbers of the objects that others refer to.
struct Objects {
    catalog: Ref,
    tree: Ref,
    outline: Ref,
    regular: Ref,
    bold: Ref,
    pages: Vec<Ref>,
}

/// Ends the last page and gives the bytes of the file.
pub(super) fn finish(mut paper: Paper, report: &Report) -> Result<Vec<u8>, ExportError> {
    note_on_missing_letters(&mut paper);
    paper.turn();
    let mut next = Ref::new(1);
    let objects = Objects {
        catalog: next.bump(),
        tree: next.bump(),
        outline: next.bump(),
        regular: next.bump(),
        bold: next.bump(),
        pages: paper.pages.iter().map(|_| next.bump()).collect(),
    };
    let mut pdf = Pdf::new();
    head(&mut pdf, &mut next, &objects, report);
    let left = format!("{}  ·  run {}", beginning(&report.title), beginning(&report.run.id));
    let left = super::table::cut(&paper, &left, SMALL, WIDTH - 90.0);
    for number in 0..paper.pages.len() {
        page(&mut pdf, &mut next, &objects, (&mut paper, number, &left))?;
    }
    outline(&mut pdf, &mut next, &objects, &paper.marks);
    paper.regular.embed(&mut pdf, &mut next, objects.regular)?;
    paper.bold.embed(&mut pdf, &mut next, objects.bold)?;
    Ok(pdf.finish())
}

fn note_on_missing_letters(paper: &mut Paper) {
    let missing: std::collections::BTreeSet<char> =
        paper.regular.missing().chain(paper.bold.missing()).collect();
    if missing.is_empty() {
        return;
    }
    paper.space(10.0);
    let note = format!(
        "Characters missing from the font of this report: {}. They are printed as boxes, can be \
         searched and copied, and are included in the JSON and XLSX exports.",
        missing.len()
    );
    paper.paragraph(&note, SMALL, Place::default());
}

fn head(pdf: &mut Pdf, next: &mut Ref, objects: &Objects, report: &Report) {
    let mut catalog = pdf.catalog(objects.catalog);
    catalog.pages(objects.tree).outlines(objects.outline).page_mode(PageMode::UseOutlines);
    catalog.lang(TextStr("en")).viewer_preferences().display_doc_title(true);
    catalog.finish();
    let count = i32::try_from(objects.pages.len()).unwrap_or(i32::MAX);
    pdf.pages(objects.tree).kids(objects.pages.iter().copied()).count(count);
    let mut about = pdf.document_info(next.bump());
    about.title(TextStr(&beginning(&report.title))).creator(TextStr("Assize"));
    about.author(TextStr(&beginning(&report.organisation)));
    if let Some(date) = date(&report.exported_at) {
        about.creation_date(date);
    }
}

/// The date of an RFC 3339 time; none if it is not one.
fn date(time: &str) -> Option<Date> {
    let part = |from: usize, to: usize| time.get(from..to)?.parse::<u8>().ok();
    let year = time.get(..4)?.parse().ok()?;
    let date = Date::new(year).month(part(5, 7)?).day(part(8, 10)?);
    Some(date.hour(part(11, 13)?).minute(part(14, 16)?).second(part(17, 19)?))
}

/// One page with its footer, and what on it is known only now.
fn page(
    pdf: &mut Pdf,
    next: &mut Ref,
    objects: &Objects,
    (paper, number, left): (&mut Paper, usize, &str),
) -> Result<(), ExportError> {
    let (body, overlay) = (next.bump(), next.bump());
    let mut content = Content::new();
    let links = references(pdf, next, objects, (paper, number, &mut content));
    let total = paper.pages.len();
    let footer = format!("Page {} of {total}", number + 1);
    let right = MARGIN + WIDTH - paper.width(&footer, SMALL);
    show(&mut content, &mut paper.regular, (right, FOOTER), (&footer, SMALL));
    show(&mut content, &mut paper.regular, (MARGIN, FOOTER), (left, SMALL));

    pdf.stream(body, &paper.pages[number]).filter(Filter::FlateDecode);
    pdf.stream(overlay, &compress(content.finish().as_slice())?).filter(Filter::FlateDecode);
    let mut page = pdf.page(objects.pages[number]);
    page.parent(objects.tree).media_box(Rect::new(0.0, 0.0, PAGE.0, PAGE.1));
    page.contents_array([body, overlay]);
    if !links.is_empty() {
        page.annotations(links);
    }
    let mut resources = page.resources();
    let mut fonts = resources.fonts();
    fonts.pair(Name(paper.regular.name.as_bytes()), objects.regular);
    fonts.pair(Name(paper.bold.name.as_bytes()), objects.bold);
    Ok(())
}

/// Fills in the page numbers of the table on a page, each a link to its block.
fn references(
    pdf: &mut Pdf,
    next: &mut Ref,
    objects: &Objects,
    (paper, number, content): (&mut Paper, usize, &mut Content),
) -> Vec<Ref> {
    // References were made in the order of pages.
    let first = paper.references.partition_point(|reference| reference.page < number);
    let last = paper.references.partition_point(|reference| reference.page <= number);
    let mut links = Vec::new();
    for index in first..last {
        let reference = &paper.references[index];
        let Some((target, top)) = paper.rows.get(reference.row).copied() else { continue };
        let (upper, lower) = reference.edges;
        let text = (target + 1).to_string();
        let place = (MARGIN + WIDTH - paper.width(&text, BODY), reference.baseline);
        show(content, &mut paper.regular, place, (&text, BODY));
        let link = next.bump();
        let mut annotation = pdf.annotation(link);
        annotation.subtype(AnnotationType::Link).border(0.0, 0.0, 0.0, None);
        annotation.rect(Rect::new(MARGIN, lower, MARGIN + WIDTH, upper));
        let mut action = annotation.action();
        action.action_type(ActionType::GoTo).destination().page(objects.pages[target]).xyz(
            0.0,
            top + 6.0,
            None,
        );
        links.push(link);
    }
    links
}

/// Bookmarks: parts, and below the last part its rows.
fn outline(pdf: &mut Pdf, next: &mut Ref, objects: &Objects, marks: &[Mark]) {
    let ids: Vec<Ref> = marks.iter().map(|_| next.bump()).collect();
    let of_level = |level: u8| -> Vec<usize> {
        (0..marks.len()).filter(|index| marks[*index].level == level).collect()
    };
    let (parts, rows) = (of_level(0), of_level(1));
    let ends = |list: &[usize]| list.first().zip(list.last()).map(|(a, b)| (ids[*a], ids[*b]));
    let mut root = pdf.outline(objects.outline);
    if let Some((first, last)) = ends(&parts) {
        root.first(first).last(last).count(i32::try_from(parts.len()).unwrap_or(i32::MAX));
    }
    root.finish();
    let holder = parts.last().copied();
    for (list, parent) in
        [(&parts, Some(objects.outline)), (&rows, holder.map(|holder| ids[holder]))]
    {
        for (position, index) in list.iter().enumerate() {
            let mark = &marks[*index];
            let mut item = pdf.outline_item(ids[*index]);
            item.title(TextStr(&mark.title));
            if let Some(parent) = parent {
                item.parent(parent);
            }
            if let Some(before) = position.checked_sub(1) {
                item.prev(ids[list[before]]);
            }
            if let Some(after) = list.get(position + 1) {
                item.next(ids[*after]);
            }
            if let (true, Some((first, last))) = (Some(*index) == holder, ends(&rows)) {
                // Negative: folded until somebody opens it.
                let count = i32::try_from(rows.len()).unwrap_or(i32::MAX);
                item.first(first).last(last).count(-count);
            }
            item.dest().page(objects.pages[mark.page]).xyz(0.0, mark.top + 6.0, None);
        }
    }
}
