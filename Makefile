# `make run` shows a real run on a real game process. `make test` is what CI runs. `make help` lists the rest.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

CARGO ?= cargo
# Build outputs lie outside the clone, so that a second clone need not compile everything again.
CARGO_TARGET_DIR ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/leasehold/target
export CARGO_TARGET_DIR

sudo := $(if $(filter-out 0,$(shell id -u)),sudo)

# Where the engine looks for PostgreSQL, too. The tests ask psql and pg_dump besides.
empty :=
folders := $(LEASEHOLD_PG_BIN) $(subst :,$(empty) $(empty),$(PATH)) /usr/lib/postgresql/*/bin /usr/pgsql-*/bin /usr/lib64/pgsql/bin
found = $(firstword $(wildcard $(addsuffix /$(1),$(folders))))
server := $(and $(call found,initdb),$(call found,postgres),$(call found,pg_ctl))
client := $(and $(shell command -v psql),$(shell command -v pg_dump))
compiler := $(shell command -v cc)

# $(1): packages as Debian and Ubuntu call them; $(2): what they are for.
define install
	@echo "Not found here: $(2). Installing with apt-get: $(1)"
	@command -v apt-get >/dev/null || { echo "There is no apt-get on this machine; please install $(2) by hand."; exit 1; }
	$(sudo) apt-get update
	$(sudo) env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends $(1)
endef

# One after the other: several cargos at once only wait for each other.
.NOTPARALLEL:
.PHONY: help run test lint build tests doc-tests docs soak bench clean compiler server client games luanti

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

run: compiler $(if $(DATABASE_URL),,server) build ## install what is missing, build, and start the demonstration (Ctrl-C ends it)
	@exec "$(CARGO_TARGET_DIR)/debug/leasehold" demo

test: compiler server client games lint build doc-tests docs tests ## everything that must hold; what CI runs
	@echo "All of it holds."

lint: ## layout and lints of the whole workspace
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings

build: ## every program of the workspace: the engine, the sidecar, the reference game
	$(CARGO) build --workspace --bins

# One PostgreSQL for all tests, made by the first that needs it and stopped here, however they end.
tests: build ## all tests, by cargo-nextest where it is installed
	@LEASEHOLD_TEST_CLUSTER_DIR="$$(mktemp -d "$${TMPDIR:-/tmp}/leasehold-tests-XXXXXX")"; \
	export LEASEHOLD_TEST_CLUSTER_DIR; chmod 755 "$$LEASEHOLD_TEST_CLUSTER_DIR"; \
	finish() { \
		server="$$(head -n 1 "$$LEASEHOLD_TEST_CLUSTER_DIR/data/postmaster.pid" 2>/dev/null || true)"; \
		if [ -n "$$server" ] && kill -QUIT "$$server" 2>/dev/null; then \
			for _ in $$(seq 100); do kill -0 "$$server" 2>/dev/null || break; sleep 0.1; done; \
		fi; \
		rm -rf "$$LEASEHOLD_TEST_CLUSTER_DIR"; \
	}; \
	trap finish EXIT; \
	if $(CARGO) nextest --version >/dev/null 2>&1; then \
		$(CARGO) nextest run --workspace; \
	else \
		$(CARGO) test --workspace --lib --bins --tests --no-fail-fast; \
	fi

doc-tests: ## the examples in the documentation of the code
	$(CARGO) test --workspace --doc --quiet

docs: ## that the links in the documentation of the code lead somewhere
	RUSTDOCFLAGS="-D warnings -A rustdoc::private_intra_doc_links" $(CARGO) doc --workspace --no-deps --document-private-items --quiet

soak: compiler server client build ## what is too long for make test: every change of every zone's clocks, minute by minute; a year of schedules in a dozen zones; a million commands to one game; every value that can be borrowed, failed at every point; a hundred storms over a game; lines as nobody should send them, a hundred thousand; a fortnight of mixed events and of every fault; a hundred runs at once on four engines, twenty times
	LEASEHOLD_SOAK=1 $(CARGO) test --release -p leasehold-aggregates --test wall -- --nocapture
	LEASEHOLD_SOAK=1 $(CARGO) test -p leasehold --test e2e -- recurring_year --nocapture
	LEASEHOLD_SOAK=1 $(CARGO) test -p leasehold --test e2e -- fortnight --nocapture
	LEASEHOLD_SOAK=1 $(CARGO) test -p leasehold --test e2e -- hundred --nocapture
	LEASEHOLD_SOAK=1 $(CARGO) test -p leasehold --test e2e -- storm:: --nocapture
	LEASEHOLD_SOAK=1 $(CARGO) test -p leasehold-installed --test conformance -- --nocapture
	LEASEHOLD_SOAK=1 $(CARGO) test --release -p leasehold-shard --test game -- soak:: --nocapture
	LEASEHOLD_SOAK=1 $(CARGO) test -p leasehold-link --test sidecar -- hostile:: --nocapture
	LEASEHOLD_SOAK=1 $(CARGO) test -p leasehold-shard --bins -- lines_as_nobody_sends --nocapture
	LEASEHOLD_SOAK=1 $(CARGO) test -p leasehold --test api -- signals::under_eight --nocapture

bench: compiler server ## appends beside plain inserts, verification beside a bare read, rebuilding beside a bare fold, a page of many runs beside one of few, schedules of many definitions beside few, what giving back costs, a keyed command to the game beside a bare echo, in the same minutes on the same server
	$(CARGO) bench --bench append
	$(CARGO) bench --bench verify
	$(CARGO) bench --bench rebuild
	$(CARGO) bench --bench calendar
	$(CARGO) bench --bench expansion
	$(CARGO) bench --bench steps
	$(CARGO) bench --bench signals
	$(CARGO) bench --bench teardown
	$(CARGO) bench -p leasehold-shard --bench wire
	$(CARGO) bench -p leasehold-shard --bench crowd

clean: ## remove what was built; data directories stay
	$(CARGO) clean

compiler:
ifeq ($(compiler),)
	$(call install,gcc libc6-dev,a C compiler)
endif

# A real game server and a Lua. Where they cannot be had, the tests that want them say so in a line and pass.
games:
ifeq ($(wildcard /usr/lib/minetest/minetestserver /usr/lib/luanti/luantiserver),)
	@$(MAKE) --no-print-directory luanti || echo "Without a server of Luanti the tests that need one say so and are skipped."
endif

luanti:
	$(call install,minetest-server minetest-mod-mobs-redo lua5.1,a server of Luanti)

server:
ifeq ($(server),)
	$(call install,postgresql postgresql-client,PostgreSQL)
endif

client:
ifeq ($(client),)
	$(call install,postgresql-client,the programs psql and pg_dump)
endif
