"""The passage scorer as one would write it in Python with NLTK, a function a metric: the peer of `bench score`.

usage: passage_scorer.py PREDICTIONS GOLD PUNKT_PARAMETERS; the last line is the seconds for load and score.
"""
import json
import math
import pathlib
import re
import sys
import time

from nltk.tokenize import NLTKWordTokenizer
from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer


def punkt(folder):
    """The English sentence splitter from its parameter files."""
    parameters = PunktParameters()
    parameters.abbrev_types = set((folder / "abbrev_types.txt").read_text().split("\n")) - {""}
    for line in (folder / "collocations.tab").read_text().splitlines():
        parameters.collocations.add(tuple(line.split("\t")))
    parameters.sent_starters = set((folder / "sent_starters.txt").read_text().split("\n")) - {""}
    for line in (folder / "ortho_context.tab").read_text().splitlines():
        word, flags = line.split("\t")
        parameters.ortho_context[word] = int(flags)
    return PunktSentenceTokenizer(parameters)


def normal(text):
    return re.sub(r"\s+", " ", text.lower()).strip()


def matches(passage, gold):
    one, other = normal(passage), normal(gold)
    return other in one or one in other or one == other


def exact_match(passages, golds):
    top = passages[0] if passages else ""
    return float(any(top.strip().lower() == gold.strip().lower() for gold in golds))


def recall(passages, golds):
    return sum(any(matches(passage, gold) for passage in passages) for gold in golds) / len(golds)


def ndcg(passages, golds):
    relevance = [any(matches(passage, gold) for gold in golds) for passage in passages]
    gain = sum(hit / math.log2(rank + 2) for rank, hit in enumerate(relevance))
    ideal = sum(1 / math.log2(rank + 2) for rank in range(min(len(golds), 10)))
    return min(1.0, gain / ideal)


def main():
    predictions_path, gold_path, parameters = sys.argv[1:4]
    sentences, words = punkt(pathlib.Path(parameters)), NLTKWordTokenizer()

    def tokens(text):
        found = [token for sentence in sentences.tokenize(normal(text)) for token in words.tokenize(sentence)]
        return {token for token in found if token.isalnum()}

    def f1(left, right):
        one, other = tokens(left), tokens(right)
        if not one or not other:
            return float(one == other)
        shared = len(one & other)
        if not shared:
            return 0.0
        precision, recall = shared / len(one), shared / len(other)
        return 2 * precision * recall / (precision + recall)

    def span_f1(passages, golds):
        return max(f1(passages[0] if passages else "", gold) for gold in golds)

    started = time.process_time()
    with open(predictions_path) as file:
        predictions = json.load(file)
    with open(gold_path) as file:
        tests = json.load(file)["tests"]
    totals = dict.fromkeys((exact_match, span_f1, recall, ndcg), 0.0)
    for prediction, test in zip(predictions, tests):
        golds = [snippet["answer"] for snippet in test["snippets"]]
        passages = prediction["retrieved_passages"][:10]
        for metric in totals:
            totals[metric] += metric(passages, golds)
    print([total / len(predictions) for total in totals.values()])
    print(time.process_time() - started)


main()
