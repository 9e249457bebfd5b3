package wires

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/catalog"
	"github.com/plait-dev/plait/pkg/agentkit/cost"
)

// known looks a vendor's model up. Its prices are those of the vendor's own API, whose URL is home: what a gateway or a
// cloud charges is known only where the configuration says so.
func (o Options) known(vendor, home string) (catalog.Found, error) {
	found := catalog.Default().Find(vendor, o.Model)
	if o.BaseURL != "" && !sameHost(o.BaseURL, home) {
		found.Tariff = cost.Tariff{}
	}
	found, err := o.Override.Apply(found)
	if err != nil {
		return found, fmt.Errorf("catalog: %w", err)
	}
	return found, nil
}

func sameHost(a, b string) bool {
	first, errA := url.Parse(a)
	second, errB := url.Parse(b)
	return errA == nil && errB == nil && first.Host != "" && strings.EqualFold(first.Host, second.Host)
}
