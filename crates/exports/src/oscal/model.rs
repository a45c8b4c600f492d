//! The part of OSCAL's assessment results that is written, field for field in its order.
//!
//! OSCAL allows no empty lists: they are left out.

use serde::Serialize;

/// The whole file.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct File {
    pub(super) assessment_results: AssessmentResults,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct AssessmentResults {
    pub(super) uuid: String,
    pub(super) metadata: Metadata,
    pub(super) import_ap: Link,
    pub(super) results: [AssessmentResult; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) back_matter: Option<BackMatter>,
}

#[derive(Serialize)]
pub(super) struct Link {
    pub(super) href: String,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Metadata {
    pub(super) title: String,
    pub(super) last_modified: String,
    pub(super) version: String,
    pub(super) oscal_version: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) props: Vec<Property>,
    #[serde(flatten)]
    pub(super) assessor: Option<Assessor>,
}

/// Who assessed: all three, or none without a name.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Assessor {
    pub(super) roles: [Role; 1],
    pub(super) parties: [Party; 1],
    pub(super) responsible_parties: [ResponsibleParty; 1],
}

#[derive(Serialize)]
pub(super) struct Role {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
}

#[derive(Serialize)]
pub(super) struct Party {
    pub(super) uuid: String,
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    pub(super) name: String,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct ResponsibleParty {
    pub(super) role_id: &'static str,
    pub(super) party_uuids: [String; 1],
}

#[derive(Serialize)]
pub(super) struct Property {
    pub(super) name: String,
    pub(super) ns: &'static str,
    pub(super) value: String,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct AssessmentResult {
    pub(super) uuid: String,
    pub(super) title: String,
    pub(super) description: String,
    pub(super) start: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) end: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) props: Vec<Property>,
    pub(super) reviewed_controls: ReviewedControls,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) observations: Vec<Observation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) findings: Vec<Finding>,
    pub(super) remarks: String,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct ReviewedControls {
    pub(super) control_selections: [ControlSelection; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct ControlSelection {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) include_controls: Vec<ControlReference>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct ControlReference {
    pub(super) control_id: String,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Observation {
    pub(super) uuid: String,
    pub(super) title: String,
    pub(super) description: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) props: Vec<Property>,
    pub(super) methods: [&'static str; 1],
    pub(super) types: [&'static str; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) relevant_evidence: Vec<Evidence>,
    pub(super) collected: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) subjects: Vec<Subject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) remarks: Option<String>,
}

#[derive(Serialize)]
pub(super) struct Evidence {
    pub(super) description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) href: Option<String>,
    pub(super) props: Vec<Property>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Subject {
    pub(super) subject_uuid: String,
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Finding {
    pub(super) uuid: String,
    pub(super) title: String,
    pub(super) description: String,
    pub(super) props: Vec<Property>,
    pub(super) target: Target,
    pub(super) related_observations: [RelatedObservation; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) remarks: Option<String>,
}

#[derive(Serialize)]
pub(super) struct Target {
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    #[serde(rename = "target-id")]
    pub(super) id: String,
    pub(super) status: TargetStatus,
}

#[derive(Serialize)]
pub(super) struct TargetStatus {
    pub(super) state: &'static str,
    pub(super) reason: &'static str,
    pub(super) remarks: String,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct RelatedObservation {
    pub(super) observation_uuid: String,
}

#[derive(Serialize)]
pub(super) struct BackMatter {
    pub(super) resources: Vec<Resource>,
}

#[derive(Serialize)]
pub(super) struct Resource {
    pub(super) uuid: String,
    pub(super) title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) props: Vec<Property>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) rlinks: Vec<ResourceLink>,
}

/// Where a resource is, and the hash of what is there.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct ResourceLink {
    pub(super) href: String,
    pub(super) media_type: &'static str,
    pub(super) hashes: [FileHash; 1],
}

#[derive(Serialize)]
pub(super) struct FileHash {
    pub(super) algorithm: &'static str,
    pub(super) value: String,
}

/// A plan of action and milestones: the whole file.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct PlanFile {
    pub(super) plan_of_action_and_milestones: PlanOfAction,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct PlanOfAction {
    pub(super) uuid: String,
    pub(super) metadata: Metadata,
    pub(super) system_id: SystemId,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) observations: Vec<Observation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) findings: Vec<Finding>,
    pub(super) poam_items: Vec<PlanItem>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct SystemId {
    pub(super) identifier_type: &'static str,
    pub(super) id: String,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct PlanItem {
    pub(super) uuid: String,
    pub(super) title: String,
    pub(super) description: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) props: Vec<Property>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) related_findings: Vec<RelatedFinding>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) related_observations: Vec<RelatedObservation>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct RelatedFinding {
    pub(super) finding_uuid: String,
}
