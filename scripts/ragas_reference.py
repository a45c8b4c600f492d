"""What ragas says of small sets of contexts, where it asks no model: the reference of our tests.

usage: python3 -m venv /tmp/ragas && /tmp/ragas/bin/pip install ragas==0.4.3 rapidfuzz 'langchain-community<0.4'
       /tmp/ragas/bin/python scripts/ragas_reference.py > crates/methods/tests/data/ragas_reference.json

The texts are made here by a fixed seed: sentences that are kept, cut, joined, misspelt or replaced, so that
distances fall on both sides of a half and, in the first cases, on it.
"""

import asyncio
import json
import random

from ragas.dataset_schema import SingleTurnSample
from ragas.metrics import NonLLMContextPrecisionWithReference, NonLLMContextRecall

SENTENCES = [
    "The tenant pays the rent on the first day of each month.",
    "The owner repairs the roof and the outer walls.",
    "Either party may end the lease by written notice of three months.",
    "The key is returned to the harbour office on the day of departure.",
    "Größe und Lage der Räume ergeben sich aus der Anlage.",
    "No animals are kept in the warehouse.",
]

EXACT = [
    {"retrieved_contexts": ["abcd"], "reference_contexts": ["abxy"]},  # half of it changed
    {"retrieved_contexts": ["abcd", "abcx"], "reference_contexts": ["abcy"]},
    {"retrieved_contexts": ["", "a"], "reference_contexts": ["", "b"]},
    {"retrieved_contexts": ["The Tenant pays."], "reference_contexts": ["the tenant pays."]},
    {"retrieved_contexts": ["x" * 10], "reference_contexts": ["x" * 20, "x" * 21]},
]


def changed(rng, text):
    kind = rng.randrange(5)
    if kind == 0:
        return text
    if kind == 1:
        return text[: rng.randrange(1, len(text))]
    if kind == 2:
        return text + " " + rng.choice(SENTENCES)
    if kind == 3:
        letters = list(text)
        for _ in range(rng.randrange(1, len(letters))):
            letters[rng.randrange(len(letters))] = rng.choice("aeiou ")
        return "".join(letters)
    return rng.choice(SENTENCES)


def made(rng):
    reference = rng.sample(SENTENCES, rng.randrange(1, 4))
    retrieved = [changed(rng, rng.choice(SENTENCES)) for _ in range(rng.randrange(1, 6))]
    return {"retrieved_contexts": retrieved, "reference_contexts": reference}


async def main():
    rng = random.Random(5)
    metrics = [NonLLMContextPrecisionWithReference(), NonLLMContextRecall()]
    cases = EXACT + [made(rng) for _ in range(40)]
    for case in cases:
        for metric in metrics:
            case[metric.name] = float(await metric.single_turn_ascore(SingleTurnSample(**case)))
    print(json.dumps(cases, ensure_ascii=False, indent=1))


asyncio.run(main())
