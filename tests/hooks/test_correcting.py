"""Which prompts, said right after a call, correct it. A false one teaches a lesson that nobody meant: these are ordinary, those correct."""

from __future__ import annotations

import pytest

from casebook.adapters.hooks import traditional
from casebook.adapters.hooks.correcting import corrects
from casebook.adapters.hooks.traditional import simplified

ORDINARY = """\
no problem, thanks
no worries, take your time
no rush on this one
no need to run the tests now
no idea why that happens, can you look?
no, thank you
no thanks, that is all
no questions, go ahead
No. 5 in the list looks good
no errors now, please commit
no more changes, open the pull request
nope, all good
no that's fine, go on
no, it works now
no, go ahead
never mind
never mind, I found it
nevermind that, what about the header?
don't worry about the tests, they are slow
don't forget to update the changelog
don't you think this is slow?
do not hesitate to ask
stop
stop here for today
stopping the server is the last step, do it
wrong numbers appear in the report, find out why
wrong password errors should be logged, add that
that's right, continue
that's not bad, go on
that is what I wanted
that's wrong in the old version, too: what does the spec say?
use pnpm to install the dependencies
use a Map instead of an object in cache.ts
use the new logo instead of the old one on the home page
can you use pnpm instead?
should we use pnpm instead?
you should see a failing test in tests/shop.py
you should have access to the staging database now
you should not have any trouble with the token now
I said yes
I said hello to Ann about it, she will review
I told you about the budget: make a table of it
I meant to ask, how long does the build take?
I asked for access, wait for it
I asked Ann to review it
instead of a table, a list would do as well; what do you think?
actually, this looks great
actually use of memory is high, profile it
actually it is quite good
actually, it's done, thanks
next time zone changes happen in March; add a test
next time we meet I want a demo, prepare slides
from now on the shop is open on Sundays: change the opening hours
why did you choose a list here?
why did you do that?
why does this fail?
undo that works now, add redo as well
revert that commit message to English
please run the tests
ok, push it
yes
yes, use npm
thanks, now deploy
write a test that says "no, use pnpm"
The user wrote: "don't use npm". Translate it into German.
What does "that's wrong" mean in this log?
explain the difference between npm and pnpm
Notably, the build is slow
Norway is missing from the list of countries
now add the footer
notice the typo in line 3, fix it
can you run it again?
没问题，继续
没事，继续吧
不用了，谢谢
不用急
不着急，慢慢来
不错，提交吧
不要紧，继续
不要担心测试，继续
不要忘了更新日志
不对称加密怎么实现？
不是很清楚，再解释一下
不是问题，继续
错了一个测试，帮我看看日志
错误日志在哪里？
别忘了写测试
别担心
别人也遇到了这个问题，查一下
别名怎么配置？
应该没问题了，提交吧
应该是网络问题，再试一次
应该先看哪个文件？
我说完了，你继续
我要一个登录页面
我要去吃饭了，你继续
我用过这个库，挺好的
我让你看的文件在 src 下
以后再说
以后都有哪些计划？
以后要做国际化，先记在待办里
下次请客户来演示，准备一下数据
下次要开会讨论，先写个提纲
换成中文怎么说？
改用什么框架比较好？
为什么要用 pnpm？
为什么又失败了？
停下来的服务有哪些？
撤回功能怎么实现？
回退按钮的颜色改成蓝色
继续
好的，部署吧
帮我运行测试
请翻译："不对，用 pnpm"
no it's ok
no just checking
No, keep going
no, that was me
no, not needed
no, skip it
nah that's fine
sorry, wrong window
never seen that before, what is it?
we use pnpm here
you should be able to see it now
actually, can you also add tests?
from now on I'm available
undo/redo support please
换成蓝色
改用深色主题
不，没事
不，谢谢
不，继续吧
不要了，谢谢
不要停，继续
别墅列表页面加一个筛选
no, let's continue
that's not right?
no, we don't need it
no, I don't think so
no, please go on
don't stop
我说的是什么来着？
不能用怎么办
不能运行，报错了，看看
应该用哪个库
不要的文件删掉
以后用户可以登录
禁止用户登录的功能加一下
不能删除用户的bug，修一下
use x, not y is the title of the talk; write a slide
you should write a test for it
we use redis not memcached, so write a redis adapter
wrong file permissions cause this, fix them
no, that's all for today
no idea, check the logs please
no, everything is fine now
no, I just wanted to see it
no, both are ok
no need for tests here
no, leave it, it's fine
no, not at the moment
nope, looks good to me
no hurry, finish the docs first
don't mind the warning, go on
don't stop until all tests pass
don't hesitate to refactor it
never mind the lint, keep going
not right now, maybe tomorrow
that's not a problem, go on
that's not right, is it?
is that wrong?
isn't that the wrong file?
wrong credentials return a 500, please fix it
wrong indentation breaks the yaml parser; add a check
you should add a test for the parser
you should write the docs too
you should run the linter when you are done
you should put this into the readme as well
we use postgres, not mysql, so generate the right dialect
we use tabs not spaces, what does prettier need?
we always run the tests in CI, not locally; add a workflow
use bold, not italics, for the heading of the slide
use a dict, not a list, as the return type of parse()
use a modal instead of a page for the settings
revert of the commit is tested where?
I said it was good
I told you it works! thanks
I meant to thank you
please continue
hold on a second, I have a call
hold on, I want to read it first
wait, that actually works
actually I like it
undo button should be grey
不用改了，挺好
不用管那个警告
不需要测试，谢谢
不能登录的问题修好了吗
不能编译了，帮我看看报错
不能为空的字段加校验
不可以用空密码注册，加个校验
不应该报错吧？
不要的依赖清理一下
不要的日志都删掉
禁止访问的页面返回 403
禁止用户上传大文件，加个限制
以后支持多语言，先留个接口
以后可能会用到，先别管
以后用户可以自己改头像
下次发布之前写个 changelog
应该用什么数据库好
应该放哪里
应该可以了，再跑一遍
不是我写的，看看是谁改的
不是所有用户都能看到，查一下原因
不对的数据高亮成红色
不行的话就换个方案
我说的那个接口写好了吗
我要的是什么来着
我是说挺好的
别的文件也一样处理
别停，继续
用户不要的数据怎么清
改用户表的结构
換成繁體中文
沒關係，繼續
不用了，謝謝
不要緊，先這樣
別擔心，慢慢來
no, the tests pass now
no, I'll do it myself
no, that will be all
no, it was already there before
no, but add a comment
nah, don't bother
don't need the logs anymore
stop the dev server please
not urgent, do it when you can
that was quick, nice
never seen this error, look into it
please don't forget the docs
use tabs, not spaces, in all new files you make
revert the migration after the release
from now on the api returns json, update the client
you should have the logs in /tmp/out
actually the button is missing
it's wrong that users see this page; hide it
this is not urgent
不用了
不行的用例列出来
别忘记提交
应该没有问题
以后的版本再加
不是很懂，解释一下
不能用的接口列一下
用 Python 写一个脚本
请用表格列出来
改成蓝色
先不管它，继续
没错，继续
這個不錯
應該可以了
不需要改
""".splitlines()

CORRECTING = """\
no, use pnpm
no, use pnpm instead of npm
No! Not on main
no — use the staging database
no: the other file
No. Use yarn.
no
No!
no, not that one
no no, use pnpm
no, that's not what I asked for
no, don't push yet
no, I meant the test folder
no, you should run it in docker
no, that's wrong
no, it has to be python 3.12
no please use pnpm
nope, use pnpm
nope
nope, wrong folder
nah, use pnpm
oh no, don't do that
wait, no, use the other branch
wait, don't push that
hey, don't do that
hm, that's wrong
sorry, that's not right
that's wrong
that's wrong, use pnpm
that is wrong: we use poetry here
that was wrong
that's not right
that's not what I asked for
that's not what I wanted
that's not how we do it here
that is not correct
that's incorrect
that's the wrong file
this is wrong
wrong
wrong, use pnpm
wrong branch!
wrong file, it is in src/
not like that
not like this, use the script
not that one
don't use npm here
don't do that again
don't run the migrations by hand
don't push to main
don't ever force push
please don't use sudo
do not use npm
do not commit to main
never use npm in this repository
never push to main
never run that on production
stop using npm
stop doing that
stop running the whole suite
you should use pnpm
you should have used pnpm
you should've asked first
you shouldn't have pushed that
you should not push to main
I said use pnpm
I said pnpm, not npm
I told you not to push
I told you to use pnpm
I meant the other one
I meant pnpm
I asked you to use pnpm
I asked for pnpm
actually, no
actually, use pnpm
actually don't push
actually you should use pnpm
use pnpm instead
use pnpm, not npm
use the staging server instead, please
instead, use pnpm
next time use pnpm
next time, ask first
next time don't push
from now on use pnpm
from now on, ask before you push
from now on always run the linter first
why did you use npm? use pnpm
why did you push? I told you not to
undo that
undo that, please
revert that
revert that push
please revert that
we use pnpm here, not npm
you used the wrong branch
you ran it in the wrong folder
No， use pnpm
Don’t use npm
不对
不对，用 pnpm
不对！应该用 pnpm
不对，我说的是测试目录
不是这样
不是这个文件
不是让你推送
不是叫你删掉
不，用 pnpm
不行，不能直接推送
错了
错了，用 pnpm
你错了
你弄错了，是另一个分支
搞错了，应该在 src 下
别这样
别用 npm
别推到 main
别再用 npm 了
别直接删
不要这样
不要用 npm
不要推送到主分支
不要直接提交
不要删数据库
不要再运行那个脚本
不能这样
不能用 npm
不能直接推送
不可以直接改生产
以后不要用 npm
以后别用 npm
以后都用 pnpm
以后请先问我
以后要先跑测试
以后用 pnpm
以后先问我再推送
下次不要这样
下次别直接推送
下次先问我
下次用 pnpm
应该用 pnpm
应该先跑测试再提交
你应该用 pnpm
你不应该推送
不应该用 npm
我说的是 pnpm
我说过不要用 npm
我要的是 pnpm
我让你用 pnpm
我是说测试环境
我不是说这个
改用 pnpm
换成 pnpm
用 pnpm，不要用 npm
撤回
快撤回
回退刚才的操作
撤销刚才的提交
等等，别推
等一下，不对
哎，错了
请不要用 npm
No, I said the other repo
no, run it with --dry-run
no, undo that
use rg, not grep
不是，用另一个
不要全局安装
下次记得先备份
你改错文件了
又错了
应该在容器里跑
用 rg，别用 grep
no，用 pnpm
不對，用 pnpm
請不要推送
以後不要直接推送
这不对
这样不对
别push
千万别推main
用pnpm而不是npm
不用npm，用pnpm
use pnpm instead of npm
use pnpm rather than npm
not npm, pnpm!
this isn't right
that isn't what I wanted
please revert
hold on, don't do that
no. yarn please
no, wrong branch
no, not npm
no, run it in docker instead
no no no, don't delete that
no, the staging one
that's wrong, it's src/app.py
this isn't what I asked for
that wasn't right
that isn't correct
it's not right, use poetry
wait, stop, don't push
stop, don't run that
hold on, not that file
don't install anything globally
please don't commit to main
never push without asking me
use yarn instead of npm
use poetry rather than pip
use the test database instead of production
not main, the develop branch
not pip, uv
I told you to ask first
I said no
please undo that
revert it please
you shouldn't push to main
you were supposed to use pnpm
from now on run the tests first
next time ask before deleting
you used the wrong file
actually use yarn
不对，是另一个文件
不对不对，用 yarn
这不是我要的
这个不对
那样不行
别动那个文件
别删
千万不要推送
不要再推了
别用npm了
用yarn而不是npm
不用pip，用uv
不是npm，是pnpm
请不要直接改主分支
请先问我再删
以后不要推main
以后先跑测试再提交
下次别这样了
以后别再直接推送了
你用错分支了
改错地方了
不應該這樣
不要這樣做
請用 pnpm
錯了，用 yarn
以後請先問我
別推到主分支
應該用 pnpm
這樣不對
這不是我要的
no, put it in src
no, use the other account
no not there
nope, the second one
don't touch the config
don't change the schema
never delete migrations
that's not the right branch
this is not what I meant
it's the wrong repo
you shouldn't use sudo
you should ask before pushing
I said staging, not production
use uv rather than pip
stop pushing to main
undo the last commit
wait, wrong branch
not that file, the other one
next time run the tests first
from now on never push
不对，应该是 staging
别改这个文件
不要动配置
以后别改数据库
你搞错了
不是这个分支
用 uv，不要用 pip
应该先备份
我说的是测试环境
别commit
錯了
別改這個
請改用 pnpm
下次先跑測試
""".splitlines()


@pytest.mark.parametrize("prompt", ORDINARY)
def test_an_ordinary_prompt_corrects_nothing(prompt: str) -> None:
    assert not corrects(prompt)


@pytest.mark.parametrize("prompt", CORRECTING)
def test_a_prompt_that_corrects_the_last_call_is_heard(prompt: str) -> None:
    assert corrects(prompt)


def test_both_tables_are_large_enough_to_mean_something_in_both_languages() -> None:
    for table in (ORDINARY, CORRECTING):
        chinese = [each for each in table if any("㐀" <= letter <= "鿿" for letter in each)]
        assert min(len(chinese), len(table) - len(chinese)) >= 40
        assert len(set(table)) == len(table)


@pytest.mark.parametrize(
    "prompt",
    ["", " \n", "> no, use pnpm", "```\nno, use pnpm\n```", "no, use pnpm. " * 60, "\ud800", "2026-03-01 12:00:01 no, wrong"],
)  # fmt: skip
def test_what_is_nobodys_own_short_sentence_corrects_nothing(prompt: str) -> None:
    assert not corrects(prompt)


@pytest.mark.parametrize(
    "prompt", ["\u200bno, use pnpm", "no,\u00a0use pnpm", "\u3000不对", "不对，用 pnpm", "NO, USE PNPM"]
)
def test_it_is_heard_whatever_blanks_and_letters_it_is_typed_with(prompt: str) -> None:
    assert corrects(prompt)


@pytest.mark.parametrize("prompt", CORRECTING)
@pytest.mark.parametrize("mark", ["?", "？", " ?"])
def test_a_question_corrects_nothing_however_it_begins(prompt: str, mark: str) -> None:
    assert not corrects(prompt.rstrip(".!") + mark)


def test_traditional_characters_are_read_as_simplified_ones() -> None:
    assert simplified("不對，請先測試") == "不对，请先测试"
    assert len(traditional._TRADITIONAL) == len(traditional._SIMPLIFIED) == len(set(traditional._TRADITIONAL))
    assert not set(traditional._TRADITIONAL) & set(traditional._SIMPLIFIED)
