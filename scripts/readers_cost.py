"""Measures what a reader costs: one document of 20 pages against 300 criteria, and the same again.

    python3 scripts/readers_cost.py ASSIZE READERS [DOCUMENT CRITERIA]

ASSIZE is the program, READERS a folder with `minilm-l6` and `nli-xsmall`. Without DOCUMENT and CRITERIA a
document of 10,000 words and 300 requirements are made, the same each time. The first run finds nothing
that was read before; the second judges the same into another database, so that what it does not read
again was kept by content. Seconds are those of the processor, for all threads.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WORDS = 10_000
CRITERIA = 300
CPU_SECONDS_FIRST = 180
CPU_SECONDS_AGAIN = 2

WHO = ["The system owner", "The service desk", "Each department head", "The security officer",
       "Every administrator", "The records manager", "The data custodian", "The change board",
       "The continuity planner", "A contractor with access"]
DOES = ["reviews", "approves", "documents", "tests", "encrypts", "restricts", "monitors", "archives",
        "reports", "revokes", "replaces", "inspects"]
WHAT = ["user accounts with elevated privileges", "backups of production databases",
        "the register of processing activities", "access logs of the data centre",
        "keys that protect stored customer data", "contracts with external suppliers",
        "configuration baselines of network devices", "incident reports and their follow-up",
        "removable media before disposal", "the recovery plan for critical services",
        "training records of new employees", "exceptions from the password standard",
        "remote connections by maintenance staff", "physical keys to restricted rooms",
        "vulnerability findings in public applications"]
WHEN = ["at least once every quarter", "within 30 days of a change", "before the system goes into service",
        "after every major incident", "no later than two working days after notice",
        "every year in the first month", "whenever responsibilities change",
        "within 24 hours of detection"]
HOW = ["and records the result in the central register", "and informs the management board in writing",
       "using the procedure that the annex describes", "together with an independent colleague",
       "unless a written exception has been granted", "so that an auditor can follow each step"]


def choose(words, seed):
    """One of the words, by a number; neighbours choose differently."""
    return words[(seed * 2654435761 >> 7) % len(words)]


def sentence(seed):
    return (f"{choose(WHO, seed)} {choose(DOES, seed * 3 + 1)} {choose(WHAT, seed * 5 + 2)} "
            f"{choose(WHEN, seed * 7 + 3)} {choose(HOW, seed * 11 + 4)}.")


def document():
    """Sections of eight sentences under a heading, until there are words enough."""
    lines, words, seed = ["# Security policy", ""], 0, 0
    while words < WORDS:
        lines += [f"## {seed // 8 + 1} {choose(WHAT, seed + 9).capitalize()}", ""]
        text = " ".join(sentence(seed + place) for place in range(8))
        words += len(text.split())
        lines += [text, ""]
        seed += 8
    return "\n".join(lines)


def criteria():
    rows = ["id,requirement"]
    for number in range(1, CRITERIA + 1):
        seed = 100_000 + number * 13
        both = "" if number % 3 else f" {choose(WHO, seed + 5)} {choose(DOES, seed + 6)} {choose(WHAT, seed + 7)}."
        rows.append(f'C-{number},"{choose(WHO, seed)} {choose(DOES, seed + 1)} {choose(WHAT, seed + 2)} '
                    f'{choose(WHEN, seed + 3)}.{both}"')
    return "\n".join(rows) + "\n"


def judge(assize, folder, files, name):
    """Processor and clock seconds of one evaluation, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    environment = {**os.environ, "ASSIZE_READERS": str(folder / "readers")}
    command = [assize, "evaluate", str(files[0]), "--criteria", str(files[1]), "--judge", "rules",
               "--allow-unscored", "--database", f"{name}.db", "--format", "json"]
    ended = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if ended.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)} ended with {ended.returncode}: {ended.stderr}")
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, time.monotonic() - began, json.loads(ended.stdout)


def main():
    assize, readers = os.path.abspath(sys.argv[1]), Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "readers").mkdir()
        for name in ["minilm-l6", "nli-xsmall"]:
            (folder / "readers" / name).symlink_to(readers / name)
        (folder / "assize.toml").write_text('[readers]\nencoder = "minilm-l6"\nentailment = "nli-xsmall"\n')
        if len(sys.argv) > 4:
            files = [Path(one).resolve() for one in sys.argv[3:5]]
        else:
            files = [folder / "policy.md", folder / "controls.csv"]
            files[0].write_text(document(), encoding="utf-8")
            files[1].write_text(criteria(), encoding="utf-8")
        first, first_clock, judged = judge(assize, folder, files, "first")
        again, again_clock, same = judge(assize, folder, files, "again")
        scores = lambda run: [(one["criteria_id"], one["outcome"], one["score"]) for one in run["results"]]
        if scores(judged) != scores(same):
            sys.exit("the second run judges otherwise than the first")
        kept = sum(one.stat().st_size for one in (folder / "readers" / ".readings").rglob("*") if one.is_file())
        words = len(files[0].read_text(encoding="utf-8", errors="replace").split())
        print(f"{words} words, {len(scores(judged))} criteria; readings kept: {kept / 1e6:.1f} MB")
        print(f"first: {first:.1f} CPU seconds ({first_clock:.1f} by the clock), goal {CPU_SECONDS_FIRST}")
        print(f"again: {again:.2f} CPU seconds ({again_clock:.2f} by the clock), goal {CPU_SECONDS_AGAIN}")
        if first >= CPU_SECONDS_FIRST or again >= CPU_SECONDS_AGAIN:
            sys.exit(1)


main()
