package compile

import (
	"fmt"
	"strings"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/api/v1alpha1"
)

// secretPrefix begins the variables that hold secrets for a config. A harness never exposes them to documents.
const secretPrefix = "PLAIT_SECRET_"

// secret stands for the key of a Secret in the config, and makes the pod get it.
func (c *compilation) secret(ref v1alpha1.KeyReference) *adkconfigv1.SecretRef {
	name := secretVariable(ref)
	c.secrets[name] = ref
	return &adkconfigv1.SecretRef{From: &adkconfigv1.SecretRef_Env{Env: name}}
}

// secretVariable names the variable of a Secret's key. No two keys have the same: what isn't a small letter or a digit is
// written as its code, and two underscores, which no code has, part name and key.
func secretVariable(ref v1alpha1.KeyReference) string {
	return secretPrefix + inVariable(ref.Name) + "__" + inVariable(ref.Key)
}

func inVariable(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		switch {
		case c >= 'a' && c <= 'z':
			b.WriteByte(c - 'a' + 'A')
		case c >= '0' && c <= '9':
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "_%02X", c)
		}
	}
	return b.String()
}
