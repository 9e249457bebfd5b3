package declarative

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

// ownEnv is the prefix of variables that are plait's own and never a document's.
const ownEnv = "PLAIT_"

// serverPolicy checks what MCP servers get from the harness, and where they send it.
func (v *validator) serverPolicy() {
	for i, s := range v.doc.MCPServers {
		at := v.at.Field("mcp_servers").Item(i)
		u, err := url.Parse(s.URL)
		if err == nil && s.URL != "" && v.opts.MCPHosts != nil && !matchesHost(v.opts.MCPHosts, u) {
			v.report.Value(at.Field("url"), diag.HostNotAllowed, fmt.Sprintf("the harness doesn't let documents reach the host %q", u.Host),
				v.hint(u.Host, v.opts.MCPHosts))
		}
		if s.URLEnv != "" {
			v.exposed(at.Field("url_env"), s.URLEnv, nil)
		}
		for _, h := range s.Headers {
			if h.Env != "" {
				v.exposed(at.Field("headers").Entry(h.Name).Field("env"), h.Env, u)
			}
		}
	}
}

// exposed checks that a variable may be used, and sent to a URL if there is one.
func (v *validator) exposed(p source.Place, name string, to *url.URL) {
	i := slices.IndexFunc(v.opts.Env, func(e ExposedVar) bool { return e.Name == name })
	switch {
	case strings.HasPrefix(name, ownEnv):
		v.report.Value(p, diag.EnvNotExposed, fmt.Sprintf("%q is plait's own; variables that start with %s are never exposed to documents", name, ownEnv), "")
	case v.opts.Env == nil:
	case i < 0:
		v.report.Value(p, diag.EnvNotExposed, fmt.Sprintf("the harness doesn't expose %q to documents", name),
			v.hint(name, v.exposedNames()))
	case to != nil && to.Host != "" && v.opts.Env[i].Hosts != nil && !matchesHost(v.opts.Env[i].Hosts, to):
		v.report.Value(p, diag.EnvNotExposed, fmt.Sprintf("the harness doesn't let %q be sent to the host %q", name, to.Host),
			v.hint(to.Host, v.opts.Env[i].Hosts))
	}
}

func (v *validator) exposedNames() []string {
	var names []string
	for _, e := range v.opts.Env {
		names = append(names, e.Name)
	}
	return names
}

// matchesHost reports whether the host of a URL is among some patterns: a host for all its ports, host:port for one,
// *.domain for all hosts below a domain.
func matchesHost(patterns []string, u *url.URL) bool {
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		pattern = strings.ToLower(pattern)
		if h, port, err := net.SplitHostPort(pattern); err == nil {
			if port != portOf(u) {
				return false
			}
			pattern = h
		}
		if domain, below := strings.CutPrefix(pattern, "*."); below {
			return strings.HasSuffix(host, "."+domain)
		}
		return host == strings.Trim(pattern, "[]")
	})
}

func portOf(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}
