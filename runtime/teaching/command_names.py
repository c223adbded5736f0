"""What is known of commands as people write them in a sentence: subcommands, and programs whose names are words of a language."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_WORDS: Final = """
alias ar at bat bundle cal case cc clear code column command convert copy cut date dd declare diff do done else entr
env eval exec exit export factor false file find fish fold for free function go halt hatch head history host http id
if in info install jobs join kill ld less let local locate look mail make man more mount move nice nm open parallel
paste patch poetry read reset return rye say script select set sleep sort split stat strings strip su tail test then
time top touch trap tree true type until uptime wait watch while who yes
"""
_TABLE: Final = """
git: add am apply bisect blame branch checkout cherry-pick clean clone commit config diff fetch gc init log merge mv pull push rebase reflog remote reset restore revert rm show stash status submodule switch tag worktree
npm: audit ci dedupe exec init install link ls outdated pack prune publish rebuild run start test uninstall unpublish update
pnpm: add audit dlx exec import init install link list publish remove run start store test update
yarn: add audit build dlx exec init install link publish remove run start test upgrade why workspace
bun: add build create install remove run test update x
docker: build buildx compose cp exec images kill load login logs ps pull push restart rm rmi run save start stop system tag volume
podman: build compose exec images kill ps pull push restart rm rmi run start stop system
kubectl: apply attach config cordon cp create delete describe drain edit exec expose get label logs patch port-forward replace rollout run scale set taint top
helm: install lint list pull push rollback template test uninstall upgrade
terraform: apply destroy fmt import init output plan refresh state taint validate workspace
tofu: apply destroy fmt import init output plan refresh state taint validate workspace
cargo: add bench build check clean clippy doc fix fmt install publish run test update
go: build clean fmt generate get install mod run test vet work
pip: download freeze install list show uninstall wheel
uv: add build cache lock pip publish python remove run sync tool venv
poetry: add build install lock publish remove run shell update
gh: api auth issue pr release repo run secret workflow
brew: cleanup install link reinstall services tap uninstall update upgrade
apt: autoremove install purge remove update upgrade
apt-get: autoremove install purge remove update upgrade
systemctl: daemon-reload disable enable reload restart start status stop
make: build clean deploy install lint release test
alembic: downgrade revision stamp upgrade
prisma: db generate migrate studio
rails: console db destroy generate routes runner server
openclaw: agent config cron gateway hooks plugins
"""

ENGLISH: Final = frozenset(_WORDS.split())
"""Programs whose names are words: in a sentence they are taken for programs in backticks alone, or with a subcommand."""

SUBCOMMANDS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        program: frozenset(rest.split())
        for program, _, rest in (line.partition(":") for line in _TABLE.splitlines() if line)
    }
)
"""Subcommands that are known of programs, for sentences: in a call they are read off the call."""
