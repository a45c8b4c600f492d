#!/usr/bin/env python3
"""Trains the safety gate's second stage: a table of weights for hashed words, pairs of words and groups of letters.

    for part in train dev contrasts; do assize council gate FOLDER/gate_$part.jsonl --format json > rules_$part.json; done
    python3 scripts/train_gate.py FOLDER rules_train.json rules_dev.json rules_contrasts.json [--write] [--held FILE RULES OLD]

FOLDER holds `gate_train.jsonl`, `gate_dev.jsonl` and `gate_contrasts.jsonl`: one object a line with `id`, `source`,
`response`, `label` (`harmful` or not), `category` and perhaps `kind`. The other files say what the rules alone do with the same answers. Needs
NumPy, SciPy and scikit-learn. Prints how both stages do on sources and topics that were not trained on, beside a plain TF-IDF regression;
with --write the table goes to crates/methods/defaults/gate. `--held` adds a file of a source that nothing was chosen by, with what the rules and
an older version of both stages do with it. No row is printed, and none can be read back out of the table. Features are
those of crates/methods/src/gate/learned.rs, to the bit.
"""

import argparse
import json
import tomllib
import unicodedata
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

DEFAULTS = Path(__file__).resolve().parent.parent / "crates/methods/defaults/gate"
# Rows with `use` = `train` are trained on: their licences allow it (MIT, Apache-2.0, and share-alike ones, of which no text
# is shipped). A source under a non-commercial licence has `use` = `measure`, and only counts false alarms.
BUCKETS = 1 << 18
# A feature that fewer stretches have than this has no weight.
STRETCHES_MIN = 3
GROUPED_MAX, GROUP_LENGTHS, GROUPS_SHARE = 24, (3, 4, 5), 0.5
WORDS_MAX, WORDS_MIN, WORD_BYTES_MAX = 600, 150, 40
# The largest weight in steps; weights beyond all but one in ten thousand are cut.
STEPS, CUT = 127, 0.9999
# Shares of harmless answers that rules and this stage together may fail, of every source when it is left out; the
# threshold for each is stored.
RATES = (0.002, 0.003, 0.005, 0.0075, 0.01, 0.013, 0.02, 0.03, 0.05)
# How little the ridge penalty pulls; 1 and 30 make no difference that these answers could show. Features are a fifth as
# long as those of length one that it was chosen for.
STRENGTH, SCALE = 8.0, 5.0
OFFSET, PRIME, MASK = 0xCBF29CE484222325, 0x100000001B3, (1 << 64) - 1

INVISIBLE = {0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFEFF, 0xFFA0}
for low, high in ((0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0xFE00, 0xFE0F), (0xE0000, 0xE007F)):
    INVISIBLE.update(range(low, high + 1))
LOOK_ALIKES = tomllib.loads((DEFAULTS / "words.toml").read_text()).get("look_alikes", {})


def folded(answer):
    """The text as the rules read it, as far as words go: what lies between words is a space."""
    out = []
    for character in answer:
        parts = character if character.isascii() else unicodedata.normalize("NFKD", character)
        for part in parts:
            if unicodedata.category(part).startswith("M") or ord(part) in INVISIBLE:
                continue
            if ord(part) < 32 and part not in "\n\r\t" or 127 <= ord(part) < 160:
                continue
            part = LOOK_ALIKES.get(part, part)
            if part in "'’‘ʼ`´*":
                continue
            out.append(part.lower())
    return "".join(out)


def words_of(text):
    """Runs of letters and digits."""
    return "".join(c if c.isalnum() else " " for c in text).split()


def stretches(words):
    """Stretches of words; what is left over belongs to the last."""
    starts = [s for s in range(0, len(words), WORDS_MAX) if s == 0 or len(words) - s >= WORDS_MIN]
    return [words[s : len(words) if len(words) - s - WORDS_MAX < WORDS_MIN else s + WORDS_MAX] for s in starts]


def hashed(data, state=None, kind=None):
    state = OFFSET if state is None else state
    if kind is not None:
        state = ((state ^ kind) * PRIME) & MASK
    for byte in data:
        state = ((state ^ byte) * PRIME) & MASK
    return state


def bucket(state):
    return (state ^ (state >> 32)) % BUCKETS


ALONE, PAIRS, GROUPS = {}, {}, {}


def alone(word):
    """The state of the hash after a word and the space behind it."""
    if word not in ALONE:
        ALONE[word] = hashed(word.encode()[:WORD_BYTES_MAX] + b" ", kind=1)
    return ALONE[word]


def paired(word, after):
    if (word, after) not in PAIRS:
        PAIRS[word, after] = bucket(hashed(after.encode()[:WORD_BYTES_MAX] + b" ", alone(word)))
    return PAIRS[word, after]


def groups(word):
    """Places of the groups of letters of a word, its edges included."""
    if word not in GROUPS:
        letters = " " + word[:GROUPED_MAX] + " "
        parts = {letters[i : i + n] for n in GROUP_LENGTHS for i in range(len(letters) - n + 1)}
        GROUPS[word] = np.array(sorted({bucket(hashed(part.encode(), kind=2)) for part in parts}), dtype=np.int64)
    return GROUPS[word]


def features(words):
    """Places of words and pairs of words, and places of groups of letters, each once."""
    told = {bucket(alone(word)) for word in words}
    told.update(paired(word, after) for word, after in zip(words, words[1:]))
    spelled = np.unique(np.concatenate([groups(word) for word in set(words)])) if words else np.array([], dtype=np.int64)
    return np.array(sorted(told), dtype=np.int64), spelled


class Item:
    def __init__(self, row, failed):
        self.source, self.kind, self.topic = row["source"], row.get("kind") or "", row.get("category") or ""
        self.use, self.harmful, self.failed = row.get("use"), row["label"] == "harmful", failed[row["id"]]
        self.texts = [" ".join(words) for words in stretches(words_of(folded(row["response"])))]
        self.stretches = [features(text.split()) for text in self.texts]


def read(path, failed):
    return [Item(json.loads(line), failed) for line in path.read_text().splitlines() if line.strip()]


def failed_in(paths):
    """Whether an answer fails, by its name, as `council gate --format json` says."""
    answers = [answer for path in paths for answer in json.loads(Path(path).read_text())["answers"]]
    return {answer["id"]: not answer.get("report", answer)["passed"] for answer in answers}


def used(items):
    """What is learned from: of a harmful answer its first stretch, of a harmless one every stretch."""
    return [(item, index) for item in items for index in range(1 if item.harmful else len(item.stretches)) if item.stretches]


def fitted(matrix, rows):
    model = LogisticRegression(C=STRENGTH, solver="liblinear", max_iter=300, tol=1e-3, random_state=7)
    return model.fit(matrix, [item.harmful for item, _ in rows])


class Table:
    """Weights times rarities as whole steps of one signed byte each."""

    def __init__(self, items):
        rows = used(items)
        found = np.zeros(BUCKETS)
        for item, index in rows:
            for places in item.stretches[index]:
                found[places] += 1
        rarity = np.where(found < STRETCHES_MIN, 0, np.log((1 + len(rows)) / (1 + found)) + 1) / SCALE
        parts = [(rarity[places] * share / np.sqrt(max(len(places), 1)), places) for item, index in rows for places, share in zip(item.stretches[index], (1, GROUPS_SHARE))]
        ends = np.cumsum([0] + [len(places) for _, places in parts])[::2]
        matrix = csr_matrix((np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts]), ends), shape=(len(rows), BUCKETS))
        model = fitted(matrix, rows)
        weights = model.coef_[0] * rarity
        self.step = float(np.quantile(np.abs(weights[weights != 0]), CUT) / STEPS)
        self.steps = np.floor(np.clip(weights / self.step, -STEPS, STEPS) + 0.5).astype("i1")
        self.bias = float(model.intercept_[0])

    def of(self, stretch):
        told, spelled = (float(self.steps[places].sum(dtype=np.int64)) / np.sqrt(max(len(places), 1)) for places in stretch)
        return self.bias + self.step * (told + GROUPS_SHARE * spelled)

    def scores(self, items):
        return np.array([max((self.of(stretch) for stretch in item.stretches), default=-np.inf) for item in items])


class Plain:
    """What anybody would do first: TF-IDF over words, pairs and groups of letters, and a regression."""

    def __init__(self, items):
        rows = used(items)
        common = {"min_df": STRETCHES_MIN, "binary": True}
        self.words = TfidfVectorizer(ngram_range=(1, 2), token_pattern=r"\S+", **common)
        self.letters = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), **common)
        texts = [item.texts[index] for item, index in rows]
        self.model = fitted(hstack([part.fit_transform(texts) for part in (self.words, self.letters)]).tocsr(), rows)

    def scores(self, items):
        texts = [text for item in items for text in item.texts or [""]]
        owners = [number for number, item in enumerate(items) for _ in item.texts or [""]]
        scores = np.full(len(items), -np.inf)
        found = self.model.decision_function(hstack([part.transform(texts) for part in (self.words, self.letters)]).tocsr())
        np.maximum.at(scores, owners, found)
        return scores


class Part:
    """Answers with their scores by a model that was not trained on them, and what the rules do."""

    def __init__(self, items, model):
        self.scores = model.scores(items)
        self.harmful = np.array([item.harmful for item in items], dtype=bool)
        self.failed = np.array([item.failed for item in items], dtype=bool)
        self.refusal = np.array(["refusal" in item.kind for item in items], dtype=bool)

    def share(self, at, harmful, stages):
        """The share of harmful, or of harmless, answers that fail."""
        fails = {"rules": self.failed, "learned": self.scores > at, "both": self.failed | (self.scores > at)}[stages]
        of = fails[self.harmful == harmful]
        return float(np.mean(of)) if len(of) else float("nan")


def threshold_of(others, rate):
    """The lowest threshold, in steps of 0.01, at which no source has too many false alarms of both stages."""
    fits = lambda at: all(part.share(at, False, "both") <= max(rate, part.share(99, False, "rules")) for part in others.values())
    return next(at for at in (step / 100 for step in range(-300, 600)) if fits(at))


def left_out(trained, items, dev, make):
    """Every source without harmful answers, and the development set, scored by a model that saw none of it."""
    model = make(trained)
    others = {"dev": Part(dev, model)}
    for name in sorted({item.source for item in items}):
        own = [item for item in items if item.source == name]
        if own[0].use != "train":
            others[name] = Part(own, model)
        elif not any(item.harmful for item in own):
            others[name] = Part(own, make([item for item in trained if item.source != name]))
    return model, others


def topics(trained, make):
    """Every topic of the harmful source scored by a model that saw none of its answers, harmful or not."""
    source = next(item.source for item in trained if item.harmful)
    parts = []
    for topic in sorted({item.topic for item in trained if item.source == source}):
        is_held = lambda item: item.source == source and item.topic == topic
        parts.append(Part([item for item in trained if is_held(item)], make([item for item in trained if not is_held(item)])))
    for name in ("scores", "harmful", "failed", "refusal"):
        setattr(parts[0], name, np.concatenate([getattr(part, name) for part in parts]))
    return parts[0]


def line(name, part, thresholds, rate, old=None):
    at = thresholds[rate]
    shares = [f"{stages} {part.share(at, True, stages):.3f} / {part.share(at, False, stages):.4f}" for stages in ("rules", "learned", "both")]
    if old is not None:
        shares.insert(1, f"before {np.mean(old[part.harmful]):.3f} / {np.mean(old[~part.harmful]):.4f}")
    print(f"  {name}, rate {rate}: {', '.join(shares)}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("rules", nargs=3)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--probe", action="store_true")
    parser.add_argument("--held", nargs=3, metavar=("FILE", "RULES", "OLD"), action="append", default=[])
    arguments = parser.parse_args()
    failed = failed_in(arguments.rules)
    items, dev, contrasts = (read(arguments.folder / f"gate_{name}.jsonl", failed) for name in ("train", "dev", "contrasts"))
    trained = [item for item in items if item.use == "train"]
    table = None
    print("share of harmful / of harmless answers that fail, all of sources and topics that were left out")
    for name, make in (("table", Table), ("plain", Plain)):
        model, others = left_out(trained, items, dev, make)
        thresholds = {rate: threshold_of(others, rate) for rate in RATES}
        if table is None:
            table, chosen = model, thresholds
        written = Part(contrasts, model)
        print(f"{name}: trained on {len(trained)} answers")
        by_topic = topics(trained, make)
        for rate, at in thresholds.items():
            line(f"dev above {at:+.2f}", others["dev"], thresholds, rate)
            line("topics", by_topic, thresholds, rate)
            alarms = ", ".join(f"{name} {part.share(at, False, 'both'):.4f}" for name, part in others.items())
            refusals = int(np.sum(others["dev"].scores[others["dev"].refusal] > at))
            print(f"    refusals failed {refusals}; safe contrasts failed {int(np.sum(written.scores[~written.harmful] > at))}; false alarms: {alarms}")
        for file, rules, old in arguments.held:
            held = read(Path(file), failed_in([rules]))
            before = failed_in([old])
            before = np.array([before[json.loads(row)["id"]] for row in Path(file).read_text().splitlines()])
            sources = sorted({item.source for item in held})
            for source in [None, *sources]:
                own = [source in (None, item.source) for item in held]
                part = Part([item for item, is_own in zip(held, own) if is_own], model)
                for rate in (0.005, 0.01, 0.013):
                    line(f"held {source or 'all'}", part, thresholds, rate, before[own])
    if arguments.probe:
        for text in ("To bake bread, mix flour and water.", "Don't worry — the café’s “naïve” waiter-bot said: it's ﬁne!", "word " * 700):
            print(max(table.of(features(words)) for words in stretches(words_of(folded(text)))))
    if arguments.write:
        (DEFAULTS / "learned.bin").write_bytes(table.steps.tobytes())
        (DEFAULTS / "learned.toml").write_text(
            "# Made by `python3 scripts/train_gate.py FOLDER RULES… --write`; docs/guide/gate.md says what it rests on.\n"
            f"# The table beside it: {BUCKETS} signed bytes.\n"
            f"step = {table.step!r}\nbias = {table.bias!r}\n"
            "# Target rates and thresholds: rules and this stage together fail at most this share of the harmless answers of every\n# source when it is left out.\n"
            f"rates = {[[rate, at] for rate, at in chosen.items()]!r}\n"
        )


if __name__ == "__main__":
    main()
