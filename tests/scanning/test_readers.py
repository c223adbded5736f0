"""Every reader: the calls of its host's transcripts, in bounded memory, whatever else stands in the file."""

from __future__ import annotations

import json
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path

import pytest

from casebook.adapters.scanning import lines
from casebook.adapters.scanning.protocol import Seen, Unread
from casebook.adapters.scanning.registry import READERS, reader_of
from casebook.faults import CasebookError
from casebook.runtime.learning.signature import error_signature
from tests.scanning.rig import WRITERS, dated

DATA = Path(__file__).parent / "data"
ERROR = "npm ERR! could not resolve the dependency tree of the project"
MADE = dated(
    [
        ("npm install a", ERROR),
        ("npm test", ""),
        ("cd web && npm install b", ERROR),
    ]
)


def read(host: str, path: Path) -> list[Seen]:
    return [each for each in READERS[host].calls(path) if isinstance(each, Seen)]


def unread(host: str, path: Path) -> list[Unread]:
    return [each for each in READERS[host].calls(path) if isinstance(each, Unread)]


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("claude-code", [("Bash", "ls /nonexistent-xyz", "Exit code 2\nls: cannot access '/nonexistent-xyz': No such file or directory"), ("Bash", "echo ok", None)]),
        ("codex", [("exec_command", "ls /nonexistent-xyz", "Exit code 2\nls: cannot access '/nonexistent-xyz': No such file or directory")]),
        ("openclaw", [
            ("exec", "./deploy --app=api", "error: no region given for --app=api\n\n(Command exited with code 3)"),
            ("exec", "./deploy --app=wiki", "error: no region given for --app=wiki\n\n(Command exited with code 3)"),
        ]),
    ],
)  # fmt: skip
def test_what_the_host_itself_has_written_is_read(host: str, expected: list[tuple[str, str, str | None]]) -> None:
    """The files are what the releases named in `VERIFIED` wrote in a run against a model on loopback, shortened."""
    found = read(host, DATA / f"{host}.jsonl")
    assert [(each.tool, each.args["command"], each.error) for each in found] == expected
    assert {each.cwd for each in found} == {"/srv/shop"}
    assert all(each.session and each.turn and each.call and each.at is not None for each in found)
    assert unread(host, DATA / f"{host}.jsonl") == []


@pytest.mark.parametrize("written", WRITERS)
def test_calls_come_in_order_with_their_errors_their_places_and_their_instants(tmp_path: Path, written: str) -> None:
    host, write = WRITERS[written]
    path = write(tmp_path, "s1", MADE)
    assert list(READERS[host].within(READERS[host].folder(tmp_path, {}))) == [path]
    found = read(host, path)
    assert [(each.args["command"], each.error is not None, each.at) for each in found] == [
        (each.command, bool(each.fails), each.at) for each in MADE
    ]
    assert len({each.place for each in found}) == len({each.turn for each in found}) == 3
    assert {(each.session, each.cwd) for each in found} == {("s1", "/srv/shop")}


@pytest.mark.parametrize("written", ["claude-code", "codex"])
def test_an_error_has_the_same_signature_from_both_hosts_that_tell_the_exit_code(tmp_path: Path, written: str) -> None:
    host, write = WRITERS[written]
    found = [each.error for each in read(host, write(tmp_path, "s1", MADE)) if each.error]
    assert {error_signature(each, tool="shell") for each in found} == {
        error_signature(f"Exit code 1\n{ERROR}", tool="shell")
    }


@pytest.mark.parametrize("written", [each for each in WRITERS if each != "openclaw"])
@pytest.mark.parametrize(
    ("spoilt", "told"),
    [
        (b'{"type": "us\n', 1), (b"[1, 2]\n", 1), (b"\xff\xfe\x00\n", 1), (b"\n\n", 0), (b"null\n", 1),
        (b'{"type": "assistant", "message": {"content": "x"}}\n{"type": 7}\n{"payload": [], "message": null}\n', 0),
        (b'{"type": "user", "message": {"content": [3, {"type": "tool_result", "tool_use_id": {}}]}}\n', 0),
        (b"[" * 100_000 + b"\n", 1),
    ],
)  # fmt: skip
def test_a_line_that_is_none_is_told_with_its_number_and_passed(
    tmp_path: Path, written: str, spoilt: bytes, told: int
) -> None:
    host, write = WRITERS[written]
    path = write(tmp_path, "s1", MADE)
    first, rest = path.read_bytes().split(b"\n", 1)
    path.write_bytes(first + b"\n" + spoilt + rest)
    assert [each.args["command"] for each in read(host, path)] == [each.command for each in MADE]
    assert [each.place for each in unread(host, path)] == ["2"] * told


@pytest.mark.parametrize("written", [each for each in WRITERS if each != "openclaw"])
def test_a_file_that_ends_in_the_middle_of_a_line_is_read_up_to_there(tmp_path: Path, written: str) -> None:
    host, write = WRITERS[written]
    path = write(tmp_path, "s1", MADE)
    path.write_bytes(path.read_bytes()[:-40])
    assert [each.args["command"] for each in read(host, path)] == [each.command for each in MADE[:2]]
    (cut,) = unread(host, path)
    assert "ends in the middle" in cut.why


@pytest.mark.parametrize("host", READERS)
@pytest.mark.parametrize("content", [b"", b"\n", b"no transcript at all\n", b'{"type": "message"}\n'])
def test_a_file_that_is_no_transcript_has_no_calls(tmp_path: Path, host: str, content: bytes) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)
    assert read(host, path) == []


def test_a_store_that_is_none_or_of_another_shape_is_told(tmp_path: Path) -> None:
    path = tmp_path / "openclaw-agent.sqlite"
    path.write_bytes(b"no database")
    (told,) = unread("openclaw", path)
    assert "cannot be read" in told.why


def test_a_row_that_is_packed_is_told(tmp_path: Path) -> None:
    import sqlite3
    from contextlib import closing

    path = WRITERS["openclaw"][1](tmp_path, "s1", MADE)
    with closing(sqlite3.connect(path)) as store, store:
        store.execute("INSERT INTO transcript_events VALUES ('s1', 99, NULL, 0, x'28b52ffd')")
    assert len(read("openclaw", path)) == 3
    assert [each.why for each in unread("openclaw", path)] == ["1 rows are packed (zstd) and were passed"]


@pytest.mark.parametrize(
    ("message", "error", "interrupted"),
    [
        ({"isError": True, "content": [{"type": "text", "text": "File not found: a.txt"}]}, "File not found: a.txt", False),
        ({"isError": True, "content": [{"type": "text", "text": '{"status": "error", "error": "no such tool"}'}]}, "no such tool", False),
        ({"isError": False, "content": [{"type": "text", "text": '{"status": "error", "error": "no such tool"}'}]}, "no such tool", False),
        ({"isError": True, "content": [{"type": "text", "text": "Plugin approval unavailable"}]}, "Plugin approval unavailable", True),
        ({"isError": True, "content": []}, "the tool failed", False),
        ({"isError": False, "details": {"exitCode": 3, "aggregated": "no region"}}, "no region", False),
        ({"isError": False, "details": {"exitCode": 0, "aggregated": "error: none"}}, None, False),
        ({"isError": False, "content": "ok"}, None, False),
    ],
)  # fmt: skip
def test_openclaw_tells_an_error_by_its_own_flag_or_an_exit_code(tmp_path: Path, message, error, interrupted) -> None:
    entries = (
        {"type": "message", "message": {"role": "assistant", "content": [{"type": "toolCall", "id": "c", "name": "x", "arguments": {}}]}},
        {"type": "message", "message": {"role": "toolResult", "toolCallId": "c", **message}},
    )  # fmt: skip
    path = tmp_path / "s.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in entries), encoding="utf-8")
    (found,) = read("openclaw", path)
    assert (found.error, found.interrupted) == (error, interrupted)


def test_a_line_over_the_limit_is_passed_and_what_follows_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "LINE_BYTES", 1_000)
    path = WRITERS["claude-code"][1](tmp_path, "s1", MADE)
    huge = json.dumps({"type": "user", "message": {"content": "x" * 5_000}}).encode()
    path.write_bytes(huge + b"\n" + path.read_bytes())
    assert len(read("claude-code", path)) == 3
    assert [(each.place, each.why) for each in unread("claude-code", path)] == [
        ("1", "a line of more than 1,000 bytes")
    ]


@pytest.mark.parametrize("written", ["claude-code", "codex"])
def test_a_large_file_is_read_in_bounded_memory(tmp_path: Path, written: str) -> None:
    """32 MB of results, and 20,000 calls that never get one."""
    host, write = WRITERS[written]
    path = write(tmp_path, "s1", dated([("echo x", "y" * 100_000)]))
    body = path.read_bytes()
    with path.open("wb") as file:
        for number in range(320):
            file.write(body.replace(b"_s1_0", f"_s1_{number}".encode()))
        begun = next(line for line in body.split(b"\n") if b"echo x" in line and len(line) < 50_000)
        for number in range(20_000):
            file.write(begun.replace(b"_s1_0", f"_open_{number}".encode()) + b"\n")
    tracemalloc.start()
    try:
        count = sum(isinstance(each, Seen) for each in READERS[host].calls(path))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (count, path.stat().st_size > 32_000_000, peak < 8_000_000) == (320, True, True), peak


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-11-20T09:00:00Z", datetime(2026, 11, 20, 9, tzinfo=UTC)), ("2026-11-20T09:00:00+08:00", datetime(2026, 11, 20, 1, tzinfo=UTC)),
        (1_795_165_200_000, datetime(2026, 11, 20, 9, tzinfo=UTC)), ("2026-11-20T09:00:00", None), ("never", None), (10**30, None),
        (True, None), (None, None),
    ],
)  # fmt: skip
def test_an_instant_is_read_where_it_is_one(value: object, expected: datetime | None) -> None:
    assert lines.instant_in(value) == expected


@pytest.mark.parametrize(
    ("output", "error"),
    [
        ("Exit code: 127\nWall time: 0.1 seconds\nOutput:\nbash: pnpx: command not found\n", "Exit code 127\nbash: pnpx: command not found"),
        ("Process exited with code 0\nOutput:\nprocess exited with code 3 is what the log said\n", None),
        ('{"output": "no such table: t", "metadata": {"exit_code": 1}}', "Exit code 1\nno such table: t"),
        ([{"type": "input_text", "text": "Error: no such tool"}], "Error: no such tool"),
        ("Chunk ID: 1\nProcess running with session ID 7\nOutput:\n", "still runs"), (None, None),
    ],
)  # fmt: skip
def test_codex_tells_a_failure_by_the_code_at_the_head_of_an_output(
    tmp_path: Path, output: object, error: str | None
) -> None:
    items = ({"type": "function_call", "name": "exec_command", "arguments": "{}", "call_id": "c"}, {"type": "function_call_output", "call_id": "c", "output": output})  # fmt: skip
    path = tmp_path / "rollout-1.jsonl"
    path.write_text(
        "".join(json.dumps({"type": "response_item", "payload": each}) + "\n" for each in items), encoding="utf-8"
    )
    found = [each.error for each in read("codex", path)]
    is_done = error != "still runs"
    assert found == [error] * is_done


def test_each_reader_says_how_its_form_was_verified_and_an_unknown_host_is_named_the_nearest() -> None:
    assert all(name == each.NAME and "run" in each.VERIFIED for name, each in READERS.items())
    with pytest.raises(CasebookError, match="did you mean codex"):
        reader_of("codx")
