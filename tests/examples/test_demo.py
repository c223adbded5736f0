"""The demo: cases out of the other packs, unchanged, and tasks that come out as they say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from casebook.clock import fixed_clock
from casebook.runtime import Runtime
from tests.examples.packs import EXAMPLES, NOW, ROOT, cases, snapshot_of

TASKS: list[dict[str, Any]] = json.loads((EXAMPLES / "demo" / "tasks.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runtime]:
    folder: Path = tmp_path_factory.mktemp("demo")
    with Runtime.open(copytree(EXAMPLES / "demo", folder / "memory"), clock=fixed_clock(NOW)) as opened:
        opened.snapshot()  # loads and compiles, which would count as time of the first answer
        yield opened


def test_the_cases_of_the_demo_stand_in_the_packs_as_they_are() -> None:
    originals = {case.id: case.case for _, case in cases()}
    demo = snapshot_of("demo").cases
    assert 6 <= len(demo) <= 8
    for case_id, case in demo.items():
        assert case.case == originals[case_id]


@pytest.mark.parametrize("scene", TASKS, ids=lambda scene: scene["title"])
def test_a_task_of_the_demo_comes_out_as_it_says(runtime: Runtime, scene: dict[str, Any]) -> None:
    activation = runtime.match(scene["task"])
    assert [case.id for case in activation.cases] == scene["matched"]
    assert activation.verdict == scene["verdict"]


def test_every_case_of_the_demo_but_one_fires_in_it() -> None:
    """The one is for the reader to try: a refund in another currency than the charge."""
    fired = {each for scene in TASKS for each in scene["matched"]}
    assert set(snapshot_of("demo").cases) - fired == {"currency_mismatch"}


@pytest.mark.parametrize("name", ["memory-policy.yaml", "long_term/rules.json", "long_term/cases.json"])
def test_the_demo_that_the_command_ships_is_this_pack(name: str) -> None:
    """`casebook demo` carries its own copy, since an installed package has no examples/."""
    assert (ROOT / "adapters/cli/data/demo" / name).read_bytes() == (EXAMPLES / "demo" / name).read_bytes()
