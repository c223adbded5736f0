"""OpenClaw's settings: where they are, and what of them says where its agent works. It reads JSON5."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from casebook.adapters.wiring.change import ChangeError, read
from casebook.adapters.wiring.dialects import read_as
from casebook.adapters.wiring.hook_settings import text_of
from casebook.adapters.wiring.json_splice import NotPlainError
from casebook.adapters.wiring.protocol import Place


def settings(place: Place) -> Path:
    """Give the file of its settings."""
    chosen = Path(place.environment.get("OPENCLAW_CONFIG_PATH", ""))
    if chosen.is_absolute():
        return chosen
    state = Path(place.environment.get("OPENCLAW_STATE_DIR", ""))
    return (state if state.is_absolute() else place.home / ".openclaw") / "openclaw.json"


def read_settings(data: bytes | None) -> dict[str, Any]:
    """Read settings as OpenClaw does; none where there is no file. Raises NotPlainError where it cannot read them either."""
    return {} if data is None else read_as("json5", text_of(data)[1])


def workspace(place: Place) -> Path:
    """Give the folder in which OpenClaw's agent works, as its settings have it; its default where they say nothing, or cannot be read."""
    value: Any = None
    with suppress(ChangeError, NotPlainError):
        value = read_settings(read(settings(place)))
    for name in ("agents", "defaults", "workspace"):
        value = value.get(name) if isinstance(value, dict) else None
    if not isinstance(value, str) or not value:
        return settings(place).parent / "workspace"
    return place.home / value[2:] if value.startswith("~/") else Path(value)
