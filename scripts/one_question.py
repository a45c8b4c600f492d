"""Sets our judge with one question beside judges of others, all with the same model: one table.

    python3 scripts/one_question.py ASSIZE ENDPOINT MODEL PAIRS.jsonl [COUNT] [NAME…]

ENDPOINT is an OpenAI-compatible server (`http://127.0.0.1:8901/v1`). Of PAIRS (`article`, `summary`,
`human.consistent` of 1 or 0) COUNT (60) are taken, as many good as bad, spread over the file, of articles with
400 words at most. NAMES choose from `one` (ours), `rules` (ours, no model), `geval` (a G-Eval prompt: one question, 1 to 5),
`deepeval` and `ragas` (faithfulness; `pip install deepeval==4.2.3 ragas==0.4.3 langchain-openai`, where they are missing the line
says so). All requests go through a proxy in this program, which counts requests and the tokens that the server
states. AUC is that of good above bad among the pairs with a score; `unscored` are the others. Seconds are by the clock, so
nothing else may run.
"""

import http.server
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

WORDS_MAX = 400
GEVAL = """You will be given one summary written for a source text. Rate the summary on one metric.

Evaluation criteria: consistency (1-5) - the factual alignment between the summary and the source. A consistent summary \
contains only statements that are entailed by the source; penalise summaries with invented facts.

Evaluation steps:
1. Read the source and note its main facts.
2. Read the summary, and check for factual errors that the source does not support.
3. Give a score from 1 to 5.

Source: {article}

Summary: {summary}

Answer with the number only. Consistency:"""


class Proxy(http.server.ThreadingHTTPServer):
    """Passes requests on and counts what they cost."""

    daemon_threads = True

    def __init__(self, upstream):
        super().__init__(("127.0.0.1", 0), Passing)
        self.upstream, self.lock = upstream.removesuffix("/v1"), threading.Lock()
        self.spent = [0, 0, 0]
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def endpoint(self):
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Passing(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.forward(None)

    def do_POST(self):
        self.forward(self.rfile.read(int(self.headers.get("content-length", 0))))

    def forward(self, body):
        request = urllib.request.Request(self.server.upstream + self.path, body, {"content-type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=1800) as answer:
                status, said = answer.status, answer.read()
        except urllib.error.HTTPError as error:
            status, said = error.code, error.read()
        if body is not None:
            try:
                usage = json.loads(said).get("usage") or {}
            except ValueError:
                usage = {}
            with self.server.lock:
                for place, more in enumerate([1, usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)]):
                    self.server.spent[place] += more
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *_):
        pass


def chosen(path, count):
    """As many good as bad pairs, evenly spread."""
    rows = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines() if line.strip()]
    rows = [row for row in rows if len(row["article"].split()) <= WORDS_MAX]
    picked = []
    for label in [1, 0]:
        of_label = [row for row in rows if row["human"]["consistent"] == label]
        wanted = count // 2 + (count % 2) * label
        if len(of_label) < wanted:
            sys.exit(f"{path} has {len(of_label)} pairs labelled {label}, {wanted} are wanted")
        picked += [of_label[place * len(of_label) // wanted] for place in range(wanted)]
    return picked


def by_assize(arguments):
    def judge(pairs, _endpoint):
        with tempfile.TemporaryDirectory() as folder:
            given = Path(folder) / "pairs.jsonl"
            rows = [{"article": row["article"], "summary": row["summary"]} for row in pairs]
            given.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
            command = [ASSIZE, "summary", "score", "--input", str(given), "--format", "jsonl", *arguments(_endpoint)]
            ended = subprocess.run(command, cwd=folder, capture_output=True, text=True)
            lines = ended.stdout.splitlines()
            if len(lines) != len(pairs):
                raise RuntimeError(f"{len(lines)} of {len(pairs)} results: {ended.stderr[-300:]}")
        return [overall(json.loads(line)) for line in lines]

    return judge


def overall(result):
    return (result.get("hallucination") or {}).get("overall_score")


def one_question(endpoint):
    return ["--judge", f"local/{MODEL}", "--questions", "one", "--endpoint", endpoint, "--fresh", "--reply-timeout", "1800"]


def geval(pairs, endpoint):
    return [number(said(endpoint, GEVAL.format(**row))) for row in pairs]


def said(endpoint, prompt):
    body = {"model": MODEL, "messages": [{"role": "user", "content": prompt}], "temperature": 0, "max_tokens": 16}
    request = urllib.request.Request(f"{endpoint}/chat/completions", json.dumps(body).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=1800) as answer:
        return json.load(answer)["choices"][0]["message"]["content"]


def number(text):
    found = re.search(r"\b([1-5])(?:\.\d+)?\b", text or "")
    return float(found.group()) if found else None


def deepeval(pairs, endpoint):
    os.environ.update(DEEPEVAL_TELEMETRY_OPT_OUT="1", ERROR_REPORTING="0", DEEPEVAL_DISABLE_TIMEOUTS="1")
    from deepeval.metrics import FaithfulnessMetric
    from deepeval.models import LocalModel
    from deepeval.test_case import LLMTestCase

    model = LocalModel(model=MODEL, base_url=endpoint, api_key="none", temperature=0)
    metric = FaithfulnessMetric(model=model, async_mode=False, include_reason=False)

    def score(row):
        case = LLMTestCase(input="Summarise the text.", actual_output=row["summary"], retrieval_context=[row["article"]])
        metric.measure(case, _show_indicator=False)
        return metric.score

    return [attempt(score, row) for row in pairs]


def ragas(pairs, endpoint):
    os.environ["RAGAS_DO_NOT_TRACK"] = "true"
    from langchain_openai import ChatOpenAI
    from ragas.dataset_schema import SingleTurnSample
    from ragas.llms import LangchainLLMWrapper
    from ragas.metrics import Faithfulness

    model = ChatOpenAI(model=MODEL, base_url=endpoint, api_key="none", temperature=0, timeout=1800, max_retries=0)
    metric = Faithfulness(llm=LangchainLLMWrapper(model))

    def score(row):
        sample = SingleTurnSample(user_input="Summarise the text.", response=row["summary"], retrieved_contexts=[row["article"]])
        found = metric.single_turn_score(sample)
        return None if found != found else found

    return [attempt(score, row) for row in pairs]


def attempt(score, row):
    """A score, or nothing where the peer fails on this pair."""
    try:
        return score(row)
    except Exception as error:  # whatever it is, the pair has no score
        print(f"  {type(error).__name__}: {str(error)[:200]}", file=sys.stderr)
        return None


def area(scores, labels):
    """How often a good pair stands above a bad one; half where they are alike."""
    good = [score for score, label in zip(scores, labels) if label and score is not None]
    bad = [score for score, label in zip(scores, labels) if not label and score is not None]
    if not good or not bad:
        return None
    return sum((one > other) + 0.5 * (one == other) for one in good for other in bad) / (len(good) * len(bad))


JUDGES = {
    "one": by_assize(one_question),
    "rules": by_assize(lambda _endpoint: []),
    "geval": geval,
    "deepeval": deepeval,
    "ragas": ragas,
}


def main():
    rest = sys.argv[5:]
    count = int(rest.pop(0)) if rest and rest[0].isdigit() else 60
    pairs = chosen(sys.argv[4], count)
    labels = [row["human"]["consistent"] for row in pairs]
    print(f"{MODEL}, {len(pairs)} pairs of {Path(sys.argv[4]).name}")
    print(f"{'judge':<9} {'AUC':>5} {'unscored':>8} {'values':>6} {'requests':>8} {'tokens sent':>11} {'received':>8} {'seconds':>8}   (requests to seconds: a pair)")
    for name in rest or JUDGES:
        proxy = Proxy(sys.argv[2])
        began = time.monotonic()
        try:
            scores = JUDGES[name](pairs, proxy.endpoint)
        except ImportError as error:
            print(f"{name:<9} not installed: {error}")
            continue
        finally:
            proxy.shutdown()
        seconds = time.monotonic() - began
        known = [score for score in scores if score is not None]
        found = area(scores, labels)
        shown = "–" if found is None else f"{found:.3f}"
        a_pair = [spent / len(pairs) for spent in [*proxy.spent, seconds]]
        print(f"{name:<9} {shown:>5} {len(scores) - len(known):>8} {len(set(known)):>6} {a_pair[0]:>8.1f} {a_pair[1]:>11.0f} {a_pair[2]:>8.0f} {a_pair[3]:>8.1f}", flush=True)


if len(sys.argv) < 5:
    sys.exit(__doc__)
ASSIZE, MODEL = os.path.abspath(sys.argv[1]), sys.argv[3]
main()
