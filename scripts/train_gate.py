#!/usr/bin/env python3
"""Trains the safety gate's second stage: a table of weights for hashed words, pairs of words and groups of letters.

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
# Rows with `use` = `train` are trained on: their licences allow it (MIT, Apache-2.0, and share-alike ones, of which no text
# is shipped). A source under a non-commercial licence has `use` = `measure`, and only counts false alarms.
BUCKETS = 1 << 18
# How rare a feature is, in whole steps of this size; 0 for one that fewer answers have than this.
RARITY_STEPS, ANSWERS_MIN = 24, 3
GROUPED_MAX, GROUP_LENGTHS = 24, (3, 4, 5)
WORDS_MAX, WORDS_MIN, WORD_BYTES_MAX = 600, 150, 40
# The largest weight in steps.
STEPS = 32767
# Shares of harmless answers that rules and this stage together may fail, of every source when it is left out; the
# threshold for each is stored, and the one marked is used unless another is asked for.
RATES = (0.002, 0.003, 0.005, 0.0075, 0.01, 0.013, 0.02, 0.03, 0.05)
FALSE_POSITIVE_RATE = 0.01
# How little the ridge penalty pulls; 3 and 20 make no difference that these answers could show.
STRENGTH = 8.0
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


GROUPS = {}


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
        self.use = row.get("use")
        self.harmful, self.failed = row["label"] == "harmful", failed[row["id"]]
        self.declines = declines(row["response"])
        self.stretches = [features(words) for words in stretches(words_of(folded(row["response"])))]


def read(path, failed):
    return [Item(json.loads(line), failed) for line in path.read_text().splitlines() if line.strip()]


def by_rules(paths):
    """Whether the rules alone fail an answer, by its name."""
    answers = [answer for path in paths for answer in json.loads(Path(path).read_text())["answers"]]
    return {answer["id"]: not answer.get("report", answer)["passed"] for answer in answers}


REFUSAL = (DEFAULTS.parent.parent / "src/gate/refusal.rs").read_text()
WILL_NOT, HELP = (re.findall(r'"([^"]+)"', REFUSAL.split(f"const {name}:")[1].split("];")[0].split("= [")[1]) for name in ("WILL_NOT", "HELP"))


def declines(answer):
    """Whether an answer begins by declining, as the gate says it: such an answer is not scored."""
    plain = " ".join(re.sub("[’‘ʼ′`]", "'", answer.lstrip()[:240]).lower().split())
    clauses = (re.split("[.!?;]", plain[found.start() :])[0] for words in WILL_NOT for found in re.finditer(re.escape(words), plain))
    return any(verb in clause for clause in clauses for verb in HELP)


def rarity(rows):
    """How rare each place is among stretches of answers, in whole steps."""
    found = np.zeros(BUCKETS)
    for told, spelled in rows:
        found[told] += 1
        found[spelled] += 1
    steps = np.round(RARITY_STEPS * (np.log((1 + len(rows)) / (1 + found)) + 1))
    return np.where(found < ANSWERS_MIN, 0, np.clip(steps, 0, 255)).astype(np.uint8)


def vector(stretch, rare):
    """Places and values: rarities of the words, and of the groups of letters, each to length one."""
    values = [rare[places].astype(float) for places in stretch]
    return np.concatenate(stretch), np.concatenate([part / max(np.sqrt(part @ part), 1) for part in values])


def train(items):
    """Ridge logistic regression: of a harmful answer its first stretch, of a harmless one every stretch."""
    rows = [(stretch, item.harmful) for item in items for stretch in item.stretches[: 1 if item.harmful else None]]
    rare = rarity([stretch for stretch, _ in rows])
    vectors = [vector(stretch, rare) for stretch, _ in rows]
    starts = np.cumsum([0] + [len(places) for places, _ in vectors])
    values, places = (np.concatenate([part[index] for part in vectors]) for index in (1, 0))
    matrix = csr_matrix((values, places, starts), shape=(len(rows), BUCKETS))
    model = LogisticRegression(C=STRENGTH, solver="liblinear", max_iter=300, tol=1e-3, random_state=7)
    model.fit(matrix, [harmful for _, harmful in rows])
    return Table(np.append(model.coef_[0], model.intercept_[0]), rare)


class Table:
    """Weights as whole steps in two signed bytes each, and how rare each place is in one."""

    def __init__(self, weights, rare):
        self.step = float(np.max(np.abs(weights[:BUCKETS])) / STEPS)
        self.steps = np.floor(np.clip(weights[:BUCKETS] / self.step, -STEPS, STEPS) + 0.5).astype("<i2")
        self.bias, self.rare = float(weights[BUCKETS]), rare

    def score(self, item):
        if item.declines:
            return -np.inf
        return max((self.of(stretch) for stretch in item.stretches), default=-np.inf)

    def of(self, stretch):
        places, values = vector(stretch, self.rare)
        return self.bias + self.step * float(self.steps[places] @ values)


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


def threshold_of(others, rate):
    """The lowest threshold, in steps of 0.01, at which no source has too many false alarms of both stages."""
    fits = lambda at: all(part.share(at, False, "both") <= max(rate, part.share(99, False, "rules")) for part in others.values())
    return next(at for at in (step / 100 for step in range(-300, 600)) if fits(at))


def left_out(items, dev):
    """Every source scored by a table that saw none of it. A source without harmful answers costs one training each."""
    trained = [item for item in items if item.use == "train"]
    table = train(trained)
    others = {"dev": Part(dev, table)}
    for name in sorted({item.source for item in items}):
        own = [item for item in items if item.source == name]
        if own[0].use != "train":
            others[name] = Part(own, table)
        elif not any(item.harmful for item in own):
            others[name] = Part(own, train([item for item in trained if item.source != name]))
    return table, others


def main():
    arguments = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    folder, failed = Path(arguments[0]), by_rules(arguments[1:])
    items, dev, contrasts = (read(folder / f"gate_{name}.jsonl", failed) for name in ("train", "dev", "contrasts"))
    table, others = left_out(items, dev)
    written = Part(contrasts, table)
    thresholds = {rate: threshold_of(others, rate) for rate in RATES}
    print(f"trained on {sum(item.use == 'train' for item in items)} answers; step {table.step:.6f}, bias {table.bias:.3f}")
    found = others["dev"]
    for rate, at in thresholds.items():
        alarms = ", ".join(f"{name} {part.share(at, False, 'both'):.4f}" for name, part in others.items())
        print(
            f"  rate {rate}: above {at:+.2f}: dev recall rules {found.share(at, True, 'rules'):.3f} learned {found.share(at, True, 'learned'):.3f} "
            f"both {found.share(at, True, 'both'):.3f}, learned alone fails {found.share(at, False, 'learned'):.4f} of its harmless, "
            f"refusals failed {int(np.sum(found.scores[found.refusal] > at))}; "
            f"safe contrasts failed {int(np.sum(written.scores[~written.harmful] > at))}; false alarms of both: {alarms}"
        )
    if "--topics" in sys.argv:
        topics = topic_by_topic([item for item in items if item.use == "train"])
        for rate, at in thresholds.items():
            print(f"  topics left out, rate {rate}: " + ", ".join(f"{stages} {topics.share(at, True, stages):.3f}" for stages in ("rules", "learned", "both")))
    threshold = thresholds[FALSE_POSITIVE_RATE]
    if "--probe" in sys.argv:
        for text in ("To bake bread, mix flour and water.", "Don't worry — the café’s “naïve” waiter-bot said: it's ﬁne!", "word " * 700):
            print(max(table.of(features(words)) for words in stretches(words_of(folded(text)))))
    if "--write" in sys.argv:
        (DEFAULTS / "learned.bin").write_bytes(table.steps.tobytes() + table.rare.tobytes())
        (DEFAULTS / "learned.toml").write_text(
            "# Made by `python3 scripts/train_gate.py FOLDER RULES… --write`; docs/guide/gate.md says what it rests on.\n"
            f"# The table beside it: {BUCKETS} signed numbers of two bytes, the low byte first, then {BUCKETS} bytes: how rare each is.\n"
            f"step = {table.step!r}\nbias = {table.bias!r}\n"
            f"# Rules and this stage together fail at most {FALSE_POSITIVE_RATE} of the harmless answers of every source when it is left out.\n"
            f"threshold = {threshold!r}\n# The same for other rates: rate and threshold.\n"
            f"rates = {[[rate, at] for rate, at in thresholds.items()]!r}\n"
        )


if __name__ == "__main__":
    main()
