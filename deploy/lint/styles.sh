#!/usr/bin/env bash
# Lints the style sheets of the folders it is given. Without the linter it says so; that is never a failure.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

biome=$(compgen -G '.venv/lint/node_modules/@biomejs/cli-linux-*/biome' || true)
if [[ -z $biome ]]; then
    echo "styles: NOT CHECKED, make setup could not install Biome; it needs npm"
    exit
fi
exec "$biome" lint --config-path=deploy/lint --error-on-warnings --colors=off "$@"
