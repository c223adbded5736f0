#!/usr/bin/env bash
# Installs Node 24 and OpenClaw from npm into a folder, for the tests of this one; prints what CASEBOOK_NODE_BIN is to name.
#   export CASEBOOK_NODE_BIN="$(tests/openclaw/install.sh [FOLDER])" && pytest tests/openclaw
set -euo pipefail
folder=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/casebook-openclaw}
mkdir -p "$folder"
cd "$folder"
[ -f package.json ] || echo '{"private": true}' > package.json
if [ ! -x node_modules/.bin/openclaw ]; then
    npm install --no-audit --no-fund --loglevel=error node@24 >&2
    PATH="$folder/node_modules/.bin:$PATH" npm install --no-audit --no-fund --loglevel=error openclaw@2026.9.6 >&2
fi
PATH="$folder/node_modules/.bin:$PATH" openclaw --version >&2
echo "$folder/node_modules/.bin"
