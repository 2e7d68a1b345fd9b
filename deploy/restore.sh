#!/usr/bin/env bash
# Puts a backup into an empty database, brings it to the present code, and proves it.
#
#   deploy/restore.sh FILE
#
# Which database: DATABASE_URL, or the SQLite file under KARAT_VAR (var/). It must be empty: restore
# beside the old one and change over, so that nothing is lost if the backup is not what you thought.
set -euo pipefail
umask 077

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
file=${1:?Usage: deploy/restore.sh FILE}
var=${KARAT_VAR:-$root/var}
url=${DATABASE_URL:-}
manage() { "$root/.venv/bin/python" "$root/manage.py" "$@"; }

fail() { echo "restore: $*" >&2; exit 1; }

[[ -f $file ]] || fail "there is no file $file"
if [[ -f $file.sha256 ]]; then
    (cd "$(dirname "$file")" && sha256sum --check --status "$(basename "$file").sha256") ||
        fail "$file is not as it was written: its checksum differs"
fi

case $url in
    postgres://* | postgresql://*)
        [[ $file == *.pgdump ]] || fail "$file is no backup of a PostgreSQL; export_league and import_league change the kind of database"
        tables=$(psql --no-psqlrc --tuples-only --no-align --command \
            "select count(*) from information_schema.tables where table_schema = 'public'" "$url")
        [[ $tables == 0 ]] || fail "the database has $tables tables; create an empty one and name it in DATABASE_URL"
        pg_restore --no-owner --no-privileges --exit-on-error --single-transaction --dbname="$url" "$file"
        ;;
    '' | sqlite:///*)
        [[ $file == *.sqlite3 ]] || fail "$file is no backup of an SQLite database; export_league and import_league change the kind of database"
        database=${url#sqlite:///}
        database=${database:-$var/karat.sqlite3}
        [[ ! -e $database ]] || fail "$database is there already; move it away first"
        mkdir -p "$(dirname "$database")"
        cp "$file" "$database.growing"
        mv "$database.growing" "$database"
        ;;
    *) fail "DATABASE_URL must begin with postgres:// or sqlite:///" ;;
esac

manage migrate --verbosity 0
manage inspect_data
echo "restore: done; start web, control and worker"
