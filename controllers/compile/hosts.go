package compile

import (
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// allowedHosts are those of MCP servers that a document may name: Services of the namespace, hosts of its
// RemoteMCPServers, and those of the policy.
func (c *compilation) allowedHosts(policy []string) []string {
	hosts := slices.Concat(policy, c.in.Services)
	for _, server := range c.in.Servers {
		if u, err := url.Parse(server.Spec.URL); err == nil && u.Hostname() != "" {
			hosts = append(hosts, hostOf(u))
		}
	}
	for _, server := range c.doc.MCPServers { // the spellings of Services that the document uses
		if u, err := url.Parse(server.URL); err == nil && c.isService(hostOf(u)) {
			hosts = append(hosts, hostOf(u))
		}
	}
	return sorted(hosts)
}

// serviceName matches what can be the name of a Service. Numbers, which are other spellings of addresses, can't. It is
// never written to.
var serviceName = regexp.MustCompile(`^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$`)

// isService says whether a host is a Service of the namespace, by its short name or a longer one.
func (c *compilation) isService(host string) bool {
	name, domain, _ := strings.Cut(host, ".")
	ns := c.in.Template.Namespace
	longer := []string{ns, ns + ".svc", ns + ".svc.cluster.local"}
	if domain != "" && (ns == "" || !slices.Contains(longer, domain)) {
		return false
	}
	if c.in.Services == nil {
		return serviceName.MatchString(name) && name != "localhost"
	}
	return slices.Contains(c.in.Services, name)
}

// hostOf is the host of a URL as it is compared.
func hostOf(u *url.URL) string { return strings.TrimSuffix(strings.ToLower(u.Hostname()), ".") }

// portOf is the port of a URL, the scheme's if it has none.
func portOf(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}

// address is the host and port of a URL, as policies have them.
func address(u *url.URL) string { return net.JoinHostPort(hostOf(u), portOf(u)) }
