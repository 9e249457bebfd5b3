package oai

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/catalog"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// SchemaName is the name that the schema of an answer has to have.
const SchemaName = "output"

// Levels are the efforts of reasoning that the vendor knows; not every model knows each.
func Levels() []string { return catalog.Efforts() }

// Traits are the constants of both wires.
func Traits(baseURL string) provider.Traits {
	return provider.Traits{
		BaseURL:   baseURL,
		Framing:   provider.FramingSSE,
		KeyHeader: "Authorization",
		KeyPrefix: "Bearer ",
	}
}

// Path returns the path of an endpoint below a base URL. By the convention of all who offer these APIs the version is part
// of the base URL, so it is added only to one that is nothing but a host and isn't the vendor's own.
func Path(base, vendor, endpoint string) string {
	u, err := url.Parse(base)
	if err != nil || base == "" || strings.Trim(u.Path, "/") != "" || strings.TrimSuffix(base, "/") == vendor {
		return endpoint
	}
	return "v1/" + endpoint
}

// Named finds a profile by its key.
func Named[P any](key string, all []P, name func(P) string) (P, error) {
	var names []string
	for _, p := range all {
		if name(p) == key {
			return p, nil
		}
		names = append(names, name(p))
	}
	var none P
	return none, fmt.Errorf("profile %q: one of %s is expected", key, strings.Join(names, ", "))
}

// OfVendor finds the profile of the vendor that a base URL belongs to, by its host; that is the first profile where no
// vendor is known there. hosts returns URLs or hosts of a profile.
func OfVendor[P any](base string, all []P, hosts func(P) []string) P {
	for _, p := range all {
		for _, known := range hosts(p) {
			if h := host(base); h != "" && h == host(known) {
				return p
			}
		}
	}
	return all[0]
}

func host(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return strings.ToLower(u.Hostname())
	}
	return address
}

// CheckCacheKey refuses a key where the vendor has none.
func CheckCacheKey(key, profile string, known bool) error {
	if key != "" && !known {
		return fmt.Errorf("cache key %q: the profile %q has none", key, profile)
	}
	return nil
}

// ResultText is what the model reads of a result. Neither API has a member that says that a call failed.
func ResultText(r core.ToolResult) string {
	if r.Error {
		return "Error: " + r.Text
	}
	return r.Text
}
