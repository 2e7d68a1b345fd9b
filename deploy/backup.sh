#!/usr/bin/env bash
# Writes a backup of the league's database into a folder, while the league goes on.
#
#   deploy/backup.sh FOLDER [KEEP]      keeps the latest KEEP backups (14)
#
# Which database: DATABASE_URL, or the SQLite file under KARAT_VAR (var/). Everything is in the
# database but the files of bots, if BLOB_STORE names a place for them; Redis and the files of a broker
# hold nothing worth keeping. A backup is one moment of it.
set -euo pipefail
umask 077

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=${1:?Usage: deploy/backup.sh FOLDER [KEEP]}
keep=${2:-14}
var=${KARAT_VAR:-$root/var}
url=${DATABASE_URL:-}
python=$root/.venv/bin/python

fail() { echo "backup: $*" >&2; exit 1; }

mkdir -p "$folder"
stamp=$(date -u +%Y%m%dT%H%M%SZ)

case $url in
    postgres://* | postgresql://*)
        file=$folder/karat-$stamp.pgdump
        pg_dump --format=custom --no-owner --no-privileges --file="$file.growing" "$url"
        # A dump whose table of contents cannot be read is none.
        pg_restore --list "$file.growing" >/dev/null
        ;;
    '' | sqlite:///*)
        database=${url#sqlite:///}
        database=${database:-$var/karat.sqlite3}
        [[ -f $database ]] || fail "there is no database $database"
        file=$folder/karat-$stamp.sqlite3
        # SQLite's own copy of one moment; copying the file itself could tear it.
        "$python" - "$database" "$file.growing" <<'PYTHON'
import sqlite3
import sys
from contextlib import closing

with closing(sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True, timeout=60)) as source:
    with closing(sqlite3.connect(sys.argv[2])) as target:
        source.backup(target)
        said = target.execute("pragma integrity_check").fetchone()[0]
        if said != "ok":
            sys.exit(f"backup: the copy is damaged: {said}")
PYTHON
        ;;
    *) fail "DATABASE_URL must begin with postgres:// or sqlite:///" ;;
esac

mv "$file.growing" "$file"
(cd "$folder" && sha256sum "$(basename "$file")" > "$(basename "$file").sha256")

# The oldest go first; names sort by time.
mapfile -t old < <(find "$folder" -maxdepth 1 \( -name 'karat-*.pgdump' -o -name 'karat-*.sqlite3' \) | sort -r | tail -n "+$((keep + 1))")
for each in "${old[@]}"; do
    rm -f "$each" "$each.sha256"
done

# The league shows how old its last backup is and sounds an alert; a backup it could not be told of
# is a good one all the same.
bytes=$(wc -c < "$file" | tr -d ' ')
note() {
    case $url in
        # Beside a database there may be no Python: this also runs in the container of PostgreSQL.
        postgres*) psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --set=name="$(basename "$file")" \
            --set=bytes="$bytes" "$url" <<< "insert into operate_maintenancerun
            (kind, finished_at, size_bytes, detail) values ('backup', now(), :bytes, :'name')" ;;
        *) "$python" "$root/manage.py" note_backup "$(basename "$file")" --bytes "$bytes" ;;
    esac
}
note || echo "backup: the league could not be told of it" >&2

echo "backup: $file ($bytes bytes)"
[[ -z ${BLOB_STORE:-} ]] || echo "backup: the files of bots are not in it; copy BLOB_STORE now"
[[ -n ${SECRET_KEY:-} || ! -f $var/secret_key ]] ||
    echo "backup: $var/secret_key is not in it; without that file everybody has to sign in again"
