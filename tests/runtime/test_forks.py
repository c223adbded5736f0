"""Forks of a process whose threads are at work in a casebook."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parents[2]

SCENE = """
import os, sys, threading, time
from casebook.outcome import Outcome
from casebook.runtime import Runtime

runtime = Runtime.open(sys.argv[1], engine="reference")
stop = threading.Event()

def work(who):
    number = 0
    while not stop.is_set():
        number += 1
        answer = runtime.before_task({"tool": "send", "session": "s", "user": "u", "args": {"n": number}})
        runtime.after_task(answer, Outcome.feedback("no", id=f"f{who}-{number}") if number % 3 else
                           Outcome.error("E", f"boat {number} is late", id=f"e{who}-{number}"))

threads = [threading.Thread(target=work, args=(who,)) for who in range(3)]
for each in threads:
    each.start()
failed = 0
for _ in range(int(sys.argv[2])):
    child = os.fork()
    if child == 0:
        answer = runtime.before_task({"tool": "send", "session": "s", "user": "u"})
        runtime.after_task(answer, Outcome.error("E", "boat 0 is late", id=f"c{os.getpid()}"))
        runtime.after_task(answer, Outcome.feedback("no", id=f"g{os.getpid()}"))
        runtime.close()
        os._exit(0)
    failed += os.waitpid(child, 0)[1] != 0
stop.set()
for each in threads:
    each.join()
children = [each.id for each in runtime.journal.events() if each.id[0] in "cg"]
runtime.close()
print(failed, len(children))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
def test_forks_while_threads_report_hang_nobody_and_their_children_report_too(tmp_path: Path) -> None:
    (tmp_path / "long_term").mkdir()
    case = {
        "id": "c",
        "trigger_conditions": ["count of error where tool is this tool within 1h >= 1"],
        "correction": "x",
        "on": ["tool"],
        "max_fires": 50,
    }
    (tmp_path / "long_term" / "cases.json").write_text(json.dumps([case]))
    done = subprocess.run(
        [sys.executable, "-c", SCENE, str(tmp_path), "12"],
        cwd=HERE,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout.split()) == (0, ["0", "24"]), done.stderr
