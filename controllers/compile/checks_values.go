package compile

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/plait-dev/plait/api/v1alpha1"
)

// The patterns of the definitions. They are never written to.
var (
	modelName    = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$`)
	serverName   = regexp.MustCompile(`^[a-z][a-z0-9-]{0,31}$`)
	variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	headerName   = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_|~-]+$")
	hostPattern  = regexp.MustCompile(`^(\*\.)?[A-Za-z0-9.-]+(:[0-9]+)?$|^\[[0-9a-fA-F:]+\](:[0-9]+)?$`)
)

const providerFaux = "faux"

func providers() []string {
	return []string{"anthropic", "openai", "openai-responses", "google", "ollama", providerFaux}
}

// key checks a reference, if there is one.
func (k *checker) key(at string, ref *v1alpha1.KeyReference) {
	k.must(ref == nil || ref.Name != "" && ref.Key != "", at, "give name and key")
}

func (k *checker) value(at string, v v1alpha1.Value) {
	k.must(count(v.Value != nil, v.SecretKeyRef != nil) == 1, at, "give either value or secretKeyRef")
	k.key(at+".secretKeyRef", v.SecretKeyRef)
}

func (k *checker) headers(at string, headers []v1alpha1.Header) {
	var names []string
	for i, h := range headers {
		at := fmt.Sprintf("%sspec.headers[%d]", at, i)
		folded := strings.ToLower(h.Name)
		own := slices.Contains([]string{"host", "content-length", "cookie"}, folded) || strings.HasPrefix(folded, "mcp-")
		k.must(headerName.MatchString(h.Name), at+".name", fmt.Sprintf("%q can't be the name of a header", h.Name))
		k.must(!own, at+".name", fmt.Sprintf("%q: Host, Content-Length, Cookie and Mcp-* are set by the client itself", h.Name))
		k.value(at, h.Value)
		control := strings.IndexFunc(orZero(h.Value.Value), func(r rune) bool { return r < ' ' || r == 0x7f })
		k.must(control < 0, at+".value", fmt.Sprintf("the value of the header %q holds a control character", h.Name))
		names = append(names, folded)
	}
	k.unique(at+"spec.headers", names)
}

// url checks a URL, if there is one.
func (k *checker) url(at, text string) {
	if text == "" {
		return
	}
	u, err := url.Parse(text)
	switch {
	case err != nil:
		k.wrong(at, fmt.Sprintf("%q is no URL", text))
	case u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		k.wrong(at, fmt.Sprintf("%q isn't an http or https URL", text))
	case u.User != nil:
		k.wrong(at, "the URL holds credentials; put them in a Secret and send them in a header")
	case u.Fragment != "":
		k.wrong(at, fmt.Sprintf("%q has a fragment, which isn't sent to a server", text))
	default:
		_, err := strconv.ParseUint(portOf(u), 10, 16)
		k.must(err == nil, at, fmt.Sprintf("%q has the port %s; ports end at 65535", text, u.Port()))
	}
}

func (k *checker) positive(at string, n *int64) {
	k.must(n == nil || *n > 0, at, "it must be at least 1")
}

// unique reports names that stand twice in a list.
func (k *checker) unique(at string, names []string) {
	seen := map[string]bool{}
	for _, name := range names {
		k.must(!seen[name], at, fmt.Sprintf("%q stands in it twice", name))
		seen[name] = true
	}
}

func count(conditions ...bool) (n int) {
	for _, holds := range conditions {
		if holds {
			n++
		}
	}
	return n
}

func enumerate(list []string) string { return strings.Join(list, ", ") }
