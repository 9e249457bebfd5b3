package harness

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/plait-dev/plait/harness/intake"
	"github.com/plait-dev/plait/harness/run"
)

// systems are the configs that runs are pinned to: the present one, and those that runs of earlier processes began with,
// which are taken in from the store when they are needed.
type systems struct {
	env intake.Environment
	cfg run.Config // of the present one

	mu       sync.Mutex
	open     map[string]*intake.System
	outlines map[string]intake.Outline
}

func newSystems(env intake.Environment, cfg run.Config, present *intake.System) *systems {
	return &systems{
		env:      env,
		cfg:      cfg,
		open:     map[string]*intake.System{cfg.Digest: present},
		outlines: map[string]intake.Outline{cfg.Digest: present.Outline()},
	}
}

// service makes the service for runs of a config. Its MCP servers are connected when they are used.
func (s *systems) service(ctx context.Context, digest string) (*run.Service, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	system, ok := s.open[digest]
	if !ok {
		var err error
		if system, err = s.takeIn(ctx, digest); err != nil {
			return nil, err
		}
		s.open[digest], s.outlines[digest] = system, system.Outline()
	}
	cfg := s.cfg
	cfg.System, cfg.Digest = system, digest
	return run.New(cfg), nil
}

func (s *systems) takeIn(ctx context.Context, digest string) (*intake.System, error) {
	config, err := s.cfg.Store.GetConfig(ctx, digest)
	if err != nil {
		return nil, err
	}
	system, found, err := intake.New(config, s.env)
	if system == nil {
		return nil, fmt.Errorf("this program can't run the config %s: %w", digest, errors.Join(err, findings(found)))
	}
	return system, nil
}

// outline describes the document of a config.
func (s *systems) outline(ctx context.Context, digest string) (intake.Outline, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o, ok := s.outlines[digest]; ok {
		return o, nil
	}
	config, err := s.cfg.Store.GetConfig(ctx, digest)
	if err != nil {
		return intake.Outline{}, err
	}
	o, err := intake.ReadOutline(config)
	if err == nil {
		s.outlines[digest] = o
	}
	return o, err
}

// release gives back what is open for a session in which nothing runs.
func (s *systems) release(session string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, system := range s.open {
		errs = append(errs, system.Release(session))
	}
	return errors.Join(errs...)
}

func (s *systems) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, system := range s.open {
		errs = append(errs, system.Close())
	}
	return errors.Join(errs...)
}
