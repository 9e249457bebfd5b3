package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/journal"
)

// anyNumber is how many arguments a verb takes at most that takes a list.
const anyNumber = -1

// arguments checks how many a verb gets, and shows how it is written when that doesn't fit.
func arguments(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		var problem string
		switch n := len(args); {
		case n < least:
			problem = "an argument is missing"
		case most != anyNumber && n > most:
			problem = fmt.Sprintf("%q is too much", args[most])
		default:
			return nil
		}
		return fmt.Errorf("%s: %s; write: plait %s", cmd.Name(), problem, cmd.Use)
	}
}

// onlyVerbs are the arguments of plait itself: none, as what is left of them is no verb.
func onlyVerbs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var verbs []string
	for _, c := range cmd.Commands() {
		verbs = append(verbs, c.Name())
	}
	hint := diag.DidYouMean(args[0], verbs)
	if hint == "" {
		hint = "plait --help lists them"
	}
	return fmt.Errorf("%q is no command of plait; %s", args[0], hint)
}

// onlyOne checks that at most one of some flags is given.
func onlyOne(cmd *cobra.Command, flags ...string) error {
	var given []string
	for _, flag := range flags {
		if cmd.Flags().Changed(flag) {
			given = append(given, "--"+flag)
		}
	}
	if len(given) > 1 {
		return fmt.Errorf("%s don't go together: give one of them", strings.Join(given, " and "))
	}
	return nil
}

// checkSession checks the id of --session.
func checkSession(id string) error {
	err := journal.CheckSessionID(id)
	if e, ok := errors.AsType[*journal.EntryError](err); ok { // it isn't about an entry here
		return fmt.Errorf("--session %q: %s", id, e.Problem)
	}
	return err
}

// version is that of the module that the program was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	return info.Main.Version + " " + info.GoVersion
}

// plain takes from an error about a file the name of the system call, of which nobody has to know.
func plain(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok && error(path) == err { //nolint:errorlint // not one within another
		return fmt.Errorf("%s: %w", path.Path, path.Err)
	}
	return err
}
