"""Forgetting: rows of somebody, what came of them alone, what others repeat of them, and every byte of it."""

import contextlib
import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from casebook.clock import fixed_clock
from casebook.faults import StoreError
from casebook.runtime.answer.isolation import Principal
from casebook.runtime.journal import erasing
from casebook.runtime.journal import folder as served
from casebook.runtime.journal.leaving import Leaving
from casebook.runtime.journal.opening import open_journal
from casebook.runtime.journal.records import Fired, Firing
from casebook.runtime.journal.sqlite import SqliteJournal
from casebook.stores.memory_store import Forgetting
from tests.journal.conftest import Open
from tests.journal.made import ANN, NOW, activation, after, entry, event, failed, noted, told, version

HERE = Path(__file__).parents[2]
BOB = replace(ANN, user="bob")
CAT = replace(ANN, user="cat")
WORDS = "the purple elephant codename is marmalade-7781"
CHINESE = "我们的暗号是紫色大象和橘子酱"


@pytest.fixture(autouse=True)
def _little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(served, "PATIENCE", 0.03)
    monkeypatch.setattr(served, "HASTE", 0.01)


def place(root: Path, name: str = "journal.db") -> Path:
    return root / ".casebook" / name


def ids(journal: SqliteJournal) -> list[str]:
    return [each.id for each in journal.events()]


def holds(root: Path, *texts: str) -> list[str]:
    """Give the files of the casebook in which a text stands, in any of the ways in which JSON writes it."""
    forms = [each for text in texts for each in (text.encode(), json.dumps(text)[1:-1].encode())]
    files = [each for each in root.rglob("*") if each.is_file()]
    return sorted(each.name for each in files if any(form in each.read_bytes() for form in forms))


@contextlib.contextmanager
def held(root: Path) -> Iterator[None]:
    with contextlib.closing(sqlite3.connect(place(root), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def filled(journal: SqliteJournal) -> None:
    """Let ann, bob and nobody work: ann in a session of her own and in one with bob."""
    journal.note(
        noted(
            activation("a-ann", "shared", "hers", session="s-ann", facts={"text": WORDS, "args": {"note": CHINESE}}),
            event("turn-ann", kind="task", session="s-ann", principal=ANN, body={"text": WORDS}),
            version("shared", "v1", text=json.dumps({"correction": "ask first"})),
        )
    )
    journal.note(
        noted(activation("a-bob", "shared", session="both", principal=BOB, facts={"text": "bob's own words here"}))
    )
    journal.record(failed("e-ann", "only hers", session="s-ann", principal=ANN, body={"error": {"message": WORDS}}))
    journal.record(failed("e-both", "of both", session="both", principal=ANN, body={"text": CHINESE}))
    journal.record(failed("e-bob", "of both", session="both", principal=BOB, body={"text": "bob's own words here"}))
    journal.record(event("e-nobody", session="s3", body={"text": "nobody said so"}))
    journal.tell(
        [
            told("m1", "a-ann", session="s-ann"),
            told("m1", "a-bob", session="both", user="bob"),
            told("m2", "r1", session=None, user="ann"),
            told("m2", "r2", session=None, user=None),
        ]
    )
    journal.flush()


# -- whose rows ---------------------------------------------------------------------------------------------------------------


def test_the_rows_of_a_user_go_and_those_of_others_stay(memory: SqliteJournal) -> None:
    filled(memory)
    done = memory.forget(Forgetting(user="ann"))
    assert (done["activations"], done["firings"], done["events"], done["tellings"]) == (1, 2, 3, 2)
    assert [each.id for each in memory.activations()] == ["a-bob"]
    assert ids(memory) == ["e-bob", "e-nobody"]
    assert {name: [each.key for each in found] for name, found in memory.tellings().items()} == {
        "m1": ["a-bob"],
        "m2": ["r2"],
    }
    assert memory.signatures() == {"of both": 1}


def test_the_rows_of_a_session_go_whosever_they_are(memory: SqliteJournal) -> None:
    filled(memory)
    memory.forget(Forgetting(session="both"))
    assert ids(memory) == ["turn-ann", "e-ann", "e-nobody"]
    assert [each.id for each in memory.activations()] == ["a-ann"]
    assert [each.key for each in memory.tellings(["m1"])["m1"]] == ["a-ann"]


def test_counters_go_down_by_what_went_and_the_last_is_the_last_that_stays(memory: SqliteJournal) -> None:
    for number, user in enumerate((BOB, ANN, BOB, ANN)):
        memory.note(noted(activation(f"a{number}", "c", principal=user, at=after(seconds=number), session=None)))
    memory.note(noted(activation("a9", "d")))
    memory.note(noted(activation("held", principal=ANN, firings=(Firing("c", "v1", "held"),))))
    memory.forget(Forgetting(user="ann"))
    assert (memory.fired("c"), memory.fired("d")) == (Fired(2, after(seconds=2)), Fired(0, None))


def test_what_waits_in_memory_goes_too(open_: Open) -> None:
    journal = open_()
    journal.note(noted(activation("a1", "c")))
    journal.tell([told("m", "a1")])
    assert journal.forget(Forgetting(user="ann"))["activations"] == 1
    assert (journal.activations(), journal.tellings(), journal.fired("c")) == ((), {}, Fired(0, None))


def test_nothing_is_changed_by_a_dry_run_which_counts_the_same(open_: Open) -> None:
    journal = open_()
    filled(journal)
    journal.append([entry("n1", body={"note": "ann said so"}, subject="c")])
    before = (ids(journal), journal.activations(), journal.entries(), journal.tellings())
    dry = journal.forget(Forgetting(user="ann"), dry=True)
    assert (ids(journal), journal.activations(), journal.entries(), journal.tellings()) == before
    assert journal.forget(Forgetting(user="ann")) == dry
    assert dry["rewritten"] == 1


def test_forgetting_twice_finds_nothing_the_second_time_and_leaves_one_receipt(open_: Open) -> None:
    journal = open_()
    filled(journal)
    assert any(journal.forget(Forgetting(user="ann")).values())
    assert not any(journal.forget(Forgetting(user="ann")).values())
    (receipt,) = journal.entries(actions=["forget"])
    assert (receipt.at, receipt.actor, receipt.body["by"]) == (NOW, "upkeep", ["user"])
    assert receipt.body["counts"]["events"] == 3
    assert "ann" not in repr(receipt)


def test_two_receipts_of_one_instant_stand_beside_each_other(memory: SqliteJournal) -> None:
    filled(memory)
    memory.forget(Forgetting(user="ann"))
    memory.forget(Forgetting(user="bob"))
    assert len(memory.entries(actions=["forget"])) == 2


# -- a text --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "written, asked",
    [
        ("say MARMALADE now", "marmalade"),
        ("say \uff4d\uff41\uff52\uff4d\uff41\uff4c\uff41\uff44\uff45", "marmalade"),
        ('a "quoted" word', '"quoted" w'),
        ("line\nbreak here", "line\nbreak"),
        ("tab\there", "tab\there"),
        ("back\\slash", "back\\slash"),
        ("紫色大象", "色大"),
        ("emoji 😀 here", "😀"),
        (json.dumps({"inner": "紫色大象"}), "紫色大象"),
        (json.dumps(json.dumps({"inner": "紫色 大象"})), "紫色 大象"),
        ("Straße", "STRASSE"),
    ],
)
def test_a_text_is_found_however_it_is_written(memory: SqliteJournal, written: str, asked: str) -> None:
    memory.record(event("value", body={"args": {"n": [{"deep": written}]}}))
    memory.record(event("name", body={written: 1}))
    memory.record(event("other", body={"text": "something else"}))
    memory.note(noted(activation("facts", facts={"text": written})))
    memory.note(noted(activation("other", facts={"text": "else"})))
    memory.append([entry("n1", body={"x": [written]}), entry("n2", body={"x": "else"})])
    memory.forget(Forgetting(text=asked))
    assert ids(memory) == ["other"]
    assert [each.id for each in memory.activations()] == ["other"]
    assert [each.id for each in memory.entries() if each.action != "forget"] == ["n2"]


def test_a_text_in_a_column_counts_too_and_no_text_at_all_takes_nothing(memory: SqliteJournal) -> None:
    memory.record(event("e1", tool="marmalade"))
    memory.record(failed("e2", "an error about Marmalade"))
    memory.record(event("e3"))
    assert not any(memory.forget(Forgetting(text="")).values())
    memory.forget(Forgetting(text="marmalade"))
    assert ids(memory) == ["e3"]


def test_a_firing_whose_reason_contains_the_text_goes_and_its_answer_stays(memory: SqliteJournal) -> None:
    because = ({"condition": "the text contains 'marmalade'", "seen": "x"},)
    memory.note(
        noted(activation("a1", firings=(Firing("c", "v", "selected", because=because), Firing("d", "v", "selected"))))
    )
    memory.forget(Forgetting(text="marmalade"))
    assert [each.case_id for each in memory.activations()[0].firings] == ["d"]
    assert (memory.fired("c").count, memory.fired("d").count) == (0, 1)


# -- ids -----------------------------------------------------------------------------------------------------------------------


def test_what_is_about_an_id_goes_and_where_else_it_is_named_it_is_taken_out(memory: SqliteJournal) -> None:
    gone, stays = "m-0123456789ab", "m-ba9876543210"
    memory.append(
        [
            entry("n1", subject=gone),
            entry(f"move:promote:{gone}:abc"),
            entry(f"ask:contradiction:{stays}:{gone}", subject=stays),
            entry("n2", subject=stays, body={"others": [gone, "m-1"], "why": f"like {gone}.", "reason": "alike"}),
        ]
    )
    memory.keep([version(gone), version("c")])
    memory.note(noted(activation("a1", gone, "c", session=None)))
    memory.tell([told(gone, "a1"), told(stays, "a1")])
    memory.record(event("feedback", body={"case": gone, "text": "wrong"}))
    memory.forget(Forgetting(ids=frozenset({gone})))
    (left,) = [each for each in memory.entries() if each.action != "forget"]
    assert left.body == {"others": ["", "m-1"], "why": "", "reason": "alike"}
    assert (list(memory.tellings()), memory.versions(gone), len(memory.versions("c"))) == ([stays], (), 1)
    assert [each.case_id for each in memory.activations()[0].firings] == ["c"]
    assert memory.fired(gone) == Fired(0, None)
    assert memory.events()[0].body == {"text": "wrong"}


@pytest.mark.parametrize(
    "text, goes",
    [
        ("ann", True),
        ("asked ann, twice", True),
        ("用户ann说过", True),
        ("/home/ann/x", True),
        ("planning an annual thing", False),
        ("ann_b", False),
        ("Ann", False),
    ],
)
def test_a_users_id_is_taken_out_of_others_entries_as_a_whole_word(
    memory: SqliteJournal, text: str, goes: bool
) -> None:
    memory.append([entry("n1", subject="c", body={"a": [text, {"b": 1}], "n": 2})])
    memory.forget(Forgetting(user="ann"))
    assert memory.entries(subject="c")[0].body == {"a": ["" if goes else text, {"b": 1}], "n": 2}


def test_an_id_that_is_short_is_taken_out_only_where_it_is_all_that_is_said(memory: SqliteJournal) -> None:
    memory.append([entry("n1", subject="c", body={"a": "main", "b": "git push origin main"})])
    memory.forget(Forgetting(session="main"))
    assert memory.entries(subject="c")[0].body == {"a": "", "b": "git push origin main"}


def test_who_judged_what_others_made_is_forgotten_and_the_judgment_stays(memory: SqliteJournal) -> None:
    memory.append([entry("n1", actor="person:ann", action="approve", subject="c", body={"reason": "fine"})])
    memory.keep([version("c", by="person:ann")])
    memory.forget(Forgetting(user="ann"))
    (judged,) = memory.entries(actions=["approve"])
    assert (judged.actor, judged.body) == ("person:", {"reason": "fine"})
    assert memory.versions("c")[0].by == "person:"


# -- what only they said ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [WORDS, CHINESE, "marmalade-7781", "use pnpm install frozen"])
def test_what_others_entries_and_texts_repeat_of_them_is_taken_out(memory: SqliteJournal, words: str) -> None:
    memory.record(failed("e1", "of both", principal=ANN, body={"args": {"x": words}}))
    memory.record(failed("e2", "of both", principal=BOB, body={"args": {"x": "something that bob said"}}))
    form = {"correction": "ask", "trigger_conditions": [f"args.x contains '{words}'"], "priority": 3}
    other = {"correction": "something that bob said"}
    memory.append([entry("n1", subject="c", body={"before": None, "after": {"version": "v1", "case": form}})])
    memory.keep([version("c", "v1", text=json.dumps(form)), version("c", "v2", text=json.dumps(other))])
    because = ({"condition": f"args.x contains '{words}'", "seen": "what bob did"},)
    memory.note(
        noted(activation("a1", principal=BOB, session="x", firings=(Firing("c", "v1", "selected", because=because),)))
    )
    memory.forget(Forgetting(user="ann"))
    assert memory.entries(subject="c")[0].body == {
        "before": None,
        "after": {"version": "v1", "case": {**form, "trigger_conditions": [""]}},
    }
    assert [each.text for each in memory.versions("c")] == ["{}", json.dumps(other)]
    assert memory.activations()[0].firings[0].because == ({"condition": "", "seen": "what bob did"},)


def test_what_others_said_as_well_stays(memory: SqliteJournal) -> None:
    command = "git push origin main --force"
    memory.record(event("e1", principal=ANN, body={"args": {"command": command}}))
    memory.record(event("e2", principal=BOB, body={"args": {"command": command}}))
    body = {"case": {"trigger_conditions": [f"args.command contains '{command}'"]}}
    memory.append([entry("n1", subject="c", body=body)])
    memory.forget(Forgetting(user="ann"))
    assert memory.entries(subject="c")[0].body == body


def test_a_signature_that_only_they_had_goes_with_what_is_said_of_it(memory: SqliteJournal) -> None:
    own, both = "shell: no such purple file <path>", "shell: permission denied for <path>"
    for number, (signature, who) in enumerate(((own, ANN), (both, ANN), (both, BOB))):
        memory.record(failed(f"e{number}", signature, principal=who))
    memory.append(
        [
            entry("n1", signature=own, action="reject"),
            entry("n2", signature=both, action="reject"),
            entry("n3", body={"like": own, "and": both}, subject="c"),
        ]
    )
    memory.forget(Forgetting(user="ann"))
    assert [each.id for each in memory.entries() if each.action != "forget"] == ["n2", "n3"]
    assert memory.entries(subject="c")[0].body == {"like": "", "and": both}


# -- what came of them alone --------------------------------------------------------------------------------------------------------


def memory_form(**fields: Any) -> dict[str, Any]:
    return {"id": "m", "kind": "fact", "tier": "L2", "text": "likes tea at five in the afternoon", **fields}


@pytest.mark.parametrize(
    "made, goes",
    [
        ({"actor": "person:ann", "action": "remember", "body": {"before": None, "after": memory_form()}}, True),
        ({"actor": "person:bob", "action": "remember", "body": {"before": None, "after": memory_form()}}, False),
        ({"action": "move", "body": {"after": memory_form(scope={"user": "ann"})}}, True),
        ({"action": "move", "body": {"after": memory_form(scope={"user": "bob"})}}, False),
        ({"action": "move", "body": {"after": memory_form(source={"session": "s-ann"})}}, True),
        ({"action": "move", "body": {"after": memory_form(source={"session": "both"})}}, False),
        ({"action": "move", "body": {"after": memory_form(source={"event": "e-ann"})}}, True),
        ({"action": "queue", "body": {"reason": "feedback", "event": "e-ann"}}, True),
        ({"action": "queue", "body": {"reason": "feedback", "event": "e-bob"}}, False),
        ({"action": "promote", "signature": "only hers", "body": {"case": {"correction": "x"}}}, True),
        ({"action": "promote", "signature": "of both", "body": {"case": {"correction": "x"}}}, False),
        ({"actor": "person:ann", "action": "approve", "body": {}}, False),
        ({"actor": "person:ann", "action": "edit", "body": {"before": {"case": {}}, "after": {"case": {}}}}, False),
    ],
)
def test_what_is_concerned(memory: SqliteJournal, made: dict[str, Any], goes: bool) -> None:
    filled(memory)
    memory.append([entry("n1", subject="the-subject", **made)])
    found = memory.concerned(Forgetting(user="ann", ids=frozenset({"x"})))
    assert (found.user, "the-subject" in found.ids) == ("ann", goes)
    assert {"x", "s-ann", "only hers"} <= found.ids
    assert found.ids.isdisjoint({"both", "of both", "s3"})


def test_what_somebody_else_gave_words_or_what_is_everyones_by_now_is_not_concerned(memory: SqliteJournal) -> None:
    filled(memory)
    case = {"correction": "x", "scope": {"user": "ann"}}
    memory.append(
        [
            entry(
                "n1", subject="edited", actor="person:ann", action="add", body={"after": {"case": {"correction": "x"}}}
            ),
            entry("n2", subject="edited", actor="person:bob", action="edit"),
            entry("n3", subject="shared", signature="of both", body={"case": case}),
            entry("n4", subject="shared", signature="of both", action="share", body={"case": {"correction": "x"}}),
            entry("n5", subject="hers", signature="of both", body={"case": case}),
        ]
    )
    assert memory.concerned(Forgetting(user="ann")).ids & {"edited", "shared", "hers"} == {"hers"}


def test_a_session_is_a_users_where_nobody_else_is_named_in_it(memory: SqliteJournal) -> None:
    for session, who in (("hers", ANN), ("both", ANN), ("both", CAT), ("half", ANN)):
        memory.record(event(f"{session}-{who.user}", session=session, principal=who))
    memory.record(event("half-nobody", session="half"))
    memory.tell([told("m", "r", session="told-to-her"), told("m", "r2", session="told-to-both")])
    memory.tell([told("m", "r3", session="told-to-both", user="cat")])
    assert memory.concerned(Forgetting(user="ann")).ids == {"hers", "told-to-her"}


def test_a_memory_that_last_contained_the_text_is_concerned(memory: SqliteJournal) -> None:
    memory.append(
        [
            entry("n1", subject="m1", body={"before": None, "after": memory_form(text="marmalade")}),
            entry("n2", subject="m2", body={"before": None, "after": memory_form(text="marmalade")}),
            entry("n3", subject="m2", body={"before": memory_form(text="marmalade"), "after": memory_form()}),
        ]
    )
    assert memory.concerned(Forgetting(text="Marmalade")).ids == {"m1"}


def test_a_memory_of_theirs_goes_with_its_words_wherever_they_are_quoted(memory: SqliteJournal) -> None:
    memory.append(
        [
            entry("n1", subject="m-0123456789ab", actor="person:ann", action="remember", body={"after": memory_form()}),
            entry(
                "n2", subject="m-ba9876543210", body={"proposal": {"text": "LIKES tea at five in the afternoon, too"}}
            ),
        ]
    )
    memory.forget(Forgetting(user="ann"))
    (left,) = [each for each in memory.entries() if each.action != "forget"]
    assert (left.id, left.body) == ("n2", {"proposal": {"text": ""}})


# -- bytes -----------------------------------------------------------------------------------------------------------------------


def test_no_byte_of_a_user_is_left_in_any_file(root: Path, open_: Open) -> None:
    journal = open_()
    who = replace(ANN, user="ann-quixote")
    for number in range(120):
        journal.note(
            noted(
                activation(
                    f"a{number}", "c", principal=who, session="sess-quixote", facts={"text": f"{WORDS} {CHINESE}"}
                ),
                version("c", f"v{number}", text=json.dumps({"correction": WORDS * 40})),
            )
        )
        journal.record(failed(f"e{number}", principal=who, body={"text": CHINESE * 80, "args": {"x": WORDS}}))
        journal.record(event(f"b{number}", principal=BOB, body={"text": "what bob said"}))
    journal.tell([told("m", "r1", user="ann-quixote", session="sess-quixote")])
    journal.append([entry("n1", actor="person:ann-quixote", subject="c", body={"said": WORDS, "by": "ann-quixote"})])
    journal.flush()
    asked = ("quixote", "marmalade", "紫色大象")
    assert "journal.db-wal" in holds(root, *asked)
    journal.forget(Forgetting(user="ann-quixote"))
    assert holds(root, *asked) == []
    assert len(journal.events()) == 120
    with contextlib.closing(sqlite3.connect(place(root))) as other:
        assert other.execute("PRAGMA freelist_count").fetchone() == (0,)
        assert other.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_no_byte_is_left_of_what_waited_beside_it_nor_of_damaged_copies_nor_of_lines_that_are_no_rows(
    root: Path, open_: Open
) -> None:
    journal = open_()
    journal.record(event("e0", principal=BOB))
    with held(root):
        journal.record(event("e1", principal=ANN, session="sess-quixote", body={"text": CHINESE}))
        journal.tell([told("m", "r1", session="sess-quixote")])
        journal.flush()
    pending = place(root, "journal.pending.jsonl")
    with pending.open("ab") as stream:
        stream.write(json.dumps({"events": [["e9", 1, "tool", "sess-quixote", "ann"]], "x": CHINESE}).encode() + b"\n")
        stream.write(b'{"torn": "and of nobody\n')
    for name in ("journal.db.corrupt-20260101T000000Z", "journal.db.corrupt-20260101T000000Z-wal", ".journal.7.ab"):
        place(root, name).write_text(WORDS)
    asked = ("sess-quixote", "marmalade", "紫色大象")
    assert len(holds(root, *asked)) == 4
    dry = journal.forget(Forgetting(user="ann"), dry=True)
    assert dry["copies"] == 2
    done = journal.forget(Forgetting(user="ann"))
    assert (done["copies"], done["lines"], done["events"], done["tellings"]) == (2, 1, 1, 1)
    assert holds(root, *asked) == []
    assert b"and of nobody" in place(root, "journal.unread.jsonl").read_bytes()
    assert ids(journal) == ["e0"]


def test_lines_that_are_no_rows_go_with_their_file_where_none_is_left(root: Path, open_: Open) -> None:
    journal = open_()
    journal.record(event("e0"))
    place(root, "journal.unread.jsonl").write_text('["' + WORDS + '", "ann"]\n{"torn": "said by \\u0061nn\n')
    assert journal.forget(Forgetting(user="ann"))["lines"] == 2
    assert not place(root, "journal.unread.jsonl").exists()


def test_who_reads_all_the_time_holds_back_the_bytes_and_not_the_deletion(root: Path, open_: Open) -> None:
    journal = open_()
    filled(journal)
    with contextlib.closing(sqlite3.connect(place(root), isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM event").fetchone()
        with pytest.raises(StoreError, match="what was forgotten is deleted, but its bytes are not overwritten yet"):
            journal.forget(Forgetting(user="ann"))
        assert ids(journal) == ["e-bob", "e-nobody"]
        assert holds(root, "marmalade") != []
        reader.execute("COMMIT")
    assert not any(journal.forget(Forgetting(user="ann")).values())
    assert holds(root, "marmalade", CHINESE) == []
    assert len(journal.entries(actions=["forget"])) == 1


KILLED = """
import os, sys
from pathlib import Path
from casebook.clock import system_clock
from casebook.runtime.journal import erasing
from casebook.runtime.journal.leaving import Leaving
from casebook.runtime.journal.opening import open_journal
from casebook.stores.memory_store import Forgetting
erasing.erase = lambda *_: os._exit(9)
open_journal(Path(sys.argv[1]), system_clock).forget(Forgetting(user="ann"))
"""


def test_a_process_that_dies_before_it_has_overwritten_the_bytes_leaves_that_to_the_next(
    root: Path, open_: Open
) -> None:
    journal = open_()
    filled(journal)
    died = subprocess.run([sys.executable, "-c", KILLED, str(root)], cwd=HERE, check=False)
    assert died.returncode == 9
    assert ids(journal) == ["e-bob", "e-nobody"]
    assert holds(root, "marmalade") != []
    journal.forget(Forgetting(user="ann"))
    assert holds(root, "marmalade", CHINESE) == []


def test_another_process_that_is_at_work_sees_it_and_goes_on(root: Path, open_: Open) -> None:
    one, two = open_(), open_()
    filled(one)
    assert len(two.events()) == 5
    before = two.changes()
    one.forget(Forgetting(user="ann"))
    assert two.changes() > before
    assert ids(two) == ["e-bob", "e-nobody"]
    two.record(event("later", principal=ANN))
    assert ids(one) == ["e-bob", "e-nobody", "later"]
    assert two.forget(Forgetting(user="ann"))["events"] == 1


def test_what_came_while_it_was_planned_goes_too(root: Path, open_: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    journal, other = open_(), open_()
    filled(journal)
    real = erasing.leftovers
    came = [False]

    def meanwhile(*args: Any, **named: Any) -> Any:
        if not came[0]:
            came[0] = True
            other.record(event("late", principal=ANN, body={"text": "a late word of mulberry"}))
            other.append(
                [entry("late", actor="person:ann", subject="c"), entry("late2", subject="c", body={"x": "ann"})]
            )
        return real(*args, **named)

    monkeypatch.setattr(erasing, "leftovers", meanwhile)
    journal.forget(Forgetting(user="ann"))
    assert ids(journal) == ["e-bob", "e-nobody"]
    assert [(each.actor, each.body) for each in journal.entries(subject="c")] == [
        ("person:", {}),
        ("detector", {"x": ""}),
    ]
    assert holds(root, "mulberry") == []


def test_what_another_process_kept_beside_it_in_the_meantime_goes_too(
    root: Path, open_: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal, other = open_(), open_()
    filled(journal)
    real = Leaving.go
    seqs: list[int | None] = []

    def meanwhile(leaving: Leaving, connection: sqlite3.Connection) -> Any:
        done = real(leaving, connection)
        if not seqs:
            seqs.append(other.record(event("late", principal=ANN, body={"text": "a late word of mulberry"})))
        return done

    monkeypatch.setattr(Leaving, "go", meanwhile)
    assert journal.forget(Forgetting(user="ann"))["events"] == 4
    assert seqs == [0]
    assert ids(journal) == ["e-bob", "e-nobody"]
    assert holds(root, "mulberry") == []


ANNS = ["a quiet quokka quilts at dusk", "只有安说过的紫色大象暗号", "quokka-quilt-42"]
BOBS = ["a brisk badger bakes bread daily", "鲍勃自己说的绿色长颈鹿", "badger-bread-17"]
DONE = st.tuples(
    st.sampled_from(["answer", "call", "error", "told", "entry", "version"]),
    st.sampled_from(["ann", "bob"]),
    st.sampled_from(["own", "shared"]),
    st.integers(0, 2),
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(history=st.lists(DONE, max_size=14))
def test_of_any_history_no_byte_of_the_one_is_left_and_every_row_of_the_other(
    tmp_path_factory: pytest.TempPathFactory, history: list[tuple[str, str, str, int]]
) -> None:
    root = tmp_path_factory.mktemp("memory")
    with contextlib.closing(open_journal(root, fixed_clock(NOW))) as journal:
        for number, (what, who, place_, which) in enumerate(history):
            words = (ANNS if who == "ann" else BOBS)[which]
            user = replace(ANN, user=f"{who}-zorn")
            session = f"session-of-{who}" if place_ == "own" else "session-of-both"
            name = f"{number}"
            if what == "answer":
                made = activation(name, "c", principal=user, session=session, facts={"text": words})
                journal.note(noted(made, event(f"t{name}", kind="task", principal=user, session=session)))
            elif what == "call":
                journal.record(event(name, principal=user, session=session, body={"args": {"x": [words]}}))
            elif what == "error":
                said = {"error": {"message": words}}
                journal.record(failed(name, f"sig {which}", principal=user, session=session, body=said))
            elif what == "told":
                journal.tell([told("m", name, user=f"{who}-zorn", session=session)])
            elif what == "entry":
                body: dict[str, Any] = {"before": None, "after": {"kind": "fact", "tier": "L2", "text": words}}
                actor = f"person:{who}-zorn"
                journal.append([entry(name, actor=actor, action="remember", subject=f"m-of-{who}", body=body)])
            else:
                form: dict[str, Any] = {"correction": words, "scope": {"user": f"{who}-zorn"}}
                journal.keep([version(f"case-of-{who}", name, text=json.dumps(form), by=f"person:{who}-zorn")])
                body = {"case": form}
                journal.append([entry(f"v{name}", subject=f"case-of-{who}", body=body)])
        before = _of_bob(journal)
        journal.forget(Forgetting(user="ann-zorn"))
        assert _of_bob(journal) == before
    assert holds(root, "ann-zorn", "session-of-ann", "m-of-ann", "case-of-ann", *ANNS) == []


def _of_bob(journal: SqliteJournal) -> list[Any]:
    """Give all that is bob's."""
    return [
        [each for each in journal.activations() if each.principal.user == "bob-zorn"],
        [each for each in journal.events() if each.principal.user == "bob-zorn"],
        [each for each in journal.tellings().get("m", ()) if each.user == "bob-zorn"],
        journal.entries(subject="m-of-bob"),
        journal.entries(subject="case-of-bob"),
        journal.versions("case-of-bob"),
    ]


def test_a_journal_that_is_not_there_is_nothing_to_forget_of(root: Path, open_: Open) -> None:
    assert not any(open_().forget(Forgetting(user="ann"), dry=True).values())
    assert list(root.iterdir()) == []


def test_a_journal_that_cannot_be_written_says_so_and_loses_nothing(root: Path, open_: Open) -> None:
    journal = open_()
    filled(journal)
    with held(root), pytest.raises(StoreError, match="cannot be written: another process holds it"):
        journal.forget(Forgetting(user="ann"))
    assert len(ids(journal)) == 5


def test_many_rows_are_forgotten_in_a_moment(memory: SqliteJournal) -> None:
    for number in range(3_000):
        who = (ANN, BOB)[number % 2]
        memory.note(
            noted(activation(f"a{number}", "c", principal=who, session=None), event(f"e{number}", principal=who))
        )
    done = memory.forget(Forgetting(user="ann"))
    assert (done["activations"], done["events"], memory.fired("c").count) == (1_500, 1_500, 1_500)


# -- names as they may be -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("user", ["a.b+c@x", "(", "王伟", "o'neil", "x" * 300, "\ud800", "%_", "a b"])
def test_any_name_of_a_user_is_taken_as_it_is(memory: SqliteJournal, user: str) -> None:
    memory.record(event("e1", principal=Principal(user, None, frozenset(), None)))
    memory.record(event("e2", principal=BOB))
    memory.append([entry("n1", subject="c", body={"a": user, "b": f"he, {user}, said", "c": "nothing"})])
    memory.forget(Forgetting(user=user))
    assert ids(memory) == ["e2"]
    assert memory.entries(subject="c")[0].body == {"a": "", "b": "", "c": "nothing"}


@pytest.mark.parametrize("user", ["user", "text", "kind", "fact", "03", "2026", "-"])
def test_a_user_called_like_a_word_of_ours_takes_nothing_of_others_along(memory: SqliteJournal, user: str) -> None:
    after = {
        "kind": "fact",
        "text": "words of bob",
        "scope": {"user": "bob"},
        "created_at": "2026-03-20T12:00:00+00:00",
    }
    body = {"after": after, "due": "2026-03-20T04:00:00+00:00"}
    memory.append([entry("n1", subject="c", body=body)])
    memory.record(event("e1", principal=Principal(user, None, frozenset(), None)))
    memory.forget(Forgetting(user=user))
    assert (ids(memory), memory.entries(subject="c")[0].body) == ([], body)
