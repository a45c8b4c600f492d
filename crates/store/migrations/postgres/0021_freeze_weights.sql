-- What a criterion counts and the group it is in are frozen with a run, as its words are.
ALTER TABLE eval_run_criteria ADD COLUMN properties JSONB;
UPDATE eval_run_criteria SET properties = item.properties FROM eval_criteria_items AS item
    WHERE item.id = eval_run_criteria.criteria_item_id;
