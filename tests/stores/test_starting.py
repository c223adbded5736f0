"""A new casebook's folder."""

import re
from datetime import datetime
from pathlib import Path

import pytest

from casebook import Task
from casebook.clock import fixed_clock
from casebook.policy import Detector, JournalPolicy, Limits, Policy
from casebook.policy_file import read_policy
from casebook.runtime import Runtime
from casebook.runtime.facts.intents import intents_of, table_of
from casebook.runtime.lint import lint
from casebook.stores.starting import init, machine_zone
from casebook.stores.starting_texts import Language
from tests.stores.folders import NOW, opened


@pytest.mark.parametrize(("language", "told"), [(None, "en"), ("en", "en"), ("zh", "zh")])
def test_a_new_casebook_has_a_policy_a_case_that_serves_and_no_faults(
    tmp_path: Path, language: Language | None, told: str
) -> None:
    made = init(tmp_path / "memory", clock=fixed_clock(NOW), zone="Asia/Shanghai", language=language)
    assert {"memory-policy.yaml", "long_term/rules.json", "short_term/", ".casebook/.gitignore"} <= set(made)
    snapshot = opened(tmp_path / "memory").snapshot()
    assert snapshot.faults == ()
    assert (snapshot.policy.timezone, snapshot.policy.language) == ("Asia/Shanghai", told)
    loaded = snapshot.cases["example_force_push"]
    assert (loaded.case.effect, loaded.case.on, loaded.case.created_at) == ("advise", ("task", "tool"), "2026-03-20")
    assert loaded.case.correction.isascii() is (told == "en")
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "memory").rglob("*") if path.is_file()} == {0o600}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    "command, fires",
    [
        ("git push --force origin main", True), ("git push -f", True), ("git push -uf origin x", True), ("git push origin x --force", True),
        ("(git push --force)", True), ("git push -f;ls", True), ("git push -f\nls", True), ("git push --force-with-lease", False),
        ("git push origin main", False), ("rm -f x && git push", False), ("git push && rm -f x", False), ("git push\nrm -f x", False),
        ("git push --follow-tags", False), ("git push --force-with-lease=main:abc", False), ("git push origin feat-f", False),
    ],
)  # fmt: skip
def test_the_example_fires_on_a_push_that_is_forced_and_not_on_its_own_cure(
    tmp_path: Path, command: str, language: Language, *, fires: bool
) -> None:
    init(tmp_path, clock=fixed_clock(NOW), zone="UTC", language=language)
    runtime = Runtime.open(tmp_path, clock=fixed_clock(NOW))
    try:
        cases = runtime.match(Task(tool="shell", args={"command": command})).cases
    finally:
        runtime.close()
    assert [case.id for case in cases] == (["example_force_push"] if fires else [])


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_examples_of_the_example_hold(tmp_path: Path, language: Language) -> None:
    init(tmp_path, clock=fixed_clock(NOW), zone="UTC", language=language)
    runtime = Runtime.open(tmp_path, clock=fixed_clock(NOW))
    case = opened(tmp_path).snapshot().cases["example_force_push"].case
    assert case.examples is not None
    try:
        fired = [
            [bool(runtime.match(task).cases) for task in tasks] for tasks in (case.examples.fires, case.examples.silent)
        ]
    finally:
        runtime.close()
    assert fired == [[True], [False, False, False]]


def test_the_example_speaks_the_language_of_a_policy_that_is_there(tmp_path: Path) -> None:
    (tmp_path / "memory-policy.yaml").write_text("language: zh\n")
    init(tmp_path, clock=fixed_clock(NOW))
    assert not opened(tmp_path).snapshot().cases["example_force_push"].case.correction.isascii()


def test_nothing_that_is_there_is_overwritten(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    (root / "long_term").mkdir(parents=True)
    (root / "long_term" / "own.json").write_text("[]")
    (root / "memory-policy.yaml").write_text("language: zh\n")
    made = init(root, clock=fixed_clock(NOW))
    assert not {"memory-policy.yaml", "long_term/rules.json"} & set(made)
    assert (root / "memory-policy.yaml").read_text() == "language: zh\n"
    assert init(root, clock=fixed_clock(NOW)) == ()


@pytest.mark.parametrize(
    "now, zone, day",
    [
        ("2026-03-20T15:59:59+00:00", "Asia/Shanghai", "2026-03-20"),
        ("2026-03-20T16:00:00+00:00", "Asia/Shanghai", "2026-03-21"),
        ("2026-03-20T03:59:59+00:00", "America/New_York", "2026-03-19"),
        ("2026-03-20T04:00:00+00:00", "America/New_York", "2026-03-20"),
    ],
)
@pytest.mark.parametrize("there_already", [False, True])
def test_the_example_bears_the_day_that_it_is_in_the_casebooks_zone(
    tmp_path: Path, now: str, zone: str, day: str, *, there_already: bool
) -> None:
    clock = fixed_clock(datetime.fromisoformat(now))
    if there_already:
        (tmp_path / "memory-policy.yaml").write_text(f"timezone: {zone}\n")
    init(tmp_path, clock=clock, zone="UTC" if there_already else zone)
    loaded = opened(tmp_path).snapshot().cases["example_force_push"]
    assert loaded.case.created_at == day
    assert loaded.created is not None
    assert loaded.created <= clock()


@pytest.mark.parametrize("told, zone", [("Asia/Shanghai", "Asia/Shanghai"), (":Europe/Berlin", "Europe/Berlin")])
def test_the_zone_is_the_machines(monkeypatch: pytest.MonkeyPatch, told: str, zone: str) -> None:
    monkeypatch.setenv("TZ", told)
    assert machine_zone() == zone


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_the_policy_only_needs_uncommented_is_taken_as_it_stands(tmp_path: Path, language: Language) -> None:
    init(tmp_path, clock=fixed_clock(NOW), zone="UTC", language=language)
    text = (tmp_path / "memory-policy.yaml").read_text("utf-8")
    fields = "|".join(Policy.model_fields)
    told = re.sub(rf"^# ((?:{fields}):.*|  .*)$", r"\1", text, flags=re.MULTILINE)
    policy, faults = read_policy(told.encode(), "memory-policy.yaml")
    assert faults == ()
    assert policy is not None
    named = set(re.findall(rf"^({fields}):", told, flags=re.MULTILINE))
    assert named == policy.model_fields_set
    assert named >= {"limits", "tools", "intents", "detector", "ignore_errors", "redact", "journal", "holdout"}
    assert (policy.limits, policy.detector, policy.journal) == (Limits(), Detector(), JournalPolicy())
    assert (policy.ignore_errors, policy.redact) == (("^HTTP 404", "not linter"), ("CUST-[0-9]{6}",))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_intent_in_the_policy_that_is_only_to_be_uncommented_is_no_shipped_one(
    tmp_path: Path, language: Language
) -> None:
    init(tmp_path, clock=fixed_clock(NOW), zone="UTC", language=language)
    path = tmp_path / "memory-policy.yaml"
    head, _, commented = path.read_text("utf-8").partition("# intents:\n")
    path.write_text(f"{head}intents:\n{commented.replace('# ', '')}", "utf-8")
    snapshot = opened(tmp_path).snapshot()
    assert (snapshot.faults, lint(snapshot)) == ((), ())
    assert list(snapshot.policy.intents) == ["restock"]
    assert intents_of("明天去进货", table_of(snapshot.policy)) == ("restock",)
