"""Writes cases/foreign: small files as other tools write them, made by running those tools.

    python scripts/foreign_files.py TOOL [FOLDER]

Each TOOL needs its package, best in an environment of its own (tried with the versions named):
inspect (inspect-ai 0.3.285), mlflow (mlflow-skinny 3.17.2, pandas), ragas (ragas 0.4.3, langchain-community<0.4),
otel (opentelemetry-sdk and opentelemetry-exporter-otlp-proto-common 1.45.2), parquet (datasets 5.2.0), langfuse
(langfuse 5.0.4: its client's own types, as no server runs here), phoenix (arize-phoenix 20.26.1: a server on loopback
is started, filled and asked; it also writes the samples of OpenAI evals), evals (evals 3.0.1), promptfoo (0.121 of npm,
on the path; it wants Node 22).
"""

import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

# Question, retrieved, relevant, answer, expected answer.
ROWS = [
    ("Who repairs the roof?", ["The owner repairs the roof.", "The tenant pays the rent."],
     ["The owner repairs the roof."], "The owner.", "The owner"),
    ("When is rent due?", ["Rent is due on the first.", "Windows face north."],
     ["Rent is due on the first."], "On the tenth.", "On the first"),
]
COLUMNS = dict(zip(("question", "contexts", "reference_contexts", "answer", "ground_truth"), map(list, zip(*ROWS))))


def inspect(to):
    import tiktoken  # its table of tokens would be downloaded to count the mock's

    tiktoken.get_encoding = lambda name: type("Words", (), {"encode": lambda self, text, **more: text.split()})()
    from inspect_ai import Task, eval
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, get_model
    from inspect_ai.scorer import includes

    outputs = [ModelOutput.from_content("mockllm/model", answer) for *_, answer, _ in ROWS]
    samples = [
        Sample(id=f"q{n}", input=question, target=expected,
               metadata={"retrieved_contexts": retrieved, "reference_contexts": relevant})
        for n, (question, retrieved, relevant, _, expected) in enumerate(ROWS, 1)
    ]
    folder = tempfile.mkdtemp()
    model = get_model("mockllm/model", custom_outputs=outputs)
    eval(Task(dataset=samples, scorer=includes()), model=model, log_dir=folder, log_format="json",
         display="none", max_samples=1, log_model_api=False, log_realtime=False)
    log = json.loads(next(pathlib.Path(folder).glob("*.json")).read_text())
    for sample in log["samples"]:
        sample["events"] = []  # what happened when; nothing of it is read, and it is long
    write(to / "inspect.json", log)


def mlflow(to):
    import mlflow as tool

    os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"
    folder = tempfile.mkdtemp()
    tool.set_tracking_uri(f"file:{folder}/runs")
    names = {"question": "inputs", "contexts": "retrieved_contexts", "answer": "outputs"}
    table = {names.get(name, name): values for name, values in COLUMNS.items()}
    with tool.start_run():
        tool.log_table({**table, "relevance/v1/score": [5, 2]}, artifact_file="eval.json")
    made = next(pathlib.Path(folder).rglob("eval.json"))
    (to / "mlflow-table.json").write_text(made.read_text() + "\n")
    # Two runs with parameters and metrics, as the client gives them and as the server's API sends them.
    from mlflow.protos import service_pb2
    from mlflow.utils.proto_json_utils import message_to_json

    experiment = tool.set_experiment("prompts").experiment_id
    for prompt, value in (("short", 1.0), ("long", 0.5)):
        with tool.start_run():
            tool.log_param("prompt", prompt)
            tool.log_metrics({"correctness": value, "seconds": 2.0})
    runs = tool.MlflowClient().search_runs([experiment])
    response = service_pb2.SearchRuns.Response(runs=[run.to_proto() for run in runs])
    listed, sent = [run.to_dictionary() for run in runs], json.loads(message_to_json(response))
    for run in [*listed, *sent["runs"]]:  # nothing of the machine that made them
        run["info"].update(user_id="ann", artifact_uri="file:///runs")
        run["data"].pop("tags")
    write(to / "mlflow-runs.json", listed)
    write(to / "mlflow-runs-api.json", sent)


def otel(to):
    from google.protobuf.json_format import MessageToJson
    from opentelemetry._logs import LogRecord, SeverityNumber
    from opentelemetry.exporter.otlp.proto.common._log_encoder import encode_logs
    from opentelemetry.sdk._logs import LoggerProvider
    from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
    from opentelemetry.sdk.resources import Resource

    kept = InMemoryLogRecordExporter()
    provider = LoggerProvider(resource=Resource({"service.name": "evaluator"}))
    provider.add_log_record_processor(SimpleLogRecordProcessor(kept))
    logger = provider.get_logger("evaluations", "1.0")
    for number, scores in ((1, {"Correctness": 1, "Relevance": 0.9}), (2, {"Correctness": 0, "Relevance": 0.4})):
        for name, value in scores.items():
            attributes = {"gen_ai.evaluation.name": name, "gen_ai.evaluation.score.value": value,
                          "gen_ai.evaluation.score.label": "pass" if value > 0.5 else "fail",
                          "gen_ai.response.id": f"resp-{number}"}
            logger.emit(LogRecord(timestamp=1767225600_000000000, severity_number=SeverityNumber.INFO,
                                  event_name="gen_ai.evaluation.result", attributes=attributes))
    # An event of another kind, and one message to each line, as the file exporter of the collector writes them.
    logger.emit(LogRecord(timestamp=1767225600_000000000, event_name="app.started", attributes={"id": "x"}))
    logs = kept.get_finished_logs()
    lines = [MessageToJson(encode_logs(part), indent=None) for part in (logs[:2], logs[2:])]
    (to / "otel-events.jsonl").write_text("".join(line + "\n" for line in lines))


def ragas(to):
    from ragas import EvaluationDataset, SingleTurnSample

    samples = [
        SingleTurnSample(user_input=question, retrieved_context_ids=[f"d{n}{k}" for k in range(3)],
                         reference_context_ids=[f"d{n}{n}", "d99"])
        for n, (question, *_) in enumerate(ROWS)
    ]
    EvaluationDataset(samples=samples).to_jsonl(str(to / "ragas-ids.jsonl"))


def parquet(to):
    import datasets

    datasets.Dataset.from_dict(COLUMNS).to_parquet(str(to / "huggingface.parquet"))


def langfuse(to):
    from langfuse import api
    from langfuse.api.core.jsonable_encoder import jsonable_encoder

    when = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
    made = {"created_at": when, "updated_at": when}
    write(to / "langfuse-dataset.json", [
        jsonable_encoder(api.DatasetItem(
            id=f"q{n}", status="ACTIVE", input={"question": question, "retrieved_contexts": retrieved},
            expected_output={"answer": expected}, metadata={"reference_contexts": relevant},
            source_trace_id=f"trace-{n}", dataset_id="d", dataset_name="rent", media_references=[], **made))
        for n, (question, retrieved, relevant, _, expected) in enumerate(ROWS, 1)
    ])
    given = [("judge", "EVAL", [0.9, 0.4]), ("ann", "ANNOTATION", [1, 0])]
    write(to / "langfuse-scores.json", {"data": [
        jsonable_encoder(api.Score_Numeric(
            data_type="NUMERIC", value=values[n - 1], id=f"{name}-{n}", trace_id=f"trace-{n}", name=name,
            source=source, timestamp=when, comment="said so", environment="default", **made))
        for n in (1, 2) for name, source, values in given
    ]})


def phoenix(to):
    place = "http://127.0.0.1:6106"
    environment = {"PHOENIX_WORKING_DIR": tempfile.mkdtemp(), "PHOENIX_PORT": "6106", "PHOENIX_GRPC_PORT": "6107",
                   "PHOENIX_HOST": "127.0.0.1"}
    program = pathlib.Path(sys.executable).with_name("phoenix")
    server = subprocess.Popen([program, "serve"], env={**os.environ, **environment},
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def call(path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(place + path, data, {"content-type": "application/json"})
        with urllib.request.urlopen(request, timeout=20) as reply:
            return reply.read().decode()

    def dataset(name, **columns):
        body = {"action": "create", "name": name, **columns}
        return json.loads(call("/v1/datasets/upload?sync=true", body))["data"]["dataset_id"]

    try:
        for _ in range(120):
            try:
                call("/healthz")
                break
            except (urllib.error.URLError, ConnectionError):
                time.sleep(1)
        rent = dataset("rent", inputs=[{"question": row[0]} for row in ROWS], outputs=[{"answer": row[4]} for row in ROWS],
                       metadata=[{"retrieved_contexts": row[1], "reference_contexts": row[2]} for row in ROWS])
        (to / "phoenix-dataset.json").write_text(call(f"/v1/datasets/{rent}/examples") + "\n")
        said = lambda role, text: {"role": role, "content": text}
        chats = dataset("chats", inputs=[{"messages": [said("system", "Answer."), said("user", row[0])]} for row in ROWS],
                        outputs=[{"messages": [said("assistant", row[4])]} for row in ROWS])
        (to / "openai-evals.jsonl").write_text(call(f"/v1/datasets/{chats}/jsonl/openai_evals"))
        spans = [f"b7ad6b716920333{n}" for n in (0, 1)]
        call("/v1/projects/default/spans", {"data": [
            {"name": "answer", "context": {"trace_id": "0af7651916cd43dd8448eb211c80319c", "span_id": span},
             "span_kind": "CHAIN", "start_time": "2026-01-01T00:00:00Z", "end_time": "2026-01-01T00:00:01Z",
             "status_code": "OK", "attributes": {}} for span in spans]})
        time.sleep(3)
        given = [("LLM", [1, 0.5]), ("HUMAN", [1, 0])]
        call("/v1/span_annotations?sync=true", {"data": [
            {"span_id": span, "name": "correct", "annotator_kind": kind, "identifier": kind.lower(),
             "result": {"score": scores[n], "explanation": "said so"}}
            for n, span in enumerate(spans) for kind, scores in given]})
        asked = "&".join(f"span_ids={span}" for span in spans)
        (to / "phoenix-annotations.json").write_text(call(f"/v1/projects/default/span_annotations?{asked}") + "\n")
    finally:
        server.terminate()


def evals(to):
    os.environ.setdefault("OPENAI_API_KEY", "none")  # its package makes a client when it is imported
    from evals import base, record

    spec = base.RunSpec(completion_fns=["mock"], eval_name="rent.test.v0", base_eval="rent", split="test", run_config={},
                        created_by="", run_id="260101000000AAAAAAAA", created_at="2026-01-01 00:00:00")
    path = to / "openai-evals-log.jsonl"
    recorder = record.LocalRecorder(str(path), run_spec=spec)
    for n, (question, _, _, answer, expected) in enumerate(ROWS):
        with recorder.as_default_recorder(f"q.{n}"):
            record.record_sampling(prompt=question, sampled=answer)
            record.record_match(expected in answer, expected=expected, picked=answer, sampled=answer)
    recorder.record_final_report({"accuracy": 0.5})
    recorder.flush_events()


def promptfoo(to):
    folder = tempfile.mkdtemp()
    tests = [{"vars": {"question": row[0], "context": row[1][0]},
              "assert": [{"type": "icontains", "value": "roof", "metric": "names"}]} for row in ROWS]
    config = {"prompts": ["{{question}} {{context}}"], "providers": ["echo"], "tests": tests}
    pathlib.Path(folder, "promptfooconfig.json").write_text(json.dumps(config))
    quiet = {"PROMPTFOO_DISABLE_TELEMETRY": "1", "PROMPTFOO_DISABLE_UPDATE": "1", "PROMPTFOO_CONFIG_DIR": folder}
    # It ends with 100 where an assertion failed.
    subprocess.run(["promptfoo", "eval", "-c", "promptfooconfig.json", "-o", "out.json", "--no-cache", "--no-table"],
                   cwd=folder, env={**os.environ, **quiet}, check=False)
    write(to / "promptfoo.json", json.loads(pathlib.Path(folder, "out.json").read_text()))


def write(path, value):
    path.write_text(json.dumps(value, indent=1) + "\n")


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else pathlib.Path(__file__).parents[1] / "cases/foreign")
    folder.mkdir(parents=True, exist_ok=True)
    globals()[sys.argv[1]](folder)
