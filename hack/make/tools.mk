# Tools are pinned, each in a module of its own because their needs clash, and built rather than run by `go tool`, which
# would link them again and again. A change of the pin or of the Go version builds them anew.

TOOLS := $(CURDIR)/.tmp/bin
GO_STAMP := $(CURDIR)/.tmp/$(shell go env GOVERSION)

BUF := $(TOOLS)/buf
CONTROLLER_GEN := $(TOOLS)/controller-gen
GOLANGCI_LINT := $(TOOLS)/golangci-lint
GOVULNCHECK := $(TOOLS)/govulncheck
PROTOC_GEN_GO := $(TOOLS)/protoc-gen-go

.PHONY: tools
tools: $(BUF) $(CONTROLLER_GEN) $(GOLANGCI_LINT) $(GOVULNCHECK) $(PROTOC_GEN_GO) ## Build the tools into .tmp/bin.

$(TOOLS)/%: hack/tools/%/go.mod hack/tools/%/go.sum $(GO_STAMP)
	cd hack/tools/$* && CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o $@ tool

$(GO_STAMP):
	mkdir -p $(@D) && touch $@
