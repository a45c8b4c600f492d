"""Gate, councils, compliance, agreement, judges: what they give and refuse."""

import json
from pathlib import Path

import pytest

import assize
from assize import compliance, council, judges
from assize.errors import BadInput, Refused

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def marks(mark):
    dimensions = ("accuracy", "relevance", "completeness", "conciseness", "clarity")
    return dict.fromkeys(dimensions, mark)


def test_the_gate_finds_what_the_example_holds():
    answers = [json.loads(line) for line in (EXAMPLES / "council/gate.jsonl").read_text().splitlines()]
    found = [assize.gate(answer["response"]) for answer in answers]
    assert {bool(gate) for gate in found} == {True, False}
    failed = next(gate for gate in found if not gate)
    assert failed.findings[0]["category"] and "fails" in repr(failed)
    with pytest.raises(BadInput, match="text: int"):
        assize.gate(3)
    with pytest.raises(BadInput):
        assize.gate("hello", patterns=["not toml ["])


def test_reviews_made_elsewhere_are_counted():
    answers = {"plain": "Paris is the capital.", "wrong": "Lyon is the capital."}
    reviews = {name: {"plain": marks(9), "wrong": marks(3)} for name in ("ann", "ben")}
    verdict = council.review(answers, reviews, question="Capital of France?")
    assert verdict.ranking == ["plain", "wrong"]
    # The weights sum to 1, so equal marks are the score.
    assert verdict.scores["plain"] == pytest.approx(9.0)
    assert verdict._repr_html_().startswith("<iframe")
    again = council.rescore(verdict, aggregate="borda")
    assert again.to_dict()["aggregation"] == "borda"
    assert again.ranking == ["plain", "wrong"]


def test_the_gate_holds_an_answer_down():
    answers = json.loads((EXAMPLES / "council/answers.json").read_text())
    names = [answer["model"] for answer in answers["answers"]]
    reviews = {name: dict.fromkeys(names, marks(8)) for name in ("ann", "ben")}
    free = council.review(answers, reviews)
    gated = council.review(answers, reviews, safety_gate=True)
    assert free.scores["careless"] == pytest.approx(8.0)
    assert gated.scores["careless"] == 0.0


def test_a_kept_council_is_counted_again():
    verdict = council.rescore(EXAMPLES / "council/run.json", weights={"accuracy": 0.5, "clarity": 0.05})
    assert verdict.ranking and verdict.status


def test_reviews_that_name_nothing_are_refused():
    answers = {"a": "one", "b": "two"}
    with pytest.raises(BadInput, match=r"reviews\['ann'\]\['c'\]: there is no such answer"):
        council.review(answers, {"ann": {"c": marks(5)}}, question="Why?")
    with pytest.raises(BadInput, match="question"):
        council.review(answers, {"ann": {"a": marks(5)}})
    with pytest.raises(assize.AssizeError, match="no reviewers"):
        council.review(answers, {}, question="Why?")


def test_answers_are_read_as_the_engine_reads_them(tmp_path):
    lines = [{"model": "plain", "text": "Paris."}, {"model": "wrong", "text": "Lyon."}]
    (tmp_path / "answers.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n")
    (tmp_path / "bom.json").write_text("\ufeff" + json.dumps(lines), encoding="utf-8")
    reviews = {name: {"plain": marks(9), "wrong": marks(3)} for name in ("ann", "ben")}
    for path in (tmp_path / "answers.jsonl", str(tmp_path / "bom.json")):
        assert council.review(path, reviews, question="Capital?").ranking == ["plain", "wrong"]
    # A line separator within an answer ends no line.
    lines[0]["text"] = "Paris.\u2028It is."
    written = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    (tmp_path / "answers.jsonl").write_text(written, encoding="utf-8")
    found = council.review(tmp_path / "answers.jsonl", reviews, question="Capital?")
    assert found.ranking == ["plain", "wrong"]
    numbered = {1: {1: marks(9), "2": marks(3)}, 2: {"1": marks(9), 2: marks(3)}}
    assert council.review({1: "Paris.", 2: "Lyon."}, numbered, question="Capital?").ranking == ["1", "2"]
    with pytest.raises(BadInput, match="answer 1: no field `model`"):
        council.review(["Paris.", "Lyon."], reviews, question="Capital?")
    with pytest.raises(BadInput, match="^question: int"):
        council.review({"a": "one"}, {}, question=3)
    (tmp_path / "broken.json").write_text('{"a": ')
    with pytest.raises(BadInput, match="line 1: not JSON"):
        council.review(tmp_path / "broken.json", reviews, question="Capital?")


def test_documents_come_from_folders_and_iterables(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "policy.md").write_text(f"Passwords must be changed. {folder}")
    (tmp_path / "a" / "other.bin").write_bytes(b"\x00")
    (tmp_path / ".hidden.md").write_text("nothing")
    names = lambda documents: {line["document"] for line in compliance.evaluate(documents, CRITERIA).results}
    both = [tmp_path / "a" / "policy.md", tmp_path / "b" / "policy.md"]
    assert names(both) == {str(path) for path in both}
    assert names(tmp_path) == {"a/policy.md", "b/policy.md"}
    assert names((tmp_path / "a").glob("*.md")) == {"policy.md"}
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInput, match=r"^documents\[0\]: .*empty: there is no document in it"):
        names(tmp_path / "empty")
    for none in ({}, [], iter([])):
        with pytest.raises(BadInput, match="^documents: none were given"):
            names(none)


def test_documents_are_held_against_criteria():
    found = compliance.evaluate(
        EXAMPLES / "compliance/access-policy.md", EXAMPLES / "compliance/criteria.csv"
    )
    assert found.results and all(set(line) >= {"criteria_id", "score"} for line in found.results)
    assert sum(found.tiers.values()) == sum(line["score"] is not None for line in found.results)


def test_texts_and_criteria_may_be_python_values():
    criteria = [{"criteria_id": "A-1", "requirement": "Passwords must be changed every 90 days."}]
    texts = {"policy": "Passwords must be changed every 90 days.", "other": "We sell bread."}
    found = compliance.evaluate(texts, criteria)
    scores = {line["document"]: line["score"] or 0.0 for line in found.results}
    assert scores["policy.txt"] > scores["other.txt"]
    with pytest.raises(BadInput, match=r"criteria\[0\]: no text in `requirement`"):
        compliance.evaluate(texts, [{"criteria_id": "A-1"}])
    with pytest.raises(BadInput, match=r"documents\['policy'\]: int"):
        compliance.evaluate({"policy": 3}, criteria)
    with pytest.raises(Refused):
        compliance.evaluate(texts, criteria, judge="openai/gpt")


def test_criteria_with_a_row_that_cannot_be_used_are_refused_unless_it_is_left_out(tmp_path):
    criteria = tmp_path / "criteria.csv"
    criteria.write_text("criteria_id,requirement\nA-1,Passwords are long.\n,No id.\n")
    texts = {"policy": "Passwords are long."}
    with pytest.raises(BadInput, match="1 row cannot be used.*row 3: the identifier is missing"):
        compliance.evaluate(texts, criteria)
    found = compliance.evaluate(texts, criteria, skip_unusable=True)
    assert [line["criteria_id"] for line in found.results] == ["A-1"]
    assert any("row 3" in notice for notice in found.notices)


def test_agreement_is_a_rank_correlation_with_an_interval():
    found = assize.agree([1, 2, 3, 4, None], [1, 2, 4, 3, 5])
    # Spearman of 1,2,3,4 and 1,2,4,3: 1 - 6 * 2 / (4 * 15).
    assert found["spearman"]["value"] == pytest.approx(0.8)
    assert (found["n"], found["unscored"]) == (4, 1)
    with pytest.raises(BadInput, match=r"ratings\[1\]: nan"):
        assize.agree([1, 2], [1, float("nan")])
    with pytest.raises(BadInput, match="^confidence: 2 is not between 0 and 1"):
        assize.agree([1, 2, 3], [1, 2, 3], confidence=2)
    with pytest.raises(BadInput, match="^resamples: "):
        assize.agree([1, 2, 3], [1, 2, 3], resamples=-1)
    with pytest.raises(BadInput, match="2 needed"):
        assize.agree([], [])
    with pytest.raises(BadInput, match="do not go together"):
        assize.agree([1, 2], [1])
    with pytest.raises(BadInput, match=r"scores\[0\]: 'high'"):
        assize.agree(["high", 2], [1, 2])


CRITERIA = [{"criteria_id": "A-1", "requirement": "Passwords must be changed."}]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: assize.gate(None), "^text: NoneType"),
        (lambda: assize.gate("x \ud800"), "^text: character 2 is half of a surrogate pair"),
        (lambda: assize.gate("x", patterns=[1]), r"^patterns\[0\]: int"),
        (lambda: assize.summary.score("x", "\ud800"), "^summary: character 0"),
        (lambda: assize.agree(None, [1]), "^scores: NoneType"),
        (lambda: assize.agree([1], "one"), "^ratings: str"),
        (lambda: judges.bench(None, {}, {}), "^items: NoneType"),
        (lambda: judges.infer("items.csv", "col:a", ["col:b"]), "^raters: list"),
        (lambda: judges.bench("items.csv", ["col:a"], {}), "^judges: list"),
        (lambda: judges.bench("/no/items.csv", {"a": "col:a"}, {"b": "col:b"}), "/no/items.csv: cannot be read"),
        (lambda: compliance.evaluate("/no/policy.md", CRITERIA), r"^documents\[0\]: /no/policy.md: cannot be read"),
        (lambda: compliance.evaluate([3], CRITERIA), r"^documents\[0\]: int"),
        (lambda: compliance.evaluate({"a": "text"}, "/no/criteria.csv"), "^criteria: /no/criteria.csv: cannot"),
        (lambda: compliance.evaluate({"a": "text"}, None), "^criteria: NoneType"),
        (lambda: compliance.evaluate({"a": "text"}, [3]), r"^criteria\[0\]: int was given"),
        (lambda: compliance.evaluate({"a": "text"}, [{**CRITERIA[0], "description": "\ud800"}]),
         r"^criteria\[0\]: character 0 is half"),
        (lambda: compliance.evaluate({"a": "text"}, CRITERIA, mask_identifiers=1), "^mask_identifiers: int"),
        (lambda: council.review(None, {}), "^answers: NoneType"),
        (lambda: council.review({"a": "one"}, None), "^reviews: NoneType"),
        (lambda: council.review("/no/answers.json", {}), "^answers: /no/answers.json: cannot be read"),
        (lambda: assize.score_passages("/no/found.json", []), "^predictions: /no/found.json: cannot be read"),
        (lambda: assize.compare({"a": {"q": {"d": 1.0}}, "b": {"q": {"d": 1.0}}}, {"q": {"d": 1}}, alpha=7),
         "^alpha: 7 is not between 0 and 1"),
    ],
)
def test_wrong_kinds_and_missing_files_are_refused_by_the_field(call, message):
    with pytest.raises(BadInput, match=message):
        call()


def test_judges_are_compared_with_raters(tmp_path):
    rows = ["id,good,noise,ann,ben"]
    rows += [f"i{n},{n},{(n * 7) % 12},{n},{n + (n % 2)}" for n in range(12)]
    (tmp_path / "items.csv").write_text("\n".join(rows) + "\n")
    found = judges.bench(
        tmp_path / "items.csv",
        {"good": "col:good", "noise": "col:noise"},
        {"ann": "col:ann", "ben": "col:ben"},
        resamples=100,
    )
    assert found["judges"][0]["name"] == "good"


def test_items_of_judges_are_frames_columns_and_rows_wide_or_long():
    import pandas
    import polars

    sources = {"judges": {"one": "col:one"}, "raters": {"ann": "col:ann"}, "resamples": 50}
    wide = {"id": [f"i{n}" for n in range(12)], "one": [n % 5 for n in range(12)],
            "ann": [None if n == 3 else (n + n // 6) % 5 for n in range(12)]}
    by_rows = [dict(zip(wide, row)) for row in zip(*wide.values())]
    long = [{"id": row["id"], "rater": who, "score": "n/a" if row[who] is None else row[who]}
            for row in by_rows for who in ("one", "ann")]
    expected = judges.bench(wide, **sources)
    assert expected["judges"][0]["name"] == "one"
    for items in (pandas.DataFrame(wide), polars.DataFrame(wide), by_rows, long, pandas.DataFrame(long)):
        assert judges.bench(items, **sources) == expected
    with pytest.raises(BadInput, match="duplicate item id `i1 of one`"):
        judges.bench([*long, long[2]], **sources)
    with pytest.raises(BadInput, match="^items: the columns are not of one length"):
        judges.bench({"a": [1], "b": [1, 2]}, **sources)
