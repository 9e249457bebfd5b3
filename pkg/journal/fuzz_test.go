package journal_test

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/storetest"
)

// FuzzDecodeValue feeds any text to the decoder: what it takes is encoded to a text that stands for the same value.
func FuzzDecodeValue(f *testing.F) {
	sample, err := journal.EncodeValue(storetest.Values())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(sample)
	for _, seed := range []string{
		`-0.0`, `1e-7`, `[1e308,2E+3]`, `1e309`, `-9223372036854775808`, `18446744073709551615`, `18446744073709551616`,
		`9007199254740993`, `1.0`, `01`, `-`, `1.`, `"\ud83d\ude00\u0000"`, `"\ud83d"`, "\"\xff\"", `"\x"`, "\"\n\"",
		`{"a":{"a":[[]]}}`, `{"":null} `, `{"a":1,"a":2}`, `{"\u0061":1,"a":2}`, `{"a":1,}`, `[1 2]`, `nul`, `[`, ``,
		strings.Repeat("[", journal.MaxDepth) + strings.Repeat("]", journal.MaxDepth),
		strings.Repeat("[", journal.MaxDepth+1) + strings.Repeat("]", journal.MaxDepth+1),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := journal.DecodeValue(text)
		if err != nil {
			return
		}
		encoded, err := journal.EncodeValue(v)
		if err != nil {
			t.Fatalf("decoded, but not encoded: %v", err)
		}
		again, err := journal.DecodeValue(encoded)
		if err != nil || !journal.Equal(v, again) {
			t.Fatalf("%q became %q: %v", text, encoded, err)
		}
		if n, err := journal.Normalize(v); err != nil || !journal.Equal(v, n) {
			t.Fatalf("a decoded value isn't normal: %v, %v", n, err)
		}
	})
}

// FuzzDecodeEntry feeds any text to the decoder of entries, and every entry that it takes to the fold. Neither panics;
// an entry that was decoded is encoded to a text that gives the same entry.
func FuzzDecodeEntry(f *testing.F) {
	log, err := os.ReadFile("testdata/v1/s_7Q.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	for line := range bytes.Lines(log) {
		f.Add(line)
		f.Add(line[:len(line)/2])
	}
	for i, e := range storetest.Everything("s_1") {
		e.Seq = int64(i) + 1
		text, err := journal.EncodeEntry(context.Background(), e, nil)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, seed := range []string{
		`{"v":1,"seq":1,"recs":[{"t":"run","input":{"$blob":"sha256:00","len":2}},{"t":"end","set":{"a":{"$$blob":1}}}]}`,
		`{"v":1,"seq":1,"recs":[]}`, `{"v":1,"seq":-1,"recs":[{"t":"tip"}]}`, `{"v":0,"seq":1,"recs":[{"t":"tip"}]}`,
		`{"v":2,"seq":1,"recs":7}`, `{"seq":1,"v":1,"recs":[{"t":"tip"}]}`, `{"v":1,"v":2,"seq":1,"recs":[{"t":"tip"}]}`,
		`{"v":1,"seq":1,"recs":[{"t":"leap"}]}`, `{"v":1,"seq":1,"recs":[{"id":"m","t":"tip"}]}`, `{"v":1,"seq":1,"recs":[null]}`,
		`{"v":1,"seq":1,"at":"2026-02-30T00:00:00Z","recs":[{"t":"stop","due":"soon"}]}`,
		`{"v":1,"seq":1,"recs":[{"t":"end","p":7,"next":{},"ms":-1}]}`, `{"v":1,"seq":1,"recs":[{"t":"start","att":1e3}]}`,
		`{"v":1,"seq":1,"recs":[{"t":"tip","later":{"a":[1]}}],"later":true}`,
		`{"v":1,"seq":1,"recs":[{"t":"msg","parts":[{"text":"a","call":{}},{},{"result":{"images":[{}]}}]}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		e, err := journal.DecodeEntry(t.Context(), text, nil)
		if err != nil {
			return
		}
		first, err := journal.EncodeEntry(t.Context(), e, nil)
		if err != nil {
			if strings.Contains(err.Error(), "levels deep") { // an entry's values may be nested a little less than its text
				return
			}
			t.Fatalf("decoded, but not encoded: %v", err)
		}
		again, err := journal.DecodeEntry(t.Context(), first, nil)
		if err != nil {
			t.Fatalf("encoded, but not decoded: %v\n%s", err, first)
		}
		second, err := journal.EncodeEntry(t.Context(), again, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(first), string(second)); diff != "" {
			t.Fatal(diff)
		}
		state := journal.NewSessionState("s_1")
		if err := state.Apply(&journal.Entry{Seq: 1, Records: []journal.Record{journal.Session{ID: "s_1"}}}); err != nil {
			t.Fatal(err)
		}
		e.Seq = 2
		_ = state.Apply(e)
		for _, r := range state.Runs {
			_ = state.Info(r)
		}
	})
}
