"""Cases of a casebook that are for another project than the one it stands in, as after a clone into a folder of another name."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from casebook.adapters.identity import project_of
from casebook.conditions.fold import nfc
from casebook.runtime.answer.harmless import harmless

if TYPE_CHECKING:
    from casebook.case import LoadedCase

_SHOWN = 5


def other_projects_told(folder: Path, cases: Iterable[LoadedCase]) -> str:
    """Say which cases serve nobody who works around a casebook, since they are for another project; "" where there are none.

    A project is known by the name of a folder, so that a clone of another name is another one.

    Args:
        folder: the casebook's.
        cases: as its files hold them.
    """
    here = project_of(folder, [folder])
    if here is None:
        return ""
    ids: dict[str, list[str]] = {}
    for loaded in cases:
        meant = loaded.case.scope.project
        if meant is not None and loaded.case.status == "active" and nfc(meant) != nfc(here):
            ids.setdefault(meant, []).append(loaded.id)
    told = [f"{_named(names)} for project {harmless(name)}" for name, names in sorted(ids.items())]
    if not told:
        return ""
    return (
        f"this is project {harmless(here)}, by the name of its folder, and of its cases {'; '.join(told)}: whoever works here is not told "
        "of them; call the folder so, or change their scope"
    )


def _named(names: list[str]) -> str:
    shown = ", ".join(names[:_SHOWN])
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{shown}{more} {'is' if len(names) == 1 else 'are'}"
