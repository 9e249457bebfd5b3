# What must hold beside the tests. None of it needs a clean work tree.

# The systems that the libraries and the CLI are built for.
PLATFORMS := linux/amd64 linux/arm64 darwin/arm64 windows/amd64
# The packages that are built for all of them, and the ones whose tests are checked.
PORTABLE := ./pkg/... ./cmd/plait/...
# Where generated files are written for comparison.
FRESH := $(CURDIR)/.tmp/generated
MODULES := $(patsubst %/go.mod,%,$(wildcard go.mod hack/*/go.mod hack/tools/*/go.mod test/*/go.mod examples/*/go.mod))

# Writes all generated files below the directory $(1).
define generate
	cd proto && PATH="$(TOOLS):$$PATH" $(BUF) generate --output $(1)
	$(CONTROLLER_GEN) object paths=./api/v1alpha1 output:object:dir=$(1)/api/v1alpha1 \
		crd paths=./api/v1alpha1 output:crd:dir=$(1)/config/crd
endef

.PHONY: verify
verify: verify-generated verify-modules verify-policy verify-vulnerabilities mutate-check cross ## All checks below.

.PHONY: verify-generated
verify-generated: $(BUF) $(PROTOC_GEN_GO) $(CONTROLLER_GEN) ## Generated files are what `make generate` writes.
	rm -rf $(FRESH) && mkdir -p $(FRESH)
	$(call generate,$(FRESH))
	hack/compare-generated $(FRESH)

.PHONY: verify-modules
verify-modules: ## go.mod and go.sum of every module are tidy.
	@for module in $(MODULES:go.mod=.); do \
		echo "go mod tidy -diff in $$module"; \
		(cd "$$module" && go mod tidy -diff) || { echo "run 'go mod tidy' in $$module" >&2; exit 1; }; \
	done

.PHONY: verify-policy
verify-policy: ## Import rules, licences of dependencies, no init functions, no cgo.
	go test ./internal/policy

.PHONY: verify-vulnerabilities
ifeq ($(GOVULNDB),)
verify-vulnerabilities: ## No known vulnerability is reachable; needs GOVULNDB, the URL of a database.
	@echo "SKIPPED govulncheck: set GOVULNDB to the URL of a vulnerability database, https:// or file://"
else
verify-vulnerabilities: $(GOVULNCHECK)
	$(GOVULNCHECK) -db $(GOVULNDB) ./...
endif

.PHONY: cross
cross: $(PLATFORMS:%=cross/%) ## Libraries and CLI build for all systems, and their tests type-check.

.PHONY: $(PLATFORMS:%=cross/%)
$(PLATFORMS:%=cross/%): export CGO_ENABLED := 0
$(PLATFORMS:%=cross/%): export GOOS = $(word 2,$(subst /, ,$@))
$(PLATFORMS:%=cross/%): export GOARCH = $(word 3,$(subst /, ,$@))
$(PLATFORMS:%=cross/%):
	go build $(PORTABLE)
	go vet $(PORTABLE)
