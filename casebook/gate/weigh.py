"""The write gate: what of what was said is worth keeping, as what, and in which tier (DESIGN section 7)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Literal

from casebook.gate.candidate import Candidate, Weighed
from casebook.gate.choices import alternatives_of, reason_of
from casebook.gate.correcting import CORRECTION, is_bare_choice, with_denials, without_denial
from casebook.gate.cue_set import CueSet
from casebook.gate.drops import asked_prefix
from casebook.gate.extract import Extract, extract_sentences
from casebook.gate.kind_cues import PERSONAL, PINNED, PROJECT, TECHNICAL
from casebook.gate.kinds import kind_of, kind_scores
from casebook.gate.labels import unlabelled
from casebook.gate.letting_go import asks_to_go
from casebook.gate.lifetimes import Limit, limit_of_view
from casebook.gate.own_words import own_words, view_of
from casebook.gate.polarity import polarity_of_view
from casebook.gate.rules import DROPS, Piece, Rule
from casebook.gate.sentences import PIECES
from casebook.gate.tiering import settle
from casebook.gate.wishes import is_wish_about_answers
from casebook.instants import instant
from casebook.kinds import Kind
from casebook.memory import TEXT_CHARS, Step, Tier
from casebook.policy import Policy

Judge = Callable[[Weighed], Tier | None]
"""Asked where points alone decided and came within the grey zone of a threshold; None leaves it. The seam for a model."""

Home = Literal["user", "project"]

_PINNED = CueSet(PINNED)
_PERSONAL, _PROJECT, _TECHNICAL = CueSet(PERSONAL), CueSet(PROJECT), CueSet(TECHNICAL)
_LOWERED = CueSet(
    (
        r"\b(?:only|just) (?:remember|keep|need)(?: this| that| it)? (?:for (?:now|today|this session|a while|the moment)|short(?:-| )term)\b|\bno need to (?:keep|remember) (?:this|that|it) (?:for long|long|forever)\b|\bshort[- ]term (?:memory|only)\b",
        r"\b(?:for|in|during) (?:this|the current) (?:session|conversation|chat|thread)(?: only)?\b|\bthis session only\b",
        "(?:这|本)(?:次|个)?(?:会话|对话|轮)(?:里|中|内)?(?:只|先|都|请|暂时)?|(?:只|先|暂时)(?:需要)?记(?:一下|住|着)?(?:就行|即可|今天|这次|一会)|不用长期(?:记|保存|保留)|短期记(?:忆|一下|住)",
    )
)
_HERE = CueSet(
    (
        r"\b(?:in|for|within|on) (?:this|our) (?:[a-z0-9-]+ )?(?:project|repo|repository|codebase|workspace|monorepo|folder)\b",
        "(?:这个|本|该)(?:项目|仓库|代码库|工程)",
    )
)
_BACKWARD = CueSet((r"\b(?:this|that|it|the above|these|those)\b", "这|那|上面|刚才|以上|它"))
LIMITED = 4
"""What a limit of time adds to the score of `temporary` (ours)."""

_NOTHING = "nothing that is the speaker's own words is left"


def weigh(
    candidate: Candidate, policy: Policy, now: datetime, *, extract: Extract | None = None, judge: Judge | None = None
) -> tuple[Weighed, ...]:
    """Weigh what was said.

    Args:
        candidate: what is offered; what it says of itself (kind, pinned, expires_at …) beats what its words tell.
        policy: the zone of days, how long L1 keeps, the width of the grey zone.
        now: when it was said, aware.
        extract: cuts its own words into pieces of one memory each; default: sentences and clauses.
        judge: asked about what is grey; default: nobody.

    Returns:
        One for each piece, in order, also for those that are dropped: they have no tier, and `dropped` is the rule's number. A
        piece that asks that another be remembered or forgotten is one of them (R4), and what it asks has been done.
    """
    own = own_words(candidate.text)
    if not own:
        return (_dropped(candidate, candidate.text[:TEXT_CHARS], "D8", _NOTHING),)
    said = candidate.model_copy(update={"text": own})
    pieces = [text for text in (" ".join(each.split()) for each in (extract or extract_sentences)(said)) if text]
    pieces = with_denials(pieces) or [" ".join(own.split())[:TEXT_CHARS]]
    over = len(pieces) > PIECES
    weighed: list[Weighed] = []
    is_asked = is_pinned = False
    for text in pieces[:PIECES]:
        each = _weigh_piece(said, text, policy, now, judge, is_asked=is_asked, is_pinned=is_pinned)
        is_asked = is_pinned = False
        if each.dropped == "R4" and each.asked:
            goes_back = _BACKWARD.holds(view_of(text)) and weighed and not weighed[-1].dropped
            if goes_back:
                before = weighed.pop()
                weighed.append(
                    _weigh_piece(said, before.text, policy, now, judge, is_asked=True, is_pinned=each.pinned)
                )
            else:
                is_asked, is_pinned = True, each.pinned
        weighed.append(each)
    if over:
        weighed[-1] = _warned(weighed[-1], f"more than {PIECES} pieces: what comes after them was not looked at")
    return tuple(weighed)


def _weigh_piece(
    candidate: Candidate,
    text: str,
    policy: Policy,
    now: datetime,
    judge: Judge | None,
    *,
    is_asked: bool,
    is_pinned: bool,
) -> Weighed:
    """Weigh one piece; `is_asked`, `is_pinned`: a piece beside it asks so."""
    whole = view_of(text)
    begins = _begins(text, whole)
    asked = is_asked or begins > 0
    kept = _capitalised(_ASKING_END.sub("", text[begins:].strip(" :：,，-"))) if begins else text
    corrects = candidate.corrects is not None or CORRECTION.holds(whole)
    if corrects:
        kept = _capitalised(without_denial(kept))
    is_over = len(kept) > TEXT_CHARS
    kept = kept[:TEXT_CHARS].strip()
    view = view_of(kept) if begins or corrects else whole
    words_count = candidate.kind is None or candidate.pinned is None
    pinned = candidate.pinned if candidate.pinned is not None else is_pinned or (words_count and _PINNED.holds(whole))
    archived = candidate.archived if candidate.archived is not None else asks_to_go(whole)
    asked = asked or pinned
    if archived:
        return _dropped(candidate, text[:TEXT_CHARS], "R4", "asked to go → out", polarity=-1)
    if _only_asks(kept, view, asked=asked):
        return _dropped(
            candidate, text[:TEXT_CHARS], "R4", "asks that what stands beside it be kept", asked=True, pinned=pinned
        )
    drop, overruled = _drop(candidate, view, asked=asked, corrects=corrects)
    if drop is not None:
        return _dropped(candidate, kept or text[:TEXT_CHARS], drop.number, drop.says)
    limit = _limit(candidate, view, policy, now)
    scores = kind_scores(view)
    if limit.at is not None:
        scores["temporary"] = scores.get("temporary", 0) + LIMITED
    elif limit.begins is not None:  # what only begins is not over soon
        scores.pop("temporary", None)
    kind = candidate.kind or kind_of(scores)
    home = _home(candidate, kind, view)
    piece = Piece(
        view=view, kind=kind, scores=scores, by=candidate.by, confirmed=candidate.confirmed, pinned=pinned,
        lowered=candidate.archived is None and _LOWERED.holds(whole), cost=candidate.cost, limit=limit, now=now,
        short=policy.short_length, is_users=home == "user",
        corrects=corrects,
    )  # fmt: skip
    settled = settle(piece, policy.tiers.grey)
    is_choice = kind == "decision"
    weighed = Weighed(
        text=kept, kind=kind, tier=settled.tier, home=home, score=settled.score, scores={str(name): value for name, value in scores.items()},
        chain=(*overruled, *settled.chain), polarity=polarity_of_view(view), ttl=candidate.ttl,
        expires_at=None if limit.at is None else limit.at.isoformat(timespec="milliseconds"), pinned=pinned, asked=asked,
        is_own=is_wish_about_answers(unlabelled(view)), is_grey=settled.is_grey,
        needs_review="unconfirmed" if candidate.corrects is not None and candidate.by != "user" else "",
        reason=candidate.reason or (reason_of(kept) if is_choice else ""),
        alternatives=candidate.alternatives or (alternatives_of(kept) if is_choice else ()),
        warnings=(*limit.warnings, *_mixed(scores, limit), *([f"longer than {TEXT_CHARS} characters: the rest was left"] if is_over else [])),
    )  # fmt: skip
    return _judged(weighed, judge) if weighed.is_grey and judge is not None else weighed


def _drop(candidate: Candidate, view: str, *, asked: bool, corrects: bool) -> tuple[Rule | None, tuple[Step, ...]]:
    """Give the rule that drops a piece, or None, and steps for those that were overruled."""
    overruled: list[Step] = []
    for rule in DROPS:
        if not rule.decide(view) or (candidate.kind is not None and rule.number != "D8"):
            continue
        if rule.number == "D5" and candidate.confirmed:
            by = "it is confirmed"
        elif asked and rule.number not in ("D1", "D8"):
            by = "by R4: it was asked that it be remembered"
        elif (
            candidate.by == "user"
            and corrects
            and (rule.number == "D5" or (rule.number in ("D7", "D9") and is_bare_choice(view)))
        ):
            by = "by P3: the user corrects"
        else:
            return rule, tuple(overruled)
        overruled.append(Step(rule=rule.number, why=f"{rule.says}; overruled{':' if by[:2] == 'it' else ''} {by}"))
    return None, tuple(overruled)


_POLITE = ("can ", "could ", "would ", "will ", "please ", "能", "可以", "你能", "你可以", "请", "麻烦", "帮")
_ASKING_END = re.compile(r"(?:[,，]?(?:好吗|可以吗|行吗)|吗|嘛)?\s?[?？]+$")


def _begins(text: str, whole: str) -> int:
    """Give how many characters of a text ask that the rest be remembered; 0 where folding has moved them."""
    if whole.endswith("?") and not whole.startswith(_POLITE):
        return 0
    length = asked_prefix(whole)
    if (
        not length
        or whole[length:].startswith("to ")
        or " ".join(view_of(text[:length]).split()) != whole[:length].strip()
    ):
        return 0
    return length


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:] if text.isascii() and text.split(" ", 1)[0].isalpha() else text


def _only_asks(kept: str, view: str, *, asked: bool) -> bool:
    """Say whether nothing is left beside the asking itself ("remember this for good")."""
    if not asked:
        return False
    if not any(sign.isalnum() for sign in kept):
        return True
    left = view
    for cues in (_PINNED,):
        for _, start, end in cues.places(left):
            left = f"{left[:start]} {left[end:]}"
            break
    words = [word for word in left.replace(",", " ").split() if word.strip(".!:;。") not in _FILL]
    return not any(sign.isalnum() for word in words for sign in word)


_FILL = frozenset(
    [
        "please",
        "pls",
        "this",
        "that",
        "it",
        "for",
        "good",
        "forever",
        "permanently",
        "the",
        "to",
        "me",
        "and",
        "so",
        "ok",
        "请",
        "把",
        "这",
        "这个",
        "这条",
        "这点",
        "吧",
        "下来",
        "一下",
        "了",
        "它",
        "你",
        "要",
        "这件事",
    ]
)


def _limit(candidate: Candidate, view: str, policy: Policy, now: datetime) -> Limit:
    """Give until when it holds: as the candidate says, else as its words do."""
    if candidate.expires_at is None:
        return limit_of_view(view, now, policy.timezone)
    try:
        at = instant(candidate.expires_at, policy.timezone)
    except ValueError as error:
        return Limit(None, (f"expires_at: {error}",))
    if at <= now.astimezone(UTC):
        return Limit(None, ("expires_at is past; it sets no limit",))
    return Limit(at)


def _home(candidate: Candidate, kind: Kind, view: str) -> Home:
    """Answer whether it still holds in another project: the user's if so, else the project's."""
    scope = candidate.scope
    if scope is not None:
        return "project" if scope.project is not None or scope.user is None else "user"
    if is_wish_about_answers(unlabelled(view)):
        return "project" if _HERE.holds(view) else "user"
    is_personal = _PERSONAL.holds(view)
    of_project = _PROJECT.holds(view) or (_TECHNICAL.holds(view) and not is_personal)
    if kind in ("feedback", "identity"):
        return "user"
    if kind in ("preference", "usage", "principle", "lesson", "temporary"):
        return "project" if of_project else "user"
    if kind == "project_state":
        return "project"
    return "user" if is_personal and not of_project else "project"


def _mixed(scores: dict[Kind, float], limit: Limit) -> tuple[str, ...]:
    """Warn where one piece seems to hold things that live for different times."""
    lasting = any(scores.get(kind, 0) >= 5 for kind in ("identity", "principle"))
    passing = scores.get("usage", 0) >= 5 or (limit.at is not None and scores.get("temporary", 0) >= 5)
    if lasting and passing:
        return ("lifetimes mix: part of it lasts, part of it does not; say them apart",)
    return ()


def _judged(weighed: Weighed, judge: Judge) -> Weighed:
    """Put a grey piece to the judge; what it rules is logged, and stands."""
    ruling = judge(weighed)
    if ruling is None:
        step = Step(rule="judge", why=f"asked about a score of {weighed.score}: no ruling")
        return replace(weighed, chain=(*weighed.chain, step))
    step = Step(rule="judge", why=f"a score of {weighed.score}, {weighed.tier} by points: ruled {ruling}")
    return replace(weighed, tier=ruling, chain=(*weighed.chain, step))


def _warned(weighed: Weighed, warning: str) -> Weighed:
    return replace(weighed, warnings=(*weighed.warnings, warning))


def _dropped(
    candidate: Candidate,
    text: str,
    rule: str,
    why: str,
    *,
    asked: bool = False,
    pinned: bool = False,
    polarity: int = 1,
) -> Weighed:
    """Give a piece that is not kept, and the rule that says so."""
    return Weighed(
        text=text, kind=candidate.kind or "fact", tier=None, dropped=rule, chain=(Step(rule=rule, why=why),), asked=asked,
        pinned=pinned, polarity=polarity,
    )  # fmt: skip
