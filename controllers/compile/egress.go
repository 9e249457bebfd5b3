package compile

import (
	"cmp"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
)

// egress are the places that the pod calls: models or their proxies, and MCP servers.
func (c *compilation) egress() []Endpoint {
	var all []Endpoint
	for _, m := range c.config.GetModels() {
		all = c.callsURL(all, cmp.Or(m.GetProxyUrl(), m.GetBaseUrl(), providerURL(m)))
	}
	for _, s := range c.doc.MCPServers {
		all = c.callsURL(all, s.URL)
		for _, v := range c.allowed.env {
			if v.Name == s.URLEnv {
				all = c.callsPatterns(all, v.Hosts)
			}
		}
	}
	slices.SortFunc(all, func(a, b Endpoint) int {
		return cmp.Or(strings.Compare(a.Host, b.Host), cmp.Compare(a.Port, b.Port))
	})
	return slices.Compact(all)
}

// providerURL is where a provider is called when the model doesn't say so. Scripts call nobody, and ollama is then looked
// for in the pod itself.
func providerURL(m *adkconfigv1.Model) string {
	switch m.GetProvider() {
	case "anthropic":
		return "https://api.anthropic.com"
	case "openai", "openai-responses":
		return profileURL(m.GetCompat().GetProfile())
	case "google":
		return "https://generativelanguage.googleapis.com"
	}
	return ""
}

// profileURL is where the vendor of a profile of the OpenAI wires is called; empty for those that are no vendor's.
func profileURL(profile string) string {
	switch profile {
	case "", "openai", "openai-responses":
		return "https://api.openai.com"
	case "openrouter":
		return "https://openrouter.ai"
	case "deepseek", "deepseek-responses":
		return "https://api.deepseek.com"
	case "moonshot":
		return "https://api.moonshot.ai"
	}
	return ""
}

func (c *compilation) callsURL(all []Endpoint, text string) []Endpoint {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" {
		return all
	}
	return c.calls(all, hostOf(u), portOf(u))
}

// callsPatterns adds the hosts that the value of a variable may name. Which of the usual ports it is isn't known.
func (c *compilation) callsPatterns(all []Endpoint, patterns []string) []Endpoint {
	for _, pattern := range patterns {
		pattern = strings.ToLower(pattern)
		if host, port, err := net.SplitHostPort(pattern); err == nil {
			all = c.calls(all, host, port)
			continue
		}
		host := strings.Trim(pattern, "[]")
		all = c.calls(c.calls(all, host, "80"), host, "443")
	}
	return all
}

func (c *compilation) calls(all []Endpoint, host, port string) []Endpoint {
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return all
	}
	return append(all, Endpoint{Host: host, Port: int32(n), Service: c.isService(host)})
}
