"""The adapter by the contract of promptfoo's Python assertions, and by promptfoo itself, by npx."""

import json
import os
import subprocess
import sys

import pytest

from assize.errors import BadInput
from assize.integrations.promptfoo import get_assert

ARTICLE = "The council approved the bridge on Monday. It will cost 12 million euros."


def test_an_assertion_grades_an_output():
    context = {"vars": {"article": ARTICLE}, "config": {"metric": "hallucination", "threshold": 0.7}}
    good = get_assert("The council approved the bridge on Monday.", context)
    bad = get_assert("The council rejected the bridge. It costs 90 million.", context)
    assert good["pass"] is True and bad["pass"] is False
    assert 0 <= bad["score"] < good["score"] <= 1
    unscored = get_assert("", context)
    assert unscored["pass"] is False and unscored["reason"].startswith("unscored")
    with pytest.raises(BadInput, match=r"vars\.article"):
        get_assert("text", {"vars": {}})


def test_promptfoo_itself_calls_it(tmp_path):
    (tmp_path / "assertion.py").write_text("from assize.integrations.promptfoo import get_assert\n")
    config = {
        "prompts": ["{{summary}}"],
        "providers": ["echo"],
        "tests": [
            {
                "vars": {"article": ARTICLE, "summary": "The council approved the bridge on Monday."},
                "assert": [{"type": "python", "value": "file://assertion.py"}],
            }
        ],
    }
    (tmp_path / "promptfooconfig.json").write_text(json.dumps(config))
    # With a Node of its own: it refuses those before 22.22.
    words = ["npx", "--yes", "-p", "node@22", "-p", "promptfoo@latest", "promptfoo", "eval", "-c",
             "promptfooconfig.json", "-o", "out.json", "--no-cache", "--no-table"]
    quiet = {"PROMPTFOO_PYTHON": sys.executable, "PROMPTFOO_DISABLE_TELEMETRY": "1",
             "PROMPTFOO_DISABLE_UPDATE": "1", "PROMPTFOO_CONFIG_DIR": str(tmp_path)}
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=500,
                          env={**os.environ, **quiet})
    assert done.returncode == 0, done.stdout + done.stderr
    stats = json.loads((tmp_path / "out.json").read_text())["results"]["stats"]
    assert stats["successes"] == 1 and stats["failures"] == 0
