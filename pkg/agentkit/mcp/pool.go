package mcp

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// maxConnects is how many servers are connected at a time.
const maxConnects = 32

// Pool holds one session with each of its servers. It is safe for concurrent use.
type Pool struct {
	servers []*server // in the order of the configuration
	byName  map[string]*server
}

// NewPool checks the configuration, every mistake of which is part of the error, and connects nothing. opts may be nil.
func NewPool(servers []ServerConfig, opts *PoolOptions) (*Pool, error) {
	p := &Pool{byName: map[string]*server{}}
	full := opts.withDefaults()
	var errs []error
	for _, c := range servers {
		cfg, err := c.normalised()
		if err == nil && p.byName[c.Name] != nil {
			err = errors.New("another server has this name")
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("mcp server %q: %w", c.Name, err))
			continue
		}
		s := newServer(cfg, full)
		p.byName[cfg.Name] = s
		p.servers = append(p.servers, s)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return p, nil
}

// Connect connects all servers that aren't lazy and checks that they offer the tools that are asked of them. Every
// failure is part of the error, in the order of the configuration; the other servers stay connected. A server that
// failed may be connected by a later call of Connect, or by the first use.
func (p *Pool) Connect(ctx context.Context) error {
	errs := make([]error, len(p.servers))
	slots := make(chan struct{}, maxConnects)
	var all sync.WaitGroup
	for i, s := range p.servers {
		if s.cfg.Lazy {
			continue
		}
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			_, errs[i] = s.tools(ctx)
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// Tools returns the allowed tools of a server in the server's order, connecting it if need be. The list is as
// old as the server allows, a minute at most when it doesn't say.
func (p *Pool) Tools(ctx context.Context, server string) ([]ToolInfo, error) {
	s, err := p.server(server)
	if err != nil {
		return nil, err
	}
	return s.tools(ctx)
}

// Call calls a tool by the server's own name for it, connecting the server if need be. The time limit of the
// configuration counts from the sending of the call; ctx limits everything. An error is a *[ServerError], [ErrClosed],
// or says that there is no such server.
func (p *Pool) Call(ctx context.Context, server, tool string, args map[string]any, opts CallOptions) (Result, error) {
	s, err := p.server(server)
	if err != nil {
		return Result{}, err
	}
	if args == nil {
		args = map[string]any{}
	}
	return s.call(ctx, tool, args, opts)
}

// Close ends all sessions and the processes of the servers that are children, within the time of
// [PoolOptions.CloseTimeout]. Calls under way fail. It may be called more than once and always returns nil.
func (p *Pool) Close() error {
	var all sync.WaitGroup
	for _, s := range p.servers {
		all.Go(s.close)
	}
	all.Wait()
	return nil
}

func (p *Pool) server(name string) (*server, error) {
	if s, ok := p.byName[name]; ok {
		return s, nil
	}
	names := make([]string, len(p.servers))
	for i, s := range p.servers {
		names[i] = s.cfg.Name
	}
	return nil, fmt.Errorf("there is no mcp server %q; configured: %s", name, listed(names))
}
