"""What asks that something be forgotten, what of it names the thing, and what only tells of forgetting."""

from __future__ import annotations

import pytest

from casebook.gate.letting_go import asks_all_to_go, asks_to_go, what_is_to_go
from casebook.gate.own_words import view_of


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("忘了我不吃香菜", "我不吃香菜"),
        ("忘了我说的香菜", "香菜"),
        ("忘掉我不吃香菜这件事", "我不吃香菜"),
        ("别记我吃香菜了", "我吃香菜"),
        ("别记香菜了", "香菜"),
        ("别记了", ""),
        ("不要记住我不吃香菜", "我不吃香菜"),
        ("请忘记香菜的事", "香菜"),
        ("把香菜那条删了", "香菜"),
        ("把我不吃香菜忘了吧", "我不吃香菜"),
        ("把我说的香菜忘掉", "香菜"),
        ("忘掉我之前说的端口", "端口"),
        ("关于香菜的话当我没说", "香菜"),
        ("那条忘掉吧", ""),
        ("香菜的事忘了吧", "香菜"),
        ("请你忘了我不吃香菜", "我不吃香菜"),
        ("你能忘了我不吃香菜吗？", "我不吃香菜"),
        ("删除关于香菜的记忆", "香菜"),
        ("我不想让你记住我不吃香菜", "我不吃香菜"),
        ("我希望你忘了香菜", "香菜"),
        ("我不吃香菜这件事别记了", "我不吃香菜"),
        ("不用记我的地址", "我的地址"),
        ("别再记我的地址了", "我的地址"),
        ("取消记住我的地址", "我的地址"),
        ("归档这条", ""),
        ("不用再记了", ""),
        ("忘掉我说的端口", "端口"),
        ("忘了吧", ""),
        ("forget what I said about cilantro", "cilantro"),
        ("forget that I don't eat cilantro", "i don't eat cilantro"),
        ("Don't remember that I don't eat cilantro", "i don't eat cilantro"),
        ("please don't remember my address", "my address"),
        ("don't remember what I said about tabs", "tabs"),
        ("Forget cilantro", "cilantro"),
        ("forget it", ""),
        ("Never mind what I said about tabs", "tabs"),
        ("you can forget about tabs", "tabs"),
        ("Can you forget that I like tabs?", "i like tabs"),
        ("Could you please forget what I told you about the deploy window?", "deploy window"),
        ("Stop remembering my address", "my address"),
        ("Remove my address from memory", "my address"),
        ("Delete the memory about tabs", "tabs"),
        ("I don't want you to remember my address", "my address"),
        ("I'd like you to forget my address", "my address"),
        ("Ignore what I said earlier about Postgres", "postgres"),
        ("Forget about my Java preference", "my java preference"),
        ("Don't remember this", ""),
        ("Forget I said anything about tabs", "tabs"),
        ("Forget I ever mentioned tabs", "tabs"),
        ("My PIN is 1234, don't save this", "my pin is 1234"),
        ("I want you to forget that I use npm", "i use npm"),
        ("Please forget the thing about tabs", "tabs"),
        ("Disregard what we said about Bazel", "bazel"),
        ("You don't need to remember my birthday", "my birthday"),
    ],
)
def test_what_is_to_be_forgotten_is_heard_and_what_names_it_is_left(said: str, names: str) -> None:
    assert asks_to_go(view_of(said))
    assert not asks_all_to_go(view_of(said))
    assert what_is_to_go(said) == names


@pytest.mark.parametrize(
    "said",
    [
        "忘了我说的一切",
        "忘了我吧",
        "把我说过的全部忘掉",
        "Forget everything I told you",
        "Forget me",
        "erase what you know about me",
        "delete everything you know about me",
    ],
)
def test_everything_may_be_named(said: str) -> None:
    assert asks_to_go(view_of(said))
    assert asks_all_to_go(view_of(said))


@pytest.mark.parametrize(
    "said",
    [
        "我忘了我不吃香菜",
        "I forgot that I don't eat cilantro",
        "别记错了：我不吃香菜",
        "忘记密码时点击重置链接",
        "Don't forget that I don't eat cilantro",
        "你又忘了写测试",
        "你忘了写测试",
        "你忘了我不吃香菜",
        "忘了带钥匙",
        "不要记录用户的密码",
        "别忘了周五开会",
        "日志每月归档到 S3",
        "I always forget about timezones",
        "pin numpy to 1.26 in this project",
        "Do not store passwords in git",
        "Don't keep state in globals",
        "Never store secrets in the repo",
        "Don't save the API key in the repository",
        "Do not keep more than three replicas",
        "Forget to lock the door is what I always do",
        "Never forget that I am vegan",
        "I don't remember the password",
        "Delete the memory cache every night",
        "Remember that I like tabs",
        "记住我不吃香菜",
        "把日志归档到 S3",
        "把测试库删掉",
        "删除旧的日志",
        "这件事我忘了",
        "别记仇",
        "Don't note failures in the changelog",
        "Clear the cache",
        "We don't keep backups longer than 30 days",
        "Stop using tabs",
        "Don't write down prices in comments",
        "Remove the user from the group",
        "忘记带伞的时候我会打车",
        "Drop the database before the migration",
        "Ignore what the linter says about tabs",
        "清除缓存后重试",
        "不要记笔记",
        "Take the key out of the box",
        "Remove dead code from memory-heavy modules",
        "We never forget about backups",
    ],
)
def test_what_tells_of_forgetting_or_forbids_keeping_something_asks_nothing(said: str) -> None:
    assert not asks_to_go(view_of(said))
