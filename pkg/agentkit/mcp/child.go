package mcp

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// child is a server that runs as a process of ours. Its descendants go when it goes: wrappers such as `go run`, npx or
// a shell script don't hand signals on.
type child struct {
	cmd    *exec.Cmd
	group  processGroup
	stdin  *os.File
	stdout *os.File
	errOut *os.File // what stderr is read from
	stderr *tail

	exited   chan struct{}  // closed when the process has been reaped
	pumps    sync.WaitGroup // readers of stdout and stderr
	stopOnce sync.Once
}

// startChild starts a command. No context ends it: it outlives the call that happened to need it first.
func startChild(cfg *ServerConfig, environ []string) (*child, error) {
	pipes, err := openPipes()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(cfg.Command[0], cfg.Command[1:]...) //nolint:noctx // stop ends it
	cmd.Dir = cfg.Dir
	cmd.Env = childEnv(environ, cfg.Env)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = pipes.stdin.r, pipes.stdout.w, pipes.stderr.w
	setGroup(cmd)
	if err := cmd.Start(); err != nil {
		pipes.closeAll()
		return nil, fmt.Errorf("start %q: %w", cfg.Command[0], err)
	}
	pipes.closeChildEnds()
	group, err := newProcessGroup(cmd.Process)
	if err != nil {
		err = errors.Join(err, cmd.Process.Kill(), cmd.Wait())
		pipes.closeAll()
		return nil, fmt.Errorf("start %q: %w", cfg.Command[0], err)
	}
	c := &child{
		cmd: cmd, group: group, stdin: pipes.stdin.w, stdout: pipes.stdout.r, errOut: pipes.stderr.r,
		stderr: &tail{secrets: secretsOf(cfg.Env)},
		exited: make(chan struct{}),
	}
	go c.await()
	c.pumps.Go(func() { _, _ = io.Copy(c.stderr, c.errOut) })
	return c, nil
}

// await reaps the process, and ends what it started and left behind: that would hold our ends of the pipes open. A group
// keeps its id as long as it has members, and one without is not there to be killed.
func (c *child) await() {
	defer close(c.exited)
	_ = c.cmd.Wait() // how it ended is in ProcessState
	c.group.kill()
}

// stop ends the process and everything it started, asking nicely first: end of input, then a signal, then no choice. It
// returns when the process has been reaped and nothing reads its pipes any more. Each step gets the grace time.
func (c *child) stop(grace time.Duration) {
	c.stopOnce.Do(func() {
		_ = c.stdin.Close()
		if !within(grace, c.exited) {
			c.group.terminate()
			if !within(grace, c.exited) {
				c.group.kill()
				<-c.exited
			}
		}
		c.group.close()
		c.drain(grace)
	})
}

// drain lets the readers come to the end of what was written, which is at once unless a descendant that left the group
// holds a pipe open.
func (c *child) drain(grace time.Duration) {
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		c.pumps.Wait()
	}()
	within(grace, drained)
	closeFiles(c.stdout, c.errOut)
	<-drained
}

// abandon makes every blocked read and write of the child's pipes return, at the cost of the process.
func (c *child) abandon() {
	c.group.kill()
	_ = c.stdin.Close()
}

// within waits for an event, at most for the limit, and reports whether it came.
func within(limit time.Duration, event <-chan struct{}) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-event:
		return true
	case <-timer.C:
		return false
	}
}

// fate says how the process ended, or "" while it runs.
func (c *child) fate() string {
	select {
	case <-c.exited:
		return "the process ended: " + c.cmd.ProcessState.String()
	default:
		return ""
	}
}

// pipe is an os.Pipe. The package makes its own because those of os/exec are closed by Wait while a message may still
// be in them, and make Wait wait for whoever inherited them.
type pipe struct{ r, w *os.File }

type pipes struct{ stdin, stdout, stderr pipe }

func openPipes() (*pipes, error) {
	p := &pipes{}
	for _, end := range []*pipe{&p.stdin, &p.stdout, &p.stderr} {
		var err error
		if end.r, end.w, err = os.Pipe(); err != nil {
			p.closeAll()
			return nil, err
		}
	}
	return p, nil
}

func (p *pipes) closeChildEnds() { closeFiles(p.stdin.r, p.stdout.w, p.stderr.w) }

func (p *pipes) closeAll() {
	closeFiles(p.stdin.r, p.stdin.w, p.stdout.r, p.stdout.w, p.stderr.r, p.stderr.w)
}

func closeFiles(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close()
		}
	}
}
