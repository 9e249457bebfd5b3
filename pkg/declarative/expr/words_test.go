package expr

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestTokens(t *testing.T) {
	for text, want := range map[string][]string{
		`a.b[0] == 'x y'`:       {"a", ".", "b", "[", "0", "]", "==", "'x y'"},
		`a.?b[?c] ?: -1.5e3`:    {"a", ".?", "b", "[?", "c", "]", "?", ":", "-", "1.5e3"},
		`1.with(a)`:             {"1", ".", "with", "(", "a", ")"},
		"x // 'not text\n+ y":   {"x", "+", "y"},
		`'a\'b' + "c'd"`:        {`'a\'b'`, "+", `"c'd"`},
		`r'a\' + b"\"" + rb'''`: {`r'a\'`, "+", `b"\""`, "+", "rb'''"},
		"'''a\n'b'''c":          {"'''a\n'b'''", "c"},
		"'open\nx":              {"'open", "x"},
		`brr'x'`:                {"brr", "'x'"},
		`r`:                     {"r"},
		`a&&b||!c<=d`:           {"a", "&&", "b", "||", "!", "c", "<=", "d"},
		"":                      nil,
	} {
		var got []string
		runes := []rune(text)
		for _, tok := range tokens(runes) {
			got = append(got, string(runes[tok.start:tok.end]))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// Tokens lie in the text, in order, and leave out nothing but space and comments.
func TestTokensProperty(t *testing.T) {
	alphabet := rapid.SampledFrom([]rune("ab1 .'\"\\rRbB()[]{}?&|=/\n\tä😀"))
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOf(alphabet).Draw(t, "text")
		last := 0
		for _, tok := range tokens(text) {
			if tok.start < last || tok.end <= tok.start || tok.end > len(text) {
				t.Fatalf("token %+v after %d in %q", tok, last, string(text))
			}
			gap := strings.TrimSpace(string(text[last:tok.start]))
			if gap != "" && !strings.HasPrefix(gap, "//") {
				t.Fatalf("%q left out of %q", gap, string(text))
			}
			last = tok.end
		}
	})
}

func TestClip(t *testing.T) {
	if got := clip("short"); got != "short" {
		t.Errorf("got %q", got)
	}
	if got := clip(strings.Repeat("ä", 100)); got != strings.Repeat("ä", 30)+"…" {
		t.Errorf("got %q", got)
	}
	if got := clip("x" + strings.Repeat("ä", 100)); got != "x"+strings.Repeat("ä", 29)+"…" {
		t.Errorf("a character cut in half: %q", got)
	}
}

func TestSplitSignature(t *testing.T) {
	for signature, want := range map[string][]string{
		"(string, int)":                        {"", "string", "int"},
		"string.(int)":                         {"string", "int"},
		"()":                                   {""},
		"map(string, list(int)).(map(int, A))": {"map(string, list(int))", "map(int, A)"},
		"(optional_type(dyn), @session)":       {"", "optional(dyn)", "session"},
		"list(string).()":                      {"list(string)"},
	} {
		target, args := splitSignature(signature)
		if diff := cmp.Diff(want, append([]string{target}, args...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", signature, diff)
		}
	}
}
