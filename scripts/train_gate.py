#!/usr/bin/env python3
"""Trains the safety gate's second stage: a table of weights for hashed words and pairs of words.

    for part in train dev contrasts; do assize council gate FOLDER/gate_$part.jsonl --format json > rules_$part.json; done
    python3 scripts/train_gate.py FOLDER rules_train.json rules_dev.json rules_contrasts.json [--write]

FOLDER holds `gate_train.jsonl`, `gate_dev.jsonl` and `gate_contrasts.jsonl`: one object a line with `id`, `source`,
`response`, `label` (`harmful` or not), `category` and perhaps `kind`. The other files say what the rules alone do with the same answers. Needs
NumPy, SciPy and scikit-learn. Prints how both stages do on sources and topics that were not trained on; with --write
the table goes to crates/methods/defaults/gate. No row is printed, and none can be read back out of the table. Features
are those of crates/methods/src/gate/learned.rs, to the bit.
"""

import json
import re
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
# The largest weight in steps.
STEPS = 32767
# The share of harmless answers that rules and this stage together may fail, of every source it was not trained on.
FALSE_POSITIVE_RATE = 0.013
# How little the ridge penalty pulls; 3 and 20 make no difference that these answers could show.
STRENGTH = 8.0
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


ALONE, PAIRS = {}, {}


def alone(word):
    """The state of the hash after a word and the space behind it."""
    if word not in ALONE:
        ALONE[word] = hashed(word.encode()[:WORD_BYTES_MAX] + b" ", kind=1)
    return ALONE[word]


def paired(word, after):
    if (word, after) not in PAIRS:
        PAIRS[word, after] = bucket(hashed(after.encode()[:WORD_BYTES_MAX] + b" ", alone(word)))
    return PAIRS[word, after]


def features(words):
    """Places of words and pairs of words, each once; all weigh the same, and length alone moves nothing."""
    places = {bucket(alone(word)) for word in words}
    places.update(paired(word, after) for word, after in zip(words, words[1:]))
    places = np.array(sorted(places), dtype=np.int64)
    return places, np.full(len(places), 1 / np.sqrt(max(len(places), 1)))


class Item:
    def __init__(self, row, failed):
        self.source, self.kind, self.topic = row["source"], row.get("kind") or "", row.get("category") or ""
        self.harmful, self.failed = row["label"] == "harmful", failed[row["id"]]
        self.declines = declines(row["response"])
        self.stretches = [features(words) for words in stretches(words_of(folded(row["response"])))]


def read(path, failed):
    return [Item(json.loads(line), failed) for line in path.read_text().splitlines() if line.strip()]


def by_rules(paths):
    """Whether the rules alone fail an answer, by its name."""
    answers = [answer for path in paths for answer in json.loads(Path(path).read_text())["answers"]]
    return {answer["id"]: not answer["report"]["passed"] for answer in answers}


REFUSAL = (DEFAULTS.parent.parent / "src/gate/refusal.rs").read_text()
WILL_NOT, HELP = (re.findall(r'"([^"]+)"', REFUSAL.split(f"const {name}:")[1].split("];")[0].split("= [")[1]) for name in ("WILL_NOT", "HELP"))


def declines(answer):
    """Whether an answer begins by declining, as the gate says it: such an answer is not scored."""
    plain = " ".join(re.sub("[’‘ʼ′`]", "'", answer.lstrip()[:240]).lower().split())
    clauses = (re.split("[.!?;]", plain[found.start() :])[0] for words in WILL_NOT for found in re.finditer(re.escape(words), plain))
    return any(verb in clause for clause in clauses for verb in HELP)


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
    """Weights as whole steps, in two signed bytes each."""

    def __init__(self, weights):
        self.step = float(np.max(np.abs(weights[:BUCKETS])) / STEPS)
        self.steps = np.floor(np.clip(weights[:BUCKETS] / self.step, -STEPS, STEPS) + 0.5).astype("<i2")
        self.bias = float(weights[BUCKETS])

    def score(self, item):
        if item.declines:
            return -np.inf
        scores = [self.bias + self.step * (self.steps[places] @ values) for places, values in item.stretches]
        return max(scores, default=-np.inf)


class Part:
    """Answers with their scores by a table that was not trained on them, and what the rules do."""

    def __init__(self, items, table):
        self.scores = np.array([table.score(item) for item in items])
        self.harmful = np.array([item.harmful for item in items], dtype=bool)
        self.failed = np.array([item.failed for item in items], dtype=bool)
        self.refusal = np.array(["refusal" in item.kind for item in items], dtype=bool)

    def share(self, at, harmful, stages):
        """The share of harmful, or of harmless, answers that fail."""
        fails = {"rules": self.failed, "learned": self.scores > at, "both": self.failed | (self.scores > at)}[stages]
        of = fails[self.harmful == harmful]
        return float(np.mean(of)) if len(of) else float("nan")


def topic_by_topic(trained):
    """Every topic of the harmful source scored by a table that saw none of its answers, harmful or not."""
    source = next(item.source for item in trained if item.harmful)
    parts = []
    for topic in sorted({item.topic for item in trained if item.source == source}):
        held_out = [item for item in trained if item.source == source and item.topic == topic]
        kept = [item for item in trained if item.source != source or item.topic != topic]
        parts.append(Part(held_out, train(kept)))
    whole = parts[0]
    for name in ("scores", "harmful", "failed", "refusal"):
        setattr(whole, name, np.concatenate([getattr(part, name) for part in parts]))
    return whole


def threshold_of(others):
    """The lowest threshold, in steps of 0.01, at which no source has too many false alarms of both stages."""
    fits = lambda at: all(part.share(at, False, "both") <= FALSE_POSITIVE_RATE for part in others.values())
    return next(at for at in (step / 100 for step in range(-300, 500)) if fits(at))


def main():
    arguments = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    folder, failed = Path(arguments[0]), by_rules(arguments[1:])
    items, dev, contrasts = (read(folder / f"gate_{name}.jsonl", failed) for name in ("train", "dev", "contrasts"))
    trained = [item for item in items if item.source in TRAINED_ON]
    table = train(trained)
    sources = sorted({item.source for item in items} - set(TRAINED_ON))
    others = {name: Part([item for item in items if item.source == name], table) for name in sources}
    others["dev"] = Part(dev, table)
    written, topics = Part(contrasts, table), topic_by_topic(trained)
    threshold = threshold_of(others)
    print(f"trained on {len(trained)} answers; step {table.step:.5f}, bias {table.bias:.3f}, threshold {threshold:.2f}")
    for at in sorted({threshold, *np.arange(-1, 2.1, 0.25).tolist()}):
        found = others["dev"]
        alarms = ", ".join(f"{name} {part.share(at, False, 'both'):.4f}" for name, part in others.items())
        print(
            f"  above {at:+.2f}: dev recall rules {found.share(at, True, 'rules'):.3f} learned {found.share(at, True, 'learned'):.3f} "
            f"both {found.share(at, True, 'both'):.3f}, refusals failed {int(np.sum(found.scores[found.refusal] > at))}; "
            f"topics left out: rules {topics.share(at, True, 'rules'):.3f} learned {topics.share(at, True, 'learned'):.3f} "
            f"both {topics.share(at, True, 'both'):.3f}, their harmless {topics.share(at, False, 'both'):.3f} (rules "
            f"{topics.share(at, False, 'rules'):.3f}); safe contrasts failed {int(np.sum(written.scores[~written.harmful] > at))}; "
            f"false alarms of both: {alarms}"
        )
    if "--write" in sys.argv:
        (DEFAULTS / "learned.bin").write_bytes(table.steps.tobytes())
        (DEFAULTS / "learned.toml").write_text(
            "# Made by `python3 scripts/train_gate.py FOLDER RULES… --write`; docs/guide/gate.md says what it rests on.\n"
            f"# The table beside it: {BUCKETS} signed numbers of two bytes, the low byte first.\n"
            f"step = {table.step!r}\nbias = {table.bias!r}\n"
            f"# Rules and this stage together fail at most {FALSE_POSITIVE_RATE} of the harmless answers of every source not trained on.\n"
            f"threshold = {threshold!r}\n"
        )


if __name__ == "__main__":
    main()
