//! A tool as a caller sees it: its name, what it teaches, what it takes.

use assize_engine::request::field_names;
use rmcp::handler::server::common::schema_for_type;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use rmcp::schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::reply::Refusal;

/// The longest arguments of one call, in bytes of JSON.
pub(crate) const ARGUMENTS_BYTES_MAX: usize = 8 << 20;

/// A tool as a caller sees it.
pub(crate) struct Form {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
    /// What it takes, by group, in the order in which it is explained; empty for all that its type
    /// has.
    pub(crate) takes: &'static [&'static [&'static str]],
    /// What it cannot do without.
    pub(crate) needs: &'static [&'static str],
    /// Whether models may be asked, which costs something.
    pub(crate) asks_models: bool,
}

impl Form {
    /// The tool in the protocol's form; `A` holds at least what it takes.
    pub(crate) fn tool<A: JsonSchema + 'static>(&self) -> Tool {
        let whole = schema_for_type::<A>();
        let mut properties = JsonObject::new();
        for name in self.parameters::<A>() {
            let known = whole.get("properties").and_then(|all| all.get(&name));
            let mut property = known.cloned().unwrap_or_else(|| Value::Object(JsonObject::new()));
            if self.needs.contains(&name.as_str()) {
                never_null(&mut property);
            }
            properties.insert(name, property);
        }
        let mut schema = JsonObject::new();
        schema.insert("type".to_owned(), Value::from("object"));
        schema.insert("properties".to_owned(), Value::Object(properties));
        schema.insert("required".to_owned(), Value::from(self.needs));
        schema.insert("additionalProperties".to_owned(), Value::from(false));
        let annotations = ToolAnnotations::with_title(self.title)
            .read_only(!self.asks_models)
            .destructive(false)
            .idempotent(true)
            .open_world(self.asks_models);
        Tool::new(self.name, self.description, schema)
            .with_title(self.title)
            .with_annotations(annotations)
    }

    /// The arguments of a call, or what is wrong with them and where.
    pub(crate) fn read<A: DeserializeOwned + JsonSchema>(
        &self,
        mut arguments: JsonObject,
    ) -> Result<A, Refusal> {
        // What is null was not given.
        arguments.retain(|_, value| !value.is_null());
        let name = self.name;
        let known = self.parameters::<A>();
        if let Some(unknown) = arguments.keys().find(|key| !known.contains(key)) {
            let known = known.join(", ");
            return Err(Refusal::because(format!(
                "{name} has no parameter `{unknown}`; the parameters are {known}"
            )));
        }
        if let Some(missing) = self.needs.iter().find(|need| !arguments.contains_key(**need)) {
            return Err(Refusal::because(format!("{name} requires `{missing}`")));
        }
        serde_path_to_error::deserialize(Value::Object(arguments))
            .map_err(|error| Refusal::because(error.to_string()))
    }

    fn parameters<A: JsonSchema>(&self) -> Vec<String> {
        match self.takes {
            [] => field_names::<A>(),
            groups => groups.iter().copied().flatten().map(ToString::to_string).collect(),
        }
    }
}

/// Refuses arguments that are too long, with both lengths.
pub(crate) fn check_length(arguments: &JsonObject) -> Result<(), Refusal> {
    let length = serde_json::to_string(arguments).map_or(usize::MAX, |text| text.len());
    if length > ARGUMENTS_BYTES_MAX {
        return Err(Refusal::because(format!(
            "the arguments are {length} bytes of JSON, more than the limit of \
             {ARGUMENTS_BYTES_MAX}: use the command line for larger inputs"
        )));
    }
    Ok(())
}

/// What must be given is of one type and not of that or null.
fn never_null(property: &mut Value) {
    let Some(types) = property.get_mut("type") else { return };
    if let Some(list) = types.as_array_mut() {
        list.retain(|kind| kind != "null");
        if let [only] = list.as_slice() {
            *types = only.clone();
        }
    }
}
