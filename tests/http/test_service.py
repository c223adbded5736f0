"""The service as a process: hooks go through it, go on without it, and it comes and goes without anybody losing anything."""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from casebook import __version__
from casebook.adapters.hooks.wire import ask
from casebook.adapters.http import handshake
from casebook.adapters.http.handshake import place_taken, who
from casebook.clock import system_clock
from casebook.runtime import Runtime
from tests.http.service import Service, bearer, book, hook, prompt, token, until

NOT_HERE = "import sys; sys.modules['casebook.adapters.hooks.in_process'] = None"
"""A hook that cannot deal with its event itself: what it says, the service has said."""
STALE = "import casebook; casebook.__version__ = '0.0.9'"
SLOW = """
import time
from casebook.runtime.runtime import Runtime
before = Runtime.before_task
def slow(self, *given, **named):
    print("begun", file=sys.stderr, flush=True)
    time.sleep(1.0)
    return before(self, *given, **named)
import sys
Runtime.before_task = slow
"""
Start = Callable[..., Service]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with the user's own casebook in it."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    book(folder / ".casebook")
    return folder


@pytest.fixture
def start(state: Path, home: Path) -> Iterator[Start]:
    started: list[Service] = []

    def begin(*arguments: str, before: str = "") -> Service:
        started.append(Service(state, home, *(arguments or ("--no-http",)), before=before))
        return started[-1]

    yield begin
    for each in started:
        each.close()


def test_a_hook_is_answered_by_the_service_as_by_its_own_process(state: Path, home: Path, start: Start) -> None:
    alone = hook(state, home, prompt("deploy the shop", home, "s0"))
    start().up()
    told = hook(state, home, prompt("deploy the shop", home, "s1"), before=NOT_HERE)
    assert "Deploy on Monday morning instead." in told.stdout
    assert (told.stdout, told.stderr, told.returncode) == (alone.stdout, alone.stderr, alone.returncode)
    run = state / "run"
    assert stat.S_IMODE(run.stat().st_mode) == 0o700
    assert stat.S_IMODE((run / "serve.sock").stat().st_mode) == 0o600


def answers_in(home: Path) -> int:
    """The answers that stand in the journal of the user's own casebook."""
    path = home / ".casebook" / ".casebook" / "journal.db"
    if not path.exists():
        return 0
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as journal:
            return int(journal.execute("SELECT count(*) FROM activation").fetchone()[0])
    except sqlite3.Error:  # it is being made
        return 0


def test_a_session_goes_on_where_the_service_is_killed_and_where_it_is_started_again(
    state: Path, home: Path, start: Start
) -> None:
    """Advice is said once in it, whoever says it; what is left of a killed service is in nobody's way."""
    first = start()
    first.up()
    assert "Deploy on Monday" in hook(state, home, prompt("deploy", home), before=NOT_HERE).stdout
    until(
        lambda: answers_in(home) == 1
    )  # an answer is journaled in a pause of the service: one that is killed before forgets it
    assert first.end(signal.SIGKILL)[0] == -signal.SIGKILL
    assert (state / "run" / "serve.sock").exists()
    alone = hook(state, home, prompt("deploy it", home))
    assert (alone.stdout, alone.stderr, alone.returncode) == ("", "", 0)
    assert "Deploy on Monday" in hook(state, home, prompt("deploy", home, "s2")).stdout
    start().up()
    again = hook(state, home, prompt("deploy again", home), before=NOT_HERE)
    assert (again.stdout, again.returncode) == ("", 0)
    assert "Deploy on Monday" in hook(state, home, prompt("deploy", home, "s3"), before=NOT_HERE).stdout


def test_hooks_that_run_while_it_is_killed_and_started_all_answer(state: Path, home: Path, start: Start) -> None:
    told: list[subprocess.CompletedProcess[str]] = []
    done = threading.Event()

    def host() -> None:
        while not done.is_set():
            told.append(hook(state, home, prompt("deploy", home, f"s{len(told)}")))

    first = start()
    first.up()
    thread = threading.Thread(target=host)
    thread.start()
    until(lambda: len(told) >= 2)
    first.end(signal.SIGKILL)
    until(lambda: len(told) >= 4)
    start().up()
    until(lambda: len(told) >= 6)
    done.set()
    thread.join()
    assert {(each.returncode, "Deploy on Monday" in each.stdout) for each in told} == {(0, True)}


def test_the_doctor_tells_the_service_that_is_up(state: Path, home: Path, start: Start) -> None:
    def service() -> dict[str, Any]:
        command = [sys.executable, "-m", "casebook", "doctor", "--json"]
        told = subprocess.run(command, cwd=home, check=True, capture_output=True)
        found: dict[str, Any] = json.loads(told.stdout)["service"]
        return found

    assert service() == {}
    one = start(before=STALE)
    one.up()
    assert (service()["process"], "another one" in service()["release"]) == (str(one.process.pid), True)


def test_a_second_one_says_that_the_first_is_up_and_one_that_is_told_otherwise_refuses(
    state: Path, home: Path, start: Start
) -> None:
    first = start()
    first.up()
    code, second = (both := start()).process.wait(60), both
    assert (code, second.line()) == (0, f"a service of release {__version__} is up (process {first.process.pid})\n")
    other = start("--no-http", "--dir", str(home / ".casebook"))
    assert other.process.wait(60) == 1
    assert "told otherwise" in other.line()
    assert who() is not None


def test_one_of_another_release_is_asked_to_end_and_replaced(state: Path, home: Path, start: Start) -> None:
    stale = start(before=STALE)
    stale.up()
    found = who()
    assert found is not None
    assert (found.release, found.pid) == ("0.0.9", stale.process.pid)
    alone = hook(state, home, prompt("deploy", home))
    assert (
        "Deploy on Monday" in alone.stdout
    )  # of another release, it does not answer this hook, which goes on by itself
    fresh = start()
    assert fresh.line().startswith(
        f"a service of release 0.0.9 (process {stale.process.pid}) is asked to end; it is waited for"
    )
    fresh.up()
    assert stale.process.wait(60) == 0
    now = who()
    assert now is not None
    assert (now.release, now.pid) == (__version__, fresh.process.pid)


def test_one_whose_socket_was_deleted_is_told_of_at_once_with_its_process(
    state: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = start()
    first.up()
    (state / "run" / "serve.sock").unlink()
    second = start()
    assert second.line() == (
        f"another service (process {first.process.pid}) holds {state}/run/serve.lock and does not answer, or not yet; "
        "it is waited for, 30 s at the most\n"
    )
    assert second.process.poll() is None
    monkeypatch.setattr(handshake, "REPLACED", 0.0)
    with pytest.raises(handshake.ServiceError, match=rf"end it \(`kill {first.process.pid}`\)"), place_taken(print):
        pass
    first.end(signal.SIGTERM)
    second.up()
    assert (state / "run" / "serve.pid").read_text(encoding="ascii") == f"{second.process.pid}\n"


def test_it_ends_by_sigterm_when_what_runs_is_finished_and_written(state: Path, home: Path, start: Start) -> None:
    memory = book(home / "memory")
    service = start("--dir", str(memory), "--port", "0", before=SLOW)
    url, headers = service.up(), bearer(token())
    told: list[httpx.Response] = []

    def client() -> None:
        told.append(
            httpx.post(f"{url}/v1/before_task", json={"text": "deploy", "session": "s"}, headers=headers, timeout=60)
        )

    thread = threading.Thread(target=client)
    thread.start()
    assert service.line() == "begun\n"
    code, err = service.end(signal.SIGTERM)
    thread.join()
    assert code == 0
    assert "Traceback" not in err
    assert told[0].status_code == 200
    assert not (state / "run" / "serve.sock").exists()
    with Runtime.open(memory) as runtime:
        assert runtime.journal.activation(told[0].json()["activation"]) is not None
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{url}/health")


def test_what_never_ends_is_left_when_it_ends(home: Path, start: Start) -> None:
    never = SLOW.replace("sleep(1.0)", "sleep(1000)") + "\nimport casebook.adapters.http.serving as s; s.GRACE = 1.0\n"
    service = start("--dir", str(book(home / "memory")), "--port", "0", before=never)
    url, headers = service.up(), bearer(token())
    told = httpx.post(f"{url}/v1/before_task", json={"text": "deploy"}, headers=headers, timeout=60)
    assert told.status_code == 503
    code, err = service.end(signal.SIGTERM)
    assert code == 0
    assert "what ran on was left" in err


def test_upkeep_runs_inside(home: Path, start: Start) -> None:
    """A run that was missed while nothing ran is made up as it starts."""
    memory, ago = book(home / "memory"), (system_clock() - timedelta(hours=2)).isoformat()
    command = [sys.executable, "-m", "casebook", "--dir", str(memory), "schedule", "--once", "--now", ago]
    subprocess.run(command, cwd=home, check=True, capture_output=True)
    service = start("--dir", str(memory), "--no-http")
    lines = [service.line()]
    while "expire" not in lines[-1]:
        assert lines[-1], lines
        lines.append(service.line())
    assert "makes up" in lines[-1] or "nothing to do" in lines[-1]


def test_ctrl_c_ends_it_with_130(start: Start) -> None:
    service = start()
    service.up()
    code, err = service.end(signal.SIGINT)
    assert code == 130
    assert "Traceback" not in err


def test_many_clients_at_once_are_all_answered(state: Path, home: Path, start: Start) -> None:
    service = start("--port", "0")
    url, headers = service.up(), bearer(token("reader"))
    body = {"text": "deploy"}
    codes: list[Any] = []

    def client(number: int) -> None:
        if number % 2:
            for _ in range(10):  # 503, where a machine under load takes longer than 2 s, is told to be asked again
                code = httpx.post(f"{url}/v1/before_task", json=body, headers=headers, timeout=60).status_code
                if code != 503:
                    break
            codes.append(code)
        else:
            request = {"protocol": 1, "hook": "codex", "raw": "{}", "cwd": str(home)}
            codes.append(ask(str(state / "run" / "serve.sock"), request, 60).get("code"))

    threads = [threading.Thread(target=client, args=(number,)) for number in range(24)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(codes) == [0] * 12 + [200] * 12


def test_who_opens_a_connection_and_does_not_ask_is_hung_up_on_and_keeps_nobody_waiting(start: Start) -> None:
    url = start("--port", "0").up()
    address = ("127.0.0.1", int(url.rpartition(":")[2]))
    heads = [b"", b"GET", b"GET /health HTTP/1.1\r\nHost: 127.0.0.1", b"x" * 100]
    with ExitStack() as stack:
        hanging = [stack.enter_context(socket.create_connection(address)) for _ in range(40)]
        for number, each in enumerate(hanging):
            each.sendall(heads[number % len(heads)])
        assert httpx.get(f"{url}/health", timeout=30).status_code == 200
        for each in hanging:
            each.settimeout(30)
            told = each.recv(4096)
            assert told == b"" or told.startswith(b"HTTP/1.1 400 ")


def test_what_is_no_http_is_told_in_json(start: Start) -> None:
    url = start("--port", "0").up()
    with socket.create_connection(("127.0.0.1", int(url.rpartition(":")[2]))) as connection:
        connection.sendall(b"no http at all\r\n\r\n")
        connection.settimeout(30)
        head, _, body = b"".join(iter(lambda: connection.recv(4096), b"")).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert json.loads(body)["error"]["code"] == "malformed"


@pytest.mark.parametrize("name", ["CASEBOOK_DIR", "CASEBOOK_MODE", "CASEBOOK_NO_SERVICE"])
def test_a_hook_that_was_told_its_own_deals_with_its_event_itself(
    state: Path, home: Path, start: Start, name: str
) -> None:
    start().up()
    own = {"CASEBOOK_DIR": str(book(home / "own", [])), "CASEBOOK_MODE": "off", "CASEBOOK_NO_SERVICE": "1"}
    told = hook(state, home, prompt("deploy", home), **{name: own[name]})
    assert ("Deploy on Monday" in told.stdout) == (name == "CASEBOOK_NO_SERVICE")


def test_a_state_folder_that_is_too_long_for_a_socket_is_told(home: Path, tmp_path: Path) -> None:
    service = Service(tmp_path / ("x" * 90), home, "--no-http")
    assert service.process.wait(60) == 1
    assert "at most 107 bytes" in service.line()
    service.close()


def test_a_folder_that_is_not_this_users_alone_is_made_so_or_refused(home: Path, state: Path, start: Start) -> None:
    run = state / "run"
    run.mkdir(mode=0o777)
    run.chmod(0o777)
    service = start()
    service.up()
    assert stat.S_IMODE(run.stat().st_mode) == 0o700
    service.end(signal.SIGTERM)
    (run / "serve.lock").unlink()
    run.rmdir()
    (state / "elsewhere").mkdir()
    run.symlink_to(state / "elsewhere")
    refused = start()
    assert refused.process.wait(60) == 1
    assert "of this user's own" in refused.line()


def test_what_is_no_socket_is_left_where_it_stands(home: Path, state: Path, start: Start) -> None:
    (state / "run").mkdir(mode=0o700)
    (state / "run" / "serve.sock").write_text("mine", encoding="utf-8")
    refused = start()
    assert refused.process.wait(60) == 1
    assert "expected a socket" in refused.line()
    assert (state / "run" / "serve.sock").read_text(encoding="utf-8") == "mine"


def test_a_port_that_is_taken_is_told(home: Path, state: Path, start: Start) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        service = start("--port", str(taken.getsockname()[1]))
        assert service.process.wait(60) == 1
        assert "cannot be listened at" in service.line()


def test_a_hook_loads_nothing_heavy() -> None:
    """Where the service is up, no module of ours but four."""
    code = (
        "import sys; before = set(sys.modules); import casebook.adapters.cli.main, casebook.adapters.hooks.client; "
        "print(*sorted(set(sys.modules) - before))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    ours = {name for name in told.stdout.split() if name.startswith("casebook")}
    assert ours == {
        "casebook", "casebook.adapters", "casebook.adapters.cli", "casebook.adapters.cli.main", "casebook.adapters.hooks",
        "casebook.adapters.hooks.client", "casebook.adapters.hooks.wire",
    }  # fmt: skip
    assert not {"socket", "asyncio", "pathlib", "typing", "dataclasses", "argparse"} & set(told.stdout.split())
