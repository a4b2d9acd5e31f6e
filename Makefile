# The commands of this repository; `make` alone lists them.
SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PEERS := build/peers
# The newest that is published as a crate; infra/layers.py deploys a later release of the same line.
WEB_ADAPTER := lambda_web_adapter --version 1.0.0-rc1
# All tests at once run in a process for each core; those that ARGS chooses in one, which is sooner ready.
PARALLEL := --numprocesses auto --maxprocesses 4
COMPILE := $(BIN)/uv pip compile --universal --python-version 3.11 --no-emit-index-url --no-emit-find-links --no-header
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help
help: ## List the targets
	@awk 'BEGIN {FS = ":.*## "} /^[a-z0-9-]+:.*## / {printf "  make %-16s%s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

.PHONY: run
run: $(STAMP) ## Run everything on this machine, demo included, on CLEW_PORT (8000); Ctrl-C stops it
	@$(BIN)/clew up

.PHONY: test
test: $(STAMP) ## Run all tests, on all cores; ARGS="tests/unit -k chat" chooses
	$(BIN)/python -m pytest $(or $(ARGS),$(PARALLEL))

.PHONY: test-unit
test-unit: $(STAMP) ## Run the unit tests alone: no sockets, seconds
	$(BIN)/python -m pytest tests/unit $(ARGS)

.PHONY: test-neo4j
test-neo4j: $(STAMP) ## Run the tests of the graph on a real Neo4j too; needs Java 17 and Maven
	$(BIN)/python -m tests.neo4j_server $(BIN)/python -m pytest tests/integration -k neo4j $(ARGS)

.PHONY: test-fuzz
test-fuzz: $(STAMP) ## Send some thousand generated requests to a stack of their own; SEED=7 repeats a run
	CLEW_FUZZ_SEED=$(or $(SEED),random) $(BIN)/python -m pytest tests/e2e/test_bad_input.py --timeout 3600 $(ARGS)

.PHONY: check
check: format-check lint types test ## Everything that CI checks: format, lint, types, tests

.PHONY: format-check
format-check: $(STAMP) ## Check the format without changing it
	$(BIN)/ruff format --check .

.PHONY: lint
lint: $(STAMP) ## Check the code with ruff
	$(BIN)/ruff check .

.PHONY: types
types: $(STAMP) ## Check the types of the package with mypy
	$(BIN)/mypy

.PHONY: format
format: $(STAMP) ## Format the code and mend what ruff can mend
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.PHONY: bench
bench: $(STAMP) ## Measure latencies, start time, package sizes and imports
	$(BIN)/python -m tests.bench $(ARGS)

.PHONY: bench-retrieval
bench-retrieval: $(STAMP) ## Measure retrieval beside neo4j-graphrag; DATASET=path/to/2wiki, ARGS=--write
	@test -n "$(DATASET)" || { echo "make: name the data set: make bench-retrieval DATASET=path/to/2wiki" >&2; exit 1; }
	@$(MAKE) --no-print-directory $(PEERS)/.installed
	$(BIN)/python -m tests.bench.retrieval --dataset "$(DATASET)" $(ARGS)

.PHONY: bench-memory
bench-memory: $(STAMP) ## Measure what remembering costs beside LangGraph's checkpoints; ARGS=--write
	@$(MAKE) --no-print-directory $(PEERS)/.installed
	$(BIN)/python -m tests.bench.conversation $(ARGS)

.PHONY: openapi
openapi: $(STAMP) ## Write the OpenAPI document that the service publishes
	@$(BIN)/python -m clew.openapi

.PHONY: bench-reliability
bench-reliability: $(STAMP) ## Inject every fault, and measure under load; ARGS=--write, ARGS=--quick
	$(BIN)/python -m tests.bench.reliability $(ARGS)

.PHONY: layers
layers: $(STAMP) ## Build the dependency layers for AWS into build/layers
	$(BIN)/python -m infra.build_layers

.PHONY: web-adapter
web-adapter: ## Build the Lambda Web Adapter for the tests, once, into build/web-adapter; needs Rust
	@command -v cargo >/dev/null || { echo "make: cargo is missing. Install Rust: https://rustup.rs" >&2; exit 1; }
	@CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0 cargo install $(WEB_ADAPTER) --quiet --locked --debug --root build/web-adapter --target-dir build/web-adapter/target

.PHONY: lock
lock: $(STAMP) ## Compile requirements/*.txt and those of the layers from pyproject.toml
	@test -x $(BIN)/uv || $(BIN)/python -m pip install --quiet uv
	$(COMPILE) --extra answer --extra local --extra dev pyproject.toml -o requirements/all.txt
	$(COMPILE) --extra peers --constraint requirements/all.txt pyproject.toml -o requirements/peers.txt
	$(BIN)/python -m infra.layer_requirements

.PHONY: install
install: $(STAMP) ## Install into .venv; other targets do it when needed

.PHONY: clean
clean: ## Remove what can be built again; .clew (your data) and .venv stay
	rm -rf build cdk.out dist node_modules .pytest_cache .mypy_cache .ruff_cache .coverage
	find . -name __pycache__ -type d -not -path './$(VENV)/*' -prune -exec rm -rf {} +

$(STAMP): requirements/all.txt pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "make: $(PYTHON) is missing. Install Python 3.11 or later, or name one: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "make: $$($(PYTHON) --version) is too old. Install Python 3.11 or later, or name one: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "make: $(PYTHON) lacks the module venv. On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@test -x $(BIN)/python || { echo "Creating $(VENV)"; $(PYTHON) -m venv $(VENV); }
	@echo "Installing packages into $(VENV): one to two minutes the first time"
	@$(BIN)/python -m pip install --progress-bar off -r requirements/all.txt
	@$(BIN)/python -m pip install --quiet --no-deps --editable .
	@touch $@

$(PEERS)/.installed: requirements/peers.txt
	@echo "Installing what Clew is measured beside into $(PEERS)"
	@test -x $(PEERS)/bin/python || $(PYTHON) -m venv $(PEERS)
	@$(PEERS)/bin/python -m pip install --quiet --progress-bar off -r $<
	@touch $@
