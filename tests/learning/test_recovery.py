"""What worked after an error, and what of it is told."""

from __future__ import annotations

import pytest

from casebook.runtime.learning.recovery import (
    LATER_CALLS,
    Recovery,
    recoveries_of,
    recovery_of,
    shared_values,
    told_names,
)
from tests.learning.past import Past, happened

FAILED = {"flight": "HAT001", "cabin": "business", "payment_id": "gift_card_1"}


def recovered(*later, failed=FAILED, tool="book", **more):
    first = happened(1, tool, failed, "no seats", **more)
    return recovery_of(first, [each if not isinstance(each, dict) else happened(2, tool, each) for each in later])


@pytest.mark.parametrize(
    "succeeded, names",
    [
        ({**FAILED, "payment_id": "gift_card_2"}, ("payment_id",)),
        ({**FAILED, "payment_id": "x", "cabin": "economy"}, ("cabin", "payment_id")),
        ({"flight": "HAT001", "cabin": "business"}, ("payment_id",)),
        ({**FAILED, "insurance": "no"}, ("insurance",)),
        ({**FAILED, "x.y z": "no", "n": 1}, ("n",)),
    ],
)
def test_the_names_of_what_changed_was_added_or_left_out(succeeded, names):
    found = recovered(succeeded)
    assert (found.occurrence, found.call, found.names) == ("e1", "e2", names)


@pytest.mark.parametrize(
    "later",
    [
        pytest.param([FAILED], id="the very same call"),
        pytest.param([{"flight": "a", "cabin": "b", "payment_id": "c"}], id="nothing of it stayed"),
        pytest.param([{**FAILED, "x y": 1}], id="a name that may not be told"),
        pytest.param([happened(2, "other", {**FAILED, "cabin": "economy"})], id="another tool"),
        pytest.param([happened(2, "book", {**FAILED, "cabin": "economy"}, "no")], id="it failed again"),
        pytest.param([happened(2, kind="task"), happened(3, "book", {**FAILED, "cabin": "economy"})], id="another turn began"),
        pytest.param([happened(2, "book", {**FAILED, "cabin": "economy"}, turn="t2")], id="another turn by its id"),
        pytest.param([], id="nothing"),
    ],
)  # fmt: skip
def test_what_is_no_recovery(later):
    assert recovered(*later, turn="t1") is None


@pytest.mark.parametrize("between, found", [(LATER_CALLS - 1, True), (LATER_CALLS, False)])
def test_only_so_many_calls_later(between, found):
    calls = [happened(n, "think", {}) for n in range(2, 2 + between)]
    assert (recovered(*calls, {**FAILED, "cabin": "economy"}) is not None) is found


@pytest.mark.parametrize(
    "command, names",
    [
        ("pnpm install --no-frozen", ("--force", "--no-frozen")),
        ("sudo pnpm install", ("--force",)),
        ("pnpm install --force --token=abc", ("--token",)),
        ("pnpm install --force left-pad", None),
        ("pnpm test --all", None),
        ("ls --all", None),
    ],
)
def test_of_a_shell_call_that_runs_the_same_the_flags_are_told(command, names):
    found = recovered({"command": command}, failed={"command": "pnpm install --force"}, tool="bash")
    assert (found.names if found else None) == names


def test_a_tool_with_one_argument_has_no_recovery():
    assert recovered({"path": "b"}, failed={"path": "a"}, tool="read_thing") is None


def test_errors_in_a_row_have_one_recovery():
    records = [
        happened(1, "book", FAILED, "no"),
        happened(2, "book", FAILED, "no"),
        happened(3, "book", {**FAILED, "cabin": "economy"}),
    ]
    found = recoveries_of(records[:2], Past(records))
    assert [(each.occurrence, each.call) for each in found] == [("e1", "e3")]


def test_without_a_session_or_a_tool_there_is_none():
    later = [happened(2, "book", {**FAILED, "cabin": "economy"})]
    assert recovery_of(happened(1, "book", FAILED, "no", session=None), later) is None
    assert recovery_of(happened(1, None, None, "no"), later) is None


@pytest.mark.parametrize(
    "succeeded, values",
    [
        ({**FAILED, "cabin": "economy"}, {"cabin": "economy"}),
        ({**FAILED, "dry_run": True}, {"dry_run": True}),
        ({**FAILED, "payment_id": "gift_card_2"}, {}),
        ({**FAILED, "amount": 250}, {}),
        ({**FAILED, "path": "/etc"}, {}),
        ({**FAILED, "note": "quick"}, {}),
        ({**FAILED, "owner": "mia"}, {}),
    ],
)
def test_the_values_that_might_be_told(succeeded, values):
    assert recovered(succeeded).values == values


def by(user, names=("cabin",), **values) -> Recovery:
    return Recovery("e", f"c{user}", user, "s", names, values)


@pytest.mark.parametrize(
    "recoveries, users, names",
    [
        ([by("a")], None, ("cabin",)),
        ([by("a", ("cabin", "date")), by("b", ("cabin",)), by("c", ("cabin",))], None, ("cabin",)),
        ([by("a", ("cabin",)), by("b", ("date",))], None, ("cabin", "date")),
        ([by("a"), by("b"), by("c")], 3, ("cabin",)),
        ([by("a"), by("b"), by("b")], 3, ()),
        ([by("a"), by("b"), by(None)], 3, ()),
        ([], None, ()),
        ([], 3, ()),
    ],
)
def test_the_names_that_are_told(recoveries, users, names):
    assert told_names(recoveries, users) == names


@pytest.mark.parametrize(
    "recoveries, values",
    [
        ([by("a", cabin="economy"), by("b", cabin="economy"), by("c", cabin="economy")], {"cabin": "economy"}),
        ([by("a", cabin="economy"), by("b", cabin="economy")], {}),
        ([by("a", cabin="economy"), by("b", cabin="economy"), by("b", cabin="economy")], {}),
        ([by("a", cabin="economy"), by("b", cabin="economy"), by("c", cabin="first")], {}),
        ([by("a", cabin="economy"), by("b", cabin="economy"), by("c")], {}),
        ([by("a", cabin=True), by("b", cabin=True), by("c", cabin=True)], {"cabin": True}),
    ],
)
def test_a_value_is_told_where_three_users_share_it(recoveries, values):
    assert shared_values(recoveries, 3) == values


@pytest.mark.parametrize(
    "failed, succeeded, names",
    [
        ({"body": {"rows": 7}}, {"body": {"rows": 7, "format": "csv"}}, ("body.format",)),
        ({"body": {"rows": 7, "q": 1}, "to": "x"}, {"body": {"rows": 8, "q": 1}, "to": "x"}, ("body.rows",)),
        ({"body": {"rows": 7}, "to": "x"}, {"body": "rows=7", "to": "x"}, ("body",)),
        ({"body": {"7781-0042": 1}, "to": "x"}, {"body": {}, "to": "x"}, None),
    ],
)
def test_of_an_argument_that_holds_others_theirs_are_told(failed, succeeded, names):
    recovery = recovered(succeeded, failed=failed)
    assert (recovery and recovery.names) == names


@pytest.mark.parametrize(
    "failed, succeeded, names",
    [
        ("pytest -n auto tests", "pytest tests", ("-n",)),
        ("git push", "git push -u origin main", ("-u",)),
        ("mysql -uroot -psecret1 db", "mysql db", None),
    ],
)
def test_of_a_command_the_flags_of_one_letter_too(failed, succeeded, names):
    recovery = recovered(happened(2, "Bash", {"command": succeeded}), failed={"command": failed}, tool="Bash")
    assert (recovery and recovery.names) == names
