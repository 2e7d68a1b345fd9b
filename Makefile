SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup run test test-full check bench chaos screenshots lock format clean

# The interpreter to make the environment with; deploy/setup.sh looks further if it is too old.
PYTHON ?= python3
export PYTHON

help: ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 16

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

run: ## Run a whole league on this machine until Ctrl-C (PORT and HOST choose the address)
	@deploy/setup.sh run
	@exec .venv/bin/python manage.py run

pytest := .venv/bin/pytest --no-loadscope-reorder --numprocesses

# Tests with boxes, browsers and servers wait a lot, so there is one process more than cores.
waiting := $(shell expr $$(nproc) + 1)

# What a database or a broker could make different is tested on both stacks.
on_a_server := tests/test_story.py tests/league/workers/test_faults_of_ours.py tests/league/ladder/test_ladder.py \
	tests/league/bots/test_bots.py tests/league/matches/test_statistics.py tests/league/workers/test_locks.py \
	tests/league/workers/test_races.py tests/league/workers/test_leases.py tests/league/workers/test_turns.py \
	tests/league/workers/test_redis_down.py tests/league/workers/test_killed_workers.py \
	tests/league/tournaments/test_life.py \
	tests/league/web/test_arbitrary_text.py tests/league/moderation/test_moderation_seams.py \
	tests/league/matches/test_hidden_faults.py tests/league/operate/test_former_database.py \
	tests/league/playground/test_playground.py tests/league/playground/test_playground_boxes.py \
	tests/league/blobs tests/league/bots/bundles tests/league/workers/test_bundles_at_work.py \
	tests/league/tournaments/sealing/test_sealing_races.py tests/league/tournaments/sealing/test_revealing.py \
	tests/league/tournaments/sealing/test_sealed_ratings.py tests/league/chances

test: setup ## Run all tests on all cores, the league on both stacks; at least 97 % of engine/'s branches must be covered
	@$(pytest) auto tests/engine --cov --cov-report=
	@.venv/bin/coverage report --include 'engine/*'
	@.venv/bin/coverage json --quiet --include 'engine/*' -o - | .venv/bin/python -c "$$branch_gate"
	@$(pytest) $(waiting) tests --ignore tests/engine
	@STACK=server $(pytest) $(waiting) $(on_a_server)

test-full: setup ## Run what `make test` does, with whole products of sizes, seats and the like instead of covering samples
	@FULL=1 $(MAKE) --no-print-directory test

# Folders whose scripts and style sheets are linted.
assets := league/static bots_sdk/viewer bots_sdk/games

check: setup ## Check format, lint, types, import contracts, migrations, templates, assets, docs and deploy files; names all that fail
	@failed=; \
	verify() { echo "check: $$1"; "$${@:2}" || failed+=" $$1"; }; \
	verify format .venv/bin/ruff format --check --quiet; \
	verify lint .venv/bin/ruff check --quiet; \
	verify types .venv/bin/mypy --no-error-summary; \
	verify imports .venv/bin/lint-imports --no-logo; \
	verify migrations .venv/bin/python manage.py makemigrations --check --dry-run; \
	verify templates .venv/bin/djlint --lint --quiet league/templates; \
	verify scripts .venv/bin/oxlint --config deploy/lint/oxlint.json --deny-warnings $(assets); \
	verify styles deploy/lint/styles.sh $(assets); \
	verify docs .venv/bin/pytest --quiet tests/test_docs.py; \
	verify deploy deploy/check.sh; \
	[[ -z $$failed ]] || { echo "check: failed:$$failed" >&2; exit 1; }; \
	echo "check: all good"

# What can be measured, each by itself: make bench BENCH="league load".
# Those of the first line are compared with commit 0b1820e or with other libraries; summary has their goals in one table.
BENCH ?= games boxed pipeline rating views mixed summary \
	bundles seats league ladder claims mirrored rebuild pages million load premiere viewer idle

bench: setup ## Measure engine, boxes, fairness of seats, the league's pipeline, ladder, locks, pages, load and viewer (BENCH chooses)
	@for part in $(BENCH); do \
		case $$part in \
			games) deploy/setup.sh bench; .venv-bench/bin/python -m tests.bench ;; \
			boxed) deploy/setup.sh kaggle || echo "bench: measuring without kaggle-environments"; \
				.venv/bin/python -m tests.bench.boxed ;; \
			*) .venv/bin/python -m "tests.bench.$$part" ;; \
		esac; \
	done

chaos: setup ## Break a running league for some minutes on both stacks, then check that nothing was lost
	@.venv/bin/python -m tests.chaos $(CHAOS)

screenshots: setup ## Write pictures of the key pages to the folder SCREENSHOTS (default: screenshots)
	@.venv/bin/python -m tests.browser.screenshots $(or $(SCREENSHOTS),screenshots)

compile := .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--custom-compile-command 'make lock' $(LOCK_OPTIONS)

run_extras := --extra build --extra cli --extra box --extra league

lock: setup ## Rewrite the lock files from pyproject.toml (LOCK_OPTIONS=--upgrade for newer versions)
	@echo "Writing deploy/lock/uv.txt, run.txt, dev.txt, bench.txt, kaggle.txt and deploy/lint/package-lock.json"
	@$(compile) - --output-file deploy/lock/uv.txt <<< uv
	@$(compile) pyproject.toml $(run_extras) --extra rl --extra dev --output-file deploy/lock/dev.txt
	@$(compile) pyproject.toml $(run_extras) --constraint deploy/lock/dev.txt --output-file deploy/lock/run.txt
	@$(compile) pyproject.toml --extra build --extra cli --extra bench --output-file deploy/lock/bench.txt
	@$(compile) - --excludes deploy/lock/kaggle-excludes.in --output-file deploy/lock/kaggle.txt <<< kaggle-environments
	@npm install --prefix deploy/lint --package-lock-only --omit-lockfile-registry-resolved --no-audit --no-fund \
		--loglevel error

format: setup ## Format the code and fix what lint can fix by itself
	@.venv/bin/ruff format
	@.venv/bin/ruff check --fix

clean: ## Remove the environments and everything tools left behind
	@echo "Removing the environments and caches"
	@rm -rf .venv .venv-bench .venv-kaggle .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache \
		.coverage .coverage.* build dist *.egg-info
	@find . -name __pycache__ -prune -exec rm -rf {} +
