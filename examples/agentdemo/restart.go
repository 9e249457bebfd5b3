package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
	"github.com/plait-dev/plait/pkg/agentkit/session"
	"github.com/plait-dev/plait/pkg/journal/jsonl"
)

// The first process kills itself within the second turn. The second one finds the run in the log and goes on with it.
func restart(ctx context.Context, say printer) error {
	dir, err := os.MkdirTemp("", "agentdemo")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for n := 1; ; n++ {
		out, err := exec.CommandContext(ctx, self, childArg, dir).Output()
		for line := range strings.Lines(string(out)) {
			say("process %d: %s", n, strings.TrimSpace(line))
		}
		exit, killed := errors.AsType[*exec.ExitError](err)
		switch {
		case err == nil:
			return nil
		case !killed || n > 1:
			return err
		case len(exit.Stderr) > 0:
			return fmt.Errorf("%s", exit.Stderr)
		}
		say("process %d: killed", n)
	}
}

// childArg makes the program one of the two processes.
const childArg = "-child"

// child takes the run up that the store has, or begins it.
func child(ctx context.Context, say printer, dir string) (err error) {
	store, err := jsonl.Open(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	talk, err := session.Open(ctx, store, "demo")
	if err != nil {
		return err
	}
	run := talk.Unfinished()
	first := run == nil
	if first {
		if run, err = talk.Ask(ctx, "cashier", "Charge the account."); err != nil {
			return err
		}
	}
	a, err := cashier(say, first)
	if err != nil {
		return err
	}
	res, err := a.Run(ctx, agentkit.RunInput{History: run.History(), View: session.ViewSession, Path: run.Path(), Log: run,
		Progress: run.Progress()})
	if err != nil {
		return err
	}
	for _, msg := range talk.Messages() {
		if r, ok := core.ResultOf(msg); ok {
			say("the result of %s is: %s", r.ID, r.Text)
		}
	}
	say("%s", res.Text)
	return run.Finish(ctx, res.Text)
}

// cashier makes an agent whose tool kills the process when it is run for the second time in it.
func cashier(say printer, dies bool) (*agentkit.Agent, error) {
	runs := 0
	charge, err := tool("charge", func(ctx context.Context, path string) (string, error) {
		say("charges %s", path)
		if runs++; dies && runs == 2 {
			self, err := os.FindProcess(os.Getpid())
			if err != nil {
				return "", err
			}
			if err := self.Kill(); err != nil {
				return "", err
			}
			<-ctx.Done() // nothing comes any more
		}
		return "charged " + path, nil
	})
	if err != nil {
		return nil, err
	}
	m, err := scripted(
		faux.Turn{Calls: []faux.Call{call("charge", `{"path":"the fee"}`)}},
		faux.Turn{Calls: []faux.Call{call("charge", `{"path":"the rent"}`)}},
		faux.Turn{Text: "The fee is charged; whether the rent is has to be looked up."})
	if err != nil {
		return nil, err
	}
	return agent("cashier", m, charge)
}
