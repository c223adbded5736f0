"""The jobs of upkeep by name, each loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import cast

from casebook.policy import JobName
from casebook.runtime.upkeep.protocol import Job

_PACKAGE = "casebook.runtime.upkeep"

_JOBS: Mapping[JobName, str] = {
    "expire": "expire:Expire",
    "age": "age:Age",
    "promote": "promote:Promote",
    "audit": "audit:Audit",
    "reflect": "reflect:Reflect",
    "compact": "compact:Compact",
    "hygiene": "hygiene:Hygiene",
    "archive": "archiving:Archive",
    "retain": "retaining:Retain",
}
"""Module and class of each. `tick` is none of them: it moves nothing."""


class _Jobs(Mapping[JobName, Job]):
    """The jobs, in the order in which `hygiene` takes them."""

    def __getitem__(self, name: JobName) -> Job:
        module, _, what = _JOBS[name].partition(":")
        return cast("Job", getattr(import_module(f"{_PACKAGE}.{module}"), what)())

    def __iter__(self) -> Iterator[JobName]:
        return iter(_JOBS)

    def __len__(self) -> int:
        return len(_JOBS)


def jobs() -> Mapping[JobName, Job]:
    """Give the jobs that plan moves, by name."""
    return _Jobs()
