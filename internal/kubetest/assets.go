// Package kubetest finds the Kubernetes programs that tests run.
package kubetest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Assets is the folder of kube-apiserver and etcd: KUBEBUILDER_ASSETS if it is set, else where `make kube` puts them.
func Assets() (string, error) {
	dir := os.Getenv("KUBEBUILDER_ASSETS")
	if dir == "" {
		out, err := inRepository("make", "--silent", "kube-dir")
		if err != nil {
			return "", err
		}
		dir = out
	}
	for _, program := range []string{"kube-apiserver", "etcd"} {
		if _, err := os.Stat(filepath.Join(dir, program)); err != nil {
			return "", fmt.Errorf("%w: build it with: make kube", err)
		}
	}
	return dir, nil
}

// inRepository runs a command at the root of the module and returns what it prints.
func inRepository(name string, args ...string) (string, error) {
	mod, err := output("", "go", "env", "GOMOD")
	if err != nil {
		return "", err
	}
	return output(filepath.Dir(mod), name, args...)
}

func output(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", cmd, err)
	}
	return strings.TrimSpace(string(out)), nil
}
