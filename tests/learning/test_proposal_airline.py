"""The airline record through promotion and widening alone (issue 3, Must hold)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from casebook.case import Case
from casebook.clock import fixed_clock
from casebook.policy import Policy
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.backtest import Backtest
from casebook.runtime.learning.identifying import arguments_of, is_identifying, is_personal, leaves_of
from casebook.runtime.learning.proposal import Proposal, propose, widened
from casebook.runtime.lint import lint
from casebook.runtime.lint.examples import examine
from casebook.scope import Scope
from casebook.stores.folder import FolderStore
from tests.learning.past import BEGIN, Past, airline, loads

POLICY = Policy()
KINDS = {
    "payment amount": (4, 72, 285),
    "not enough seats": (28, 102, 203),
    "gift card balance": (29, 31, 32),
    "flight": (84, 85, 88),
    "certificate": (33, 424, 443),
}
"""Each kind with at least three occurrences: how its message begins, and the lines of the first three, from 0."""


@dataclass
class Lived:
    made: dict[str, tuple[int, Proposal]] = field(default_factory=dict)
    later: list[int] = field(default_factory=list)
    warned: list[int] = field(default_factory=list)
    needless: set[int] = field(default_factory=set)
    clean: int = 0
    cases: dict[str, Case] = field(default_factory=dict)

    def of(self, kind: str) -> tuple[int, Proposal]:
        """The line and the proposal of the kind whose message begins so."""
        (found,) = [made for made in self.made.values() if f"with “{kind}" in made[1].case.situation]
        return found


@pytest.fixture(scope="module")
def records() -> list[EventRecord]:
    return airline()


@pytest.fixture(scope="module")
def lived(records: list[EventRecord]) -> Lived:
    """Every call in order: first what would have come up before it, then what is learnt of it."""
    life, past, seen = Lived(), Past(), dict[str, list[EventRecord]]()
    for line, record in enumerate(records):
        past.records.append(record)
        tested = Backtest((), past, "UTC")
        fired = {name for name, case in life.cases.items() if tested.all_hold(loads(case), record)}
        life.clean += bool(record.ok)
        if record.ok and fired:
            life.needless.add(line)
        if record.signature is None:
            continue
        occurrences = seen.setdefault(record.signature, [])
        occurrences.append(record)
        if record.signature in life.cases:
            life.later.append(line)
            life.warned += [line] if record.signature in fired else []
            wider = widened(life.cases[record.signature], record, occurrences, past, POLICY, record.at, shared=False)
            if wider is not None:
                life.cases[record.signature] = wider.case
        elif len(occurrences) == POLICY.detector.threshold:
            made = propose(
                f"err-{len(life.made)}",
                record.signature,
                occurrences,
                past,
                POLICY,
                record.at,
                scope=Scope(),
                shared=False,
            )
            life.made[record.signature] = (line, made)
            life.cases[record.signature] = made.case
    return life


def test_each_kind_with_three_occurrences_makes_one_active_case_at_the_third(lived: Lived):
    assert len(lived.made) == len(KINDS)
    for kind, lines in KINDS.items():
        line, made = lived.of(kind)
        assert (line, made.case.status, made.draft) == (lines[2], "active", False)
        assert made.case.to_json()["source"]["evidence"] == [f"e{each + 1}" for each in lines]


def test_every_later_error_of_a_kind_is_preceded_by_its_case(lived: Lived):
    assert len(lived.later) == 15
    assert lived.warned == lived.later


def test_needless_firings_are_fewer_than_a_tool_alone_gives(lived: Lived):
    assert lived.clean == 539
    assert len(lived.needless) < 35


@pytest.mark.parametrize(
    "kind, conditions",
    [
        ("certificate", ('tool is "update_reservation_flights"', 'args.payment_id starts with "certificate_"')),
        ("gift card balance", ('tool is "update_reservation_flights"', 'args.cabin is "business"')),
        ("not enough seats", ('tool in ["update_reservation_flights", "book_reservation"]',)),
    ],
)
def test_the_conditions_are_what_a_person_would_write(lived: Lived, kind, conditions):
    _, made = lived.of(kind)
    assert made.case.trigger_conditions == conditions
    assert len(made.reasons) == len(conditions) + 1


def test_no_case_holds_an_id_a_name_or_an_amount(lived: Lived, records: list[EventRecord]):
    known = set()
    for record in records:
        for path, value in leaves_of(arguments_of(record)):
            text = str(value)
            if is_identifying(text) or is_personal(path):
                known.add(text)
    assert {"OBUT9V", "mia_li_3668", "Mia", "Li", "HAT229", "gift_card_7480005", "2024-05-20"} <= known
    for case in lived.cases.values():
        told = case.to_json()
        for own in ("created_at", "situation", "source"):  # its own days, and the ids of its evidence
            told.pop(own)
        text = json.dumps(told)
        assert [value for value in known if len(value) > 1 and value in text] == []
        assert not any(char.isdigit() and char != "3" for char in case.correction.replace("2 sessions", ""))


def test_as_a_casebook_they_have_no_fault_and_nothing_to_remark(lived: Lived, tmp_path: Path):
    (tmp_path / "long_term").mkdir()
    told = {"format": 1, "cases": [case.to_json() for case in lived.cases.values()]}
    (tmp_path / "long_term" / "learnt.json").write_text(json.dumps(told), encoding="utf-8")
    snapshot = FolderStore(tmp_path, clock=fixed_clock(BEGIN), cache=False).snapshot()
    assert (len(snapshot.cases), snapshot.faults) == (len(KINDS), ())
    assert [*lint(snapshot)] == []
    examined = examine(snapshot)
    assert (examined.count, examined.faults) == (len(KINDS), ())


def test_the_corrections(lived: Lived):
    assert {kind: lived.of(kind)[1].case.correction for kind in KINDS} == {
        "gift card balance": (
            "Calls like this have failed 3 times with “gift card balance is not enough”. Check for that before calling "
            "update_reservation_flights; where it fails, report what works."
        ),
        "flight": (
            "Calls like this have failed 3 times with “flight ‹id› not available on date ‹date›”. Check for that before calling "
            "update_reservation_flights; where it fails, report what works."
        ),
        "not enough seats": (
            "Calls like this have failed 3 times with “not enough seats on flight ‹id›”. In one session the same tool then "
            "succeeded after a change of cabin and payment_id. Look at cabin and payment_id before calling "
            "update_reservation_flights or book_reservation."
        ),
        "payment amount": (
            "Calls like this have failed 3 times with “payment amount does not add up, total price is ‹number›, but paid "
            "‹number›”. In 2 sessions the same tool then succeeded after a change of payment_methods. Look at payment_methods "
            "before calling book_reservation."
        ),
        "certificate": (
            "Calls like this have failed 3 times with “certificate cannot be used to update reservation”. In 2 sessions the same "
            "tool then succeeded after a change of payment_id. Look at payment_id before calling update_reservation_flights."
        ),
    }
