"""A text as it is compared with others: what it is about, its numbers and days, and what it chooses in which frame."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from casebook.gate.amounts import in_digits, in_one_unit
from casebook.gate.capitals import names_in
from casebook.gate.opposites import without_stand
from casebook.gate.own_words import view_of
from casebook.gate.polarity import POLAR, polarity_of_view
from casebook.gate.spoken_dates import days_in, hours_in, without_times

PART = re.compile(
    r"(?P<number>\d+(?:[.:,/-]\d+)*%?)|(?P<word>[a-z][a-z0-9'_+#]*(?:[.+#/-][a-z0-9+#]+)*[+#]*)|(?P<han>[㐀-鿿]+)|(?P<other>[^\W\d_]+)"
)
FUNCTION_WORDS = frozenset(
    """
    a an the of to in on at for by with from and or but is are was were be been am i i'm i've i'd me my mine we we're
    our us you your it it's its this that these those as so do does did has have had will would can could should may
    just also very really please now any anymore actually instead there here then than into about up out if when user s t
    """.split()  # noqa: SIM905 - a list of words is read as words
)
_LETTERS = frozenset("ait")
_NAMES_ONE = re.compile(r"\s*(?:$|[^a-z\s']|(?:is|was|and|or|has|in|on|at)\b)")
"""What follows a letter that is a name ("server A") and no article."""
FRAME_WORDS = frozenset(
    """
    like likes love loves prefer prefers enjoy enjoys want wants use uses using always never must hate hates dislike
    dislikes avoid not no don't doesn't isn't aren't cannot can't won't shouldn't decided chose choose picked
    """.split()  # noqa: SIM905 - a list of words is read as words
)
PARTICLES = re.compile("[的了吧呢啊呀哦嘛哈啦也就都很太更最是我你他她它们个在]|请")
_CHINESE_FRAMES = re.compile(
    "不?(?:喜欢|讨厌|偏好|偏爱|习惯|倾向于?|爱用|受不了|使用)|必须|应该|总是|一直|以后|今后|往后|一律|不要|不用|不能|禁止|严禁|不再|决定|选了|采用|改用|改成了?|改为|换成了?|换为|现在|目前|已经|其实|一些|一点"
)
_TO_THE_END = re.compile("(?<=[跑做写测改验审看读查])(?:完成?|好|过|一遍|一下)(?=[^成善整了。,])")
"""What says of an act that it is done to its end, and is no part of what it is about: 跑完回归测试."""
_ANY_MORE = re.compile(r"\bany ?more\b")
_WEEKDAYS = re.compile(r"\b(?:every )?((?:mon|tues|wednes|thurs|fri|satur|sun)day)s\b")
_WORDY_NUMBERS = frozenset(
    """
    one two three four five six seven eight nine ten eleven twelve first second third
    """.split()  # noqa: SIM905 - a list of words is read as words
)


_FOR = re.compile(
    r"\b(?:use|uses|using|always use|prefers?|run|runs) (?P<x>[\w.+#@/-]+(?: [\w.+#@/-]+){0,2}?) (?P<frame>(?:for|as|when|in) [^,.;!?]{2,60})"
)
_CHINESE_FOR = re.compile(
    r"^(?P<frame>[^,。;!?]{2,20}?)(?:都|一律|统一|全|全部|必须|要|请|默认)+(?:用|使用|采用|写|说)(?P<x>[^,。;!?因]{1,20})|用(?P<x2>[^,。;!?做写来当]{1,20})(?:做|写|来|当|作为)(?P<frame2>[^,。;!?]{1,20})"
)


@dataclass(frozen=True, slots=True)
class Words:
    """A text as it is compared.

    Attributes:
        view: folded, counts in digits and amounts in one unit.
        tokens: what it is about: words without inflection and Chinese bigrams, no frames ("I like"), no function words.
        facts: what must not get lost: all tokens, numbers among them.
        numbers: in order of appearance.
        subject: tokens without polarity, sides, numbers, days and hours; of a choice its name.
        polarity: +1 or -1.
        frame, chosen: of "use X for Z" Z and X, else empty.
    """

    view: str
    tokens: frozenset[str]
    numbers: tuple[str, ...]
    times: tuple[str, ...]
    subject: frozenset[str]
    polarity: int
    frame: str = ""
    chosen: str = ""

    @property
    def keys(self) -> frozenset[str]:
        """Give what it is found by: its tokens, and the frames in which it chooses."""
        more = [f"\0{self.frame}"] if self.frame else []
        return (self.tokens | self.subject).union(more) or frozenset((self.view,))


def tokens_of(text: str) -> tuple[str, ...]:
    """Give what a text is about, each token once, in order: English words folded and in the singular, Chinese bigrams, numbers.

    Function words and the frame of a statement ("I prefer", 我喜欢) are left out; they say what kind it is.
    """
    return tuple(dict.fromkeys(tokens_in(view_of(text))))


def tokens_in(view: str) -> list[str]:
    """Give `tokens_of` a text that was folded already, with repetitions."""
    given: list[str] = []
    view = _ANY_MORE.sub(" ", view) if "more" in view else view
    plain = view if view.isascii() else PARTICLES.sub(" ", _CHINESE_FRAMES.sub(" ", view))
    for found in PART.finditer(plain):
        word = found[0]
        if found["han"]:
            given += [word[at : at + 2] for at in range(len(word) - 1)] or [word]
        elif found["word"]:
            word = word.removesuffix("'s").strip("'")
            if word in _LETTERS and _NAMES_ONE.match(plain, found.end()):
                given.append(word)
            elif word not in FUNCTION_WORDS and word not in FRAME_WORDS:
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
    view = in_one_unit(in_digits(view_of(_with_names(text))))
    view = _WEEKDAYS.sub(r"every \g<1>", view) if "days" in view else view
    times = tuple(found[0] for found in days_in(view)) + tuple(found[0] for found in hours_in(view))
    timeless = without_times(view)
    numbers = tuple(found[0] for found in PART.finditer(timeless) if found["number"])
    numbers += tuple(word for word in re.findall(r"[a-z]+", timeless) if word in _WORDY_NUMBERS)
    subject = frozenset(
        token
        for token in tokens_in(POLAR.sub(" ", without_stand(_TO_THE_END.sub("", timeless))))
        if not token[0].isdigit() and token not in _WORDY_NUMBERS
    )
    frame, chosen = _frame(view)
    return Words(view, frozenset(tokens_in(view)), numbers, times, subject, polarity_of_view(view), frame, chosen)


def _with_names(text: str) -> str:
    """Give a text in which what is a name, and would say nothing otherwise, is a word of its own: team A_."""
    names = names_in(text, FUNCTION_WORDS)
    return re.sub(rf"\b(?:{'|'.join(sorted(names))})\b", r"\g<0>_", text) if names else text


def overlap_of(first: frozenset[str], second: frozenset[str]) -> float:
    """Give how much of what two texts are about is common to both, 0–1 (Jaccard); two that are about nothing share nothing."""
    common = len(first & second)
    return common / (len(first) + len(second) - common) if common else 0.0


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
