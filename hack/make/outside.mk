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

# Journals are written below .tmp: new files are dear where many were removed of late, as among temporary files.
.PHONY: bench-engine
bench-engine: ## What a node costs beside ADK Go; CHECK=1 fails when a goal is missed.
	mkdir -p .tmp
	cd test/adkparity && go run ./bench -dir $(CURDIR)/.tmp $(if $(filter 1,$(CHECK)),-check)
