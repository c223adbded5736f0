"""Frameworks that are wired in code and by no command: how, what of them an adapter is made for, and what of that is installed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from casebook.faults import CasebookError


@dataclass(frozen=True, slots=True)
class Need:
    """What an adapter imports.

    Attributes:
        package: its name in an index of packages.
        least: the first version that the adapter is made for.
        below: the first that it is not made for any more; empty where none is known.
    """

    package: str
    least: str
    below: str = ""

    def __str__(self) -> str:
        """Give it as pip takes it."""
        return f"{self.package}>={self.least}{f',<{self.below}' if self.below else ''}"

    def takes(self, found: str) -> bool:
        """Say whether the adapter is made for a version; of a pre-release its numbers count."""
        numbers = _numbers(found)
        return _numbers(self.least) <= numbers and (not self.below or numbers < _numbers(self.below))


@dataclass(frozen=True, slots=True)
class Framework:
    """One framework.

    Attributes:
        name: its host's in `casebook.adapters.hosts`; the extra that brings what it needs is the host's.
        needs: what its adapter imports, the framework itself the first. `pyproject.toml` has the same.
        wired: how it is wired.
        page: the page that tells of it.
    """

    name: str
    needs: tuple[Need, ...]
    wired: str
    page: str = "docs/frameworks.md"


_ALL = (
    Framework(
        "langchain", (Need("langchain", "1.5", "2"),), "in code, `from casebook.adapters.langchain import CasebookMiddleware`"
    ),
    Framework(
        "openai-agents", (Need("openai-agents", "0.24"),), "in code, `from casebook.adapters.openai_agents import CasebookAgents`"
    ),
    Framework(
        "pydantic-ai", (Need("pydantic-ai-slim", "2.60", "3"),),
        "in code, `from casebook.adapters.pydantic_ai import CasebookCapability`",
    ),
    Framework(
        "mcp", (Need("mcp", "2.3", "3"),),
        "as a server, `casebook mcp`, among the servers of its host, or in code, `from casebook.adapters.mcp import server_of`",
    ),
    Framework(
        "http", (Need("fastapi", "0.115"), Need("uvicorn", "0.30")),
        "by nothing but the service: `casebook serve`, with a token of `casebook serve token add`", "docs/serve.md",
    ),
)  # fmt: skip

FRAMEWORKS: Mapping[str, Framework] = {each.name: each for each in _ALL}
"""Every framework, by its name."""


@dataclass(frozen=True, slots=True)
class Installed:
    """What of a framework is installed.

    Attributes:
        versions: of what its adapter needs, by package; None for what is not there.
        unfit: what is there in a version that the adapter is not made for, each as pip takes what it is made for.
        trouble: why the adapter cannot be imported; empty where it can, or where that was not tried since something is missing or unfit.
    """

    versions: Mapping[str, str | None]
    unfit: tuple[str, ...] = ()
    trouble: str = ""

    @property
    def is_there(self) -> bool:
        """Say whether all that the adapter needs is installed."""
        return None not in self.versions.values()


def installed(framework: Framework) -> Installed:
    """Look at what of a framework is installed, and import its adapter where it is made for that; that may take seconds."""
    versions = {each.package: _version(each.package) for each in framework.needs}
    unfit = tuple(
        str(each) for each in framework.needs if (there := versions[each.package]) is not None and not each.takes(there)
    )
    found = Installed(versions, unfit)
    return Installed(versions, (), _trouble(framework.name)) if found.is_there and not unfit else found


def _trouble(name: str) -> str:
    """Import a framework's adapter; give why it cannot be."""
    import warnings

    from casebook.adapters.hosts import adapter_of, host_of

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what a framework warns of as it is imported is not about the casebook
            adapter_of(host_of(name))
    except CasebookError as error:
        return str(error)
    except Exception as error:  # noqa: BLE001 - whatever a framework raises: it is told, not passed on
        return f"{type(error).__name__}: {error}"
    return ""


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _numbers(text: str) -> tuple[int, ...]:
    """Give the numbers with which a version begins: (2, 60) of `2.60rc1`."""
    found = re.match(r"\d+(?:\.\d+)*", text)
    return tuple(map(int, found[0].split("."))) if found else ()
