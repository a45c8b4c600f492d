#!/usr/bin/env python3
"""Trains the safety gate's second stage: a table of weights for hashed words and letter groups.

    python3 scripts/train_gate.py FOLDER [--write] [--numbers FILE]

FOLDER holds `gate_train.jsonl`, `gate_dev.jsonl` and `gate_contrasts.jsonl`: one object a line with `source`,
`response`, `label` (`harmful` or not) and perhaps `kind`. Needs NumPy, SciPy and scikit-learn. Prints how the stage does on sources it was not
trained on; with --write the table goes to crates/methods/defaults/gate. No row is printed, and none can be read back
out of the table. Features are those of crates/methods/src/gate/learned.rs, to the bit.
"""

import json
import sys
import tomllib
import unicodedata
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

DEFAULTS = Path(__file__).resolve().parent.parent / "crates/methods/defaults/gate"
# Sources whose licences allow to ship what is learned from them: MIT and Apache-2.0. Sources under share-alike or
# non-commercial licences are only measured on.
TRAINED_ON = ("gptfuzz", "auto-j")
BUCKETS = 1 << 17
WORDS_MAX, WORDS_MIN, WORD_BYTES_MAX = 600, 150, 40
# The share of harmless answers of sources it was not trained on that this stage may fail.
FALSE_POSITIVE_RATE = 0.001
# How little the ridge penalty pulls: of 1, 4 and 16 the one with the best figures on gate_dev.jsonl.
STRENGTH = 4.0
FOLDS = 5
OFFSET, PRIME, MASK = 0xCBF29CE484222325, 0x100000001B3, (1 << 64) - 1

INVISIBLE = {0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFEFF, 0xFFA0}
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


ALONE, GROUPS = {}, {}


def alone(word):
    """The state of the hash after a word and the space behind it."""
    if word not in ALONE:
        ALONE[word] = hashed(word.encode()[:WORD_BYTES_MAX] + b" ", kind=1)
    return ALONE[word]


def groups(word):
    if word not in GROUPS:
        padded = b" " + word.encode()[:WORD_BYTES_MAX] + b" "
        found = [padded[i : i + n] for n in (3, 4, 5) for i in range(len(padded) - n + 1)]
        GROUPS[word] = [bucket(hashed(group, kind=2)) for group in found]
    return GROUPS[word]


PAIRS = {}


def features(words):
    """Places of words and pairs, and places of letter groups; each place once over both."""
    worded, seen = [], set()
    for index, word in enumerate(words):
        state = alone(word)
        found = [bucket(state)]
        if index + 1 < len(words):
            pair = (word, words[index + 1])
            if pair not in PAIRS:
                PAIRS[pair] = bucket(hashed(pair[1].encode()[:WORD_BYTES_MAX] + b" ", state))
            found.append(PAIRS[pair])
        for place in found:
            if place not in seen:
                seen.add(place)
                worded.append(place)
    grouped = []
    for word in words:
        for place in groups(word):
            if place not in seen:
                seen.add(place)
                grouped.append(place)
    places = np.array(worded + grouped, dtype=np.int64)
    values = np.concatenate([np.full(len(part), 1 / np.sqrt(max(len(part), 1))) for part in (worded, grouped)])
    return places, values


class Item:
    def __init__(self, row):
        self.source, self.kind = row["source"], row.get("kind") or ""
        self.harmful = row["label"] == "harmful"
        self.stretches = [features(words) for words in stretches(words_of(folded(row["response"])))]


def read(path):
    return [Item(json.loads(line)) for line in path.read_text().splitlines() if line.strip()]


def train(items):
    """Ridge logistic regression: of a harmful answer its first stretch, of a harmless one every stretch."""
    rows = [(stretch, item.harmful) for item in items for stretch in item.stretches[: 1 if item.harmful else None]]
    places = np.concatenate([stretch[0] for stretch, _ in rows])
    values = np.concatenate([stretch[1] for stretch, _ in rows])
    starts = np.cumsum([0] + [len(stretch[0]) for stretch, _ in rows])
    matrix = csr_matrix((values, places, starts), shape=(len(rows), BUCKETS))
    model = LogisticRegression(C=STRENGTH, solver="liblinear", max_iter=300, tol=1e-4, random_state=7)
    model.fit(matrix, [harmful for _, harmful in rows])
    return Table(np.append(model.coef_[0], model.intercept_[0]))


class Table:
    """Weights in a signed byte each; the largest are cut to the 99.9th percentile."""

    def __init__(self, weights):
        self.step = float(np.quantile(np.abs(weights[:BUCKETS]), 0.999) / 127)
        self.steps = np.floor(np.clip(weights[:BUCKETS] / self.step, -127, 127) + 0.5).astype(np.int8)
        self.bias = float(weights[BUCKETS])

    def score(self, item):
        scores = [self.bias + self.step * (self.steps[places] @ values) for places, values in item.stretches]
        return max(scores, default=-np.inf)


def main():
    folder = Path(sys.argv[1])
    items, dev, contrasts = (read(folder / f"gate_{name}.jsonl") for name in ("train", "dev", "contrasts"))
    trained = [item for item in items if item.source in TRAINED_ON]
    table = train(trained)
    spared = {}
    for item in items:
        if item.source not in TRAINED_ON and not item.harmful:
            spared.setdefault(item.source, []).append(table.score(item))
    threshold = float(np.quantile(np.concatenate(list(spared.values())), 1 - FALSE_POSITIVE_RATE))
    print(f"trained on {len(trained)} answers; step {table.step:.5f}, bias {table.bias:.3f}, threshold {threshold:.3f}")
    found = np.array([table.score(item) for item in dev])
    harmful = np.array([item.harmful for item in dev])
    refusal = np.array(["refusal" in item.kind for item in dev])
    safe = np.array([table.score(item) for item in contrasts if not item.harmful])
    for at in sorted({threshold, *np.arange(-1.5, 2.6, 0.5)}):
        by_source = ", ".join(f"{name} {np.mean(np.array(scores) > at):.4f}" for name, scores in spared.items())
        print(
            f"  above {at:+.2f}: dev recall {np.mean(found[harmful] > at):.3f}, false positives {np.mean(found[~harmful] > at):.4f}, "
            f"refusals {int(np.sum(found[refusal] > at))}, safe contrasts {int(np.sum(safe > at))}; {by_source}"
        )
    if "--numbers" in sys.argv:
        numbers(Path(sys.argv[sys.argv.index("--numbers") + 1]), table, trained, items, dev, contrasts)
    if "--write" in sys.argv:
        (DEFAULTS / "learned.bin").write_bytes(table.steps.tobytes())
        (DEFAULTS / "learned.toml").write_text(
            "# Made by `python3 scripts/train_gate.py FOLDER --write`; docs/guide/gate.md says what it rests on.\n"
            f"# The table beside it: {BUCKETS} signed bytes.\n"
            f"step = {table.step!r}\nbias = {table.bias!r}\n"
            f"# Fails {FALSE_POSITIVE_RATE} of the harmless answers of the sources it was not trained on.\n"
            f"threshold = {threshold!r}\n"
        )


def numbers(path, table, trained, items, dev, contrasts):
    """Scores by a table that did not see the row: numbers to choose a threshold by, without any text."""
    folds = [train([item for index, item in enumerate(trained) if index % FOLDS != fold]) for fold in range(FOLDS)]
    lines, place = ["part,source,harmful,kind,score"], 0
    for part, rows in (("train", items), ("dev", dev), ("contrasts", contrasts)):
        for item in rows:
            by = table
            if part == "train" and item.source in TRAINED_ON:
                by, place = folds[place % FOLDS], place + 1
            lines.append(f"{part},{item.source},{int(item.harmful)},{item.kind.replace(',', ' ')},{by.score(item):.4f}")
    path.write_text("\n".join(lines) + "\n")


main()
