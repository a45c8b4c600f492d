"""Our time beside pytrec_eval, ir_measures and ranx on 10,000 queries of 100 documents.

Prints the best of several runs, by the clock and (in brackets) by processor time of all cores, which
says more on a machine that does other work. Imports and numba's compilation are left out. Each package
gets the same dicts and makes of them what it needs, as its users have it do; where judgements or runs
can be read once and used again, that is timed as well. ``cargo xtask bench python`` builds the wheel
and starts this.
"""

import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

import assize

QUERIES, DOCUMENTS = 10_000, 100
OURS = ["map", "ndcg@10", "recall@100", "mrr"]
TREC = {"map", "ndcg_cut.10", "recall.100", "recip_rank"}


def best(runs, work):
    """The shortest time by the clock, and the least processor time, both in seconds."""
    taken = []
    for _ in range(runs):
        begun, used = time.perf_counter(), time.process_time()
        work()
        taken.append((time.perf_counter() - begun, time.process_time() - used))
    return tuple(map(min, zip(*taken)))


def material():
    chance = random.Random(42)
    run, qrels = {}, {}
    for query in range(QUERIES):
        found = [f"doc{number}" for number in chance.sample(range(100_000), DOCUMENTS)]
        run[f"q{query}"] = {name: chance.random() for name in found}
        judged = chance.sample(found, 10)
        qrels[f"q{query}"] = {name: chance.randint(0, 2) for name in judged}
        qrels[f"q{query}"][found[0]] = 1
    return run, qrels


def row(name, ours, theirs):
    clock, processor = (them / us for us, them in zip(ours, theirs))
    print(f"  {name:<26} {shown(theirs)}   assize {shown(ours)}   {clock:5.1f}x ({processor:.1f}x)", flush=True)


def shown(taken):
    return f"{taken[0] * 1e3:7.0f} ms ({taken[1] * 1e3:.0f})"


def main():
    import ir_measures
    import pyarrow as pa
    import pytrec_eval
    import ranx

    load = os.getloadavg()[0]
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores, load {load:.1f} at the start")
    run, qrels = material()
    measures = [ir_measures.parse_measure(name) for name in ("AP", "nDCG@10", "R@100", "RR")]
    metrics = ["map", "ndcg@10", "recall@100", "mrr"]
    ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), metrics)  # numba compiles

    print(f"\n{QUERIES:,} queries x {DOCUMENTS} documents, four measures, from Python dicts")
    ours = best(5, lambda: assize.score(run, qrels, OURS, resamples=0))
    row("pytrec_eval", ours, best(3, lambda: pytrec_eval.RelevanceEvaluator(qrels, TREC).evaluate(run)))
    row("ir_measures", ours, best(1, lambda: ir_measures.calc_aggregate(measures, qrels, run)))
    row("ranx (warm)", ours, best(3, lambda: ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), metrics)))
    evaluator, gold = pytrec_eval.RelevanceEvaluator(qrels, TREC), assize.Qrels(qrels)
    known = best(5, lambda: assize.score(run, gold, OURS, resamples=0))
    row("pytrec_eval, qrels before", known, best(3, lambda: evaluator.evaluate(run)))
    read = assize.Run(run), gold
    again = best(5, lambda: assize.score(*read, OURS, resamples=0))
    there = ranx.Qrels(qrels), ranx.Run(run)
    row("ranx, both read before", again, best(3, lambda: ranx.evaluate(*there, metrics)))

    columns = {"query": [], "document": [], "score": []}
    for query, documents in run.items():
        columns["query"] += [query] * len(documents)
        columns["document"] += documents
        columns["score"] += documents.values()
    table = pa.table(columns)
    print(f"  assize from Arrow {shown(best(5, lambda: assize.score(table, gold, OURS, resamples=0)))}")

    with tempfile.TemporaryDirectory() as folder:
        files(pathlib.Path(folder), run, qrels, measures, metrics)
    summaries()
    imports()


def imports():
    code = (
        "import time; b, p = time.perf_counter(), time.process_time(); import assize; "
        "print(time.perf_counter() - b, time.process_time() - p)"
    )
    starts = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True) for _ in range(20)]
    taken = list(zip(*(map(float, start.stdout.split()) for start in starts)))
    best_of, middle = (tuple(map(of, taken)) for of in (min, statistics.median))
    print(f"\nimport assize, 20 times: best {shown(best_of)}, median {shown(middle)} (wanted: under 50)")


def files(folder, run, qrels, measures, metrics):
    import ir_measures
    import pytrec_eval
    import ranx

    one, other = folder / "run.trec", folder / "qrels.trec"
    with one.open("w") as file:
        for query, documents in run.items():
            best_first = sorted(documents.items(), key=lambda entry: -entry[1])
            for rank, (document, score) in enumerate(best_first, start=1):
                file.write(f"{query} Q0 {document} {rank} {score} bench\n")
    with other.open("w") as file:
        for query, documents in qrels.items():
            for document, level in documents.items():
                file.write(f"{query} 0 {document} {level}\n")

    def by_pytrec_eval():
        with other.open() as gold, one.open() as found:
            judgements, scores = pytrec_eval.parse_qrel(gold), pytrec_eval.parse_run(found)
        pytrec_eval.RelevanceEvaluator(judgements, TREC).evaluate(scores)

    def by_ir_measures():
        judgements = ir_measures.read_trec_qrels(str(other))
        ir_measures.calc_aggregate(measures, judgements, ir_measures.read_trec_run(str(one)))

    def by_ranx():
        judgements = ranx.Qrels.from_file(str(other), kind="trec")
        ranx.evaluate(judgements, ranx.Run.from_file(str(one), kind="trec"), metrics)

    print("\nthe same from TREC files")
    ours = best(5, lambda: assize.score(one, other, OURS, resamples=0))
    row("pytrec_eval", ours, best(2, by_pytrec_eval))
    row("ir_measures", ours, best(1, by_ir_measures))
    row("ranx (warm)", ours, best(2, by_ranx))


def summaries():
    article = ("The council approved the new bridge on Monday. It will cost 12 million euros and open in "
               "2027. Residents had asked for it since the flood of 2013. ") * 4
    summary = "The council approved a new bridge on Monday, which will cost 12 million euros."
    count = 4_000
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "pairs.jsonl"
        import json

        line = json.dumps({"article": article, "summary": summary}) + "\n"
        path.write_text(line * count)
        words = ["assize", "summary", "score", "--input", str(path), "--format", "jsonl"]
        command, _ = best(3, lambda: subprocess.run(words, capture_output=True, check=True))
    table = assize.Table.from_columns({"article": [article] * count, "summary": [summary] * count})
    batch, _ = best(3, lambda: assize.summary.score_batch(table, scorecard=True))
    print(f"\n{count:,} summaries, scorecards on all cores")
    print(f"  command line {count / command:8.0f} a second   score_batch {count / batch:8.0f} a second   "
          f"{command / batch * 100:.0f} %")


if __name__ == "__main__":
    main()
