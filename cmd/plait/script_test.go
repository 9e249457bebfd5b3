package main_test

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/plait-dev/plait/cmd/plait/internal/cli"
)

var update = flag.Bool("update", false, "write the outputs that the scripts expect anew")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"plait": func() {
			streams := cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
			os.Exit(cli.Main(context.Background(), os.Args[1:], streams))
		},
	})
}

// TestScripts runs the scenarios of testdata/script, each of which shows what a person types and reads.
func TestScripts(t *testing.T) {
	repository, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"expand": expand},
		Setup: func(env *testscript.Env) error {
			vendor := newVendor()
			env.Defer(vendor.Close)
			env.Setenv("VENDOR", vendor.URL)
			env.Setenv("EXAMPLE", filepath.Join(repository, "examples", "support-triage"))
			env.Setenv("EXAMPLES", filepath.Join(repository, "examples"))
			env.Setenv("SAMPLES", filepath.Join(repository, "config", "samples"))
			env.Setenv("SCHEMA", filepath.Join(repository, "pkg", "declarative", "jsonschema", "agentsystem.schema.json"))
			return goEnvironment(env)
		},
	})
}

// expand puts the values of variables into files, for what a program reads nothing of the environment in.
func expand(ts *testscript.TestScript, _ bool, files []string) {
	for _, name := range files {
		text := os.Expand(ts.ReadFile(name), ts.Getenv)
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o600))
	}
}

// goEnvironment lets scripts start the example's CRM with the go command, which needs its caches. The example's run file
// hands these variables on.
func goEnvironment(env *testscript.Env) error {
	names := []string{"GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS"}
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		return err
	}
	for i, value := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
		env.Setenv(names[i], value)
	}
	return nil
}
