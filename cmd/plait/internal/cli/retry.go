package cli

import (
	"context"
	"crypto/rand"
	"iter"

	"github.com/spf13/cobra"

	"github.com/plait-dev/plait/harness/run"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

// againFlags are those of the verbs that begin a run which goes on from another one.
type againFlags struct {
	with string
	resumeFlags
}

func (f *againFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.with, "with", "", "go on with the document of this `PATH` as it is now, a document, a run file or a folder with one")
	cmd.Flags().StringVar(&f.config, "config", "", "run file of the run; by default the one that it was started with")
	f.resumeFlags.add(cmd)
}

func newRetry(streams Streams) *cobra.Command {
	var f againFlags
	cmd := &cobra.Command{
		Use:   "retry RUN",
		Short: "Go on from where a run failed or was canceled",
		Long: "retry begins a run that goes on where RUN failed or was canceled: what is finished is kept and not done again, what failed " +
			"begins anew, with the same idempotency keys. The document is that of RUN, or, with --with, the one that was mended meanwhile.",
		Args: arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := onlyOne(cmd, "with", "config"); err != nil {
				return err
			}
			return f.again(cmd.Context(), streams, args[0], "", (*run.Service).Retry)
		},
	}
	f.add(cmd)
	return cmd
}

// begin begins a run, with the given id, that goes on from another one.
type begin = func(s *run.Service, ctx context.Context, former journal.RunInfo, as string) iter.Seq2[workflow.Event, error]

// again begins a run that goes on from another one, in a session; "" is that of the other one.
func (f *againFlags) again(ctx context.Context, streams Streams, id, session string, begin begin) error {
	l, err := f.open(streams, nil)
	if err != nil {
		return err
	}
	defer l.close()
	former, err := findRun(ctx, l.streams, l.store, l.dir, id)
	if err != nil {
		return err
	}
	tellDamage(ctx, l.streams, l.store, former.Session)
	next := "r_" + rand.Text()
	config, err := f.document(ctx, l, former, next)
	if err != nil {
		return err
	}
	ctx, stop := untilSignal(ctx)
	defer stop()
	sys, err := l.takeIn(ctx, config)
	if err != nil {
		return err
	}
	defer sys.Close()
	digest, err := l.store.PutConfig(ctx, config)
	if err != nil {
		return err
	}
	if session == "" {
		session = former.Session
	}
	service := l.service(sys, digest, former.App)
	start := func(ctx context.Context, former journal.RunInfo) iter.Seq2[workflow.Event, error] {
		return begin(service, ctx, former, next)
	}
	return watchLocal(ctx, l, next, session, start, former)
}

// document returns the config that the next run is made of: that of the run that it goes on from, or what --with names. It
// opens the run file, and notes it for the next run.
func (f *againFlags) document(
	ctx context.Context, l *local, former journal.RunInfo, next string,
) (config []byte, err error) {
	if f.with != "" {
		p, compiled, err := compile(l.streams, f.with, "")
		if err != nil {
			return nil, err
		}
		l.project, l.locate = p, compiled.Locate
		return compiled.Config, keepOrigin(ctx, l.store, next, p.RunFile)
	}
	if config, err = l.configOf(ctx, former); err != nil {
		return nil, err
	}
	if l.project, err = f.project(ctx, l, former.Run); err != nil {
		return nil, err
	}
	return config, keepOrigin(ctx, l.store, next, l.project.RunFile)
}
