"""Compares retrieval of two builds on six collections whose queries name no document.

    python3 scripts/general_collections.py DATA FOLDER NAME=ASSIZE [NAME=ASSIZE] [--methods bm25,hybrid]

DATA is the folder of public data sets (`summary/*.jsonl`, `compliance/oscal`). BEIR folders are made of
it below FOLDER, the same each time: a summary looks for its article, a sentence of guidance for its
control. "Hard" leaves out the rarest third of a query's words. Every build searches every collection
with every method; the first build scores all runs. Printed is nDCG@10, then each other build and each
other method against the first, with t paired over queries.
"""

import hashlib
import json
import math
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

QUERIES = 600
PASSAGE_WORDS = 60
NEWS = ("summeval_dev", "xsumfaith_dev", "qags_cnndm", "cliff_dev")
CATALOG = "compliance/oscal/rev5_MODERATE_resolved_catalog-min.json"


def rows(data, name):
    with open(data / "summary" / f"{name}.jsonl", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def summaries(data, names):
    """Articles by identifier, and (summary, identifiers of its article)."""
    texts, pairs = {}, []
    for name in names:
        for row in rows(data, name):
            article = texts.setdefault(row["article"], f"d{len(texts)}")
            pairs.append((row["summary"], [article]))
    return {identifier: text for text, identifier in texts.items()}, pairs


def controls(data):
    catalog = json.loads((data / CATALOG).read_text(encoding="utf-8"))["catalog"]
    texts, pairs = {}, []

    def prose(part):
        return " ".join([part.get("prose", ""), *map(prose, part.get("parts", []))]).strip()

    def visit(control):
        parts = {part["name"]: prose(part) for part in control.get("parts", [])}
        if parts.get("statement"):
            texts[control["id"]] = f"{control['title']}. {parts['statement']}"
            sentences = re.split(r"(?<=[.!?])\s+", parts.get("guidance", ""))
            pairs.extend((text, [control["id"]]) for text in sentences if len(text.split()) > 4)
        for part in control.get("controls", []):
            visit(part)

    for group in catalog["groups"]:
        for control in group["controls"]:
            visit(control)
    return texts, pairs


def cut(texts, pairs):
    """Passages of so many words; every passage of the right article counts."""
    passages, places = {}, {}
    for identifier, text in texts.items():
        words = text.split()
        for number, start in enumerate(range(0, len(words), PASSAGE_WORDS)):
            name = f"{identifier}-{number}"
            passages[name] = " ".join(words[start : start + PASSAGE_WORDS])
            places.setdefault(identifier, []).append(name)
    return passages, [(query, places[article]) for query, [article] in pairs]


def words_of(text):
    return re.findall(r"\w+", text.lower())


def harder(texts, pairs):
    """Without the third of each query's words that the fewest texts have."""
    counts = Counter(word for text in texts.values() for word in set(words_of(text)))

    def shortened(query):
        words = query.split()
        rarity = lambda place: (min((counts[word] for word in words_of(words[place])), default=0), place)
        dropped = set(sorted(range(len(words)), key=rarity)[: len(words) // 3])
        return " ".join(word for place, word in enumerate(words) if place not in dropped)

    return texts, [(shortened(query), relevant) for query, relevant in pairs]


def collections(data):
    news = summaries(data, NEWS)
    edited, dialogues = (summaries(data, [name]) for name in ("summedits_dev", "dialsummeval"))
    return {
        "news": news,
        "news, hard": harder(*news),
        "edited summaries, hard": harder(*edited),
        "dialogues, hard": harder(*dialogues),
        "controls": controls(data),
        "60-word passages of news": cut(*news),
    }


def written(folder, texts, pairs):
    """The collection as a BEIR folder, with so many of its queries, chosen by their hash."""
    (folder / "qrels").mkdir(parents=True, exist_ok=True)
    distinct = {query: relevant for query, relevant in pairs if query.split()}
    chosen = sorted(distinct, key=lambda query: hashlib.sha256(query.encode()).digest())[:QUERIES]

    def lines(name, records):
        with open(folder / name, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(record) + "\n" for record in records)

    lines("corpus.jsonl", ({"_id": name, "text": text} for name, text in texts.items()))
    lines("queries.jsonl", ({"_id": f"q{n}", "text": query} for n, query in enumerate(chosen)))
    with open(folder / "qrels" / "test.tsv", "w", encoding="utf-8") as file:
        file.write("query-id\tcorpus-id\tscore\n")
        for number, query in enumerate(chosen):
            file.writelines(f"q{number}\t{name}\t1\n" for name in distinct[query])
    return len(texts), len(chosen)


def ndcg(folder, build, method, scorer):
    """nDCG@10 of every query."""
    run, values = folder / "run.trec", folder / "values.jsonl"
    place = [folder / "queries.jsonl", "--corpus", folder / "corpus.jsonl"]
    wanted = ["--method", method, "--k", "100", "--format", "trec", "-o", run]
    quiet = {"check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run([build, "retrieve", *place, *wanted], **quiet)
    options = ["-m", "ndcg@10", "--require-all", "--resamples", "0", "--per-query", values]
    subprocess.run([scorer, "score", run, folder / "qrels" / "test.tsv", *options], **quiet)
    found = map(json.loads, values.read_text(encoding="utf-8").splitlines())
    return {row["query"]: row["ndcg@10"] for row in found}


def paired_t(first, other):
    differences = [other[query] - first[query] for query in first]
    mean = sum(differences) / len(differences)
    variance = sum((one - mean) ** 2 for one in differences) / (len(differences) - 1)
    return mean / math.sqrt(variance / len(differences)) if variance else 0.0


def main(arguments):
    methods = ["bm25", "hybrid"]
    if "--methods" in arguments:
        place = arguments.index("--methods")
        methods = arguments[place + 1].split(",")
        del arguments[place : place + 2]
    data, folder, *builds = arguments
    builds = [tuple(build.split("=", 1)) for build in builds]
    scorer = builds[0][1]
    for name, collection in collections(Path(data)).items():
        place = Path(folder) / re.sub(r"\W+", "-", name)
        texts, queries = written(place, *collection)
        print(f"\n{name} ({texts:,} texts, {queries} queries)")
        values = {
            (build, method): ndcg(place, binary, method, scorer)
            for method in methods
            for build, binary in builds
        }
        for (build, method), one in values.items():
            line = f"  {method:<8} {build:<10} {sum(one.values()) / len(one):.4f}"
            if build != builds[0][0]:
                line += f"   t against {builds[0][0]}: {paired_t(values[builds[0][0], method], one):+.1f}"
            if method != methods[0]:
                line += f"   t against {methods[0]}: {paired_t(values[build, methods[0]], one):+.1f}"
            print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
