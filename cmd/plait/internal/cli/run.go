package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/plait-dev/plait/cmd/plait/internal/project"
	"github.com/plait-dev/plait/harness/run"
	"github.com/plait-dev/plait/pkg/declarative/source"
	"github.com/plait-dev/plait/pkg/journal"
)

// runFlags are the flags of plait run.
type runFlags struct {
	input, session, user string
	localFlags
}

func newRun(streams Streams) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run PATH --input TEXT",
		Short: "Run a document with a message and print the answer",
		Long: "run reads a folder with a plait.yaml, such a run file, or a document; starts the MCP servers that it names, runs the " +
			"graph, and prints the answer on standard output. What it does is told on standard error and kept in the store, so that " +
			"a run that was interrupted or killed can be resumed.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), streams, args[0]) },
	}
	cmd.Flags().StringVarP(&f.input, "input", "i", "", "the message; - reads standard input")
	cmd.Flags().StringVar(&f.session, "session", "", "continue the conversation with this id")
	cmd.Flags().StringVar(&f.user, "user", "local", "on whose behalf a new session speaks")
	f.add(cmd)
	_ = cmd.MarkFlagRequired("input") // it fails for a flag that isn't defined alone
	return cmd
}

func (f *runFlags) run(ctx context.Context, streams Streams, path string) error {
	message, err := f.message(streams)
	if err != nil {
		return err
	}
	p, compiled, err := compile(streams, path)
	if err != nil {
		return err
	}
	l, err := f.open(streams, p)
	if err != nil {
		return err
	}
	defer l.close()
	sys, err := l.takeIn(ctx, compiled.Config, compiled.Locate)
	if err != nil {
		return err
	}
	defer sys.Close()
	digest, err := l.store.PutConfig(ctx, compiled.Config)
	if err != nil {
		return err
	}
	if err := keepOrigin(ctx, l.store, message.Run, p.RunFile); err != nil {
		return err
	}
	return watchLocal(ctx, l, message.Run, message.Session, l.service(sys, digest, compiled.App).Start, message)
}

// message is what the flags say, with the ids of the run and of a new session, which are shown before anything happens.
func (f *runFlags) message(streams Streams) (run.Message, error) {
	if f.session != "" {
		if err := journal.CheckSessionID(f.session); err != nil {
			return run.Message{}, fmt.Errorf("--session: %w", err)
		}
	}
	text := f.input
	if text == "-" {
		data, err := readInput(streams.In, "-")
		if err != nil {
			return run.Message{}, err
		}
		text = strings.TrimSuffix(string(data), "\n")
	}
	if len(text) > source.MaxBytes {
		return run.Message{}, fmt.Errorf("--input: the message is larger than %d bytes", source.MaxBytes)
	}
	if !utf8.ValidString(text) {
		return run.Message{}, errors.New("--input: the message isn't UTF-8")
	}
	return run.Message{
		Session:   cmp.Or(f.session, "s_"+rand.Text()),
		Run:       "r_" + rand.Text(),
		Text:      text,
		Principal: "local",
		User:      f.user,
	}, nil
}

// compile reads and compiles what a path names, and reports what it finds.
func compile(streams Streams, path string) (*project.Project, *project.Compiled, error) {
	p, found, err := project.Open(path)
	if err != nil {
		return nil, nil, err
	}
	if err := sources(p.Texts).report(streams.Err, found); err != nil {
		return nil, nil, err
	}
	compiled, found, err := p.Compile()
	if reported := sources(p.Texts).report(streams.Err, found); err == nil {
		err = reported
	}
	return p, compiled, err
}
