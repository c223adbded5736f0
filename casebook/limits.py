"""The fixed limits of DESIGN section 10: what is over one is refused by its name, and the rest serves."""

from __future__ import annotations

from typing import Final

FILE_BYTES: Final = 16 * 1024 * 1024
"""A file of cases, in bytes."""
CASE_BYTES: Final = 64 * 1024
"""One case's JSON text, in bytes of UTF-8."""
TASK_BYTES: Final = 1024 * 1024
"""One task, serialised to JSON, in bytes of UTF-8."""
CORRECTION_CHARS: Final = 1000
"""A correction, in characters."""
ID_CHARS: Final = 128
"""A case's id, in characters."""
PRIORITY_MAX: Final = 10
"""The highest priority; the lowest is 0."""
NESTING: Final = 100
"""How deep the values of a task may be nested (ours: the design names none; a ring of references ends here too)."""
POLICY_BYTES: Final = 1024 * 1024
"""A `memory-policy.yaml`, in bytes (ours: the design names none)."""
YAML_NODES: Final = 20_000
"""Values in a policy once its aliases are followed (ours: against files that unfold without end)."""
