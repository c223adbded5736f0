"""Whether a piece is known already: update, merge, propose or create; and what says the opposite (DESIGN section 7)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from casebook.gate.candidate import Likeness, Same
from casebook.gate.own_words import view_of
from casebook.gate.polarity import POLAR, polarity_of, polarity_of_view
from casebook.gate.spoken_dates import days_in, hours_in, without_times
from casebook.kinds import Kind
from casebook.memory import Memory

__all__ = ["Words", "likeness", "opposes", "overlap_of", "polarity_of", "tokens_of", "words_of"]

UPDATE, PROPOSE, NEAR = 0.6, 0.3, 0.92
"""Above so much overlap it is an update, or a merge is proposed; from so much likeness on the two are merged (DESIGN section 7)."""

SUBJECT = 0.6
"""From so much overlap of what is left without polarity, numbers and times on, two statements are about the same thing (ours)."""

_LONG = 400
"""Characters up to which texts are compared sign by sign; longer ones word by word."""

_PART = re.compile(
    r"(?P<number>\d+(?:[.:,/-]\d+)*%?)|(?P<word>[a-z][a-z0-9'_+#]*(?:[.+#/-][a-z0-9+#]+)*[+#]*)|(?P<han>[㐀-鿿]+)|(?P<other>[^\W\d_]+)"
)
_STOP = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "to",
        "in",
        "on",
        "at",
        "for",
        "by",
        "with",
        "from",
        "and",
        "or",
        "but",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "am",
        "i",
        "i'm",
        "i've",
        "i'd",
        "me",
        "my",
        "mine",
        "we",
        "we're",
        "our",
        "us",
        "you",
        "your",
        "it",
        "it's",
        "its",
        "this",
        "that",
        "these",
        "those",
        "as",
        "so",
        "do",
        "does",
        "did",
        "has",
        "have",
        "had",
        "will",
        "would",
        "can",
        "could",
        "should",
        "may",
        "just",
        "also",
        "very",
        "really",
        "please",
        "there",
        "here",
        "then",
        "than",
        "into",
        "about",
        "up",
        "out",
        "if",
        "when",
        "user",
        "s",
        "t",
    ]
)
_LETTERS = frozenset("ait")
_NAMES_ONE = re.compile(r"\s*(?:$|[^a-z\s']|(?:is|was|and|or|has|in|on|at)\b)")
"""What follows a letter that is a name ("server A") and no article."""
_FRAMES = frozenset(
    [
        "like",
        "likes",
        "love",
        "loves",
        "prefer",
        "prefers",
        "enjoy",
        "enjoys",
        "want",
        "wants",
        "use",
        "uses",
        "using",
        "always",
        "never",
        "must",
        "like",
        "hate",
        "hates",
        "dislike",
        "dislikes",
        "avoid",
        "not",
        "no",
        "don't",
        "doesn't",
        "isn't",
        "aren't",
        "cannot",
        "can't",
        "won't",
        "shouldn't",
        "decided",
        "chose",
        "choose",
        "picked",
    ]
)
_PARTICLES = re.compile("[的了吧呢啊呀哦嘛哈啦也就都很太更最是我你他她它们个在]|请")
_CHINESE_FRAMES = re.compile(
    "不?(?:喜欢|讨厌|偏好|偏爱|习惯|倾向于?|爱用|受不了|使用)|必须|应该|总是|一直|以后|今后|往后|一律|不要|不用|不能|禁止|严禁|不再|决定|选了|采用|改用"
)
_WORDY_NUMBERS = frozenset(
    [
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "first",
        "second",
        "third",
    ]
)


@dataclass(frozen=True, slots=True)
class Words:
    """A text as it is compared.

    Attributes:
        view: folded.
        tokens: what it is about: words without inflection and Chinese bigrams, no frames ("I like"), no function words.
        facts: what must not get lost: all tokens, numbers among them.
        numbers: in order of appearance.
        subject: tokens without polarity, numbers, days and hours.
        polarity: +1 or -1.
        frame, chosen: of "use X for Z" Z and X, else empty.
        over: of "X over Y" both, or None.
    """

    view: str
    tokens: frozenset[str]
    numbers: tuple[str, ...]
    times: tuple[str, ...]
    subject: frozenset[str]
    polarity: int
    frame: str = ""
    chosen: str = ""
    over: tuple[str, str] | None = None

    @property
    def keys(self) -> frozenset[str]:
        """Give what it is found by: its tokens, and the frames in which it chooses."""
        more = [f"\0{self.frame}"] if self.frame else []
        if self.over:
            more.append("\0over " + " ".join(sorted(self.over)))
        return (self.tokens | self.subject).union(more) or frozenset((self.view,))


def tokens_of(text: str) -> tuple[str, ...]:
    """Give what a text is about, each token once, in order: English words folded and in the singular, Chinese bigrams, numbers.

    Function words and the frame of a statement ("I prefer", 我喜欢) are left out; they say what kind it is.
    """
    return tuple(dict.fromkeys(_tokens(view_of(text))))


def _tokens(view: str) -> list[str]:
    given: list[str] = []
    plain = view if view.isascii() else _PARTICLES.sub(" ", _CHINESE_FRAMES.sub(" ", view))
    for found in _PART.finditer(plain):
        word = found[0]
        if found["han"]:
            given += [word[at : at + 2] for at in range(len(word) - 1)] or [word]
        elif found["word"]:
            word = word.removesuffix("'s").strip("'")
            if word in _LETTERS and _NAMES_ONE.match(plain, found.end()):
                given.append(word)
            elif word not in _STOP and word not in _FRAMES:
                given.append(_singular(word))
        else:
            given.append(word)
    return given


def _singular(word: str) -> str:
    """Take a plural's ending off."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "os")):
        return word[:-1]
    return word


@lru_cache(maxsize=8192)
def words_of(text: str) -> Words:
    """Give a text as it is compared."""
    view = view_of(text)
    times = tuple(found[0] for found in days_in(view)) + tuple(found[0] for found in hours_in(view))
    timeless = without_times(view)
    numbers = tuple(found[0] for found in _PART.finditer(timeless) if found["number"])
    numbers += tuple(word for word in re.findall(r"[a-z]+", timeless) if word in _WORDY_NUMBERS)
    subject = frozenset(
        token for token in _tokens(POLAR.sub(" ", timeless)) if not token[0].isdigit() and token not in _WORDY_NUMBERS
    )
    frame, chosen = _frame(view)
    found = _OVER.search(view) if view.isascii() else None
    over = (found["a"], found["b"]) if found is not None else None
    return Words(view, frozenset(_tokens(view)), numbers, times, subject, polarity_of_view(view), frame, chosen, over)


def overlap_of(first: frozenset[str], second: frozenset[str]) -> float:
    """Give how much of what two texts are about is common to both, 0–1 (Jaccard); two that are about nothing share nothing."""
    common = len(first & second)
    return common / (len(first) + len(second) - common) if common else 0.0


def ratio_of(first: Words, second: Words, least: float = 0.0) -> float:
    """Give how alike two texts are, sign by sign, 0–1; below `least` some number below it."""
    a, b = first.view, second.view
    if a == b:
        return 1.0
    if max(len(a), len(b)) <= _LONG:
        matcher = SequenceMatcher(None, a, b, autojunk=False)
    else:
        matcher = SequenceMatcher(None, a.split(), b.split(), autojunk=False)
    for quick in (matcher.real_quick_ratio, matcher.quick_ratio):
        bound = quick()
        if bound < least:
            return bound
    return matcher.ratio()


def is_same(first: Words, second: Words) -> bool:
    """Say whether two texts say the same in (nearly) the same words: 0.92 alike, no number and no name differs."""
    if first.polarity != second.polarity or first.numbers != second.numbers or first.times != second.times:
        return False
    return _spell_alike(first.tokens, second.tokens) and ratio_of(first, second, NEAR) >= NEAR


def _spell_alike(first: frozenset[str], second: frozenset[str]) -> bool:
    """Say whether tokens differ in spelling at most ("colour", "color"), so that none of them is another fact."""
    ours, theirs = sorted(first - second), sorted(second - first)
    if len(ours) > 4 or len(theirs) > 4:
        return False
    return all(_has_twin(each, theirs) for each in ours) and all(_has_twin(each, ours) for each in theirs)


def _has_twin(token: str, others: list[str]) -> bool:
    return any(
        min(len(token), len(other)) >= 5
        and token[0] == other[0]
        and token.isalpha()
        and other.isalpha()
        and token.isascii()
        and SequenceMatcher(None, token, other, autojunk=False).ratio() >= 0.85
        for other in others
    )


def likeness(text: str, kind: Kind, polarity: int, existing: Iterable[Memory]) -> Likeness:
    """Compare a piece with what is known.

    Args:
        text: the piece.
        kind: its kind; only memories of that kind can be the same.
        polarity: +1 or -1; what says the opposite is never the same.
        existing: memories of the same scope.

    Returns:
        What is to be done: `merge` where one says the same in nearly the same words; `update` where the overlap is more than
        0.6 and no fact of the old one would get lost; `propose` where one would, or where the overlap is more than 0.3; else
        `create`. And the ids of those that say the opposite, whatever their kind.
    """
    piece = words_of(text)
    best: tuple[int, float, float, str, Same] | None = None
    against: list[str] = []
    for memory in existing:
        other = words_of(memory.text)
        if not (piece.tokens & other.tokens or piece.subject & other.subject) and piece.view != other.view:
            continue
        if opposing(piece, other, first_polarity=polarity) is not None:
            against.append(memory.id)
        if memory.kind != kind or other.polarity != polarity:
            continue
        found = _compared(piece, other)
        if found is None:
            continue
        do, overlap, ratio = found
        rank = ("propose", "update", "merge").index(do)
        if best is None or (rank, overlap, ratio, memory.id) > best[:4]:
            best = (rank, overlap, ratio, memory.id, do)
    opposes_ = tuple(sorted(against))
    if best is None:
        why = "nothing of its kind is about the same" if not against else "what is about the same says the opposite"
        return Likeness("create", opposes=opposes_, why=why)
    _, overlap, ratio, other_id, do = best
    return Likeness(do, other_id, round(overlap, 3), round(ratio, 3), opposes_, _WHY[do])


_WHY: dict[Same, str] = {
    "merge": "it says the same in nearly the same words",
    "update": "it is about the same, and holds all that is known of it",
    "propose": "it is about something like it; a person is asked whether they are one",
    "create": "it is new",
}


def _compared(piece: Words, other: Words) -> tuple[Same, float, float] | None:
    """Give what a piece is to a memory of the same kind and polarity, None where it is nothing to it."""
    overlap = overlap_of(piece.tokens, other.tokens)
    if piece.view == other.view:
        return "merge", 1.0, 1.0
    if overlap <= PROPOSE:
        return None
    if is_same(piece, other):
        return "merge", overlap, ratio_of(piece, other)
    ratio = ratio_of(piece, other, UPDATE)
    if overlap > UPDATE and not lost(other, piece):
        return "update", overlap, ratio
    return "propose", overlap, ratio


def lost(old: Words, new: Words) -> frozenset[str]:
    """Give the tokens and numbers of an old text that a new one lacks: what an update would drop silently."""
    kept = new.tokens | set(new.numbers) | set(new.times)
    return (old.tokens | set(old.numbers) | set(old.times)) - kept


def opposes(first: str, second: str) -> str | None:
    """Say whether two texts contradict each other, without a model.

    Returns:
        What differs on the same subject: "polarity", "number", "time" or "choice"; None where they do not contradict each other
        as far as words tell. Precise rather than broad.
    """
    return opposing(words_of(first), words_of(second))


_VERB = re.compile(
    r"\b(?:is|are|was|were|be|runs?|listens?|uses?|takes?|costs?|needs?|has|have|at|max|maximum|limit|least|most|than|to|on|every|after|within|expires?|starts?|port|version)\b|[:=]|是|为|用|在|有|需要?|到|最多|至少|不超过|上限|下限|端口|版本|每|共|约|设(?:为|成)"
)
_NAMED = re.compile(
    r"(?:#|\b(?:pr|issue|ticket|sprint|milestone|phase|step|chapter|section|task|bug|case|room|node|shard|server|host|question|option|rule|v|no\.?|number) ?#?|第)$"
)


def opposing(first: Words, second: Words, *, first_polarity: int | None = None) -> str | None:
    """Give `opposes` of texts that were read already."""
    polarity = first.polarity if first_polarity is None else first_polarity
    if polarity == second.polarity and _choose_apart(first, second):
        return "choice"
    if not first.subject or not second.subject:
        return None
    about = overlap_of(first.subject, second.subject)
    if about < SUBJECT:
        return None
    if polarity != second.polarity:
        return "polarity" if first.numbers == second.numbers and _same_times(first, second) else None
    if about < 0.75:
        return None
    if first.numbers != second.numbers:
        if (
            len(first.numbers) == len(second.numbers)
            and _values(first) != _values(second)
            and _names(first) == _names(second)
        ):
            return "number"
        return None
    if first.times != second.times and len(first.times) == len(second.times) and first.times:
        return "time"
    return None


def _same_times(first: Words, second: Words) -> bool:
    return first.times == second.times or not first.times or not second.times


def _values(words: Words) -> tuple[str, ...]:
    """Give the numbers that are said of the subject; those before the verb, or after a # or a word like "sprint", name it."""
    return tuple(number for number, is_value in _numbers(words) if is_value)


def _names(words: Words) -> tuple[str, ...]:
    return tuple(number for number, is_value in _numbers(words) if not is_value)


def _numbers(words: Words) -> list[tuple[str, bool]]:
    view = without_times(words.view)
    verb = _VERB.search(view)
    if verb is not None:
        begins = verb.start()
    else:  # without a verb the last words are what is said of the rest
        last = list(_PART.finditer(view))[-3:]
        begins = last[0].start() - 1 if last else -1
    return [
        (found[0], found.start() > begins and _NAMED.search(view[max(0, found.start() - 12) : found.start()]) is None)
        for found in _PART.finditer(view)
        if found["number"]
    ]


_OVER = re.compile(
    r"\b(?:prefers?|preferred|use|uses|chose|choose|like|likes|want|wants|picked) (?P<a>[\w.+#-]+(?: [\w.+#-]+){0,2}?) (?:over|instead of|rather than|to) (?P<b>[\w.+#-]+(?: [\w.+#-]+){0,2}?)[.! ]*(?:\b(?:for|in|because|when)\b|$)"
)
_FOR = re.compile(
    r"\b(?:use|uses|using|always use|prefers?|run|runs) (?P<x>[\w.+#@/-]+(?: [\w.+#@/-]+){0,2}?) (?P<frame>(?:for|as|when|in) [^,.;!?]{2,60})"
)
_CHINESE_FOR = re.compile(
    r"^(?P<frame>[^,。;!?]{2,20}?)(?:都|一律|统一|全|全部|必须|要|请|默认)+(?:用|使用|采用|写|说)(?P<x>[^,。;!?因]{1,20})|用(?P<x2>[^,。;!?做写来当]{1,20})(?:做|写|来|当|作为)(?P<frame2>[^,。;!?]{1,20})"
)


def _choose_apart(first: Words, second: Words) -> bool:
    """Say whether two texts choose differently in the same frame: "use X for Z" and "use Y for Z", "X over Y" and "Y over X"."""
    if first.over and second.over:
        return first.over == second.over[::-1]
    is_framed = bool(first.frame) and first.frame == second.frame
    return is_framed and not set(first.chosen.split()) & set(second.chosen.split())


def _frame(view: str) -> tuple[str, str]:
    """Give the frame in which a folded text chooses something, and what; empty where it does not."""
    found = _FOR.search(view)
    if found is not None:
        return _stemmed(found["frame"]), found["x"]
    found = None if view.isascii() else _CHINESE_FOR.search(view)
    if found is None:
        return "", ""
    frame, chosen = (found["frame"], found["x"]) if found["x"] else (found["frame2"], found["x2"])
    frame = re.sub("^(?:以后|今后|往后|从现在起|所有的?|全部|我的?|我们的?)+", "", frame).strip()
    return (frame, chosen.strip(" .!。")) if frame and chosen else ("", "")


def _stemmed(text: str) -> str:
    return " ".join(_singular(word) for word in text.split() if word not in ("the", "all", "our", "my", "every"))
