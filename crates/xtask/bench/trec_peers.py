"""Peers of `bench score` on TREC files.

usage: trec_peers.py PEER RUN QRELS; the last line is the seconds for load and score, compilation left out.
"""
import sys
import time


def with_pytrec_eval(run_path, qrels_path):
    import pytrec_eval

    def work():
        with open(qrels_path) as file:
            qrels = pytrec_eval.parse_qrel(file)
        with open(run_path) as file:
            run = pytrec_eval.parse_run(file)
        evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"map", "ndcg_cut.10", "recall.100", "recip_rank"})
        rows = evaluator.evaluate(run).values()
        return {name: sum(row[name] for row in rows) / len(rows) for name in next(iter(rows))}

    return work


def with_ir_measures(run_path, qrels_path):
    import ir_measures
    from ir_measures import AP, RR, R, nDCG

    def work():
        qrels = ir_measures.read_trec_qrels(qrels_path)
        run = ir_measures.read_trec_run(run_path)
        return ir_measures.calc_aggregate([AP, nDCG @ 10, R @ 100, RR], qrels, run)

    return work


def with_ranx(run_path, qrels_path):
    from ranx import Qrels, Run, evaluate

    def work():
        qrels = Qrels.from_file(qrels_path, kind="trec")
        run = Run.from_file(run_path, kind="trec")
        return evaluate(qrels, run, ["map", "ndcg@10", "recall@100", "mrr"], make_comparable=True)

    work()  # the first call compiles
    return work


def main():
    peer, run_path, qrels_path = sys.argv[1:4]
    work = {"pytrec_eval": with_pytrec_eval, "ir_measures": with_ir_measures, "ranx": with_ranx}[peer](run_path, qrels_path)
    best = None
    for _ in range(3):
        started = time.process_time()
        values = work()
        seconds = time.process_time() - started
        best = seconds if best is None else min(best, seconds)
    print(values)
    print(best)


main()
