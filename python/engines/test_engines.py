"""Spark local[2] and Ray against the command line: the same bytes, null where unscored.

200,000 pairs and 100,000 queries; ASSIZE_ENGINE_SHARE (0 to 1) takes a share of them.
"""

import json
import os
import random
import subprocess
import time

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import assize

SHARE = float(os.environ.get("ASSIZE_ENGINE_SHARE", "1"))
PAIRS, QUERIES, DOCUMENTS = int(200_000 * SHARE), int(100_000 * SHARE), 10
MEASURES = ["ndcg@10", "map", "mrr"]
SENTENCES = [
    "The council approved the new bridge on Monday.", "It will cost 12 million euros.",
    "The bridge opens in 2027.", "Residents had asked for it since the flood of 2013.",
    "The mayor called the plan expensive.", "Work begins in the spring.",
    "Two companies offered to build it.", "The river was closed for three weeks.",
]


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("engines")


@pytest.fixture(scope="session")
def pairs(folder):
    """Pairs as Parquet and as JSON lines, some without words; and the command line's lines."""
    chance = random.Random(1)
    ids, articles, summaries = [], [], []
    for number in range(PAIRS):
        picked = chance.sample(SENTENCES, 4)
        ids.append(f"p{number:06}")
        articles.append(" ".join(picked))
        summaries.append("" if number % 97 == 0 else chance.choice(picked + SENTENCES))
    table = pa.table({"id": ids, "article": articles, "summary": summaries})
    pq.write_table(table, folder / "pairs.parquet", row_group_size=max(1, PAIRS // 16))
    begun = time.monotonic()
    words = ["assize", "summary", "score", "--input", str(folder / "pairs.parquet"), "--format", "jsonl"]
    with open(folder / "cards.jsonl", "w") as out:
        done = subprocess.run(words, stdout=out)
    assert done.returncode == 0
    seconds = time.monotonic() - begun
    report("command line", PAIRS, seconds, "pairs")
    lines = (folder / "cards.jsonl").read_text().splitlines()
    return folder / "pairs.parquet", dict(zip(ids, lines))


@pytest.fixture(scope="session")
def queries(folder):
    """A run and its judgements, and each query's values by the command line."""
    chance = random.Random(2)
    run = {"query": [], "document": [], "score": []}
    qrels = {"query": [], "document": [], "relevance": []}
    for number in range(QUERIES):
        found = chance.sample(range(1000), DOCUMENTS)
        run["query"] += [f"q{number}"] * DOCUMENTS
        run["document"] += [f"d{document}" for document in found]
        run["score"] += [chance.randint(0, 8) / 2 for _ in found]
        judged = chance.sample(found, 3)
        qrels["query"] += [f"q{number}"] * 3
        qrels["document"] += [f"d{document}" for document in judged]
        qrels["relevance"] += [1, chance.randint(0, 2), 0]
    pq.write_table(pa.table(run), folder / "run.parquet")
    pq.write_table(pa.table(qrels), folder / "qrels.parquet")
    begun = time.monotonic()
    words = ["assize", "score", str(folder / "run.parquet"), str(folder / "qrels.parquet"), "-m",
             ",".join(MEASURES), "--per-query", str(folder / "values.jsonl"), "--resamples", "0"]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    report("command line", QUERIES, time.monotonic() - begun, "queries")
    lines = map(json.loads, (folder / "values.jsonl").read_text().splitlines())
    return {line.pop("query"): line for line in lines}


def report(what, count, seconds, unit):
    cores = os.cpu_count() or 1
    print(f"\n{what:<14} {count:,} {unit} in {seconds:6.1f} s: "
          f"{count / seconds:,.0f} a second, {count / seconds / cores:,.0f} a core", flush=True)


def same_scorecards(rows, expected):
    assert rows["id"] and sorted(rows["id"]) == sorted(expected)
    for name, card, coverage, reason in zip(
        rows["id"], rows["scorecard"], rows["coverage"], rows["reason"]
    ):
        assert card == expected[name]
        is_refused = "error" in json.loads(card)
        assert (reason is not None) == is_refused
        if is_refused:
            assert coverage is None
    assert any(reason is not None for reason in rows["reason"])


def same_values(rows, expected):
    assert sorted(rows["query"]) == sorted(expected)
    for place, query in enumerate(rows["query"]):
        # Equal to the bit: both came from the same code, JSON keeps every digit.
        assert {name: rows[name][place] for name in MEASURES} == expected[query]


@pytest.fixture(scope="session")
def spark():
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "2g")
        .config("spark.sql.shuffle.partitions", "8")
        .getOrCreate()
    )
    yield session
    session.stop()


def test_spark_gives_the_scorecards_of_the_command_line(spark, pairs):
    path, expected = pairs
    frame = spark.read.parquet(str(path)).repartition(8)
    assize.spark.summary_scores(frame.limit(100), id="id").count()  # workers start
    begun = time.monotonic()
    scored = assize.spark.summary_scores(frame, id="id", scorecard=True).toArrow()
    report("Spark local[2]", PAIRS, time.monotonic() - begun, "pairs")
    same_scorecards(scored.to_pydict(), expected)


def test_spark_gives_the_values_of_the_command_line(spark, folder, queries):
    run = spark.read.parquet(str(folder / "run.parquet"))
    qrels = spark.read.parquet(str(folder / "qrels.parquet"))
    begun = time.monotonic()
    values = assize.spark.score_queries(run, qrels, MEASURES).toArrow()
    report("Spark local[2]", QUERIES, time.monotonic() - begun, "queries")
    same_values(values.to_pydict(), queries)
    assert assize.report.means(values)["mrr"]["unscored"] == 0


@pytest.fixture(scope="session")
def ray():
    # Its workers stand behind everything else on the machine otherwise, the command line does not.
    os.environ.setdefault("RAY_worker_niceness", "0")
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield ray
    ray.shutdown()


def test_ray_gives_the_scorecards_of_the_command_line(ray, pairs):
    path, expected = pairs
    dataset = ray.data.read_parquet(str(path)).repartition(8)  # one file is one task otherwise
    begun = time.monotonic()
    scored = assize.ray.summary_scores(dataset, id="id", scorecard=True)
    rows = pa.concat_tables(ray.get(scored.to_arrow_refs())).to_pydict()
    report("Ray", PAIRS, time.monotonic() - begun, "pairs")
    same_scorecards(rows, expected)


def test_ray_gives_the_values_of_the_command_line(ray, folder, queries):
    run = pq.read_table(folder / "run.parquet")
    listed = run.group_by("query", use_threads=False).aggregate([("document", "list"), ("score", "list")])
    listed = listed.rename_columns(["query", "documents", "scores"])
    begun = time.monotonic()
    values = assize.ray.score_queries(
        ray.data.from_arrow(listed).repartition(8), str(folder / "qrels.parquet"), MEASURES, batch_size=20_000
    )
    rows = pa.concat_tables(ray.get(values.to_arrow_refs())).to_pydict()
    report("Ray", QUERIES, time.monotonic() - begun, "queries")
    same_values(rows, queries)
