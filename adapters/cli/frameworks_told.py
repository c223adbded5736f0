"""What `doctor` tells of frameworks: which are installed, in a version that the adapter is made for, and whether it can be imported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from casebook.adapters.cli.findings import Finding
from casebook.adapters.frameworks import FRAMEWORKS, Installed, installed

Frameworks = Mapping[str, Installed]
"""By the framework's name, what of it is installed."""


def frameworks_told() -> Frameworks:
    """Look at every framework; the adapters of those that are installed are imported."""
    return {name: installed(each) for name, each in FRAMEWORKS.items()}


def frameworks_json(frameworks: Frameworks) -> dict[str, Any]:
    """Give the same for programs; `works` is null where the framework is not installed."""
    return {
        name: {
            "installed": dict(each.versions),
            "needs": [str(need) for need in FRAMEWORKS[name].needs],
            "works": (not each.unfit and not each.trouble) if each.is_there else None,
            "trouble": each.trouble or None,
        }
        for name, each in frameworks.items()
    }


def frameworks_lines(frameworks: Frameworks) -> dict[str, str]:
    """Give the same for people: a line for each that is installed, one for the others."""
    lines = {name: _line(each) for name, each in frameworks.items() if each.is_there}
    missing = ", ".join(name for name, each in frameworks.items() if not each.is_there)
    return lines | ({"not installed": missing} if missing else {})


def frameworks_findings(frameworks: Frameworks) -> Iterator[Finding]:
    """Give what is to do: a version that the adapter is not made for deserves a look, since it may be there for something else."""
    from casebook.adapters.hosts import HOSTS

    for name, each in frameworks.items():
        if each.trouble:
            yield Finding(name, f"{name}: the adapter cannot be imported: {each.trouble}", is_fault=True)
        elif each.is_there and each.unfit:
            cure = f"pip install 'casebook-runtime[{HOSTS[name].extra}]'"
            yield Finding(
                name, f"{name}: {_versions(each)}: the adapter is made for {', '.join(each.unfit)}; {cure} brings it"
            )


def _line(each: Installed) -> str:
    if each.unfit:
        return f"{_versions(each)}; the adapter is made for {', '.join(each.unfit)}"
    return (
        f"{_versions(each)}; {'the adapter cannot be imported' if each.trouble else 'supported, the adapter imports'}"
    )


def _versions(each: Installed) -> str:
    return ", ".join(f"{package} {found}" for package, found in each.versions.items() if found)
