# kube-apiserver and etcd, built from hack/kube into the user's cache, once for each state of that module.

XDG_CACHE_HOME ?= $(HOME)/.cache
KUBE_SUM := $(shell cat hack/kube/go.mod hack/kube/go.sum | sha256sum | cut -c 1-16)
# Where the programs are; a folder of one's own is used as it is.
KUBEBUILDER_ASSETS ?= $(XDG_CACHE_HOME)/plait/kube/$(KUBE_SUM)
export KUBEBUILDER_ASSETS

# Major, minor and patch of the Kubernetes that the module requires.
KUBE_VERSION := $(subst ., ,$(shell sed -n 's/^require k8s.io\/kubernetes v\([0-9.]*\).*/\1/p' hack/kube/go.mod))
KUBE_STAMP := -X k8s.io/component-base/version.gitVersion=v$(subst $(eval ) ,.,$(KUBE_VERSION)) \
	-X k8s.io/component-base/version.gitMajor=$(word 1,$(KUBE_VERSION)) \
	-X k8s.io/component-base/version.gitMinor=$(word 2,$(KUBE_VERSION))

.PHONY: kube
kube: $(KUBEBUILDER_ASSETS)/kube-apiserver $(KUBEBUILDER_ASSETS)/etcd ## Build kube-apiserver and etcd for tests, once for each machine.

.PHONY: kube-dir
kube-dir: ## Print the folder of kube-apiserver and etcd.
	@echo $(KUBEBUILDER_ASSETS)

# Programs appear under their names when they are complete, whoever else builds them at the same time.
define build-kube
	@echo "== building $(@F) into $(@D), once for this machine: a few minutes"
	mkdir -p $(@D)
	cd hack/kube && CGO_ENABLED=0 go build -trimpath -ldflags '-s -w $(KUBE_STAMP)' -o $@.$$$$ $(1) && mv $@.$$$$ $@
endef

$(KUBEBUILDER_ASSETS)/kube-apiserver:
	$(call build-kube,k8s.io/kubernetes/cmd/kube-apiserver)

$(KUBEBUILDER_ASSETS)/etcd:
	$(call build-kube,go.etcd.io/etcd/server/v3)
