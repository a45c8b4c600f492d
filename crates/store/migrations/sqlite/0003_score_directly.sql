-- The judge gives the number itself, guided by the set's rubric; a label follows from the
-- number. Answers have sections: a text becomes the section `explanation`.
ALTER TABLE eval_criteria_sets ADD COLUMN scoring_rubric TEXT CHECK (json_valid(scoring_rubric)) DEFAULT '{"tiers": [
  {"min": 0, "max": 20, "label": "Non-Compliant", "description": "The document says nothing that answers the requirement, or says that it is not met."},
  {"min": 21, "max": 40, "label": "Mostly Non-Compliant", "description": "The subject comes up, but most of what is required is missing, vague or contradicted."},
  {"min": 41, "max": 60, "label": "Partially Compliant", "description": "About half of what is required is stated; the rest is missing, unclear or only implied."},
  {"min": 61, "max": 80, "label": "Mostly Compliant", "description": "Nearly everything required is stated clearly; what is missing is minor."},
  {"min": 81, "max": 100, "label": "Fully Compliant", "description": "Every part of the requirement is met by clear statements that can be quoted."}
]}';

ALTER TABLE eval_criteria_sets ADD COLUMN response_structure TEXT CHECK (json_valid(response_structure)) DEFAULT '{"sections": [
  {"id": "explanation", "type": "text", "required": true, "description": "Why this score: what the document states, and what is missing."}
]}';

ALTER TABLE eval_criteria_results RENAME COLUMN ai_result TO ai_result_text;
ALTER TABLE eval_criteria_results ADD COLUMN ai_result TEXT CHECK (json_valid(ai_result));
UPDATE eval_criteria_results SET ai_result = CASE
    WHEN ai_result_text IS NULL THEN NULL
    WHEN ai_result_text = '' THEN '{}'
    ELSE json_object('explanation', ai_result_text)
END;
ALTER TABLE eval_criteria_results DROP COLUMN ai_result_text;
