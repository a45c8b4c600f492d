-- The judge gives the number itself, guided by the set's rubric; a label follows from the
-- number. Answers have sections: a text becomes the section `explanation`.
ALTER TABLE eval_criteria_sets ADD COLUMN scoring_rubric JSONB DEFAULT '{"tiers": [
  {"min": 0, "max": 20, "label": "Non-Compliant", "description": "The document says nothing that answers the requirement, or says that it is not met."},
  {"min": 21, "max": 40, "label": "Mostly Non-Compliant", "description": "The subject comes up, but most of what is required is missing, vague or contradicted."},
  {"min": 41, "max": 60, "label": "Partially Compliant", "description": "About half of what is required is stated; the rest is missing, unclear or only implied."},
  {"min": 61, "max": 80, "label": "Mostly Compliant", "description": "Nearly everything required is stated clearly; what is missing is minor."},
  {"min": 81, "max": 100, "label": "Fully Compliant", "description": "Every part of the requirement is met by clear statements that can be quoted."}
]}';
COMMENT ON COLUMN eval_criteria_sets.scoring_rubric IS
    'How scores are given: tiers with range, label and description. NULL: the default tiers.';

ALTER TABLE eval_criteria_sets ADD COLUMN response_structure JSONB DEFAULT '{"sections": [
  {"id": "explanation", "type": "text", "required": true, "description": "Why this score: what the document states, and what is missing."}
]}';
COMMENT ON COLUMN eval_criteria_sets.response_structure IS
    'Which sections an answer has: id, type, required, description. NULL: one text, explanation.';

ALTER TABLE eval_criteria_results ALTER COLUMN ai_result TYPE JSONB USING CASE
    WHEN ai_result IS NULL THEN NULL
    WHEN ai_result = '' THEN '{}'::jsonb
    ELSE jsonb_build_object('explanation', ai_result)
END;
COMMENT ON COLUMN eval_criteria_results.ai_result IS
    'What the judge wrote, section by section as the response_structure of the set says.';
COMMENT ON COLUMN eval_criteria_results.ai_status_id IS
    'Deprecated: the status of results from before scores were given directly. New rows: NULL.';
