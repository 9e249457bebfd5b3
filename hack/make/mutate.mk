# Wrong implementations that tests have to notice; `go doc ./hack/mutate` explains.

# Which rows of hack/mutate/rows.tsv `make mutate` tries, such as 3,7-9; empty: all.
ROWS ?=

.PHONY: mutate
mutate: ## Put wrong implementations in, each of which tests have to notice; ROWS and PKG select.
	go run ./hack/mutate -rows '$(ROWS)' -pkg '$(filter-out ./...,$(PKG))'

.PHONY: mutate-check
mutate-check: ## All rows are there, their patches apply, and their tests exist.
	go run ./hack/mutate -check
