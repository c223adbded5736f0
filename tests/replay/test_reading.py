"""A record is read with names of its own, and a bad line is told with its number and skipped."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casebook.runtime.replay.reading import Call, RecordError, read_mapping, read_record
from casebook.runtime.replay.running import BEGINNING, outcome_of, task_of

AIRLINE = Path(__file__).parent / "airline.jsonl"
SHARED = Path(__file__).parents[3] / "shared" / "replay" / "airline.jsonl"


def lines(*rows: Any) -> list[bytes]:
    return [row if isinstance(row, bytes) else json.dumps(row, ensure_ascii=False).encode() for row in rows]


def one(row: dict[str, Any], *mapping: str) -> Call:
    record = read_record(lines(row), read_mapping(mapping))
    assert record.skipped == ()
    return record.calls[0]


def told(row: Any, *mapping: str) -> str:
    record = read_record(lines(row), read_mapping(mapping))
    assert record.calls == ()
    return str(record.skipped[0])


def test_the_airline_record_is_read_whole() -> None:
    with AIRLINE.open("rb") as stream:
        record = read_record(stream)
    assert (len(record.calls), record.skipped) == (572, ())
    assert sum(not call.ok for call in record.calls) == 33
    first = record.calls[0]
    assert first == Call(
        line=1, tool="get_user_details", args={"user_id": "mia_li_3668"}, session="airline-0-0", step="0"
    )
    assert first.where == "airline-0-0 step 0"
    assert record.calls[4].error == "Error: payment amount does not add up, total price is 305, but paid 255"


@pytest.mark.skipif(not SHARED.exists(), reason="the shared folder is not here")
def test_the_copy_is_the_record() -> None:
    assert AIRLINE.read_bytes() == SHARED.read_bytes()


@pytest.mark.parametrize(
    "row, ok, error",
    [
        ({"tool": "t"}, True, None),
        ({"tool": "t", "error": None}, True, None),
        ({"tool": "t", "error": ""}, True, None),
        ({"tool": "t", "error": False}, True, None),
        ({"tool": "t", "error": "boom"}, False, "boom"),
        ({"tool": "t", "ok": True, "error": "a warning"}, True, "a warning"),
        ({"tool": "t", "ok": False}, False, None),
        ({"tool": "t", "ok": None, "error": "boom"}, False, "boom"),
        ({"tool": "t", "error": {"message": "boom", "type": "ValueError"}}, False, "boom"),
        ({"tool": "t", "error": {"code": 404}}, False, '{"code": 404}'),
        ({"tool": "t", "error": ["boom"]}, False, '["boom"]'),
    ],
)
def test_whether_a_call_succeeded(row: dict[str, Any], ok: bool, error: str | None) -> None:
    call = one(row)
    assert (call.ok, call.error) == (ok, error)


@pytest.mark.parametrize("args", ['{"a": NaN}', '{"a": "\\ud800"}'])
def test_arguments_told_as_text_are_made_plain(args: str) -> None:
    assert one({"tool": "t", "args": args}).args in ({"a": None}, {}, {"a": "\ufffd"})


def test_arguments_nested_too_deep_are_told() -> None:
    assert told({"tool": "t", "args": '{"a":' * 500 + "1" + "}" * 500}).startswith("line 1: ")


@pytest.mark.parametrize(
    "error, kind", [({"message": "m", "type": "E"}, "E"), ({"message": "m", "code": 404}, "404"), ("m", None)]
)
def test_the_type_of_an_error_may_stand_in_it(error: Any, kind: str | None) -> None:
    assert one({"tool": "t", "error": error}).type == kind
    assert one({"tool": "t", "error": error, "type": "Mine"}).type == "Mine"


def test_other_names_are_mapped_by_dotted_paths() -> None:
    row = {
        "call": {"function": {"name": "search", "arguments": '{"q": "x"}'}},
        "results": [{"is_error": True, "content": "not found"}],
        "meta": {"who": "ann", "day": 1_767_225_600},
        "a.b": "s1",
    }
    call = one(
        row, "tool=call.function.name,args=call.function.arguments", "ok=!results.0.is_error,error=results.0.content",
        "user=meta.who,at=meta.day,session=a.b",
    )  # fmt: skip
    assert call == Call(
        line=1, tool="search", args={"q": "x"}, ok=False, error="not found", user="ann",
        at=datetime(2026, 1, 1, tzinfo=UTC), session="s1",
    )  # fmt: skip


@pytest.mark.parametrize(
    "given_at, at",
    [
        ("2026-01-01T08:00:00+08:00", datetime(2026, 1, 1, tzinfo=UTC)),
        ("2026-01-01T00:00:00", datetime(2026, 1, 1, tzinfo=UTC)),
        ("2026-01-01", datetime(2026, 1, 1, tzinfo=UTC)),
        (1_767_225_600.5, datetime(2026, 1, 1, 0, 0, 0, 500_000, tzinfo=UTC)),
    ],
)
def test_an_instant(given_at: Any, at: datetime) -> None:
    assert one({"tool": "t", "at": given_at}).at == at


@pytest.mark.parametrize(
    "row, why",
    [
        (b"{", "line 1: expected a JSON object: at column 2 expected a field in double quotes, got the end of the line"),
        (b'{"a": 1,}', "line 1: expected a JSON object: at column 8 expected another value after the comma (leave the comma out)"),
        (b"{'a': 1}", "line 1: expected a JSON object: at column 2 expected double quotes, got '"),
        (b'{"tool": "x"} {"tool": "y"}', 'line 1: expected one JSON object, got {"tool": "y"} after it at column 15'),
        (b"Traceback (most recent call last):", "line 1: expected a JSON object, got Traceback (most recent call last):"),
        (b"x" * 1_000, f"line 1: expected a JSON object, got {'x' * 60}…"),
        (b"[1]", "line 1: expected a JSON object, got [1]"),
        (b"\xff", "line 1: expected UTF-8, got the byte 0xff"),
        (b"[" * 100_000, "line 1: expected a JSON object"),
        (b'{"tool": "' + b"x" * 2**20 + b'"}', "line 1: expected at most 1 MB (limit: task), got 1,048,588 bytes"),
        ({"name": "t"}, "line 1: tool: expected it, found nothing (the line has name; --map tool=FIELD names another)"),
        ({"tool": 3}, "line 1: tool: expected the name of a tool, got 3"),
        ({"tool": "t", "args": [1]}, "line 1: args: expected an object, got [1]"),
        ({"tool": "t", "args": "ls"}, 'line 1: args: expected an object, got "ls"'),
        ({"tool": "t", "ok": "yes"}, 'line 1: ok: expected true or false, got "yes"'),
        ({"tool": "t", "user": {"id": 1}}, 'line 1: user: expected text, got {"id": 1}'),
        ({"tool": "t", "intent": 3}, "line 1: intent: expected text or a list of texts, got 3"),
        ({"tool": "t", "at": "soon"}, 'line 1: at: expected an ISO date-time such as "2026-03-20T09:00:00+08:00", got "soon"'),
        ({"tool": "t", "at": 1e30}, "line 1: at: expected an instant within the years 1 to 9999, got 1e+30"),
        ({"tool": "t", "at": True}, "line 1: at: expected an ISO date-time or seconds since 1970, got true"),
        ({"tool": "t", "correction_by": "me"}, 'line 1: correction_by: expected "person" or "agent", got "me"'),
    ],
)  # fmt: skip
def test_what_is_no_call_is_told(row: Any, why: str) -> None:
    assert told(row).startswith(why)


def test_a_mapped_name_that_leads_nowhere_is_told() -> None:
    assert (
        told({"a": 1}, "tool=b.c")
        == "line 1: tool: there is nothing at 'b.c' (the line has a; --map tool=FIELD names another)"
    )


def test_a_bad_line_takes_no_other_with_it() -> None:
    record = read_record(lines({"tool": "a"}, b"{", b"", b"  \r", {"tool": "b"}, {"tool": ""}))
    assert [(call.line, call.tool) for call in record.calls] == [(1, "a"), (5, "b")]
    assert [each.line for each in record.skipped] == [2, 6]


def test_a_byte_order_mark_is_no_fault() -> None:
    assert read_record([b"\xef\xbb\xbf" + lines({"tool": "a"})[0]]).calls[0].tool == "a"


@pytest.mark.parametrize(
    "mapping, why",
    [
        ("tool", "expected FIELD=PATH, got 'tool'"),
        ("tool=", "expected FIELD=PATH, got 'tool='"),
        ("tools=name", "a record has no field 'tools'; did you mean tool?"),
        ("zzz=name", "a record has no field 'zzz'; expected one of session, "),
        ("tool=!name", "tool: ! stands before the path of ok only, got '!name'"),
        ("ok=!", "expected FIELD=PATH, got 'ok=!'"),
    ],
)
def test_a_mapping_that_is_none_is_told(mapping: str, why: str) -> None:
    with pytest.raises(RecordError) as raised:
        read_mapping([mapping])
    assert str(raised.value).startswith(why)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)
NAMES = st.sampled_from(["tool", "args", "ok", "error", "session", "user", "intent", "at", "step", "text"])


@given(st.lists(st.binary() | st.dictionaries(NAMES, JSON).map(lambda row: json.dumps(row).encode())))
def test_any_bytes_are_read_or_told(given_lines: list[bytes]) -> None:
    record = read_record(given_lines)
    numbers = [call.line for call in record.calls] + [each.line for each in record.skipped]
    blank = sum(
        not line.removeprefix(b"\xef\xbb\xbf").strip() if at == 0 else not line.strip()
        for at, line in enumerate(given_lines)
    )
    assert len(set(numbers)) == len(numbers) == len(given_lines) - blank
    assert all("\n" not in str(each) for each in record.skipped)
    for call in record.calls:
        assert task_of(call, BEGINNING).point == "tool"
        assert outcome_of(call, BEGINNING).kind == ("success" if call.ok else "error")
