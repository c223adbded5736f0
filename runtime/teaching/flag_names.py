"""Flags by both of their names, for the programs of which that is true: `-A` is `--all` to `git add`, and no other's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_TABLE: Final = """
git add: -A --all --no-ignore-removal; -f --force; -u --update; -p --patch; -i --interactive; -n --dry-run; -v --verbose
git branch: -d --delete; -f --force; -m --move; -a --all; -r --remotes; -D
git checkout: -f --force; -q --quiet; -b; -B
git cherry-pick: -n --no-commit; -e --edit; -s --signoff; -x
git clean: -f --force; -n --dry-run; -i --interactive; -d; -x; -X
git clone: -b --branch; -q --quiet; --depth; --recurse-submodules --recursive
git commit: -n --no-verify; -a --all; -s --signoff; -p --patch; -S --gpg-sign; -m --message; -F --file; -v --verbose; -q --quiet; --amend; --no-edit; --allow-empty
git diff: --cached --staged; --stat
git fetch: -f --force; -p --prune; -t --tags; -a --append; --all; --depth
git log: -n --max-count; -p -u --patch; --oneline
git merge: -m --message; -e --edit; --no-ff; --ff-only; --squash; --no-commit; --abort
git pull: -r --rebase; -f --force; -p --prune; --ff-only; --no-rebase; --autostash
git push: -f --force; -u --set-upstream; -d --delete; -n --dry-run; -o --push-option; --force-with-lease; --force-if-includes; --no-verify; --tags; --follow-tags; --mirror; --atomic
git rebase: -i --interactive; --onto; --autostash; --autosquash; --abort
git reset: -q --quiet; -p --patch; --hard; --soft; --mixed; --keep
git revert: -n --no-commit; -e --edit; -m --mainline; -s --signoff
git rm: -f --force; -n --dry-run; --cached; -r
git stash: -u --include-untracked; -a --all; -m --message; -k --keep-index
git switch: -f --force --discard-changes; -c --create; -d --detach
git tag: -d --delete; -f --force; -a --annotate; -s --sign; -m --message
gh pr create: -d --draft; -t --title; -b --body; -B --base; -H --head; -f --fill; -F --body-file; -r --reviewer; -a --assignee; -l --label; -m --milestone; -w --web
gh pr merge: -s --squash; -m --merge; -r --rebase; -d --delete-branch; -t --subject; -b --body; --auto; --admin
gh issue create: -t --title; -b --body; -F --body-file; -a --assignee; -l --label; -m --milestone; -w --web
gh release create: -d --draft; -p --prerelease; -t --title; -n --notes; -F --notes-file; --target; --generate-notes
npm: -g --global; -f --force; -D --save-dev; -S --save; -E --save-exact; -w --workspace; -y --yes; --ignore-scripts; --legacy-peer-deps; --dry-run; --tag; --access; --otp; --provenance; --omit
pnpm: -g --global; -D --save-dev; -r --recursive; -E --save-exact; -F --filter; -w --workspace-root; --frozen-lockfile; --ignore-scripts
yarn: --frozen-lockfile; --immutable; --ignore-scripts
yarn add: -D --dev; -E --exact
bun: -g --global; -d --dev
rm: -r -R --recursive; -f --force; -i --interactive; -d --dir; -v --verbose; -I
cp: -r -R --recursive; -f --force; -a --archive; -i --interactive; -n --no-clobber; -u --update; -v --verbose
mv: -f --force; -i --interactive; -n --no-clobber; -u --update; -v --verbose
ln: -s --symbolic; -f --force; -n --no-dereference
mkdir: -p --parents; -m --mode; -v --verbose
chmod: -R --recursive; -v --verbose
chown: -R --recursive; -v --verbose
chgrp: -R --recursive; -v --verbose
grep: -r --recursive; -i --ignore-case; -n --line-number; -v --invert-match; -l --files-with-matches; -w --word-regexp; -E --extended-regexp; -F --fixed-strings; -c --count; -o --only-matching; -q --quiet --silent; --include; --exclude-dir
sed: -i --in-place; -n --quiet --silent; -e --expression; -E -r --regexp-extended
ls: -a --all; -R --recursive; -A --almost-all; -h --human-readable; -l
tail: -f --follow; -n --lines
head: -n --lines; -c --bytes
tar: -c --create; -x --extract --get; -t --list; -f --file; -z --gzip --gunzip; -j --bzip2; -J --xz; -v --verbose; -C --directory; -k --keep-old-files; --exclude; --strip-components
xargs: -0 --null; -r --no-run-if-empty; -n --max-args; -P --max-procs
rsync: -n --dry-run; -a --archive; -r --recursive; -v --verbose; -z --compress; -u --update; --delete; --exclude
curl: -k --insecure; -f --fail; -s --silent; -S --show-error; -L --location; -o --output; -O --remote-name; -X --request; -H --header; -d --data; -u --user; -v --verbose; -I --head; -m --max-time; --retry; --connect-timeout; --fail-with-body
wget: -O --output-document; -q --quiet; -c --continue; -r --recursive; -N --timestamping; -P --directory-prefix; --no-check-certificate
psql: -h --host; -U --username; -d --dbname; -p --port; -c --command; -f --file; -v --set --variable; -X --no-psqlrc; -1 --single-transaction; -w --no-password; -W --password
mysql: -h --host; -u --user; -p --password; -P --port; -D --database; -e --execute
pip install: -U --upgrade; -r --requirement; -e --editable; -c --constraint; -t --target; -i --index-url --pypi-url; --user; --no-deps; --require-hashes; --dry-run; --no-cache-dir; --break-system-packages
docker build: -t --tag; -f --file; -q --quiet; --no-cache; --pull; --platform; --build-arg
docker compose: -f --file; -p --project-name; --profile; --env-file
docker compose down: -v --volumes; -t --timeout; --remove-orphans; --rmi
docker compose up: -d --detach; -t --timeout; -V --renew-anon-volumes; --build; --wait; --remove-orphans; --force-recreate
docker exec: -d --detach; -e --env; -i --interactive; -t --tty; -u --user; -w --workdir
docker rm: -f --force; -v --volumes
docker rmi: -f --force
docker run: -d --detach; -v --volume; -p --publish; -e --env; -i --interactive; -t --tty; -u --user; -w --workdir; -m --memory; --network --net; --rm; --name; --privileged; --read-only
docker ps: -a --all
docker system prune: -a --all; -f --force; --volumes; --filter
docker image prune: -a --all; -f --force; --filter
docker volume prune: -a --all; -f --force; --filter
kubectl: -n --namespace; -f --filename; -l --selector; -A --all-namespaces; -o --output; --context; --kubeconfig; --dry-run
helm: -n --namespace; -f --values; -A --all-namespaces; --dry-run; --atomic; --wait; --kube-context; --create-namespace; --set
helm upgrade: -i --install; --reuse-values; --cleanup-on-fail
gcloud: -q --quiet; --project; --region; --zone
apt: -y --yes --assume-yes; -s --simulate --just-print --dry-run --recon --no-act; --no-install-recommends
apt-get: -y --yes --assume-yes; -s --simulate --just-print --dry-run --recon --no-act; --no-install-recommends
make: -B --always-make; -k --keep-going; -j --jobs; -n --just-print --dry-run --recon; -C --directory; -f --file --makefile
pytest: -x --exitfirst; -v --verbose; -q --quiet; -n --numprocesses; -k; -m; -s; --lf --last-failed; --cov; --maxfail
pre-commit run: -a --all-files
ansible-playbook: -C --check; -D --diff; -i --inventory --inventory-file; -l --limit; -b --become; -t --tags
cargo: -r --release; -p --package; -j --jobs; -q --quiet; -v --verbose; -F --features; --locked; --frozen; --offline; --workspace --all; --all-features; --all-targets
cargo publish: -n --dry-run
uv: --locked; --frozen; --offline
"""
"""A flag that stands alone has no other name."""

_ONLY_NAMES: Final = frozenset({"terraform", "tofu", "go", "find", "aws"})
"""Programs of whose flags none has another name."""
_EITHER_DASH: Final = frozenset({"terraform", "tofu", "go"})
"""Programs that take `--race` for `-race`."""
_DASHLESS: Final = frozenset({"tar", "ps", "ar"})
"""Programs that take letters as their first word without a dash: `tar czf`."""

_SAME: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = MappingProxyType(
    {
        command: tuple(tuple(each.split()) for each in rest.split(";"))
        for command, _, rest in (line.partition(":") for line in _TABLE.splitlines() if line)
    }
)
_ONE_DASH_TEXT: Final = """
find java javac terraform tofu go openssl ffmpeg gcc clang php ansible ansible-playbook Remove-Item
"""
_ONE_DASH: Final = frozenset(_ONE_DASH_TEXT.split())
"""Programs whose long flags have one dash, or that take no cluster: `-exec` is not `-e -x -e -c`."""
_TAKING: Final[Mapping[str, str]] = MappingProxyType(
    {
        "git commit": "mFCcSt",
        "git add": "",
        "git push": "o",
        "rm": "",
        "curl": "ohHdXuAeFbcmxTErwKQPtzyYCU",
        "tar": "fCTXb",
        "sed": "e",
        "mkdir": "m",
        "grep": "efABCm",
        "psql": "hUdpcfvPLoFRT",
        "mysql": "huPDe",
        "kubectl": "nflocLsv",
        "fd": "xXedtEjcSo",
        "gh pr create": "tbBHralFRmpT",
        "gh pr merge": "tbFAR",
    }
)
"""Letters that take what is behind them for their value, so that `-mn` of `git commit` is no `-n`."""


def named_alike(command: str, flag: str) -> tuple[str, ...]:
    """Give the names of a flag, itself the first, for an action (`git commit`) or a program."""
    group = _group(command, flag)
    return (flag, *(each for each in group if each != flag))


def names_are_known(command: str, flag: str) -> bool:
    """Say whether `named_alike` gives every name of a flag, or perhaps not all."""
    return command.partition(" ")[0] in _ONLY_NAMES or bool(_group(command, flag))


def _group(command: str, flag: str) -> tuple[str, ...]:
    words = command.split()
    for count in range(len(words), 0, -1):
        for group in _SAME.get(" ".join(words[:count]), ()):
            if flag in group:
                return group
    return ()


def flag_pattern(command: str, flag: str) -> str:
    """Give the RE2 of a word of a command line that is a flag: by each of its names, of one letter in a cluster too, with a value or without."""
    return "|".join(_one(command, each) for each in named_alike(command, flag))


def having_pattern(command: str, flag: str) -> str:
    """Give the RE2 of a flag and what parts it from the word before, as loosely as it can be told: whoever lacks the flag does not match."""
    program = command.partition(" ")[0]
    words = [_one(command, each) for each in named_alike(command, flag)]
    letters = [each[1] for each in named_alike(command, flag) if re.fullmatch(r"-[A-Za-z]", each)]
    if program in _ONE_DASH:
        words += [rf"-{each}\w*" for each in letters]
    apart = rf"[\s\"']({'|'.join(dict.fromkeys(words))})"
    if program not in _DASHLESS or not letters:
        return apart
    return rf"{apart}|(^|[\s;&|(/`\"']){program}[ \t]+[A-Za-z]*[{''.join(letters)}]\w*"


def _one(command: str, flag: str) -> str:
    program = command.partition(" ")[0]
    if not re.fullmatch(r"-[A-Za-z]", flag):
        plain = re.sub(r"([^\w-])", r"\\\1", flag)
        if program in _EITHER_DASH and re.match(r"--?[A-Za-z]{2}", flag):
            return rf"--?{plain.lstrip('-')}(=\S*)?"
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
