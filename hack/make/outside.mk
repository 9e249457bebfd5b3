# Outside judges: other programs that ours is held against. Each is a module of its own, so that nothing of it becomes a
# dependency of the product.

# How many random graphs `make parity` compares.
GRAPHS ?= 10000
# Set to 1, `make bench-engine` fails when a goal is missed.
CHECK ?=

##@ Outside judges

.PHONY: parity
parity: ## The engine does what ADK Go does, but for what docs/adk-differences.md lists; GRAPHS random graphs.
	cd test/adkparity && go test -count 1 -timeout 30m -v -run 'TestRandom_graphs|TestDifferences|TestConformance|TestCoverage' . -args -graphs $(GRAPHS)

.PHONY: parity-short
parity-short: ## The same with 500 random graphs, and the tests of the comparison itself.
	cd test/adkparity && go test -count 1 ./...

# The SDKs need some 3 GB to compile, one of them alone: one package at a time.
.PHONY: difftest
difftest: ## Our wires do what the vendors' SDKs do, but for the ledger; the SDKs are asked anew. About 4 minutes of compiling first.
	cd test/difftest && go test -p 1 -count 1 ./... && go run -p 1 ./cmd/difftest -verify

.PHONY: difftest-short
difftest-short: ## The same with the references that are kept, without the SDKs.
	cd test/difftest && go test -count 1 ./check ./compare ./damage ./reference

.PHONY: difftest-capture
difftest-capture: ## Write the references anew, with the SDKs.
	cd test/difftest && go run -p 1 ./cmd/capture refs

# Journals go to a file system in memory if there is one: on ext4 a new file is dear for minutes where many were removed,
# and this benchmark removes thousands.
BENCH_DIR ?= $(firstword $(wildcard /dev/shm) $(CURDIR)/.tmp)

.PHONY: bench-engine
bench-engine: ## What a node costs beside ADK Go; CHECK=1 fails when a goal is missed.
	mkdir -p $(BENCH_DIR)
	cd test/adkparity && go run ./bench -dir $(BENCH_DIR) $(if $(filter 1,$(CHECK)),-check)
