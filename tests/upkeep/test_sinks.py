"""Sinks: one conformance suite over all kinds, then what each of them promises by itself."""

from __future__ import annotations

import json
import os
import stat
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import pytest

from casebook.policy import Policy
from casebook.policy import Sink as Settings
from casebook.runtime.upkeep.sinks import outbox as outbox_module
from casebook.runtime.upkeep.sinks.protocol import Delivery, Place, SinkError
from casebook.runtime.upkeep.sinks.registry import KINDS, sink_of
from tests.upkeep.receiving import receiving
from tests.upkeep.scheduling import at


def delivery(number: int = 1, text: str = "先看队列") -> Delivery:
    minute = at("2026-03-06T03:00")
    body = {"at": minute.isoformat(), "case": "hourly", "text": text, "correction": text}
    return Delivery(f"a-{number}:hourly", minute, "hourly", text, body)


@dataclass
class Bench:
    """A sink under test: its settings, where it runs, what has arrived as (id or None, text), and how it is broken."""

    settings: Settings
    place: Place
    arrived: object
    break_it: object

    def deliver(self, *deliveries: Delivery) -> None:
        sink = sink_of("mine", Policy(sinks={"mine": self.settings}), self.place)
        for each in deliveries:
            sink.deliver(each)


PROGRAM = """#!{python}
import json, sys
with open({file!r}, "a") as out:
    out.write(json.dumps(sys.argv[1:]) + "\\n")
sys.exit({code})
"""


def stand_in(folder: Path, code: int = 0, name: str = "openclaw") -> tuple[Path, Path]:
    """Put a program called openclaw into a folder; give it and the file in which it writes its arguments."""
    folder.mkdir(parents=True, exist_ok=True)
    program, file = folder / name, folder / f"{name}.args"
    program.write_text(PROGRAM.format(python=sys.executable, file=str(file), code=code))
    program.chmod(0o755)
    return program, file


@pytest.fixture(params=["outbox", "webhook", "openclaw-url", "openclaw-command"])
def bench(request, tmp_path):
    root = tmp_path / "project" / "memory"
    root.mkdir(parents=True)
    if request.param == "outbox":
        path = root / ".casebook" / "outbox.jsonl"

        def arrived():
            lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
            return [(json.loads(line)["id"], json.loads(line)["text"]) for line in lines]

        def break_it():
            path.parent.mkdir(exist_ok=True)
            path.unlink(missing_ok=True)
            path.mkdir()

        yield Bench(Settings(), Place(root, {}), arrived, break_it)
    elif request.param == "openclaw-command":
        program, file = stand_in(tmp_path / "bin")

        def arrived():
            lines = file.read_text().splitlines() if file.exists() else []
            return [(None, line[line.index("--text") + 1]) for line in map(json.loads, lines)]

        settings = Settings(kind="openclaw", command=str(program))
        yield Bench(settings, Place(root, {"PATH": ""}), arrived, lambda: stand_in(tmp_path / "bin", 1))
    else:
        with receiving() as receiver:
            kind = request.param.partition("-")[0]
            settings = Settings(kind=kind, url=receiver.url, token_env="HOOK")

            def arrived():
                return [(headers["idempotency-key"], body["text"]) for _, headers, body in receiver.posted]

            def break_it():
                receiver.answers += [(500, {})] * 9

            yield Bench(settings, Place(root, {"HOOK": "s3cret"}), arrived, break_it)


class TestEverySink:
    def test_what_is_delivered_arrives_in_order(self, bench):
        bench.deliver(delivery(1), delivery(2, "second"))
        assert [text for _, text in bench.arrived()] == ["先看队列", "second"]

    def test_a_repetition_can_be_known_by_its_id(self, bench):
        bench.deliver(delivery(1), delivery(1))
        ids = {name for name, _ in bench.arrived()}
        assert ids in ({"a-1:hourly"}, {None})  # a command line takes none

    @pytest.mark.parametrize("text", ["--mode", "a\tb", "; rm -rf /", "$(id)", "\"'\\", "🦀" * 500])
    def test_a_text_arrives_as_it_is(self, bench, text):
        bench.deliver(delivery(1, text))
        assert [each for _, each in bench.arrived()] == [text]

    def test_what_cannot_be_delivered_is_an_error_that_quotes_nothing(self, bench):
        bench.break_it()
        with pytest.raises(SinkError) as raised:
            bench.deliver(delivery(1, "a text that is nobody's business"))
        assert "nobody's business" not in str(raised.value)
        assert "s3cret" not in str(raised.value)

    def test_it_says_how_long_it_may_take(self, bench):
        sink = sink_of("mine", Policy(sinks={"mine": bench.settings}), bench.place)
        assert 0 < sink.seconds <= 20


def test_every_kind_of_the_policy_has_a_sink():
    assert set(KINDS) == set(get_args(Settings.model_fields["kind"].annotation))


def test_a_sink_that_the_policy_does_not_name_is_told_with_the_nearest():
    with pytest.raises(SinkError, match=r'there is no sink called "pagre"; did you mean pager\?'):
        sink_of("pagre", Policy(sinks={"pager": Settings()}), Place(None, {}))


# -- outbox --------------------------------------------------------------------------------------------------------------


def outbox(root, path=None):
    return sink_of("outbox", Policy(sinks={"outbox": Settings(path=path)} if path else {}), Place(root, {}))


def test_the_outbox_is_there_without_a_policy_and_is_its_owners_alone(tmp_path):
    outbox(tmp_path).deliver(delivery())
    file = tmp_path / ".casebook" / "outbox.jsonl"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert json.loads(file.read_text())["correction"] == "先看队列"


def test_an_outbox_may_be_another_file_of_the_casebook(tmp_path):
    outbox(tmp_path, "out/ticks.jsonl").deliver(delivery())
    assert (tmp_path / "out" / "ticks.jsonl").read_text().count("\n") == 1


@pytest.mark.parametrize(
    "path",
    ["/tmp/x.jsonl", "../x.jsonl", "long_term/cases.json", "memory-policy.yaml", ".casebook/journal.db",
     ".casebook/journal.pending.jsonl", "a\0b.jsonl", "."],
)  # fmt: skip
def test_an_outbox_is_no_file_of_others(tmp_path, path):
    with pytest.raises(SinkError, match="an outbox: expected"):
        outbox(tmp_path, path).deliver(delivery())
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("place", ["file", "folder", "machine"])
def test_no_link_leads_an_outbox_out_of_the_casebook(tmp_path, place):
    root, away = tmp_path / "memory", tmp_path / "away"
    root.mkdir()
    away.mkdir()
    path: str | None = "out/x.jsonl"
    if place == "file":
        (root / "out").mkdir()
        (root / "out" / "x.jsonl").symlink_to(away / "x.jsonl")
    elif place == "folder":
        (root / "out").symlink_to(away)
    else:
        path = None
        (root / ".casebook").symlink_to(away)
    with pytest.raises(SinkError, match="cannot be written"):
        outbox(root, path).deliver(delivery())
    assert not list(away.iterdir())


def test_a_pipe_in_the_place_of_an_outbox_is_refused_and_holds_nobody_up(tmp_path):
    outbox(tmp_path).deliver(delivery())
    file = tmp_path / ".casebook" / "outbox.jsonl"
    file.unlink()
    os.mkfifo(file)
    with pytest.raises(SinkError, match="expected a file"):
        outbox(tmp_path).deliver(delivery())


def test_a_line_that_was_torn_spoils_no_other(tmp_path):
    outbox(tmp_path).deliver(delivery(1))
    file = tmp_path / ".casebook" / "outbox.jsonl"
    file.write_bytes(file.read_bytes()[:-10])
    outbox(tmp_path).deliver(delivery(2))
    assert json.loads(file.read_bytes().splitlines()[-1])["id"] == "a-2:hourly"


@pytest.mark.parametrize(("room", "files"), [(0, 1), (-1, 2)])
def test_a_full_outbox_is_kept_beside_a_new_one(tmp_path, monkeypatch, room, files):
    outbox(tmp_path).deliver(delivery(1))
    folder = tmp_path / ".casebook"
    size = (folder / "outbox.jsonl").stat().st_size
    monkeypatch.setattr(outbox_module, "ROTATED", 2 * size + room)
    outbox(tmp_path).deliver(delivery(2))
    assert len(list(folder.glob("outbox*.jsonl"))) == files
    monkeypatch.setattr(outbox_module, "ROTATED", size)
    for number in (3, 4):
        outbox(tmp_path).deliver(delivery(number))
    lines = [line for file in folder.glob("outbox*.jsonl") for line in file.read_text().splitlines()]
    assert sorted(json.loads(line)["id"] for line in lines) == [f"a-{number}:hourly" for number in (1, 2, 3, 4)]


def test_a_disk_that_is_full_leaves_no_half_line(tmp_path, monkeypatch):
    outbox(tmp_path).deliver(delivery(1))
    file = tmp_path / ".casebook" / "outbox.jsonl"
    before = file.read_bytes()
    write = os.write
    written: list[int] = []

    def full(handle, data):
        if written:
            raise OSError(28, "No space left on device")
        written.append(1)
        return write(handle, bytes(data)[:7])

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(SinkError, match="No space left"):
        outbox(tmp_path).deliver(delivery(2))
    monkeypatch.undo()
    assert file.read_bytes() == before


def test_an_outbox_takes_from_many_threads_whole_lines(tmp_path):
    threads = [threading.Thread(target=outbox(tmp_path).deliver, args=(delivery(each),)) for each in range(12)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    lines = (tmp_path / ".casebook" / "outbox.jsonl").read_text().splitlines()
    assert {json.loads(line)["id"] for line in lines} == {f"a-{each}:hourly" for each in range(12)}


# -- webhook -------------------------------------------------------------------------------------------------------------


def webhook(environment=None, **settings):
    return sink_of("mine", Policy(sinks={"mine": Settings(kind="webhook", **settings)}), Place(None, environment or {}))


def test_a_webhook_is_posted_json_with_its_token_and_an_id():
    with receiving() as receiver:
        webhook({"HOOK": " s3cret\n"}, url=f"{receiver.url}/in?a=1", token_env="HOOK").deliver(delivery())
        ((path, headers, body),) = receiver.posted
    assert path == "/in?a=1"
    assert headers["content-type"] == "application/json"
    assert headers["authorization"] == "Bearer s3cret"
    assert headers["idempotency-key"] == body["id"] == "a-1:hourly"
    assert (body["case"], body["text"]) == ("hourly", "先看队列")


def test_no_proxy_of_the_environment_is_asked(monkeypatch):
    with receiving() as receiver:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
            monkeypatch.setenv(name, "http://127.0.0.1:1")
        monkeypatch.setenv("no_proxy", "")
        webhook(url=receiver.url).deliver(delivery())
        assert len(receiver.posted) == 1


@pytest.mark.parametrize(("status", "arrives"), [(307, True), (308, True), (301, False), (302, False), (303, False)])
def test_a_way_on_the_same_host_is_followed_where_it_keeps_the_body(status, arrives):
    with receiving() as receiver:
        receiver.answers = [(status, {"Location": "/there"})]
        sink = webhook({"HOOK": "s3cret"}, url=receiver.url, token_env="HOOK")
        if arrives:
            sink.deliver(delivery())
            (_, _, first), (path, headers, second) = receiver.posted
            assert (path, headers["authorization"], second) == ("/there", "Bearer s3cret", first)
        else:
            with pytest.raises(SinkError, match=rf"answered {status} \(a way elsewhere\)"):
                sink.deliver(delivery())
            assert len(receiver.posted) == 1


def test_a_way_to_another_host_is_not_followed():
    with receiving() as receiver, receiving() as other:
        receiver.answers = [(307, {"Location": f"{other.url}/there"})]
        with pytest.raises(SinkError, match="answered 307"):
            webhook(url=receiver.url).deliver(delivery())
        assert other.posted == []


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500, 503])
def test_any_other_status_is_no_arrival(status):
    with receiving() as receiver:
        receiver.answers = [(status, {})]
        with pytest.raises(SinkError, match=f"answered {status}"):
            webhook(url=receiver.url).deliver(delivery())


def test_one_that_does_not_answer_is_waited_for_its_seconds_alone():
    with receiving() as receiver:
        receiver.hold.clear()
        sink = webhook(url=receiver.url)
        sink.seconds = 0.1
        with pytest.raises(SinkError, match=r"did not answer within 0\.1 s"):
            sink.deliver(delivery())


def test_one_that_is_not_there_cannot_be_reached():
    with receiving() as receiver:
        url = receiver.url
    with pytest.raises(SinkError, match="cannot be reached: Connection refused"):
        webhook(url=f"{url}/secret-path?key=secret").deliver(delivery())


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({}, "expected a url of http or https, got none"),
        ({"url": "ftp://127.0.0.1/x"}, "expected a url of http or https"),
        ({"url": "file:///etc/passwd"}, "expected a url of http or https"),
        ({"url": "http://"}, "expected a url of http or https"),
        ({"url": "http://127.0.0.1:99999/"}, "expected a url of http or https"),
        ({"url": "http://127.0.0.1/a b"}, "expected a url of http or https"),
        ({"url": "http://127.0.0.1/\nx"}, "expected a url of http or https"),
        ({"url": "http://ann:pw@127.0.0.1/"}, "without user and password"),
        ({"url": "http://127.0.0.1/", "token_env": "HOOK"}, "the environment variable HOOK is not set"),
        ({"url": "http://127.0.0.1/", "token_env": "ODD"}, "holds no token"),
        ({"url": "http://example.com/", "token_env": "SET"}, "expected https"),
    ],
)
def test_settings_that_are_not_enough_are_told(settings, told):
    written = Policy.model_construct(sinks={"mine": Settings.model_construct(kind="webhook", **settings)})
    with pytest.raises(SinkError, match=told) as raised:
        sink_of("mine", written, Place(None, {"SET": "s3cret", "ODD": "s3cret\nX-Evil: 1"}))
    assert "s3cret" not in str(raised.value)
    assert "pw" not in str(raised.value)


# -- OpenClaw --------------------------------------------------------------------------------------------------------------


def test_the_gateway_of_openclaw_is_woken_as_it_is_documented():
    with receiving() as receiver:
        settings = Settings(kind="openclaw", url=receiver.url, token_env="HOOK")
        sink_of("mine", Policy(sinks={"mine": settings}), Place(None, {"HOOK": "s3cret"})).deliver(delivery())
        ((path, headers, body),) = receiver.posted
    assert (path, headers["authorization"]) == ("/hooks/wake", "Bearer s3cret")
    assert body == {"text": "先看队列", "mode": "now"}


def test_the_command_of_openclaw_is_run_as_it_is_documented(tmp_path):
    _, file = stand_in(tmp_path)
    place = Place(None, {"PATH": str(tmp_path)})
    sink_of("mine", Policy(sinks={"mine": Settings(kind="openclaw")}), place).deliver(delivery())
    assert json.loads(file.read_text()) == ["system", "event", "--text", "先看队列", "--mode", "now", "--json"]


@pytest.mark.parametrize(
    "command", ["bash", "/bin/bash", "bin/openclaw", "./openclaw", "openclaw-that-is-not-there", ""]
)
def test_a_policy_names_no_other_command(command, tmp_path):
    settings = Settings(kind="openclaw", command=command)
    with pytest.raises(SinkError):
        sink_of("mine", Policy(sinks={"mine": settings}), Place(tmp_path, {"PATH": str(tmp_path)}))


def test_a_command_that_came_with_the_project_is_not_run(tmp_path):
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    (project / "memory").mkdir()
    program, file = stand_in(project / "tools")
    settings = Settings(kind="openclaw", command=str(program))
    with pytest.raises(SinkError, match="own project"):
        sink_of("mine", Policy(sinks={"mine": settings}), Place(project / "memory", {}))
    assert not file.exists()


def test_a_command_that_hangs_is_ended(tmp_path, monkeypatch):
    program, _ = stand_in(tmp_path)
    program.write_text("#!/bin/sh\nexec sleep 60\n")
    sink = sink_of("mine", Policy(sinks={"mine": Settings(kind="openclaw", command=str(program))}), Place(None, {}))
    sink.seconds = 0.2
    with pytest.raises(SinkError, match=r"took longer than 0\.2 s"):
        sink.deliver(delivery())
