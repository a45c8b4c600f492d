"""Measures local readers beside onnxruntime in one run, on the same pairs and one thread.

    python3 scripts/readers_bench.py ASSIZE READERS PAIRS.jsonl [LIMIT]

ASSIZE is the program, READERS a folder with `minilm-l6` (model.onnx) and `nli-xsmall` (model_f32.onnx)
beside their safetensors, PAIRS.jsonl has `p`, `h` and, if people judged them, `y` on each line. A fresh
environment with onnxruntime and tokenizers is made in a temporary folder. Both take turns, so that what
else the machine does falls on both; texts go to onnxruntime one at a time at their true length, which is
quicker for it than batches with padding.
"""

import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROUNDS = 3
PASSAGE_TOKENS = 128

CHILD = r"""
import json, sys, time
import numpy, onnxruntime
from tokenizers import Tokenizer
model, folder, file, cap = sys.argv[1:]
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = options.inter_op_num_threads = 1
session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
named = {one.name for one in session.get_inputs()}
tokenizer = Tokenizer.from_file(folder + "/tokenizer.json")
tokenizer.no_padding()
tokenizer.no_truncation()
rows = [json.loads(line) for line in open(file, encoding="utf-8")]
def one(row):
    texts = [row["p"]] if cap != "0" else [row["p"], row["h"]]
    encoding = tokenizer.encode(*texts)
    given = {"input_ids": encoding.ids, "attention_mask": encoding.attention_mask,
             "token_type_ids": encoding.type_ids}
    inputs = {name: numpy.array([given[name]], dtype=numpy.int64) for name in named}
    return len(encoding.ids), session.run(None, inputs)[0][0]
one(rows[0])
began = time.process_time()
results = [one(row) for row in rows]
seconds = time.process_time() - began
logits = [result[1].tolist() for result in results] if cap == "0" else []
print(json.dumps({"per_second": len(rows) / seconds, "logits": logits,
                  "tokens": sum(result[0] for result in results) / len(rows)}))
"""


def passages(python, readers, rows, target):
    """Passages of 128 tokens, made of the pairs' texts."""
    words = " ".join(f"{row['p']} {row['h']}" for row in rows).split()
    script = ("import json,sys\nfrom tokenizers import Tokenizer\n"
              "t=Tokenizer.from_file(sys.argv[1]);t.no_padding();t.no_truncation()\n"
              "w=json.load(sys.stdin);out=[];i=0\n"
              f"while len(out)<60 and i+{PASSAGE_TOKENS}<len(w):\n"
              f" n=next(n for n in range(50,{PASSAGE_TOKENS}+1) if len(t.encode(' '.join(w[i:i+n])).ids)>={PASSAGE_TOKENS} or n=={PASSAGE_TOKENS})\n"
              " out.append(' '.join(w[i:i+n]));i+=n\n"
              "print('\\n'.join(json.dumps({'p':x,'h':''}) for x in out))")
    made = subprocess.run([python, "-c", script, f"{readers}/minilm-l6/tokenizer.json"], check=True,
                          input=json.dumps(words), capture_output=True, text=True)
    target.write_text(made.stdout, encoding="utf-8")


def ours(assize, folder, file):
    """What the program measures of itself."""
    command = [assize, "readers", "bench", str(folder), "--pairs", str(file), "--limit", "100000", "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def theirs(python, model, folder, file, cap):
    command = [python, "-c", CHILD, str(model), str(folder), str(file), str(cap)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def probabilities(logits):
    import math
    highest = max(logits)
    powers = [math.exp(value - highest) for value in logits]
    return [power / sum(powers) for power in powers]


def compare(name, rounds):
    """Each round's figures, and the ratio of the medians."""
    middle = lambda values: sorted(values)[len(values) // 2]
    own = middle([one["per_second"] for one, _ in rounds])
    other = middle([two["per_second"] for _, two in rounds])
    tokens = rounds[0][1]["tokens"]
    print(f"{name}: {own:.1f} a CPU second, onnxruntime {other:.1f}, ratio {own / other:.2f} "
          f"(mean {tokens:.0f} tokens, {len(rounds)} rounds in turn)")


def main():
    assize, readers, file = os.path.abspath(sys.argv[1]), Path(sys.argv[2]).resolve(), Path(sys.argv[3])
    limit = int(sys.argv[4]) if len(sys.argv) > 4 else 200
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as made:
        venv.create(made, with_pip=True)
        python = f"{made}/bin/python"
        subprocess.run([python, "-m", "pip", "install", "-q", "onnxruntime==1.31.1", "tokenizers"], check=True)
        few, texts = Path(made) / "pairs.jsonl", Path(made) / "passages.jsonl"
        few.write_text("\n".join(json.dumps(row) for row in rows[:limit]), encoding="utf-8")
        passages(python, readers, rows, texts)
        encoder, entailment = readers / "minilm-l6", readers / "nli-xsmall"
        compare("minilm-l6, passages of 128 tokens",
                [(ours(assize, encoder, texts), theirs(python, encoder / "model.onnx", encoder, texts, 1))
                 for _ in range(ROUNDS)])
        rounds = [(ours(assize, entailment, few), theirs(python, entailment / "model_f32.onnx", entailment, few, 0))
                  for _ in range(ROUNDS)]
        compare("nli-xsmall, pairs at true length", rounds)
        own, other = rounds[0]
        furthest = max(abs(a - b) for shares, logits in zip(own["shares"], other["logits"])
                       for a, b in zip([shares["stated"], shares["open"], shares["denied"]], probabilities(logits)))
        print(f"nli-xsmall, largest difference of a probability: {furthest:.2e}")
        if own.get("right") is not None:
            print(f"nli-xsmall: right on {own['right']:.3f} of {own['count']}; area of what is stated "
                  f"{own['area']:.3f}, by shared words {own['words_area']:.3f}")


main()
