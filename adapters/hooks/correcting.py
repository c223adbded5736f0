"""Whether a prompt corrects what the agent has just done: "no, use …", "不对", "以后不要…". By words, at the prompt's beginning.

A false yes teaches what nobody meant, and a false no costs a lesson that will be said again: what may be either is no correction.
"""

from __future__ import annotations

import re
import unicodedata

from casebook.gate.own_words import own_words

_MOST = 600
"""Characters: who types more begins something new (ours)."""

_DO = (
    r"(?:ask|build|call|change|check|commit|create|delete|deploy|do|drop|edit|execute|force|install|keep|leave|make|merge|modify|move|"
    r"push|put|read|remove|rename|run|send|stop|switch|take|touch|try|use|write)"
)
"""What an agent does, as a person tells it to."""
_DONT = rf"(?:do not|don'?t|never)(?: (?:ever|just|simply|directly|always))* {_DO}\b"
_DID = r"(?:used|ran|called|chose|picked|edited|changed|deleted|removed|pushed|committed|installed|put|wrote|did|took|are using|are running)"
_WELCOME = (
    r"(?:thank|thanks|worries|problem|rush|need|hurry|questions?|errors?|more|idea|changes|longer|all good|all fine|good|fine|great|perfect|"
    r"(?:that|this|it)(?:'s| is| looks| works| was)? (?:is )?(?:now|fine|good|great|ok|okay|works?|right|correct|enough|all)|"
    r"go (?:ahead|on)|continue|carry on|keep going|skip|never mind|not (?:needed|necessary|a problem)|that was (?:me|just|all|only)|just (?:checking|asking)|nothing|that will do|not (?:yet|now|really|that i know)|\d)"
)
"""What follows a "no" that corrects nothing: it answers a question, or thanks."""
_ENGLISH = re.compile(
    r"(?:(?:oh|hey|wait|h+m+|ok(?:ay)?|sorry|please|well|stop)[,.!: ]+)*(?:"
    rf"(?:no|nope|nah) ?[,.!:;—–-]*(?:$|\s+(?:(?:no|please|i mean|and)[, ]+)*(?!{_WELCOME}\b)(?:(?<=[,.!:;—–-] )|(?<=please )|(?<=no, )|(?={_DONT}|{_DO}\b|not\b|you\b))\S)|"
    r"not (?:like (?:that|this)|that (?:one|way|file|folder|branch)|this (?:one|way|file|folder|branch))\b|"
    r"(?:that|this)(?:'s| is| was)(?: just| still| all)? (?:(?:wrong|incorrect|a mistake)(?=[,.!:;]|$| again)|"
    r"not (?:right|correct|what|how|where|the (?:one|way|right))\b|the wrong\b)|"
    r"wrong(?:[,.!:]|$| (?:branch|file|folder|directory|command|tool|one|way|again|database|server|environment|test|place)\b)|"
    rf"{_DONT}(?!.*\?)|(?:(?:do not|don'?t) touch|stop (?:doing|using|running|calling|pushing|committing|installing|deleting))\b|"
    rf"actually,? (?:no\b|{_DONT}|you should\b|use \S+(?: \S+){{0,3}}$|it should (?:be|have)\b)|instead,? (?:please )?{_DO}\b|"
    r"use (?:the )?\S+(?: \S+){0,3} instead(?=[,.!;]|$)|use \S+(?: \S+){0,2},? not \S+|we (?:always )?(?:use|run) \S+(?: \S+){0,3}[,;]? (?:not|instead)\b|"
    rf"you should(?:n'?t(?: have)?|'?ve| have| not(?: have)?| rather| better)? (?:{_DO}|asked|used|run|pushed|committed|deleted|checked|done)\b|"
    rf"you {_DID}(?: it| that| this)?(?: in| on| with| from)? the wrong\b|"
    rf"i (?:said|told you|asked you)[,:]? (?:(?:not )?to |that you |{_DO}\b|{_DONT}|no\b|not\b|(?:\S+ ){{0,3}}not\b)|i (?:said|told you)[,:]? \S+,? not\b|"
    r"i (?:meant|asked for) (?:the|that|this|\S+(?: \S+)?$)(?!.*\?)|"
    rf"next time,? (?:please )?(?:{_DONT}|{_DO}\b)(?!.*\?)|from now on,? (?:please )?(?:always |only )?(?:{_DONT}|{_DO}\b)|"
    rf"why did(?:n't)? you [^?]*[?.!] *(?:{_DO}|{_DONT}|i (?:said|told))\b|"
    rf"(?:undo|revert) (?:that|this|it)(?: (?:push|change|commit|edit|please|now|again))?(?:[,.!]|$))"
)
_BEFORE = r"(?:用|使用|推|推送|提交|改|删|跑|运行|执行|动|碰|直接|再|擅自|随便|自己|先)"
_CHINESE = re.compile(
    r"(?:(?:哎呀?|喂|等等|等一下|嗯|请|快|抱歉|停)[，,。！!、 ]*)*(?:"
    r"不对(?!称|应|外|齐|等|劲)|不是(?:这样|这个|那个|让你|要你|叫你|说|[，,。！!])|不[，,。！ ]\s*(?!谢|没|继续|用了|需要|急|客气|好意思|要紧|必|知道|是)\S|不行(?:$|[，,。！!])|"
    r"(?:你(?:又)?|又)?(?:弄|搞|做|改|用|写|跑|选|放)?错了(?:$|[，,。！!]|吧)|你错|你(?:又)?(?:弄|搞|做|改|用|写|跑|选|放|删)错|"
    r"不要(?!紧|了|担心|忘|急|着急|客气|误会|怕|管|介意|在意|停|想|红|蓝|绿|黑|白|吗|钱|求)(?!.*[?？])|"
    rf"(?:不要|别|不能|不可以|不应该|不该|禁止|不准)(?:再|直接|随便|擅自)*(?:这样|这么|那样|{_BEFORE})(?!.*[?？])|"
    rf"(?:以后|下次)(?:请|都|要|就|一律|再也|记得)?(?:不要|别|不能|不许|先|都用|问|(?!再){_BEFORE})(?!.*[?？])|"
    r"以后都(?:要|用|先|别|不要)(?!.*[?？])|"
    rf"(?:你)?应该(?:先|直接)?(?:用|使用|是用|改用|改成|跑|问|在|放)(?!.*[?？])|(?:你)?应该先\S*(?:测试|确认|检查|备份)(?!.*[?？])|你不?应该{_BEFORE}|"
    r"我(?:说|要|指)的是|我(?:说过|是说|不是说|没让你|没叫你)|我(?:让|叫)你(?:用|跑|改|先|不要|别)(?!.{0,8}的)|"
    r"(?:改用|换成|换用) ?[a-z](?!.*[?？])|用 ?\S{1,30}[，,] ?(?:不要|别|不是)|"
    r"(?:撤回|回退|撤销|还原)(?:$|[，,。！!吧]|(?:刚才|这|那|上一)))"
)
_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "ʼ": "'"})
_HAN = re.compile("[㐀-鿿]")


def corrects(prompt: str) -> bool:
    """Say whether a prompt that comes right after a call corrects it.

    Args:
        prompt: the person's words; quotations, code and logs in it are nobody's correction.
    """
    words = own_words(prompt[: 2 * _MOST]).strip()
    if not words or len(words) > _MOST:
        return False
    if _HAN.search(words):
        return bool(_CHINESE.match(words.lower()) or _ENGLISH.match(_flat(words)))
    return bool(_ENGLISH.match(_flat(words)))


def _flat(words: str) -> str:
    """Give words as they are compared: folded, blanks one, quotation marks and full-width punctuation plain."""
    return " ".join(unicodedata.normalize("NFKC", words.translate(_STRAIGHT)).lower().split())
