"""The calls of ranx's README and classes, beside the real package: the same values, or the replacement."""

import gzip
import json

import pytest

from assize.compat import ranx as ours
from assize.errors import BadInput

QRELS = {"q_1": {"d_12": 5, "d_25": 3}, "q_2": {"d_11": 6, "d_22": 1}}
RUN = {
    "q_1": {"d_12": 0.9, "d_23": 0.8, "d_25": 0.7, "d_36": 0.6, "d_32": 0.5, "d_35": 0.4},
    "q_2": {"d_12": 0.9, "d_11": 0.8, "d_25": 0.7, "d_36": 0.6, "d_22": 0.5, "d_35": 0.4},
}
OTHER = {
    "q_1": {"d_25": 0.9, "d_12": 0.8, "d_1": 0.7},
    "q_2": {"d_22": 0.9, "d_9": 0.8, "d_11": 0.7},
}


@pytest.fixture(scope="module")
def real():
    import ranx

    return ranx


def plain(nested):
    return {query: dict(documents) for query, documents in nested.items()}


def test_the_readme_evaluates_to_the_values_it_prints():
    qrels, run = ours.Qrels(QRELS), ours.Run(RUN)
    assert ours.evaluate(qrels, run, "ndcg@5") == pytest.approx(0.7861, abs=5e-5)
    assert ours.evaluate(qrels, run, ["map@5", "mrr"]) == pytest.approx({"map@5": 0.6416, "mrr": 0.75}, abs=1e-4)


def test_evaluate_leaves_its_results_in_the_run(real):
    theirs, own = real.Run(RUN), ours.Run(RUN)
    real.evaluate(real.Qrels(QRELS), theirs, ["map", "ndcg@3"], return_std=True)
    ours.evaluate(ours.Qrels(QRELS), own, ["map", "ndcg@3"], return_std=True)
    assert own.mean_scores == pytest.approx(dict(theirs.mean_scores))
    assert own.std_scores == pytest.approx(dict(theirs.std_scores))
    assert {name: dict(found) for name, found in own.scores.items()} == {
        name: pytest.approx(dict(found)) for name, found in theirs.scores.items()
    }


def test_tables_are_made_and_asked_alike(real):
    made = []
    for package in (real, ours):
        qrels, run = package.Qrels.from_dict(QRELS), package.Run.from_dict(RUN, name="bm25")
        seen = (len(run), run.size, sorted(run.keys()), sorted(run.get_query_ids()), run.name, len(qrels))
        documents = [list(found) for found in run.get_doc_ids_and_scores()]
        made.append((seen, plain(run.to_dict()), documents, run["q_1"], plain(qrels.to_dict())))
    assert made[0] == made[1]


def test_tables_are_changed_as_their_documentation_says():
    # By hand: the real one may crash on tables that are changed.
    qrels, run = ours.Qrels(QRELS), ours.Run(OTHER)
    run.add_score("q_1", "d_99", 0.95)
    run.add_score("q_4", "d_7", 1)
    qrels.add_score("q_3", "d_1", 2)
    assert run.make_comparable(qrels) is run
    assert list(run["q_1"]) == ["d_99", "d_25", "d_12", "d_1"]
    assert run.keys() == ["q_1", "q_2", "q_3"] and run["q_3"] == {}
    qrels.set_relevance_level(2)
    assert qrels.to_dict() == {"q_1": {"d_12": 4, "d_25": 2}, "q_2": {"d_11": 5, "d_22": 0}, "q_3": {"d_1": 1}}


def test_queries_are_added_whole():
    # The real one garbles documents that are added so; these are the values it is given.
    run = ours.Run(name="own")
    run.add("q_3", ["d_1", "d_2"], [0.1, 0.2])
    run.add_multi(["q_4", "q_5"], [["d_7"], ["d_8"]], [[1.0], [2.0]])
    run.sort()
    assert run.to_dict() == {"q_3": {"d_2": 0.2, "d_1": 0.1}, "q_4": {"d_7": 1.0}, "q_5": {"d_8": 2.0}}
    assert list(run["q_3"]) == ["d_2", "d_1"]
    with pytest.raises(BadInput, match="q_6: 2 documents and 1 scores"):
        run.add("q_6", ["d_1", "d_2"], [0.1])


def test_files_and_frames_hold_the_same(real, tmp_path):
    import pandas

    for kind in ("json", "trec", "txt", "parquet"):
        for package, other in ((real, ours), (ours, real)):
            run, qrels = str(tmp_path / f"run.{kind}"), str(tmp_path / f"qrels.{kind}")
            package.Run(RUN, name="bm25").save(run)
            package.Qrels(QRELS).save(qrels)
            if kind == "parquet":
                frames = pandas.read_parquet(run), pandas.read_parquet(qrels)
                assert plain(ours.Run.from_parquet(run).run) == RUN
                assert plain(ours.Qrels.from_df(frames[1]).qrels) == QRELS
                continue
            assert plain(other.Run.from_file(run).to_dict()) == RUN
            assert plain(other.Qrels.from_file(qrels).to_dict()) == QRELS
            if kind != "json":
                assert other.Run.from_file(run).name == "bm25"
    packed = tmp_path / "run.gz"
    packed.write_bytes(gzip.compress((tmp_path / "run.trec").read_bytes()))
    assert ours.Run.from_file(str(packed)).run == RUN
    assert list(ours.Run(RUN).to_dataframe().columns) == ["q_id", "doc_id", "score"]
    with pytest.raises(FileNotFoundError):
        ours.Run.from_file(str(tmp_path / "nothere.json"))
    with pytest.raises(BadInput, match="no column `q_id`; there are a"):
        ours.Qrels.from_df(pandas.DataFrame({"a": [1]}))


def test_compare_prints_saves_and_rounds_as_asked(real, tmp_path):
    queries = [f"q{number}" for number in range(20)]
    qrels = {query: {"a": 1} for query in queries}
    good = {query: {"a": 2.0, "b": 1.0} for query in queries}
    mixed = {
        query: {"b": 2.0, "a": 1.0} if number % 3 else {"a": 2.0, "b": 1.0}
        for number, query in enumerate(queries)
    }
    reports = []
    for package in (real, ours):
        runs = [package.Run(good, name="good"), package.Run(mixed, name="mixed")]
        reports.append(
            package.compare(package.Qrels(qrels), runs, ["map@100", "mrr"], rounding_digits=4)
        )
    theirs, own = reports
    # Theirs makes columns as wide as its table's library likes.
    words = [[word for word in str(report).split() if set(word) != {"-"}] for report in reports]
    assert words[0] == words[1]
    assert own.to_dataframe().to_dict() == theirs.to_dataframe().to_dict()
    own.save(tmp_path / "report.json")
    saved = json.loads((tmp_path / "report.json").read_text())
    expected = theirs.to_dict()
    assert saved["good"]["scores"] == pytest.approx(expected["good"]["scores"])
    assert saved["mixed"]["win_tie_loss"] == expected["mixed"]["win_tie_loss"]
    assert saved["model_names"] == expected["model_names"]
    assert "\\begin{table}" in own.to_latex() or "\\begin{tabular}" in own.to_latex()
    shown = ours.compare(
        ours.Qrels(qrels), [ours.Run(good, name="a"), ours.Run(mixed, name="b")], "mrr", show_percentages=True
    )
    assert "100.0" in str(shown)


def test_fusion_is_tuned_to_the_same_parameters(real):
    for method, settings in (("wsum", {}), ("rrf", {})):
        found = [
            package.optimize_fusion(
                package.Qrels(QRELS), [package.Run(RUN), package.Run(OTHER)], "min-max", method, "ndcg@3",
                show_progress=False, **settings,
            )
            for package in (real, ours)
        ]
        theirs = {name: list(value) if name == "weights" else value for name, value in found[0].items()}
        assert found[1] == theirs, method
        fused = ours.fuse([ours.Run(RUN), ours.Run(OTHER)], method=method, params=found[1])
        assert len(fused) == 2


@pytest.mark.parametrize(
    ("call", "replacement"),
    [
        (lambda: ours.Qrels.from_ir_datasets("msmarco-document/dev"), r"ir_datasets.load\('msmarco"),
        (lambda: ours.Run.from_ranxhub("run-id"), "Run.from_file"),
        (lambda: ours.compare(ours.Qrels(QRELS), [ours.Run(RUN)], "mrr", stat_test="tukey"), "student, fisher"),
        (lambda: ours.plot(ours.Qrels(QRELS), [ours.Run(RUN)]), "to_html"),
        (lambda: ours.Run(RUN).save("run.lz4"), "json, trec or parquet"),
        (lambda: ours.optimize_fusion(ours.Qrels(QRELS), [ours.Run(RUN)], method="mixed"), "wsum, rrf"),
    ],
)
def test_what_is_not_here_names_its_replacement(call, replacement):
    with pytest.raises(BadInput, match=replacement):
        call()
