package harness

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/harness/a2a"
	"github.com/plait-dev/plait/harness/auth"
	"github.com/plait-dev/plait/harness/intake"
	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// checkTimeout is how long --check waits for MCP servers.
const checkTimeout = time.Minute

// agent is the one agent of this process: a config that was taken in, and what the process serves it with.
type agent struct {
	settings
	log    *slog.Logger
	config []byte
	env    intake.Environment
	system *intake.System
	auth   auth.Authenticator
}

// takeIn checks everything that can be checked before anything is opened. All that is wrong is in the error, behind the
// problems that were found before.
func (p *process) takeIn(s settings, reg *registry, problems error) (*agent, error) {
	a := &agent{settings: s}
	a.log = slog.New(slog.NewJSONHandler(p.err, &slog.HandlerOptions{Level: s.logLevel}))
	a.env = intake.Environment{
		Functions:    reg.functions,
		Schedulers:   reg.schedulers,
		Tools:        reg.tools,
		Hooks:        reg.hooks,
		LookupEnv:    p.lookupEnv,
		People:       true,
		WorkspaceDir: func(session string) string { return filepath.Join(s.workspace, session) },
		Logger:       a.log,
	}
	problems = errors.Join(problems, a.openAuth(), a.openConfig())
	if problems != nil {
		a.close()
		return nil, problems
	}
	if unknown := unknownVariables(p.environ); len(unknown) > 0 {
		a.log.Warn("variables that begin with PLAIT_ and mean nothing to this release", "names", unknown)
	}
	return a, nil
}

func (a *agent) openAuth() error {
	switch a.authMode {
	case authBearer:
		keys, err := auth.OpenKeys(a.authKeys, a.log)
		if err != nil {
			return fmt.Errorf("%s: %w", envAuthKeys, err)
		}
		a.auth = keys
	case authNone:
		a.auth = auth.None{}
	}
	return nil
}

// openConfig reads the config, if it is the one that was announced, and takes it in.
func (a *agent) openConfig() error {
	config, err := os.ReadFile(a.configPath)
	if err != nil {
		return fmt.Errorf("%s: %w", envConfig, err)
	}
	digest := adkconfigv1.Digest(config)
	switch {
	case a.digest == "":
		return nil // the settings have said so; a config that nobody vouches for isn't looked at
	case digest != a.digest:
		return fmt.Errorf("%s: the SHA-256 of %s is %s, but %s is %s: it isn't the config that was announced",
			envConfig, a.configPath, digest, envConfigDigest, a.digest)
	}
	system, found, err := intake.New(config, a.env)
	if system == nil {
		return errors.Join(err, findings(found))
	}
	for _, d := range found {
		a.log.Warn(d.Message, "code", d.Code, "path", d.Path, "hint", d.Hint)
	}
	a.config, a.system = config, system
	return a.checkIdentity(system.Config())
}

// checkIdentity compares who the surroundings say this is with whom the config is for.
func (a *agent) checkIdentity(cfg *adkconfigv1.AgentConfig) error {
	var errs []error
	for _, id := range []struct{ name, said, is string }{
		{envNamespace, a.namespace, cfg.GetNamespace()},
		{envTemplate, a.template, cfg.GetTemplate()},
		{envHarness, a.harness, cfg.GetHarness()},
	} {
		if id.said != "" && id.said != id.is {
			errs = append(errs, fmt.Errorf("%s is %q, but the config is for %q", id.name, id.said, id.is))
		}
	}
	return errors.Join(errs...)
}

// findings is an error in the words of the validator, or nil when nothing is wrong. The document has one line here, so the
// places are told by their paths.
func findings(found diag.List) error {
	if !found.HasErrors() {
		return nil
	}
	placed := slices.Clone(found)
	for i := range placed {
		placed[i].Pos = diag.Pos{}
	}
	var text strings.Builder
	_ = diag.Write(&text, placed, nil) // a builder takes everything
	return errors.New(strings.TrimSuffix(text.String(), "\n"))
}

// check connects the MCP servers once.
func (a *agent) check(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	if err := a.system.Connect(ctx); err != nil {
		return err
	}
	a.log.Info("the config is sound and its MCP servers answer", "config", a.digest)
	return nil
}

// app names the application that sessions belong to.
func (a *agent) app() string {
	cfg := a.system.Config()
	if cfg.GetNamespace() == "" {
		return cfg.GetTemplate()
	}
	return cfg.GetNamespace() + "/" + cfg.GetTemplate()
}

// card is what everybody may know of the agent.
func (a *agent) card() a2a.Agent {
	doc, root := a.system.Document()
	tags := []string{}
	for _, name := range slices.Sorted(maps.Keys(doc.Metadata.Labels)) {
		tags = append(tags, name+"="+doc.Metadata.Labels[name])
	}
	description := cmp.Or(doc.Metadata.Description, root.Description)
	return a2a.Agent{
		Name:        cmp.Or(doc.Metadata.Name, a.system.Config().GetTemplate(), root.Name),
		Description: description,
		Version:     cmp.Or(a.revision, a.digest[:12]),
		URL:         a.url,
		Bearer:      a.authMode == authBearer,
		Skills:      []a2a.Skill{{ID: root.Name, Description: cmp.Or(root.Description, description), Tags: tags}},
	}
}

// close gives back what was opened. It may be called more than once.
func (a *agent) close() {
	if a.system == nil {
		return
	}
	if err := a.system.Close(); err != nil {
		a.log.Error("the system can't be closed", "error", err)
	}
}
