SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup test check bench lock format clean

# The interpreter to make the environment with; deploy/setup.sh looks further if it is too old.
PYTHON ?= python3
export PYTHON

help: ## Show this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 14

setup: ## Prepare .venv with the locked packages (does nothing when it is up to date)
	@deploy/setup.sh

# coverage's own limit would count statements and branches together.
define branch_gate
import json, sys
share = json.load(sys.stdin)["totals"]["percent_branches_covered"]
print(f"{share:.1f} % of the branches in engine/ are covered, at least 97 % are asked for")
sys.exit(share < 97)
endef
export branch_gate

test: setup ## Run all tests on all cores; at least 97 % of engine/'s branches must be covered
	@.venv/bin/pytest --numprocesses auto --dist worksteal --cov --cov-report=
	@.venv/bin/coverage report --include 'engine/*'
	@.venv/bin/coverage json --quiet --include 'engine/*' -o - | .venv/bin/python -c "$$branch_gate"

check: setup ## Check format, lint, types, import contracts and docs; names all that fail
	@failed=; \
	verify() { echo "check: $$1"; "$${@:2}" || failed+=" $$1"; }; \
	verify format .venv/bin/ruff format --check --quiet; \
	verify lint .venv/bin/ruff check --quiet; \
	verify types .venv/bin/mypy --no-error-summary; \
	verify imports .venv/bin/lint-imports --no-logo; \
	verify docs .venv/bin/pytest --quiet tests/test_docs.py; \
	[[ -z $$failed ]] || { echo "check: failed:$$failed" >&2; exit 1; }; \
	echo "check: all good"

bench: ## Measure the engine beside RLCard and PettingZoo, and the boxes beside plain processes
	@deploy/setup.sh bench
	@.venv-bench/bin/python -m tests.bench

compile := .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--custom-compile-command 'make lock' $(LOCK_OPTIONS)

run_extras := --extra cli --extra box --extra league

lock: setup ## Rewrite the lock files from pyproject.toml (LOCK_OPTIONS=--upgrade for newer versions)
	@echo "Writing deploy/lock/uv.txt, run.txt, dev.txt and bench.txt"
	@$(compile) - --output-file deploy/lock/uv.txt <<< uv
	@$(compile) pyproject.toml $(run_extras) --output-file deploy/lock/run.txt
	@$(compile) pyproject.toml $(run_extras) --extra rl --extra dev --constraint deploy/lock/run.txt \
		--output-file deploy/lock/dev.txt
	@$(compile) pyproject.toml --extra cli --extra bench --output-file deploy/lock/bench.txt

format: setup ## Format the code and fix what lint can fix by itself
	@.venv/bin/ruff format
	@.venv/bin/ruff check --fix

clean: ## Remove the environments and everything tools left behind
	@echo "Removing the environments and caches"
	@rm -rf .venv .venv-bench .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache \
		.coverage .coverage.* build dist *.egg-info
	@find . -name __pycache__ -prune -exec rm -rf {} +
