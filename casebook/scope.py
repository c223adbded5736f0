"""For whom a case is: decided before anything else (DESIGN section 5, isolation first)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Point = Literal["task", "tool", "answer", "session_start", "tick"]
"""Where a task stands: a turn begins, a tool is about to be called, an answer is given, a session begins, a minute passed."""

SCOPE_CHARS = 512
"""Characters of a name (ours)."""
_Name = Annotated[str, Field(min_length=1, max_length=SCOPE_CHARS)]


class Scope(BaseModel):
    """The principals that a case is for: all that are named must be the task's; none named means everyone."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    user: _Name | None = Field(default=None, description="only this user's tasks")
    project: _Name | None = Field(default=None, description="only tasks in this project")
    team: _Name | None = Field(default=None, description="only tasks of a member of this team")
    agent: _Name | None = Field(default=None, description="only this agent's tasks")

    @property
    def named(self) -> dict[str, str]:
        """Give the keys that are named, with their names; empty means everyone."""
        each = (("user", self.user), ("project", self.project), ("team", self.team), ("agent", self.agent))
        return {key: name for key, name in each if name is not None}


EVERYONE = Scope()
"""The scope that names nobody."""
