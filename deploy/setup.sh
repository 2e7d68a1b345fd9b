#!/usr/bin/env bash
# Prepares an environment of its own for one lock, and does nothing if that is already done.
#
#   deploy/setup.sh run      .venv        what a league needs to run, and the project itself
#   deploy/setup.sh          .venv        the same, and what tests and checks need
#   deploy/setup.sh bench    .venv-bench  the libraries `make bench` compares with
#   deploy/setup.sh kaggle   .venv-kaggle one more of them, which needs other versions
#
# PYTHON names the interpreter to try first.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

lock=${1:-dev}
case $lock in
    run | dev) venv=.venv ;;
    bench | kaggle) venv=.venv-$lock ;;
    *) echo "Usage: deploy/setup.sh [run|dev|bench|kaggle]" >&2; exit 2 ;;
esac
stamp=$venv/karat-setup

say() { echo "setup: $*"; }

fail() { say "$*" >&2; exit 1; }

# Only a step that fails shows what it printed.
quietly() {
    local output
    output=$("$@" 2>&1) || { printf '%s\n' "$output" >&2; return 1; }
}

find_python() {
    local candidate
    for candidate in "${PYTHON:-python3}" python3 python3.{14,13,12,11}; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    fail "Karat needs Python 3.11 or newer and found none; install it, or name it: make setup PYTHON=python3.12"
}

may_install_packages() { [[ $EUID -eq 0 ]] && command -v apt-get >/dev/null; }

install_packages() {
    say "installing Debian's $*"
    quietly apt-get update
    DEBIAN_FRONTEND=noninteractive quietly apt-get install --yes --no-install-recommends "$@"
}

# The tests start servers and a browser of their own; Debian's are used for that.
ensure_test_servers() {
    local missing=()
    compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null || missing+=(postgresql)
    command -v redis-server >/dev/null || missing+=(redis-server)
    command -v chromium >/dev/null || missing+=(chromium)
    [[ ${#missing[@]} -gt 0 ]] || return 0
    if may_install_packages; then
        install_packages "${missing[@]}"
    else
        say "some tests need more; run: sudo apt-get install ${missing[*]}"
    fi
}

# Bots of strangers run in boxes; a root controller starts them as a user that owns nothing.
ensure_boxes() {
    if ! command -v bwrap >/dev/null; then
        if may_install_packages; then
            install_packages bubblewrap
        else
            say "boxes for bots need bubblewrap; run: sudo apt-get install bubblewrap"
        fi
    fi
    if [[ $EUID -eq 0 ]] && ! id karat-box >/dev/null 2>&1; then
        say "creating the user karat-box, as whom boxes run"
        quietly useradd --system --no-create-home --shell /usr/sbin/nologin karat-box
    fi
}

# Debian ships Python without ensurepip, which venv needs.
ensure_venv_module() {
    "$1" -c 'import ensurepip, venv' 2>/dev/null && return
    may_install_packages ||
        fail "this Python cannot make environments; run: sudo apt-get install python3-venv"
    install_packages python3-venv
    "$1" -c 'import ensurepip, venv' 2>/dev/null ||
        fail "$("$1" --version) still cannot make environments; name another: make setup PYTHON=python3.12"
}

# An operator's games lie in the environment too, and go with it.
name_lost_games() {
    local file package
    for file in "$venv"/lib/python*/site-packages/*.dist-info/entry_points.txt; do
        grep --quiet --no-messages '^\[karat\.games\]' "$file" || continue
        package=$(basename "$(dirname "$file")" .dist-info)
        [[ $package == karat_league-* ]] ||
            say "$venv is made anew: install ${package%-*} again, which brought a game"
    done
}

create_venv() {
    local python
    python=$(find_python)
    name_lost_games
    ensure_venv_module "$python"
    say "creating $venv with $("$python" --version)"
    quietly "$python" -m venv --clear "$venv"
}

install_locked() {
    say "installing the packages of deploy/lock/$lock.txt"
    local pip=("$venv/bin/python" -m pip --disable-pip-version-check)
    # uv does not read pip's settings; the one that matters is where packages come from.
    [[ -z ${PIP_INDEX_URL:-} ]] || export UV_DEFAULT_INDEX=${UV_DEFAULT_INDEX:-$PIP_INDEX_URL}
    # Not `sync`, which would remove the games that an operator installed.
    local uv=("$venv/bin/uv" pip install --python "$venv/bin/python")
    if quietly "${pip[@]}" install --require-hashes --no-deps --requirement deploy/lock/uv.txt &&
        quietly "${uv[@]}" --require-hashes --no-deps --requirement "deploy/lock/$lock.txt"
    then
        return
    fi
    say "uv could not install them, trying pip, which takes a minute"
    quietly "${pip[@]}" install --require-hashes --no-deps --requirement "deploy/lock/$lock.txt"
}

install_project() {
    say "installing Karat itself"
    # An environment of before the project was called karat-league has it twice otherwise.
    quietly "$venv/bin/python" -m pip --disable-pip-version-check uninstall --yes karat
    quietly "$venv/bin/python" -m pip --disable-pip-version-check install \
        --no-index --no-deps --no-build-isolation --editable .
}

# Style sheets are linted by Biome, which PyPI has not. Without npm `make check` leaves them out and says so.
install_style_linter() {
    command -v npm >/dev/null || return 0
    say "installing the linter of style sheets"
    mkdir -p "$venv/lint"
    cp deploy/lint/package.json deploy/lint/package-lock.json "$venv/lint"
    quietly npm ci --prefix "$venv/lint" --ignore-scripts --no-audit --no-fund ||
        say "npm could not install it, so style sheets will not be checked"
}

# The path is part of it because the scripts of an environment that was moved do not work.
state_of() {
    echo "$PWD $1 $(sha256sum pyproject.toml deploy/setup.sh deploy/lock/{uv,$1}.txt deploy/lint/package-lock.json | sha256sum)"
}

[[ $lock != run && $lock != dev ]] || ensure_boxes
[[ $lock != dev ]] || ensure_test_servers

state=$(state_of "$lock")
done_before=$(cat "$stamp" 2>/dev/null || true)
if [[ -x $venv/bin/python ]]; then
    if [[ $done_before == "$state" ]] ||
        # What tests need holds all that a league needs.
        [[ $lock == run && $done_before == "$(state_of dev)" ]]
    then
        say "$venv is up to date"
        exit
    fi
fi
# Without a stamp the last run was interrupted: start again rather than trust what it left.
if [[ $done_before != "$PWD "* || ! -x $venv/bin/python ]]; then
    create_venv
fi
rm -f "$stamp"
install_locked
[[ $lock == kaggle ]] || install_project
[[ $lock != dev ]] || install_style_linter
echo "$state" > "$stamp"
say "$venv is ready"
