"""How values are told in a prompt or a traceback: short, their names and what tells them apart, never their whole content."""

from __future__ import annotations

_CHARS = 60
"""Characters of a text that are shown (ours)."""


def told(of: object, **shown: object) -> str:
    """Give a repr such as `Kept(did='created', id='m-1', text='I prefer tabs …')`.

    Args:
        of: what is told.
        shown: what is said of it, by name; what is empty is left out, long texts are cut, of many items their number is told.
    """
    parts = ", ".join(
        f"{name}={_short(value)}" for name, value in shown.items() if value or value is False or value == 0
    )
    return f"{type(of).__name__}({parts})"


def _short(value: object) -> str:
    if isinstance(value, str):
        return repr(value if len(value) <= _CHARS else f"{value[: _CHARS - 1]}…")
    if isinstance(value, tuple | list | dict) and len(value) > _SEVERAL:
        return f"<{len(value):,} of them>"
    return repr(value)


_SEVERAL = 5
"""Items that are shown one by one (ours)."""
