//! An example of each success: answers that tests were given (`just examples`).

use std::sync::LazyLock;

use serde_json::{Map, Value};

/// By operation, then by status.
static EXAMPLES: LazyLock<Map<String, Value>> =
    LazyLock::new(|| serde_json::from_str(include_str!("examples.json")).unwrap_or_default());

/// Adds the examples of an operation's successes.
pub fn add(id: &str, operation: &mut Map<String, Value>) {
    let Some(answers) = operation.get_mut("responses").and_then(Value::as_object_mut) else { return };
    for (status, answer) in answers {
        let example = EXAMPLES.get(id).and_then(|examples| examples.get(status));
        let contents = answer.get_mut("content").and_then(Value::as_object_mut);
        for content in contents.into_iter().flat_map(Map::values_mut) {
            if let (Some(example), Some(content)) = (example, content.as_object_mut()) {
                content.insert("example".to_owned(), example.clone());
            }
        }
    }
}
