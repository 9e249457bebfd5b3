package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Lab builds and runs tests of the modules below a folder. It is safe for concurrent use.
type Lab struct {
	Root    string
	Scratch string        // a folder for overlays and programs
	Timeout time.Duration // of one run of tests; one that hangs has noticed
}

// Baseline runs tests without a mutation and returns an error for each that doesn't pass.
func (l Lab) Baseline(ctx context.Context, pkg string, tests []string) map[string]error {
	failed := map[string]error{}
	out, err := l.baseline(ctx, pkg, tests)
	for _, name := range tests {
		switch passed := regexp.MustCompile(`(?m)^--- (PASS|FAIL|SKIP): ` + name + ` `).FindStringSubmatch(out); {
		case passed == nil && err != nil:
			failed[name] = fmt.Errorf("%s can't be run without the mutation: %w\n%s", name, err, ending(out))
		case passed == nil:
			failed[name] = fmt.Errorf("%s isn't run without the mutation", name)
		case passed[1] != "PASS":
			failed[name] = fmt.Errorf("%s is %s without the mutation", name, map[string]string{"FAIL": "red", "SKIP": "skipped"}[passed[1]])
		}
	}
	return failed
}

func (l Lab) baseline(ctx context.Context, pkg string, tests []string) (string, error) {
	program := filepath.Join(l.Scratch, "base-"+strings.ReplaceAll(pkg, "/", "-"))
	if out, err := l.build(ctx, pkg, program); err != nil {
		return out, err
	}
	return l.run(ctx, pkg, program, tests)
}

// Notices runs the tests of a mutation. The error says that they didn't notice it, or that it can't be compiled.
func (l Lab) Notices(ctx context.Context, m Mutation) error {
	dir := filepath.Join(l.Scratch, strconv.Itoa(m.ID))
	overlay, err := l.overlay(dir, m.Files)
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program := filepath.Join(dir, "test")
	// As a variable the overlay holds for go commands that the tests run, too.
	mutated := "GOFLAGS=" + strings.TrimSpace(os.Getenv("GOFLAGS")+" -overlay="+overlay)
	if out, err := l.build(ctx, m.Package, program, mutated); err != nil {
		return fmt.Errorf("the mutation doesn't compile: %w\n%s", err, ending(out))
	}
	_, err = l.run(ctx, m.Package, program, m.Tests, mutated)
	switch _, red := errors.AsType[*exec.ExitError](err); {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil:
		return fmt.Errorf("not noticed: %s stays green in %s", strings.Join(m.Tests, ", "), m.Package)
	case !red:
		return err
	}
	return nil
}

// overlay writes mutated files, and the file that tells the go command of them.
func (l Lab) overlay(dir string, files map[string]string) (string, error) {
	root, err := filepath.Abs(l.Root)
	if err != nil {
		return "", err
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", err
	}
	replace := map[string]string{}
	for name, text := range files {
		mutated := filepath.Join(dir, strconv.Itoa(len(replace))+"-"+filepath.Base(name))
		if err := os.WriteFile(mutated, []byte(text), 0o600); err != nil {
			return "", err
		}
		replace[filepath.Join(root, filepath.FromSlash(name))] = mutated
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, list, 0o600)
}

// build makes a program of the tests of a package. It builds in the folder of the package, which may be one of a module of its
// own.
func (l Lab) build(ctx context.Context, pkg, program string, env ...string) (string, error) {
	program, err := filepath.Abs(program)
	if err != nil {
		return "", err
	}
	return l.command(ctx, l.folder(pkg), env, "go", "test", "-c", "-ldflags", "-s -w", "-o", program, ".")
}

func (l Lab) folder(pkg string) string { return filepath.Join(l.Root, filepath.FromSlash(pkg)) }

// run runs tests as the go command would, in the folder of their package.
func (l Lab) run(ctx context.Context, pkg, program string, tests []string, env ...string) (string, error) {
	program, err := filepath.Abs(program)
	if err != nil {
		return "", err
	}
	return l.command(ctx, l.folder(pkg), env, program, "-test.v", "-test.run", "^("+strings.Join(tests, "|")+")$",
		"-test.timeout", l.Timeout.String())
}

func (l Lab) command(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	cmd.WaitDelay = time.Second // processes that are left behind may hold the pipe open
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) { // the command itself succeeded
		err = nil
	}
	return out.String(), err
}

// ending returns the last lines of an output.
func ending(out string) string {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	return strings.Join(lines[max(0, len(lines)-12):], "\n")
}
