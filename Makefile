# `make help` lists the targets. Tools are built from the modules in hack/tools into .tmp/bin, on first use.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --warn-undefined-variables --no-builtin-rules
.DELETE_ON_ERROR:
.SUFFIXES:
.DEFAULT_GOAL := help

# Where binaries go.
BIN ?= bin
# Packages that the test targets run.
PKG ?= ./...
# How long `make fuzz` gives each target, and which it runs: a regular expression over the names of the functions.
FUZZTIME ?= 10s
FUZZ ?= .
# Which benchmarks `make bench` runs, a regular expression, and how often.
BENCH ?= .
COUNT ?= 1
# A vulnerability database for govulncheck; `make verify-vulnerabilities` is skipped without one.
GOVULNDB ?=

include hack/make/tools.mk
include hack/make/kube.mk
include hack/make/verify.mk
include hack/make/mutate.mk
include hack/make/outside.mk
include hack/make/bench.mk

##@ Work

.PHONY: help
help: ## List the targets.
	@awk 'BEGIN { FS = ":.*## " } \
		/^##@ / { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z][a-z-]*:.*## / { printf "  %-24s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build the programs into bin.
	CGO_ENABLED=0 go build -trimpath -o $(BIN)/ ./cmd/...

.PHONY: run-example
run-example: ## Run the support-triage example: no cluster, no API key.
	go run ./cmd/plait run examples/support-triage --input "I was charged twice, invoice 1042"

.PHONY: generate
generate: $(BUF) $(PROTOC_GEN_GO) $(CONTROLLER_GEN) ## Write all generated files anew.
	$(call generate,$(CURDIR))

.PHONY: fmt
fmt: $(GOLANGCI_LINT) $(BUF) ## Format Go and .proto files.
	$(GOLANGCI_LINT) fmt
	$(BUF) format --write proto

.PHONY: clean
clean: ## Remove what was built, but the tools.
	rm -rf $(BIN)

##@ Test

.PHONY: test
test: kube ## All tests, with the race detector and those that need more than Go.
	go test -race -tags integration $(PKG)

.PHONY: test-short
test-short: ## The tests that need Go alone, without the slow ones.
	go test -short $(PKG)

.PHONY: fuzz
fuzz: ## Fuzz each target for FUZZTIME; FUZZ selects by name.
	hack/fuzz '$(FUZZ)' $(FUZZTIME)

.PHONY: bench
bench: ## Run the benchmarks of the packages; BENCH selects by name, COUNT repeats.
	go test -run '^$$' -bench '$(BENCH)' -benchmem -count $(COUNT) $(PKG)

##@ Check

.PHONY: lint
lint: $(GOLANGCI_LINT) $(BUF) ## golangci-lint and the format of Go and .proto files.
	$(GOLANGCI_LINT) run
	$(BUF) lint proto
	$(BUF) format --diff --exit-code proto
