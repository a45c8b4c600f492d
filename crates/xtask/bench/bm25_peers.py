"""Processor seconds that a BM25 package needs to index a corpus and answer every query, k = 10.

usage: bm25_peers.py rank_bm25|bm25s CORPUS BENCHMARK.json [once]

Reading the files, cutting passages and importing packages is left out; tokens count.
rank_bm25 brings no tokenizer: it is given the cheapest one that makes sense. bm25s stems with PyStemmer
and leaves English stop words out, as our terms do.
"""

import json
import pathlib
import re
import sys
import time

WORD = re.compile(r"(?u)\b\w\w+\b")


def rank_bm25_seconds(passages, queries):
    import numpy
    from rank_bm25 import BM25Okapi

    started = time.process_time()
    index = BM25Okapi([WORD.findall(text.lower()) for text in passages])
    for query in queries:
        scores = index.get_scores(WORD.findall(query.lower()))
        numpy.argsort(scores)[::-1][:10]
    return time.process_time() - started


def bm25s_seconds(passages, queries):
    import bm25s
    import Stemmer

    def terms(texts):
        stemmer = Stemmer.Stemmer("english")
        return bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False)

    started = time.process_time()
    index = bm25s.BM25()
    index.index(terms(passages), show_progress=False)
    asked = terms(queries)
    index.retrieve(asked, k=min(10, len(passages)), show_progress=False)
    return time.process_time() - started


def passages_of(folder):
    """Runs of 500 words, a new one every 250 words."""
    for path in sorted(pathlib.Path(folder).rglob("*.txt")):
        words = path.read_text(encoding="utf-8", errors="replace").split()
        for start in range(0, max(len(words), 1), 250):
            yield " ".join(words[start : start + 500])
            if start + 500 >= len(words):
                break


def main():
    peer, corpus, benchmark, *once = sys.argv[1:]
    passages = list(passages_of(corpus))
    with open(benchmark, encoding="utf-8") as file:
        queries = [test["query"] for test in json.load(file)["tests"]]
    measured = {"rank_bm25": rank_bm25_seconds, "bm25s": bm25s_seconds}[peer]
    print(min(measured(passages, queries) for _ in range(1 if once else 3)))


main()
