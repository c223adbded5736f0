"""A host's dealings with a casebook: a task goes in and an injection comes out, an outcome goes in. Trouble never breaks the host."""

from __future__ import annotations

from dataclasses import replace

from casebook.adapters.protocol import Asked, Host, Injection
from casebook.adapters.refusal import Language, failed, refused, unread
from casebook.outcome import Outcome
from casebook.runtime.answer.activation import Activation
from casebook.runtime.reporting import warn_once
from casebook.task import Task

About = Activation | str | Task | None
"""What an outcome answers: an activation or its id, a task that was not asked about, or nothing that is known."""


class Exchange:
    """One host and one casebook. Safe from many threads and tasks at once.

    What a casebook raises is logged once a kind, and the host goes on without it: no text, verdict `allow`. Only where the
    policy says `on_failure: closed` (and its mode is `enforce`) a call is blocked then, at the tool point alone.

    Attributes:
        host: what is true of it.
        casebook: the casebook in service.
    """

    def __init__(self, casebook: Asked, host: Host) -> None:
        """Take the casebook in service, and the host."""
        self.casebook = casebook
        self.host = host
        self._closed = False

    def before(self, task: Task, cut: str = "") -> Injection:
        """Ask about a task, of any point; raises nothing.

        Args:
            task: as far as it could be taken.
            cut: what of it could not (`casebook.fitting`); a call of which no part may be unseen is then blocked.
        """
        try:
            answer = self.casebook.before_task(task, persists=self.host.keeps, related=self.host.related)
            return self._told(task, answer, cut)
        except Exception as error:  # noqa: BLE001 - a casebook in trouble breaks no host
            return self._failed(task, error)

    async def abefore(self, task: Task, cut: str = "") -> Injection:
        """As `before`, without holding up the event loop."""
        try:
            answer = await self.casebook.abefore_task(task, persists=self.host.keeps, related=self.host.related)
            return self._told(task, answer, cut)
        except Exception as error:  # noqa: BLE001 - as above
            return self._failed(task, error)

    def after(self, about: About, outcome: Outcome) -> object | None:
        """Report an outcome; gives the receipt, or None where it could not be taken. Raises nothing."""
        try:
            return self.casebook.after_task(about or None, outcome)
        except Exception as error:  # noqa: BLE001 - as above
            warn_once(self.casebook, f"after_task ({self.host.name})", error)
            return None

    async def aafter(self, about: About, outcome: Outcome, raised: BaseException | None = None) -> object | None:
        """As `after`, without holding up the event loop; after an interruption at once, for then nobody may be there to wait."""
        if raised is not None and not isinstance(raised, Exception):
            return self.after(about, outcome)
        try:
            return await self.casebook.aafter_task(about or None, outcome)
        except Exception as error:  # noqa: BLE001 - as above
            warn_once(self.casebook, f"after_task ({self.host.name})", error)
            return None
        except BaseException:  # cancelled, perhaps before a thread was free for it; the same report counts once
            self.after(about, outcome)
            raise

    def unasked(self, tool: str, error: Exception) -> str:
        """Give why a call is not made that could not be asked about: nothing passes then where the policy says so; else ""."""
        return failed(tool, error, self._language()) if self._is_closed() else ""

    def _told(self, task: Task, answer: Activation, cut: str) -> Injection:
        policy = self.casebook.policy()
        self._closed = policy.fails_closed
        reason = "" if answer.verdict == "allow" else refused(task, answer, policy.language)
        told = Injection(answer.prompt, answer.verdict, reason, tuple(case.id for case in answer.cases), answer.id, cut)
        if not cut or answer.verdict == "block" or task.point != "tool" or not self._closed:
            return told
        return replace(told, verdict="block", reason=unread(task.tool or "", cut, policy.language))

    def unreadable(self, tool: str, why: str) -> Injection:
        """Give what a host is told of a call of which nothing can be read; nothing passes then where the policy says so."""
        if not self._is_closed():
            return Injection(trouble=why)
        return Injection(verdict="block", reason=unread(tool, why, self._language()), trouble=why)

    def _failed(self, task: Task, error: Exception) -> Injection:
        """Let the host go on, or block its call where the policy says so."""
        is_closed = self._is_closed()
        warn_once(self.casebook, f"before_task ({self.host.name})", error)
        trouble = f"{type(error).__name__}: {error}"
        if not is_closed or task.point != "tool":
            return Injection(trouble=trouble)
        return Injection(verdict="block", reason=failed(task.tool or "", error, self._language()), trouble=trouble)

    def _is_closed(self) -> bool:
        """Say whether no call passes where the casebook fails; of a policy that cannot be read, what it said before."""
        try:
            policy = self.casebook.policy()
        except Exception:  # noqa: BLE001 - the same trouble
            return self._closed
        self._closed = policy.fails_closed
        return self._closed

    def _language(self) -> Language:
        try:
            return self.casebook.policy().language
        except Exception:  # noqa: BLE001 - as above
            return "en"
