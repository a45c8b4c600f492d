"""Results: explained by what was scored, pickled where they can be, with bounds on resampling."""

import copy
import json
import os
import pickle
import threading

import pytest

import assize
from assize.errors import BadInput, NotFound

RUN = {"7": {"b": 2.0, "a": 1.0}, "8": {"a": 1.0}}
QRELS = {"7": {"a": 1, "c": 0}, "8": {"a": 2}}


def written(folder):
    run, qrels = folder / "run.json", folder / "qrels.json"
    run.write_text(json.dumps(RUN))
    qrels.write_text(json.dumps(QRELS))
    return run, qrels


def test_a_number_is_no_place_among_the_queries():
    score = assize.score(RUN, QRELS, ["mrr"])
    assert score.explain("8").title == "Query 8"
    for query in "2", "1", "q":
        with pytest.raises(NotFound, match=f"query `{query}` is not in the qrels"):
            score.explain(query)


def test_a_number_is_no_place_among_passages():
    names = ["who", "when"]
    gold = {"tests": [{"query": name, "snippets": [{"answer": "The tenant."}]} for name in names]}
    predictions = [{"query": name, "retrieved_passages": ["The tenant."]} for name in names]
    score = assize.score_passages(predictions, gold)
    assert "who" in score.explain("who").title
    with pytest.raises(NotFound, match='no query matches "2"; there are 2'):
        score.explain("2")
    with pytest.raises(BadInput, match='2 queries match "wh": give the whole text'):
        score.explain("wh")


def test_an_explanation_is_of_the_files_that_were_scored(tmp_path, monkeypatch):
    run, qrels = written(tmp_path)
    monkeypatch.chdir(tmp_path)
    score = assize.score(run.name, qrels.name, ["mrr"])
    monkeypatch.chdir("/")
    assert "0.5" in str(score.explain("7"))
    run.write_text(json.dumps({"7": {"a": 3.0, "b": 2.0}, "8": {"a": 1.0}, "9": {"a": 1.0}}))
    with pytest.raises(BadInput, match="run.json: has changed since it was scored"):
        score.explain("7")
    run.unlink()
    with pytest.raises(BadInput, match="run.json: has changed since it was scored"):
        score.explain("7")


def test_judgements_of_a_folder_are_looked_at_too(tmp_path):
    run, _ = written(tmp_path)
    place = tmp_path / "qrels" / "test.tsv"
    place.parent.mkdir()
    place.write_text("query-id\tcorpus-id\tscore\n7\ta\t1\n")
    score = assize.score(run, tmp_path, ["mrr"])
    assert "0.5" in str(score.explain("7"))
    place.write_text("query-id\tcorpus-id\tscore\n7\tb\t1\n8\ta\t1\n")
    with pytest.raises(BadInput, match="has changed since it was scored"):
        score.explain("7")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes that have a name")
def test_what_came_through_a_pipe_is_not_read_again(tmp_path):
    _, qrels = written(tmp_path)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    lines = "".join(f"{query} Q0 {name} 1 {score} t\n" for query, found in RUN.items() for name, score in found.items())
    writer = threading.Thread(target=pipe.write_text, args=(lines,), daemon=True)
    writer.start()
    score = assize.score(pipe, qrels, ["mrr"], mode="ranked")
    writer.join(timeout=10)
    assert score["mrr"] == 0.75
    with pytest.raises(BadInput, match="pipe: can be read only once"):
        score.explain("7")


def test_runs_and_judgements_are_pickled():
    wide = {"ü" * 200: {f"d{number}": float(number) for number in range(300)}, "8": {"a": -1.5}}
    for given in RUN, wide:
        run = assize.Run(given)
        again = pickle.loads(pickle.dumps(run))
        assert (len(again), repr(again)) == (len(run), repr(run))
        judged = {query: {document: 1 for document in documents} for query, documents in given.items()}
        qrels = pickle.loads(pickle.dumps(assize.Qrels(judged)))
        measures = ["map", "ndcg@10"]
        expected = assize.score(given, judged, measures).by_query()
        assert assize.score(again, qrels, measures).by_query() == expected
    levels = pickle.loads(pickle.dumps(assize.Qrels({"q": {"a": -2, "b": 0, "c": 3}})))
    assert assize.score({"q": ["a", "c", "b"]}, levels, ["mrr"])["mrr"] == 0.5


def test_pickled_bytes_are_checked():
    restore, (state,) = assize.Run(RUN).__reduce__()
    for damaged in (b"", state[:-1], state[1:], state + b"\x05"):
        with pytest.raises(BadInput, match="pickled is damaged"):
            restore(damaged)
    restore, (state, columns) = assize.Qrels(QRELS).__reduce__()
    assert columns == []
    for damaged in (b"", state[:-1], state + b"\xff" * 12):
        with pytest.raises(BadInput, match="pickled is damaged"):
            restore(damaged, columns)


def test_names_that_are_no_text_are_not_pickled(tmp_path):
    qrels = tmp_path / "q.qrels"
    qrels.write_bytes(b"q 0 a\xff 1\n")
    with pytest.raises(BadInput, match="not UTF-8"):
        pickle.dumps(assize.Qrels(qrels))
    run = tmp_path / "r.run"
    run.write_bytes(b"q Q0 a\xff 1 2.0 tag\n")
    with pytest.raises(BadInput, match="not UTF-8"):
        pickle.dumps(assize.Run(run))


def test_tables_are_pickled():
    per_query = assize.score(RUN, QRELS, ["mrr", "map"]).per_query
    lists = assize.Table.from_columns({"id": [1, None], "text": ["a", "ü"]})
    scored = assize.summary.score_batch({"article": ["", None], "summary": ["", "x"]})
    for table in per_query, lists, scored:
        again = pickle.loads(pickle.dumps(table))
        assert again.to_pydict() == table.to_pydict()
        assert again.to_arrow().schema.equals(table.to_arrow().schema)


def test_copies_of_what_never_changes_are_the_same():
    score = assize.score(RUN, QRELS, ["mrr"])
    compared = assize.compare({"a": RUN, "b": RUN}, QRELS, ["mrr"])
    summary = assize.summary.score("The bridge opens.", "The bridge opens.")
    for value in assize.Run(RUN), assize.Qrels(QRELS), score.per_query:
        assert copy.deepcopy(value) is value
    assert copy.deepcopy(score).mean == score.mean
    assert copy.deepcopy(compared).to_dict() == compared.to_dict()
    assert copy.deepcopy(summary).scores == summary.scores


def test_other_results_say_what_to_send_instead():
    score = assize.score(RUN, QRELS, ["mrr"])
    compared = assize.compare({"a": RUN, "b": RUN}, QRELS, ["mrr"])
    summary = assize.summary.score("The bridge opens.", "The bridge opens.")
    for name, value in ("Score", score), ("Comparison", compared), ("Summary", summary):
        with pytest.raises(TypeError, match=rf"assize.{name} cannot be pickled.*\.to_dict"):
            pickle.dumps(value)


def test_more_resamples_than_memory_holds_are_refused():
    too_many = 2**40
    with pytest.raises(BadInput, match="resamples: 1099511627776 is more than the maximum of 10000000"):
        assize.score(RUN, QRELS, ["mrr"], resamples=too_many)
    with pytest.raises(BadInput, match="resamples: 1099511627776 is more than"):
        assize.agree([1.0, 2.0, 3.0], [1.0, 3.0, 2.0], resamples=too_many)
    with pytest.raises(BadInput, match="permutations: 1099511627776 is more than"):
        assize.compare({"a": RUN, "b": RUN}, QRELS, ["mrr"], permutations=too_many)
    assert assize.score(RUN, QRELS, ["mrr"], resamples=2000)["mrr"] == 0.75
