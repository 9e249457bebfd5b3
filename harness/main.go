package harness

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// The exit codes of the program.
const (
	exitOK      = 0
	exitFailed  = 1 // the surroundings: an address that is taken, a folder that can't be written, a server that is away
	exitRefused = 2 // the command line, the environment or the config is wrong; starting again won't help
)

// Main runs the program until it is told to end, by SIGTERM or SIGINT, and returns its exit code. Its command line is that
// of the process:
//
//	harness                  serve
//	harness --check          take the config in, connect its MCP servers, and end
//	harness --capabilities   print what documents can use of this program, as JSON
//	harness --version        print the version
func Main(opts ...Option) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	p := &process{args: os.Args[1:], lookupEnv: os.LookupEnv, environ: os.Environ(), out: os.Stdout, err: os.Stderr}
	return p.main(ctx, opts)
}

// process is one execution of the program and what it has of the operating system.
type process struct {
	args      []string
	lookupEnv func(string) (string, bool)
	environ   []string
	out, err  io.Writer
}

// command is what the command line asks for.
type command struct{ check, capabilities, version bool }

func (p *process) main(ctx context.Context, opts []Option) int {
	cmd, err := p.parse()
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		return exitRefused // the flags have said why
	}
	reg, regErr := newRegistry(opts)
	switch {
	case cmd.version:
		return p.print(version(), nil)
	case cmd.capabilities && regErr == nil:
		return p.print(reg.capabilities())
	}
	s, err := readSettings(p.lookupEnv)
	a, err := p.takeIn(s, reg, errors.Join(regErr, err))
	if err != nil {
		return p.fail(exitRefused, fmt.Errorf("refused to start:\n%w", err))
	}
	defer a.close()
	if cmd.check {
		err = a.check(ctx)
	} else {
		err = a.serve(ctx)
	}
	if err != nil {
		return p.fail(exitFailed, err)
	}
	return exitOK
}

func (p *process) parse() (command, error) {
	var cmd command
	flags := flag.NewFlagSet("harness", flag.ContinueOnError)
	flags.SetOutput(p.err)
	flags.BoolVar(&cmd.check, "check", false, "take the config in, connect its MCP servers, and end")
	flags.BoolVar(&cmd.capabilities, "capabilities", false, "print what documents can use of this program, as JSON")
	flags.BoolVar(&cmd.version, "version", false, "print the version")
	if err := flags.Parse(p.args); err != nil {
		return cmd, err
	}
	if flags.NArg() > 0 {
		err := fmt.Errorf("unexpected argument %q: everything is set by the environment", flags.Arg(0))
		_, _ = fmt.Fprintln(p.err, "harness:", err)
		return cmd, err
	}
	return cmd, nil
}

func (p *process) print(text string, err error) int {
	if err == nil {
		_, err = fmt.Fprintln(p.out, text)
	}
	if err != nil {
		return p.fail(exitFailed, err)
	}
	return exitOK
}

// fail tells why the program ends, where people look for it.
func (p *process) fail(code int, err error) int {
	text := "harness: " + err.Error() + "\n"
	_, _ = io.WriteString(p.err, text) // when that can't be written there is nobody left to tell
	if err := p.leaveMessage(text); err != nil {
		_, _ = fmt.Fprintf(p.err, "harness: termination log: %v\n", err)
	}
	return code
}
