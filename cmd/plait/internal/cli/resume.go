package cli

import (
	"context"
	"fmt"
	"iter"

	"github.com/spf13/cobra"

	"github.com/plait-dev/plait/cmd/plait/internal/project"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

// resumeFlags are the flags of plait resume.
type resumeFlags struct {
	config string
	localFlags
}

func newResume(streams Streams) *cobra.Command {
	var f resumeFlags
	cmd := &cobra.Command{
		Use:   "resume RUN",
		Short: "Go on with a run that was interrupted or killed",
		Long: "resume takes up a run where its journal ends: what is finished is kept, what was under way runs again with the same " +
			"idempotency keys. The document, prompts, models and servers are those that the run began with, whatever the files say " +
			"today; variables and folders are read from the run file.",
		Args: arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.resume(cmd.Context(), streams, args[0]) },
	}
	cmd.Flags().StringVar(&f.config, "config", "", "run file of the run; by default the one that it was started with")
	f.add(cmd)
	return cmd
}

func (f *resumeFlags) resume(ctx context.Context, streams Streams, id string, answers ...workflow.Answer) error {
	l, err := f.open(streams, nil)
	if err != nil {
		return err
	}
	defer l.close()
	info, err := findRun(ctx, l.streams, l.store, l.dir, id)
	if err != nil {
		return err
	}
	if info.Status.Final() {
		return failure{fmt.Errorf("run %s is over: %s%s", id, info.Status, afterwards(info.Status))}
	}
	tellDamage(ctx, l.streams, l.store, info.Session)
	config, err := l.configOf(ctx, info)
	if err != nil {
		return err
	}
	if l.project, err = f.project(ctx, l, id); err != nil {
		return err
	}
	ctx, stop := untilSignal(ctx)
	defer stop()
	sys, err := l.takeIn(ctx, config)
	if err != nil {
		return err
	}
	defer sys.Close()
	service := l.service(sys, info.Config, info.App)
	goOn := func(ctx context.Context, info journal.RunInfo) iter.Seq2[workflow.Event, error] {
		return service.Answer(ctx, info, answers)
	}
	return watchLocal(ctx, l, id, info.Session, goOn, info)
}

// afterwards says what can be done about a run that is over.
func afterwards(status journal.Status) string {
	if status == journal.Completed {
		return ""
	}
	return "; plait retry goes on from there"
}

// project reads the run file of a run; a run of a document alone has none. The document isn't read again.
func (f *resumeFlags) project(ctx context.Context, l *local, run string) (*project.Project, error) {
	path := f.config
	if path == "" {
		var err error
		if path, err = findOrigin(ctx, l.store, run); err != nil {
			return nil, err
		}
	}
	if path == "" {
		return project.Bare(), nil
	}
	p, found, err := project.OpenRunFile(path)
	if err != nil {
		return nil, fmt.Errorf("the run file of run %s: %w; if it is somewhere else now, name it with --config", run, err)
	}
	return p, sources(p.Texts).report(l.streams.Err, found)
}
