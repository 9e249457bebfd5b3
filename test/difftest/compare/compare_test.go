package compare_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/test/difftest/compare"
)

func TestWhatIsADifference(t *testing.T) {
	type differences = []compare.Difference
	for name, c := range map[string]struct {
		ours, theirs string
		want         differences
	}{
		"the order of members isn't":    {`{"a":1,"b":[]}`, `{"b":[],"a":1}`, nil},
		"the spelling of strings isn't": {`"<\u00e9"`, `"\u003cé"`, nil},
		"the spelling of numbers is":    {`{"a":2.50}`, `{"a":2.5}`, differences{{"/a", "2.50", "2.5"}}},
		"large numbers are":             {`12345678901234567890`, `12345678901234567000`, differences{{"", "12345678901234567890", "12345678901234567000"}}},
		"null isn't absent":             {`{"a":null}`, `{}`, differences{{"/a", "null", compare.Absent}}},
		"an empty array isn't absent":   {`{}`, `{"a":[]}`, differences{{"/a", compare.Absent, "[]"}}},
		"the order of arrays is":        {`[1,2]`, `[2,1]`, differences{{"/0", "1", "2"}, {"/1", "2", "1"}}},
		"the length of arrays is":       {`{"a":[1]}`, `{"a":[1,{"b":"<"}]}`, differences{{"/a/1", compare.Absent, `{"b":"<"}`}}},
		"the kind is":                   {`{"a":{}}`, `{"a":[]}`, differences{{"/a", "{}", "[]"}}},
		"a text isn't its number":       {`{"a":"1"}`, `{"a":1}`, differences{{"/a", `"1"`, "1"}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := compare.JSON([]byte(c.ours), []byte(c.theirs))
			if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
				t.Errorf("err %v (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestWhatIsNoJSON(t *testing.T) {
	for _, text := range []string{"", "{", "{} {}", "{}x"} {
		if _, err := compare.JSON([]byte(text), []byte("{}")); err == nil {
			t.Errorf("%q is taken for ours", text)
		}
		if _, err := compare.JSON([]byte("{}"), []byte(text)); err == nil {
			t.Errorf("%q is taken for theirs", text)
		}
	}
}

func TestTheBytesOfValues(t *testing.T) {
	const text = `{"a":[{"args":{"z" : 2.50, "a":"\u003c"}},{"other":1},{"args":"{\"z\" : 1}"}],"s":{"t":[]},"f":[{"call":{"args":{}}},{"call":{}},{"text":1}]}`
	for place, want := range map[string][]string{
		"/a/*/args": {`{"z" : 2.50, "a":"\u003c"}`, `{"z" : 1}`},
		"/s/t":      {"[]"},
		"/s/*":      nil,

		"/f/*/call/args": {"{}", compare.Absent},
		"/a/x":           nil,
	} {
		if diff := cmp.Diff(want, compare.Values([]byte(text), place)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", place, diff)
		}
	}
}
