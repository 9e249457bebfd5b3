package main

import (
	"bytes"
	"errors"
	"flag"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func lookup(vars map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, ok := vars[name]
		return value, ok
	}
}

func TestReadSettings(t *testing.T) {
	defaults := settings{
		metricsAddr: ":8080", healthAddr: ":8081", leaderElect: true, namespace: "plait-system", harnessImage: "harness@sha256:0", concurrency: 4,
	}
	for _, tt := range []struct {
		name string
		args []string
		want func(*settings)
	}{
		{"defaults", nil, func(*settings) {}},
		{"the flag goes before the variable", []string{"--namespace", "mine"}, func(s *settings) { s.namespace = "mine" }},
		{"namespaces", []string{"--watch-namespaces", "a, b,,"}, func(s *settings) { s.watchNamespaces = []string{"a", "b"} }},
		{"the rest", []string{
			"--leader-elect=false", "--metrics-bind-address", "0", "--health-bind-address", "127.0.0.1:1", "--log-level", "debug", "--concurrency", "9",
		}, func(s *settings) {
			s.leaderElect, s.metricsAddr, s.healthAddr, s.logLevel, s.concurrency = false, "0", "127.0.0.1:1", slog.LevelDebug, 9
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := defaults
			tt.want(&want)
			args := append([]string{"--harness-image", "harness@sha256:0"}, tt.args...)
			got, err := readSettings(args, lookup(map[string]string{"POD_NAMESPACE": "plait-system"}), &bytes.Buffer{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(settings{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Everything that is wrong is said at once, and the program ends with the code for it.
func TestRefusedCommandLines(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
		want []string
	}{
		{"nothing is set", nil, []string{"--namespace isn't set, nor is POD_NAMESPACE", "--harness-image isn't set"}},
		{"wrong values", []string{"--namespace", "a", "--harness-image", "b", "--log-level", "loud", "--concurrency", "0", "more"},
			[]string{`--log-level is "loud"`, "--concurrency is 0", `"more" isn't a flag`}},
		{"unknown flags", []string{"--nonsense"}, []string{"flag provided but not defined: -nonsense", "-harness-image image"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var output bytes.Buffer
			if code := run(t.Context(), tt.args, lookup(nil), &output); code != exitRefused {
				t.Errorf("it ends with %d, want %d", code, exitRefused)
			}
			for _, want := range tt.want {
				if !strings.Contains(output.String(), want) {
					t.Errorf("it says\n%s\nwant %q", output.String(), want)
				}
			}
		})
	}
}

func TestHelp(t *testing.T) {
	var output bytes.Buffer
	if _, err := readSettings([]string{"--help"}, lookup(nil), &output); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("got %v", err)
	}
	if code := run(t.Context(), []string{"--help"}, lookup(nil), &output); code != exitFine || !strings.Contains(output.String(), "-watch-namespaces") {
		t.Errorf("it ends with %d and says\n%s", code, output.String())
	}
}

// Without a cluster the program ends with the code for its surroundings.
func TestNoCluster(t *testing.T) {
	t.Setenv("KUBECONFIG", t.TempDir()+"/none")
	t.Setenv("HOME", t.TempDir())
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	var output bytes.Buffer
	args := []string{"--namespace", "a", "--harness-image", "b"}
	if code := run(t.Context(), args, lookup(nil), &output); code != exitSurrounding {
		t.Errorf("it ends with %d and says\n%s", code, output.String())
	}
}
