"""ROUGE-1, -2 and -L with stemming over a file of pairs; prints the seconds it took.

Imports and the reading of the file are left out of the time.
"""

import json
import sys
import time

from rouge_score import rouge_scorer


def main(path: str) -> None:
    with open(path, encoding="utf-8") as lines:
        pairs = [json.loads(line) for line in lines]
    scorer = rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=True)
    started = time.perf_counter()
    total = 0.0
    for pair in pairs:
        total += scorer.score(pair["article"], pair["summary"])["rouge1"].fmeasure
    print(f"mean ROUGE-1 {total / len(pairs):.4f}")
    print(time.perf_counter() - started)


main(sys.argv[1])
