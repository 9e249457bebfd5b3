package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/plait-dev/plait/cmd/plait/internal/project"
	"github.com/plait-dev/plait/harness/intake"
	"github.com/plait-dev/plait/harness/run"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/jsonl"
	"github.com/plait-dev/plait/pkg/workflow"
)

// defaultStore is where runs are kept when neither a flag nor the run file says otherwise.
const defaultStore = ".plait"

// localFlags are those of the verbs that execute runs.
type localFlags struct {
	storeDir string
	events   string
	trafficFlags
}

func (f *localFlags) add(cmd *cobra.Command) {
	addStoreFlag(cmd, &f.storeDir)
	f.trafficFlags.add(cmd)
	cmd.Flags().StringVar(&f.events, "events", "", "jsonl prints the journal's entries on standard output in the place of the answer")
}

func addStoreFlag(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "store", "", "folder that keeps sessions, configs and workspaces (default \""+defaultStore+"\")")
}

// local is this machine as a harness: a file store, and what a run file says of variables and folders.
type local struct {
	streams Streams
	store   *jsonl.Store
	dir     string
	events  bool
	project *project.Project
	locate  locator // of findings about what runs
	traffic traffic
}

// open opens the store that the flags name, else the run file, else the default.
func (f *localFlags) open(streams Streams, p *project.Project) (*local, error) {
	if f.events != "" && f.events != "jsonl" {
		return nil, fmt.Errorf("--events %s: jsonl is the only form", f.events)
	}
	between, err := f.traffic()
	if err != nil {
		return nil, err
	}
	dir := f.storeDir
	if dir == "" && p != nil {
		dir = p.StoreDir()
	}
	store, dir, err := openStore(dir, p != nil)
	if err != nil {
		return nil, err
	}
	return &local{streams: streams, store: store, dir: dir, events: f.events != "", project: p, locate: unplaced,
		traffic: between}, nil
}

// openStore opens a file store. Entries reach the disk within a second: that a killed process loses nothing is decided
// by the write itself, and a laptop that loses power may lose the last steps.
//
// Without create, a folder that is no store is an error: who asks for a run of it has named the wrong one.
func openStore(dir string, create bool) (*jsonl.Store, string, error) {
	dir = cmp.Or(dir, defaultStore)
	if !create {
		if _, _, err := readStore(dir); err != nil { // which holds nothing that is to be closed
			return nil, "", err
		}
	}
	store, err := jsonl.Open(dir, jsonl.WithSync(jsonl.SyncInterval))
	if err != nil {
		return nil, "", fmt.Errorf("store: %w", err)
	}
	return store, dir, nil
}

// readStore opens a file store for reading only.
func readStore(dir string) (*jsonl.Store, string, error) {
	dir = cmp.Or(dir, defaultStore)
	store, err := jsonl.Open(dir, jsonl.ReadOnly())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, "", fmt.Errorf("there is no store %s: name the folder with --store, or change to where the run was started", dir)
	case err != nil:
		return nil, "", fmt.Errorf("store: %w", err)
	}
	return store, dir, nil
}

func (l *local) close() {
	if err := l.store.Close(); err != nil {
		l.streams.sayf("plait: store: %v", err)
	}
	l.traffic.tell(l.streams)
}

// takeIn makes a system of a config and connects its servers.
func (l *local) takeIn(ctx context.Context, config []byte) (*intake.System, error) {
	sys, found, err := intake.New(config, l.environment())
	if found.HasErrors() { // warnings were reported when the document was compiled
		reported := sources(l.project.Texts).report(l.streams.Err, l.locate(found))
		if err == nil {
			err = reported
		}
	}
	if err != nil {
		return nil, err
	}
	waiting := time.AfterFunc(silence, func() { l.streams.sayf("waiting for MCP servers: %s", strings.Join(serverNames(sys), ", ")) })
	defer waiting.Stop()
	if err := sys.Connect(ctx); err != nil {
		return nil, failure{errors.Join(err, sys.Close())}
	}
	return sys, nil
}

// silence is how long a person may be left without a word.
const silence = 2 * time.Second

func serverNames(sys *intake.System) []string {
	doc, _ := sys.Document()
	names := make([]string, 0, len(doc.MCPServers))
	for _, s := range doc.MCPServers {
		names = append(names, s.Name)
	}
	return names
}

// environment is what the run file says of this machine. Every session has a workspace of its own unless the run file
// names a folder.
func (l *local) environment() intake.Environment {
	env := intake.Environment{LookupEnv: l.project.LookupEnv, AllowStdio: true, People: true}
	env.Between, env.NoKeys = l.traffic.between, l.traffic.player != nil
	env.WorkspaceDir = func(session string) string { return filepath.Join(l.dir, "workspaces", session) }
	if dir := l.project.WorkspaceDir(); dir != "" {
		env.WorkspaceDir = func(string) string { return dir }
	}
	return env
}

// service makes the run service of a system.
func (l *local) service(sys *intake.System, digest, app string) *run.Service {
	var store journal.Store = l.store
	if l.events {
		store = entryPrinter{l.store, l.streams.Out}
	}
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	owner := fmt.Sprintf("%s/%d", host, os.Getpid())
	return run.New(run.Config{Store: store, System: sys.System, Digest: digest, App: app, Owner: owner})
}

// watchLocal shows a run until it ends. When the context ends, as by an interrupt, the run is suspended and not cancelled:
// nothing of what it did is lost.
func watchLocal[T any](
	ctx context.Context, l *local, run, session string, start func(context.Context, T) iter.Seq2[workflow.Event, error], with T,
) error {
	running, suspend := context.WithCancelCause(context.WithoutCancel(ctx))
	defer suspend(nil)
	defer context.AfterFunc(ctx, func() { suspend(workflow.ErrSuspend) })()
	begun, err := watch(progress{l.streams, run, session, storeHint(l.dir)}, start(running, with), !l.events)
	if !begun || err == nil {
		return err
	}
	return l.andThen(err, run, l.failedAt(l.locate, err))
}

// storeHint is the flag that a later command needs to find the store.
func storeHint(dir string) string {
	switch {
	case dir == defaultStore:
		return ""
	case strings.ContainsAny(dir, " '\"$`\\"):
		return " --store " + quoted(dir)
	default:
		return " --store " + dir
	}
}

// quoted is a word of a command line for a shell.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
