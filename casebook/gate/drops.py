"""What is not worth keeping (DESIGN section 7, the gate): one row a rule, with its cues in English and Chinese."""

from __future__ import annotations

import re

from casebook.gate.cue_set import CueSet, compiled
from casebook.gate.own_words import bare
from casebook.gate.wishes import is_rule_towards_others, is_wish_about_answers

GREETINGS = (
    (
        r"hi+|hey+|hello+|yo|howdy|greetings|good (?:morning|afternoon|evening|night|day)|morning|welcome back|bye+|goodbye|see you(?: later| tomorrow| soon)?"
        r"|good ?night|take care|cheers|nice to meet you|how are you(?: doing| today)?|what's up|sup|have a (?:nice|good|great) (?:day|one|weekend|evening)|happy (?:friday|monday|new year|holidays)|merry christmas"
    ),
    "你好呀?|您好|大家(?:早上|上午|中午|下午|晚上)?好|各位好|早上好|早安|早|嗨+|哈喽|哈啰|哈罗|上午好|中午好|下午好|晚上好|晚安|再见|拜拜|拜|回头见|明天见|在吗|在不在|有人吗|好久不见|辛苦了|周末愉快|新年好|新年快乐",
)
ACKNOWLEDGEMENTS = (
    (
        r"ok(?:ay)?|k|kk|yes|yeah|yep|yup|no|nope|nah|sure(?: thing)?|thanks?(?: you)?(?: so much| very much| a lot| again)?|thank you(?: so much| very much| a lot| again)?|thx|ty|got it|understood|i see|makes sense|done|right|correct|exactly|agreed|indeed|perfect|great(?: job| work)?|good(?: job| work)?|nice(?: one| work)?|awesome|excellent|cool|amazing|lgtm|well done"
        r"|(?:that|it|this)(?:'s| is)? ?(?:looks|sounds|works|look|sound|work)?(?: is)? ?(?:good|great|fine|perfect|correct|right|ok|okay|better|nice)(?: to me| now)?|looks good(?: to me)?|sounds good|works for me|that works(?: now)?|it works(?: now)?|take your time|no rush|no hurry|not now|not yet|(?:it's )?(?:always a|my) pleasure|(?:don't|do not) (?:worry|bother)(?: about (?:it|that|this))?|go ahead|go on|continue|proceed|carry on|never ?mind|no problem|no worries|you're welcome|fair enough|alright|all good|noted|will do|please(?: do)?|so much|a lot|very much|for (?:the|your) help"
    ),
    "好+的?|好嘞|好吧|好呀|好啊|行+吧?|可以的?|没问题|没事|收到|明白了?|知道了|懂了|了解了?|谢谢您?你?了?|多谢|感谢|谢了|谢啦|对的?|对对对?|是的?|是啊|嗯+|哦+|噢|不是|不用管(?:它|这个|那个|我)|不用谢|不用|不用了|不客气|别客气|别(?:担心|急|着急|慌)|不着?急|慢慢来|不要紧|完美|很好|非常好|太好了|太棒了|棒|赞|厉害|牛|不错|搞定了?|完成了?|继续吧?|接着来|就这样吧?|算了|同意|没错|确认|辛苦|辛苦了|麻烦了|ok的|就这么办",
)
CHATTER = (
    r"(?:ha|he|lo)+l?|lo+l|lmao|rofl|hmm+|hm|uh+|um+|er+|ah+|oh+|wow|whoa|oops|ugh|meh|well|so|anyway|by the way|btw|just kidding|jk|interesting|funny|brb|one sec(?:ond)?|wait|hold on|let me (?:think|see|check)|test(?:ing)?(?: 123)?|nothing(?: much)?|whatever|no idea|you know|same here|me too|long day|what a day",
    "哈+|呵+|嘿+|嘻+|额+|呃+|唔+|啊+|哎+|唉+|咦|哇+|天哪|我去|卧槽|有意思|好玩|有趣|等等|等一下|等会儿?|稍等|让我想想|我想想|我看看|随便|无所谓|测试(?:一下)?|开玩笑的?|话说|然后呢?|没什么|没啥|没有|同上|试试|吃了吗|笑死(?:我了)?",
)
CHATTER_CUES = (
    r"\b(?:nice|lovely|beautiful|terrible|awful|great|bad) weather\b|\bweather (?:is|was|today)\b|\bit'?s (?:raining|snowing|sunny|so hot|so cold|cold outside|hot outside)\b",
    r"\b(?:how was your|hope you(?:'re| are| had)|did you see the (?:game|match))\b|\b(?:lunch|dinner|breakfast|coffee) was (?:good|great|nice|bad|delicious)\b",
    r"^(?:just |i'm just )?(?:kidding|saying hi|checking in|bored|passing by)\b|^(?:(?:ha)+|lol|wow|hm+|oh)?,? ?(?:that's|this is|it's|so) (?:so |really |very )?(?:funny|hilarious|cool|interesting|cute|weird|crazy)[.! ]*$|^(?:what a|such a) (?:\w+ )?(?:day|week|game|movie|surprise|coincidence)\b",
    "天气(?:真|好|很|不|太|可真|怎么|又)|(?:今天|外面|昨天)(?:真|好|很|又|太)(?:热|冷|闷)|下(?:雨|雪)了|吃(?:饭|午饭|晚饭)了|(?:午饭|晚饭|奶茶|咖啡)真?(?:好吃|好喝|难吃)|随便聊聊|聊聊天|打个招呼|路过|摸鱼",
)
MOOD_CUES = (
    r"\b(?:i'm|i am|i feel|i'm feeling|feeling|^so|^very|^really|i've been feeling|we're|makes me|i was) (?:so |very |really |a bit |a little |quite |too |just |pretty |kind of |kinda |super |feeling )*(?:tired|exhausted|happy|sad|angry|mad|annoyed|frustrated|bored|excited|sleepy|hungry|stressed|anxious|depressed|upset|worried|nervous|glad|great|good|bad|sick|burned out|burnt out|overwhelmed|confused|lost|lazy|down|terrible|awful|better|lonely|thrilled|fine|relieved|proud|grumpy)\b(?: (?:of|about|with|by|at|today|now|right now|again|lately|these days)\b.*)?[.! ]*$",
    r"^(?:ugh|argh|sigh|damn|dammit|wtf|omg|yay|woohoo|hooray|gosh|god|grr+)\b.{0,60}$|\b(?:this|it|that)(?:'s| is) (?:so |really |very |driving me |making me )*(?:annoying|frustrating|boring|exhausting|crazy|insane|depressing|awesome|amazing|fun|hilarious|ridiculous)[.! ]*$|\bi can't (?:even|take (?:it|this))\b|\bi need (?:a )?(?:coffee|break|vacation|nap|sleep)\b|\bi'm (?:fed up|sick of|tired of|dying)\b|\bwhat a (?:mess|nightmare|relief)\b",
    "(?:好|真|太|很|有点|非常|超级?|特别|快|要)(?:累|困|烦|烦躁|开心|高兴|难过|伤心|生气|郁闷|焦虑|无聊|饿|崩溃|激动|兴奋|沮丧|失落|紧张|害怕|爽|无语|难受|头疼|头大|疲惫|痛苦|绝望|感动|幸福|惨)(?:了|啊|呀|哦|死了|死我了|啦|极了|的)*[。.! ]*$",
    "(?:烦|累|困|气|急|饿|笑|冷|热|愁)死(?:我|人|个人)?(?:了|啦)|心(?:累|塞|烦|情(?:很|不|好|真|特别|有点))|想哭|崩溃了|无语了|受够了|没劲|提不起(?:劲|精神)|压力(?:好|很|太|山)大?|不想(?:上班|干活|动)|求放过|我太难了|(?:^|[^a-z])emo了",
)
GUESS_CUES = (
    r"\b(?:maybe|perhaps|probably|possibly|presumably|apparently|supposedly|might|i (?:don't )?think|i guess|i suppose|i suspect|i assume|i believe (?:it|that|this|the|we|there)|i'm (?:not (?:sure|certain)|guessing|unsure)|not (?:sure|certain)|no idea|looks like it (?:may|might|could)|seems? (?:like|to|that)|could be|may be|likely|unlikely|if i (?:remember|recall)|afaik|iirc|my guess|i wonder|wondering (?:if|whether)|who knows|hopefully|i hope)\b",
    "(?:^|[^不尽])可能(?:是|会|要|有|需|不|在|用|改|跟|和|得|因|导|已|没|还|就|都|明|下|我|他|,|$|[^性])|也许|或许|大概|大约是|好像|似乎|貌似|应该是|应该(?:会|没|有|不)|估计|我猜|猜测|我觉得|我感觉|我以为|我想应该|说不定|没准|搞不好|不太?确定|不敢肯定|不一定|不太?清楚|不太?知道|印象中|记不清|八成|多半|看起来像|看样子|怀疑是?|据说|听说|难道",
)
QUESTION_CUES = (
    r"\?[\"')\]}~! ]*$",
    r"^(?:so |and |but |hey,? |hi,? |ok,? |wait,? |also,? |well,? |please )?(?:how|what|what's|why|who|who's|whose|which|where|where's|when|how's)\b(?: (?:do|does|did|is|are|was|were|can|could|should|would|will|to|about|come|many|much|long|often|if|the|happens|happened|kind|time|else|version|would|exactly|part)\b)",
    r"^(?:so |and |but |hey,? |hi,? |ok,? |also,? )?(?:can|could|would|will|do|does|did|is|are|was|were|should|shall|may|have|has|am) (?:you|we|i|it|this|that|there|they|he|she|the|these|those|my|your|our|anyone|someone|somebody)\b",
    r"\b(?:any (?:idea|ideas|thoughts|suggestions|tips)|i(?:'m| am)? (?:wonder|wondering|curious) (?:if|how|why|what|whether|about)|do you know|what do you think|tell me (?:about|how|why|what|whether|if|more)|explain (?:how|why|what|to me)|i have a question|quick question|i want to (?:know|ask|understand)|i don't (?:know|understand) (?:how|why|what|where|when|which|whether|if))\b",
    "(?:吗|嘛|么|呢|没有|没|不|否|是哪里|是哪儿|在哪|是谁|是啥|是什么|几点|几号)[?!。. ]*$",
    "为什么|为何|为啥|怎么(?:办|做|样|用|弄|写|改|回事|会|还|又|才|能|这么|实现|处理|解决|配置|看|搞|理解|选|解释|没|不|了)|如何|怎样|咋(?:办|整|回|么|样|弄|不)|什么(?:意思|时候|是|情况|原因|区别|鬼|问题|东西)|(?:是|有|做|用|叫|说|干|为|要|选|写|吃)(?:什么|啥)(?:[^都也时]|$)|几点|几号|星期几|多久|多少(?:钱|次|个|人|行|天)?[?。 ]*$|哪里[^都]|在哪|哪儿|哪(?:个|些|种|一个|位|天)(?:[^都]|$)|谁(?:是|在|能|会|知道|写|改|负责)|是不是|是否|有没有|能不能|可不可以|要不要|该不该|会不会|好不好|行不行|对不对|请问|想(?:问|知道|了解|请教)|告诉我|能否|可否",
)
_LASTING = CueSet(
    (
        r"\b(?:always|from now on|in (?:the )?future|every time|by default|going forward|whenever|never|each time|henceforth|as a rule|for all (?:future|my|our)|in all|at all times|until (?:further notice|i say|changed))\b",
        "以后|今后|从现在(?:起|开始)|从今(?:以后|往后)|往后|总是|一直(?:用|都|要)|每次|一律|默认|都用|都要|永远|凡是|一概|务必|始终|长期",
    )
)
REQUEST_TO_REMEMBER = (
    (
        r"^(?:(?:please|pls|so|also|and|ok|okay|hey|hi|btw|by the way|can you|could you|would you|will you|you should|you need to|i want you to|i'd like you to|just|always|kindly)[, ]+)*"
        r"(?:please )?(?:(?:remember|memori[sz]e|note|keep in mind|bear in mind|make a note|take note|save|write down|jot down|store|don't forget|do not forget|never forget|add to (?:your |the )?memory|remember for (?:later|next time|the future))(?: (?:this|that|it|the following|of|down|for (?:later|good|ever|next time|the future|me)|forever|permanently|to (?:your )?memory|in (?:your )?memory))*)(?: ?[:,;-]+ ?| |$)(?:that )?"
    ),
    "^(?:(?:请|麻烦|你|帮我|要|一定|务必|给我|那|也|再|另外|顺便|能不能|可以|能)[,, ]?)*(?:永久|永远|长期|一直)?(?:记住|记下来?|记一下|记着|牢记|别忘了?|不要忘记?了?|保存|存一下|备注|记到记忆(?:里|中)?|写进记忆|加入记忆)(?:一下|下来|了|好)*(?:(?:这个|这点|这条|这件事)(?:[::,, ]+|$)|[::,, ]+|$)?",
)
_ASK = tuple(compiled(pattern) for pattern in REQUEST_TO_REMEMBER)

_COMMAND_VERBS = (
    "run|rerun|fix|show|print|list|open|close|write|rewrite|create|make|add|remove|delete|update|change|rename|move|refactor|explain|describe|"
    "summari[sz]e|translate|generate|implement|build|compile|test|check|look|search|find|grep|read|review|debug|install|deploy|push|commit|"
    "merge|rebase|revert|undo|redo|retry|try|start|stop|restart|kill|help|give|tell|send|draft|format|lint|clean|convert|compare|analy[sz]e|"
    "investigate|figure|go|come|let's|let me|do (?:it|this|that|the|a|another|both|all|some|one)|set|put|replace|copy|paste|download|upload|fetch|pull|clone|scan|plot|draw|sort|count|continue|"
    "finish|complete|proceed|wait|hold|skip|ignore|repeat|apply|edit|design|optimi[sz]e|simplify|extract|split|document|verify|validate|profile|"
    "benchmark|upgrade|bump|trigger|reset|reload|refresh|take|get|call|ping|ask|suggest|propose|recommend|walk|bring|turn|switch|point|use this|use the"
)
_COMMAND_CUES = (
    rf"^(?:(?:please|pls|now|then|and|also|ok|okay|first|next|just|so|go ahead and|can you|could you|would you|will you|can we|let's|i want you to|i need you to|i'd like you to|you should|you can|quickly|again|hey|hi|great|thanks)[, ]+)*(?:{_COMMAND_VERBS})\b",
    r"^(?:(?:please|pls|now|then|and|first|just|ok)[, ]+)*(?:answer|reply|respond)(?: to)? (?:this|that|it|the (?:first|last|second|next|following|above|previous))\b",
    r"^(?:(?:please|just|now|ok)[, ]+)*(?:don't|do not) (?:\w+ ){1,8}(?:yet|now|for now|just now|right now|this time|today)\b|\bi (?:need|want) you to \w+|\b(?:i need|i want|gimme) (?:a|an|some|the) (?:\w+ ){0,4}(?:script|function|summary|list|report|plan|example|draft|regex|query|test|explanation)\b",
    "^(?:(?:请|麻烦|你|先|再|现在|接着|然后|那|帮忙|快|赶紧|顺便|来|就|直接|继续|给我|帮我|帮忙|把|将|重新|好的?,)[,, ]?)*(?:跑|运行|执行|修|改|修复|修改|写|生成|创建|新建|加|添加|删|删除|看|查|检查|搜|搜索|找|打开|关闭|关掉|打印|列|列出|展示|显示|解释|讲|说明|总结|翻译|重构|优化|部署|发布|提交|推送|合并|回滚|撤销|重启|启动|停|停止|安装|升级|下载|上传|测试|试|分析|对比|比较|画|整理|实现|做(?:一|个|下)|调(?:用|试|一)|更新|补充|补|替换|换成|移动|复制|导出|导入|读|给我|来一|弄|处理|调研|设计|说说|输出|发(?:给|一|个|到)|告诉)",
    "^(?:请|麻烦)?(?:帮我|帮忙|给我|替我|帮一下|请你|麻烦你|你来|你去|你帮)|(?:一下|一下吧|看看|试试|一遍)(?:吧|呗|哈|这[个段里]?.{0,12}|那个.{0,8}|代码|结果|日志|测试)?[。.! ]*$|^(?:把|将).{1,40}(?:改|删|换|移|放|发|合并|加|写|推|部署|翻译|重构|拆|整理|跑)|^(?:先)?(?:别|不要)(?:急|动|管|改|跑|提交|推|发).{0,12}(?:先|现在|暂时|这次)|^(?:先别|先不要|暂时别|暂时不要|现在别|这次别|这次不要)",
)
_COMMANDS = CueSet(_COMMAND_CUES)
_NO_COMMANDS = CueSet(
    (
        r"^(?:use|run|put|set|keep|do|test|check|write|format|lint|commit|deploy|push) .{1,60}\b(?:instead of|rather than|before (?:every|each|any|pushing|committing|merging|you)|after (?:every|each|any)|for (?:all|every|each|any|everything)|on every|in all|everywhere)\b",
        r"^(?:look|test|check|run|start|build|design|change|call|point|help|review|release|turn|set|read|open|try|count|document|plot|format|report|update|list|print|merge|deploy|fix|sort|profile)s? (?:is|are|was|were|has|have|takes?|lives?|needs?|depends?|goes|happens?|must|should|will|can|runs?)\b",
        r"^[a-z]+ (?:is|are|was|were|has|have|must|should|will|takes?|needs?)\b",
        r"\bi (?:want|need) you to (?:be|always|never|act|sound|speak)\b",
        r"^(?:please |just )?(?:call|ping|email|message|text|contact|reach|ask|tell|answer|write|send|use|put|keep|run|test|open|name) .{1,60}(?:,? (?:and |but )?(?:not|never) |\binstead of |\brather than )",
        r"^(?:please )?(?:[a-z]+|i (?:want|need) you to (?:ask|check|confirm|read|run|test|wait|tell|warn|show)) .{0,60}\b(?:before (?:you |any(?:thing)?\b|[a-z]+ing )|after (?:you |[a-z]+ing )|(?:first|before) (?:every|each|any) )",
        r"^(?:please )?(?:explain|describe|break|talk|walk) (?:things|everything|it all|me through things)\b",
        r"^[a-z]+ (?:[a-z./_-]+ ){1,2}(?:starts|runs|returns|prints|builds|deploys|creates|takes|needs|writes|reads|listens|lives|fails|works|means|uses)\b",
        "^写[^个一段份篇封,。]{1,16}用|^[a-z./_-]+(?: [a-z./_-]+){0,3} ?(?:会|能|可以|要|需要|用于|是|在)",
        r"^let's (?:go with|stick with|settle on) ",
        "^先[^,。这那一下现个]{2,10}再[^,。这那一下现个]{2,12}$",
        r"^you can (?:call|reach|ping|email|contact|message) me\b",
        "^(?:回滚|部署|发布|合并|测试|上线|提交|备份|监控|翻译|设计|检查|修复|升级|更新)(?:靠|走|由|是|都|只|会|能|需|要|通过|采用|比较|很|全|仍)",
        r"^(?:please )?write (?:all |our |the |your |any |new )*(?:code )?(?:comments|commit messages|commits|docs|documentation|docstrings|pr descriptions|changelogs?|changelog entries|release notes|logs?|log messages|error messages|variable names|names|reports|e?mails|specs|adrs|tickets) (?:in|as|with|using|like|without)\b|^(?:please )?write (?:the |your )?tests? (?:first|before)\b",
        "之?前(?:都|也|要|得|必须|一定|请)*先",
        "^(?:测试|搜索|部署|提交|发布|查询|分析|翻译|更新|检查|下载|上传|安装|升级|优化|合并|推送|运行|启动|打印|设计|整理|对比|更新)(?:服务|信息|文件|失败|接口|模块|系统|日志|记录|报告|页|页面|目录|结果|任务|平台|组|团队|说明|计划|工具|集群|机器|报表|库|脚本|中心|引擎|器)",
        "^你(?:写|改|做|给|生成|翻译|画|列|查|找|说|讲)的",
        r"^(?:please |just )?call (?:me|him|her|them|us) [a-z]+[.! ]*$",
        "^你(?:又|总是?|老是?|刚才?|上次|昨天)?.{0,6}(?:错|坏|漏|忘|掉|没|了)",
        "^(?:改用|加班|部署在|提交前|提交时|更新频率|写代码(?:时|前|要)|发布(?:前|时|在|日|流程|窗口|会)|测试(?:环境|库|用例|数据|服|覆盖|账号|框架|要|必须|都)|部署(?:前|时|环境|脚本|流程|要|都|必须)|检查点|合并(?:前|时|策略)|运行(?:时|在|环境)|修复(?:了|后)|列表|展示层|优化(?:了|后)|看(?:书|电影|球|好|到|来)|分析师|处理器|做(?:了|过)|画(?:画|图的)|讲(?:师|究)|发现|查明|改(?:成了|为了|完)|升级(?:后|了|到了)|重构(?:了|完|到))",
    )
)
_QUESTIONS = CueSet(QUESTION_CUES)
_MOODS = CueSet(MOOD_CUES)
_GUESSES = CueSet(GUESS_CUES)
_CHATTER = CueSet(CHATTER_CUES)
_NEVER_GUESS = CueSet((r"\b(?:i don't think (?:so|in)|think (?:in|about|of|before))\b|(?:^|[^0-9])100%",))
_LEAD = re.compile(
    r"^(?:(?:hi|hey|hello|ok|okay|well|so|yes|yeah|no|thanks|please|btw|by the way|actually|anyway|好的?|嗯+|对了|那|话说|你好|哦|另外|顺便说一下|顺便|其实|还有)(?:[,,!!。:: ]+|$))+"
)
_LANGUAGE = CueSet(
    (
        r"^(?:please )?(?:speak|use|write|answer in|in) (?:english|chinese|german|french|spanish|japanese)\b|^(?:english|chinese|german|french|spanish|japanese)(?: only| please)",
        "^请?(?:说|用|讲|写)(?:简体|繁体)?(?:中文|英文|英语|普通话|粤语|日语)",
    )
)
_URL = re.compile(r"[a-z][a-z0-9+.-]{1,12}://\S+")
_WORD = re.compile(r"[a-z0-9']+|[^\x00-\x7f\s]")
_VERBLIKE = re.compile(
    r"\b(?:is|are|was|were|am|be|has|have|had|do|does|did|will|would|can|could|should|must|call|keep|pass|passes|use|uses|used|using|run|runs|need|needs|prefer|like|likes|love|loves|hate|hates|live|lives|work|works|means|takes|only|always|never|no|not|due|deadline|by|until|before|via|over|expires?|ends?|starts?|chose|went|got|made|took|built|wrote|ran|kept|left|found|lost|sent|sold|won|hit|cut|set|put|broke|owns|leads|wants|maintains|\w+(?:ed|ing|es|'s|'re|'m|'ve|n't))\b|[:=]|\d"
)


def _sequence(phrases: tuple[str, ...]) -> str:
    english, chinese = phrases
    return f"(?:{english})\\b|{chinese}"


_GREETING, _ACK, _FILLER = _sequence(GREETINGS), _sequence(ACKNOWLEDGEMENTS), _sequence(CHATTER)
_NAMES_AFTER = r"(?:there|all|everyone|team|folks|guys|again|claude|chatgpt|bot|assistant|friend|buddy|man|dude|sir|mate|and|then|too|now|to you|小助手|助手|各位|大家|朋友|老师|同学|们|呀|啊|哈|哦|啦|呢|吧|了|的|嘛|哟|亲)"


def _consists_of(text: str, *kinds: str) -> bool:
    """Say whether a bare text is nothing but such phrases, one after the other, in whatever way it is read as such."""
    if len(text) > 80:
        return False
    phrase = "|".join(kinds)
    return compiled(f"^ *(?:{phrase})(?: *(?:{phrase}|{_NAMES_AFTER}))* *$").search(text) is not None


def is_greeting(view: str) -> bool:
    """D1: nothing but a greeting or a farewell, perhaps with a name or thanks."""
    return _consists_of(bare(view), _GREETING) or (
        _consists_of(bare(view), _GREETING, _ACK, _FILLER) and _begins(bare(view), _GREETING)
    )


def _begins(text: str, phrases: str) -> bool:
    return compiled(f"^(?:{phrases})").search(text) is not None


def is_question(view: str) -> bool:
    """D2: asks; a request that is to hold from now on ("can you always …?") is none."""
    return _QUESTIONS.holds(without_lead(view)) and not asks_for_good(view) and not is_wish_about_answers(view)


def asks_for_good(view: str) -> bool:
    """Say whether a request is meant to last."""
    return (
        _LASTING.holds(view)
        and compiled(
            r"^(?:hey,? |hi,? |so |and |please )?(?:can|could|would|will) (?:you|we) |以后.*(?:好吗|行吗|可以吗|好不好|行不行)|(?:以后|今后|每次).*(?:用|要|别|不要|写|回)|能不能.*(?:以后|每次|一律|都用)"
        ).search(view)
        is not None
    )


def is_acknowledgement(view: str) -> bool:
    """D6: nothing but yes, no, thanks or praise."""
    return _consists_of(bare(view), _ACK, _GREETING)


def is_chatter(view: str) -> bool:
    """D3: fillers, weather, meals, emoji; nothing that anybody would look up."""
    plain = bare(view)
    if not plain:
        return any(sign > "\u2000" for sign in view)
    is_filler = _consists_of(plain, _FILLER, _ACK, _GREETING) and not is_acknowledgement(view)
    return is_filler or (_CHATTER.holds(view) and len(view) < 80)


def is_mood(view: str) -> bool:
    """D4: how somebody feels now."""
    return (_MOODS.holds(view) or _MOODS.holds(without_lead(view))) and not _LASTING.holds(view)


def is_guess(view: str) -> bool:
    """D5: said with maybe, I think, 可能, 我觉得."""
    return _GUESSES.holds(view) and not _NEVER_GUESS.holds(view) and not is_wish_about_answers(view)


def is_command(view: str) -> bool:
    """D7: a bare command to the agent of the moment, with nothing that would hold next time."""
    said = without_lead(view)
    is_kept = (
        _LASTING.holds(said) or _NO_COMMANDS.holds(said) or is_wish_about_answers(said) or is_rule_towards_others(said)
    )
    return _COMMANDS.holds(said) and not is_kept


def is_fragment(view: str) -> bool:
    """D9: a word or two that say nothing by themselves."""
    if _LANGUAGE.holds(view) or is_wish_about_answers(view):
        return False
    words = _WORD.findall(_URL.sub(" ", view))
    han = sum(1 for word in words if not word.isascii())
    if han:
        return han + 2 * (len(words) - han) < 4
    return len(words) < 2 or (len(words) < 4 and not _VERBLIKE.search(view))


def without_lead(view: str) -> str:
    """Give a folded text without the "hi", "ok", "by the way" before what it says."""
    return _LEAD.sub("", view, count=1)


def asked_prefix(view: str) -> int:
    """Give the length of the words that ask for remembering, at the beginning of a folded text; 0 where there are none."""
    for pattern in _ASK:
        found = pattern.search(view)
        if found is not None and found.start() == 0 and found.end() > 0:
            return int(found.end())
    return 0


def is_nobodys(view: str) -> bool:
    """D8: nothing is left once code, quotations and logs are taken out."""
    return not any(sign.isalnum() for sign in view) or view.strip(" .,!:;。") in ("quoted", "code")
