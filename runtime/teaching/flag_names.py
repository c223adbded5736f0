"""Flags by both of their names, for the programs of which that is true: `-A` is `--all` to `git add`, and no other's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_TABLE: Final = """
git add: -A --all --no-ignore-removal; -f --force; -u --update; -p --patch; -i --interactive; -n --dry-run
git branch: -d --delete; -f --force; -m --move; -a --all; -r --remotes
git checkout: -f --force; -q --quiet
git clean: -f --force; -n --dry-run; -i --interactive
git commit: -n --no-verify; -a --all; -s --signoff; -p --patch; -S --gpg-sign
git fetch: -f --force; -p --prune; -t --tags
git pull: -r --rebase; -f --force
git push: -f --force; -u --set-upstream; -d --delete; -n --dry-run
git rebase: -i --interactive
git rm: -f --force; -n --dry-run
git stash: -u --include-untracked; -a --all
git switch: -f --force --discard-changes
git tag: -d --delete; -f --force
npm: -g --global; -f --force; -D --save-dev; -S --save; -E --save-exact; -w --workspace
pnpm: -g --global; -D --save-dev; -r --recursive; -E --save-exact; -F --filter
bun: -g --global; -d --dev
rm: -r -R --recursive; -f --force; -i --interactive; -d --dir
cp: -r -R --recursive; -f --force; -a --archive
mv: -f --force
ln: -s --symbolic; -f --force
chmod: -R --recursive
chown: -R --recursive
chgrp: -R --recursive
grep: -r --recursive; -i --ignore-case
sed: -i --in-place
ls: -a --all; -R --recursive
rsync: -n --dry-run; -a --archive; -r --recursive
curl: -k --insecure
pip install: -U --upgrade; -r --requirement; -e --editable
docker compose down: -v --volumes
docker compose up: -d --detach
docker rm: -f --force; -v --volumes
docker rmi: -f --force
docker run: -d --detach; -v --volume; -p --publish
docker ps: -a --all
docker system prune: -a --all; -f --force
docker image prune: -a --all; -f --force
docker volume prune: -a --all; -f --force
kubectl: -n --namespace; -f --filename; -l --selector; -A --all-namespaces
helm: -n --namespace; -f --values; -A --all-namespaces
helm upgrade: -i --install
apt: -y --yes --assume-yes
apt-get: -y --yes --assume-yes
make: -B --always-make; -k --keep-going; -j --jobs
pytest: -x --exitfirst; -v --verbose; -q --quiet
cargo: -r --release
"""

_SAME: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = MappingProxyType(
    {
        command: tuple(tuple(each.split()) for each in rest.split(";"))
        for command, _, rest in (line.partition(":") for line in _TABLE.splitlines() if line)
    }
)
_ONE_DASH_TEXT: Final = """
find fd java javac kubectl terraform tofu go openssl ffmpeg gcc clang php ansible ansible-playbook Remove-Item
"""
_ONE_DASH: Final = frozenset(_ONE_DASH_TEXT.split())
"""Programs whose long flags have one dash, or that take no cluster: `-exec` is not `-e -x -e -c`."""
_TAKING: Final[Mapping[str, str]] = MappingProxyType(
    {"git commit": "mFCcSt", "git add": "", "git push": "o", "rm": "", "curl": "ohHdXuAeF", "tar": "fC", "sed": "e"}
)
"""Letters that take what is behind them for their value, so that `-mn` of `git commit` is no `-n`."""


def named_alike(command: str, flag: str) -> tuple[str, ...]:
    """Give the names of a flag, itself the first, for an action (`git commit`) or a program."""
    for name in (command, command.partition(" ")[0]):
        for group in _SAME.get(name, ()):
            if flag in group:
                return (flag, *(each for each in group if each != flag))
    return (flag,)


def flag_pattern(command: str, flag: str) -> str:
    """Give the RE2 of a word of a command line that is a flag: by each of its names, of one letter in a cluster too, with a value or without."""
    return "|".join(_one(command, each) for each in named_alike(command, flag))


def _one(command: str, flag: str) -> str:
    program = command.partition(" ")[0]
    if not re.fullmatch(r"-[A-Za-z]", flag):
        plain = re.sub(r"([^\w-])", r"\\\1", flag)
        return rf"{plain}(=\S*)?" if flag.startswith("--") else plain
    if program in _ONE_DASH:
        return flag
    taking = _TAKING.get(command, _TAKING.get(program, ""))
    before = "".join(each for each in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" if each not in taking)
    letters = _ranges(before) if taking else "A-Za-z"
    return rf"-[{letters}]*{flag[1]}\w*"


def _ranges(letters: str) -> str:
    """Give letters as a class has them: `abcd` as `a-d`."""
    runs: list[str] = []
    for each in letters:
        if runs and ord(runs[-1][-1]) + 1 == ord(each):
            runs[-1] = f"{runs[-1][0]}-{each}"
        else:
            runs.append(each)
    return "".join(runs)
