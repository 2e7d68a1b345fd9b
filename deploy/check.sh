#!/usr/bin/env bash
# Looks for mistakes in everything under deploy/ that no test runs. What is not installed is named
# and left out; that is never a failure.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit

bin=.venv/bin
failed=()
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

verify() {
    local name=$1
    shift
    local output
    if output=$("$@" 2>&1); then
        echo "deploy: $name: good"
    else
        printf 'deploy: %s: FAILED\n%s\n' "$name" "$output"
        failed+=("$name")
    fi
}

skip() { echo "deploy: $1: NOT CHECKED, $2 is not installed here"; }

# It only mutters about a value it does not know, and ends well.
units_say_nothing() {
    local said
    said=$(systemd-analyze verify --man=no "$@" 2>&1) && [[ -z $said ]] || { echo "$said"; return 1; }
}

has() { command -v "$1" >/dev/null; }

for script in deploy/*.sh deploy/*/*.sh; do
    verify "$script (bash)" bash -n "$script"
done
if has shellcheck; then
    verify "scripts" shellcheck --severity=warning deploy/*.sh deploy/*/*.sh
else
    skip "scripts" shellcheck
fi

if [[ -x $bin/hadolint ]]; then
    verify "Dockerfile" "$bin/hadolint" deploy/Dockerfile
else
    skip "Dockerfile" hadolint
fi

if [[ -x $bin/check-jsonschema ]]; then
    # The schema that comes with the tool; nothing is fetched.
    verify "compose.yaml" "$bin/check-jsonschema" --builtin-schema vendor.compose-spec deploy/compose.yaml
else
    skip "compose.yaml" check-jsonschema
fi
# `config` only reads files; no engine is needed for it.
if has docker && docker compose version >/dev/null 2>&1; then
    sed -e 's/^SECRET_KEY=$/SECRET_KEY=x/; s/^\(POSTGRES\|REDIS\)_PASSWORD=$/\1_PASSWORD=x/' \
        deploy/karat.env.example > "$work/karat.env"
    cp deploy/compose.yaml deploy/seccomp-worker.json "$work"
    verify "compose.yaml (docker)" docker compose --file "$work/compose.yaml" --env-file "$work/karat.env" config --quiet
else
    skip "compose.yaml (docker)" "docker compose"
fi

for file in deploy/*.json deploy/*/*.json; do
    verify "$file" python3 -m json.tool "$file" /dev/null
done
if has promtool; then
    verify "alerts" promtool check rules deploy/prometheus/alerts.yaml
else
    skip "alerts" promtool
fi

if has systemd-analyze; then
    # It wants the programs to be there, so they are looked for in this folder, under a name without
    # spaces.
    ln -s "$PWD" "$work/here"
    for unit in deploy/systemd/*.{service,timer}; do
        sed -e "s|/opt/karat|$work/here|g" -e '/^User=\|^Group=\|^EnvironmentFile=/d' "$unit" > "$work/$(basename "$unit")"
    done
    verify "systemd units" units_say_nothing "$work"/*.service "$work"/*.timer
else
    skip "systemd units" systemd-analyze
fi

if has caddy; then
    verify "Caddyfile" caddy validate --adapter caddyfile --config deploy/Caddyfile
else
    skip "Caddyfile" caddy
fi

if has nginx; then
    # The certificates of a real site are not here.
    sed '/ssl_certificate/d; s/listen \(.*\)443 ssl/listen \18443/; s|/var/log/nginx/karat.log|'"$work"'/log|' deploy/nginx.conf > "$work/karat.conf"
    printf 'pid %s/pid; events {} http { include %s/karat.conf; }\n' "$work" "$work" > "$work/nginx.conf"
    verify "nginx.conf" nginx -t -q -c "$work/nginx.conf"
else
    skip "nginx.conf" nginx
fi

if [[ ${#failed[@]} -gt 0 ]]; then
    echo "deploy: failed: ${failed[*]}" >&2
    exit 1
fi
