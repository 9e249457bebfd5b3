package gather

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
)

func TestFingermac(t *testing.T) {
	key, other := []byte(strings.Repeat("k", 32)), []byte(strings.Repeat("o", 32))
	mac := func(key []byte, parts ...string) string {
		var all [][]byte
		for _, p := range parts {
			all = append(all, []byte(p))
		}
		return fingerprint(key, all...)
	}
	base := mac(key, "agents", "tokens", "token", "value")
	if again := mac(key, "agents", "tokens", "token", "value"); again != base {
		t.Errorf("the same value gives %s and %s", base, again)
	}
	if len(base) != 64 {
		t.Errorf("it is %s, want 64 digits", base)
	}
	for name, got := range map[string]string{
		"another value":                     mac(key, "agents", "tokens", "token", "value2"),
		"another key of the Secret":         mac(key, "agents", "tokens", "token2", "value"),
		"another Secret":                    mac(key, "agents", "tokens2", "token", "value"),
		"another namespace":                 mac(key, "other", "tokens", "token", "value"),
		"another installation":              mac(other, "agents", "tokens", "token", "value"),
		"the same bytes, divided otherwise": mac(key, "agents", "token", "stoken", "value"),
	} {
		if got == base {
			t.Errorf("%s has the same fingerprint", name)
		}
	}
	sum := sha256.Sum256([]byte("value"))
	if base == hex.EncodeToString(sum[:]) {
		t.Error("it is a plain hash, which lets readers test guesses")
	}
}
