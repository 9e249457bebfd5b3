package compile

import (
	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/api/v1alpha1"
)

// headers are those of a model or server, with the variables that hold the secret ones.
func (c *compilation) headers(headers []v1alpha1.Header) map[string]*adkconfigv1.Value {
	if len(headers) == 0 {
		return nil
	}
	all := make(map[string]*adkconfigv1.Value, len(headers))
	for _, h := range headers {
		if h.SecretKeyRef != nil {
			all[h.Name] = &adkconfigv1.Value{From: &adkconfigv1.Value_Secret{Secret: c.secret(*h.SecretKeyRef)}}
			continue
		}
		all[h.Name] = &adkconfigv1.Value{From: &adkconfigv1.Value_Literal{Literal: *h.Value.Value}}
	}
	return all
}
