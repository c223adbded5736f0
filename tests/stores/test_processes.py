"""Many processes, and processes that are killed: nothing is lost, nothing is torn."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from casebook import Case
from tests.stores.folders import case, opened, told, write

HERE = Path(__file__).parents[2]
WRITER = """
import sys
from pathlib import Path
from casebook import Case
from casebook.clock import system_clock
from casebook.stores.folder import FolderStore
store = FolderStore(Path(sys.argv[1]), clock=system_clock, cache=False)
who, count = sys.argv[2], int(sys.argv[3])
for number in range(count):
    store.put(Case(id=f"{who}.{number}", trigger_conditions=("always",), correction="x"))
    store.edit("shared", {f"x-{who}": number})
    if number % 5 == 4:
        store.archive(f"{who}.{number}")
    print(number, flush=True)
"""


def start(root: Path, who: str, count: int) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(root), who, str(count)], cwd=HERE, stdout=subprocess.PIPE, text=True
    )


def test_eight_writers_at_once_lose_nothing(root: Path) -> None:
    write(root, "cases.json", [case("shared")])
    writers = [start(root, f"w{number}", 5) for number in range(8)]
    assert [(writer.communicate()[0], writer.returncode)[1] for writer in writers] == [0] * 8
    snapshot = opened(root).snapshot()
    assert snapshot.faults == ()
    assert set(snapshot.cases) == {"shared", *(f"w{who}.{number}" for who in range(8) for number in range(4))}
    assert dict(snapshot.cases["shared"].case.extra) == {f"x-w{who}": 4 for who in range(8)}
    archived = json.loads(next((root / "archive").glob("*_retired.json")).read_text())
    assert {entry["case"]["id"] for entry in archived} == {f"w{who}.4" for who in range(8)}


def test_a_writer_killed_at_any_moment_leaves_whole_files_and_all_that_it_had_finished(root: Path) -> None:
    write(root, "cases.json", [case("shared")])
    chance = random.Random(7)
    for turn in range(5):
        writer = start(root, f"k{turn}", 1000)
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(chance.uniform(0.01, 0.12))
        os.kill(writer.pid, signal.SIGKILL)
        done = [0, *map(int, writer.communicate()[0].split())]
        snapshot = opened(root).snapshot()
        assert told(snapshot) == []
        kept = set(snapshot.cases)
        assert {f"k{turn}.{number}" for number in done if number % 5 != 4} <= kept
        archive = list((root / "archive").glob("*_retired.json"))
        archived = {entry["case"]["id"] for path in archive for entry in json.loads(path.read_text())}
        assert all(f"k{turn}.{number}" in kept | archived for number in range(max(done) + 1))
    opened(root).put(Case(**case("after")))
    assert not list(root.rglob(".casebook-*"))
