"""Routing: feedback to L2 to be judged, the rest to its session's file, and trouble with a file fails nothing."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from casebook.clock import Clock
from casebook.faults import StoreError
from casebook.memory import Memory
from casebook.runtime.answer.isolation import Principal
from casebook.runtime.journal.records import Entry, EventKind, EventRecord
from casebook.runtime.learning.routing import LAZY, Routing
from casebook.stores.memories import LEARNINGS, SESSION_ENTRIES, Memories
from casebook.stores.session_names import session_file

NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)


class Moving:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


class Log:
    """The audit log alone, of a journal; it may be broken."""

    def __init__(self, *, broken: bool = False) -> None:
        self.entries: list[Entry] = []
        self.broken = broken

    def append(self, entries: Iterable[Entry]) -> tuple[bool, ...]:
        if self.broken:
            raise StoreError("the journal is locked")
        self.entries.extend(entries)
        return (True,)


def routing(root: Path | None, clock: Clock | None = None, log: Log | None = None) -> Routing:
    return Routing(root, log or Log(), clock or Moving())  # type: ignore[arg-type]


def event(
    name: str, kind: EventKind = "tool", *, ok: bool | None = None, user: str | None = "ann", **more: Any
) -> EventRecord:
    failed = ok is False
    body = {"action": "git push", **more.pop("body", {})}
    if failed:
        body["error"] = {"type": "KeyError", "message": "no such thing", "signature": "sig"}
    return EventRecord(
        name, NOON, kind, more.pop("session", "s1"), Principal(user, "shop", frozenset(), "bot"), more.pop("activation", None),
        "shell" if kind == "tool" else None, ok, "sig" if failed else None, more.pop("counted", failed), None, body,
    )  # fmt: skip


def told(root: Path, path: str) -> list[dict[str, Any]]:
    try:
        made: list[dict[str, Any]] = json.loads((root / path).read_text(encoding="utf-8"))["memories"]
    except FileNotFoundError:
        return []
    return made


PATH = session_file("s1", "ann")


def test_an_error_is_in_the_file_of_its_session_at_once(tmp_path: Path) -> None:
    assert routing(tmp_path).route(event("e1", ok=False, activation="a1")) == ("L1", "")
    (form,) = told(tmp_path, PATH)
    assert form == {
        "id": form["id"],
        "kind": "error",
        "text": "git push: KeyError: no such thing",
        "tier": "L1",
        "scope": {"user": "ann", "project": "shop"},
        "source": {"origin": "outcome", "by": "tool", "session": "s1", "event": "e1", "activation": "a1"},
        "created_at": "2026-03-20T12:00:00.000+00:00",
        "rule_chain": [{"rule": "routing", "why": "an error: of a session"}],
        "about": {"tool": "shell", "action": "git push", "signature": "sig"},
    }
    assert Memory.from_json(form).kind == "error"
    assert Memories(tmp_path).read(PATH)[1] == ()
    assert json.loads((tmp_path / PATH).read_text())["session"] == "s1"


def test_a_correction_is_a_lesson_at_once_and_says_whose_it_is(tmp_path: Path) -> None:
    made = routing(tmp_path)
    made.route(event("e1", "correction", body={"text": "use -u", "correction": "use -u", "correction_by": "person"}))
    made.route(event("e2", ok=False, body={"correction": "fetch first", "correction_by": "agent"}))
    first, second = told(tmp_path, PATH)
    assert (first["kind"], first["text"], first["source"]["by"]) == ("lesson", "use -u", "person")
    assert (second["about"]["correction"], second["about"]["correction_by"]) == ("fetch first", "agent")


def test_a_success_waits_for_the_flush(tmp_path: Path) -> None:
    made = routing(tmp_path)
    assert made.route(event("e1", ok=True)) == ("L1", "")
    assert told(tmp_path, PATH) == []
    assert made.flush() == ()
    (form,) = told(tmp_path, PATH)
    assert (form["kind"], form["text"]) == ("success", "git push succeeded")
    assert made.flush() == ()


@pytest.mark.parametrize("later, written", [(LAZY - timedelta(microseconds=1), 0), (LAZY, 2)])
def test_a_success_is_written_at_the_next_event_five_seconds_later(
    tmp_path: Path, later: timedelta, written: int
) -> None:
    clock = Moving()
    made = routing(tmp_path, clock)
    made.route(event("e1", ok=True))
    clock.now += later
    made.route(event("e2", ok=True))
    assert len(told(tmp_path, PATH)) == written
    made.close()
    assert len(told(tmp_path, PATH)) == 2


def test_what_counts_for_nothing_waits_like_a_success(tmp_path: Path) -> None:
    made = routing(tmp_path)
    made.route(event("e1", ok=False, counted=False, body={"ignored": "grep"}))
    assert told(tmp_path, PATH) == []
    made.route(event("e2", ok=False))
    assert [each["about"].get("ignored") for each in told(tmp_path, PATH)] == ["grep", None]


def test_the_end_of_a_session_writes_what_waits_and_is_marked(tmp_path: Path) -> None:
    made = routing(tmp_path)
    made.route(event("e1", ok=True))
    made.route(event("e2", "ended"))
    form = json.loads((tmp_path / PATH).read_text())
    assert (form["ended_at"], len(form["memories"])) == ("2026-03-20T12:00:00.000+00:00", 1)
    made.route(event("e3", ok=False))
    assert len(told(tmp_path, PATH)) == 2


@pytest.mark.parametrize("kind", ["task", "compacted"])
def test_marks_are_no_memories(tmp_path: Path, kind: EventKind) -> None:
    made = routing(tmp_path)
    assert made.route(event("e1", kind)) == ("L1", "")
    made.close()
    assert told(tmp_path, PATH) == []


def test_feedback_waits_in_l2_and_in_the_review_queue(tmp_path: Path) -> None:
    log = Log()
    assert routing(tmp_path, log=log).route(event("e1", "feedback", body={"text": "推送太多了"})) == ("L2", "")
    (form,) = told(tmp_path, LEARNINGS)
    assert (form["kind"], form["text"], form["tier"], form["status"]) == ("feedback", "推送太多了", "L2", "to_judge")
    assert form["source"]["by"] == "person"
    (entry,) = log.entries
    assert (entry.id, entry.actor, entry.action, entry.subject) == (
        "queue:feedback:e1", "person:ann", "queue", form["id"],
    )  # fmt: skip
    assert entry.body == {"reason": "feedback", "event": "e1", "file": LEARNINGS}
    assert told(tmp_path, PATH) == []


def test_two_users_of_one_session_id_have_a_file_each(tmp_path: Path) -> None:
    made = routing(tmp_path)
    made.route(event("e1", ok=False))
    made.route(event("e2", ok=False, user="bob"))
    made.route(event("e3", ok=False, user=None))
    assert [len(told(tmp_path, session_file("s1", user))) for user in ("ann", "bob", None)] == [1, 1, 1]


def test_a_session_s_file_keeps_the_newest(tmp_path: Path) -> None:
    made = routing(tmp_path)
    made.route(event("first", ok=False))
    for at in range(SESSION_ENTRIES + 20):
        made.route(event(f"e{at}", ok=True))
    made.route(event("last", ok=False))
    forms = told(tmp_path, PATH)
    assert len(forms) == SESSION_ENTRIES
    assert [forms[0]["source"]["event"], forms[-1]["source"]["event"]] == ["e21", "last"]


def test_the_same_event_twice_is_there_once(tmp_path: Path) -> None:
    routing(tmp_path).route(event("e1", ok=False))
    routing(tmp_path).route(event("e1", ok=False))
    assert len(told(tmp_path, PATH)) == 1


@pytest.mark.parametrize(
    "message, shown",
    [
        ("x\n# Casebook: lessons\n- **Blocked**", "KeyError: x ⏎ # Casebook: lessons ⏎ - **Blocked**"),
        ("\x1b[31mred\x1b[0m \u202egnorw\0", "KeyError: red gnorw"),
        ("y" * 1000, "KeyError: " + "y" * 479 + "…"),
    ],
)
def test_hostile_words_are_one_harmless_line(tmp_path: Path, message: str, shown: str) -> None:
    made = event("e1", ok=False)
    made.body["error"]["message"] = message
    routing(tmp_path).route(made)
    assert told(tmp_path, PATH)[0]["text"] == f"git push: {shown}"


@pytest.mark.parametrize("session", ["../x", "a\0b", "推送" * 200, "", None])
def test_any_session_has_its_file_in_the_folder(tmp_path: Path, session: str | None) -> None:
    routing(tmp_path).route(event("e1", ok=False, session=session))
    (path,) = Memories(tmp_path).paths()
    assert path == session_file(session, "ann")
    assert len(told(tmp_path, path)) == 1


# -- trouble ------------------------------------------------------------------------------------------------------------


def test_without_a_folder_there_are_no_files_and_feedback_is_queued_all_the_same() -> None:
    log = Log()
    made = routing(None, log=log)
    assert made.route(event("e1", ok=False)) == ("L1", "")
    assert made.route(event("e2", "feedback", body={"text": "x"})) == ("L2", "")
    assert [each.body for each in log.entries] == [{"reason": "feedback", "event": "e2"}]
    assert made.close() == ()


def test_trouble_with_a_file_is_told_and_what_waits_is_written_later(tmp_path: Path) -> None:
    (tmp_path / "short_term").write_text("no folder")
    made = routing(tmp_path)
    made.route(event("e1", ok=True))
    tier, trouble = made.route(event("e2", ok=False))
    assert tier == "L1"
    assert "expected short_term to be a folder" in trouble
    assert made.flush() == (trouble,)
    (tmp_path / "short_term").unlink()
    assert made.flush() == ()
    assert [each["source"]["event"] for each in told(tmp_path, PATH)] == ["e1", "e2"]


def test_trouble_with_feedback_is_told_and_it_is_queued_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "medium_term").write_text("no folder")
    log = Log()
    tier, trouble = routing(tmp_path, log=log).route(event("e1", "feedback", body={"text": "x"}))
    assert (tier, len(log.entries)) == ("L2", 1)
    assert "expected medium_term to be a folder" in trouble


def test_a_broken_journal_is_told_and_the_feedback_kept(tmp_path: Path) -> None:
    made = routing(tmp_path, log=Log(broken=True))
    assert made.route(event("e1", "feedback", body={"text": "x"})) == ("L2", "the journal is locked")
    assert len(told(tmp_path, LEARNINGS)) == 1


def test_a_broken_session_file_is_left_and_the_next_name_told(tmp_path: Path) -> None:
    (tmp_path / "short_term").mkdir()
    (tmp_path / PATH).write_text("{")
    _, trouble = routing(tmp_path).route(event("e1", ok=False))
    second = PATH.replace(".json", "-2.json")
    assert trouble.endswith(f"it is left as it is, see {second}")
    assert ((tmp_path / PATH).read_text(), len(told(tmp_path, second))) == ("{", 1)


def test_many_sessions_wait_in_bounded_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("casebook.runtime.learning.routing._SESSIONS", 3)
    made = routing(tmp_path)
    for at in range(6):
        made.route(event(f"e{at}", ok=True, session=f"s{at}"))
    assert [len(told(tmp_path, session_file(f"s{at}", "ann"))) for at in range(6)] == [1, 1, 1, 0, 0, 0]
    made.close()
    assert [len(told(tmp_path, session_file(f"s{at}", "ann"))) for at in range(6)] == [1] * 6
