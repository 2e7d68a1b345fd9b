#!/usr/bin/env bash
# Runs a command on a server with the league's settings, as the user of its services:
#
#   deploy/as-karat.sh manage.py status
#   deploy/as-karat.sh deploy/backup.sh /var/lib/karat/backups
#
# KARAT_ENV names another file of settings, KARAT_USER another user. The file is read as systemd
# reads it (read_env.py), so that a command sees what the services see.
set -euo pipefail
umask 077
cd "$(dirname "${BASH_SOURCE[0]}")/.."

settings=${KARAT_ENV:-/etc/karat/karat.env}
user=${KARAT_USER:-karat}
fail() { echo "as-karat: $*" >&2; exit 2; }

[[ $# -gt 0 ]] || fail "say what to run, for example: manage.py status"
[[ -r $settings ]] || fail "$settings cannot be read; make it from deploy/karat.env.example, or be root"
mapfile -d '' -t assignments < <(python3 deploy/read_env.py "$settings")
wait $! || fail "$settings was not read"
for assignment in "${assignments[@]}"; do
    export "${assignment?}"
done

HOME=$(getent passwd "$user" | cut -d: -f6)
[[ -n $HOME ]] || fail "there is no user $user; docs/operate.md makes one"
export HOME KARAT_VAR=${KARAT_VAR:-$HOME/by-hand}
[[ $1 != manage.py ]] || set -- .venv/bin/python "$@"
if [[ $(id -u) -eq 0 ]]; then
    install -d -m 0700 -o "$user" -g "$user" "$KARAT_VAR"
    exec runuser -u "$user" -- "$@"
fi
exec "$@"
