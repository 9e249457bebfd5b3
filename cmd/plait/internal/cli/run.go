package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/plait-dev/plait/cmd/plait/internal/project"
)

// runFlags are the flags of plait run.
type runFlags struct {
	input, session, user string
	config               string
	node, state          string
	manifests            project.Manifests
	localFlags
}

func newRun(streams Streams) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use: "run PATH --input TEXT | run PATH --node ID --input JSON [--state JSON] | " +
			"run -f MANIFESTS… [--config RUNFILE] --input TEXT",
		Short: "Run a document with a message and print the answer",
		Long: "run reads a folder with a plait.yaml, such a run file, or a document; starts the MCP servers that it names, runs the " +
			"graph, and prints the answer on standard output. What it does is told on standard error and kept in the store, so that " +
			"a run that was interrupted or killed can be resumed.\n\n" +
			"With --node it runs one node of the document, by all that the document says of it: its input is the JSON of --input, the " +
			"state that of --state. A node of the root Workflow goes by its id, one within a workflow node by OUTER/INNER, one of another " +
			"Workflow by AGENT/ID; the name of an agent stands for the agent. The rest of the graph isn't there: no edges, no joins.\n\n" +
			"With -f it reads the manifests of a cluster instead and compiles them as the controller does: an AgentTemplate, the Harness " +
			"that takes it, and what both refer to. The run file of --config supplies models and MCP servers in the place of theirs.",
		Args: arguments(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("input") {
				return errors.New("--input is missing: the message that the run begins with; - reads it from standard input")
			}
			if err := f.check(cmd); err != nil {
				return err
			}
			return f.run(cmd.Context(), streams, args)
		},
	}
	cmd.Flags().StringVarP(&f.input, "input", "i", "", "the message; - reads standard input")
	cmd.Flags().StringVar(&f.session, "session", "", "continue the conversation with this id")
	cmd.Flags().StringVar(&f.user, "user", "local", "on whose behalf a new session speaks")
	cmd.Flags().StringVar(&f.node, "node", "", "run this node alone: `ID`, OUTER/INNER, or AGENT/ID; --input is JSON then")
	cmd.Flags().StringVar(&f.state, "state", "", "with --node: a `JSON` object, what the state is")
	f.addManifests(cmd, "run")
	f.add(cmd)
	return cmd
}

// addManifests adds the flags that name what to compile; verb is what then happens to it.
func (f *runFlags) addManifests(cmd *cobra.Command, verb string) {
	cmd.Flags().StringSliceVarP(&f.manifests.Paths, "filename", "f", nil, "files and folders of manifests to compile and "+verb)
	cmd.Flags().StringVar(&f.manifests.Template, "template", "", "with -f: the AgentTemplate to "+verb+", if there are several")
	cmd.Flags().StringVar(&f.manifests.Harness, "harness", "", "with -f: the Harness that takes it, if several take it")
	cmd.Flags().StringVarP(&f.manifests.Namespace, "namespace", "n", "", "with -f: the namespace, if the files have several")
	cmd.Flags().StringVar(&f.config, "config", "", "with -f: run file that supplies models, MCP servers and variables")
}

func (f *runFlags) run(ctx context.Context, streams Streams, args []string) error {
	message, err := f.message(streams)
	if err != nil {
		return err
	}
	p, compiled, err := f.compile(ctx, streams, args)
	if err != nil {
		return err
	}
	l, err := f.open(streams, p)
	if err != nil {
		return err
	}
	defer l.close()
	tellDamage(ctx, streams, l.store, message.Session)
	ctx, stop := untilSignal(ctx)
	defer stop()
	l.locate = compiled.Locate
	sys, err := l.takeIn(ctx, compiled.Config)
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

// compile reads and compiles what the command line names.
func (f *runFlags) compile(ctx context.Context, streams Streams, args []string) (*project.Project, *project.Compiled, error) {
	manifests := len(f.manifests.Paths) > 0
	switch {
	case manifests && len(args) > 0:
		return nil, nil, fmt.Errorf("%s and -f: name a document or manifests, not both", args[0])
	case manifests:
		return f.compileManifests(ctx, streams)
	case len(args) == 0:
		return nil, nil, errors.New("name a document, a run file, a folder with one, or manifests with -f")
	case f.config != "" || f.manifests.Template != "" || f.manifests.Harness != "" || f.manifests.Namespace != "":
		return nil, nil, errors.New("--config, --template, --harness and --namespace belong to manifests, which -f names")
	default:
		return compile(streams, args[0], f.node)
	}
}

// compileManifests compiles the objects of a cluster, and reports what it finds.
func (f *runFlags) compileManifests(ctx context.Context, streams Streams) (*project.Project, *project.Compiled, error) {
	p := project.Bare()
	if f.config != "" {
		opened, found, err := project.OpenRunFile(f.config)
		if err != nil {
			return nil, nil, err
		}
		if err := sources(opened.Texts).report(streams.Err, found); err != nil {
			return nil, nil, err
		}
		p = opened
	}
	compiled, found, err := p.CompileManifests(ctx, f.manifests)
	if reported := sources(p.Texts).report(streams.Err, found); err == nil {
		err = reported
	}
	return p, compiled, err
}

// compile reads and compiles what a path names, or a node of it alone, and reports what it finds.
func compile(streams Streams, path, node string) (*project.Project, *project.Compiled, error) {
	p, found, err := project.Open(path)
	if err != nil {
		return nil, nil, err
	}
	if err := sources(p.Texts).report(streams.Err, found); err != nil {
		return nil, nil, err
	}
	p.Node = node
	compiled, found, err := p.Compile()
	if reported := sources(p.Texts).report(streams.Err, found); err == nil {
		err = reported
	}
	return p, compiled, err
}
