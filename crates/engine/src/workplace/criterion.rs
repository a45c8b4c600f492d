//! The editor of a criterion: what is typed, what is wrong, what somebody else saved meanwhile.
//!
//! Runs freeze their criteria, so nothing here changes a run that is there.

use assize_methods::schema::fields;
use assize_store::{CriteriaItem, CriteriaItemId, CriteriaSet, MoveTo, Removal};
use assize_wire::workplace::{CriterionDraft, CriterionView};
use async_recursion::async_recursion as boxed;
use serde_json::{Map, Value as Json};

use super::rubric::{SaveOutcome, etag};
use crate::Workspace;
use crate::compliance::criteria::retired;
use crate::compliance::set_verdicts::{CATEGORY, GROUPS, WEIGHT, category, weight};
use crate::compliance::{ComplianceError, Result};

/// Letters that a field has at most. Controls of a catalog are a page of text each.
const LETTERS_MAX: [(&str, usize); 4] =
    [("id", 100), ("requirement", 20_000), ("description", 20_000), ("category", 100)];

/// The largest weight: more would drown every other criterion.
const WEIGHT_MAX: f64 = 1_000_000.0;

/// What came of saving a criterion: where it is wrong, or both as they were typed.
pub type CriterionOutcome = SaveOutcome<Box<CriterionView>, Box<CriterionView>>;

/// What was typed, as it would be kept.
struct TypedCriterion {
    id: String,
    requirement: String,
    description: String,
    category: String,
    weight: f64,
}

impl Workspace {
    /// The editor of a criterion of a set; without one, of a new one.
    #[boxed]
    pub async fn criterion_view(&self, set: &str, item: Option<&str>) -> Result<CriterionView> {
        let set = self.criteria_set(set).await?;
        let items = self.criteria(&set).await?;
        let Some(item) = item else {
            let draft = CriterionDraft { weight: "1".to_owned(), ..CriterionDraft::default() };
            return Ok(view(&set, &items, None, draft));
        };
        let place = place_of(&items, item)?;
        Ok(view(&set, &items, Some(place), drafted(&items[place])))
    }

    /// Keeps a criterion as it was typed, unless it is wrong or not as it was when `seen` was
    /// made; without `item` it is added behind the last.
    #[boxed]
    pub async fn save_criterion(
        &self,
        (set, item): (&str, Option<&str>),
        draft: CriterionDraft,
        seen: &str,
    ) -> Result<CriterionOutcome> {
        let set = self.criteria_set(set).await?;
        let items = self.criteria(&set).await?;
        let place = item.map(|item| place_of(&items, item)).transpose()?;
        let mut typed = view(&set, &items, place, draft);
        seen.clone_into(&mut typed.etag);
        let parsed = match parse(&typed.draft, &items, place) {
            Ok(parsed) => parsed,
            Err(problems) => {
                typed.problems = problems;
                return Ok(SaveOutcome::Wrong(Box::new(typed)));
            }
        };
        match place {
            Some(place) => self.change(&set, &items[place], (parsed, typed)).await,
            None => self.add(&set, (parsed, typed)).await,
        }
    }

    async fn change(
        &self,
        set: &CriteriaSet,
        before: &CriteriaItem,
        (parsed, mut typed): (TypedCriterion, CriterionView),
    ) -> Result<CriterionOutcome> {
        let after = CriteriaItem {
            properties: with_weight(with_category(before.properties.as_ref(), &parsed), &parsed),
            requirement: parsed.requirement,
            description: parsed.description,
            ..before.clone()
        };
        if after == *before {
            return Ok(SaveOutcome::Kept);
        }
        let is_seen = version(before) == typed.etag;
        let entry = self.audited(["update", "criteria set", set.id.as_str()]);
        let entry = entry.with(Some(tree(before)), Some(tree(&after)));
        if is_seen && self.store.change_criterion((before, &after), &entry).await? {
            return Ok(SaveOutcome::Kept);
        }
        let items = self.criteria(set).await?;
        let place = place_of(&items, before.id.as_str())?;
        // Whoever saves again has seen theirs.
        typed.etag = version(&items[place]);
        typed.theirs = Some(drafted(&items[place]));
        Ok(SaveOutcome::Conflict(Box::new(typed)))
    }

    async fn add(
        &self,
        set: &CriteriaSet,
        (parsed, mut typed): (TypedCriterion, CriterionView),
    ) -> Result<CriterionOutcome> {
        let item = CriteriaItem {
            properties: with_weight(with_category(None, &parsed), &parsed),
            description: parsed.description,
            ..CriteriaItem::new(&set.id, &parsed.id, &parsed.requirement, 0)
        };
        let entry = self.audited(["update", "criteria set", set.id.as_str()]);
        let entry = entry.with(None, Some(tree(&item)));
        if self.store.add_criterion(&item, &retired(), &entry).await? {
            return Ok(SaveOutcome::Kept);
        }
        // Somebody was faster.
        typed.problems = vec![("id", taken(&parsed.id))];
        Ok(SaveOutcome::Wrong(Box::new(typed)))
    }

    /// Moves a criterion in its set. Returns its place from 0.
    #[boxed]
    pub async fn move_criterion(&self, set: &str, item: &str, to: MoveTo) -> Result<usize> {
        let set = self.criteria_set(set).await?;
        let entry = self.audited(["reorder", "criteria set", set.id.as_str()]);
        let id = CriteriaItemId::from(item);
        let moved = self.store.move_criterion((&set.id, &id), to, &retired(), &entry).await?;
        moved.ok_or_else(|| ComplianceError::missing("criterion", item))
    }

    /// Removes a criterion from its set, unless somebody used it.
    #[boxed]
    pub async fn delete_criterion(&self, set: &str, item: &str) -> Result<()> {
        let set = self.criteria_set(set).await?;
        let items = self.criteria(&set).await?;
        let item = &items[place_of(&items, item)?];
        let entry = self.audited(["update", "criteria set", set.id.as_str()]);
        let entry = entry.with(Some(tree(item)), None);
        let name = &item.criteria_id;
        let because = match self.store.remove_criterion(item, &retired(), &entry).await? {
            Removal::Done => return Ok(()),
            Removal::Used => {
                format!("runs used the criterion `{name}`: it cannot be deleted")
            }
            Removal::Keyed => {
                format!("the criterion `{name}` has truth keys and cannot be deleted")
            }
            Removal::Last => {
                format!("`{name}` is the only criterion in its set, and a set needs at least one")
            }
        };
        Err(ComplianceError::Refused(because))
    }
}

fn place_of(items: &[CriteriaItem], item: &str) -> Result<usize> {
    let place = items.iter().position(|known| known.id.as_str() == item);
    place.ok_or_else(|| ComplianceError::missing("criterion", item))
}

fn view(
    set: &CriteriaSet,
    items: &[CriteriaItem],
    place: Option<usize>,
    draft: CriterionDraft,
) -> CriterionView {
    let item = place.map(|place| &items[place]);
    let mut categories: Vec<String> =
        items.iter().filter_map(|item| category(item.properties.as_ref())).collect();
    categories.sort();
    categories.dedup();
    CriterionView {
        set: set.id.to_string(),
        set_name: set.name.clone(),
        item: item.map(|item| item.id.to_string()),
        place: place.unwrap_or(items.len()) + 1,
        count: items.len(),
        draft,
        problems: Vec::new(),
        etag: item.map(version).unwrap_or_default(),
        theirs: None,
        categories,
    }
}

/// A criterion as somebody would type it.
fn drafted(item: &CriteriaItem) -> CriterionDraft {
    let properties = item.properties.as_ref();
    CriterionDraft {
        id: item.criteria_id.clone(),
        requirement: item.requirement.clone(),
        description: item.description.clone(),
        category: category(properties).unwrap_or_default(),
        weight: weight(properties).to_string(),
    }
}

/// A word that changes when the criterion does; where it stands in its set does not count.
fn version(item: &CriteriaItem) -> String {
    etag(&(&item.requirement, &item.description, &item.properties))
}

/// A criterion for the audit.
fn tree(item: &CriteriaItem) -> Json {
    let properties = item.properties.as_ref();
    fields([
        ("criterion", item.criteria_id.clone().into()),
        ("requirement", item.requirement.clone().into()),
        ("description", item.description.clone().into()),
        ("category", category(properties).into()),
        ("weight", weight(properties).into()),
    ])
}

fn taken(id: &str) -> String {
    format!("criterion `{id}` already exists in this set")
}

/// What was typed, or what is wrong with each field. `place` is that of the criterion under
/// change, whose id stays.
fn parse(
    draft: &CriterionDraft,
    items: &[CriteriaItem],
    place: Option<usize>,
) -> Result<TypedCriterion, Vec<(&'static str, String)>> {
    // Browsers end lines as they like; what is kept ends them one way.
    let clean = |text: &str| text.replace("\r\n", "\n").trim().to_owned();
    let mut typed = TypedCriterion {
        id: clean(&draft.id),
        requirement: clean(&draft.requirement),
        description: clean(&draft.description),
        category: clean(&draft.category),
        weight: 1.0,
    };
    let mut problems = Vec::new();
    match place {
        Some(place) => typed.id.clone_from(&items[place].criteria_id),
        None if typed.id.is_empty() => {
            problems.push(("id", "a criterion needs an id".to_owned()));
        }
        None if items.iter().any(|item| item.criteria_id == typed.id) => {
            problems.push(("id", taken(&typed.id)));
        }
        None => {}
    }
    if typed.requirement.is_empty() {
        problems.push(("requirement", "a criterion needs a requirement".to_owned()));
    }
    for (field, max) in LETTERS_MAX {
        let text = match field {
            "id" if place.is_some() => continue,
            "id" => &typed.id,
            "requirement" => &typed.requirement,
            "description" => &typed.description,
            _ => &typed.category,
        };
        let letters = text.chars().count();
        if letters > max {
            problems.push((field, format!("at most {max} characters are allowed, not {letters}")));
        }
        let is_line = matches!(field, "id" | "category");
        if text.chars().any(|letter| letter.is_control() && (is_line || !"\n\t".contains(letter))) {
            problems.push((field, "it contains an invisible character".to_owned()));
        }
    }
    match parse_weight(&draft.weight) {
        Ok(weight) => typed.weight = weight,
        Err(because) => problems.push((WEIGHT, because)),
    }
    if problems.is_empty() { Ok(typed) } else { Err(problems) }
}

/// A weight; nothing is 1.
fn parse_weight(text: &str) -> Result<f64, String> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(1.0);
    }
    match text.parse::<f64>() {
        Ok(weight) if (0.0..=WEIGHT_MAX).contains(&weight) => Ok(weight.abs()),
        Ok(weight) if weight < 0.0 => Err(format!("a weight must be 0 or more, not {text}")),
        Ok(weight) if weight > WEIGHT_MAX => Err(format!("a weight must be at most {WEIGHT_MAX}")),
        _ => Err(format!("the weight `{text}` is not a number such as 1 or 2.5")),
    }
}

/// The properties with another group; one that is the same is left as its file wrote it.
fn with_category(properties: Option<&Json>, typed: &TypedCriterion) -> Map<String, Json> {
    let mut own = properties.and_then(Json::as_object).cloned().unwrap_or_default();
    if category(properties).unwrap_or_default() == typed.category {
        return own;
    }
    own.remove(CATEGORY);
    // Without a word of ours, the group of a catalog would count again.
    if !typed.category.is_empty() || GROUPS.iter().any(|name| own.contains_key(*name)) {
        own.insert(CATEGORY.to_owned(), typed.category.clone().into());
    }
    own
}

/// The same with another weight; none are nothing.
fn with_weight(mut own: Map<String, Json>, typed: &TypedCriterion) -> Option<Json> {
    let before = Json::Object(own.clone());
    if weight(Some(&before)).to_bits() != typed.weight.to_bits() {
        own.insert(WEIGHT.to_owned(), typed.weight.into());
    }
    (!own.is_empty()).then_some(Json::Object(own))
}
