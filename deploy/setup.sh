#!/usr/bin/env bash
# Prepares an environment of its own for one lock, and does nothing if that is already done.
#
#   deploy/setup.sh          .venv        what tests and checks need, and the project itself
#   deploy/setup.sh bench    .venv-bench  the libraries `make bench` compares with
#
# PYTHON names the interpreter to try first.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

lock=${1:-dev}
case $lock in
    dev) venv=.venv ;;
    bench) venv=.venv-bench ;;
    *) echo "Usage: deploy/setup.sh [dev|bench]" >&2; exit 2 ;;
esac
stamp=$venv/karat-setup
inputs=(pyproject.toml deploy/setup.sh deploy/lock/uv.txt "deploy/lock/$lock.txt")

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

install_package() {
    say "installing Debian's $1"
    quietly apt-get update
    DEBIAN_FRONTEND=noninteractive quietly apt-get install --yes "$1"
}

# Bots of strangers run in boxes; a root controller starts them as a user that owns nothing.
ensure_boxes() {
    if ! command -v bwrap >/dev/null; then
        if may_install_packages; then
            install_package bubblewrap
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
    install_package python3-venv
    "$1" -c 'import ensurepip, venv' 2>/dev/null ||
        fail "$("$1" --version) still cannot make environments; name another: make setup PYTHON=python3.12"
}

create_venv() {
    local python
    python=$(find_python)
    ensure_venv_module "$python"
    say "creating $venv with $("$python" --version)"
    quietly "$python" -m venv --clear "$venv"
}

install_locked() {
    say "installing the packages of deploy/lock/$lock.txt"
    local pip=("$venv/bin/python" -m pip --disable-pip-version-check)
    # uv does not read pip's settings; the one that matters is where packages come from.
    [[ -z ${PIP_INDEX_URL:-} ]] || export UV_DEFAULT_INDEX=${UV_DEFAULT_INDEX:-$PIP_INDEX_URL}
    if quietly "${pip[@]}" install --require-hashes --no-deps --requirement deploy/lock/uv.txt &&
        quietly "$venv/bin/uv" pip sync --require-hashes --python "$venv/bin/python" "deploy/lock/$lock.txt"
    then
        return
    fi
    say "uv could not install them, trying pip, which takes a minute"
    quietly "${pip[@]}" install --require-hashes --no-deps --requirement "deploy/lock/$lock.txt"
}

install_project() {
    say "installing Karat itself"
    quietly "$venv/bin/python" -m pip --disable-pip-version-check install \
        --no-index --no-deps --no-build-isolation --editable .
}

[[ $lock != dev ]] || ensure_boxes

# The path is part of it because the scripts of an environment that was moved do not work.
state="$PWD $(sha256sum "${inputs[@]}" | sha256sum)"
done_before=$(cat "$stamp" 2>/dev/null || true)
if [[ $done_before == "$state" && -x $venv/bin/python ]]; then
    say "$venv is up to date"
    exit
fi
# Without a stamp the last run was interrupted: start again rather than trust what it left.
if [[ $done_before != "$PWD "* || ! -x $venv/bin/python ]]; then
    create_venv
fi
rm -f "$stamp"
install_locked
[[ $lock != dev ]] || install_project
echo "$state" > "$stamp"
say "$venv is ready"
