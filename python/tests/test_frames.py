"""Results as frames, for papers and in notebooks; what is swapped or missing is named."""

import pytest

import assize
from assize import compliance, council, judges, summary
from assize._frames import Found
from assize.errors import BadInput

RUN = {"q1": {"a": 2.5, "b": 1.5, "c": 0.5}, "q2": {"b": 2.0, "a": 1.0}}
QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"a": 2}}


def results(folder):
    items = folder / "items.csv"
    items.write_text("id,judge,ann\n" + "".join(f"i{n},{n % 5},{(n + n % 2) % 5}\n" for n in range(20)))
    scored = assize.score(RUN, QRELS, ["ndcg@10", "map"])
    criteria = [{"id": "A-1", "requirement": "Passwords must be changed every 90 days."}]
    reviews = {"judge": {"x": {"accuracy": 8}, "y": {"accuracy": 3}}}
    return {
        "score": scored,
        "per query": scored.per_query,
        "comparison": assize.compare({"one": RUN, "two": RUN}, QRELS, "map"),
        "summary": summary.score("The barrier cost 3 million euros. It was built in May.", "It cost 3 million euros."),
        "evaluation": compliance.evaluate({"policy": "Passwords must be changed every 90 days."}, criteria),
        "agreement": assize.agree([1, 2, 3, 4, 5], [1, 2, 3, 5, 4]),
        "judges": judges.bench(items, {"judge": "col:judge"}, {"ann": "col:ann"}, resamples=50),
        "council": council.review({"x": "yes", "y": "no"}, reviews, question="Is it?"),
    }


def test_every_result_is_a_frame_a_table_of_latex_and_html(tmp_path):
    import pandas
    import polars

    for name, found in results(tmp_path).items():
        by_pandas, by_polars = found.to_pandas(), found.to_polars()
        assert isinstance(by_pandas, pandas.DataFrame), name
        assert isinstance(by_polars, polars.DataFrame), name
        assert len(by_pandas) == len(by_polars) > 0, name
        assert list(by_pandas.columns) == by_polars.columns, name
        assert "\\begin{tab" in found.to_latex(), name
        assert "<" in found._repr_html_(), name


def test_rows_hold_what_the_results_say(tmp_path):
    found = results(tmp_path)
    means = found["score"].to_pandas().set_index("measure")["mean"].to_dict()
    assert means == found["score"].mean
    assert found["evaluation"].to_pandas()["criteria_id"].tolist() == ["A-1"]
    assert found["judges"]["judges"][0]["name"] == "judge" == found["judges"].to_pandas()["name"][0]


def test_latex_escapes_and_has_real_minus_signs():
    table = Found({}, [{"a_b": "50 % & more", "x": -0.5}])
    assert table.to_latex().splitlines()[2:5] == ["a\\_b & x \\\\", "\\midrule", "50 \\% \\& more & $-0.5000$ \\\\"]
    assert "<td>50 % &amp; more</td>" in table._repr_html_()


def test_swapped_arguments_are_named():
    with pytest.raises(BadInput, match="seem to be swapped: score\\(run, qrels\\)"):
        assize.score(QRELS, RUN)
    # Whole numbers as scores and floats as levels are no proof.
    assert assize.score({"q": {"a": 3, "b": 2}}, {"q": {"a": 1.0}}, "map")["map"] == 1.0
    with pytest.raises(BadInput, match="the run comes first"):
        assize.score({"q": {"a": 1}}, {"q": {"a": 0.5}})


def test_a_file_that_is_not_there_is_pythons_own_error(tmp_path):
    run = tmp_path / "run.trec"
    run.write_text("q1 Q0 a 1 1.0 x\n")
    for call in (
        lambda: assize.score(str(tmp_path / "nothere.trec"), str(run)),
        lambda: assize.score(str(run), str(tmp_path / "nothere.qrels")),
        lambda: compliance.evaluate([tmp_path / "nothere.md"], tmp_path / "nothere.csv"),
    ):
        with pytest.raises(FileNotFoundError, match="nothere") as raised:
            call()
        assert isinstance(raised.value, BadInput)


def test_agreement_is_drawn_with_the_numbers_behind_each_plot(tmp_path):
    found = results(tmp_path)
    for name in ("agreement", "judges"):
        page = found[name].to_html()
        assert page.count("<svg") == page.count("data:text/csv") >= 2, name
        assert "srcdoc" in found[name].plot()._repr_html_(), name
    assert "Everybody with everybody" in found["judges"].to_html()
