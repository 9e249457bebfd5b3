// Package cli holds the verbs of the plait command, one file a verb.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// The exit codes of every verb.
const (
	exitOK      = 0
	exitFailed  = 1 // the input was read and something in it, or the run, failed
	exitTrouble = 2 // wrong usage, or a file that can't be read or written
)

// Streams are the three standard streams of one invocation.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
}

// sayf writes a line to standard error. When that can't be written there is nobody left to tell.
func (s Streams) sayf(format string, args ...any) {
	_, _ = fmt.Fprintf(s.Err, format+"\n", args...)
}

// failure is an error after which plait exits with exitFailed; every other error exits with exitTrouble.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

// errReported ends a verb whose findings are on the screen already.
var errReported = failure{errors.New("reported")}

// Main runs one invocation and returns its exit code. It never calls os.Exit, so that tests can run it in process.
func Main(ctx context.Context, args []string, streams Streams) int {
	root := newRoot(streams)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	var list *diag.ListError
	switch {
	case errors.Is(err, errReported):
	case errors.As(err, &list):
		_ = diag.Write(streams.Err, list.List, nil)
	default:
		streams.sayf("plait: %v", plain(err))
	}
	var failed failure
	if list != nil || errors.As(err, &failed) {
		return exitFailed
	}
	return exitTrouble
}

func newRoot(streams Streams) *cobra.Command {
	root := &cobra.Command{
		Use:           "plait",
		Short:         "Run agent systems that are written as data",
		Long:          "plait validates and runs AgentSystem documents: agents, a graph of nodes, CEL, MCP servers and prompts in one YAML file.",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          onlyVerbs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.Version = version()
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	root.SetIn(streams.In)
	root.SetOut(streams.Out)
	root.SetErr(streams.Err)
	root.AddCommand(
		newRun(streams),
		newResume(streams),
		newAnswer(streams),
		newRetry(streams),
		newFork(streams),
		newRuns(streams),
		newModels(streams),
		newPing(streams),
		newValidate(streams),
		newCanonical(streams),
		newGraph(streams),
		newSchema(streams),
		newExplain(streams),
	)
	return root
}
