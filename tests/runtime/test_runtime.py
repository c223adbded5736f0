"""The front door, over real folders: what goes in as JSON comes out as a correction, in time, for whom it is."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from freezegun import freeze_time

from casebook import Policy, Task
from casebook.clock import fixed_clock
from casebook.faults import CasebookError, ClosedError, NotFoundError, PolicyError, StoreError, TaskError
from casebook.runtime import Runtime
from casebook.runtime.matching.engines import EngineChoice
from tests.matching.universe import ENGINES

NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)
SEED = {
    "id": "case_001",
    "type": "rule",
    "trigger_conditions": ["当前时间在 00:00-06:00", "意图为 '主动推送'"],
    "judgment": "凌晨推送会打扰用户",
    "consequence": "用户反馈不适，要求停止",
    "correction": "禁止在凌晨时段（00:00-06:00）执行任何主动推送操作",
    "priority": 9,
    "created_at": "2026-03-20",
    "last_triggered": None,
    "ttl": None,
}
ENGLISH = SEED | {"trigger_conditions": ["time between 00:00 and 06:00", 'intent is "主动推送"']}


def write(root: Path, *cases: dict[str, Any], policy: str = "format: 1\ntimezone: Asia/Shanghai\n") -> Path:
    folder = root / "long_term"
    folder.mkdir(parents=True, exist_ok=True)
    if not (root / "memory-policy.yaml").exists():
        (root / "memory-policy.yaml").write_text(policy, encoding="utf-8")
    (folder / "cases.json").write_text(json.dumps(list(cases), ensure_ascii=False), encoding="utf-8")
    return root


def case(name: str, *conditions: str, **fields: Any) -> dict[str, Any]:
    return {"id": name, "trigger_conditions": list(conditions), "correction": f"do {name}", **fields}


def ids(runtime: Runtime, **task: Any) -> list[str]:
    return [each.id for each in runtime.match(Task(**task)).cases]


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> EngineChoice:
    chosen: EngineChoice = request.param
    return chosen


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "memory"


# -- the seed case -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [SEED, ENGLISH], ids=["zh", "en"])
@pytest.mark.parametrize(
    ("moment", "on"),
    [("00:00:00", True), ("05:59:59", True), ("06:00:00", False), ("23:59:59", False), ("03:00:00", True)],
)
def test_the_seed_case_is_on_in_its_hours_of_its_zone(
    root: Path, engine: EngineChoice, seed: dict[str, Any], moment: str, on: bool
) -> None:
    with Runtime.open(write(root, seed), engine=engine) as runtime:
        local = datetime.fromisoformat(f"2026-03-21T{moment}").replace(tzinfo=ZoneInfo("Asia/Shanghai"))
        with freeze_time(local.astimezone(UTC)):
            assert ids(runtime, intent="主动推送") == (["case_001"] if on else [])
            assert ids(runtime, intent="push") == []
            assert ids(runtime) == []


def test_the_answer_carries_the_correction_word_for_word(root: Path, engine: EngineChoice) -> None:
    clock = fixed_clock(datetime(2026, 3, 20, 19, tzinfo=UTC))
    with Runtime.open(write(root, SEED), clock=clock, engine=engine) as runtime:
        activation = runtime.before_task(Task(intent="主动推送"))
    assert activation.verdict == "allow"
    assert activation.engine == engine
    assert "禁止在凌晨时段（00:00-06:00）执行任何主动推送操作" in activation.prompt
    assert "case_001" in activation.prompt


def test_a_case_sleeps_before_it_is_made_and_after_it_expires(root: Path, engine: EngineChoice) -> None:
    write(root, case("c", "always", created_at="2026-03-20T12:00:00+00:00", ttl="30d"))
    with Runtime.open(root, engine=engine) as runtime:
        for moment, on in [
            ("2026-03-20 11:59:59.999999", False),
            ("2026-03-20 12:00:00", True),
            ("2026-04-19 11:59:59.999999", True),
            ("2026-04-19 12:00:00", False),
        ]:
            with freeze_time(moment):
                assert ids(runtime) == (["c"] if on else []), moment


def test_a_frozen_clock_makes_no_answer_late(root: Path, engine: EngineChoice) -> None:
    """Whichever way the runtime is asked, and whether the frozen clock ticks or not."""
    with Runtime.open(write(root, SEED), engine=engine) as runtime, ThreadPoolExecutor() as pool:
        task = Task(intent="主动推送")
        for tick in (0, 15):
            with freeze_time("2026-03-20T19:00:00Z", auto_tick_seconds=tick):
                answers = [
                    runtime.match(task),
                    pool.submit(runtime.match, task).result(),
                    asyncio.run(runtime.amatch(task)),
                ]
            for activation in answers:
                assert ([each.id for each in activation.cases], activation.warnings) == (["case_001"], ())


# -- edits -------------------------------------------------------------------------------------------------------------


def test_an_edit_is_seen_by_the_next_task(root: Path, engine: EngineChoice) -> None:
    with Runtime.open(write(root, case("a", "tool is shell")), clock=fixed_clock(NOON), engine=engine) as runtime:
        assert ids(runtime, tool="shell") == ["a"]
        for turn in range(30):
            write(root, case("a", f'tool is "t{turn}"'), case("b", "tool is shell"))
            assert ids(runtime, tool=f"t{turn}") == ["a"]
            assert ids(runtime, tool="shell") == ["b"]
        write(root)
        assert ids(runtime, tool="shell") == []


def test_a_file_that_breaks_keeps_its_last_good_version_and_is_announced(root: Path, engine: EngineChoice) -> None:
    with Runtime.open(write(root, case("a", "tool is shell")), clock=fixed_clock(NOON), engine=engine) as runtime:
        assert ids(runtime, tool="shell") == ["a"]
        (root / "long_term" / "cases.json").write_text('[{"id": "a", ', encoding="utf-8")
        activation = runtime.match(Task(tool="shell"))
        assert [each.id for each in activation.cases] == ["a"]
        assert [fault.path for fault in activation.quarantined] == ["long_term/cases.json"]


def test_a_bad_case_is_quarantined_alone(root: Path, engine: EngineChoice) -> None:
    write(root, case("good", "tool is shell"), case("bad", "tool >= 3"), case("odd", "tool is shell", efect="block"))
    with Runtime.open(root, clock=fixed_clock(NOON), engine=engine) as runtime:
        activation = runtime.match(Task(tool="shell"))
    assert [each.id for each in activation.cases] == ["good"]
    assert [fault.case for fault in activation.quarantined] == ["bad", "odd"]
    assert "effect" in str(activation.quarantined[1])


def test_a_changed_policy_is_seen_too(root: Path, engine: EngineChoice) -> None:
    write(root, case("a", "time between 0 and 6"))
    with Runtime.open(root, clock=fixed_clock(datetime(2026, 3, 20, 19, tzinfo=UTC)), engine=engine) as runtime:
        assert ids(runtime) == ["a"]
        (root / "memory-policy.yaml").write_text("format: 1\ntimezone: UTC\n", encoding="utf-8")
        assert ids(runtime) == []


# -- isolation ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["user", "project", "team", "agent"])
def test_a_task_learns_nothing_of_anothers_cases_in_any_output(root: Path, engine: EngineChoice, key: str) -> None:
    marks = [f"SECRET{number}" for number in range(6)]
    scope = {key: "ann"}
    write(
        root,
        case("SECRET0", "tool is shell", scope=scope, effect="block", judgment="SECRET1"),
        case("SECRET2", "tool is shell", "text contains nothing", scope=scope),
        case("SECRET3", "tool >= 3", scope=scope),
        case("SECRET4", "tool is shell", scope=scope, correction="SECRET5" * 300),
        case("open", "tool is shell"),
    )
    with Runtime.open(root, clock=fixed_clock(NOON), engine=engine) as runtime:
        for stranger in ({}, {key: "bob"}, {key: "ANN"}, {key: "ann "}):
            task = Task(tool="shell", **stranger)
            activation, explanation = runtime.match(task), runtime.explain(task)
            said = f"{activation!r} {activation.to_json()} {explanation.to_json()} {explanation.text('en')} {explanation.text('zh')}"
            assert not [mark for mark in marks if mark in said]
            assert activation.verdict == "allow"
            with pytest.raises(NotFoundError) as hidden:
                runtime.explain(task, "SECRET0")
            with pytest.raises(NotFoundError) as absent:
                runtime.explain(task, "SECRETX")
            assert str(hidden.value).replace("SECRET0", "X") == str(absent.value).replace("SECRETX", "X")
        own = runtime.match(Task(tool="shell", **{key: "ann"}))
        assert own.verdict == "block"
        assert [fault.case for fault in own.quarantined] == ["SECRET3", "SECRET4"]


# -- modes, limits, errors ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "verdict", "injected"),
    [("off", "allow", False), ("shadow", "allow", False), ("advise", "allow", True), ("enforce", "block", True)],
)
def test_the_mode_of_the_environment_wins(
    root: Path, monkeypatch: pytest.MonkeyPatch, mode: str, verdict: str, injected: bool
) -> None:
    monkeypatch.setenv("CASEBOOK_MODE", mode)
    with Runtime.open(write(root, case("a", "always", effect="block")), clock=fixed_clock(NOON)) as runtime:
        activation = runtime.match(Task(text="x"))
    assert (activation.verdict, bool(activation.prompt)) == (verdict, injected)


def test_a_mode_that_is_none_names_the_nearest(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CASEBOOK_MODE", "advice")
    with pytest.raises(PolicyError, match="did you mean advise"):
        Runtime.open(write(root))


def test_past_its_time_advice_is_dropped_blocks_are_kept_and_it_says_so(root: Path, engine: EngineChoice) -> None:
    write(root, case("advice", "always"), case("wall", "always", effect="block"))
    policy = Policy.model_validate({"limits": {"before_task_ms": 0}})
    with Runtime.open(root, clock=fixed_clock(NOON), engine=engine, policy=policy) as runtime:
        activation = runtime.match(Task(text="x"))
    assert [each.id for each in activation.cases] == ["wall"]
    assert activation.verdict == "block"
    assert "advice was dropped, blocks were kept" in activation.warnings[0]


@pytest.mark.parametrize(
    ("location", "words"),
    [
        ("nowhere", "casebook init"),
        ("file.txt", "it is a file"),
        ("postgresql://host/db", "serves folders"),
        ([], "empty list"),
    ],
)
def test_a_location_that_is_no_casebook_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, location: Any, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file.txt").touch()
    with pytest.raises(StoreError, match=words):
        Runtime.open(location)


def test_a_clock_that_is_not_aware_is_refused_at_once(root: Path) -> None:
    with pytest.raises(CasebookError, match="clock: expected an aware datetime, got 2026-03-20 12:00:00"):
        Runtime.open(write(root), clock=lambda: datetime(2026, 3, 20, 12))  # noqa: DTZ001  # the naive one is the point


def test_a_task_may_be_its_json_and_a_bad_one_is_refused(root: Path) -> None:
    with Runtime.open(write(root, case("a", "tool is shell")), clock=fixed_clock(NOON)) as runtime:
        assert [each.id for each in runtime.match({"tool": "Bash", "args": {"command": "ls"}}).cases] == ["a"]
        with pytest.raises(TaskError, match="intent"):
            runtime.match({"intnet": "x"})
        with pytest.raises(CasebookError):
            runtime.match({"at": "soon"})


def test_a_folder_without_a_policy_is_served_with_the_defaults(root: Path) -> None:
    write(root, case("a", "tool is shell"))
    (root / "memory-policy.yaml").unlink()
    with Runtime.open(root, clock=fixed_clock(NOON)) as runtime:
        assert ids(runtime, tool="shell") == ["a"]
        assert runtime.policy().timezone == "UTC"


def test_of_several_casebooks_the_first_wins(tmp_path: Path) -> None:
    first = write(tmp_path / "first", case("a", "tool is shell", correction="from the first"))
    second = write(tmp_path / "second", case("a", "tool is shell"), case("b", "tool is shell"))
    with Runtime.open([first, second], clock=fixed_clock(NOON)) as runtime:
        activation = runtime.match(Task(tool="shell"))
    assert [(each.id, each.correction) for each in activation.cases] == [("a", "from the first"), ("b", "do b")]


def test_the_with_block_answers_and_lets_errors_pass(root: Path) -> None:
    with Runtime.open(write(root, case("a", "always")), clock=fixed_clock(NOON)) as runtime:
        with runtime.task(Task(text="x")) as activation:
            assert activation.cases
        with pytest.raises(ZeroDivisionError), runtime.task(Task(text="x")):
            raise ZeroDivisionError


def test_what_is_closed_says_so_and_closing_twice_is_fine(root: Path, engine: EngineChoice) -> None:
    runtime = Runtime.open(write(root, case("a", "always", effect="block")), engine=engine)
    assert runtime.match(Task(text="x")).verdict == "block"
    runtime.close()
    runtime.close()
    for call in (runtime.match, runtime.before_task, runtime.explain):
        with pytest.raises(ClosedError, match="was closed"):
            call(Task(text="x"))


def test_an_exception_from_outside_leaves_nothing_half_done(
    root: Path, engine: EngineChoice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C in the middle of a match or of an update: the next task is answered as if nothing had been."""
    write(root, *[case(f"c{n}", f'text contains "w{n}."') for n in range(60)])
    with Runtime.open(root, clock=fixed_clock(NOON), engine=engine) as runtime:
        for place in ("casebook.runtime.matching.needles._automaton", "casebook.runtime.matching.router._collect"):
            with monkeypatch.context() as patch:
                patch.setattr(place, interrupted)
                with pytest.raises(KeyboardInterrupt):
                    runtime.match(Task(text="w7. w59."))
            assert ids(runtime, text="w7. w59.") == ["c59", "c7"]


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def test_an_answer_is_about_one_state_of_the_folder(root: Path, engine: EngineChoice) -> None:
    """Two states of a folder, both of which block: no task is told by one which cases there are and by the other what they are."""
    one = [case("a", "always", effect="block"), case("b", "tool is shell")]
    other = [case("b", "always", effect="block"), case("a", "tool is shell", supersedes=[])]
    write(root, *one)
    done = threading.Event()
    verdicts: set[str] = set()
    with Runtime.open(root, clock=fixed_clock(NOON), engine=engine) as runtime:

        def ask() -> None:
            while not done.is_set():
                verdicts.add(runtime.match(Task(text="x")).verdict)

        askers = [threading.Thread(target=ask) for _ in range(4)]
        for thread in askers:
            thread.start()
        for turn in range(150):
            spare = root / "spare"
            spare.write_text(json.dumps(other if turn % 2 else one), encoding="utf-8")
            spare.replace(root / "long_term" / "cases.json")
            runtime.match(Task(text="x"))
        done.set()
        for thread in askers:
            thread.join()
    assert verdicts == {"block"}


# -- at once -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def busy(root: Path, engine: EngineChoice) -> Iterator[Runtime]:
    write(root, *[case(f"c{n}", f'tool is "t{n}"') for n in range(50)])
    with Runtime.open(root, clock=fixed_clock(NOON), engine=engine) as runtime:
        yield runtime


def test_eight_threads_get_only_their_own_answers_while_the_folder_is_edited(busy: Runtime, root: Path) -> None:
    wrong: list[object] = []
    done = threading.Event()

    def ask(first: int) -> None:
        for turn in range(150):
            number = (first * 7 + turn) % 50
            if (got := ids(busy, tool=f"t{number}")) != [f"c{number}"]:
                wrong.append((number, got))

    def edit() -> None:
        turn = 0
        while not done.is_set():
            turn += 1
            whole = [case(f"c{n}", f'tool is "t{n}"') for n in range(50)] + [case("more", f'tool is "more{turn}"')]
            spare = root / "spare"
            spare.write_text(json.dumps(whole), encoding="utf-8")
            spare.replace(root / "long_term" / "cases.json")

    editor = threading.Thread(target=edit)
    askers = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in [editor, *askers]:
        thread.start()
    for thread in askers:
        thread.join()
    done.set()
    editor.join()
    assert wrong == []


def test_two_hundred_asyncio_tasks_get_only_their_own_answers(busy: Runtime) -> None:
    async def ask(number: int) -> tuple[int, list[str]]:
        async with busy.atask(Task(tool=f"t{number}")) as activation:
            await busy.amatch(Task(tool="t0"))
            explanation = await busy.aexplain(Task(tool=f"t{number}"), f"c{number}")
            assert f"c{number}" in explanation.text("en")
            return number, [each.id for each in activation.cases]

    async def all_of_them() -> list[tuple[int, list[str]]]:
        return await asyncio.gather(*(ask(number % 50) for number in range(200)))

    for number, got in asyncio.run(all_of_them()):
        assert got == [f"c{number}"]


FORK = """
import os, sys, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 warns of any fork beside threads
from casebook import Task
from casebook.runtime import Runtime

runtime = Runtime.open(sys.argv[1], engine=sys.argv[2])
runtime.match(Task(tool="t1"))
child = os.fork()
names = [case.id for case in runtime.match(Task(tool="t2" if child == 0 else "t3")).cases]
if child == 0:
    os._exit(0 if names == ["c2"] else 1)
assert os.waitpid(child, 0)[1] == 0 and names == ["c3"], names
runtime.close()
print("good")
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_goes_on_with_its_own_answers(root: Path, engine: EngineChoice) -> None:
    write(root, *[case(f"c{n}", f'tool is "t{n}"') for n in range(5)])
    run = subprocess.run(
        [sys.executable, "-c", FORK, str(root), engine], capture_output=True, text=True, timeout=60, check=False
    )
    assert (run.stdout, run.stderr, run.returncode) == ("good\n", "", 0)
