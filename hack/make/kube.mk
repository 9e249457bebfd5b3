# The API server and etcd that the tests of the operator run against, from the module in hack/kube. They take minutes to
# build, so they are kept outside the tree, once per machine and version. KUBEBUILDER_ASSETS, when set, is used instead.

KUBE_VERSION := $(shell awk '$$1 == "require" && $$2 == "k8s.io/kubernetes" { print $$3 }' hack/kube/go.mod)
KUBE_KEY := $(shell { sha256sum 2>/dev/null || shasum -a 256; } < hack/kube/go.sum | cut -c 1-16)
KUBE_CACHE := $(shell dirname "$$(go env GOCACHE)")/plait/kube/$(KUBE_KEY)

KUBEBUILDER_ASSETS ?= $(KUBE_CACHE)
export KUBEBUILDER_ASSETS

# Without its version an API server is v0.0.0-master, which clients and charts refuse.
KUBE_STAMP := k8s.io/component-base/version
KUBE_LDFLAGS := -s -w -X $(KUBE_STAMP).gitVersion=$(KUBE_VERSION) \
	-X $(KUBE_STAMP).gitMajor=$(word 1,$(subst ., ,$(KUBE_VERSION:v%=%))) \
	-X $(KUBE_STAMP).gitMinor=$(word 2,$(subst ., ,$(KUBE_VERSION:v%=%)))

.PHONY: kube
kube: $(KUBEBUILDER_ASSETS)/etcd $(KUBEBUILDER_ASSETS)/kube-apiserver ## Build the API server and etcd for tests.

$(KUBE_CACHE)/kube-apiserver: KUBE_PACKAGE := k8s.io/kubernetes/cmd/kube-apiserver
$(KUBE_CACHE)/etcd: KUBE_PACKAGE := go.etcd.io/etcd/server/v3

# A file appears under its name when it is complete: another checkout may be building the same.
$(KUBE_CACHE)/kube-apiserver $(KUBE_CACHE)/etcd:
	@echo "building $(@F) of Kubernetes $(KUBE_VERSION) into $(@D), once per machine: a few minutes"
	mkdir -p $(@D)
	cd hack/kube && CGO_ENABLED=0 go build -trimpath -ldflags '$(KUBE_LDFLAGS)' -o $@.$$$$ $(KUBE_PACKAGE) && mv $@.$$$$ $@
