"""Joins the pairwise judgements that the wheel of alpaca-eval 0.1.7 carries into one file for `council bench`.

    pip download alpaca-eval==0.1.7 --no-deps
    python3 scripts/join_alpaca_eval.py alpaca_eval-0.1.7-py3-none-any.whl pairs.jsonl
    assize council bench pairs.jsonl --people reference

The wheel has no preferences of people. In their place stand the judgements of one strong annotator in
several draws, so figures say how near a council of the others comes to it, and nothing about people.
Later wheels do not carry the judgements. Needs no package.
"""

import argparse
import json
import pathlib
import zipfile

FOLDER = "alpaca_eval/evaluators_configs/"
FIELDS = ("instruction", "input", "output_1", "output_2", "preference")
# Weaker models than the reference, none of its family.
JUDGES = ("claude", "claude_ranking", "chatgpt", "text_davinci_003", "cohere", "guanaco_33b")


def judgements(wheel, annotator):
    """The draws of an annotator by their seeds, in order."""
    start = f"{FOLDER}{annotator}/annotations_seed"
    for name in sorted(name for name in wheel.namelist() if name.startswith(start)):
        yield name[len(start) :].split("_")[0], json.loads(wheel.read(name))


def pair(row):
    """Which two answers to which question, whatever their order."""
    answers = sorted((str(row["output_1"]), str(row["output_2"])))
    # Some rows have the input within the instruction; `council bench` reads both alike.
    return "\n\n".join(filter(None, (row["instruction"], row.get("input")))), *answers


def once(rows, judge):
    """Each pair at most once under one name; answers that are alike, or missing, compare nothing."""
    seen = set()
    for row in rows:
        outputs = row["output_1"], row["output_2"]
        if pair(row) in seen or None in outputs or str(outputs[0]) == str(outputs[1]):
            continue
        seen.add(pair(row))
        given = {field: row[field] for field in FIELDS if row.get(field) is not None}
        yield {**given, "output_1": str(outputs[0]), "output_2": str(outputs[1]), "annotator": judge}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wheel", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--reference", default="gpt4", help="annotator that stands in for people")
    parser.add_argument("--judges", default=",".join(JUDGES), help="annotators that are the reviewers")
    asked = parser.parse_args()
    with zipfile.ZipFile(asked.wheel) as wheel:
        rows = [
            row
            for seed, draw in judgements(wheel, asked.reference)
            for row in once(draw, f"reference {asked.reference} {seed}")
        ]
        common = {pair(row) for row in rows}
        for judge in asked.judges.split(","):
            _, draw = next(judgements(wheel, judge))
            of_judge = list(once(draw, judge))
            common &= {pair(row) for row in of_judge}
            rows += of_judge
    # Everyone on the same pairs.
    kept = [row for row in rows if pair(row) in common]
    asked.output.write_text("".join(json.dumps(row) + "\n" for row in kept), encoding="utf-8")
    print(f"{len(common)} pairs, {len(kept)} judgements")


if __name__ == "__main__":
    main()
