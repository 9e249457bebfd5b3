package intake

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/pkg/agentkit/mcp"
	"github.com/plait-dev/plait/pkg/declarative"
)

// pool makes the pool of the document's MCP servers, at the endpoints that the config puts in the place of the
// document's.
func (t *taking) pool(doc *declarative.Document) (*mcp.Pool, error) {
	var servers []mcp.ServerConfig
	var errs []error
	for i := range doc.MCPServers {
		s, err := t.server(&doc.MCPServers[i])
		if err != nil {
			errs = append(errs, fmt.Errorf("mcp server %s: %w", doc.MCPServers[i].Name, err))
			continue
		}
		servers = append(servers, s)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return mcp.NewPool(servers, &mcp.PoolOptions{Logger: t.env.Logger})
}

func (t *taking) server(s *declarative.MCPServer) (mcp.ServerConfig, error) {
	cfg := mcp.ServerConfig{
		Name:       s.Name,
		AllowTools: s.Tools,
		Timeout:    s.Timeout,
		Lazy:       s.Connect == declarative.ConnectLazy,
	}
	override := t.cfg.GetMcpServers()[s.Name]
	if override.GetTimeout() != nil {
		cfg.Timeout = override.GetTimeout().AsDuration()
	}
	var err error
	switch {
	case override.GetStdio() != nil:
		err = t.stdio(&cfg, override.GetStdio())
	case override.GetHttp() != nil:
		err = t.http(&cfg, override.GetHttp())
	default:
		err = t.declared(&cfg, s)
	}
	return cfg, err
}

// stdio is a server that is a child process.
func (t *taking) stdio(cfg *mcp.ServerConfig, s *adkconfigv1.MCPServerStdio) error {
	if !t.env.AllowStdio {
		return errors.New("it is started by a command, which this program doesn't do")
	}
	cfg.Command, cfg.Dir = s.GetCommand(), s.GetDir()
	cfg.Env = map[string]string{}
	for name, v := range s.GetEnv() {
		text, err := t.value(v)
		if err != nil {
			return fmt.Errorf("variable %s: %w", name, err)
		}
		if text != "" {
			cfg.Env[name] = text
		}
	}
	return nil
}

// http is a server at an endpoint of the config's.
func (t *taking) http(cfg *mcp.ServerConfig, s *adkconfigv1.MCPServerHTTP) error {
	switch {
	case s.GetProtocol() != "" && s.GetProtocol() != "streamable-http":
		return fmt.Errorf("this release doesn't speak the protocol %q; it speaks streamable-http", s.GetProtocol())
	case s.GetTls() != nil || len(s.GetForwardHeaders()) > 0:
		return errors.New("this release has neither tls settings nor forwarded headers of MCP servers")
	}
	cfg.URL = s.GetUrl()
	for _, name := range slices.Sorted(maps.Keys(s.GetHeaders())) {
		text, err := t.value(s.GetHeaders()[name])
		if err != nil {
			return fmt.Errorf("header %s: %w", name, err)
		}
		cfg.Headers = append(cfg.Headers, mcp.Header{Name: name, Value: text})
	}
	return nil
}

// declared is a server as the document has it. Headers whose variable is unset stay empty, and are left out.
func (t *taking) declared(cfg *mcp.ServerConfig, s *declarative.MCPServer) error {
	cfg.URL = s.URL
	if s.URLEnv != "" {
		if cfg.URL = t.lookup(s.URLEnv); cfg.URL == "" {
			return fmt.Errorf("url_env: the variable %s isn't set", s.URLEnv)
		}
	}
	for _, h := range s.Headers {
		value := h.Value
		if h.Env != "" {
			value = t.lookup(h.Env)
		}
		cfg.Headers = append(cfg.Headers, mcp.Header{Name: h.Name, Value: value})
	}
	return nil
}

// value resolves a text that may be secret; one that isn't set is empty.
func (t *taking) value(v *adkconfigv1.Value) (string, error) {
	ref := v.GetSecret()
	switch {
	case ref == nil:
		return v.GetLiteral(), nil
	case ref.GetFile() == "":
		return t.lookup(ref.GetEnv()), nil
	}
	text, err := os.ReadFile(ref.GetFile())
	if err != nil {
		return "", err
	}
	return strings.TrimSuffix(string(text), "\n"), nil
}

func (t *taking) lookup(name string) string {
	if t.env.LookupEnv == nil {
		return ""
	}
	text, _ := t.env.LookupEnv(name)
	return text
}
