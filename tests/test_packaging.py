"""The house stands: every package is listed, the links are the folders, the layers hold, the start is light."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
HOMES = {"casebook": ROOT / "casebook", "casebook.runtime": ROOT / "runtime", "casebook.adapters": ROOT / "adapters"}


def packages_on_disk() -> set[str]:
    found = set()
    for name, folder in HOMES.items():
        for init in folder.rglob("__init__.py"):
            parts = init.parent.relative_to(folder).parts
            if name == "casebook" and parts and (folder / parts[0]).is_symlink():
                continue
            found.add(".".join((name, *parts)))
    return found


def test_every_package_on_disk_is_listed() -> None:
    """A package that is not listed works in place and is absent from the wheel."""
    assert set(SETTINGS["packages"]) == packages_on_disk()


def test_every_folder_with_code_is_a_package() -> None:
    for folder in HOMES.values():
        for module in folder.rglob("*.py"):
            assert (module.parent / "__init__.py").exists(), module


@pytest.mark.parametrize("name", ["runtime", "adapters"])
def test_each_link_is_the_folder(name: str) -> None:
    """A copy in the link's place would be a second, stale truth."""
    link = ROOT / "casebook" / name
    if not link.is_symlink() and not link.is_dir():
        pytest.skip("this checkout has no symbolic links")
    assert link.samefile(ROOT / name)


def loaded_by(code: str) -> set[str]:
    run = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return set(run.stdout.split())


def test_importing_casebook_costs_neither_pydantic_nor_lark() -> None:
    assert not {"pydantic", "lark", "re2", "yaml"} & loaded_by("import casebook")


def test_the_domain_does_not_know_the_runtime() -> None:
    """Re-exporting the runtime from `casebook` would be a cycle that the layers contract does not see."""
    names = loaded_by("import casebook; from casebook import Case, Task, Policy, Fault")
    assert not any(name.startswith(("casebook.runtime", "casebook.adapters")) for name in names)
