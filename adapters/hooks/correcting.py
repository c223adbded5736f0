"""Whether a prompt corrects what the agent has just done: "no, use …", "不对", "以后不要…". By words, at the prompt's beginning.

A false yes teaches what nobody meant, and a false no costs a lesson that will be said again: what may be either is no correction.
"""

from __future__ import annotations

import re
import unicodedata

from casebook.adapters.hooks.traditional import simplified
from casebook.gate.own_words import own_words

_MOST = 600
"""Characters: who types more begins something new (ours)."""

_DO = (
    r"(?:ask|build|call|change|check|commit|create|delete|deploy|do|drop|edit|execute|force|install|keep|leave|make|merge|modify|move|"
    r"push|put|read|remove|rename|run|send|stop|switch|take|touch|try|use|write)"
)
"""What an agent does, as a person tells it to."""
_DONT = rf"(?:do not|don'?t|never)(?: (?:ever|just|simply|directly|always))* (?!stop\b){_DO}\b"
_DID = r"(?:used|ran|called|chose|picked|edited|changed|deleted|removed|pushed|committed|installed|put|wrote|did|took|are using|are running)"
_WELCOME = (
    r"(?:thank|thanks|worries|problem|rush|need|hurry|questions?|errors?|more|idea|changes|longer|all good|all fine|good|fine|great|perfect|"
    r"(?:that|this|it)(?:'s| is| looks| works| was)? (?:is )?(?:now|fine|good|great|ok|okay|works?|right|correct|enough|all)|"
    r"(?:please |just |let'?s |we can |you can )*(?:go (?:ahead|on)|continue|proceed|carry on|keep going|move on|commit|ship|finish)|skip|never mind|"
    r"(?:i|we|you|it|that|they) (?:do not|don'?t|does not|doesn'?t|did not|didn'?t) (?:need|think|mind|know|have|see|believe|care|remember|matter|have to)|"
    r"i(?:'m| am| was| just| only| like| will|'ll)|both|all of|everything|not (?:needed|necessary|a problem|at the moment|right now|for now)|"
    r"that was (?:me|just|all|only)|just (?:checking|asking)|nothing|that will do|not (?:yet|now|really|that i know)|\d|"
    r"[^.?]*\b(?:it|that|this|all|everything)(?:'s| is| are) (?:all )?(?:fine|good|great|ok|okay)\b)"
)
"""What follows a "no" that corrects nothing: it answers a question, thanks, or goes on."""
_ENDS = r"(?: please)?[.! ]*$"
_AMENDS = (
    rf"(?:(?:please |just )*(?:{_DO}|undo|revert)\b|{_DONT}|(?:not|wrong|only|always|instead)\b|you (?:should|must|have to|need to|were|are|{_DID})\b|"
    r"i (?:said|meant|told|asked|wanted|want)\b|(?:that|this|it)(?:'s| is| was) (?:not|wrong|incorrect|the wrong)\b|(?:that|this|it) (?:isn'?t|wasn'?t)\b|"
    r"it (?:has to|should|must|needs to)\b|the (?:other|first|second|third|last|old|new|right) \S+(?: \S+)?[.! ]*$|the \S+ (?:one|file|branch|folder|repo|server|database|way)\b|"
    r"(?:in|on|with|from|inside|via) (?!fact\b)(?:the |a )?\S+(?: \S+)?[.! ]*$|\S+(?: \S+)? please[.! ]*$|"
    r"(?!sorry|later|maybe|done|sure|never|already|neither|either|none|correct|right|indeed|exactly|wait)[\w./-]+[.! ]*$)"
)
"""What follows a "no" that corrects: what is to be done, or what was meant; a bare statement answers a question."""
_ENGLISH = re.compile(
    r"(?:(?:oh|hey|wait|hold on|hang on|h+m+|ok(?:ay)?|sorry|please|well|stop)[,.!: ]+)*(?:"
    rf"(?:no|nope|nah) ?[,.!:;—–-]*(?:$|\s+(?:(?:no|please|i mean|and)[, ]+)*(?!{_WELCOME}\b)(?:(?<=[,.!:;—–-] )|(?<=please )|(?<=no, )|(?={_DONT}|{_DO}\b|not\b|you\b)){_AMENDS})|"
    r"not (?:like (?:that|this)|that (?:one|way|file|folder|branch)|this (?:one|way|file|folder|branch))\b|"
    r"not (?!now\b|yet\b|sure\b|really\b|bad\b|today\b|only\b|just\b|all\b|good\b|found\b|\w+ing\b)[\w./-]+, (?:(?:but|use|it'?s) )?(?:the |a )?"
    rf"(?!{_DO}\b|why\b|what\b|how\b|maybe\b|i\b|we\b|you\b|but\b|so\b|and\b|later\b|just\b|though\b|go\b|fix\b|add\b)[\w./-]+(?: [\w./-]+){{0,2}}{_ENDS}|"
    r"(?:that|this|it)(?:'s| is| was)(?: just| still| all)? (?:(?:wrong|incorrect|a mistake)(?=[,.!:;]|$| again)|"
    r"not (?:right|correct|what|how|where|the (?:one|way|right))\b|the wrong\b)|"
    r"(?:that|this|it) (?:isn'?t|wasn'?t) (?:right|correct|what|how|where|the (?:one|way|right))\b|"
    r"wrong(?:[,.!:]|$| again\b| (?:branch|file|folder|directory|command|tool|one|way|database|server|environment|test|place)(?=[,.!:;]|$))|"
    rf"{_DONT}|(?:(?:do not|don'?t) touch|stop (?:doing|using|running|calling|pushing|committing|installing|deleting))\b|"
    rf"actually,? (?:no\b|{_DONT}|you should\b|use \S+(?: \S+){{0,3}}$|it should (?:be|have)\b)|instead,? (?:please )?{_DO}\b|"
    rf"use (?:the )?\S+(?: \S+){{0,3}} instead(?=[,.!;]|$)|use \S+(?: \S+){{0,2}},? not \S+(?: \S+)?{_ENDS}|"
    rf"use (?:the )?\S+(?: \S+){{0,2}} (?:instead of|rather than) (?:an? |the )?\S+{_ENDS}|"
    rf"we (?:always )?(?:use|run) \S+(?: \S+){{0,3}}[,;]? (?:instead|(?:not|instead of|rather than) \S+(?: \S+)?){_ENDS}|"
    rf"you should(?:n'?t(?: have)?|'?ve| have| not(?: have)?| rather| better) (?:{_DO}|asked|used|run|pushed|committed|deleted|checked|done)\b|"
    rf"you should (?:use|ask|stop)\b|you (?:were|are)(?:n'?t| not)? supposed to {_DO}\b|"
    rf"you {_DID}(?: it| that| this)?(?: in| on| with| from)? the wrong\b|"
    rf"i (?:said|told you|asked you)[,:]? (?:(?:not )?to |that you |{_DO}\b|{_DONT}|no\b|not\b|(?:\S+ ){{0,3}}not\b)|i (?:said|told you)[,:]? \S+,? not\b|"
    r"i (?:meant|asked for) (?:the|that|this|\S+(?: \S+)?$)|"
    rf"next time,? (?:please )?(?:{_DONT}|{_DO}\b)|from now on,? (?:please )?(?:always |only )?(?:{_DONT}|{_DO}\b)|"
    rf"why did(?:n't)? you [^?]*[?.!] *(?:{_DO}|{_DONT}|i (?:said|told))\b|"
    rf"(?:undo|revert)(?: (?:that|this|it|the (?:last|previous)))?(?: (?:push|change|commit|edit|please|now|again))?(?:[,.!]|$))"
)
_BEFORE = (
    r"(?:(?:使用|用)(?![户例法处途意])|推送|推(?![荐广理导断迟])|提交(?!记录|历史)|改(?![进善版])|删|跑|运行|执行|动(?![画态作])|碰|装|安装|直接|再|擅自|随便|自己|先(?!生)|"
    r"(?:push|commit|force|merge|deploy|run|install|delete|reset|rebase|rm|drop|publish)(?![a-z]))"
)
_ONGOING = r"谢|没|继续|用了|需要|急|客气|好意思|要紧|必|知道|是|可以|好|挺|不错"
"""What follows a "不" or a "no" that corrects nothing."""
_ASKING = re.compile(
    r"[?？][\s!！。]*$|^(?!为什么[^?？]*[?？].)(?:.*(?:什么|怎么|哪[个些里儿种]|为何|为啥|干嘛|多少|是不是|有没有|能不能|可不可以|要不要|如何|来着)|.*[吗呢]$)"
)
"""A question corrects nothing, however it begins."""
_FAULT = r"(?![^，,。]*的|[^。]*(?:报错|失败|问题|异常|bug|校验))"
"""Not a name ("不能删除用户的…"), nor what does not work."""
_CHINESE = re.compile(
    r"(?:(?:哎呀?|喂|等等|等一下|嗯|请|快|抱歉|停|千万|麻烦你?|都说了)[，,。！!、 ]*)*(?:"
    rf"(?:no|nope|nah)[，,。！!、 ]+(?!{_ONGOING})[㐀-鿿]|"
    r"不对(?![称应外齐等劲的])|不是(?:这样|这个|那个|让你|要你|叫你|说|[，,。！!]|我[要想]的)|"
    rf"不[，,。！ ]\s*(?!{_ONGOING})\S|不行(?:$|[，,。！!])|"
    r"[这那](?:样|个|么做|里)?(?:就|也|可)?(?:不对|不行|错了|不应该|不是我[要想]的)(?=$|[，,。！!、 ]|吧)|"
    r"(?:你(?:又)?|又)?(?:弄|搞|做|改|用|写|跑|选|放)?错了(?:$|[，,。！!]|吧)|你错|你(?:又)?(?:弄|搞|做|改|用|写|跑|选|放|删)错|"
    r"(?:改|用|写|跑|选|放|删|推)错[^，,。]{1,6}了(?:$|[，,。！!])|"
    r"不要(?![紧了担忘急着客误怕管介在停想红蓝绿黑白吗钱求的])(?!用户)(?!.*[?？])|"
    rf"(?:别|不应该|不该)(?:再|直接|随便|擅自)*(?:这样|这么|那样|{_BEFORE})|"
    rf"(?:不能|不可以|禁止|不准)(?:这样|这么|那样|(?:再|直接|随便|擅自)+{_BEFORE}{_FAULT}|(?:使用|用|推送|推|提交|改|删|跑|运行|动|碰) ?[a-z]{_FAULT})|"
    rf"(?:以后|下次)(?:请|都|要|就|一律|再也|记得)*(?:不要|别|不能|不许|先|都用|问|(?!再){_BEFORE})|"
    rf"以后都(?:要|用(?!户)|先|别|不要)|先问(?:我|一下)|"
    rf"(?:你)?应该(?:先|直接)?(?:用(?!户)|使用|是用|改用|改成|跑|问|在|放)|(?:你)?应该先\S*(?:测试|确认|检查|备份)|你不?应该{_BEFORE}|"
    r"我(?:说|要|指)的是|我(?:说过|是说(?!.{0,4}[好行])|不是说|没让你|没叫你)|我(?:让|叫)你(?:用|跑|改|先|不要|别)(?!.{0,8}的)|"
    r"(?:改用|换成|换用) ?[a-z]|用 ?\S{1,30}[，,] ?(?:不要|别|不是)|用 ?[^，,。]{1,20}而不是 ?[^，,。]{1,15}[。！!]?$|"
    r"不用 ?[a-z][\w.-]*[，,、 ]+(?:要|改)?用|不是 ?[a-z][\w.-]*[，,、 ]+而?是 ?[a-z]|用 ?[a-z][\w.-]*[。！!]?$|"
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
    if not words or len(words) > _MOST or _ASKING.search(chinese := simplified(words)):
        return False
    if _HAN.search(words):
        return bool(_CHINESE.match(chinese.lower()) or _ENGLISH.match(_flat(words)))
    return bool(_ENGLISH.match(_flat(words)))


def _flat(words: str) -> str:
    """Give words as they are compared: folded, blanks one, quotation marks and full-width punctuation plain."""
    return " ".join(unicodedata.normalize("NFKC", words.translate(_STRAIGHT)).lower().split())
