package declarative

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/fields"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

// The patterns of names. They are never written to.
var (
	serverName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]{0,31}$`)
	envName    = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	headerName = regexp.MustCompile("^[!#$%&'*+\\-.^_`|~0-9A-Za-z]+$")
)

func (l *loader) server(p source.Place) (s MCPServer) {
	const noun = "an MCP server"
	o, ok := l.object(p, fields.Server, func(field string) string {
		if field == "command" || field == "args" || field == "stdio" {
			return "servers that are started by a command are given in the run file"
		}
		return ""
	})
	if !ok || !o.Require(noun, "name") {
		return s
	}
	s = MCPServer{
		Name:        l.name(o, "name", serverName, "letters, digits and -, starts with a letter and has at most 32 characters"),
		Description: o.String("description"),
		URL:         o.NonEmpty("url"),
		URLEnv:      l.env(o.Field("url_env")),
		Headers:     l.headers(o),
		Tools:       l.unique(o, "tools"),
		Timeout:     o.Duration("timeout"),
		Connect:     ConnectMode(o.Enum("connect", string(ConnectRequired), string(ConnectLazy))),
	}
	if l.exactlyOne(o, noun, "url", "url_env") == "url" && s.URL != "" {
		l.url(o.Field("url"), s.URL)
	}
	return s
}

// name reads a required name and checks it against a pattern, which the words describe.
func (l *loader) name(o source.Object, field string, pattern *regexp.Regexp, words string) string {
	name := o.NonEmpty(field)
	if p := o.Field(field); name != "" && !pattern.MatchString(name) {
		l.report.Value(p, diag.BadName, fmt.Sprintf("%q can't be a name here; it consists of %s", name, words), "")
	}
	return name
}

func (l *loader) url(p source.Place, text string) {
	var problem, hint string
	switch u, err := url.Parse(text); {
	case err != nil:
		problem = "is no URL"
	case u.Scheme != "http" && u.Scheme != "https":
		problem, hint = "isn't an http or https URL", "servers over stdio are given in the run file"
	case u.Hostname() == "":
		problem = "has no host"
	case u.User != nil:
		problem, hint = "holds credentials", "send them in a header that is taken from the environment: {env: NAME}"
	case u.Fragment != "":
		problem = "has a fragment, which isn't sent to a server"
	default:
		return
	}
	l.report.Value(p, diag.BadValue, fmt.Sprintf("%q %s; expected something like https://host/mcp", text, problem), hint)
}

func (l *loader) env(p source.Place) string {
	name := l.report.Text(p, "the name of a variable")
	if p.Exists() && !envName.MatchString(name) {
		l.report.Value(p, diag.BadName, fmt.Sprintf("%q can't be the name of a variable; it consists of letters, digits and _", name), "")
	}
	return name
}

func (l *loader) headers(o source.Object) []Header {
	var all []Header
	seen := map[string]source.Place{}
	for _, p := range o.Map("headers", "a map of headers") {
		h := l.header(p)
		folded := strings.ToLower(h.Name)
		if first, twice := seen[folded]; twice {
			l.report.Key(p, diag.DuplicateName, fmt.Sprintf("%q is the same header as %q at %s", h.Name, first.Key(), first.Where()), "")
			continue
		}
		seen[folded] = p
		all = append(all, h)
	}
	slices.SortFunc(all, func(a, b Header) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

func (l *loader) header(p source.Place) Header {
	h := Header{Name: p.Key()}
	switch lower := strings.ToLower(h.Name); {
	case !headerName.MatchString(h.Name):
		l.report.Key(p, diag.BadName, fmt.Sprintf("%q can't be the name of a header", h.Name), "")
	case slices.Contains([]string{"host", "content-length", "cookie"}, lower) || strings.HasPrefix(lower, "mcp-"):
		l.report.Key(p, diag.BadName, fmt.Sprintf("the header %q can't be set; Host, Content-Length, Cookie and Mcp-* belong to the protocol", h.Name), "")
	}
	value := p
	if p.Node().Kind() == source.Map {
		const noun = "a header"
		o, _ := l.object(p, fields.Header, nil)
		switch l.exactlyOne(o, noun, "value", "env") {
		case "env":
			h.Env = l.env(o.Field("env"))
			return h
		case "value":
			value = o.Field("value")
		default:
			return h
		}
	}
	h.Value = l.report.Text(value, "a string, {value: TEXT} or {env: NAME}")
	if i := strings.IndexFunc(h.Value, func(r rune) bool { return r < ' ' || r == 0x7f }); i >= 0 {
		l.report.Value(value, diag.BadValue, fmt.Sprintf("the value of the header %q holds the control character %q", h.Name, h.Value[i]), "")
	}
	return h
}

// unique reads a list of texts that may not repeat.
func (l *loader) unique(o source.Object, field string) []string {
	all := o.Strings(field)
	seen := map[string]bool{}
	for _, p := range o.Field(field).Items() {
		text := p.Node().Text()
		if seen[text] {
			l.report.Value(p, diag.DuplicateName, fmt.Sprintf("%q stands twice in %q", text, field), "remove one of them")
		}
		seen[text] = true
	}
	return all
}
