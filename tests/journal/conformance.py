"""What every journal must do, whatever it is kept in. A journal's own test subclasses this and gives `journal`."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from casebook.faults import ClosedError
from casebook.memory_facts import Telling
from casebook.runtime.answer.isolation import Principal
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.journal.records import NOBODY, Fired, Firing
from casebook.stores.memory_store import Forgetting
from tests.journal.made import ANN, NOW, activation, after, entry, event, failed, noted, told, version

TEXT = st.text(st.characters(exclude_categories=()), max_size=8)
WHOLE = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | WHOLE,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WHOLE, inner, max_size=3),
    max_leaves=6,
)

_SHARED = [HealthCheck.function_scoped_fixture, HealthCheck.differing_executors]
"""One journal for all examples: each makes an id of its own."""


class JournalConformance:
    """`journal` is empty."""

    # -- events ------------------------------------------------------------------------------------------------------------

    def test_an_empty_journal_answers_with_nothing(self, journal: Journal) -> None:
        assert (journal.activation("x"), journal.event("x"), journal.entry("x")) == (None, None, None)
        asked = (journal.activations(), journal.events(), journal.entries(), journal.versions("c"))
        assert [list(each) for each in asked] == [[], [], [], []]
        assert (journal.fired("c"), journal.signatures()) == (Fired(0, None), {})

    def test_an_event_comes_back_as_it_was_with_its_place_in_the_order(self, journal: Journal) -> None:
        made = failed(
            "e1", session="s", principal=ANN, activation="a", turn="t", body={"args": {"n": [1, None, 2.5, "中\0"]}}
        )
        assert journal.record(made) == 1
        assert journal.record(event("e2", ok=None, principal=NOBODY)) == 2
        assert journal.event("e1") == replace(made, seq=1)
        assert journal.event("e2") == event("e2", seq=2)

    def test_an_event_of_an_id_that_is_there_is_not_written(self, journal: Journal) -> None:
        assert journal.record(event("e1", kind="tool")) == 1
        assert journal.record(event("e1", kind="feedback")) is None
        assert [each.kind for each in journal.events()] == ["tool"]
        seq = journal.record(event("e2"))
        assert seq is not None
        assert seq > 1

    @pytest.mark.parametrize(
        "asked, found",
        [
            ({}, "abcdef"),
            ({"session": "s1", "user": "ann"}, "ab"),
            ({"session": "s1"}, "c"),
            ({"session": "s1", "user": "bob"}, ""),
            ({"user": "ann"}, "abcdef"),
            ({"signature": "x"}, "ad"),
            ({"signature": "x", "counted": True}, "a"),
            ({"counted": False}, "bcdef"),
            ({"tools": ["shell"]}, "ad"),
            ({"tools": {"shell", "python"}}, "abd"),
            ({"tools": []}, ""),
            ({"kinds": ["feedback", "task"]}, "ce"),
            ({"activation": "act"}, "b"),
            ({"after": 3}, "def"),
            ({"since": after(seconds=4)}, "ef"),
            ({"since": after(seconds=4, microseconds=1)}, "f"),
            ({"limit": 2}, "ef"),
            ({"limit": 0}, ""),
            ({"after": 1, "limit": 9, "tools": ("shell",)}, "d"),
        ],
    )
    def test_events_that_satisfy_all_that_is_named(self, journal: Journal, asked: dict[str, Any], found: str) -> None:
        fields: dict[str, dict[str, Any]] = {
            "a": {"session": "s1", "principal": ANN, "signature": "x", "tool": "shell", "ok": False, "counted": True},
            "b": {"session": "s1", "principal": ANN, "tool": "python", "activation": "act"},
            "c": {"session": "s1", "kind": "task"},
            "d": {"session": "s2", "principal": ANN, "signature": "x", "tool": "shell", "ok": False},
            "e": {"kind": "feedback"},
            "f": {"kind": "ended", "session": "s3"},
        }
        for number, (name, each) in enumerate(fields.items()):
            journal.record(event(name, at=after(seconds=number), **each))
        assert "".join(each.id for each in journal.events(**asked)) == found

    def test_order_is_that_of_arrival_whatever_the_instants_say(self, journal: Journal) -> None:
        for name, seconds in (("a", 5), ("b", -5), ("c", 0)):
            journal.record(event(name, at=after(seconds=seconds)))
        assert [each.id for each in journal.events()] == ["a", "b", "c"]

    def test_signatures_of_counted_errors_with_their_numbers(self, journal: Journal) -> None:
        bob = Principal("bob", None, frozenset(), None)
        for number, (signature, principal) in enumerate((("x", ANN), ("x", bob), ("y", ANN), ("x", ANN))):
            journal.record(failed(f"e{number}", signature, principal=principal, at=after(days=number)))
        journal.record(failed("no", "x", counted=False))
        assert journal.signatures() == {"x": 3, "y": 1}
        assert journal.signatures(user="ann") == {"x": 2, "y": 1}
        assert journal.signatures(since=after(days=1)) == {"x": 2, "y": 1}
        assert journal.signatures(since=after(days=1, microseconds=1), user="bob") == {}

    # -- activations -------------------------------------------------------------------------------------------------------

    def test_a_noted_activation_is_seen_at_once_with_its_event_and_its_texts(self, journal: Journal) -> None:
        made = activation(
            "a1",
            principal=ANN,
            facts={"text": "中", "args": {"n": [1]}},
            firings=(
                Firing("c1", "v1", "selected", "kept", ({"condition": "x", "seen": 1}, {"condition": "y"})),
                Firing("c2", "v2", "held", "cooldown"),
                Firing("c3", "v1", "shadow"),
            ),
        )
        journal.note(noted(made, event("turn", kind="task"), version("c1"), version("c2", "v2")))
        assert journal.activation("a1") == made
        assert [each.id for each in journal.events()] == ["turn"]
        assert [each.version for each in journal.versions("c2")] == ["v2"]

    def test_what_was_noted_before_an_event_comes_before_it(self, journal: Journal) -> None:
        journal.note(noted(activation("a1"), event("turn", kind="task")))
        journal.record(event("call"))
        assert [each.id for each in journal.events()] == ["turn", "call"]

    def test_counters_include_what_was_just_noted(self, journal: Journal) -> None:
        for number in range(3):
            journal.note(noted(activation(f"a{number}", "c", at=after(seconds=-number))))
            assert journal.fired("c") == Fired(number + 1, NOW)

    def test_only_what_was_selected_counts_and_once(self, journal: Journal) -> None:
        firings = tuple(Firing("c", "v1", how) for how in ("omitted", "shadow", "withheld", "held"))
        journal.note(noted(activation("a1", firings=firings)))
        assert journal.fired("c") == Fired(0, None)
        for _ in range(2):
            journal.note(noted(activation("a2", "c")))
        assert journal.fired("c") == Fired(1, NOW)

    def test_activations_that_came_after_one(self, journal: Journal) -> None:
        for name, session in (("a1", "s1"), ("a2", "s1"), ("a3", "s2"), ("a4", "s1")):
            journal.note(noted(activation(name, "c", session=session)))
        numbers = {each.id: each.seq for each in journal.activations()}
        assert list(numbers) == ["a1", "a2", "a3", "a4"] == sorted(numbers, key=numbers.__getitem__)
        later = journal.activations(session="s1", after=numbers["a1"])
        assert [(each.id, each.seq) for each in later] == [("a2", numbers["a2"]), ("a4", numbers["a4"])]
        assert journal.activations(session="s1", after=numbers["a4"]) == ()

    @pytest.mark.parametrize(
        "asked, found",
        [
            ({}, "1234"),
            ({"case_id": "c"}, "124"),
            ({"session": "s2"}, "34"),
            ({"case_id": "c", "session": "s2"}, "4"),
            ({"since": after(seconds=2)}, "234"),
            ({"since": after(seconds=2, microseconds=1)}, "34"),
            ({"limit": 2}, "34"),
            ({"case_id": "c", "limit": 1}, "4"),
        ],
    )
    def test_activations_that_satisfy_all_that_is_named(
        self, journal: Journal, asked: dict[str, Any], found: str
    ) -> None:
        for name, session, cases in (("1", "s1", "c"), ("2", "s1", "cd"), ("3", "s2", ""), ("4", "s2", "dc")):
            journal.note(noted(activation(name, *cases, session=session, at=after(seconds=int(name)))))
        assert "".join(each.id for each in journal.activations(**asked)) == found

    def test_a_note_that_raises_is_dropped_and_told_to_the_log(
        self, journal: Journal, caplog: pytest.LogCaptureFixture
    ) -> None:
        def broken() -> Any:
            raise ZeroDivisionError

        journal.note(noted(activation("a1")))
        journal.note(broken)
        journal.note(noted(replace(activation("a2"), facts={"x": object()})))
        journal.note(noted(activation("a3")))
        assert [each.id for each in journal.activations()] == ["a1", "a3"]
        assert "not journaled" in caplog.text

    def test_ten_thousand_notes_that_wait_are_written_by_whoever_notes_the_next(self, journal: Journal) -> None:
        for number in range(10_100):
            journal.note(noted(activation(f"a{number}")))
        journal.flush()
        assert len(journal.activations()) == 10_100

    # -- tellings ------------------------------------------------------------------------------------------------------------

    def test_what_was_told_is_seen_at_once_each_memorys_in_order_of_time(self, journal: Journal) -> None:
        late, early = (
            told("m2", "a1", at=after(seconds=2)),
            told("m2", "a2", at=after(seconds=1), session=None, user=None),
        )
        journal.tell([late, told("m1", "a1")])
        journal.tell(iter([early]))
        assert list(journal.tellings().items()) == [("m1", (told("m1", "a1"),)), ("m2", (early, late))]
        assert journal.told_in("a1") == (late, told("m1", "a1"))
        assert (journal.told_in("a3"), journal.tellings(["m3"])) == ((), {})

    def test_a_second_telling_of_a_memory_in_one_answer_counts_for_nothing(self, journal: Journal) -> None:
        journal.tell([told("m", "a1"), told("m", "a1", at=after(days=1))])
        journal.flush()
        journal.tell([told("m", "a1", session="other")])
        assert journal.tellings() == {"m": (told("m", "a1"),)}

    @pytest.mark.parametrize(
        "asked, found",
        [
            ({}, "abc"),
            ({"memory_ids": ["m1"]}, "ac"),
            ({"memory_ids": ("m1", "m2", "m3")}, "abc"),
            ({"memory_ids": []}, ""),
            ({"since": after(seconds=1)}, "bc"),
            ({"since": after(seconds=1, microseconds=1)}, "c"),
            ({"memory_ids": {"m1"}, "since": after(seconds=2)}, "c"),
            ({"memory_ids": {"m1"}, "since": after(seconds=2, microseconds=1)}, ""),
        ],
    )
    def test_tellings_that_satisfy_all_that_is_named(self, journal: Journal, asked: dict[str, Any], found: str) -> None:
        for number, (key, memory) in enumerate((("a", "m1"), ("b", "m2"), ("c", "m1"))):
            journal.tell([told(memory, key, at=after(seconds=number))])
        keys = [each.key for tellings in journal.tellings(**asked).values() for each in tellings]
        assert "".join(sorted(keys)) == found

    def test_more_memories_than_stand_in_one_question(self, journal: Journal) -> None:
        names = [f"m{number}" for number in range(1_201)]
        journal.tell(told(name, "a") for name in names)
        assert list(journal.tellings([*names, "other"])) == sorted(names)
        assert journal.drop_tellings(names[1:]) == 1_200
        assert list(journal.tellings()) == ["m0"]

    def test_tellings_of_memories_that_are_gone_are_dropped_even_those_that_wait(self, journal: Journal) -> None:
        journal.tell([told("m1", "a"), told("m2", "a")])
        assert (journal.drop_tellings(["m1", "m3"]), journal.drop_tellings(["m1"]), journal.drop_tellings([])) == (
            1,
            0,
            0,
        )
        assert list(journal.tellings()) == ["m2"]

    def test_tellings_and_activations_wait_together(self, journal: Journal) -> None:
        for number in range(600):
            journal.note(noted(activation(f"a{number}", "c")))
            journal.tell([told("m", f"a{number}", at=after(seconds=number))])
        journal.tell([])
        assert (len(journal.tellings()["m"]), journal.fired("c").count) == (600, 600)

    @settings(suppress_health_check=_SHARED, max_examples=40)
    @given(name=TEXT, user=st.none() | TEXT, at=st.datetimes(timezones=st.just(NOW.tzinfo)))
    def test_any_name_of_a_telling_survives(self, journal: Journal, name: str, user: str | None, at: Any) -> None:
        key = f"{sum(map(len, journal.tellings().values()))}:{name}"
        journal.tell([Telling(name, key, at, name, user)])
        (found,) = journal.told_in(key)
        assert (found.at, found.session, found.memory) == (at, found.memory, found.memory)
        assert found in journal.tellings([name])[found.memory]

    # -- the audit log and texts -----------------------------------------------------------------------------------------------

    def test_an_entry_is_written_once_whoever_writes_it(self, journal: Journal) -> None:
        assert journal.append([entry("a"), entry("b"), entry("a")]) == (True, True, False)
        assert journal.append([entry("b", actor="person:ann"), entry("c")]) == (False, True)
        assert journal.append([]) == ()
        assert [(each.id, each.actor) for each in journal.entries()] == [(name, "detector") for name in "abc"]

    def test_an_entry_comes_back_as_it_was(self, journal: Journal) -> None:
        made = entry("a", subject="case", signature="sig", body={"case": {"id": "x"}, "中": [None, True]})
        journal.append([made])
        assert journal.entry("a") == replace(made, seq=1)

    @pytest.mark.parametrize(
        "asked, found",
        [
            ({"subject": "c"}, "ac"),
            ({"signature": "x"}, "ab"),
            ({"actions": ["promote", "mute"]}, "abd"),
            ({"actions": []}, ""),
            ({"after": 2}, "cd"),
            ({"limit": 3}, "bcd"),
            ({"subject": "c", "actions": ("wrong",)}, "c"),
            ({"since": after(seconds=2)}, "cd"),
            ({"since": after(seconds=2, microseconds=1)}, "d"),
            ({"since": after(seconds=1), "actions": ("mute",)}, "d"),
        ],
    )
    def test_entries_that_satisfy_all_that_is_named(self, journal: Journal, asked: dict[str, Any], found: str) -> None:
        journal.append(
            [
                entry("a", subject="c", signature="x"),
                entry("b", signature="x", at=after(seconds=1)),
                entry("c", subject="c", action="wrong", at=after(seconds=2)),
                entry("d", action="mute", at=after(seconds=3)),
            ]
        )
        assert "".join(each.id for each in journal.entries(**asked)) == found

    def test_a_text_of_a_case_that_is_known_stays_as_it_is(self, journal: Journal) -> None:
        first = version("c", "v1", text='{"a": "中"}', place="long_term/cases.json", by="person:ann")
        journal.keep([first, version("c", "v2"), version("d", "v1")])
        journal.keep([version("c", "v1", text="other")])
        assert list(journal.versions("c")) == [first, version("c", "v2")]

    # -- what text may hold ----------------------------------------------------------------------------------------------------

    @settings(suppress_health_check=_SHARED, max_examples=60)
    @given(name=WHOLE, body=st.dictionaries(WHOLE, JSON, max_size=4), at=st.datetimes(timezones=st.just(NOW.tzinfo)))
    def test_any_text_and_any_instant_survive(self, journal: Journal, name: str, body: Any, at: Any) -> None:
        made = event(f"e{journal.changes()}{name}{len(journal.events())}", at=at, tool=name, body=body)
        seq = journal.record(made)
        assert seq is not None
        found = journal.event(made.id)
        assert found == replace(made, seq=seq)
        assert journal.events(tools=[name], limit=1)[0].id == made.id

    @settings(suppress_health_check=_SHARED, max_examples=60)
    @given(name=TEXT)
    def test_lone_surrogates_are_replaced_and_found_by_the_same_name(self, journal: Journal, name: str) -> None:
        made = event(f"{len(journal.events())}:{name}", tool=name, body={"text": name, name: 1})
        assert journal.record(made) is not None
        assert journal.record(made) is None
        found = journal.event(made.id)
        assert found is not None
        assert repr(found).encode()
        assert found.body["text"] == name.encode("utf-16", "surrogatepass").decode("utf-16", "replace")

    # -- upkeep ------------------------------------------------------------------------------------------------------------

    def test_retention_takes_the_words_of_what_is_older_and_of_nothing_else(self, journal: Journal) -> None:
        said = {"args": {"command": "ls"}, "text": "t", "path": "/p", "context": {"k": "v"}, "correction": "do"}
        stays = {"action": "git push", "program": "git", "intent": "push", "transient": True, "correction_by": "agent"}
        error = {"type": "E", "message": "m", "signature": "sig"}
        for name, micros in (("old", -1), ("new", 0)):
            journal.note(noted(activation(f"a-{name}", "c", at=after(microseconds=micros))))
            journal.record(failed(f"e-{name}", at=after(microseconds=micros), body={**said, **stays, "error": error}))
        assert journal.retain(NOW) == {"activation": 1, "event": 1}
        old, new = journal.activations()
        assert (old.facts, old.firings[0].because, new) == ({}, (), activation("a-new", "c"))
        bodies = [each.body for each in journal.events()]
        assert bodies == [
            {**stays, "error": {"type": "E", "signature": "sig"}},
            {**said, **stays, "error": error},
        ]
        assert (journal.fired("c").count, journal.signatures()) == (2, {"sig": 2})
        receipt = journal.entries(actions=["retain"])[0]
        assert (receipt.actor, receipt.body["changed"]) == ("upkeep", {"activation": 1, "event": 1})
        assert journal.retain(NOW) == {"activation": 0, "event": 0}
        assert len(journal.entries()) == 1

    def test_many_rows_are_retained_in_several_steps(self, journal: Journal) -> None:
        for number in range(2_001):
            journal.note(noted(activation(f"a{number}"), event(f"e{number}")))
        assert journal.retain(after(days=1)) == {"activation": 2_001, "event": 2_001}

    def test_forgetting_a_user_takes_their_rows_and_leaves_a_receipt_without_their_name(self, journal: Journal) -> None:
        for name, who in (("ann", ANN), ("bob", replace(ANN, user="bob"))):
            journal.note(noted(activation(f"a-{name}", "c", principal=who, session=f"session-{name}")))
            journal.record(failed(f"e-{name}", f"sig of {name}", principal=who, session=f"session-{name}"))
            journal.tell([told("m", f"a-{name}", user=name, session=f"session-{name}")])
        journal.append([entry("n1", subject="c", body={"who": ["ann", "bob"]}), entry("n2", signature="sig of ann")])
        concerned = journal.concerned(Forgetting(user="ann"))
        assert concerned.ids == {"session-ann", "sig of ann"}
        assert "session-ann" not in concerned.shared
        counts = {"activations": 1, "firings": 1, "events": 1, "entries": 1, "tellings": 1, "rewritten": 1}
        for dry in (True, False):
            done = journal.forget(Forgetting(user="ann"), dry=dry)
            assert {name: number for name, number in done.items() if number} == counts
        assert [each.id for each in journal.activations()] == ["a-bob"]
        assert [each.id for each in journal.events()] == ["e-bob"]
        assert [each.key for each in journal.tellings()["m"]] == ["a-bob"]
        assert (journal.fired("c"), journal.signatures()) == (Fired(1, NOW), {"sig of bob": 1})
        kept, receipt = journal.entries()
        assert (kept.body, receipt.action) == ({"who": ["", "bob"]}, "forget")
        assert "ann" not in repr(receipt)
        assert not any(journal.forget(Forgetting(user="ann")).values())

    def test_nothing_named_is_nothing_forgotten(self, journal: Journal) -> None:
        journal.record(event())
        assert not any(journal.forget(Forgetting()).values())
        assert (len(journal.events()), journal.entries()) == (1, ())

    def test_ones_own_writes_are_no_change_and_the_number_never_shrinks(self, journal: Journal) -> None:
        before = journal.changes()
        journal.record(event())
        assert journal.changes() >= before

    def test_what_arrived_in_a_session_is_given_but_for_what_is_known_and_for_what_was_looked_at(
        self, journal: Journal
    ) -> None:
        def arrived(*known: str, answers: int = 0, seq: int = 0, limit: int = 9) -> Any:
            found = journal.arrived("s", None, answers=answers, seq=seq, is_known=known.__contains__, limit=limit)
            assert found is not None
            ids = [each.id for each in found.activations], [each.id for each in found.events]
            return ids, (found.answers, found.seq)

        assert arrived() == (([], []), (0, 0))
        for name in ("1", "2", "3"):
            journal.note(noted(activation(f"a{name}", session="s")))
            journal.record(event(f"e{name}", session="s"))
        journal.record(event("another's", session="t"))
        assert arrived() == ((["a1", "a2", "a3"], ["e1", "e2", "e3"]), (3, 3))
        assert arrived("a1", "a2", "a3", "e2") == (([], ["e1", "e3"]), (3, 3))
        assert arrived(answers=2, seq=3) == ((["a3"], []), (3, 0))
        assert arrived(limit=1) == ((["a3"], ["e3"]), (3, 3))

    def test_closing_writes_what_was_noted_and_may_be_done_twice(self, journal: Journal) -> None:
        calls = []

        def make() -> Any:
            calls.append(1)
            return activation(), (), ()

        journal.note(make)
        journal.close()
        journal.close()
        assert calls == [1]

    def test_a_closed_journal_says_so(self, journal: Journal) -> None:
        journal.close()
        calls: list[Any] = [
            lambda: journal.record(event()),
            lambda: journal.append([entry()]),
            journal.events,
            journal.changes,
            lambda: journal.note(noted(activation())),
            lambda: journal.tell([told("m", "a")]),
            journal.tellings,
            lambda: journal.forget(Forgetting(user="ann")),
            lambda: journal.concerned(Forgetting(user="ann")),
        ]
        for call in calls:
            with pytest.raises(ClosedError):
                call()
